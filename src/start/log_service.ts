import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { destination } from 'pino'

import { formatTimestamp } from '#actors/values/clock.ts'
import { encodeText } from '#actors/values/serialization.ts'
import type { Config } from '#config/schema.ts'
import { assert } from '#log/base/errors.ts'
import { entryBytesMax } from '#log/tlog/tile.ts'
import type { Edge } from '#src/edge/edge.ts'
import type { PlainReply } from '#src/edge/fast_path.ts'
import { createLogger } from '#src/edge/logger.ts'
import { sendPlain } from '#src/edge/rendered_reply.ts'
import { createMetrics } from '#src/edge/metrics.ts'
import { registerLogRoutes } from '#src/http/log/log_routes.ts'
import { dataDirOptions, openDataDir } from '#src/keeping/data_dir/data_dir.ts'
import { chooseAddress } from '#src/start/address.ts'
import { type BareLog, openBareLog, overloaded } from '#src/start/bare_log.ts'
import { exitOnUncertainWrite } from '#src/start/fatal.ts'
import type { LogFacts } from '#src/start/banner.ts'
import { listenForMetrics, serveEverybody } from '#src/start/ports.ts'

/** A bare log that runs. */
export type LogService = { readonly facts: LogFacts; close(): Promise<void> }

/**
 * Runs a bare log on a data directory of its own: the log endpoints, and `POST /log/add`, which
 * takes the bytes of an entry and answers with its leaf index in decimal. For load tools. `onStep`
 * and errors as of `openService`.
 */
export async function openLogService(
  config: Config,
  onStep: (step: string) => void,
): Promise<LogService> {
  await using opened = new AsyncDisposableStack()
  const address = await chooseAddress(config, { listen: true })
  const options = dataDirOptions(config, 'log', address.baseUrl)
  onStep(`opening the data directory ${options.dataDir}`)
  const dataDir = await openDataDir(options, Date.now)
  opened.defer(() => dataDir.release())
  const pinned = dataDir.logs.get('log')
  assert(pinned !== undefined, 'the data directory of a bare log pins one')
  onStep('opening the store and checking the log')
  const log = await openBareLog({
    storeDir: path.join(options.dataDir, 'log'),
    headFile: path.join(options.dataDir, 'log.head'),
    origin: pinned.origin,
    key: pinned.keys.log,
    create: dataDir.creating,
    createdAt: formatTimestamp(Date.now()),
    writeBufferBytes: config.STORE_WRITE_BUFFER_BYTES,
    cacheBytes: config.STORE_CACHE_BYTES,
    fatal: exitOnUncertainWrite(() => closing.disposeAsync()),
  })
  opened.defer(() => log.close())
  await dataDir.finishCreation()
  onStep('opening the port')
  const metrics = createMetrics([], Date.now)
  await listenForMetrics(config, { metrics }, opened)
  const server = {
    // Load tools come from one address, with as many connections as they have writers.
    config: { ...config, CONNECTIONS_PER_ADDRESS_MAX: 'off' as const },
    address,
    logger: createLogger(config.LOG_LEVEL, destination(2)),
    metrics,
  }
  const registerRoutes = (routes: FastifyInstance, edge: Edge) => {
    registerLogRoutes(routes, edge, { prefix: '', reader: log.reader, vkey: log.vkey })
    registerAddRoute(routes, log)
  }
  await serveEverybody(server, registerRoutes, opened)
  const closing = opened.move()
  return {
    facts: {
      address,
      dataDir: options.dataDir,
      origin: pinned.origin,
      vkey: log.vkey,
      warnings: [...dataDir.warnings, 'This is a bare log: anyone who reaches it can add entries.'],
    },
    close: () => closing.disposeAsync(),
  }
}

/** `POST /log/add`: the body is the entry, whatever type it is said to have. */
export function registerAddRoute(server: FastifyInstance, log: Pick<BareLog, 'add'>): void {
  const plainBytes = async (entry: Uint8Array): Promise<PlainReply> => {
    const answer = await log.add(entry)
    if (answer.type === 'overloaded') throw overloaded()
    const headers = { 'content-type': 'text/plain; charset=utf-8' }
    return { status: 200, headers, body: encodeText(String(answer.leafIndex)) }
  }
  void server.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => {
      parsed(null, body)
    })
    const options = { bodyLimit: entryBytesMax, config: { plainBytes }, schema: { hide: true } }
    scope.post('/log/add', options, async (request, reply) => {
      const { body } = request
      // A request without a body is the empty entry.
      const entry = body instanceof Uint8Array ? body : new Uint8Array(0)
      return sendPlain(request, reply, await plainBytes(entry))
    })
    done()
  })
}
