// Reads names of CSL as we do, and has two processors of CSL write them in their natural order:
//   npm run check:names -- [--python PROGRAM] [--generated N] [FILES…]
// One is citeproc-js, the other the citeproc-py of a Python. Files are CSL-JSON. Where one writes
// another name than we read, the table of verdicts says why ours is right. It fails if what that
// does not decide is more than 5 of 1,000 names.

import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'

import { readJson } from '#src/discovery/citation_files/json_records.ts'

type Name = Readonly<Record<string, unknown>>
type Item = { readonly id: string; readonly type: string; readonly author: readonly Name[] }

type Engine = {
  setOutputFormat(name: 'text'): void
  updateItems(ids: readonly string[]): void
  makeBibliography(): readonly [unknown, readonly string[]]
}
type Citeproc = {
  readonly Engine: new (
    system: { retrieveLocale: () => string; retrieveItem: (id: string) => Item },
    style: string,
  ) => Engine
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: 'string', default: 'python3' },
    generated: { type: 'string', default: '2000' },
  },
})
const shareMin = 0.995
const shownMax = 20

const terms = '<terms><term name="and">and</term><term name="et-al">et al.</term></terms>'
const namespace = 'xmlns="http://purl.org/net/xbiblio/csl" version="1.0"'
const locale = `<locale ${namespace} xml:lang="en-US">${terms}</locale>`
const names = '<names variable="author"><name form="long" delimiter="; "/></names>'
const layout = `<layout>${names}</layout>`
const style =
  `<style ${namespace} class="in-text" default-locale="en-US"><info><title>Names</title>` +
  '<id>names</id><updated>2026-01-01T00:00:00+00:00</updated></info>' +
  `<citation>${layout}</citation><bibliography>${layout}</bibliography></style>`

const families = [
  { family: 'Alpha' },
  { family: 'Beethoven', 'dropping-particle': 'van' },
  { family: 'Gogh', 'non-dropping-particle': 'van' },
  { family: 'Fontaine', 'dropping-particle': 'de', 'non-dropping-particle': 'La' },
  { family: 'Alembert', 'non-dropping-particle': 'd’' },
  { family: 'Hakim', 'non-dropping-particle': 'al-' },
  { family: 'García Márquez' },
  { family: 'von und zu Berg' },
  { family: 'O’Neill-Øre' },
  { family: '"van der Vlist"' },
  { family: 'Łukasiewicz' },
  { family: 'de la Cruz' },
]
const given = ['Ann', 'J. R. R.', 'Jean-Paul', 'Søren', 'Ludwig', 'M.', 'María José', 'É.']
const suffixes = [undefined, undefined, undefined, 'Jr.', 'III']
const others: readonly Name[] = [
  { literal: 'World Health Organization' },
  { literal: '山田太郎' },
  { family: '毛', given: '泽东' },
  { family: 'Plato' },
  { literal: 'Barnes & Noble, Inc.' },
]

/** Names with particles, suffixes and none in every combination; every ninth is a whole one. */
function generate(count: number): readonly Item[] {
  return Array.from({ length: count }, (_, at): Item => {
    const suffix = suffixes[Math.floor(at / 7) % suffixes.length]
    const person = {
      ...families[at % families.length],
      given: given[Math.floor(at / families.length) % given.length],
      ...(suffix !== undefined && { suffix }),
    }
    const name = at % 9 === 8 ? (others[Math.floor(at / 9) % others.length] ?? {}) : person
    return { id: `g${at}`, type: 'book', author: [name] }
  })
}

/** Each author of a file as an item of its own. */
function readItems(file: string): readonly Item[] {
  const records = JSON.parse(readFileSync(file, 'utf8')) as readonly Partial<Item>[]
  return records.flatMap(({ author = [] }, record) =>
    author.map((name, at) => ({
      id: `${path.basename(file)}-${record}-${at}`,
      type: 'book',
      author: [name],
    })),
  )
}

function ours({ id, type, author }: Item): string {
  const [entry] = readJson([{ id, type, title: 'T', author }], [1])
  const details = (entry?.body?.['author_details'] ?? []) as readonly { readonly name: string }[]
  return details.map(({ name }) => name).join('; ')
}

function citeprocJs(items: readonly Item[]): readonly string[] {
  const { Engine } = createRequire(import.meta.url)('citeproc') as Citeproc
  const byId = new Map(items.map((item) => [item.id, item]))
  const engine = new Engine(
    { retrieveLocale: () => locale, retrieveItem: (id) => byId.get(id) as Item },
    style,
  )
  engine.setOutputFormat('text')
  return items.map(({ id }) => {
    engine.updateItems([id])
    return engine.makeBibliography()[1].join('').trim()
  })
}

