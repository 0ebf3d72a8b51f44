// Writes works in formats of citations, reads them again, and says what of each field comes back:
//   node test/src/discovery/citation_files/check_round_trips.ts FILE
// The file has a work a line, as JSON, and may be packed with gzip. Works with hard names and
// titles are added. It fails if a field is lost that the format can carry. JATS is read, but not
// written: nothing of it is here.

import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'

import { isSameName, splitAuthors } from '#actors/values/author_name.ts'
import { workTypes } from '#actors/values/work_type.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { checkNewWork } from '#actors/works/request_checks.ts'
import { readBibtex } from '#src/discovery/citation_files/bibtex_file.ts'
import { splitBibtex } from '#src/discovery/citation_files/bibtex_syntax.ts'
import type { ReadEntry } from '#src/discovery/citation_files/citation_file.ts'
import { readCsv } from '#src/discovery/citation_files/csv_file.ts'
import { parseJsonRecords, readJson } from '#src/discovery/citation_files/json_records.ts'
import { readLatex } from '#src/discovery/citation_files/latex.ts'
import { plainText } from '#src/discovery/citation_files/markup.ts'
import { readRis, splitRis } from '#src/discovery/citation_files/ris_file.ts'
import { readSchemaOrg, schemaOrgWorks } from '#src/discovery/citation_files/schema_org.ts'
import { XmlReader } from '#src/discovery/citation_files/xml_records.ts'
import { formatBiblatex, formatBibtex } from '#src/discovery/formats/bibtex.ts'
import { formatCslJson } from '#src/discovery/formats/csl_json.ts'
import { formatCsv } from '#src/discovery/formats/csv_row.ts'
import { formatDataciteJson, formatDataciteXml } from '#src/discovery/formats/datacite.ts'
import {
  containerOf,
  type DescribedWork,
  hasPages,
  keywordsOf,
} from '#src/discovery/formats/described_work.ts'
import { formatRis } from '#src/discovery/formats/ris.ts'
import { formatSchemaOrg } from '#src/discovery/formats/schema_org.ts'
import { unmarkedTitle } from '#src/discovery/formats/title_marks.ts'
import { hardWorks } from '#test/src/discovery/formats/_hard_works.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'
import { generateWorks } from '#test/vectors/_generated_works.ts'

// Works that are made up, and those of them with names and titles that readers get wrong.
const generatedCount = 5_000
const hardCount = 500
const seed = 39
const examplesMax = 5

type Field = keyof Metadata | 'orcid' | 'affiliation' | 'ror'

/** A format: how works are written and read in it, and what of them it has no room for. */
type RoundTrip = {
  readonly write: (work: DescribedWork) => string
  readonly read: (text: string) => ReadEntry | undefined
  /** Why a field can be lost, whatever it says. */
  readonly lost: Readonly<Partial<Record<Field, string>>>
  /** The name that the format has for a type. */
  readonly typeName: (type: Metadata['work_type']) => string
}

const inNoEntry = {
  related_identifiers: 'no field for it',
  funding: 'no field for it',
  content_hash: 'no field for it',
  orcid: 'no field for it',
  affiliation: 'no field for it',
  ror: 'no field for it',
  work_url: 'the address is that of the ARK',
} as const
const inNoCitation = { ...inNoEntry, license: 'no field for it' } as const

const wholeNames = 'one name alone is whole'
const readsJson = (text: string) => readJson(parseJsonRecords(text))[0]
const dataciteLost = {
  content_hash: 'no field for it',
  volume: 'a place in a container without a title',
  issue: 'a place in a container without a title',
  pages: 'a place in a container without a title',
} as const

const formats: Readonly<Record<string, RoundTrip>> = {
  BibTeX: {
    write: formatBibtex,
    read: (text) => readBibtex(splitBibtex(text))[0],
    lost: { ...inNoEntry, author_details: wholeNames },
    typeName: (type) => workTypes[type].bibtex,
  },
  BibLaTeX: {
    write: formatBiblatex,
    read: (text) => readBibtex(splitBibtex(text))[0],
    lost: { ...inNoEntry, author_details: wholeNames },
    typeName: (work_type) => {
      const least = { work_title: 'T', work_type, authors: 'Jane Roe' }
      return /^@\w+/.exec(formatBiblatex(describedWork(least)))?.[0] ?? ''
    },
  },
  RIS: {
    write: formatRis,
    read: (text) => readRis(splitRis(text))[0],
    lost: { ...inNoCitation, author_details: wholeNames, pages: 'SP alone of a whole is a length' },
    typeName: (type) => workTypes[type].ris,
  },
  'CSL-JSON': {
    write: formatCslJson,
    read: readsJson,
    lost: inNoCitation,
    typeName: (type) => workTypes[type].csl,
  },
  'DataCite JSON': {
    write: formatDataciteJson,
    read: readsJson,
    lost: dataciteLost,
    typeName: (type) => workTypes[type].datacite,
  },
  'DataCite XML': {
    write: formatDataciteXml,
    read: (text) => {
      const reader = new XmlReader()
      return [...reader.push(text), ...reader.end()][0]
    },
    lost: dataciteLost,
    typeName: (type) => workTypes[type].datacite,
  },
  CSV: {
    write: formatCsv,
    read: (text) => readCsv(text, 1, {}).entries[0],
    lost: {
      author_details: 'no column for the parts of names',
      affiliation: 'no column for it',
      ror: 'no column for it',
      related_identifiers: 'no column for it',
      funding: 'no column for it',
      content_hash: 'the column is that of the content as it was fetched',
    },
    typeName: (type) => type,
  },
  'JSON-LD': {
    write: formatSchemaOrg,
    read: (text) => readSchemaOrg(schemaOrgWorks(parseJsonRecords(text)))[0],
    lost: {
      content_hash: 'it is that of the content as it was fetched',
      related_identifiers: 'one property for several relations',
      volume: 'a number outside of volumes is a position',
      issue: 'a number outside of volumes is a position',
      pages: 'things of this type have no pages',
    },
    typeName: (type) => workTypes[type].schemaOrg,
  },
}

