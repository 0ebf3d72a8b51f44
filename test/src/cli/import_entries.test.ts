import { writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import test, { type ExecutionContext } from 'ava'

import { readEntryOf } from '#src/cli/import_batch.ts'
import { fileFormat, type ImportFormat, readEntries } from '#src/cli/import_entries.ts'
import { openSource } from '#src/cli/import_source.ts'
import { readBibtex } from '#src/discovery/citation_files/bibtex_file.ts'
import { splitBibtex } from '#src/discovery/citation_files/bibtex_syntax.ts'
import { readRecordLine } from '#src/discovery/citation_files/record_line.ts'
import { readRis, splitRis } from '#src/discovery/citation_files/ris_file.ts'
import { writeFolder } from '#test/src/cli/_command.ts'

async function read(t: ExecutionContext, content: string | Buffer) {
  const file = (await writeFolder(t, { works: content }))('works')
  const format = await fileFormat(file)
  const options = { format, choices: {}, seen: () => undefined }
  const groups = await Array.fromAsync(readEntries(file, await openSource(file), options))
  return { format, entries: groups.flatMap(({ entries }) => entries), groups: groups.length }
}

const sent = (bytes: Buffer | undefined) =>
  JSON.parse(String(bytes)) as Readonly<Record<string, unknown>>

const filler = (characters: number) => 'A sentence about things. '.repeat(characters / 25)

function bibtexOf(count: number): string {
  const papers = Array.from({ length: count }, (_, index) => {
    const at = index % 7 === 0 ? 'crossref = {Proc}' : 'booktitle = {Other}'
    return `@inproceedings{p${index},
  title = {Paper ${index}}, author = {Ox, Ada}, publisher = press,
  ${at}, abstract = {${filler(5_000)}},
  url = {https://press.example/${index}}
}`
  })
  return [
    '@string{press = {The } # house}@string{house = {Late}}@string{press = "A Press"}',
    ...papers,
    '@string{press = {Another Press}}',
    ...papers.slice(0, 20).map((text) => text.replace('{p', '{q')),
    '@proceedings{proc, title = {Proceedings}, year = 1999, crossref = {series}}',
    '@book{series, title = {All of Them}, author = {Ox, Ada}, url = {https://press.example/s}}',
  ].join('\n')
}

test('a long BibTeX file is read in parts as it is read whole', async (t) => {
  const text = bibtexOf(600)
  const whole = readBibtex(splitBibtex(text)).map((entry) => readEntryOf(entry, 'bibtex'))
  const { format, entries, groups } = await read(t, text)
  t.is(format, 'bibtex')
  t.true(groups > 2)
  t.is(entries.length, 622)
  t.deepEqual(entries, whole)
  t.like(sent(entries[7]?.bytes), { container_title: 'Proceedings', publisher_name: 'A Press' })
  t.like(sent(entries[605]?.bytes), { publisher_name: 'Another Press' })
  t.deepEqual((await read(t, gzipSync(text.replaceAll('\n', '\r\n')))).entries, whole)
})

test('a long RIS file is read in parts as it is read whole', async (t) => {
  const record = (index: number) =>
    `TY  - JOUR\nTI  - Paper ${index}\nAU  - Ox, Ada\nAB  - ${filler(5_000)}\nTY - no tag\n` +
    `UR  - https://press.example/${index}\nER  - \n`
  const text = Array.from({ length: 500 }, (_, index) => record(index)).join('\n')
  const { format, entries, groups } = await read(t, text)
  t.is(format, 'ris')
  t.true(groups > 2)
  t.deepEqual(
    entries,
    readRis(splitRis(text)).map((entry) => readEntryOf(entry, 'ris')),
  )
})

test('an entry without an end within 8 MiB is refused with its line', async (t) => {
  const text = `@misc{a, title = {A}}\n\n@misc{b, title = {${'b\n'.repeat(5_000_000)}}}\n`
  await t.throwsAsync(read(t, text), { message: /on line 3 is larger than 8 MiB/ })
})

test('a record a line is read, and a line that is none keeps no other back', async (t) => {
  const record = { type: 'article-journal', title: 'A', author: [{ family: 'Ox', given: 'Ada' }] }
  const lines = [
    JSON.stringify({ ...record, URL: 'https://press.example/a', shelf: 'Q' }),
    '{"broken":',
    '',
    JSON.stringify({ message: { ...record, title: ['B'], URL: 'https://press.example/b' } }),
    JSON.stringify({
      '@context': 'https://schema.org',
      '@type': 'ScholarlyArticle',
      name: 'C',
      author: { name: 'Ada Ox' },
      url: 'https://press.example/c',
      bitrate: 'none',
    }),
    `{"title":"${'x'.repeat(1_048_577)}"}`,
  ]
  const { format, entries: groups } = await read(
    t,
    Buffer.concat([
      Buffer.from(`${lines.join('\n')}\n{"title":"`),
      Buffer.from([0xff]),
      Buffer.from('"}\n'),
    ]),
  )
  t.is(format, 'json_lines')
  const entries = groups.flatMap(({ bytes, ...entry }) => {
    return bytes === undefined ? { ...entry, body: undefined } : readRecordLine(bytes, entry)
  })
  t.deepEqual(
    entries.map(({ line, key, body, faults }) => [
      line,
      key,
      body?.['work_title'] ?? faults[0]?.message,
    ]),
    [
      [1, 'record 1', 'A'],
      [2, 'record 2', 'The line is not one JSON value.'],
      [4, 'record 3', 'B'],
      [5, 'record 4', 'C'],
      [6, 'record 5', 'The line has more than 1048576 bytes.'],
      [7, 'record 6', 'The line is not text in UTF-8.'],
    ],
  )
  t.true(entries[0]?.notes.some(({ field, line }) => field === 'shelf' && line === 1))
  t.true(entries[3]?.notes.some(({ field, line }) => field === 'bitrate' && line === 5))
})

test('one value of JSON is told from values on lines of their own', async (t) => {
  const file = (await writeFolder(t, { works: '' }))('works')
  const formats: readonly (readonly [text: string, format: ImportFormat])[] = [
    ['{"title":"A"}\n', 'json'],
    ['[{"title":"A"}]\n', 'json'],
    ['{\n"title":"A"\n}\n', 'json'],
    ['{"title":"A"}\n{"title":"B"}\n', 'json_lines'],
    ['{"data":{"attributes":{}}}\n{"data":{"attributes":{}}}\n', 'json_lines'],
    ['{"work_title":"A"}\n{"work_title":"B"}\n', 'work_lines'],
    ['{"work_title":"A","titles":[{"title":"B"}]}\n{"work_title":"C"}\n', 'work_lines'],
    ['\n', 'work_lines'],
  ]
  for (const [text, format] of formats) {
    await writeFile(file, text)
    t.is(await fileFormat(file), format, text)
  }
})
