// Has a program of somebody else read our DataCite JSON and write DataCite XML of it, and says what
// comes back of each field:
//   npm run check:foreign_round_trip -- PYTHON [--generated=1000]
// PYTHON is one that has PyPI's datacite, which knows DataCite 4.5: what is newer is left out
// before. The whole record of the tests goes there and back too. It fails where something is lost
// that neither DataCite's XML nor that program lacks, as `carried` says.

import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { parseArgs } from 'node:util'

import { checkNewWork } from '#actors/works/request_checks.ts'
import { checkEntry } from '#src/discovery/citation_files/citation_file.ts'
import { readJson } from '#src/discovery/citation_files/json_records.ts'
import { XmlReader } from '#src/discovery/citation_files/xml_records.ts'
import { formatDataciteJson } from '#src/discovery/formats/datacite.ts'
import { deposit } from '#test/src/discovery/formats/_json_schema.ts'
import { wholeMetadata } from '#test/src/discovery/formats/_whole_work.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'
import { generateFullWorks } from '#test/vectors/_generated_works.ts'

type Json = Readonly<Record<string, unknown>>

const seed = 45
const examplesMax = 2
const outputBytesMax = 1_073_741_824

const { values, positionals } = parseArgs({
  options: { generated: { type: 'string', default: '1000' } },
  allowPositionals: true,
})
const [python] = positionals
if (python === undefined) throw new Error('Name a Python that has datacite.')

const works = [wholeMetadata, ...generateFullWorks(seed, Number(values.generated))]
const records = works.flatMap((body) => {
  const check = checkNewWork(body)
  if (check.type === 'invalid') return []
  return [deposit(JSON.parse(formatDataciteJson(describedWork(check.metadata))) as Json)]
})

const program = path.join(import.meta.dirname, '../../../foreign/datacite_round_trip.py')
const input = records.map((record) => JSON.stringify(record)).join('\n')
const { stdout, stderr, status } = spawnSync(python, [program], {
  input,
  encoding: 'utf8',
  maxBuffer: outputBytesMax,
})
if (status !== 0) throw new Error(stderr)

let failed = 0
const lost = new Map<string, string[]>()
for (const [index, line] of stdout.trimEnd().split('\n').entries()) {
  const written = JSON.parse(line) as string | { readonly error: string }
  const record = records[index]
  if (typeof written !== 'string' || record === undefined) {
    failed += 1
    print(`not written: ${typeof written === 'string' ? line : written.error}`)
    continue
  }
  compare(carried(storedOf(readJson([record]))), carried(storedOf(readXml(written))))
}
for (const [field, examples] of lost) {
  print(`${field}: ${examples.length} of ${records.length} are not the same`)
  for (const example of examples.slice(0, examplesMax)) print(`  ${example}`)
}
print(`${records.length - failed} of ${records.length} went there and back`)
if (failed > 0 || lost.size > 0) process.exitCode = 1

function readXml(text: string) {
  const xml = new XmlReader()
  return [...xml.push(text), ...xml.end()]
}

function storedOf(entries: ReturnType<typeof readJson>): Json {
  const [entry] = entries.map((each) => checkEntry(each, 'json'))
  const check = checkNewWork(entry?.body)
  return check.type === 'ok' ? check.metadata : { faults: check.faults }
}

/** What can come back: without what the form, or the program, has no place for. */
function carried(work: Json): Json {
  // datacite 1.4.1 leaves out the language of a publisher, and the codes of subjects.
  const { publisher_language: _, chapter_number, subjects, keywords, ...more } = work
  const coded = itemsOf(subjects, ({ code: _code, ...subject }) => subject)
  const isWord = (subject: Json) => Object.keys(subject).join() === 'subject'
  const words = coded.filter(isWord).map(({ subject }) => subject)
  return {
    ...more,
    keywords: [keywords, ...words].filter(Boolean).join(', '),
    subjects: coded.filter((subject) => !isWord(subject)),
    // A related item has one number, whose kind stands at it,
    ...(work['article_number'] === undefined && { chapter_number }),
    // the address of an award stands at its number, and what is told of metadata at an identifier.
    funding: itemsOf(work['funding'], ({ award_uri, ...one }) => {
      return one['award'] === undefined ? one : { ...one, award_uri }
    }),
    related_items: itemsOf(work['related_items'], (item) => {
      const { metadata_scheme, scheme_uri, scheme_type, number_type, ...others } = item
      return {
        ...others,
        ...(item['number'] !== undefined && { number_type }),
        ...(item['identifier'] !== undefined && { metadata_scheme, scheme_uri, scheme_type }),
      }
    }),
  }
}

function itemsOf(list: unknown, change: (item: Json) => Json): readonly Json[] {
  return ((list ?? []) as readonly Json[]).map(change)
}

/** As XML has white space, and whatever the order of members. */
function spelled(value: unknown): string | undefined {
  return JSON.stringify(value, inOrder)?.replaceAll(/\\u2028|\s/g, ' ')
}

function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function compare(sent: Json, back: Json): void {
  for (const field of new Set([...Object.keys(sent), ...Object.keys(back)])) {
    const [before, after] = [spelled(sent[field]), spelled(back[field])]
    if (before === after) continue
    const examples = lost.get(field) ?? []
    examples.push(`${before?.slice(0, 600)} is ${after?.slice(0, 600)}`)
    lost.set(field, examples)
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
