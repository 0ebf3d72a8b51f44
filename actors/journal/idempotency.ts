import { hash } from 'node:crypto'

import { type Agent, clientOf } from '#actors/values/agent.ts'
import type { NewEvent } from '#actors/journal/journal.ts'

/**
 * A client's own name for one request, and the SHA-256 (hex) of the body it was sent with; `batch`
 * names the import or the bulk request that it is a part of.
 */
export type Idempotency = {
  readonly key: string
  readonly bodyHash: string
  readonly batch?: string
  /** Whether the batch is told as one thing, so that histories of owners do not list its parts. */
  readonly bulk?: true
}

/** A client's name for a request, with the digest of its body: another body is another request. */
export function idempotencyOf(key: string, body: unknown): Idempotency {
  return { key, bodyHash: bodyHashOf(body) }
}

/** The SHA-256, in hex, of a body that was sent; of one that was left out it is that of null. */
export function bodyHashOf(body: unknown): string {
  return hash('sha256', JSON.stringify(body ?? null))
}

/** A request that its client named: the name with its owner before it, and its body's hash. */
export type RequestKey = NonNullable<NewEvent['idempotency']>

/**
 * How a request is remembered that `by` named; undefined if it has no name. The names of an owner
 * are apart from those of its applications, which are so for each person for whom they act, and
 * within `scope`, such as a stream, from those elsewhere.
 */
export function requestKeyOf(
  by: Agent,
  idempotency: Idempotency | undefined,
  scope = '',
): RequestKey | undefined {
  if (idempotency === undefined) return undefined
  const { key, bodyHash: body_hash, batch, bulk } = idempotency
  const client = clientOf(by)
  const namer = client === undefined ? [] : [client.client_id, client.ppid]
  const named = [...namer, ...(scope === '' ? [] : [scope]), key].join('\n')
  return {
    key: `${by.type}/${by.id}/${digest(named, 16)}`,
    body_hash,
    ...(batch !== undefined && { batch: digest(batch, batchBytes) }),
    ...(bulk === true && { bulk }),
  }
}

/** Bytes by which batches of one owner are told apart: they never decide on anything. */
const batchBytes = 6

function digest(text: string, bytes: number): string {
  return hash('sha256', text).slice(0, 2 * bytes)
}

/** What begins the keys of the rows that remember requests. */
export const idempotencyPrefix = 'idempotency/'

/** Key of the row that remembers a request by its idempotency key. */
export function idempotencyKey(key: string): string {
  return idempotencyPrefix + key
}

/** What is remembered of a request: when it was made, its body's hash, and its first event. */
export type IdempotencyRow = {
  readonly at: string
  readonly body_hash: string
  readonly stream: string
  readonly position: number
}
