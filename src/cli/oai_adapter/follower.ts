import { setTimeout as sleep } from 'node:timers/promises'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

import type { ChangeSource, FeedPage, ReadOutcome } from '#src/cli/oai_adapter/change_source.ts'
import type { RecordCopy } from '#src/cli/oai_adapter/record_copy.ts'
import type { Readiness } from '#src/edge/metrics.ts'
import { makeDataDir } from '#src/keeping/data_dir/data_dir.ts'
import { instanceNames, readInstance } from '#src/keeping/data_dir/instance.ts'
import { lockDataDir } from '#src/keeping/data_dir/lock.ts'
import { createSecretFile, makePrivate, readSecretFile } from '#src/keeping/data_dir/secret_file.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'

/** For how long the registry is asked to wait for news. */
const waitSeconds = 25

/** Time from one request for news to the next: a key may ask 600 times a minute. */
const pollMs = 150

/** Time to the first request after a failure, and the most that it grows to. */
const firstPauseMs = 250

const longestPauseMs = 15_000

/** The registry can ask for more time, but not for ever. */
const askedPauseMsMax = 600_000

/** How long a reply waits for the registry to say how far it is, and for what is to be copied. */
const catchUpMsMax = 2_000

/** How often it is logged how far a first copy is. */
const progressMs = 10_000

/** The copy cannot be gone on with: it is of another registry, or of a later state of this one. */
class ForeignCopyError extends Error {
  readonly code = 'foreign_copy'

  constructor(finding: string) {
    super(
      `${finding}. If that is as it should be, stop the adapter and remove its DATA_DIR: the ` +
        'copy is then made anew.',
    )
    this.name = 'ForeignCopyError'
  }
}

/** Why a registry is not read: for the operator, and in `reason` for everybody. */
type Problem = { readonly message: string; readonly reason: string }

export type FollowerOptions = {
  readonly copy: RecordCopy
  readonly read: ChangeSource
  readonly logger: Logger
  /** A number from 0 to 1 that nobody can foresee. */
  readonly random: () => number
  /** Told of each page: how far the copy is, and how far there is to go. */
  readonly onProgress: (next: number, end: number) => void
  /** Called once, when the copy cannot be written any more: the process must end. */
  readonly fatal: (error: unknown) => void
}

/**
 * Keeps a copy up to date with the change feed of a registry: page after page, then waiting for
 * news, through every failure of the registry. It is the only writer of the copy.
 */
export class Follower {
  readonly #options: FollowerOptions
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined
  #failures = 0
  #problem: Problem | undefined
  readonly #begun = Promise.withResolvers<void>()
  #isKnown = false
  #loggedMs = 0
  #catchingUp: Promise<void> | undefined
  /** Resolves with the next page that is taken over. */
  #moved = Promise.withResolvers<void>()

