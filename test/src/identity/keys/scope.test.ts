import test from 'ava'

import { grants, type Right, scopeFor } from '#src/identity/keys/scope.ts'

const has = (...scopes: string[]) => new Set(scopes)

test('a key scope and its OAuth twin grant the same right', (t) => {
  const twins: [Right, string, string][] = [
    ['read works', 'works:read', 'svc:works:read'],
    ['mint works', 'works:write', 'svc:works:write'],
    ['update works', 'works:write', 'svc:works:write'],
    ['withdraw works', 'works:write', 'svc:works:delete'],
    ['read receipts', 'receipts:read', 'svc:receipts:read'],
  ]
  for (const [right, key, oauth] of twins) {
    t.true(grants(has(key), right))
    t.true(grants(has(oauth), right))
    t.is(scopeFor(right, '/v1'), key)
    t.is(scopeFor(right, '/api/v1'), oauth)
  }
})

test('a right without an OAuth twin is named alike in both families', (t) => {
  t.is(scopeFor('verify receipts', '/api/v1'), 'receipts:verify')
})

test('no scope implies another, and admin:* grants nothing by itself', (t) => {
  t.false(grants(has('works:write'), 'read works'))
  t.false(grants(has('works:read'), 'mint works'))
  t.false(grants(has('works:delete'), 'update works'))
  t.false(grants(has('works:write', 'receipts:read'), 'verify receipts'))
  t.false(grants(has('admin:*'), 'withdraw works'))
  t.false(grants(has('svc:works:write'), 'withdraw works'))
  t.true(grants(has('works:delete'), 'withdraw works'))
  t.false(grants(has(), 'read works'))
})

test("a researcher's mint adds works and update changes them", (t) => {
  t.true(grants(has('mint'), 'mint works'))
  t.false(grants(has('mint'), 'update works'))
  t.true(grants(has('update'), 'update works'))
  t.false(grants(has('update'), 'mint works'))
  t.false(grants(has('mint', 'update'), 'withdraw works'))
  t.false(grants(has('mint', 'update'), 'read works'))
})
