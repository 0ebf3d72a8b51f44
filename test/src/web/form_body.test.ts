import test from 'ava'

import { parseForm } from '#src/web/form_body.ts'

test('the fields of a form are read as they were typed, with lines of one kind', (t) => {
  const form = parseForm('name=Ada+%22L%22&text=a%0D%0Ab%0Dc&empty=&%C3%A9=%C3%BC&__proto__=x')
  t.deepEqual(
    [...form],
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
  [Array.from({ length: 201 }, (_, n) => `f${n}=`).join('&'), 'A form has 200 fields at most'],
] as const) {
  test(`${text.slice(0, 20)} is refused`, (t) => {
    t.throws(() => parseForm(text), { code: 'bad_request', message })
  })
}
