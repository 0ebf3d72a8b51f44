import test from 'ava'

import { formatOwner, parseOwner } from '#src/identity/store/owner_text.ts'

test('owners are spelled by kind and id, and read back', (t) => {
  t.deepEqual(parseOwner('org:demo-2'), { type: 'organization', id: 'demo-2' })
  t.deepEqual(parseOwner('person:p7hk2m9wx'), { type: 'person', id: 'p7hk2m9wx' })
  t.deepEqual(parseOwner('operator'), { type: 'operator', id: 'operator' })
  for (const text of ['org:demo-2', 'person:p7hk2m9wx', 'operator']) {
    const owner = parseOwner(text)
    t.is(owner && formatOwner(owner), text)
  }
})

test('anything else is no owner', (t) => {
  const wrong = [
    '',
    'org',
    'org:',
    'org:a/b',
    'org:a:b',
    'Org:demo',
    'team:demo',
    'operator:x',
    ' org:a',
  ]
  for (const text of wrong) t.is(parseOwner(text), undefined, text)
})
