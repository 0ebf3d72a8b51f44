// A server that says what a Meilisearch says when all goes well, and writes down what it is asked.
// It searches nothing: what a real one makes of our requests is for the contract to show.

import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

import { ServerEngine } from '#src/discovery/search/meilisearch/server_engine.ts'
import type { EngineQuery, SearchPlace } from '#src/discovery/search/search_engine.ts'
import { batchOf, documentOf, put, queryOf } from '#test/contracts/search_engine.ts'

/** A request as it came; `body` is undefined without one. */
export type Recorded = {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly authorization: string | undefined
  readonly body: unknown
}

/** A reply that stands in for the usual one. */
export type Canned = { readonly status: number; readonly body: unknown }

export type RecordingServer = {
  readonly url: string
  readonly requests: Recorded[]
  /** Replies by method and path, in place of the usual ones; some are made of the request. */
  readonly replies: Map<string, Canned | ((recorded: Recorded) => Canned)>
  close(): Promise<void>
}

/** Starts one on a free port of the loopback. */
export async function startRecordingServer(): Promise<RecordingServer> {
  const requests: Recorded[] = []
  const replies: RecordingServer['replies'] = new Map()
  const server = http.createServer((request, response) => {
    void record(request).then((recorded) => {
      requests.push(recorded)
      const own = replies.get(`${recorded.method} ${recorded.path}`) ?? usual
      const { status, body } = typeof own === 'function' ? own(recorded) : own
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    replies,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function record(request: http.IncomingMessage): Promise<Recorded> {
  const url = new URL(request.url ?? '/', 'http://x')
  const hasBody = request.headers['content-type'] !== undefined && request.method !== 'GET'
  const text = hasBody ? await json(request).catch(() => undefined) : undefined
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    authorization: request.headers.authorization,
    body: text,
  }
}

function usual({ method, path }: Recorded): Canned {
  if (path === '/version') return ok({ pkgVersion: '1.53.0', commitSha: '', commitDate: '' })
  if (path.endsWith('/documents/state')) return notFound
  if (path.endsWith('/search')) return ok({ hits: [], estimatedTotalHits: 0 })
  if (method === 'GET') return ok({ uid: 0, status: 'succeeded', type: '', error: null })
  const body = { taskUid: 1, indexUid: null, status: 'enqueued', type: '', enqueuedAt: '' }
  return { status: 202, body }
}

function ok(body: unknown): Canned {
  return { status: 200, body }
}

const notFound: Canned = {
  status: 404,
  body: { message: 'Index not found.', code: 'index_not_found', type: 'invalid_request', link: '' },
}

const filters: EngineQuery['filters'] = [
  { type: 'any_of', field: 'type', values: ['article', 'a "b" \\'] },
  { type: 'range', field: 'year', from: 2019, to: 2021 },
  { type: 'words', field: 'authors', text: 'Ada Lovelace' },
]

const place: SearchPlace = {
  engine: 'meilisearch',
  sort: 'title',
  ranked: [],
  last: { value: 'alpha', seq: 7 },
  total: 9,
  isExact: true,
  meant: [],
  beginnings: [],
}

/** Every kind of request that the engine makes, as a server receives it. */
export async function recordRequests(): Promise<readonly Recorded[]> {
  const server = await startRecordingServer()
  const journal = 'registry.example/log'
  const engine = new ServerEngine({ url: server.url, key: 'secret', prefix: 'arklog_', journal })
  await engine.open()
  await put(engine, batchOf([documentOf(3, { year: 2020 })], 9, ['12345_k2w1']))
  await engine.search('works', queryOf('one "two three" -four', { filters, facets: ['type'] }))
  await engine.search('works', queryOf('', { sort: 'title', after: place, filters }))
  const best: SearchPlace = { ...place, sort: 'relevance', ranked: [3, 7] }
  await engine.search('works', queryOf('one', { after: best }))
  await engine.beginNext()
  await put(engine, batchOf([documentOf(3)], 9), 'next')
  await engine.swap()
  await engine.reset()
  await server.close()
  return server.requests
}
