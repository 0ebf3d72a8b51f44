import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { openLevelStore } from '#log/store/level_store.ts'
import { freePort } from '#test/_free_port.ts'
import { until } from '#test/_until.ts'
import {
  call,
  type Ended,
  firstKey,
  newDataDir,
  newWork,
  runArklog,
  type Settings,
  spawnArklog,
  startServer,
} from '#test/scenario/_process.ts'

const run = promisify(execFile)

type Work = { readonly ark_identifier: string; readonly work_title: string }

test.serial('a first start prints a key, and a command that registers a work', async (t) => {
  const dataDir = await newDataDir(t)
  const server = await startServer(t, { DATA_DIR: dataDir })
  const { started } = server
  t.regex(started.first_key?.key ?? '', /^svc_live_[0-9A-Za-z]{48}$/)
  const hours = (Date.parse(started.first_key?.expires_at ?? '') - Date.now()) / 3_600_000
  t.true(hours > 23 && hours <= 24, String(hours))
  t.regex(started.warnings.join('\n'), /EXAMPLE NAAN, NOT FOR PRODUCTION/)

  const { stdout } = await run('sh', ['-c', started.first_curl ?? 'false'])
  const work = JSON.parse(stdout) as Work
  t.regex(work.ark_identifier, /^ark:\/12345\/k2[0-9a-z]{9}$/)
  t.is(work.work_title, 'Notes by the translator')

  // What was acknowledged is there after the hardest end, and after a gentle one.
  t.is((await server.end('SIGKILL')).signal, 'SIGKILL')
  const again = await startServer(t, { DATA_DIR: dataDir })
  t.is(again.started.first_key, null)
  t.is(again.started.first_curl, null)
  const read = await call<Work>(again, `/api/v1/works/${work.ark_identifier}`)
  t.is(read.status, 200)
  t.is(read.body.work_title, work.work_title)
  const ended = await again.end('SIGTERM')
  t.is(ended.code, 0, ended.stderr)
})

test.serial('the banner of a start at a terminal reads as text', async (t) => {
  const dataDir = await newDataDir(t)
  const settings = { DATA_DIR: dataDir, ARK_NAAN: '98765', FETCH_CONTENT: 'on' }
  const { stdout } = await readStart(t, settings)
  t.regex(stdout, /^Arklog is ready at http:\/\/127\.0\.0\.1:\d+\n/m)
  t.regex(stdout, /First key, for org:demo, valid until .*\n\n {2}svc_live_[0-9A-Za-z]{48}\n/)
  t.notRegex(stdout, /WARNING/)
})

