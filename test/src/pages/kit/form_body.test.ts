import test from 'ava'

import { parseForm, parseMultipart } from '#src/pages/kit/form.ts'

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
