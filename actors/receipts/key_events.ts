import type { Agent } from '#actors/values/agent.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { receiptKeyId } from '#actors/receipts/statement.ts'
import {
  decodeRow,
  readEvent,
  type ReadRow,
  type StreamRow,
  type View,
} from '#actors/journal/rows.ts'
import { assert } from '#log/base/errors.ts'

/**
 * That statements are signed with another key from the event's time on. Its log entry is the
 * `key_rotated` statement, which the old key has signed. Public keys are 64 hex digits.
 */
export type ReceiptKeyRotated = {
  readonly type: 'ReceiptKeyRotated'
  readonly schema: 1
  readonly by: Agent
  readonly data: {
    readonly old_key_id: string
    readonly new_key_id: string
    readonly old_public_key: string
    readonly new_public_key: string
  }
}

/** The stream of the registry's own keys. */
export const receiptKeyStream = 'registry/keys'

/**
 * A receipt key and when its statements may be dated: from `valid_from`, up to but not at
 * `valid_until`, which is null while the key is in use. The first key of a registry has no
 * `valid_from`: it is valid from the first statement on.
 */
export type ReceiptKeyPeriod = {
  readonly public_key: string
  readonly valid_from: string | null
  readonly valid_until: string | null
}

// The keys after a rotation at the time `at`, oldest first; before the first there are none.
function evolveReceiptKeys(
  before: readonly ReceiptKeyPeriod[] | undefined,
  { data }: ReceiptKeyRotated,
  at: string,
): readonly ReceiptKeyPeriod[] {
  const first = { public_key: data.old_public_key, valid_from: null, valid_until: null }
  const keys = before ?? [first]
  const old = keys.at(-1)
  assert(old?.public_key === data.old_public_key, 'a rotation replaces the key in use')
  const replaced = { ...old, valid_until: at }
  return [
    ...keys.slice(0, -1),
    replaced,
    { public_key: data.new_public_key, valid_from: at, valid_until: null },
  ]
}

/** The state that a rotation leads to; it has no index rows. */
export function indexReceiptKeys(before: unknown, event: JournalEvent): View {
  const keys = before as readonly ReceiptKeyPeriod[] | undefined
  const rotated = event as JournalEvent & ReceiptKeyRotated
  return { state: evolveReceiptKeys(keys, rotated, rotated.at), operations: [] }
}

/** The event by which one key replaces another. */
export function receiptKeyRotated(
  oldPublicKey: string,
  newPublicKey: string,
  by: Agent,
): ReceiptKeyRotated {
  const data = {
    old_key_id: receiptKeyId(oldPublicKey),
    new_key_id: receiptKeyId(newPublicKey),
    old_public_key: oldPublicKey,
    new_public_key: newPublicKey,
  }
  return { type: 'ReceiptKeyRotated', schema: 1, by, data }
}

/** What the journal says of the receipt keys: none before the first rotation. */
export function readReceiptKeys(read: ReadRow): {
  readonly seq: number
  readonly keys: readonly ReceiptKeyPeriod[]
} {
  const row = decodeRow<StreamRow>(read(receiptKeyStream))
  if (row === undefined) return { seq: 0, keys: [] }
  return { seq: row.seq, keys: row.state as readonly ReceiptKeyPeriod[] }
}

/** The leaves of the log that hold the statements of the rotations, oldest first. */
export function readRotationLeaves(read: ReadRow): readonly number[] {
  const leaves: number[] = []
  let position = decodeRow<StreamRow>(read(receiptKeyStream))?.newest ?? -1
  while (position >= 0) {
    const { leafIndex, previous } = readEvent(position, read)
    leaves.push(leafIndex)
    position = previous
  }
  return leaves.reverse()
}
