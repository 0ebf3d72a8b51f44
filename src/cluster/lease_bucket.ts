import { setTimeout as sleep } from 'node:timers/promises'
import { jetstream, StorageType } from '@nats-io/jetstream'
import { type KV, type KvEntry, Kvm } from '@nats-io/kv'
import type { NatsConnection } from '@nats-io/transport-node'

import {
  competingWrite,
  isPassing,
  isRefusal,
  noStream,
  type Patience,
  patiently,
  wrongLastSequence,
} from '#src/cluster/passing_fault.ts'
import { journalReplicas } from '#src/cluster/engine_state.ts'
import type { LeaseEntry, LeaseStore, LeaseValue } from '#src/cluster/lease.ts'

export type LeaseBucketOptions = {
  readonly connection: NatsConnection
  /** The name of the bucket, which is made if it is not there. */
  readonly name: string
  /** After which a key is gone that is not written again; that of a bucket that is there counts. */
  readonly ttlMs: number
  /** Bounds the wait for the bucket when it is opened. */
  readonly patience: Patience
  /** Hears of a watch that has ended; it is begun again. */
  readonly report: (event: WatchEvent) => void
}

/** A watch has failed, and is begun again. */
export type WatchEvent = { readonly type: 'watch_failed'; readonly error: unknown }

const valueBytesMax = 4_096
const answerMs = 2_000
const watchPauseMs = 500
// A server that lags would answer with what was.
const noDirect = { allow_direct: false }
// For how long it can be seen that a key has expired.
const markerMs = 60_000

/** Opens a bucket for leases, on three servers. A fault of JetStream where there can be none. */
export async function openLeaseBucket(options: LeaseBucketOptions): Promise<LeaseStore> {
  const { connection, name, ttlMs, patience, report } = options
  // A renewal that has no answer is to be repeated in time.
  const client = jetstream(connection, { timeout: Math.min(answerMs, Math.ceil(ttlMs / 4)) })
  const bucket = await patiently(
    () =>
      new Kvm(client).create(name, {
        history: 1,
        replicas: journalReplicas,
        storage: StorageType.File,
        ttl: ttlMs,
        markerTTL: markerMs,
        maxValueSize: valueBytesMax,
        ...noDirect,
      }),
    patience,
    mayComeToBe,
  )
  const { ttl } = await patiently(() => bucket.status(), patience, mayComeToBe)
  return new LeaseBucket(connection, bucket, ttl, report)
}

// A server that has not heard yet of a bucket that was just made, here or by another node, says
// that there is none.
function mayComeToBe(error: unknown): boolean {
  return isPassing(error) || isRefusal(error, [noStream])
}

/**
 * Who holds leases in a bucket that is there; undefined if there is none, and none is made. A fault
 * of JetStream where nobody can say.
 */
export async function findLeases(
  options: Pick<LeaseBucketOptions, 'connection' | 'name' | 'patience'>,
): Promise<Pick<LeaseStore, 'ttlMs' | 'read'> | undefined> {
  const { connection, name, patience } = options
  const client = jetstream(connection, { timeout: answerMs })
  try {
    const bucket = await patiently(() => new Kvm(client).open(name, noDirect), patience)
    const { ttl } = await patiently(() => bucket.status(), patience)
    return new LeaseBucket(connection, bucket, ttl, () => undefined)
  } catch (error) {
    if (isRefusal(error, [noStream])) return undefined
    throw error
  }
}

class LeaseBucket implements LeaseStore {
  readonly ttlMs: number
  readonly #connection: NatsConnection
  readonly #bucket: KV
  readonly #report: (event: WatchEvent) => void

  constructor(
    connection: NatsConnection,
    bucket: KV,
    ttlMs: number,
    report: (event: WatchEvent) => void,
  ) {
    this.#connection = connection
    this.ttlMs = ttlMs
    this.#bucket = bucket
    this.#report = report
  }

  create(key: string, value: LeaseValue): Promise<number | undefined> {
    return unlessTaken(this.#bucket.create(key, JSON.stringify(value)))
  }

  update(key: string, value: LeaseValue, revision: number): Promise<number | undefined> {
    return unlessTaken(this.#bucket.update(key, JSON.stringify(value), revision))
  }

  async read(key: string): Promise<LeaseEntry | undefined> {
    const entry = await this.#bucket.get(key)
    return entry === null ? undefined : leaseEntry(entry)
  }

  async delete(key: string, revision: number): Promise<void> {
    await unlessTaken(this.#bucket.delete(key, { previousSeq: revision }))
  }

  watch(key: string, changed: (key: string, entry: LeaseEntry | undefined) => void): () => void {
    const ending = new AbortController()
    void this.#watch(key, changed, ending.signal)
    return () => ending.abort()
  }

  async #watch(
    key: string,
    changed: (key: string, entry: LeaseEntry | undefined) => void,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted && !this.#connection.isClosed()) {
      try {
        const entries = await this.#bucket.watch({ key })
        const stop = () => entries.stop()
        signal.addEventListener('abort', stop, { once: true })
        if (signal.aborted) stop()
        for await (const entry of entries) changed(entry.key, leaseEntry(entry))
        signal.removeEventListener('abort', stop)
      } catch (error) {
        if (!signal.aborted) this.#report({ type: 'watch_failed', error })
      }
      if (!signal.aborted) await sleep(watchPauseMs)
    }
  }
}

/** Undefined for a key that was deleted or has expired, and for what is no lease. */
function leaseEntry(entry: KvEntry): LeaseEntry | undefined {
  if (entry.operation !== 'PUT') return undefined
  try {
    const value = entry.json<unknown>()
    if (isLeaseValue(value)) return { value, revision: entry.revision }
  } catch {
    // Somebody has written there by hand.
  }
  return undefined
}

function isLeaseValue(value: unknown): value is LeaseValue {
  return (
    typeof value === 'object' &&
    value !== null &&
    'holder' in value &&
    typeof value.holder === 'string'
  )
}

async function unlessTaken<Given>(writing: Promise<Given>): Promise<Given | undefined> {
  try {
    return await writing
  } catch (error) {
    if (isRefusal(error, [wrongLastSequence, competingWrite])) return undefined
    throw error
  }
}
