// Reads BibTeX files as we do and as three others do, and prints how often they agree by field:
//   npm run check:bibtex -- [--python PROGRAM] [--generated N] FILES…
// Compared are the titles, family names, years and DOIs. pybtex and bibtexparser are asked by
// Python, pandoc by its command; one that is not there is left out with a line.

import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

import { readBibtex } from '#src/discovery/citation_files/bibtex_file.ts'
import { splitBibtex } from '#src/discovery/citation_files/bibtex_syntax.ts'

type Facts = Readonly<Record<string, string>>
type Reader = (file: string) => ReadonlyMap<string, Facts>

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: 'string', default: 'python3' },
    generated: { type: 'string', default: '1000' },
    show: { type: 'string', default: '20' },
  },
})

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
        'doi': f.get('doi', ''), 'families': '; '.join(t(name) for name in names)}
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
        'families': '; '.join(' '.join(p.von + p.last) for p in a) if isinstance(a, list) else ''}
print(json.dumps(out))`

function python(program: string): Reader {
  return (file) => factsOf(run(values.python, ['-c', program, file]))
}

function run(program: string, words: readonly string[]): string {
  const options = { encoding: 'utf8', maxBuffer: 1 << 28, timeout: 300_000 } as const
  return execFileSync(program, words, { ...options, stdio: ['ignore', 'pipe', 'ignore'] })
}

function factsOf(json: string): ReadonlyMap<string, Facts> {
  return new Map(Object.entries(JSON.parse(json) as Record<string, Facts>))
}

type CslItem = {
  readonly id: string
  readonly title?: string
  readonly DOI?: string
  readonly issued?: { readonly 'date-parts'?: readonly (readonly (number | string)[])[] }
  readonly author?: readonly Readonly<Record<string, string>>[]
}

const readers: Readonly<Record<string, Reader>> = {
  pybtex: python(pybtex),
  bibtexparser: python(bibtexparser),
  pandoc: (file) => {
    const items = JSON.parse(run('pandoc', ['-f', 'biblatex', '-t', 'csljson', file])) as CslItem[]
    return new Map(items.map((item) => [item.id, pandocFacts(item)]))
  },
}

function pandocFacts({ title = '', DOI = '', issued, author = [] }: CslItem): Facts {
  const families = author.map((name) => {
    const parts = [name['dropping-particle'], name['non-dropping-particle'], name['family']]
    return name['literal'] ?? parts.filter(Boolean).join(' ')
  })
  const year = String(issued?.['date-parts']?.[0]?.[0] ?? '')
  return {
    title: title.replace(/<\/?[a-z]+[^<>]*>/g, ''),
    doi: DOI,
    year,
    families: families.join('; '),
  }
}

function ours(text: string): ReadonlyMap<string, Facts> {
  const entries = readBibtex(splitBibtex(text)).map(({ key, body }): [string, Facts] => {
    const details = (body?.['author_details'] ?? []) as readonly Readonly<Record<string, string>>[]
    return [
      key,
      {
        title: String(body?.['work_title'] ?? ''),
        year: String(body?.['published_date'] ?? '').slice(0, 4),
        doi: String(body?.['existing_doi'] ?? ''),
        families: details.map(({ family, name = '' }) => family ?? name).join('; '),
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

const folder = mkdtempSync(path.join(tmpdir(), 'bibtex-'))
const generated = path.join(folder, 'generated.bib')
writeFileSync(generated, generate(Number(values.generated)))
const counts = new Map<string, { same: number; of: number }>()
const agreed = { same: 0, of: 0 }
const missing = new Set<string>()
const shown: string[] = []

function compare(file: string, own: ReadonlyMap<string, Facts>): void {
  const others = new Map<string, ReadonlyMap<string, Facts>>()
  for (const [name, read] of Object.entries(readers)) {
    try {
      others.set(name, read(file))
    } catch {
      missing.add(`${name} does not read ${path.basename(file)}, or is not there: left out`)
    }
  }
  for (const [key, facts] of own) {
    for (const field of ['title', 'year', 'doi', 'families']) {
      compareField(`${path.basename(file)} ${key} ${field}`, field, facts[field] ?? '', key, others)
    }
  }
}

function compareField(
  place: string,
  field: string,
  value: string,
  key: string,
  others: ReadonlyMap<string, ReadonlyMap<string, Facts>>,
): void {
  const theirs = [...others].flatMap(([name, facts]): [string, string][] => {
    const found = facts.get(key)?.[field]
    return found === undefined || found === '' ? [] : [[name, found]]
  })
  for (const [name, found] of theirs) {
    const count = counts.get(`${name} ${field}`) ?? { same: 0, of: 0 }
    counts.set(`${name} ${field}`, count)
    count.of += 1
    if (fold(found) === fold(value)) count.same += 1
  }
  const folded = new Set(theirs.map(([, found]) => fold(found)))
  if (theirs.length < 2 || folded.size > 1) return
  agreed.of += 1
  if (folded.has(fold(value))) agreed.same += 1
  else shown.push(`${place}\n    ours   ${value}\n    theirs ${theirs[0]?.[1]}`)
}

for (const file of [generated, ...positionals]) {
  const text = (await readFile(file, 'utf8')).replace(/\r\n?/g, '\n')
  compare(file, ours(text))
}
rmSync(folder, { recursive: true })
for (const line of missing) print(line)
for (const [name, { same, of }] of counts) print(`${name}: ${same} of ${of}`)
print(`where two or three of them agree: ${shareOf(agreed)}`)
for (const line of shown.slice(0, Number(values.show))) print(`  ${line}`)

function shareOf({ same: equal, of }: { readonly same: number; readonly of: number }): string {
  return `${equal} of ${of}, ${(equal / Math.max(1, of)).toFixed(4)}`
}