  constructor(options: FollowerOptions) {
    this.#options = options
    options.copy.followedBy(() => this.#catchUpOnce())
  }

  /** Why the registry was not read the last time; undefined while all is well. */
  get problem(): Problem | undefined {
    return this.#problem
  }

  /** Resolves once the registry was read, or not, for the first time. */
  get begun(): Promise<void> {
    return this.#begun.promise
  }

  start(): void {
    this.#running ??= this.#follow().catch((error: unknown) => this.#options.fatal(error))
  }

  /** Ends; a page that is being written is finished. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      const startMs = performance.now()
      const outcome = await this.#readNext()
      if (signal.aborted) return
      const pauseMs = await this.#take(outcome)
      this.#begun.resolve()
      const waitMs = pauseMs - (outcome.type === 'page' ? performance.now() - startMs : 0)
      if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined)
    }
  }

  async #readNext(): Promise<ReadOutcome> {
    const { copy, read } = this.#options
    const { next, end, first } = copy.state
    const { signal } = this.#stop
    if (!this.#isKnown && first !== undefined) {
      const outcome = await read({ after: 0, limit: 1, waitSeconds: 0 }, signal)
      if (outcome.type === 'failed') return outcome
      this.#recognise(outcome.page, first)
      this.#begun.resolve()
    }
    // The first reply is not waited for: a start tells whether the registry can be read.
    const waits = this.#isKnown && next >= end
    this.#isKnown = true
    return read({ after: next, waitSeconds: waits ? waitSeconds : 0 }, signal)
  }

  #recognise({ changes, end }: FeedPage, first: string): void {
    const [found] = changes
    if (end > 0 && (found === undefined || found.at === first)) return
    const began = found === undefined ? 'has no changes' : `began at ${found.at}`
    throw new ForeignCopyError(
      `The records in DATA_DIR are of a registry that began at ${first}, and the one at SVC_URL ` +
        began,
    )
  }

  /** Takes over what was read; gives the time until the next request. */
  async #take(outcome: ReadOutcome): Promise<number> {
    if (outcome.type === 'failed') return this.#pauseAfter(outcome)
    const { copy, logger, onProgress } = this.#options
    const { page, atSecond } = outcome
    const before = copy.state
    if (page.end < before.next) {
      throw new ForeignCopyError(
        `The registry of SVC_URL has ${page.end} changes, and ${before.next} were read from it ` +
          'before, so it was set back to an older copy',
      )
    }
    if (this.#problem !== undefined) logger.info('the registry can be read again')
    this.#problem = undefined
    this.#failures = 0
    if (page.next > before.next || !before.complete) await copy.apply(page)
    const isAtEnd = page.next >= page.end
    if (isAtEnd) noteTime(copy, page, atSecond)
    this.#moved.resolve()
    this.#moved = Promise.withResolvers()
    onProgress(page.next, page.end)
    this.#logProgress(before.complete, page)
    return isAtEnd ? pollMs : 0
  }

  #catchUpOnce(): Promise<void> {
    this.#catchingUp ??= this.#catchUp().finally(() => {
      this.#catchingUp = undefined
    })
    return this.#catchingUp
  }

  /** Asks the registry how far it is, and waits for the pages that lead there, but not for long. */
  async #catchUp(): Promise<void> {
    const { copy, read } = this.#options
    if (this.#problem !== undefined || !copy.state.complete) return
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(catchUpMsMax)])
    const asked = await read({ after: copy.state.next, limit: 1, waitSeconds: 0 }, signal)
    if (asked.type === 'failed' || asked.page.settled_at === undefined) return
    const ended = new Promise((resolve) => {
      signal.addEventListener('abort', resolve, { once: true })
    })
    while (copy.state.next < asked.page.end && !signal.aborted) {
      await Promise.race([this.#moved.promise, ended])
    }
    if (copy.state.next >= asked.page.end) noteTime(copy, asked.page)
  }

  #logProgress(wasComplete: boolean, { next, end }: FeedPage): void {
    const { copy, logger } = this.#options
    if (wasComplete) return
    if (copy.state.complete) {
      logger.info({ changes: next }, 'the copy of the registry is complete')
    } else if (performance.now() - this.#loggedMs > progressMs) {
      this.#loggedMs = performance.now()
      logger.info({ changes: next, of: end }, 'the registry is copied')
    }
  }

  #pauseAfter({ message, reason, waitMs }: Extract<ReadOutcome, { type: 'failed' }>): number {
    const { logger, random } = this.#options
    if (message !== this.#problem?.message) {
      logger.warn({ problem: message }, 'the registry is not read')
    }
    this.#problem = { message, reason }
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** this.#failures)
    this.#failures += 1
    // Of many followers no two come back at one moment.
    const spreadMs = pauseMs * (0.5 + random() / 2)
    return Math.max(spreadMs, Math.min(waitMs, askedPauseMsMax))
  }
}

/** Notes up to which time a copy knows everything that has read all of a page's feed. */
function noteTime(copy: RecordCopy, { settled_at: settledAt }: FeedPage, atSecond?: number): void {
  if (settledAt !== undefined) copy.noteSettled(Math.floor(Date.parse(settledAt) / 1_000))
  else if (atSecond !== undefined) copy.noteSilence(atSecond)
}

