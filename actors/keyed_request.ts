import type { Agent } from '#actors/agent.ts'
import type { NewEvent } from '#actors/journal.ts'
import type { Idempotency } from '#actors/works.ts'
import { sha256 } from '#log/hash.ts'

/** A request that its client named: the name with its owner before it, and its body's hash. */
export type KeyedRequest = NonNullable<NewEvent['idempotency']>

/**
 * How a request is remembered that `by` named; undefined if it has no name. Within `scope`, such as
 * a stream, the names of one owner are apart from those elsewhere.
 */
export function keyedRequest(
  by: Agent,
  idempotency: Idempotency | undefined,
  scope = '',
): KeyedRequest | undefined {
  if (idempotency === undefined) return undefined
  const named = scope === '' ? idempotency.key : `${scope}\n${idempotency.key}`
  const name = Buffer.from(sha256(Buffer.from(named))).toString('hex', 0, 16)
  return { key: `${by.type}/${by.id}/${name}`, body_hash: idempotency.bodyHash }
}
