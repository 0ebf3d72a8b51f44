// Writes works in formats of citations, reads them again, and says what of each field comes back:
//   npm run check:round_trips -- FILE [GENERATED] [FORMATS…]
// The file has a work a line, as JSON, and may be packed with gzip. So many generated works are
// added, a tenth of them with hard names and titles. Without names of formats, all are tried. With
// --write, docs/formats.md has the table. It
// fails if a field is lost that the format can carry.

import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
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
import { type DescribedWork, keywordsOf, pageRange } from '#src/discovery/formats/described_work.ts'
import { formatJats } from '#src/discovery/formats/jats.ts'
import { formatMods } from '#src/discovery/formats/mods.ts'
import { formatRis } from '#src/discovery/formats/ris.ts'
import { formatSchemaOrg } from '#src/discovery/formats/schema_org.ts'
import { unmarkedTitle } from '#src/discovery/formats/title_marks.ts'
import {
  type Field,
  type Losses,
  losses,
} from '#test/src/discovery/citation_files/_round_trip_losses.ts'
import { hardWorks } from '#test/src/discovery/formats/_hard_works.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'
import { generateWorks } from '#test/vectors/_generated_works.ts'

// Works that are made up, and those of them with names and titles that readers get wrong.
const generatedMax = 5_000
const seed = 39
const examplesMax = 5

/** A format: how works are written and read in it, and what of them it has no room for. */
type RoundTrip = {
  readonly write: (work: DescribedWork) => string
  readonly read: (text: string) => ReadEntry | undefined
  /** Why a field can be lost. */
  readonly lost: Losses
  /** The name that the format has for a type. */
  readonly typeName: (type: Metadata['work_type']) => string
}

function readXml(text: string): ReadEntry | undefined {
  const reader = new XmlReader()
  return [...reader.push(text), ...reader.end()][0]
}

const readsJson = (text: string) => readJson(parseJsonRecords(text))[0]
const formats: Readonly<Record<string, RoundTrip>> = {
  BibTeX: {
    write: formatBibtex,
    read: (text) => readBibtex(splitBibtex(text))[0],
    lost: losses.BibTeX,
    typeName: (type) => workTypes[type].bibtex,
  },
  BibLaTeX: {
    write: formatBiblatex,
    read: (text) => readBibtex(splitBibtex(text))[0],
    lost: losses.BibLaTeX,
    typeName: (work_type) => {
      const least = { work_title: 'T', work_type, authors: 'Jane Roe' }
      return /^@\w+/.exec(formatBiblatex(describedWork(least)))?.[0] ?? ''
    },
  },
  RIS: {
    write: formatRis,
    read: (text) => readRis(splitRis(text))[0],
    lost: losses.RIS,
    typeName: (type) => workTypes[type].ris,
  },
  'CSL-JSON': {
    write: formatCslJson,
    read: readsJson,
    lost: losses['CSL-JSON'],
    typeName: (type) => workTypes[type].csl,
  },
  'DataCite JSON': {
    write: formatDataciteJson,
    read: readsJson,
    lost: losses['DataCite JSON'],
    typeName: (type) => workTypes[type].datacite,
  },
  'DataCite XML': {
    write: formatDataciteXml,
    read: readXml,
    lost: losses['DataCite XML'],
    typeName: (type) => workTypes[type].datacite,
  },
  CSV: {
    write: formatCsv,
    read: (text) => readCsv(text, 1, {}).entries[0],
    lost: losses.CSV,
    typeName: (type) => type,
  },
  'JSON-LD': {
    write: formatSchemaOrg,
    read: (text) => readSchemaOrg(schemaOrgWorks(parseJsonRecords(text)))[0],
    lost: losses['JSON-LD'],
    typeName: (type) => workTypes[type].schemaOrg,
  },
  JATS: { write: formatJats, read: readXml, lost: losses.JATS, typeName: (type) => type },
  MODS: { write: formatMods, read: readXml, lost: losses.MODS, typeName: (type) => type },
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
    default:
      return covers(read[field], work[field])
  }
}

