import { readFile } from 'node:fs/promises'
import test from 'ava'
import { renderFields } from '#test/actors/works/_field_document.ts'

test('docs/record.md lists the fields as their table has them', async (t) => {
  const text = await readFile('docs/record.md', 'utf8')
  const fields = renderFields()
  t.true(text.includes(fields), `\n${fields}\n`)
})
