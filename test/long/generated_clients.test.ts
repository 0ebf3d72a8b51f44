// Clients that generators of others make of our OpenAPI document compile, and carry a work from its
// registration to its proof. A generator that is not installed is skipped, and says so.

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { newDataDir, runJson, startServer } from '#test/scenario/_process.ts'

const sourceDir = path.join(import.meta.dirname, '../foreign/generated_clients')
const installed = path.join(sourceDir, 'node_modules')

/** Files of one model each that a client in Python has: a person looks through their names. */
const modelFilesMax = 150

/** What a client says of the work that it has registered, changed and verified. */
const story = { version: 2, valid: true, refusal: 'not_found' }

const hash = `sha256:${'a'.repeat(64)}`

/** A folder with the stories and the document, beside a registry that runs. */
async function prepare(t: ExecutionContext) {
  const settings = { DATA_DIR: await newDataDir(t), RATE_LIMITS: 'off' }
  const server = await startServer(t, settings)
  const scopes = 'works:read,works:write,receipts:read,receipts:verify'
  const args = ['key', 'create', '--owner', 'org:demo', '--scopes', scopes]
  const { key } = await runJson<{ readonly key: string }>(t, args, settings)
  const { local_url: url } = server.started
  const folder = path.join(path.dirname(settings.DATA_DIR), 'clients')
  cpSync(sourceDir, folder, { recursive: true, filter: (name) => name !== installed })
  mkdirSync(path.join(folder, 'generated'))
  const document = await (await fetch(`${url}/openapi.json`)).text()
  writeFileSync(path.join(folder, 'openapi.json'), document)
  return { folder, args: [url, key, hash] }
}

function run(cwd: string, program: string, args: readonly string[]): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8' })
}

/** Where a program of the PATH is, links followed by name only. */
function find(program: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(':')
  return folders.map((folder) => path.join(folder, program)).find(existsSync)
}

const titleOfTypeScript =
  'clients by openapi-typescript and by hey-api compile, and do all they say'
if (existsSync(installed)) {
  test(titleOfTypeScript, async (t) => {
    const { folder, args } = await prepare(t)
    symlinkSync(installed, path.join(folder, 'node_modules'))
    const bin = (name: string) => path.join(installed, '.bin', name)
    run(folder, bin('openapi-typescript'), ['openapi.json', '-o', 'generated/openapi_fetch.ts'])
    run(folder, bin('openapi-ts'), [])
    const compiled = spawnSync(bin('tsc'), ['-p', '.'], { cwd: folder, encoding: 'utf8' })
    t.is(compiled.stdout, '')
    t.is(compiled.status, 0)
    for (const [file, title] of [
      ['openapi_fetch.mts', 'Made by openapi-fetch'],
      ['hey_api.mts', 'Made by hey-api'],
    ] as const) {
      const said = JSON.parse(run(folder, process.execPath, [file, ...args])) as object
      t.deepEqual(said, { title, ...story })
    }
  })
} else {
  test.skip(`${titleOfTypeScript} (skipped: they are not installed)`, () => undefined)
}

const titleOfPython = 'a client by openapi-python-client does all it says, with few models'
const generator = find('openapi-python-client')
if (generator !== undefined) {
  test(titleOfPython, async (t) => {
    const { folder, args } = await prepare(t)
    const options = ['--output-path', 'arklog_client', '--meta', 'none']
    run(folder, generator, ['generate', '--path', 'openapi.json', ...options])
    const models = readdirSync(path.join(folder, 'arklog_client/models'))
    t.true(models.length < modelFilesMax, String(models.length))
    t.deepEqual(
      models.filter((name) => /_type_\d|response|_body|\d\d\d/.test(name)),
      [],
      'every model has a name of its own',
    )
    const python = path.join(path.dirname(generator), 'python3')
    const said = JSON.parse(run(folder, python, ['python_client.py', ...args])) as object
    t.deepEqual(said, { title: 'Made by openapi-python-client', ...story })
  })
} else {
  test.skip(`${titleOfPython} (skipped: it is not installed)`, () => undefined)
}
