// Reads BibTeX files as we do and as three others do, and prints how often they agree by field:
//   npm run check:bibtex -- [--python PROGRAM] [--generated N] [--entries N] FILES…
// Compared are titles, family names, years, DOIs, containers, volumes and pages, of so many entries
// from the beginning of each file. pybtex and bibtexparser are asked by Python, pandoc by its
// command; one that cannot read a file within its time is left out there, with a line. It fails if
// we differ in more than 5 of 1,000 fields of which two or three others say the same.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'

import { readBibtex } from '#src/discovery/citation_files/bibtex_file.ts'
import { splitBibtex } from '#src/discovery/citation_files/bibtex_syntax.ts'

type Facts = Readonly<Record<string, string>>
type Reader = (file: string) => Promise<ReadonlyMap<string, Facts>>

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: 'string', default: 'python3' },
    generated: { type: 'string', default: '1000' },
    entries: { type: 'string', default: '300' },
    show: { type: 'string', default: '20' },
  },
})
const readMsMax = 60_000
const shareMin = 0.995

const pybtex = `
import json, sys
from pybtex.database import parse_file
from pybtex.errors import set_strict_mode
set_strict_mode(False)
from pylatexenc.latex2text import LatexNodes2Text
text = LatexNodes2Text(keep_braced_groups=False).latex_to_text
def t(s):
    try: return text(s)
    except Exception: return s
out = {}
for key, e in parse_file(sys.argv[1], 'bibtex').entries.items():
    f = e.fields
    names = [' '.join(p.prelast_names + p.last_names) for p in e.persons.get('author', [])]
    out[key] = {'title': t(f.get('title', '')), 'year': f.get('year', '') or f.get('date', '')[:4],
        'doi': f.get('doi', ''), 'families': '; '.join(t(name) for name in names),
        'container': t(f.get('journal', '') or f.get('booktitle', '')),
        'volume': t(f.get('volume', '')), 'pages': t(f.get('pages', ''))}
print(json.dumps(out))`

const bibtexparser = `
import json, sys, bibtexparser
from bibtexparser import middlewares as m
lib = bibtexparser.parse_file(sys.argv[1], append_middleware=[m.LatexDecodingMiddleware(),
    m.SeparateCoAuthors(), m.SplitNameParts()])
out = {}
for e in lib.entries:
    f = {k.lower(): v.value for k, v in e.fields_dict.items()}
    a = f.get('author', [])
    year = str(f.get('year', '') or str(f.get('date', ''))[:4])
    out[e.key] = {'title': str(f.get('title', '')), 'year': year, 'doi': str(f.get('doi', '')),
        'container': str(f.get('journal', '') or f.get('booktitle', '')),
        'volume': str(f.get('volume', '')), 'pages': str(f.get('pages', '')),
        'families': '; '.join(' '.join(p.von + p.last) for p in a) if isinstance(a, list) else ''}
print(json.dumps(out))`

function python(program: string): Reader {
  return async (file) => factsOf(await run(values.python, ['-c', program, file]))
}

async function run(program: string, words: readonly string[]): Promise<string> {
  const options = { encoding: 'utf8', maxBuffer: 1 << 28, timeout: readMsMax } as const
  const { stdout } = await promisify(execFile)(program, words, options)
  return stdout
}

function factsOf(json: string): ReadonlyMap<string, Facts> {
  return new Map(Object.entries(JSON.parse(json) as Record<string, Facts>))
}

type CslItem = {
  readonly id: string
  readonly title?: string
  readonly 'container-title'?: string
  readonly volume?: string | number
  readonly page?: string
  readonly DOI?: string
  readonly issued?: { readonly 'date-parts'?: readonly (readonly (number | string)[])[] }
  readonly author?: readonly Readonly<Record<string, string>>[]
}

const readers: Readonly<Record<string, Reader>> = {
  pybtex: python(pybtex),
  bibtexparser: python(bibtexparser),
  pandoc: async (file) => {
    const json = await run('pandoc', ['-f', 'biblatex', '-t', 'csljson', file])
    return new Map((JSON.parse(json) as CslItem[]).map((item) => [item.id, pandocFacts(item)]))
  },
}

