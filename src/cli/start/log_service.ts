import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { destination } from 'pino'

import { formatTimestamp } from '#actors/values/clock.ts'
import type { Config } from '#config/schema.ts'
import { assert, LogError } from '#log/tlog/errors.ts'
import { type LogHead, planCommit } from '#log/store/commit.ts'
import { HeadGuard } from '#log/store/guard.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import { LogReader } from '#log/store/log_reader.ts'
import { openLog } from '#log/store/open_log.ts'
import type { Store } from '#log/store/store.ts'
import { type Ed25519Key, noteSigner, noteVerifier } from '#log/tlog/ed25519.ts'
import { ed25519Type, formatVkey, type Signer } from '#log/tlog/note.ts'
import { entryBytesMax } from '#log/tlog/tile.ts'
import type { Edge } from '#src/edge/edge.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { PlainReply } from '#src/edge/fast_path.ts'
import { createLogger } from '#src/edge/logger.ts'
import { createMetrics } from '#src/edge/metrics.ts'
import { sendPlain } from '#src/edge/rendered_reply.ts'
import { registerLogRoutes } from '#src/http/log/log_routes.ts'
import { dataDirOptions, openDataDir } from '#src/keeping/data_dir/data_dir.ts'
import { chooseAddress } from '#src/cli/start/address.ts'
import type { LogFacts } from '#src/cli/start/banner.ts'
import { exitOnUncertainWrite } from '#src/cli/start/fatal.ts'
import { listenForMetrics, serveEverybody } from '#src/cli/start/ports.ts'

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
  const metrics = createMetrics()
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
    return { status: 200, headers, body: Buffer.from(String(answer.leafIndex)) }
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

/** Entries that wait for a commit, at most. */
const poolEntriesMax = 20_000

/** What a bare log is opened with. */
export type BareLogOptions = {
  /** Folder of the store, and the file that remembers the newest head beside it. */
  readonly storeDir: string
  readonly headFile: string
  readonly origin: string
  readonly key: Ed25519Key
  /** Whether the store may be made: at the first start only, at this ISO time. */
  readonly create: boolean
  readonly createdAt: string
  readonly writeBufferBytes: number
  readonly cacheBytes: number
  /** Called once, when the outcome of a write is unknown: the process must end. */
  readonly fatal: (error: unknown) => void
}

/** Where an entry is; or that nothing was written because too many wait. */
export type AddAnswer =
  | { readonly type: 'added'; readonly leafIndex: number }
  | { readonly type: 'overloaded' }

/** The refusal of an entry when too many wait. */
function overloaded(): HttpError {
  return new HttpError('unavailable', 'Too many entries are waiting', { extra: { retry_after: 1 } })
}

type Waiting = {
  readonly entry: Uint8Array
  readonly resolve: (answer: AddAnswer) => void
  readonly reject: (error: unknown) => void
}

/** Opens a bare log with all checks of a log. Errors: those of its store and of `openLog`. */
async function openBareLog(options: BareLogOptions): Promise<BareLog> {
  const { storeDir, headFile, origin, key, fatal, ...rest } = options
  const store = await openLevelStore(storeDir, rest)
  try {
    const signer = noteSigner(origin, key)
    const vkey = formatVkey(origin, ed25519Type, key.publicKey)
    const verifier = noteVerifier(vkey)
    const log = { kind: 'log', origin, signer, verifier, vkey, ...rest } as const
    const reader = new LogReader(store, await openLog(store, log))
    const guard = new HeadGuard(headFile, verifier)
    guard.check(reader)
    return new BareLog({ store, signer, guard, reader, vkey, fatal })
  } catch (error) {
    await store.close()
    throw error
  }
}

type BareLogParts = Pick<BareLogOptions, 'fatal'> & {
  readonly store: Store
  readonly signer: Signer
  readonly guard: HeadGuard
  readonly reader: LogReader
  readonly vkey: string
}

/**
 * A log of opaque entries and nothing else. It is the single writer of its store: while one synced
 * batch is written the next pool fills. It owns the pool and the head.
 */
export class BareLog {
  /** What of the log is published: it is read there, never written. */
  readonly reader: LogReader
  /** The key that verifies its checkpoints. */
  readonly vkey: string
  readonly #parts: BareLogParts
  #head: LogHead
  #pool: Waiting[] = []
  #writing: Promise<void> | undefined
  #failure: unknown

  constructor(parts: BareLogParts) {
    this.reader = parts.reader
    this.vkey = parts.vkey
    this.#parts = parts
    this.#head = parts.reader.head()
  }

  /** Adds an entry of at most 65,535 bytes; answers once a signed checkpoint covers it. */
  async add(entry: Uint8Array): Promise<AddAnswer> {
    assert(entry.length <= entryBytesMax, 'the edge refuses entries that are too long')
    if (this.#failure !== undefined) {
      const message = 'the outcome of an earlier write is unknown: the service is ending'
      throw new LogError('store_failed', message, { cause: this.#failure })
    }
    if (this.#pool.length >= poolEntriesMax) return { type: 'overloaded' }
    const { promise, resolve, reject } = Promise.withResolvers<AddAnswer>()
    this.#pool.push({ entry, resolve, reject })
    this.#writing ??= this.#write()
    return promise
  }

  /** Finishes what waits, then closes the store. The caller sees to it that nothing is added. */
  async close(): Promise<void> {
    await this.#writing
    this.#parts.guard.close()
    await this.#parts.store.close()
  }

  async #write(): Promise<void> {
    // The pool fills for one turn of the event loop before the first commit.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (this.#pool.length > 0) {
      const pool = this.#pool
      this.#pool = []
      await this.#commit(pool)
    }
    this.#writing = undefined
  }

  async #commit(pool: readonly Waiting[]): Promise<void> {
    const { store, signer, guard, reader, fatal } = this.#parts
    const start = this.#head.treeSize
    try {
      const entries = pool.map(({ entry }) => entry)
      const plan = planCommit(this.#head, entries, signer)
      await store.commit(plan.operations)
      this.#head = plan.next
      guard.remember(plan.next.checkpoint)
      reader.publish(plan.next)
    } catch (error) {
      this.#failure = error
      for (const { reject } of [...pool, ...this.#pool.splice(0)]) reject(error)
      fatal(error)
      return
    }
    for (const [at, { resolve }] of pool.entries()) {
      resolve({ type: 'added', leafIndex: start + at })
    }
  }
}
