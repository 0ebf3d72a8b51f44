// Reads files that other programs wrote, and says of each whether it is read right:
//   node test/src/discovery/citation_files/check_imports.ts DIR
// It fails if one is read wrongly, is not in the table below, or is not there.

import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

import {
  type CitationEntry,
  readCitationFile,
} from '#src/discovery/citation_files/citation_file.ts'

/** What is right for an entry: values, of which any of a list is right, and `-` for none. */
type RightEntry = {
  readonly [field: string]: string | readonly string[]
}

/** What is right for a file, by its entries; each must be read without a fault. */
type RightFile = {
  readonly entries: readonly RightEntry[]
  /** Places of entries, from 0, that must have a note that says so. */
  readonly told?: Readonly<Record<number, RegExp>>
  /** Places of entries that must be refused, and what for. */
  readonly refused?: Readonly<Record<number, RegExp>>
}

const dataset = { work_type: 'dataset' }

const right: Readonly<Record<string, RightFile>> = {
  '01-latex-in-doi-and-url.bib': {
    entries: [
      { existing_doi: '10.1000/a_b' },
      { work_url: 'http://example.org/a_b%20c' },
      { work_url: 'https://example.org/~user/x' },
      { existing_doi: '10.1000/s1097(199806)49:8<693::aid>3.0' },
    ],
  },
  '02-particles.bib': { entries: [{ authors: 'Tawfik al-Hakim' }] },
  '02-particles.json': {
    entries: [
      {
        authors: 'Ludwig van Beethoven; Tawfik al-Hakim',
        'author_details.0.family': ['van Beethoven', 'Beethoven'],
        'author_details.1.family': 'al-Hakim',
      },
    ],
  },
  '03-suffixes.bib': {
    entries: [{ 'author_details.0.family': 'Costa', 'author_details.0.suffix': ['Jr.', 'Jr'] }],
  },
  '04-accent-without-letter.bib': { entries: [{ work_title: 'Growth like 10^3' }] },
  '05-repeated-tags.ris': {
    entries: [{ existing_doi: '10.1000/two.1' }, { published_date: '2011' }],
    told: { 0: /DO/, 1: /PY/ },
  },
  '06-inbook-of-edited-book.bib': {
    entries: [
      {
        work_type: 'book_chapter',
        container_title: 'The Whole Book',
        published_date: '2004',
        publisher_name: 'Press',
      },
      { work_type: 'book' },
    ],
  },
  '07-containers.ris': {
    entries: [
      { work_type: 'conference_paper', container_title: '2019 Conference on X (CX)' },
      { work_type: 'conference_paper', container_title: 'Proceedings of X', issue: '3' },
    ],
  },
  '08-dates.csl.json': {
    entries: ['2013-05-03', '2013-05', '2009', '2009'].map((published_date) => {
      return { published_date }
    }),
  },
  '09-dates.ris': { entries: [{ published_date: '2016-10-19' }] },
  '09-months.bib': {
    entries: [
      { published_date: '2020-01-01' },
      { published_date: '2020-09' },
      { published_date: '2020-02' },
      { published_date: '-' },
    ],
    told: { 1: /./, 3: /./ },
  },
  '10-marks.crossref.json': {
    entries: [
      { work_title: 'Q&A: p < 0.05 in E. coli' },
      { work_title: 'Solitons in N-Coupled Equations' },
      { description: 'Less CO₂, if a < b & c.\nSecond part.' },
    ],
  },
  '11-licences.crossref.json': { entries: [{ license: 'CC-BY-NC-ND-4.0' }] },
  '11-licences.datacite.json': { entries: [{ license: 'CC-BY-4.0' }] },
  '12-created-is-no-publication.crossref.json': {
    entries: [{ published_date: '-' }],
    told: { 0: /created/ },
  },
  '13-types.crossref.json': { entries: [{ work_type: 'book' }, { work_type: 'book' }] },
  '13-types.datacite.json': { entries: [{ work_type: 'article' }] },
  '14-not-known.datacite.json': {
    entries: [{ publisher_name: '-' }, {}],
    refused: { 1: /author/ },
  },
  '15-date-ranges.datacite.json': { entries: [{ published_date: ['2020-05-06', '2020'] }] },
  '16-members-that-have-a-field.json': {
    entries: [
      {
        ...dataset,
        'author_details.0.ror': 'https://ror.org/05gq02987',
        'funding.0.funder': 'European Commission',
        'funding.0.award': '101019547',
        'related_identifiers.0.identifier': '10.1000/other',
        'related_identifiers.0.relation': 'IsSupplementTo',
      },
    ],
  },
  '17-lists-of-names.bib': {
    entries: [
      { authors: 'John Smith; Jane Doe; Richard Roe' },
      { authors: 'John Smith; Jane Doe' },
    ],
  },
  '17-lists-of-names.ris': { entries: [{ authors: 'World Health Organization; Ann Alpha' }] },
  '18-keys-with-parentheses.bib': { entries: [{ work_title: 'A key that is a DOI' }] },
  '19-macro-names.bib': { entries: [{ container_title: 'Nucl. Tech./Fusion' }] },
  '20-latex-spaces.bib': {
    entries: [
      {
        work_title: ['Runs of 5 % at 10 km', 'Runs of 5\u202f% at 10\u202fkm'],
        container_title: 'J. Math. Phys.',
        description: [String.raw`As \cite{foo} says.`, 'As says.'],
      },
    ],
    told: { 0: /cite/ },
  },
  '21-identifiers.bib': {
    entries: [
      { existing_doi: '10.1000/i1' },
      {
        existing_doi: '10.1000/i2',
        work_url: ['https://www.example.org/x', 'http://www.example.org/x', '-'],
      },
      { existing_doi: '10.1000.10/123456' },
    ],
  },
  '21-identifiers.datacite.json': {
    entries: [{ 'author_details.0.orcid': '0000-0002-1694-233X' }],
  },
  '21-identifiers.ris': {
    entries: [{ work_url: 'https://example.org/a' }, { existing_doi: '10.1000/i5' }],
    told: { 0: /UR/ },
  },
  '22-paragraphs.bib': {
    entries: [
      {
        description: [
          'First paragraph.\n\nSecond paragraph.',
          'First paragraph.\nSecond paragraph.',
        ],
      },
    ],
  },
  '23-bibtex-that-quotes-ris.bib': { entries: [{ work_title: 'On RIS' }] },
  '24-subscripts.bib': {
    entries: [{ work_title: ['Spaces ℓₚ of sequences', String.raw`Spaces $\ell_p$ of sequences`] }],
  },
  '25-commands-with-arguments.bib': {
    entries: [{ work_title: ['At 7 TeV in H2O', 'At 7 TeV in H₂O'] }],
  },
  '26-article-number.crossref.json': { entries: [{ pages: '064002' }] },
  '33-booktitle-of-a-book.bib': { entries: [{ container_title: '-' }] },
  '34-lone-dollar.bib': { entries: [{ description: 'It costs $5.' }] },
  '35-what-bibtex-warns-of.bib': {
    entries: [{ work_title: 'Title of w1' }, { work_title: 'Title of w2' }],
    told: { 0: /NOWHERE|address/, 1: /notHere|crossref/ },
  },
  '36-no-key.bib': { entries: [{ work_title: 'Without a key' }] },
}