function pandocFacts(item: CslItem): Facts {
  const { title = '', DOI = '', issued, author = [] } = item
  const families = author.map((name) => {
    const parts = [name['dropping-particle'], name['non-dropping-particle'], name['family']]
    return name['literal'] ?? parts.filter(Boolean).join(' ')
  })
  return {
    title: withoutMarks(title),
    doi: DOI,
    year: String(issued?.['date-parts']?.[0]?.[0] ?? ''),
    families: families.join('; '),
    container: withoutMarks(item['container-title'] ?? ''),
    volume: String(item.volume ?? ''),
    pages: item.page ?? '',
  }
}

function withoutMarks(text: string): string {
  return text.replace(/<\/?[a-z]+[^<>]*>/g, '')
}

function ours(text: string): ReadonlyMap<string, Facts> {
  const entries = readBibtex(splitBibtex(text)).map(({ key, body = {} }): [string, Facts] => {
    const details = (body['author_details'] ?? []) as readonly Readonly<Record<string, string>>[]
    const has = (name: string) => (typeof body[name] === 'string' ? body[name] : '')
    return [
      key,
      {
        title: has('work_title'),
        year: has('published_date').slice(0, 4),
        doi: has('existing_doi'),
        families: details.map(({ family, name = '' }) => family ?? name).join('; '),
        container: has('container_title'),
        volume: has('volume'),
        pages: has('pages'),
      },
    ]
  })
  return new Map(entries.toReversed())
}

/** What two readers may write in two ways: case, spaces, marks, dashes and forms of letters. */
function fold(text: string): string {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[{}\\$]/g, '')
  return plain
    .replace(/[^\p{L}\p{N}; ]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
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
    const rest = `title={${title}}, year={${1900 + (at % 120)}}, doi={10.1000/g${at}}`
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

const folder = mkdtempSync(path.join(tmpdir(), 'bibtex-'))
const generated = path.join(folder, 'generated.bib')
writeFileSync(generated, generate(Number(values.generated)))
const counts = new Map<string, { same: number; of: number }>()
const agreed = new Map<string, { same: number; of: number }>()
const shown: string[] = []

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

async function compare(file: string): Promise<void> {
  const text = (await readFile(file, 'utf8')).replace(/\r\n?/g, '\n')
  const name = path.basename(file)
  const part = path.join(folder, 'part.bib')
  const beginning = file === generated ? text : beginningOf(text)
  writeFileSync(part, beginning)
  const own = ours(beginning)
  print(`${name}: ${own.size} entries`)
  const others = await readersOf(part)
  for (const [key, facts] of own) {
    for (const [field, value] of Object.entries(facts)) {
      const theirs = [...others].flatMap(([reader, found]): [string, string][] => {
        const said = found.get(key)?.[field] ?? ''
        return said === '' ? [] : [[reader, said]]
      })
      compareField(`${name} ${key} ${field}`, field, value, theirs)
    }
  }
}

function compareField(
  place: string,
  field: string,
  value: string,
  theirs: readonly (readonly [reader: string, said: string])[],
): void {
  for (const [reader, said] of theirs)
    tallyOne(counts, `${reader} ${field}`, fold(said), fold(value))
  const folded = new Set(theirs.map(([, said]) => fold(said)))
  if (theirs.length < 2 || folded.size > 1) return
  const [said = ''] = folded
  tallyOne(agreed, field, said, fold(value))
  if (said !== fold(value)) {
    shown.push(`${place}\n    ours   ${value}\n    theirs ${theirs[0]?.[1]}`)
  }
}

function tallyOne(
  tallies: Map<string, { same: number; of: number }>,
  name: string,
  said: string,
  own: string,
): void {
  const tally = tallies.get(name) ?? { same: 0, of: 0 }
  tallies.set(name, tally)
  tally.of += 1
  if (said === own) tally.same += 1
}

function shareOf({ same, of }: { readonly same: number; readonly of: number }): string {
  return `${same} of ${of}, ${(same / Math.max(1, of)).toFixed(4)}`
}

for (const file of [generated, ...positionals]) await compare(file)
rmSync(folder, { recursive: true })
for (const [name, tally] of counts) print(`${name}: ${shareOf(tally)}`)
print('\nwhere two or three of them agree:')
for (const [name, tally] of agreed) print(`${name}: ${shareOf(tally)}`)
const whole = [...agreed.values()].reduce(
  (sum, { same, of }) => ({ same: sum.same + same, of: sum.of + of }),
  { same: 0, of: 0 },
)
print(`all: ${shareOf(whole)}`)
for (const line of shown.slice(0, Number(values.show))) print(`  ${line}`)
process.exitCode = whole.same >= shareMin * whole.of ? 0 : 1