async function citeprocPy(items: readonly Item[]): Promise<readonly string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'names-'))
  const files = [path.join(folder, 'names.csl'), path.join(folder, 'items.json')] as const
  writeFileSync(files[0], style)
  writeFileSync(files[1], JSON.stringify(items))
  const program = path.resolve(import.meta.dirname, '../../../foreign/csl_names.py')
  const options = { encoding: 'utf8', maxBuffer: 1 << 28 } as const
  const { stdout } = await promisify(execFile)(values.python, [program, ...files], options)
  rmSync(folder, { recursive: true })
  return JSON.parse(stdout) as readonly string[]
}

type Said = { readonly name: Name; readonly ours: string; readonly theirs: string }
type Verdict = {
  readonly what: string
  readonly by: string
  readonly isOurs: (said: Said) => boolean
}

/** The letters and digits of a name, whatever the order of its words. */
function wordsOf(text: string): string {
  return Array.from(text.replace(/[^\p{L}\p{N}]/gu, ''))
    .toSorted()
    .join('')
}

const unspaced = (text: string) => text.replaceAll(' ', '')

/** Where one of them writes another name than we read, and why ours is right. */
const verdicts: readonly Verdict[] = [
  {
    what: 'a particle that ends with an apostrophe or a hyphen has a space behind it',
    by: 'It is d’Alembert and al-Hakim, as citeproc-js writes them.',
    isOurs: ({ ours: own, theirs }) =>
      / \p{Ll}+['’-]\p{Lu}/u.test(own) && unspaced(own) === unspaced(theirs),
  },
  {
    what: 'a comma stands before a suffix, or the suffix in the given name',
    by: 'A suffix has a field of its own; whether a comma is printed is said by comma-suffix.',
    isOurs: ({ ours: own, theirs }) => wordsOf(own) === wordsOf(theirs) && theirs.includes(','),
  },
  {
    what: 'marks of HTML are written as they stand, or dropped',
    by: 'CSL 1.0.2 has marks in texts: a name has the letters that Unicode has for them.',
    isOurs: ({ ours: own, theirs }) =>
      own.normalize('NFKC') === theirs.replace(/<\/?\w+>/g, '').normalize('NFKC'),
  },
  {
    what: 'a title and a particle behind the given names stand behind the family name',
    by: "They belong before it: François Hédelin, abbé d'Aubignac.",
    isOurs: ({ name, ours: own, theirs }) =>
      /, .*['’]$/.test(String(name['given'])) && wordsOf(own) === wordsOf(theirs),
  },
  {
    what: 'quotation marks around a family name are written',
    by: 'They keep processors from looking for particles: citeproc-js takes them off.',
    isOurs: ({ name, ours: own, theirs }) =>
      /^".*"$/.test(String(name['family'])) && own === theirs.replaceAll('"', ''),
  },
  {
    what: 'a Chinese name is written with its given name first, or without a space',
    by: 'CSL 1.0.2, "Name-part Order": Asian names have the family name first; a space parts ours.',
    isOurs: ({ name, ours: own }) =>
      /\p{Script=Han}/u.test(String(name['family'])) &&
      own === [name['family'], name['given']].join(' '),
  },
]

function folded(text: string): string {
  return text.normalize('NFC').replace(/[’‘ʼ]/g, "'").replace(/\s+/g, ' ').trim()
}

const items = [...generate(Number(values.generated)), ...positionals.flatMap(readItems)]
const written = { 'citeproc-js': citeprocJs(items), 'citeproc-py': await citeprocPy(items) }
const decided = new Map<Verdict, number>()
const open: string[] = []
const lines: string[] = []
for (const [processor, texts] of Object.entries(written)) {
  let [same, judged] = [0, 0]
  for (const [at, item] of items.entries()) {
    const [name = {}] = item.author
    const [own, theirs] = [folded(ours(item)), folded(texts[at] ?? '')]
    const verdict = verdicts.find(({ isOurs }) => isOurs({ name, ours: own, theirs }))
    if (own === theirs) same += 1
    else if (verdict === undefined)
      open.push(`${processor} ${item.id}: ours ${own}, theirs ${theirs}`)
    else {
      judged += 1
      decided.set(verdict, (decided.get(verdict) ?? 0) + 1)
    }
  }
  lines.push(`${processor}: ${same} of ${items.length} names, and ${judged} are judged ours`)
}
lines.push('\nwhere we are right and they are not:')
for (const [{ what, by }, count] of decided) lines.push(`${count} ${what}\n    ${by}`)
lines.push(`\nnot decided: ${open.length}`, ...open.slice(0, shownMax))
process.stdout.write(`${lines.join('\n')}\n`)
process.exitCode = open.length <= (1 - shareMin) * 2 * items.length ? 0 : 1