/** What is wrong with the entries of a file; nothing if they are right. */
function differences(file: RightFile, entries: readonly CitationEntry[]): readonly string[] {
  const { told = {}, refused = {} } = file
  if (entries.length !== file.entries.length) return [`${entries.length} entries`]
  return entries.flatMap((entry, index) => {
    const place = `entry ${index + 1}`
    const faults = entry.faults.map(({ message }) => message).join(' ')
    const isRefused = refused[index]
    if (isRefused !== undefined) return isRefused.test(faults) ? [] : [`${place} is not refused`]
    if (faults !== '') return [`${place} is refused: ${faults}`]
    const notes = entry.notes.map(({ message }) => message).join(' ')
    const isTold = told[index]?.test(notes) ?? true
    return [
      ...(isTold ? [] : [`${place} has no note: ${notes}`]),
      ...wrongValues(file.entries[index] ?? {}, entry.body, place),
    ]
  })
}

function wrongValues(expected: RightEntry, body: CitationEntry['body'], place: string): string[] {
  return Object.entries(expected).flatMap(([field, values]) => {
    const found = valueAt(body, field.split('.')) ?? '-'
    const isRight = [values].flat().includes(found)
    return isRight ? [] : [`${place}, ${field}: ${JSON.stringify(found)}`]
  })
}

function valueAt(value: unknown, [name, ...rest]: readonly string[]): string | undefined {
  if (name === undefined) return typeof value === 'string' ? value : undefined
  const members = (value ?? {}) as Readonly<Record<string, unknown>>
  return valueAt(members[name], rest)
}

const [directory] = process.argv.slice(2)
if (directory === undefined) throw new Error('name the directory of the files')
const names = (await readdir(directory))
  .filter((name) => /\.(?:bib|ris|json)$/.test(name))
  .toSorted()
let wrong = 0
for (const name of new Set([...Object.keys(right), ...names])) {
  const expected = right[name]
  const found = names.includes(name)
    ? await differencesOf(path.join(directory, name), expected)
    : ['is not there']
  if (found.length > 0) wrong += 1
  process.stdout.write(`${name.padEnd(46)} ${found.length === 0 ? 'right' : 'WRONG'}\n`)
  for (const difference of found) process.stdout.write(`    ${difference}\n`)
}
process.stdout.write(`${names.length} files, ${wrong} of them wrong\n`)
process.exitCode = wrong === 0 ? 0 : 1

async function differencesOf(
  file: string,
  expected: RightFile | undefined,
): Promise<readonly string[]> {
  if (expected === undefined) return ['is not in the table']
  const read = await readCitationFile(await readFile(file))
  return read.type === 'read'
    ? differences(expected, read.entries)
    : [`${read.type}: ${read.message}`]
}
