// Reads BibTeX files as we do and as six others do, and prints how often they agree by field:
//   npm run check:bibtex -- [--python PROGRAM] [--modules FOLDER] [--generated N] [--entries N]
//     [--show N] FILES…
// Compared are so many entries from the beginning of each file, in the fields of
// test/foreign/bibtex_readers.py; the folder has what bibtex_readers.mjs names. A reader that
// cannot read a file within its time is left out there, with a line. Where all that say something
// of a field say the same, and we do not, the table of verdicts says who is right, and why; what it
// does not decide counts against us. It fails if that is more than 5 of 1,000 fields.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'

import { readBibtex } from '#src/discovery/citation_files/bibtex_file.ts'
import { type BibtexPart, splitBibtex } from '#src/discovery/citation_files/bibtex_syntax.ts'
import {
  type Disagreement,
  foldField,
  verdicts,
} from '#test/src/discovery/citation_files/bibtex_verdicts.ts'

type Facts = Readonly<Record<string, string>>
type Reader = (file: string) => Promise<ReadonlyMap<string, Facts>>

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: 'string', default: 'python3' },
    modules: { type: 'string', default: '.' },
    generated: { type: 'string', default: '2000' },
    entries: { type: 'string', default: '300' },
    show: { type: 'string', default: '20' },
  },
})
const readMsMax = 120_000
const shareMin = 0.995
const foreign = path.resolve(import.meta.dirname, '../../../foreign')

function run(program: string, words: readonly string[]): Reader {
  return async (file) => {
    const options = { encoding: 'utf8', maxBuffer: 1 << 28, timeout: readMsMax } as const
    const { stdout } = await promisify(execFile)(program, [...words, file], options)
    return new Map(Object.entries(JSON.parse(stdout) as Record<string, Facts>))
  }
}

const inPython = ['pybtex', 'bibtexparser', 'biber', 'pandoc'] as const
const inNode = ['better-bibtex', 'citation-js'] as const
const readers: Readonly<Record<string, Reader>> = Object.fromEntries([
  ...inPython.map((name) => {
    return [name, run(values.python, [path.join(foreign, 'bibtex_readers.py'), name])] as const
  }),
  ...inNode.map((name) => {
    const program = path.join(foreign, 'bibtex_readers.mjs')
    return [name, run(process.execPath, [program, values.modules, name])] as const
  }),
])
/** They put titles into lower case, but for what is in braces. */
const lowerCaseReaders: readonly string[] = ['pandoc', 'citation-js']

function ours(parts: readonly BibtexPart[]): ReadonlyMap<string, Facts> {
  const entries = readBibtex(parts).map(({ key, body = {} }): [string, Facts] => {
    const details = (body['author_details'] ?? []) as readonly Readonly<Record<string, string>>[]
    const has = (name: string) => (typeof body[name] === 'string' ? body[name] : '')
    const facts = {
      title: has('work_title'),
      year: has('published_date').slice(0, 4),
      doi: has('existing_doi'),
      families: details.map(({ family, name = '' }) => family ?? name).join('; '),
      given: details.map(({ given: name = '' }) => name).join('; '),
      container: has('container_title'),
      volume: has('volume'),
      // BibTeX has one `number`, of an issue or in a series.
      issue: has('issue') || has('series_number'),
      pages: has('pages'),
      publisher: has('publisher_name'),
    }
    return [key, facts]
  })
  return new Map(entries.toReversed())
}

const given = [
  'Ann',
  'Jean-Paul',
  String.raw`{\'E}tienne`,
  'J. R. R.',
  String.raw`S{\o}ren`,
  'Mary~Jane',
]
const family = [
  'Alpha',
  'van Beethoven',
  String.raw`G{\"o}del`,
  'de la Fontaine',
  String.raw`{\v C}apek`,
  "d'Alembert",
  'Smith Jones',
  'al-Hakim',
  String.raw`{\L}ukasiewicz`,
]
const titles = [
  'The {DNA} of Moss',
  String.raw`Th{\'e}orie des \emph{nombres}`,
  "Pages 1--3 of ``Moss''",
  String.raw`Tom \& Jerry: 5\% of all`,
  String.raw`Stra{\ss}e nach {\AA}lesund`,
  'A {B}rief History',
]

