// A search server that is down, slow or wrong. The number is that of the hostile case.

import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import net, { type AddressInfo } from 'node:net'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { freePort } from '#test/_free_port.ts'
import { until, untilGiven } from '#test/_until.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { mint, type ServedRegistry, serveRegistry } from '#test/src/_served_registry.ts'
import { startRecordingServer } from '#test/src/discovery/search/meilisearch/_recording_server.ts'

/** A registry whose searches go to a server, with what is needed to write and to search. */
async function open(t: ExecutionContext, settings: Readonly<Record<string, string>>) {
  const registry = await serveRegistry(settings)
  t.teardown(registry.close)
  registry.search.live.start()
  const writer = await registry.key({ scopes: ['works:write'] })
  const reader = await registry.key({ scopes: ['search:read'] })
  return { registry, writer, search: () => registry.call('/v1/search/works', { key: reader }) }
}

async function indexed({ search }: ServedRegistry): Promise<void> {
  const embedded = () => search.live.status().indexes.at(-1)
  await until('the embedded index knows all', () => embedded()?.behind === 0, { pauseMs: 5 })
}

test('49: works are registered and found while the search server is down', async (t) => {
  const SEARCH_URL = `http://127.0.0.1:${await freePort()}`
  const { registry, writer, search } = await open(t, { SEARCH_URL })
  const { ark_identifier } = await mint(registry, writer)
  await indexed(registry)
  const answer = await search()
  t.is(answer.status, 200, answer.body)
  t.like(answer.json(), { fallback: true, total: 1, results: [{ ark_identifier }] })
})

test('49: a search server that never answers costs seconds, and no answer', async (t) => {
  const slow = net.createServer()
  const sockets = new Set<net.Socket>()
  slow.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)))
  slow.listen(0, '127.0.0.1')
  await once(slow, 'listening')
  const { port } = slow.address() as AddressInfo
  const { registry, writer, search } = await open(t, { SEARCH_URL: `http://127.0.0.1:${port}` })
  t.teardown(() => {
    slow.close()
    for (const socket of sockets) socket.destroy()
  })
  const { ark_identifier } = await mint(registry, writer)
  await indexed(registry)
  t.like((await search()).json(), { fallback: true, results: [{ ark_identifier }] })
  t.true(sockets.size > 0)
})

test('49: what a search server makes up is not shown, and what it garbles not read', async (t) => {
  const { url, close, replies } = await startRecordingServer()
  t.teardown(close)
  const { registry, writer, search } = await open(t, { SEARCH_URL: url })
  const { ark_identifier } = await mint(registry, writer)
  await indexed(registry)
  const asked = 'POST /indexes/arklog_works/search'
  const hits = [
    { id: '12345_k2nothing99', seq: 7 },
    { id: '../../etc/passwd', seq: 8 },
  ]
  replies.set(asked, { status: 200, body: { hits, estimatedTotalHits: 2 } })
  // On a machine that is too busy for the server to answer in time, it is asked again.
  const madeUp = await untilGiven('the server answers in time', async () => {
    const answer = await search()
    t.is(answer.status, 200, answer.body)
    return answer.json()['fallback'] === false ? answer.json() : undefined
  })
  t.like(madeUp, { results: [] })
  replies.set(asked, { status: 200, body: 'no hits at all' })
  const garbled = await search()
  t.is(garbled.status, 200, garbled.body)
  t.like(garbled.json(), { fallback: true, results: [{ ark_identifier }] })
})

test('49: without an index search is 503, all else goes on, and it is made again', async (t) => {
  const DATA_DIR = await makeTempDir(t)
  const inTheWay = path.join(DATA_DIR, 'search')
  await writeFile(inTheWay, '')
  const { registry, writer, search } = await open(t, { DATA_DIR })
  const { ark_identifier } = await mint(registry, writer)
  const refused = await search()
  t.is(refused.status, 503, refused.body)
  const message = 'Search is not available now; everything else is'
  t.like(refused.json(), { error: 'unavailable', message })
  t.regex(String(refused.headers['retry-after']), /^\d+$/)
  await rm(inTheWay)
  await indexed(registry)
  t.like((await search()).json(), { total: 1, results: [{ ark_identifier }] })
})
