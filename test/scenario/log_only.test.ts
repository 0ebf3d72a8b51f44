import { hash } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import { noteVerifier } from '#log/tlog/ed25519.ts'
import { leafHash } from '#log/tlog/hash.ts'
import { openNote } from '#log/tlog/note.ts'
import { assertMethods, sendTo } from '#test/src/edge/_addresses.ts'
import { newDataDir, runArklog, type Server, startServer } from '#test/scenario/_process.ts'

async function add(server: Server, entry: Uint8Array<ArrayBuffer> | string): Promise<Response> {
  return fetch(`${server.started.local_url}/log/add`, { method: 'POST', body: entry })
}

async function checkpointSize(server: Server): Promise<number> {
  const response = await fetch(`${server.started.local_url}/log/checkpoint`)
  return Number((await response.text()).split('\n')[1])
}

async function startLog(t: ExecutionContext, dataDir: string): Promise<Server> {
  return startServer(t, { DATA_DIR: dataDir }, ['--log-only'])
}

test.serial('a bare log takes entries, serves them, and keeps them', async (t) => {
  const dataDir = await newDataDir(t)
  const server = await startLog(t, dataDir)
  t.false('first_key' in server.started)
  t.is(server.started.origin, `${new URL(server.started.base_url).host}/log`)

  t.true(server.started.vkey.startsWith(`${server.started.origin}+`))
  const key = await fetch(`${server.started.local_url}/log/vkey`)
  t.is(await key.text(), `${server.started.vkey}\n`)

  const first = await add(server, 'an entry')
  t.is(first.status, 200)
  t.is(await first.text(), '0')
  const binary = new Uint8Array([0, 255, 10, 128])
  t.is(await (await add(server, binary)).text(), '1')
  const empty = await fetch(`${server.started.local_url}/log/add`, { method: 'POST' })
  t.is(await empty.text(), '2')
  t.is(await checkpointSize(server), 3)
  const checkpoint = await fetch(`${server.started.local_url}/log/checkpoint`)
  openNote(await checkpoint.text(), [noteVerifier(server.started.vkey)])

  const tile = await fetch(`${server.started.local_url}/log/tile/0/000.p/3`)
  const hashes = Buffer.from(await tile.arrayBuffer())
  const entries = [Buffer.from('an entry'), binary, new Uint8Array(0)]
  t.deepEqual(hashes, Buffer.concat(entries.map((entry) => leafHash(entry))))

  await server.end('SIGKILL')
  const again = await startLog(t, dataDir)
  t.is(await checkpointSize(again), 3)
  t.is(again.started.origin, server.started.origin)
  t.is(again.started.vkey, server.started.vkey)
})

test.serial('every address says which methods it takes, and has HEAD as it has GET', async (t) => {
  const server = await startLog(t, await newDataDir(t))
  t.is((await add(server, 'an entry')).status, 200)
  const send = sendTo(server.started.local_url)
  t.is(await assertMethods(t, send, '/log/add'), undefined)
  const reads = ['/log/checkpoint', '/log/vkey', '/log/tile/0/000.p/1']
  for (const url of reads) t.is(await assertMethods(t, send, url), 200, url)
})

test.serial('entries sent at once get consecutive indices', async (t) => {
  const server = await startLog(t, await newDataDir(t))
  const replies = await Promise.all(
    Array.from({ length: 300 }, (_, index) => add(server, hash('sha256', String(index)))),
  )
  const indices = await Promise.all(replies.map(async (reply) => Number(await reply.text())))
  t.deepEqual(
    indices.toSorted((a, b) => a - b),
    Array.from({ length: 300 }, (_, index) => index),
  )
  t.is(await checkpointSize(server), 300)
  t.is((await server.end('SIGTERM')).code, 0)
})

test.serial('an entry is at most 65,535 bytes, and there are no works', async (t) => {
  const server = await startLog(t, await newDataDir(t))
  t.is((await add(server, new Uint8Array(65_535))).status, 200)
  const refused = await add(server, new Uint8Array(65_536))
  t.is(refused.status, 413)
  t.is(((await refused.json()) as { error: string }).error, 'payload_too_large')
  t.is(await checkpointSize(server), 1)
  const works = await fetch(`${server.started.local_url}/v1/works`, { method: 'POST', body: '{}' })
  t.is(works.status, 404)
})

test.serial('a bare log and a registry do not start on each other’s data', async (t) => {
  const registryDir = await newDataDir(t)
  await (await startServer(t, { DATA_DIR: registryDir })).end('SIGTERM')
  const onRegistry = await runArklog(t, ['serve', '--log-only'], { DATA_DIR: registryDir })
  t.is(onRegistry.code, 1)
  t.regex(onRegistry.stderr, /^arklog: .* holds a registry\. Start it without --log-only/)

  const logDir = await newDataDir(t)
  await (await startLog(t, logDir)).end('SIGTERM')
  const onLog = await runArklog(t, ['serve'], { DATA_DIR: logDir })
  t.is(onLog.code, 1)
  t.regex(onLog.stderr, /^arklog: .* holds a bare log\. Start it with --log-only/)
})
