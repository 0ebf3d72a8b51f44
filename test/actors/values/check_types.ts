// Reads the whole tables of licences and languages, and names of types in lists of other
// vocabularies, a name a line; says how many are read and what the others are told:
//   npm run check:types -- [--newest] [--all] [FILES…]
// --all prints every refusal and not the first of each table; --newest compares the packages that
// the tables are from with the newest that the registry of packages has, and says what changed.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

import { explainLanguage, foldLanguage, recognizeLanguage } from '#actors/values/language.ts'
import { explainLicense, readLicense } from '#actors/values/license.ts'
import { explainWorkType, foldWorkType } from '#actors/values/work_type.ts'

const { values, positionals } = parseArgs({
  options: {
    newest: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})

const shownRefusals = 5

type Read = (name: string) => unknown
type Explain = (name: string) => string

function check(table: string, names: readonly string[], read: Read, explain: Explain): void {
  const refused = names.filter((name) => read(name) === undefined)
  const told = refused.map((name) => explain(name).split('; ').slice(1).join('; '))
  const near = told.filter((sentence) => sentence !== '').length
  const counts = `${names.length - refused.length} of ${names.length} read`
  print(`${table}: ${counts}${refused.length > 0 ? `, ${near} refused with a nearest` : ''}`)
  for (const [index, name] of refused.entries()) {
    if (!values.all && index === shownRefusals) return print(`  and ${refused.length - index} more`)
    print(`  ${name}: ${told[index] ?? ''}`)
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

type Rows = readonly Readonly<Record<string, string>>[]
type Require = (name: string) => unknown

/** The lists of each package, as texts that can be compared. */
const lists: Readonly<Record<string, (load: Require) => readonly string[]>> = {
  'spdx-license-ids': (load) =>
    ['index', 'deprecated'].flatMap((file) => {
      const ids = load(`spdx-license-ids/${file}.json`) as readonly string[]
      return ids.map((id) => (file === 'deprecated' ? `${id} (deprecated)` : id))
    }),
  'spdx-license-list': (load) => {
    const listed = load('spdx-license-list/spdx.json') as Readonly<
      Record<string, { name: string; url?: string }>
    >
    return Object.entries(listed).map(([id, { name, url }]) => `${id}: ${name}, ${url}`)
  },
  'iso-639-1': (load) => {
    const table = load('iso-639-1') as { getAllCodes(): string[]; getName(code: string): string }
    return table.getAllCodes().map((code) => `${code}: ${table.getName(code)}`)
  },
  'iso-639-2': (load) => rowsOf(load('iso-639-2'), 'iso6392'),
  'iso-639-3': (load) => rowsOf(load('iso-639-3'), 'iso6393'),
  'language-subtag-registry': (load) =>
    ['region', 'script', 'variant', 'extlang'].flatMap((file) => {
      const table = load(`language-subtag-registry/data/json/${file}.json`) as object
      return Object.keys(table).map((tag) => `${file} ${tag}`)
    }),
}

function rowsOf(module: unknown, name: string): readonly string[] {
  const rows = (module as Readonly<Record<string, Rows>>)[name] ?? []
  return rows.map((row) => JSON.stringify(row))
}

/** Installs the newest of the packages aside, and compares their lists with ours. */
function compareNewest(): void {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'arklog-lists-'))
  const wanted = Object.keys(lists).map((name) => `${name}@latest`)
  const quiet = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts']
  execFileSync('npm', ['install', ...quiet, '--prefix', folder, ...wanted], { stdio: 'inherit' })
  const [ours, newest] = [import.meta.filename, path.join(folder, 'package.json')].map(
    createRequire,
  )
  for (const [name, listOf] of Object.entries(lists)) {
    const [was, is] = [ours, newest].map((load) => new Set(listOf(load as Require)))
    const added = [...(is ?? [])].filter((entry) => was?.has(entry) === false)
    const gone = [...(was ?? [])].filter((entry) => is?.has(entry) === false)
    print(`${name}: ${added.length} added, ${gone.length} gone in the newest`)
    for (const entry of added) print(`  + ${entry}`)
    for (const entry of gone) print(`  - ${entry}`)
  }
  rmSync(folder, { recursive: true })
}

const load: Require = createRequire(import.meta.filename)
const licences = load('spdx-license-list/spdx.json') as Readonly<
  Record<string, { name: string; url?: string }>
>
const ids = ['index', 'deprecated'].flatMap(
  (file) => load(`spdx-license-ids/${file}.json`) as readonly string[],
)
check('SPDX identifiers', ids, readLicense, explainLicense)
check(
  'SPDX names',
  Object.values(licences).map(({ name }) => name),
  readLicense,
  explainLicense,
)
const addresses = Object.values(licences).flatMap(({ url }) => url ?? [])
check('SPDX addresses', addresses, readLicense, explainLicense)
const languages = (load('iso-639-3') as { iso6393: Rows }).iso6393
const readLanguage: Read = (name) => foldLanguage(name) ?? recognizeLanguage(name)
const codesOf = (part: string) => languages.flatMap((row) => row[part] ?? [])
check('ISO 639-1 codes', codesOf('iso6391'), readLanguage, explainLanguage)
check('ISO 639-2/B codes', codesOf('iso6392B'), readLanguage, explainLanguage)
check('ISO 639-2/T codes', codesOf('iso6392T'), readLanguage, explainLanguage)
check('ISO 639-3 codes', codesOf('iso6393'), readLanguage, explainLanguage)
check('ISO 639-3 names', codesOf('name'), readLanguage, explainLanguage)
for (const file of positionals) {
  const names = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  check(path.basename(file), names, foldWorkType, explainWorkType)
}
if (values.newest) compareNewest()
