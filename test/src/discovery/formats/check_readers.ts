// Has programs of others read works of hard kinds in every format, and compares what they read
// with what the works say:
//   npm run check:formats -- [--works 500] [--folder FOLDER] [--write]
// Programs of PyPI, npm and Maven are installed into FOLDER, those of the system are used where
// they are; what is missing is left out, with a line. --write puts the table into docs/formats.md.

import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'

import {
  compareReadings,
  type Reading,
  readersOf,
  tableOf,
} from '#test/src/discovery/formats/_readings.ts'
import {
  apartReaders,
  mavenReaders,
  npmReaders,
  pythonReaders,
} from '#test/src/discovery/formats/_reader_list.ts'
import { hardWorks } from '#test/src/discovery/formats/_hard_works.ts'
import { servedFormats } from '#test/src/discovery/formats/_served_formats.ts'

const { values } = parseArgs({
  options: {
    works: { type: 'string', default: '500' },
    folder: { type: 'string', default: path.join(os.tmpdir(), 'arklog-readers') },
    write: { type: 'boolean', default: false },
  },
})
const { folder } = values
const foreign = path.join(import.meta.dirname, '../../../foreign')
const outputBytesMax = 1_073_741_824

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Installs the pinned readers that can be had; gives the interpreter of those of PyPI. */
function install(): string {
  const python = path.join(folder, 'venv/bin/python')
  if (!existsSync(python)) execFileSync('python3', ['-m', 'venv', path.join(folder, 'venv')])
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
  installOf('PyPI', python, [...pip, ...pythonReaders])
  for (const [name, wanted] of Object.entries(apartReaders)) {
    const target = path.join(folder, name)
    if (!existsSync(target)) installOf('PyPI', python, [...pip, '--target', target, wanted])
  }
  for (const [name, artifact] of Object.entries(mavenReaders)) {
    const options = [`-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`]
    const plain = '-Dmdep.stripVersion=true'
    if (existsSync(path.join(folder, name))) continue
    installOf('Maven', 'mvn', ['-q', 'dependency:copy', ...options, plain])
  }
  const npm = ['install', '--silent', '--no-audit', '--no-fund', '--prefix', folder]
  installOf('npm', 'npm', [...npm, ...npmReaders])
  return python
}

function installOf(registry: string, command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) print(`not all packages of ${registry} are installed`)
}

/** Runs a program that reads, while the registry goes on to answer. */
async function readings(
  command: string,
  args: readonly string[],
  env = process.env,
): Promise<readonly Reading[]> {
  const run = promisify(execFile)(command, args, { maxBuffer: outputBytesMax, env })
  const { stdout } = await run.catch((fault: unknown) => {
    print(`${args[0]} ended early: ${String(fault).slice(-2_000)}`)
    return fault as { stdout: string }
  })
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line) as Reading)
}

await mkdir(folder, { recursive: true })
const python = install()
const { texts, facts, close } = await servedFormats(hardWorks(Number(values.works)))
await writeFile(path.join(folder, 'works.json'), JSON.stringify(texts))
const program = path.join(foreign, 'format_readers.py')
const all = await Promise.all([
  readings(python, [program, folder]),
  ...Object.keys(apartReaders).map(async (name) => {
    const env = { ...process.env, PYTHONPATH: path.join(folder, name) }
    return readings(python, [program, folder, name], env)
  }),
  readings(process.execPath, [path.join(foreign, 'format_readers.mjs'), folder]),
])
await close()
const found = all.flat()
for (const { reader, missing } of found) {
  if (missing !== undefined) print(`left out: ${reader}, for ${missing}`)
}
const compared = compareReadings(found, facts)
const day = new Date().toISOString().slice(0, 10)
const table = tableOf(compared, day, texts.length)
print(table)
const wrong = compared.filter(({ wrong: some }) => some.length > 0)
for (const { reader, format, wrong: some } of wrong) {
  for (const line of some.slice(0, 3)) print(`wrong by us? ${reader}, ${format}: ${line}`)
}
print(`${compared.length} readings by ${readersOf(compared)} readers`)
process.exitCode = wrong.length === 0 ? 0 : 1
if (values.write) {
  const file = path.join(import.meta.dirname, '../../../../docs/formats.md')
  const [before = '', rest = ''] = (await readFile(file, 'utf8')).split('<!-- readers -->\n')
  const after = rest.split('<!-- end of readers -->')[1] ?? '\n'
  const marked = `<!-- readers -->\n${table}\n<!-- end of readers -->`
  await writeFile(file, `${before}${marked}${after}`)
}
process.exit()
