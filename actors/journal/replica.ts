import type { JournalBatch } from '#actors/journal/batch.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { JournalError } from '#actors/journal/journal_error.ts'
import { type JournalHead, PoolDraft, type PoolPlan } from '#actors/journal/pool.ts'
import { type Projection, readerOf } from '#actors/journal/rows.ts'
import type { Signer } from '#log/tlog/note.ts'
import type { Operation, Store } from '#log/base/store.ts'

/** What a replica needs; `published` is called after each batch, once it is durable. */
export type ReplicaOptions = {
  readonly store: Store
  readonly signer: Signer
  readonly projection: Projection
  readonly head: JournalHead
  readonly published: (head: JournalHead, events: readonly JournalEvent[]) => void
}

// Whoever sequenced a batch has kept its bounds and judged its times.
const noLimits = { notBefore: '', eventBytesMax: Number.POSITIVE_INFINITY }

/**
 * A store that becomes what the journal says: it carries out the batches of a sequencer elsewhere,
 * in order, one at a time. It signs a checkpoint only of a tree that both have come to.
 */
export class Replica {
  readonly #options: ReplicaOptions
  #head: JournalHead

  constructor(options: ReplicaOptions) {
    this.#options = options
    this.#head = options.head
  }

  /**
   * Carries out the next batch, and writes its rows and `marks` in one synced write. Errors:
   * `journal_gap`, `journal_forked`: nothing was written or signed, and the node must stop; those
   * of the store, after which the outcome is unknown.
   */
  async apply(batch: JournalBatch, marks: readonly Operation[]): Promise<void> {
    const plan = this.#plan(batch)
    await this.#options.store.commit([...batch.maintenance, ...plan.operations, ...marks])
    this.#head = plan.next
    if (batch.proposals.length > 0) this.#options.published(plan.next, plan.events)
  }

  #plan(batch: JournalBatch): PoolPlan {
    const { position } = this.#head
    if (batch.position !== position) {
      const found = `the journal goes on at position ${batch.position}, and here at ${position}`
      throw new JournalError('journal_gap', `${found}; ${advice}`)
    }
    const { store, signer, projection } = this.#options
    const read = readerOf(store)
    const draft = new PoolDraft(this.#head, { read, signer, projection }, noLimits)
    for (const proposal of batch.proposals) draft.take({ ...proposal, unique: [] })
    const { refusal } = draft
    if (refusal !== undefined) throw notTaken(batch, refusal)
    try {
      return draft.finish(batch)
    } catch (cause) {
      throw forked(`after the batch at position ${position} ${(cause as Error).message}`, cause)
    }
  }
}

const advice =
  'stop this node, keep its folder for whoever looks into it, and let a new one join the cluster'

function notTaken({ position }: JournalBatch, refusal: NonNullable<PoolDraft['refusal']>): Error {
  const cause = refusal.type === 'failed' ? refusal.error : refusal
  // What says itself what to do, as of an event that is not known here.
  if (cause instanceof JournalError) return cause
  const reason = cause instanceof Error ? cause.message : JSON.stringify(cause)
  return forked(`the batch at position ${position} cannot be carried out here: ${reason}`, cause)
}

function forked(found: string, cause: unknown): JournalError {
  return new JournalError('journal_forked', `${found}; ${advice}`, { cause })
}