/** Entries of names and titles in many forms, each of its own. */
function generate(count: number): string {
  const pick = (list: readonly string[], at: number) => list[at % list.length] ?? ''
  return Array.from({ length: count }, (_, at) => {
    const one = `${pick(family, at)}, ${pick(given, Math.floor(at / 3))}`
    const other = `${pick(given, at + 1)} ${pick(family, Math.floor(at / 7))}`
    const suffixed = at % 11 === 0 ? ` and Costa, Jr., P. T.` : ''
    const title = `${pick(titles, at)} ${at}`
    const pages = `${at}--${at + (at % 90)}`
    const place = `journal={J. of ${pick(titles, at + 2)}}, volume=${at % 40}, pages={${pages}}`
    const said = `title={${title}}, year={${1900 + (at % 120)}}, doi={10.1000/g${at}}`
    const rest = `${said}, ${place}, number={${at % 7}}`
    return `@article{g${at}, author={${one} and ${other}${suffixed}}, ${rest}}`
  }).join('\n')
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** The beginning of a file, with so many parts as are compared. */
function beginningOf(text: string): string {
  const parts = splitBibtex(text)
  const { line } = parts[Number(values.entries)] ?? {}
  return line === undefined ? text : text.split('\n', line - 1).join('\n')
}

type Tally = { of: number; same: number; judged: number }

const folder = mkdtempSync(path.join(tmpdir(), 'bibtex-'))
const generated = path.join(folder, 'generated.bib')
writeFileSync(generated, generate(Number(values.generated)))
/** How often a reader says what we say, by reader and field. */
const counts = new Map<string, Tally>()
/** How often we say what all others say that say something, by field. */
const agreed = new Map<string, Tally>()
const decided = new Map<string, number>()
const open: string[] = []

async function readersOf(file: string): Promise<ReadonlyMap<string, ReadonlyMap<string, Facts>>> {
  const read = await Promise.all(
    Object.entries(readers).map(async ([name, reader]) => {
      const facts = await reader(file).catch(() => undefined)
      if (facts === undefined) print(`  ${name} does not read it, or is not there`)
      return [name, facts ?? new Map<string, Facts>()] as const
    }),
  )
  return new Map(read)
}

/** The fields of an entry in LaTeX, the first of each name. */
function sourcesOf(entry: BibtexPart | undefined): ReadonlyMap<string, string> {
  const fields = entry?.fields ?? []
  return new Map(fields.map(({ name, value }): [string, string] => [name, value]).toReversed())
}

async function compare(file: string): Promise<void> {
  const bytes = await readFile(file)
  const text = bytes.toString('utf8').replace(/\r\n?/g, '\n')
  const part = path.join(folder, 'part.bib')
  const beginning = file === generated ? text : beginningOf(text)
  writeFileSync(part, beginning)
  const parts = splitBibtex(beginning)
  const byKey = new Map(parts.map((each) => [each.key, each] as const).toReversed())
  const own = ours(parts)
  print(`${path.basename(file)}: ${own.size} entries`)
  const others = await readersOf(part)
  for (const [key, facts] of own) {
    const entry = byKey.get(key)
    const sources = sourcesOf(entry)
    const inherited = sourcesOf(byKey.get(sources.get('crossref') ?? ''))
    for (const [field, value] of Object.entries(facts)) {
      const said = [...others].flatMap(([reader, found]): [string, string][] => {
        const folded = foldField(field, found.get(key)?.[field] ?? '')
        return folded === '' ? [] : [[reader, folded]]
      })
      const type = entry?.type ?? ''
      const place = `${path.basename(file)} ${key} ${field}`
      compareField(place, said, { field, type, sources, inherited, ours: foldField(field, value) })
    }
  }
}

function compareField(
  place: string,
  said: readonly (readonly [reader: string, text: string])[],
  about: Omit<Disagreement, 'theirs'>,
): void {
  const { field, ours: own } = about
  for (const [reader, text] of said) {
    tallyOne(counts, `${reader} ${field}`, text.toLowerCase() === own.toLowerCase())
  }
  const texts = new Set(said.map(([, text]) => text.toLowerCase()))
  if (said.length < 2 || texts.size > 1) return
  const exact = said.find(([reader]) => !lowerCaseReaders.includes(reader))
  const [, theirs = ''] = exact ?? said[0] ?? []
  const isSame =
    theirs === own || (exact === undefined && theirs.toLowerCase() === own.toLowerCase())
  const tally = tallyOne(agreed, field, isSame)
  if (isSame) return
  const found = verdicts.find((verdict) => {
    return verdict.fields.includes(field) && verdict.isOurs({ ...about, theirs })
  })
  if (found === undefined) {
    open.push(`${place}\n    ours   ${own}\n    theirs ${theirs}`)
    return
  }
  tally.judged += 1
  decided.set(found.what, (decided.get(found.what) ?? 0) + 1)
}

function tallyOne(tallies: Map<string, Tally>, name: string, isSame: boolean): Tally {
  const tally = tallies.get(name) ?? { same: 0, of: 0, judged: 0 }
  tallies.set(name, tally)
  tally.of += 1
  if (isSame) tally.same += 1
  return tally
}

function shareOf({ same, judged, of }: Tally): string {
  const share = ((same + judged) / Math.max(1, of)).toFixed(4)
  return `${same} of ${of}${judged === 0 ? '' : `, and ${judged} are judged ours`}: ${share}`
}

for (const file of [generated, ...positionals]) await compare(file)
rmSync(folder, { recursive: true })
for (const [name, tally] of counts) print(`${name}: ${shareOf(tally)}`)
print('\nwhere all of them agree that say something:')
for (const [name, tally] of agreed) print(`${name}: ${shareOf(tally)}`)
const whole = { same: 0, of: 0, judged: 0 }
for (const { same, of, judged } of agreed.values()) {
  whole.same += same
  whole.of += of
  whole.judged += judged
}
print(`all: ${shareOf(whole)}`)
print('\nwhere we are right and they are not:')
for (const { what, by } of verdicts) print(`${decided.get(what) ?? 0} ${what}\n    ${by}`)
print('\nwhat is not decided:')
for (const line of open.slice(0, Number(values.show))) print(`  ${line}`)
process.exitCode = whole.same + whole.judged >= shareMin * whole.of ? 0 : 1
