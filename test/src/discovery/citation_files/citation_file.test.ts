import test from 'ava'

import { readCitationFile } from '#src/discovery/citation_files/citation_file.ts'
import { messagesOf, readEntries } from '#test/src/discovery/citation_files/_read.ts'
import { checkNewWork } from '#actors/works/request_checks.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

const place = 'doi = {10.1234/x}'

test.serial('files that are no such files are refused with the reason', async (t) => {
  const refused: readonly (readonly [bytes: Buffer, type: string, message: RegExp])[] = [
    [Buffer.from('hello'), 'unknown_format', /no entry of BibTeX.*begins with "TY {2}- "/],
    [Buffer.alloc(0), 'unknown_format', /no entry of BibTeX/],
    [
      Buffer.from('PT\tAU\tTI\nJ\tRoe, J\tT\n'),
      'unknown_format',
      /table of Web of Science: export/,
    ],
    [Buffer.from('@misc{a, title={\xe9}}', 'latin1'), 'not_text', /not text in UTF-8/],
    [Buffer.alloc(8 * 1_048_576 + 1, 0x20), 'too_large', /more than 8 MiB/],
    [Buffer.from('@misc{a,}\n'.repeat(1_001)), 'too_many', /has 1001 entries: import 1000/],
    [Buffer.from('TY  - JOUR\nER  - \n'.repeat(1_001)), 'too_many', /has 1001 entries/],
  ]
  for (const [bytes, type, message] of refused) {
    const file = await readCitationFile(bytes)
    t.is(file.type, type as never)
    t.regex(file.type === 'read' ? '' : file.message, message)
  }
})

test.serial('a byte order mark and line ends of other systems do not matter', async (t) => {
  const entries = await readEntries(t, `\ufeff@misc{a, title={T},\r\n author={A B},\r${place}}\r\n`)
  t.deepEqual(
    entries.map(({ key, faults }) => [key, faults]),
    [['a', []]],
  )
})

const hostile: Readonly<Record<string, string>> = {
  'braces in braces': `@misc{a, title=${'{'.repeat(90_000)}${'}'.repeat(90_000)}}`,
  'names in braces': `@misc{a, author=${'{'.repeat(90_000)}${'}'.repeat(90_000)}}`,
  'many openings': '@a{b,'.repeat(200_000),
  'many accents': String.raw`@misc{a, title={${String.raw`\'`.repeat(90_000)}}}`,
  'doubled abbreviations':
    '@string{s0 = "aaaa"}\n' +
    Array.from({ length: 40 }, (_, at) => `@string{s${at + 1} = s${at} # s${at}}`).join('\n') +
    '\n@misc{a, title=s40}',
  'chained entries': Array.from(
    { length: 900 },
    (_, at) => `@book{k${at}, crossref={k${at + 1}}}`,
  ).join('\n'),
  'a long record': `TY  - JOUR\nTI  - ${'x\n'.repeat(300_000)}`,
}

test.serial('hostile files come back in time, with faults', async (t) => {
  for (const [name, text] of Object.entries(hostile)) {
    const file = await readCitationFile(Buffer.from(text))
    if (file.type !== 'read') continue
    t.true(
      file.entries.every(({ faults }) => faults.length > 0),
      name,
    )
  }
})

const company = 'Free Software Foundation, Inc.'
const doubtful: Readonly<Record<string, (doi: string, url: string) => string>> = {
  bibtex: (doi, url) =>
    `@article{a, title={T}, author={{${company}} and {Ann Alpha y Bob Beta}}, ` +
    `doi={${doi}}, url={${url}}}`,
  ris: (doi, url) =>
    `TY  - JOUR\nTI  - T\nAU  - ${company}\nAU  - Ann Alpha y Bob Beta\n` +
    `DO  - ${doi}\nUR  - ${url}\nER  - \n`,
  csl: (DOI, URL) =>
    JSON.stringify([
      {
        type: 'article-journal',
        title: 'T',
        author: [{ literal: company }, { family: 'Ann Alpha y Bob Beta' }],
        DOI,
        URL,
      },
    ]),
  'schema.org': (identifier, url) =>
    JSON.stringify({
      '@context': 'https://schema.org',
      '@type': 'ScholarlyArticle',
      name: 'T',
      author: [{ '@type': 'Organization', name: company }, { familyName: 'Ann Alpha y Bob Beta' }],
      identifier,
      url,
    }),
}

