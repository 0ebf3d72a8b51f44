/**
 * What the tests find: `npm run planted` puts one small fault after the other into a copy of this
 * tree, runs the tests that must find it there, and fails if they pass; without any fault they must
 * pass. `npm run planted -- NAME` does so for the faults of these names. A fault is a text of the
 * sources that stands there once, and what stands in its place, in `faults.json`; where its file
 * has moved it is found by that text.
 */

import { spawnSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** A fault, and the tests that must find it, by their files. */
type Fault = {
  readonly what: string
  readonly file: string
  readonly find: string
  readonly replace: string
  readonly tests: readonly string[]
}

const root = path.join(import.meta.dirname, '..', '..')
const copied = ['log', 'actors', 'src', 'config', 'test', 'docs', 'package.json', 'ava.config.js']

const all = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'faults.json'), 'utf8'),
) as Readonly<Record<string, Fault>>

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => all[name] === undefined)
if (unknown.length > 0) throw new Error(`faults.json has no ${unknown.join(', ')}`)

const copy = mkdtempSync(path.join(os.tmpdir(), 'arklog-planted-'))

/** Links what is installed into the copy, with the packages of the copy itself in place of ours. */
function linkPackages(): void {
  const from = path.join(root, 'node_modules')
  const to = path.join(copy, 'node_modules')
  mkdirSync(path.join(to, '@arklog'), { recursive: true })
  for (const name of readdirSync(from)) {
    if (name !== '@arklog') symlinkSync(path.join(from, name), path.join(to, name))
  }
  for (const name of readdirSync(path.join(from, '@arklog'))) {
    const folder = path.relative(root, realpathSync(path.join(from, '@arklog', name)))
    symlinkSync(path.join(copy, folder), path.join(to, '@arklog', name))
  }
}

let missed = 0
try {
  for (const name of copied)
    cpSync(path.join(root, name), path.join(copy, name), { recursive: true })
  linkPackages()
  const names = wanted.length > 0 ? wanted : Object.keys(all)
  checkGreen(names)
  for (const name of names) {
    const verdict = tryFault(all[name] as Fault)
    if (verdict !== 'found') missed += 1
    process.stdout.write(`${verdict === 'found' ? '✔' : '✘'} ${name}: ${verdict}\n`)
  }
  process.stdout.write(`${names.length - missed} of ${names.length} faults were found\n`)
} finally {
  rmSync(copy, { recursive: true })
}
process.exitCode = missed === 0 ? 0 : 1

/** Throws unless the tests pass as long as no fault is planted: only then they have found one. */
function checkGreen(names: readonly string[]): void {
  const files = new Set(names.flatMap((name) => all[name]?.tests ?? []).flatMap(testFile))
  const verdict = runTests([...files].filter((file) => file !== undefined))
  if (verdict !== 'its tests pass') throw new Error('the tests fail where no fault is planted')
}

/** Plants a fault, runs its tests, and takes it out again; says what came of it. */
function tryFault({ file, find, replace, tests }: Fault): string {
  const places = placesOf(file, find)
  const [place] = places
  if (place === undefined) return `no file has its text once: ${find}`
  if (places.length > 1) return `several files have its text: ${places.join(', ')}`
  const files = tests.map(testFile)
  const lost = tests.filter((_test, index) => files[index] === undefined)
  if (lost.length > 0) return `there is no ${lost.join(', ')}`
  const target = path.join(copy, place)
  const whole = readFileSync(target, 'utf8')
  writeFileSync(
    target,
    whole.replace(find, () => replace),
  )
  try {
    return runTests(files as string[])
  } finally {
    writeFileSync(target, whole)
  }
}

/** Where a text stands once: in its file, or else in the files of the product that have it. */
function placesOf(file: string, find: string): string[] {
  if (hasOnce(file, find)) return [file]
  const files = globSync('{log,actors,src,config}/**/*.{ts,js}', { cwd: copy })
  return files.filter((other) => hasOnce(other, find))
}

function hasOnce(file: string, find: string): boolean {
  try {
    return readFileSync(path.join(copy, file), 'utf8').split(find).length === 2
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** A file of tests, also if it has moved: the only one of its name. */
function testFile(file: string): string | undefined {
  if (globSync(file, { cwd: copy }).length > 0) return file
  const found = globSync(`test/**/${path.basename(file)}`, { cwd: copy })
  return found.length === 1 ? found[0] : undefined
}

function runTests(files: readonly string[]): string {
  const ava = path.join('node_modules', '.bin', 'ava')
  const words = ['--concurrency', '1', ...files]
  const { status, stdout } = spawnSync(ava, words, { cwd: copy, encoding: 'utf8' })
  if (status === 0) return 'its tests pass'
  // A run that fails without a test is no finding.
  const isRed = /^ *✘ \[fail\]|uncaught exception|tests? failed/im.test(stdout)
  return isRed ? 'found' : `its tests do not run:\n${stdout.slice(-2_000)}`
}
