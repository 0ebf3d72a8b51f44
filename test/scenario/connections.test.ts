// Whatever connection a client has, it sees one registry: what was acknowledged over one holds on
// each, and all are counted together.

import test from 'ava'

import { freePort } from '#test/_free_port.ts'
import { type Connection, openConnections } from '#test/scenario/_connection.ts'
import {
  type Asserter,
  firstKey,
  newDataDir,
  newWork,
  runJson,
  type Server,
  type Settings,
  startServer,
} from '#test/scenario/_process.ts'
import type { Request } from '#test/scenario/_request.ts'
import { share } from '#test/scenario/_shared_server.ts'
import { until } from '#test/_until.ts'

const connectionsOpen = 24

type Opened = {
  readonly server: Server
  readonly settings: Settings
  readonly key: string
  readonly connections: readonly Connection[]
}

async function open(t: Asserter, more: Settings): Promise<Opened> {
  const dataDir = { DATA_DIR: await newDataDir(t) }
  const settings = { ...dataDir, LOG_LEVEL: 'warn', ...more }
  const server = await startServer(t, settings)
  const connections = openConnections(t, server, connectionsOpen)
  return { server, settings, key: firstKey(server), connections }
}

/** A registry that all tests but the first use, the last of which ends it. */
const shared = share(async (t) => {
  const adminPort = String(await freePort())
  return { adminPort, ...(await open(t, { RATE_LIMITS: 'off', ADMIN_PORT: adminPort })) }
})

type Minted = { readonly ark_identifier: string }

async function mint(connection: Connection, key: string, title: string): Promise<string> {
  const { status, body } = await connection.send('/v1/works', { key, body: newWork(title) })
  if (status !== 201) throw new Error(`a mint was answered with ${status}: ${body}`)
  return (JSON.parse(body) as Minted).ark_identifier
}

/** How often each status was answered. */
function tally(replies: readonly { readonly status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

test.serial('a limit lets through what it says, whatever the connection', async (t) => {
  const limits = { LIMIT_WORKS_READ: '10', LIMIT_PUBLIC_READ: '10', LIMIT_TOKEN: '10' }
  const { key, connections } = await open(t, limits)
  const [first] = connections
  if (first === undefined) return t.fail('there is a connection')
  const ark = await mint(first, key, 'Read often')
  // By key, by address, and by application and address.
  const asked: readonly (readonly [path: string, request: Request])[] = [
    [`/v1/works/${ark}`, { key }],
    ['/openapi.json', {}],
    ['/api/v1/oauth/token', { body: { grant_type: 'client_credentials', client_id: 'nobody' } }],
  ]
  for (const [path, request] of asked) {
    const sending = [...connections, ...connections].map((each) => each.send(path, request))
    const { 429: refused, ...others } = tally(await Promise.all(sending))
    t.is(refused, 2 * connectionsOpen - 10, path)
    t.deepEqual(Object.values(others), [10], path)
  }
})

test.serial('a write is seen on each connection once it is answered', async (t) => {
  const { key, connections } = shared()
  for (const [nth, connection] of connections.entries()) {
    const ark = await mint(connection, key, `Work ${nth}`)
    const resolved = await Promise.all(
      connections.map((other) => other.send(`/api/v1/resolve/${ark}`)),
    )
    t.deepEqual(tally(resolved), { 200: connectionsOpen })
    const change = { method: 'PUT', key, body: newWork(`Renamed ${nth}`) }
    t.is((await connection.send(`/v1/works/${ark}`, change)).status, 200)
    for (const other of connections) {
      const { body } = await other.send(`/api/v1/resolve/${ark}`)
      t.regex(body, new RegExp(`Renamed ${nth}"`))
    }
  }
})

test.serial('a key that is revoked is refused on each connection', async (t) => {
  const { settings, key, connections } = shared()
  const [first] = connections
  if (first === undefined) return t.fail('there is a connection')
  const path = `/v1/works/${await mint(first, key, 'Read by a key')}`
  const created = await runJson<{ id: string; key: string }>(
    t,
    ['key', 'create', '--owner', 'org:demo', '--scopes', 'works:read'],
    settings,
  )
  const read = { key: created.key }
  const before = await Promise.all(connections.map((each) => each.send(path, read)))
  t.deepEqual(tally(before), { 200: connectionsOpen })
  await runJson(t, ['key', 'revoke', created.id], settings)
  const after = await Promise.all(connections.map((each) => each.send(path, read)))
  t.deepEqual(tally(after), { 401: connectionsOpen })
})

test.serial('a named write that comes to all at once is one', async (t) => {
  const { key, connections } = shared()
  for (let round = 0; round < 5; round += 1) {
    const headers = { 'idempotency-key': `"round-${round}"` }
    const body = newWork(`Named ${round}`)
    const replies = await Promise.all(
      connections.map((each) => each.send('/v1/works', { key, headers, body })),
    )
    const arks = new Set(
      replies
        .filter(({ status }) => status === 201)
        .map((reply) => (JSON.parse(reply.body) as Minted).ark_identifier),
    )
    t.is(arks.size, 1)
    t.true(replies.every(({ status }) => status === 201 || status === 409))
  }
})

test.serial('the metrics count what came over all connections', async (t) => {
  const { adminPort, connections } = shared()
  const counted = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
    const line = /^arklog_http_request_duration_seconds_count\{.*route="\/healthz".*\} (\d+)$/m
    return Number(line.exec(metrics)?.[1] ?? 0)
  }
  for (let round = 1; round <= 3; round += 1) {
    await Promise.all(connections.map((connection) => connection.send('/healthz')))
    await until('all requests are counted', async () => {
      return (await counted()) === round * connectionsOpen
    })
  }
  t.is(await counted(), 3 * connectionsOpen)
})

test.serial('what was acknowledged before kill -9 or SIGTERM is kept', async (t) => {
  const { settings, key } = shared()
  let { server, connections } = shared()
  const arks: string[] = []
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const mintUntilGone = async (connection: Connection, nth: number) => {
      for (let count = 0; ; count += 1) {
        arks.push(await mint(connection, key, `${signal} ${nth} ${count}`))
      }
    }
    const enough = arks.length + 100
    const loads = connections.map((each, nth) => mintUntilGone(each, nth).catch(() => undefined))
    await until('works are minted', () => arks.length >= enough)
    const { code, stderr } = await server.end(signal)
    await Promise.all(loads)
    t.is(code, signal === 'SIGTERM' ? 0 : null, stderr)
    server = await startServer(t, settings)
    connections = openConnections(t, server, connectionsOpen)
    const found = connections.map(async (connection, nth) => {
      const own = arks.filter((_, index) => index % connectionsOpen === nth)
      return Promise.all(own.map((ark) => connection.send(`/api/v1/works/${ark}`)))
    })
    t.deepEqual(tally((await Promise.all(found)).flat()), { 200: arks.length })
  }
  t.is((await server.end('SIGTERM')).code, 0)
})