test.serial('short DOIs, and one name that may be two, are told of every format', async (t) => {
  for (const [format, write] of Object.entries(doubtful)) {
    const [entry] = await readEntries(t, write('10/abc123', 'https://doi.org/abc124'))
    t.is(entry?.body?.['existing_doi'], undefined, format)
    t.is(entry?.body?.['work_url'], 'https://doi.org/abc124', format)
    t.is(entry?.body?.['authors'], `${company}; Ann Alpha y Bob Beta`, format)
    const told = messagesOf(entry).join('\n')
    t.regex(told, /"10\/abc123" is left out: 10\/abc123 is a short DOI; give the DOI/, format)
    t.regex(told, /is kept as an address: 10\/abc124 is a short DOI; give the DOI/, format)
    t.regex(told, /“Ann Alpha y Bob Beta” is read as one author; put a semicolon/, format)
  }
})

test.serial('what a value may not mean is told of an entry', async (t) => {
  const license = 'https://www.gnu.org/licenses/gpl-3.0.en.html'
  const [entry] = await readEntries(
    t,
    `@article{a, title={T}, author={Ann Alpha}, doi={10.1000/a%20b}, license={${license}}, ` +
      `language={Ga}, ${place}}`,
  )
  t.is(entry?.body?.['license'], license)
  const told = messagesOf(entry).join('\n')
  t.regex(told, /is kept as an address, which GPL-3\.0-only and GPL-3\.0-or-later have/)
  t.regex(told, /has %20 in it, which is kept/)
  t.regex(told, /is read as the code of ga \(Irish\), not as the name of Ga \(gaa\)/)
})

test.serial('no name of a field reaches what all objects share', async (t) => {
  const entries = await readEntries(
    t,
    `@misc{a, __proto__+an = {x}, title={T}}
@misc{__proto__, title={T}}
@string{__proto__ = {x}}
@misc{b, title=constructor}
@misc{c, constructor+an:prototype={1="x"}, author={A B}, title={T}, ${place}}
@misc{d, author={A B}, title={T}, ${place}}`,
  )
  const faulty = entries.filter(({ faults }) => faults.length > 0).map(({ key }) => key)
  t.deepEqual(faulty, ['a', '__proto__', 'b'])
  t.is(entries.length, 5)
  t.deepEqual(entries.at(-1)?.faults, [])
  t.is(Reflect.get({}, 'default'), undefined)
})

test.serial('nothing is fetched', async (t) => {
  const { url: address, seen } = await serve(t, (_request, response) => {
    response.end('@misc{fetched, title={T}}')
  })
  await readEntries(t, `@online{a, title={${address}/a}, author={A B}, url={${address}/b}}`)
  await readEntries(t, `TY  - ELEC\nTI  - ${address}/c\nUR  - ${address}/d\nER  - \n`)
  await readCitationFile(Buffer.from(`${address}/e`))
  t.deepEqual(seen, [])
})

test.serial('many files at one time are read in turn, and some are asked to wait', async (t) => {
  const bytes = Buffer.from(`@misc{a, title={T}, author={A B}, ${place}}`)
  const files = await Promise.all(Array.from({ length: 12 }, () => readCitationFile(bytes)))
  const types = files.map(({ type }) => type)
  t.is(types.filter((type) => type === 'busy').length, 2)
  t.is(types.filter((type) => type === 'read').length, 10)
  t.is((await readCitationFile(bytes)).type, 'read')
})

test.serial('what has no fault is taken by the registry, and stays as it is', async (t) => {
  const [entry] = await readEntries(
    t,
    String.raw`@article{a, title={Th\'eorie}, author={{Institute, Inc.}}, ${place}}`,
  )
  const check = checkNewWork(entry?.body)
  t.is(check.type, 'ok')
  t.like(check, { metadata: { work_title: 'Théorie', authors: 'Institute, Inc.;' }, warnings: [] })
})
