import test from 'ava'

import {
  checkbox,
  emptyForm,
  faultSummary,
  field,
  form,
  givenBack,
  parseForm,
  parseMultipart,
  selectField,
} from '#src/pages/kit/form.ts'
import { keepable, keptText, readKept } from '#src/pages/sessions/kept_form.ts'
import { english } from '#src/words/language.ts'

test('the fields of a form are read as they were typed, with lines of one kind', (t) => {
  const body = parseForm('name=Ada+%22L%22&text=a%0D%0Ab%0Dc&empty=&%C3%A9=%C3%BC&__proto__=x')
  t.deepEqual(
    [...body],
    [
      ['name', 'Ada "L"'],
      ['text', 'a\nb\nc'],
      ['empty', ''],
      ['é', 'ü'],
      ['__proto__', 'x'],
    ],
  )
})

for (const [text, message] of [
  ['a=1&a=1', 'A field of the form was sent twice'],
  ['a=1&%61=2', 'A field of the form was sent twice'],
  ['a=%ff', 'The form is not text in UTF-8'],
  ['a=%00', 'The form is not text in UTF-8'],
  [Array.from({ length: 8_001 }, (_, n) => `f${n}=`).join('&'), 'A form has 8000 fields at most'],
] as const) {
  test(`${text.slice(0, 20)} is refused`, (t) => {
    t.throws(() => parseForm(text), { code: 'bad_request', message })
  })
}

/** A form that sends a field and a file, as a browser writes it. */
function multipart(file: Uint8Array): { readonly type: string; readonly body: Buffer } {
  const head =
    '--edge\r\ncontent-disposition: form-data; name="csrf"\r\n\r\ntoken\r\n' +
    '--edge\r\ncontent-disposition: form-data; name="file"; filename="a.bib"\r\n' +
    'content-type: application/octet-stream\r\n\r\n'
  const body = Buffer.concat([Buffer.from(head), file, Buffer.from('\r\n--edge--\r\n')])
  return { type: 'multipart/form-data; boundary=edge', body }
}

test('a file is read as its text, with lines of one kind', async (t) => {
  const { type, body } = multipart(Buffer.from('@misc{a,\r\n title={Ü}}'))
  const fields = await parseMultipart(type, body)
  t.deepEqual(
    [...fields],
    [
      ['csrf', 'token'],
      ['file', '@misc{a,\n title={Ü}}'],
    ],
  )
})

test('a file that is no text, and a form that is cut off, are refused', async (t) => {
  const { type, body } = multipart(Buffer.from([0xff, 0xfe]))
  const code = 'bad_request'
  await t.throwsAsync(parseMultipart(type, body), {
    code,
    message: 'The form is not text in UTF-8',
  })
  const message = 'The form is cut off, or its parts have no boundaries'
  for (const [wrongType, wrongBody] of [
    [type, body.subarray(0, -20)],
    ['multipart/form-data', body],
    [undefined, body],
  ] as const) {
    await t.throwsAsync(parseMultipart(wrongType, wrongBody), { code, message })
  }
})

const hostile = '"><script>alert(1)</script>'

test('whatever is typed stays text', (t) => {
  const values = new Map([['bio', hostile]])
  const faults = [{ field: 'bio', code: 'x', message: hostile }]
  const state = { values, faults }
  for (const shown of [
    field({ name: 'bio', label: hostile, hint: hostile }, state),
    field({ name: 'bio', label: hostile, type: 'textarea' }, state),
    checkbox({ name: 'bio', label: hostile }, state),
    selectField({ name: 'bio', label: 'x', options: [{ value: hostile, label: hostile }] }, state),
    faultSummary(state),
    form({ action: hostile, csrf: hostile, submit: hostile }),
  ]) {
    t.notRegex(shown.html(english), /<script|"">/)
  }
})

test('a field names its hint and its fault to those who do not see them', (t) => {
  const faults = [{ field: 'e-mail', code: 'x', message: 'e-mail is wrong' }]
  const html = field(
    { name: 'e-mail', label: 'E-mail', hint: 'Yours', required: true },
    { values: new Map(), faults },
  ).html(english)
  t.regex(html, /<label for="field-e-mail">E-mail<\/label>/)
  t.regex(html, /aria-describedby="field-e-mail-hint field-e-mail-fault" aria-invalid="true"/)
  t.regex(html, /<p class="fault" id="field-e-mail-fault">E-mail is wrong\.<\/p>/)
  t.notRegex(html, /optional/)
})

test('a password is never shown again', (t) => {
  const values = new Map([['password', 'secret']])
  const html = field(
    { name: 'password', label: 'P', type: 'password' },
    { values, faults: [] },
  ).html(english)
  t.regex(html, / value="">/)
})

test('a text keeps its first line feed', (t) => {
  const values = new Map([['bio', '\nline']])
  const html = field({ name: 'bio', label: 'Bio', type: 'textarea' }, { values, faults: [] }).html(
    english,
  )
  // HTML drops one line feed after the tag.
  t.regex(html, /<textarea [^>]*>\n\nline<\/textarea>/)
})

test('a box stands as it was sent, and as it is meant before that', (t) => {
  const box = { name: 'agree', label: 'Agree', checked: true }
  t.regex(checkbox(box).html(english), / checked/)
  t.notRegex(
    checkbox(box, { values: new Map([['other', 'x']]), faults: [] }).html(english),
    / checked/,
  )
  t.regex(
    checkbox({ ...box, checked: false }, { values: new Map([['agree', 'on']]), faults: [] }).html(
      english,
    ),
    / checked/,
  )
})

test('nothing secret is kept of a form, by the name of its field or by its look', (t) => {
  const body = new Map([
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
  t.is(keepable('/auth/account/keys', body), undefined)
  const typed = new Map([...body, ['name', 'Ada'], ['country_code_of', 'GB']])
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