/**
 * Whether the adapter has all records, at least as of some time. That the registry cannot be read
 * is told, and makes no adapter unready that has records.
 */
export function readAdapterReadiness(
  copy: RecordCopy,
  follower: Pick<Follower, 'problem'>,
): Readiness {
  const { complete, next, end } = copy.state
  const { problem } = follower
  const registry = {
    ok: problem === undefined,
    ...(problem !== undefined && { problem: problem.message }),
  }
  const behind_changes = Math.max(0, end - next)
  const records = { ok: complete, changes: next, behind_changes }
  return { ready: complete, checks: { records, registry } }
}

/** What is said until there are all records, if nothing keeps them from being copied. */
const isCopied = 'The records of the registry are copied, for the first time'

/**
 * `/healthz`: the process answers. `/readyz`: it has all records; 503 before, with the reason.
 * Everybody may read these, so they tell no more; the rest is at `/readyz` of the administrator's
 * port.
 */
export function registerAdapterHealth(
  server: FastifyInstance,
  copy: RecordCopy,
  follower: Pick<Follower, 'problem'>,
): void {
  server.get('/healthz', { schema: { hide: true } }, (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'ok' }
  })
  server.get('/readyz', { schema: { hide: true } }, (_request, reply) => {
    const { ready } = readAdapterReadiness(copy, follower)
    reply.header('cache-control', 'no-store')
    const reason = follower.problem?.reason ?? isCopied
    return reply.code(ready ? 200 : 503).send(ready ? { ready } : { ready, reason })
  })
}

const tokenKeyBytes = 32

/** The data directory of an adapter: this process's alone until `opened` is disposed. */
export type AdapterFolder = {
  readonly storeDir: string
  /** Signs resumption tokens, so that lists can be gone on with after a restart. */
  readonly tokenKey: Uint8Array
  /** What was wrong with the folder and was put right, for the operator. */
  readonly warnings: readonly string[]
}

/**
 * Locks an adapter's data directory, which is made if need be. Errors: StartError, also for
 * the directory of a registry and for a key file that others can read.
 */
export async function openAdapterFolder(
  dataDir: string,
  opened: AsyncDisposableStack,
): Promise<AdapterFolder> {
  await makeDataDir(dataDir)
  const lock = lockDataDir(dataDir)
  opened.defer(() => lock.release())
  const instance = await readInstance(dataDir)
  if (instance !== undefined) {
    const found = instanceNames[instance.kind]
    const message = `${dataDir} holds ${found}. Set DATA_DIR to a folder of its own.`
    throw new StartError('instance_kind', message)
  }
  const keyFile = path.join(dataDir, 'resumption-token.key')
  const warning = await makePrivate(dataDir, [keyFile])
  const tokenKey = await openTokenKey(keyFile)
  const warnings = warning === undefined ? [] : [warning]
  return { storeDir: path.join(dataDir, 'records'), tokenKey, warnings }
}

async function openTokenKey(file: string): Promise<Uint8Array> {
  const key = await readTokenKey(file)
  if (key !== undefined) return key
  await createSecretFile(file, `${randomBytes(tokenKeyBytes).toString('hex')}\n`)
  return openTokenKey(file)
}

async function readTokenKey(file: string): Promise<Uint8Array | undefined> {
  try {
    const text = (await readSecretFile(file)).toString('latin1').trim()
    const key = Buffer.from(text, 'hex')
    if (key.length === tokenKeyBytes) return key
    throw new StartError(
      'key_file_malformed',
      `${file} does not hold ${tokenKeyBytes} bytes in hexadecimal. Remove it and a new key is ` +
        'made; lists that are being harvested then begin anew.',
    )
  } catch (error) {
    if (error instanceof StartError && error.code === 'secret_missing') return undefined
    throw error
  }
}
