import test from 'ava'

import { checkbox, faultSummary, field, form, selectField } from '#src/pages/kit/form.ts'

const hostile = '"><script>alert(1)</script>'

test('whatever is typed stays text', (t) => {
  const values = new Map([['bio', hostile]])
  const faults = [{ field: 'bio', code: 'x', message: hostile }]
  const state = { values, faults }
  for (const { text } of [
    field({ name: 'bio', label: hostile, hint: hostile }, state),
    field({ name: 'bio', label: hostile, type: 'textarea' }, state),
    checkbox({ name: 'bio', label: hostile }, state),
    selectField({ name: 'bio', label: 'x', options: [{ value: hostile, label: hostile }] }, state),
    faultSummary(state),
    form({ action: hostile, csrf: hostile, submit: hostile }),
  ]) {
    t.notRegex(text, /<script|"">/)
  }
})

test('a field names its hint and its fault to those who do not see them', (t) => {
  const faults = [{ field: 'e-mail', code: 'x', message: 'e-mail is wrong' }]
  const { text: html } = field(
    { name: 'e-mail', label: 'E-mail', hint: 'Yours', required: true },
    { values: new Map(), faults },
  )
  t.regex(html, /<label for="field-e-mail">E-mail<\/label>/)
  t.regex(html, /aria-describedby="field-e-mail-hint field-e-mail-fault" aria-invalid="true"/)
  t.regex(html, /<p class="fault" id="field-e-mail-fault">E-mail is wrong\.<\/p>/)
  t.notRegex(html, /optional/)
})

test('a password is never shown again', (t) => {
  const values = new Map([['password', 'secret']])
  const { text: html } = field(
    { name: 'password', label: 'P', type: 'password' },
    { values, faults: [] },
  )
  t.regex(html, / value="">/)
})

test('a text keeps its first line feed', (t) => {
  const values = new Map([['bio', '\nline']])
  const { text: html } = field(
    { name: 'bio', label: 'Bio', type: 'textarea' },
    { values, faults: [] },
  )
  // HTML drops one line feed after the tag.
  t.regex(html, /<textarea [^>]*>\n\nline<\/textarea>/)
})

test('a box stands as it was sent, and as it is meant before that', (t) => {
  const box = { name: 'agree', label: 'Agree', checked: true }
  t.regex(checkbox(box).text, / checked/)
  t.notRegex(checkbox(box, { values: new Map([['other', 'x']]), faults: [] }).text, / checked/)
  t.regex(
    checkbox({ ...box, checked: false }, { values: new Map([['agree', 'on']]), faults: [] }).text,
    / checked/,
  )
})
