import test from 'ava'

import { checkNewKey, type KeyRequest } from '#src/identity/keys/key_record.ts'

const demo = { type: 'organization', id: 'demo', name: 'Demo' } as const
const operator = { type: 'operator', id: 'operator', name: 'Operator' } as const
const person = { type: 'person', id: 'p0000000', name: 'A. Person' } as const

function faults(wish: KeyRequest): string[] {
  const checked = checkNewKey(wish)
  return checked.type === 'ok' ? [] : checked.faults.map((f) => `${f.field}: ${f.message}`)
}

test('what a wish leaves out takes its default', (t) => {
  t.deepEqual(checkNewKey({ owner: demo, scopes: ['works:read', 'works:read'] }), {
    type: 'ok',
    key: {
      owner: demo,
      environment: 'live',
      scopes: ['works:read'],
      label: '',
      ipAllow: [],
      hours: 2160,
    },
  })
})

test('a key lives at most 366 days, and a whole number of hours', (t) => {
  const wish = { owner: demo, scopes: ['works:read'] }
  t.deepEqual(faults({ ...wish, hours: 366 * 24 }), [])
  for (const hours of [0, -1, 1.5, 366 * 24 + 1]) {
    t.deepEqual(faults({ ...wish, hours }), [
      'hours: A key with these scopes is valid for 1 to 8784 hours.',
    ])
  }
})

test('scopes must be known, and there must be one', (t) => {
  t.deepEqual(faults({ owner: demo, scopes: [] }), ['scopes: A key needs at least one scope.'])
  const [fault] = faults({ owner: demo, scopes: ['works:*'] })
  t.regex(fault ?? '', /^scopes: "works:\*" is not a scope; scopes are works:read, works:write,/)
})

test('admin:* is for keys of the operator, works:delete for those of every owner', (t) => {
  t.deepEqual(faults({ owner: demo, scopes: ['works:delete'] }), [])
  t.deepEqual(faults({ owner: operator, scopes: ['works:delete'] }), [])
  t.deepEqual(faults({ owner: person, scopes: ['admin:*'], ip_allow: ['::1'] }), [
    'scopes: Only a key of the operator can have admin:*.',
  ])
})

test('a key with admin:* needs an address list and lives a day at most', (t) => {
  const wish = { owner: operator, scopes: ['admin:*'] }
  t.deepEqual(faults(wish), [
    'ip_allow: A key with admin:* must say from which addresses it is used.',
  ])
  t.deepEqual(faults({ ...wish, ip_allow: ['127.0.0.1'], hours: 25 }), [
    'hours: A key with these scopes is valid for 1 to 24 hours.',
  ])
  const checked = checkNewKey({ ...wish, ip_allow: ['127.0.0.1'] })
  t.is(checked.type === 'ok' ? checked.key.hours : undefined, 24)
})

test("a researcher's rights stand with what reads, on a key of a person", (t) => {
  t.deepEqual(faults({ owner: person, scopes: ['mint', 'update'] }), [])
  t.deepEqual(faults({ owner: person, scopes: ['mint', 'works:read', 'people:read'] }), [])
  t.deepEqual(faults({ owner: person, environment: 'sandbox', scopes: ['mint'] }), [])
  t.deepEqual(faults({ owner: demo, environment: 'sandbox', scopes: ['mint', 'works:write'] }), [
    'scopes: Beside mint and update a key can have only what reads: works:read, receipts:read, ' +
      'receipts:verify, people:read, search:read.',
    'scopes: Only a key of a person can have mint or update.',
  ])
})

test('all faults are named at once', (t) => {
  const wish = {
    owner: demo,
    scopes: ['nonsense'],
    ip_allow: ['127.1', ...Array.from({ length: 50 }, () => '::1')],
    label: 'x'.repeat(101),
    hours: 0,
  }
  t.deepEqual(
    faults(wish).map((fault) => fault.slice(0, fault.indexOf(':'))),
    ['scopes', 'hours', 'ip_allow', 'ip_allow', 'label'],
  )
})
