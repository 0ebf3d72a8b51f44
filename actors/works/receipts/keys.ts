import type { JournalEvent } from '#actors/journal/journal.ts'
import { propose, type Proposer, SigningOrder } from '#actors/journal/proposing.ts'
import {
  decodeRow,
  readerOf,
  readEvent,
  type ReadRow,
  type StreamRow,
} from '#actors/journal/rows.ts'
import type { SequencerMessage } from '#actors/journal/sequencer.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import type { Ref } from '#actors/kernel/kernel.ts'
import {
  type KeySignature,
  receiptKeyId,
  type ReceiptSigner,
  signEntries,
  type StatementSigner,
} from '#actors/works/receipts/statement.ts'
import type { Agent } from '#actors/values/agent.ts'
import type { MonotoneClock } from '#actors/values/clock.ts'
import { assert } from '#log/tlog/errors.ts'
import type { ReadStore, Store } from '#log/store/store.ts'

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
type ReceiptKeyPeriod = {
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

/** What a rotation changes: the keys. */
export function receiptKeyStep(
  before: StreamRow | undefined,
  event: JournalEvent & ReceiptKeyRotated,
): { readonly event: JournalEvent; readonly state: readonly ReceiptKeyPeriod[] } {
  const keys = before?.state as readonly ReceiptKeyPeriod[] | undefined
  return { event, state: evolveReceiptKeys(keys, event, event.at) }
}

/** The event by which one key replaces another. */
function receiptKeyRotated(
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
function readRotationLeaves(read: ReadRow): readonly number[] {
  const leaves: number[] = []
  let position = decodeRow<StreamRow>(read(receiptKeyStream))?.newest ?? -1
  while (position >= 0) {
    const { leafIndex, previous } = readEvent(position, read)
    leaves.push(leafIndex)
    position = previous
  }
  return leaves.reverse()
}

/** Which receipt keys there are, from the committed rows. */
export type ReceiptKeyQueries = {
  /** The key in use, as 64 hex digits. */
  readonly publicKey: string
  /** Every key there was, oldest first; the last one is in use. */
  list(): readonly ReceiptKeyPeriod[]
  /** The leaves of the log that announce the keys after the first one, in the order of `list`. */
  rotations(): readonly number[]
}

/** Opens the queries; `firstKey` is the one in use until the log announces another. */
export function openReceiptKeyQueries(
  store: Pick<ReadStore, 'get'>,
  firstKey: string,
): ReceiptKeyQueries {
  const read = readerOf(store)
  const list = () => {
    const { keys } = readReceiptKeys(read)
    return keys.length > 0 ? keys : [{ public_key: firstKey, valid_from: null, valid_until: null }]
  }
  return {
    get publicKey() {
      return list().at(-1)?.public_key ?? firstKey
    },
    list,
    rotations: () => readRotationLeaves(read),
  }
}

/** What the keys are opened with. `signer` is of the key that the journal says is in use. */
type ReceiptKeysOptions = {
  readonly store: Store
  readonly sequencer: Ref<SequencerMessage>
  readonly clock: MonotoneClock
  readonly signer: ReceiptSigner
  readonly askTimeoutMs: number
  /** Called when nobody knows whether a rotation was committed: the process must end. */
  readonly fatal: (error: unknown) => void
}

/**
 * What a rotation led to. `rotated`: the new key signs from `at` on, the old key's last statement
 * is the leaf `leafIndex`. Otherwise the old key stays: `overloaded` says that it may work later,
 * `clock_wrong` what an operator has to do first, `too_many` that there are as many keys as
 * verifiers read.
 */
type RotationAnswer =
  | ({ readonly type: 'rotated'; readonly at: string; readonly leafIndex: number } & Pick<
      ReceiptKeyRotated['data'],
      'old_key_id' | 'new_key_id'
    >)
  | { readonly type: 'overloaded' | 'clock_wrong'; readonly message: string }
  | { readonly type: 'too_many' }

/** Keys of one registry, at most: verifiers refuse longer lists. */
const receiptKeysMax = 1_000

/**
 * The receipt keys of a registry. It owns which one signs: during a rotation signing waits, so that
 * what the old key has signed is dated, and committed, before the rotation or not at all.
 */
export class ReceiptKeys implements ReceiptKeyQueries, StatementSigner {
  readonly #options: ReceiptKeysOptions
  readonly #proposer: Proposer
  readonly #queries: ReceiptKeyQueries
  #signer: ReceiptSigner
  #rotation: Promise<void> | undefined

  constructor(options: ReceiptKeysOptions) {
    const { sequencer, clock, askTimeoutMs } = options
    this.#options = options
    this.#proposer = {
      sequencer,
      // Its own: what is to be signed waits for a rotation, which must not wait for that.
      order: new SigningOrder(),
      // Later than whatever the old key was asked to sign, which is dated by the same clock: what
      // of it comes after the rotation is refused as late, and decided and signed anew.
      clock: { nowMs: () => clock.tickMs(), advance: (notBefore) => clock.advance(notBefore) },
      askTimeoutMs,
    }
    this.#signer = options.signer
    this.#queries = openReceiptKeyQueries(options.store, this.#signer.publicKey)
  }

  get publicKey(): string {
    return this.#signer.publicKey
  }

  list(): readonly ReceiptKeyPeriod[] {
    return this.#queries.list()
  }

  rotations(): readonly number[] {
    return this.#queries.rotations()
  }

  sign(message: Uint8Array): Promise<KeySignature> {
    if (this.#rotation === undefined) return this.#signer.sign(message)
    return this.#rotation.then(() => this.#signer.sign(message))
  }

  /**
   * Replaces the key by that of `next`, whose private half must be durable: announces it in the
   * log, signed by the old key, and only then uses it. One rotation at a time. Rejects when nobody
   * knows whether it was committed; then nothing is signed any more, and the process must end.
   */
  async rotate(next: ReceiptSigner, by: Agent): Promise<RotationAnswer> {
    assert(this.#rotation === undefined, 'one rotation at a time')
    if (this.list().length >= receiptKeysMax) return { type: 'too_many' }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    // Perhaps nobody waits to sign.
    promise.catch(() => undefined)
    this.#rotation = promise
    try {
      const answer = await this.#announce(receiptKeyRotated(this.publicKey, next.publicKey, by))
      if (answer.type === 'rotated') this.#signer = next
      this.#rotation = undefined
      resolve()
      return answer
    } catch (error) {
      reject(error)
      this.#options.fatal(error)
      throw error
    }
  }

  async #announce(event: ReceiptKeyRotated): Promise<RotationAnswer> {
    const { old_key_id, new_key_id, new_public_key } = event.data
    const read = readerOf(this.#options.store)
    const announced = { statement: 'key_rotated', old_key_id, new_key_id, new_public_key } as const
    try {
      return await propose<RotationAnswer>(this.#proposer, receiptKeyStream, (at, refused) => {
        assert(refused?.type !== 'stale', 'a stream of one writer is never stale')
        return {
          expectedSeq: readReceiptKeys(read).seq,
          events: [event],
          entries: signEntries([{ ...announced, timestamp: at }], this.#signer),
          committed: ({ leafIndex }) => {
            return { type: 'rotated', old_key_id, new_key_id, at, leafIndex }
          },
        }
      })
    } catch (error) {
      // Only these say for certain that nothing was or will be committed.
      if (!(error instanceof ActorError)) throw error
      if (error.code !== 'overloaded' && error.code !== 'clock_wrong') throw error
      return { type: error.code, message: error.message }
    }
  }
}