/** Whether a value says all that another one does: lists in any order, objects by their members. */
function covers(read: unknown, work: unknown): boolean {
  if (typeof work !== 'object' || work === null) return read === work
  if (typeof read !== 'object' || read === null) return false
  if (!Array.isArray(work)) {
    const members = new Map(Object.entries(read))
    return Object.entries(work).every(([name, member]) => covers(members.get(name), member))
  }
  return work.every((each) => Array.isArray(read) && read.some((other) => covers(other, each)))
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
  const was = work[field as keyof Metadata]
  const is = read[field as keyof Metadata]
  if (typeof was === 'string' && typeof is === 'string') {
    // `123-5` is 123 to 125.
    const [first, last] = [was, is].map((pages) => JSON.stringify(pageRange({ pages })))
    const isSame = plainDash(was) === plainDash(is) || first === last
    if (field === 'pages' && isSame) return 'the first page and the last'
    if (withLines(was) === withLines(is)) return 'line ends of other systems are ours'
    if (spaced(was) === spaced(is)) return 'spaces and lines in a row are one'
    const formulas = was.replace(/\$[^$]+\$/g, (formula) => readLatex(formula).text)
    const unmarked = [plainText(was), unmarkedTitle(was), readLatex(was).text, formulas].map(spaced)
    if (unmarked.includes(spaced(is))) return 'it has marks of this spelling'
  }
  const loss = lost[field]
  return loss?.of?.(work, read) === false ? undefined : loss?.why
}

// RIS has one name for a paper and for what holds it, CSL for a preprint and for a like article;
// both have one for what is on the web. DataCite's is a text beside its own.
function isVague(name: string): boolean {
  return ['CONF', 'article', 'ELEC', 'webpage', 'Text'].includes(name)
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
  for (const [name, format] of tried) {
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

const moss = { work_title: 'On moss', authors: 'Jane Roe', work_url: 'https://example.org/moss' }
// What formats have a field for in one form alone.
const detailedWorks = [
  { work_type: 'book', alternate_identifiers: [{ identifier: '2001.00001', type: 'arXiv' }] },
  { work_type: 'book', sizes: ['312 pages'] },
  { work_type: 'thesis', publisher_name: 'Moss School', degree: 'PhD' },
  { work_type: 'thesis', publisher_name: 'Moss School', institutions: [{ name: 'Fern School' }] },
  {
    work_type: 'report',
    files: [{ url: 'https://example.org/m.pdf', media_type: 'application/pdf' }],
  },
].map((details) => ({ ...moss, ...details }))

function* worksOf(lines: readonly unknown[]): Generator<Metadata> {
  for (const body of lines) {
    const check = checkNewWork(body)
    if (check.type === 'ok') yield check.metadata
  }
}

const isWritten = process.argv.includes('--write')
const given = process.argv.slice(2).filter((argument) => argument !== '--write')
const [file, generatedText, ...chosen] = given
const tried = Object.entries(formats).filter(
  ([name]) => chosen.length === 0 || chosen.includes(name),
)
if (file === undefined) throw new Error('name a file of works, a JSON object a line')
const bytes = await readFile(file)
const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
const lines = (isPacked ? gunzipSync(bytes) : bytes).toString('utf8').split('\n')
const bodies = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown)
const generatedCount = Number(generatedText ?? generatedMax)
const hardCount = Math.round(generatedCount / 10)
let worksCount = 0
for (const work of worksOf([
  ...bodies,
  ...generateWorks(seed, generatedCount - hardCount),
  ...hardWorks(hardCount),
  ...detailedWorks,
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
/** What becomes of each field in each format, and below it why. */
function tableOf(): string {
  const reasons: string[] = []
  const numberOf = (reason: string) => {
    if (!reasons.includes(reason)) reasons.push(reason)
    return reasons.indexOf(reason) + 1
  }
  const cellOf = (tally: Tally | undefined) => {
    if (tally === undefined) return ''
    const numbers = [...tally.lost.keys()].map(numberOf).toSorted((one, other) => one - other)
    const word = numbers.length === 0 ? 'carried' : tally.carried === 0 ? 'lost' : 'partly'
    return [word, numbers.join(', ')].filter(Boolean).join(' ')
  }
  const names = [...tallies.keys()]
  const fields = [...new Set([...tallies.values()].flatMap((each) => [...each.keys()]))]
  const rows = fields.toSorted().map((field) => {
    const cells = names.map((name) => cellOf(tallies.get(name)?.get(field)))
    return `| \`${field}\` | ${cells.join(' | ')} |`
  })
  return [
    `Of ${worksCount.toLocaleString('en')} works, ${ours} fields are lost by us.`,
    '',
    `| field | ${names.join(' | ')} |`,
    `|---${'|---'.repeat(names.length)}|`,
    ...rows,
    '',
    ...reasons.map((reason, index) => `${index + 1}. ${reason}`),
  ].join('\n')
}

if (isWritten) {
  const docs = path.join(import.meta.dirname, '../../../../docs/formats.md')
  const text = await readFile(docs, 'utf8')
  const [start, end] = ['<!-- round trips -->', '<!-- end of round trips -->']
  const [before = ''] = text.split(start)
  const after = text.split(end)[1] ?? '\n'
  await writeFile(docs, `${before}${start}\n${tableOf()}\n${end}${after}`)
}
process.stdout.write(`\n${ours} lost by us\n`)
process.exitCode = ours === 0 ? 0 : 1
