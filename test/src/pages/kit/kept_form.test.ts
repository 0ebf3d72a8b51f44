import test from 'ava'

import { emptyForm, givenBack, keepable, keptText, readKept } from '#src/pages/kit/form.ts'

test('nothing secret is kept of a form, by the name of its field or by its look', (t) => {
  const form = new Map([
    ['csrf', 'a'],
    ['once', 'b'],
    ['current_password', 'c'],
    ['new_password', 'd'],
    ['code', '123456'],
    ['recovery_code', 'e'],
    ['challenge', 'f'],
    ['credential', 'g'],
    ['client_secret', 'h'],
    ['label', 'svc_live_0123456789'],
    ['note', 'see https://registry.example/auth/reset/once_abc'],
    ['empty', ''],
  ])
  t.is(keepable('/auth/account/keys', form), undefined)
  const typed = new Map([...form, ['name', 'Ada'], ['country_code_of', 'GB']])
  const kept = keepable('/auth/account/keys', typed)
  t.deepEqual(
    [...(kept?.values ?? [])],
    [
      ['name', 'Ada'],
      ['country_code_of', 'GB'],
    ],
  )
})

test('what is kept is read until its time is over', (t) => {
  const kept = { action: '/a', values: new Map([['name', 'Ada “<b>”\n']]) }
  const text = keptText(kept, 1_000)
  t.deepEqual(readKept(text, 999), kept)
  t.is(readKept(text, 1_000), undefined)
  t.is(givenBack(undefined, emptyForm), emptyForm)
  t.like(givenBack(kept, emptyForm), { values: kept.values, isGivenBack: true, faults: [] })
})
