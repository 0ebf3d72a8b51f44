// Clients that generators of others make of our OpenAPI document compile, and carry a work from its
// registration to its proof. A generator that is not installed is skipped, and says so.

import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import {
  copyPrograms,
  generatePython,
  generateTypeScript,
  hasTypeScriptGenerators,
  installedProgram,
  pythonGenerator,
  runProgram,
} from '#test/long/_generated_clients.ts'
import { newDataDir, runJson, startServer } from '#test/scenario/_process.ts'

/** Files of one model each that a client in Python has: a person looks through their names. */
const modelFilesMax = 284

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
  return { folder: await copyPrograms(server), args: [server.started.local_url, key, hash] }
}

const titleOfTypeScript =
  'clients by openapi-typescript and by hey-api compile, and do all they say'
if (hasTypeScriptGenerators) {
  test(titleOfTypeScript, async (t) => {
    const { folder, args } = await prepare(t)
    generateTypeScript(folder)
    const options = { cwd: folder, encoding: 'utf8' } as const
    const compiled = spawnSync(installedProgram('tsc'), ['-p', '.'], options)
    t.is(compiled.stdout, '')
    t.is(compiled.status, 0)
    for (const [file, title] of [
      ['openapi_fetch.mts', 'Made by openapi-fetch'],
      ['hey_api.mts', 'Made by hey-api'],
    ] as const) {
      const said = JSON.parse(runProgram(folder, process.execPath, [file, ...args])) as object
      t.deepEqual(said, { title, ...story })
    }
  })
} else {
  test.skip(`${titleOfTypeScript} (skipped: they are not installed)`, () => undefined)
}

const titleOfPython = 'a client by openapi-python-client does all it says, with few models'
if (pythonGenerator !== undefined) {
  test(titleOfPython, async (t) => {
    const { folder, args } = await prepare(t)
    const python = generatePython(folder, pythonGenerator ?? '')
    const models = readdirSync(path.join(folder, 'arklog_client/models'))
    t.true(models.length < modelFilesMax, String(models.length))
    t.deepEqual(
      models.filter((name) => /_type_\d|response|_body|\d\d\d/.test(name)),
      [],
      'every model has a name of its own',
    )
    const said = JSON.parse(runProgram(folder, python, ['python_client.py', ...args])) as object
    t.deepEqual(said, { title: 'Made by openapi-python-client', ...story })
  })
} else {
  test.skip(`${titleOfPython} (skipped: it is not installed)`, () => undefined)
}
