import { ActorError } from '#actors/kernel/actor_error.ts'
import type { Agent } from '#actors/values/agent.ts'
import { type MonotoneClock } from '#actors/values/clock.ts'
import { propose, type Proposer, SigningOrder } from '#actors/journal/proposing.ts'
import type { Ref } from '#actors/kernel/kernel.ts'
import {
  type KeySignature,
  type ReceiptSigner,
  signEntries,
  type StatementSigner,
} from '#actors/receipts/statement.ts'
import {
  readReceiptKeys,
  type ReceiptKeyPeriod,
  type ReceiptKeyRotated,
  receiptKeyRotated,
  receiptKeyStream,
} from '#actors/receipts/key_events.ts'
import { openReceiptKeyQueries, type ReceiptKeyQueries } from '#actors/receipts/key_queries.ts'
import type { SequencerMessage } from '#actors/journal/sequencer.ts'
import { readerOf } from '#actors/journal/rows.ts'
import { assert } from '#log/base/errors.ts'
import type { Store } from '#log/base/store.ts'

/** What the keys are opened with. `signer` is of the key that the journal says is in use. */
export type ReceiptKeysOptions = {
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
export type RotationAnswer =
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