test.serial('a start says what it does from its first moment on, and how far it is', async (t) => {
  const settings = { DATA_DIR: await newDataDir(t), EDGE_THREADS: '1' }
  const steps = (text: string) => [...text.matchAll(/starts: ([^"\n]*)/g)].map(([, step]) => step)
  const first = await readStart(t, settings)
  t.true(first.stdout.startsWith('Arklog starts: loading the program\n'), first.stdout)
  const expected = [
    'loading the program',
    `opening the data directory ${settings.DATA_DIR}`,
    'opening the store of accounts and keys',
    'opening the store of the live registry',
    'checking the log of the live registry',
    'opening the store of the sandbox registry',
    'checking the log of the sandbox registry',
    'checking the accounts',
    'loading the server',
    'starting 1 edge thread',
  ]
  t.deepEqual(steps(first.stdout), expected)
  t.deepEqual(steps(first.stderr), [])

  // Views of another schema are made anew.
  const store = await openLevelStore(path.join(settings.DATA_DIR, 'live'), { create: false })
  await store.commit([{ type: 'put', key: 'views', value: Buffer.from('{"schema":0}') }])
  await store.close()
  const json = await startServer(t, settings)
  const { stdout, stderr } = await json.end('SIGTERM')
  t.is(stdout.split('\n').length, 2, 'one line of JSON')
  for (const line of stderr.trim().split('\n')) t.is(JSON.parse(line).level, 30, line)
  const rebuilding = 'rebuilding the views of the live registry from its journal'
  t.deepEqual(steps(stderr), expected.toSpliced(5, 0, rebuilding, `${rebuilding}: 100 %, 1 of 1`))

  const quiet = await startServer(t, { ...settings, LOG_LEVEL: 'warn' })
  t.is((await quiet.end('SIGTERM')).stderr, '')
})

/** Starts a registry as at a terminal, and ends it once it is ready. */
async function readStart(t: ExecutionContext, settings: Settings): Promise<Ended> {
  const { child, end } = spawnArklog(t, ['serve'], settings)
  let told = ''
  child.stdout?.on('data', (chunk) => (told += chunk))
  await until('it is ready', () => told.includes('Arklog is ready'))
  const ended = await end('SIGTERM')
  t.is(ended.code, 0, ended.stderr)
  return ended
}

test.serial(
  'a taken port and a store in use are refused, and leave the first server be',
  async (t) => {
    const dataDir = await newDataDir(t)
    const first = await startServer(t, { DATA_DIR: dataDir })
    const port = new URL(first.started.local_url).port

    const onPort = await runArklog(t, ['serve'], { DATA_DIR: await newDataDir(t), PORT: port })
    t.is(onPort.code, 1)
    t.is(
      onPort.stderr,
      `arklog: Port ${port} of 127.0.0.1 is in use by another program, perhaps another Arklog. ` +
        'Stop it, or set PORT to a free port.\n',
    )

    const onStore = await runArklog(t, ['serve', '--json'], {
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
    })
    t.is(onStore.code, 1)
    const { error, message } = JSON.parse(onStore.stderr) as { error: string; message: string }
    t.is(error, 'data_dir_held')
    t.regex(
      message,
      /^Another process uses the data directory .* a data directory has one owner\.$/,
    )

    const minted = await call(first, '/v1/works', {
      key: firstKey(first),
      body: newWork('Still up'),
    })
    t.is(minted.status, 201)
    const keys = await runArklog(t, ['key', 'list', '--json'], { DATA_DIR: dataDir })
    t.is(keys.code, 0, 'the admin socket still belongs to the first server')
  },
)

test.serial('the port of the administrator tells metrics, and when all is ready', async (t) => {
  const [adminPort, port] = [await freePort(), await freePort()]
  const settings = { DATA_DIR: await newDataDir(t), PORT: `${port}`, ADMIN_PORT: `${adminPort}` }
  const { end } = spawnArklog(t, ['serve', '--json'], settings)
  await until('it says that it is ready', async () => {
    const reply = await fetch(`http://127.0.0.1:${adminPort}/readyz`).catch(() => undefined)
    return reply?.status === 200
  })
  const publicUrl = `http://127.0.0.1:${port}`
  t.is((await fetch(`${publicUrl}/readyz`)).status, 200)
  await fetch(`${publicUrl}/healthz`)
  const metrics = async () => (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
  t.regex(await metrics(), /^arklog_healthy\{environment="live"\} 1$/m)
  const counted = /^arklog_http_request_duration_seconds_count\{.*route="\/healthz".*\} 1$/m
  await until('the request is counted', async () => counted.test(await metrics()))
  t.is((await fetch(`${publicUrl}/metrics`)).status, 404)
  t.is((await end('SIGTERM')).code, 0)
})

test.serial('BASE_URL gives the log its origin at the first start and never again', async (t) => {
  const dataDir = await newDataDir(t)
  const insecure = { DATA_DIR: dataDir, BASE_URL: 'http://ark.example.org' }
  const refused = await runArklog(t, ['serve'], insecure)
  t.is(refused.code, 1)
  t.regex(refused.stderr, /BASE_URL is "http:\/\/ark\.example\.org", but must begin with https/)
  await t.throwsAsync(fs.stat(dataDir), { code: 'ENOENT' }, 'nothing was begun')

  const first = await startServer(t, { DATA_DIR: dataDir, BASE_URL: 'https://ark.example.org' })
  t.is(first.started.origin, 'ark.example.org/log')
  const checkpoint = await fetch(`${first.started.local_url}/sandbox/log/checkpoint`)
  t.regex(await checkpoint.text(), /^ark\.example\.org\/sandbox\/log\n0\n/)
  await first.end('SIGTERM')

  const moved = await startServer(t, { DATA_DIR: dataDir, BASE_URL: 'https://new.example.org/' })
  t.is(moved.started.origin, 'ark.example.org/log')
  t.is(moved.started.base_url, 'https://new.example.org')
  t.regex(
    moved.started.warnings.join('\n'),
    /keeps the origin of its first start, ark\.example\.org\/log, although .* https:\/\/new\./,
  )
})

test.serial('exposed, missing and lost files are refused with what to do', async (t) => {
  const dataDir = await newDataDir(t)
  const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'warn' }
  await (await startServer(t, settings)).end('SIGTERM')
  const refusal = async () => {
    const { code, stderr } = await runArklog(t, ['serve', '--json'], settings)
    t.is(code, 1)
    return JSON.parse(stderr) as { error: string; message: string }
  }

  const key = path.join(dataDir, 'keys', 'live-receipt.pem')
  await fs.chmod(key, 0o644)
  const exposed = await refusal()
  t.is(exposed.error, 'secret_exposed')
  t.true(exposed.message.includes(`run "chmod 600 ${key}"`), exposed.message)
  await fs.chmod(key, 0o600)

  await fs.rename(key, `${key}.away`)
  const missing = await refusal()
  t.is(missing.error, 'secret_missing')
  t.is(missing.message, `${key} is missing: restore it from a backup`)
  await fs.rename(`${key}.away`, key)

  const store = path.join(dataDir, 'live')
  await fs.rename(store, `${store}.away`)
  const lost = await refusal()
  t.is(lost.error, 'store_missing')
  t.regex(lost.message, /only a first start makes a new store/)
  await fs.rename(`${store}.away`, store)

  await fs.rm(path.join(dataDir, 'instance.json'))
  const orphaned = await refusal()
  t.is(orphaned.error, 'instance_missing')
  t.regex(orphaned.message, /holds live, sandbox, identity but no instance\.json/)
})
