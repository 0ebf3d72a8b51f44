// What `npm pack` makes of the client works by itself: its types, and its code on Node.

import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'

import { serveRegistry } from '#test/src/_served_registry.ts'
import { readRecipes } from '#test/src/client/_recipes.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

const run = promisify(execFile)
const project = path.join(import.meta.dirname, '../../..')

type Packed = { readonly file: string; readonly files: readonly string[] }

const packFolder = await mkdtemp(path.join(os.tmpdir(), 'arklog-'))

/** The package, made once: its build has one folder, which two at a time would take apart. */
const packing = pack()

test.after.always(() => rm(packFolder, { recursive: true }))

async function pack(): Promise<Packed> {
  const options = { cwd: path.join(project, 'src/client') }
  const args = ['pack', '--json', '--pack-destination', packFolder]
  const { stdout } = await run('npm', args, options)
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as {
    readonly filename: string
    readonly files: readonly { readonly path: string }[]
  }[]
  return {
    file: path.join(packFolder, packed?.filename ?? ''),
    files: packed?.files.map((file) => file.path) ?? [],
  }
}

/** A folder in which the package is installed as it is packed. */
async function install(t: ExecutionContext) {
  const folder = await makeTempDir(t)
  const { file, files } = await packing
  await run('tar', ['-xzf', file, '-C', folder])
  const home = path.join(folder, 'node_modules/@arklog/client')
  await mkdir(path.dirname(home), { recursive: true })
  await cp(path.join(folder, 'package'), home, { recursive: true })
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}')
  return { folder, home, files }
}

/** The Nodes of this machine that the package is for: the project's own, and the system's. */
async function findNodes(): Promise<string[]> {
  const nodes = [process.execPath]
  for (const file of ['/usr/bin/node', '/usr/local/bin/node'].filter(existsSync)) {
    const { stdout } = await run(file, ['--version'])
    const [, major = 0, minor = 0] = /^v(\d+)\.(\d+)/.exec(stdout)?.map(Number) ?? []
    if (major > 20 || (major === 20 && minor >= 3)) nodes.push(file)
  }
  return nodes
}

const program = `
import { Arklog, VerificationError } from '@arklog/client'

const [baseUrl, key, keys] = process.argv.slice(2)
const work = {
  work_title: process.version,
  work_type: 'article',
  authors: 'Ada Ox',
  work_url: \`https://press.example/\${process.version}\`,
}
const created = await new Arklog({ baseUrl, key, keys }).works.create(work)
const others = JSON.parse(keys)
others.receipt_keys[0].public_key = 'a'.repeat(64)
const doubting = new Arklog({ baseUrl, keys: others })
const doubt = await doubting.receipts.get(created.ark_identifier, 1).catch((error) => error)
console.log(created.receipt.statement.ark === created.ark_identifier)
console.log(doubt instanceof VerificationError ? doubt.step : doubt)
`

test('the package has what it needs and nothing else, and works on every Node', async (t) => {
  const { folder, home, files } = await install(t)
  for (const file of files) {
    const shipped = /^(?:LICENSE|README\.md|package\.json|dist\/(?:verify\/)?\w+\.(?:js|d\.ts))$/
    t.regex(file, shipped)
  }
  for (const file of ['LICENSE', 'README.md', 'dist/arklog.js', 'dist/arklog.d.ts']) {
    t.true(files.includes(file), file)
  }
  for (const file of globSync('dist/**/*.{js,ts}', { cwd: home })) {
    const text = await readFile(path.join(home, file), 'utf8')
    for (const [, name = ''] of text.matchAll(/\bfrom '([^']+)'/g))
      t.regex(name, /^\.{1,2}\/(?:verify\/)?\w+\.js$/)
    // What verifies ML-DSA-44 is loaded when there is something to verify. The cryptography of
    // Node.js is asked for where there is one.
    const loads: Readonly<Record<string, RegExp>> = {
      'dist/verify/signed_note.js': /await import\('\.\/mldsa\.js'\)/g,
      'dist/verify/mldsa.js': /await import\('@noble\/post-quantum\/ml-dsa\.js'\)/g,
      'dist/verify/encoding.js': /process\?\.getBuiltinModule\?\.\('node:crypto'\)/g,
    }
    t.notRegex(text.replaceAll(loads[file] ?? /^(?!)/g, ''), /#src|node:|\bimport\(/)
  }
  const manifest = JSON.parse(await readFile(path.join(home, 'package.json'), 'utf8')) as object
  t.false('dependencies' in manifest)

  const registry = await serveRegistry()
  t.teardown(() => registry.close())
  const key = await registry.key({ scopes: ['works:write'] })
  const { body: keys } = await registry.call('/.well-known/svc-keys.json')
  await writeFile(path.join(folder, 'program.mjs'), program)
  for (const node of await findNodes()) {
    const args = ['program.mjs', `http://127.0.0.1:${registry.port}`, key, keys]
    const { stdout } = await run(node, args, { cwd: folder })
    // The keys that it trusts are none of this registry, and nothing leads on from them.
    t.is(stdout, 'true\nkeys\n', node)
  }
})

test('the recipes compile with the types of the package', async (t) => {
  const { folder } = await install(t)
  const { setup, recipes } = readRecipes()
  await writeFile(path.join(folder, 'arklog.ts'), setup)
  for (const recipe of recipes) {
    await writeFile(path.join(folder, `recipe_${recipe.number}.ts`), recipe.program)
  }
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    typeRoots: [path.join(project, 'node_modules/@types')],
    types: ['node'],
  }
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const compiler = path.join(project, 'node_modules/.bin/tsc')
  const compiled = await run(compiler, ['-p', folder]).catch((error: unknown) => error)
  t.is((compiled as { readonly stdout: string }).stdout, '')
})
