import test from 'ava'

import { foldEmail, readEmail } from '#src/identity/accounts/account.ts'

for (const email of [
  'ada@example.org',
  "o'neil+works@mail.example.co.uk",
  'ада@пример.рф',
  'a@x-y.example',
  `${'a'.repeat(64)}@example.org`,
]) {
  test(`${email} is an address`, (t) => {
    t.is(readEmail(` ${email} `), email)
  })
}

for (const text of [
  '',
  'ada',
  'ada@',
  '@example.org',
  'ada@example',
  'ada@@example.org',
  'ada@example..org',
  'ada@-example.org',
  'ada@example-.org',
  'ada@example.org, bo@example.org',
  'Ada <ada@example.org>',
  'ada@exam ple.org',
  'ada\r\nBcc: bo@example.org',
  `${'a'.repeat(65)}@example.org`,
  `ada@${'a'.repeat(250)}.org`,
  `a${'\u0301\u0323'.repeat(16)}@example.org`,
]) {
  test(`${JSON.stringify(text.slice(0, 40))} is no address`, (t) => {
    t.is(readEmail(text), undefined)
  })
}

test('addresses that people take for one are folded to one', (t) => {
  t.is(foldEmail(' Ada@Example.ORG'), 'ada@example.org')
  const marks = `a${'\u0301\u0323'.repeat(16)}`
  t.is(foldEmail(marks), marks, 'what is no address is not sorted first')
  t.is(foldEmail('café@example.org'.normalize('NFD')), foldEmail('CAFÉ@example.org'))
})
