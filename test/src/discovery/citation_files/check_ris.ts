// Reads RIS as we do and as two others do, and prints how often they agree by field:
//   npm run check:ris -- [--python PROGRAM] [--generated N] [FILES…]
// Compared are the records that have an ID, in the fields of test/foreign/ris_readers.py. It fails
// if we say another thing in more than 5 of 1,000 fields of which both others say the same.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'

import { readRis, splitRis } from '#src/discovery/citation_files/ris_file.ts'

type Facts = Readonly<Record<string, string>>

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: 'string', default: 'python3' },
    generated: { type: 'string', default: '2000' },
  },
})
const shareMin = 0.995
const shownMax = 20
const program = path.resolve(import.meta.dirname, '../../../foreign/ris_readers.py')

async function theirs(reader: string, file: string): Promise<Readonly<Record<string, Facts>>> {
  const options = { encoding: 'utf8', maxBuffer: 1 << 28, timeout: 120_000 } as const
  const { stdout } = await promisify(execFile)(values.python, [program, reader, file], options)
  return JSON.parse(stdout) as Record<string, Facts>
}

function ours(text: string): ReadonlyMap<string, Facts> {
  const entries = splitRis(text).map((chunk): [string, Facts] => {
    const { body = {} } = readRis([chunk])[0] ?? {}
    const key = chunk.fields.find(({ name }) => name === 'ID')?.value ?? ''
    const details = (body['author_details'] ?? []) as readonly Facts[]
    const has = (name: string) => (typeof body[name] === 'string' ? body[name] : '')
    const facts = {
      title: has('work_title'),
      families: details.map(({ family, name = '' }) => family ?? name).join('; '),
      year: has('published_date').slice(0, 4),
      doi: has('existing_doi'),
      container: has('container_title'),
      volume: has('volume'),
      issue: has('issue'),
      pages: has('pages'),
      publisher: has('publisher_name'),
    }
    return [key, facts]
  })
  return new Map(entries)
}

const families = ['Alpha', 'van Beethoven', 'Gödel', 'de la Fontaine', "d'Alembert", 'Smith Jones']
const given = ['Ann', 'Jean-Paul', 'J. R. R.', 'Søren', 'É.', 'A.B.']
const titles = [
  'The DNA of Moss',
  'Théorie des nombres',
  'Of pages 1-3',
  '5% of all & more',
  '苔の研究',
]
const types = ['JOUR', 'CHAP', 'CPAPER', 'MGZN', 'JOUR', 'NEWS']
const dates = ['', '/02/03/', '///', '/12//', '/02/03/spring']

/** Records of types, names, dates and tags in many forms, each of its own. */
function generate(count: number): string {
  const pick = (list: readonly string[], at: number) => list[at % list.length] ?? ''
  return Array.from({ length: count }, (_, at) => {
    const tags = at % 2 === 0 ? ['TI', 'AU', 'PY'] : ['T1', 'A1', 'Y1']
    const [title = '', author = '', date = ''] = tags
    const suffix = at % 11 === 0 ? ', Jr.' : ''
    const type = pick(types, Math.floor(at / 2))
    const lines = [
      ['TY', type],
      [title, `${pick(titles, at)} ${at}`],
      [author, `${pick(families, at)}, ${pick(given, Math.floor(at / 3))}${suffix}`],
      [author, `${pick(families, Math.floor(at / 7))}, ${pick(given, at + 1)}`],
      [date, `${1900 + (at % 120)}${pick(dates, Math.floor(at / 5))}`],
      [type === 'JOUR' && at % 3 === 0 ? 'JF' : 'T2', `J. of ${pick(titles, at + 2)}`],
      ['VL', String(1 + (at % 40))],
      ['IS', String(1 + (at % 7))],
      ['SP', String(at + 1)],
      ...(at % 4 === 0 ? [] : [['EP', String(at + 1 + (at % 90))]]),
      ['PB', at % 5 === 0 ? 'Müller & Söhne' : 'A Press'],
      ['DO', `10.1000/g${at}`],
      ['ID', `g${at}`],
    ]
    const text = lines
      .map(([tag, value]) => `${tag}  - ${value}`)
      .join(at % 3 === 0 ? '\r\n' : '\n')
    return `${text}\nER  - \n`
  }).join('\n')
}

/** A value without what two readers write in two ways that say the same. */
function folded(field: string, text: string): string {
  const plain = text.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()
  // Some examples have a word or zeros for a year.
  if (field === 'year' && !/^\d*[1-9]/.test(plain)) return ''
  if (field === 'pages') return plain.replace(/[-\u2010-\u2015]+/g, '-').replace(/^(.+)-\1$/, '$1')
  return plain
}

const folder = mkdtempSync(path.join(tmpdir(), 'ris-'))
const generated = path.join(folder, 'generated.ris')
writeFileSync(generated, generate(Number(values.generated)))
let [same, of] = [0, 0]
const open: string[] = []
for (const file of [generated, ...positionals]) {
  const read = ours(await readFile(file, 'utf8'))
  const [one, other] = await Promise.all([theirs('rispy', file), theirs('bibutils', file)])
  for (const [key, facts] of read) {
    for (const [field, value] of Object.entries(facts)) {
      const said = [one, other].map((each) => folded(field, each[key]?.[field] ?? ''))
      if (said[0] === '' || said[0] !== said[1]) continue
      of += 1
      if (said[0] === folded(field, value)) same += 1
      else open.push(`${path.basename(file)} ${key} ${field}: ours ${value}, theirs ${said[0]}`)
    }
  }
}
rmSync(folder, { recursive: true })
const lines = open.slice(0, shownMax).join('\n')
process.stdout.write(`${same} of ${of} fields: ${(same / Math.max(1, of)).toFixed(4)}\n${lines}\n`)
process.exitCode = of > 0 && same >= shareMin * of ? 0 : 1