/** What became of a field: nothing, if it came back; else why, or undefined if we lost it. */
type Outcome = { readonly isCarried: boolean; readonly reason?: string | undefined }

const carried: Outcome = { isCarried: true }

function outcomeOf(
  field: Field,
  work: Metadata,
  read: Partial<Metadata>,
  format: RoundTrip,
): Outcome {
  if (isCarried(field, work, read)) return carried
  return { isCarried: false, reason: reasonOf(field, work, read, format) }
}

function isCarried(field: Field, work: Metadata, read: Partial<Metadata>): boolean {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all others are texts
  switch (field) {
    case 'authors':
      return sameNames(splitAuthors(work.authors), splitAuthors(read.authors ?? ''))
    case 'author_details':
      return (work.author_details ?? []).every(({ given, family, suffix }, index) => {
        const other = read.author_details?.[index]
        const isWhole = family === undefined || other?.family === family
        return isWhole && other?.given === given && other?.suffix === suffix
      })
    case 'orcid':
    case 'affiliation':
    case 'ror':
      return (work.author_details ?? []).every((author, index) => {
        const value: unknown = author[field]
        return value === undefined || value === read.author_details?.[index]?.[field]
      })
    case 'keywords':
      return (
        keywordsOf(work).join('\n') ===
        keywordsOf({ ...work, keywords: read.keywords ?? '' }).join('\n')
      )
    case 'related_identifiers':
    case 'funding':
      return listed(work[field]).every((each) => listed(read[field]).includes(each))
    default:
      return read[field] === work[field]
  }
}

function listed(values: readonly object[] | undefined): readonly string[] {
  return (values ?? []).map((each) => JSON.stringify(each, Object.keys(each).toSorted()))
}

/** Whether all related things are there, whatever they have to do with the work. */
function isNamedAlike(work: Metadata, read: Partial<Metadata>): boolean {
  const others = read.related_identifiers ?? []
  return (work.related_identifiers ?? []).every(({ scheme, identifier }) =>
    others.some((other) => other.scheme === scheme && other.identifier === identifier),
  )
}

function sameNames(names: readonly string[], others: readonly string[]): boolean {
  return (
    names.length === others.length &&
    names.every((name, index) => isOneName(name, others[index] ?? ''))
  )
}

// Names in Chinese, Japanese and Korean script are whole in one order, with a comma or without.
function isOneName(name: string, other: string): boolean {
  const words = (text: string) =>
    text
      .split(/[\s,]+/)
      .toSorted()
      .join(' ')
  return isSameName(name, other) || words(name) === words(other)
}

const spaced = (text: string) => text.replace(/\s+/g, ' ').trim()
const withLines = (text: string) => text.replace(/\r\n?/g, '\n').trim()
const plainDash = (text: string) =>
  spaced(text)
    .replace(/ ?[-‐-―−]+ ?/g, '-')
    .replace(/^pp\. */, '')

/** Why a format cannot carry what a field says; undefined if it can. */
function reasonOf(
  field: Field,
  work: Metadata,
  read: Partial<Metadata>,
  { lost, typeName }: RoundTrip,
): string | undefined {
  if (field === 'work_type') {
    const type = read.work_type ?? 'other'
    const isShared = typeName(type) === typeName(work.work_type)
    return isShared || isVague(typeName(work.work_type)) ? 'one name for several types' : undefined
  }
  // A name without a comma is whole in RIS, be it a person's or a group's.
  if (field === 'author_details' && lost.author_details === wholeNames) {
    const isWhole = work.author_details?.some(({ given }) => given === undefined)
    return isWhole ? lost.author_details : undefined
  }
  const was = work[field as keyof Metadata]
  const is = read[field as keyof Metadata]
  if (typeof was === 'string' && typeof is === 'string') {
    if (field === 'pages' && plainDash(was) === plainDash(is)) return 'the first page and the last'
    if (withLines(was) === withLines(is)) return 'line ends of other systems are ours'
    if (spaced(was) === spaced(is)) return 'spaces and lines in a row are one'
    const formulas = was.replace(/\$[^$]+\$/g, (formula) => readLatex(formula).text)
    const unmarked = [plainText(was), unmarkedTitle(was), readLatex(was).text, formulas].map(spaced)
    if (unmarked.includes(spaced(is))) return 'it has marks of this spelling'
  }
  const reason = lost[field]
  if (field === 'related_identifiers' && reason?.startsWith('one property') === true) {
    return isNamedAlike(work, read) ? reason : undefined
  }
  return isPlaced(reason, work) ? undefined : reason
}

// The types of RIS of which pages without an end are said to be left out.
const wholes: ReadonlySet<string> = new Set(['BOOK', 'THES', 'MANSCPT'])

/** Whether a work has what a reason says that it has not. */
function isPlaced(reason: string | undefined, work: Metadata): boolean {
  const described = describedWork(work)
  if (reason?.startsWith('a place in')) return work.container_title !== undefined
  if (reason?.endsWith('have no pages')) return hasPages(described)
  if (reason?.startsWith('SP alone')) return !wholes.has(workTypes[work.work_type].ris)
  if (!reason?.startsWith('a number outside')) return false
  return ['journal', 'book', 'proceedings'].includes(containerOf(described).kind)
}

// RIS has one name for a paper and for what holds it, CSL for a preprint and for a like article.
function isVague(name: string): boolean {
  return name === 'CONF' || name === 'article'
}

type Tally = { carried: number; lost: Map<string, number>; examples: string[]; ours: number }

const tallies = new Map<string, Map<Field, Tally>>()

function count(format: string, field: Field, outcome: Outcome, example: string): void {
  const fields = tallies.get(format) ?? new Map<Field, Tally>()
  tallies.set(format, fields)
  const tally: Tally = fields.get(field) ?? { carried: 0, lost: new Map(), examples: [], ours: 0 }
  fields.set(field, tally)
  const { reason } = outcome
  if (outcome.isCarried) tally.carried += 1
  else if (reason !== undefined) tally.lost.set(reason, (tally.lost.get(reason) ?? 0) + 1)
  else {
    tally.ours += 1
    if (tally.examples.length < examplesMax) tally.examples.push(example)
  }
}

function checkWork(work: Metadata): void {
  const described = describedWork(work)
  for (const [name, format] of Object.entries(formats)) {
    const body = format.read(format.write(described))?.body ?? {}
    const check = checkNewWork({ ...body, work_url: body['work_url'] ?? 'https://example.org/' })
    const read = check.type === 'ok' ? check.metadata : body
    for (const field of fieldsOf(work)) {
      const value = (source: Partial<Metadata>) => JSON.stringify(source[field as keyof Metadata])
      count(name, field, outcomeOf(field, work, read, format), `${value(work)} → ${value(read)}`)
    }
  }
}

/** The fields that a work has. */
function fieldsOf(work: Metadata): readonly Field[] {
  const details = work.author_details ?? []
  const ofAuthors = (['orcid', 'affiliation', 'ror'] as const).filter((field) => {
    return details.some((author) => author[field] !== undefined)
  })
  return [...(Object.keys(work) as Field[]), ...ofAuthors]
}

function* worksOf(lines: readonly unknown[]): Generator<Metadata> {
  for (const body of lines) {
    const check = checkNewWork(body)
    if (check.type === 'ok') yield check.metadata
  }
}

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('name a file of works, a JSON object a line')
const bytes = await readFile(file)
const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
const lines = (isPacked ? gunzipSync(bytes) : bytes).toString('utf8').split('\n')
const bodies = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown)
let worksCount = 0
for (const work of worksOf([
  ...bodies,
  ...generateWorks(seed, generatedCount - hardCount),
  ...hardWorks(hardCount),
])) {
  worksCount += 1
  checkWork(work)
}

let ours = 0
process.stdout.write(`${worksCount} works\n`)
for (const [format, fields] of tallies) {
  process.stdout.write(`\n${format.padEnd(22)} carried  by the format  by us\n`)
  for (const [field, tally] of fields) {
    const lost = [...tally.lost].map(([reason, times]) => `${times} ${reason}`).join('; ')
    const byFormat = [...tally.lost.values()].reduce((sum, times) => sum + times, 0)
    const figures = [tally.carried, byFormat, tally.ours].map((figure) =>
      String(figure).padStart(8),
    )
    process.stdout.write(`  ${field.padEnd(20)}${figures.join('  ')}  ${lost}\n`)
    for (const example of tally.examples) process.stdout.write(`      ${example.slice(0, 300)}\n`)
    ours += tally.ours
  }
}
process.stdout.write(`\n${ours} lost by us\n`)
process.exitCode = ours === 0 ? 0 : 1
