import type { Committed, NewEvent, ProposalRefused } from '#actors/journal/journal.ts'
import type { SequencerMessage } from '#actors/journal/sequencer.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { ask, type Ref } from '#actors/kernel/kernel.ts'
import { formatTimestamp, type MonotoneClock } from '#actors/values/clock.ts'

/**
 * Lets changes through in the order in which they were decided. One without statements would
 * otherwise overtake those that are being signed, which the journal then refuses as late: under
 * many such changes, nothing that has to be signed would ever be in time.
 */
export class SigningOrder {
  #last: Promise<unknown> = Promise.resolve()

  /** What `signing` gives, once all that came before it is signed or has failed. */
  follow<T>(signing: Promise<T>): Promise<T> {
    const signed = () => signing
    const turn = this.#last.then(signed, signed)
    // What fails before its turn has come is told to its asker then.
    signing.catch(() => undefined)
    this.#last = turn
    return turn
  }
}

/**
 * What it takes to have changes committed. `clock` dates them. `catchUp` is there where the journal
 * is written elsewhere too: it resolves once all is here that was committed anywhere before.
 */
export type Proposer = {
  readonly sequencer: Ref<SequencerMessage>
  readonly order: SigningOrder
  readonly clock: Pick<MonotoneClock, 'nowMs' | 'advance'>
  readonly askTimeoutMs: number
  readonly catchUp?: () => Promise<void>
}

/**
 * What was decided on a stream as it stood: an answer at once, or a change to propose. `entries`
 * are the log entries of the change while they are being signed. `committed` makes the answer; so
 * does `taken`, if a row of `unique` exists: where it gives none, it is decided anew, perhaps with
 * that row as one that is `outlived`.
 */
export type Decided<A> =
  | { readonly answer: A }
  | {
      readonly expectedSeq: number
      readonly events: readonly NewEvent[]
      readonly unique?: readonly string[]
      readonly outlived?: string
      readonly entries?: Promise<readonly Uint8Array[]>
      readonly committed: (committed: Committed) => A
      readonly taken?: (taken: Extract<ProposalRefused, { type: 'taken' }>) => A | undefined
    }

/** Times a change is decided anew because the journal has moved on in the meantime. */
const decisionsMax = 16

/** What was known when it was decided may be older than what is committed. */
const maybeStale: ProposalRefused = { type: 'stale', seq: 0 }

const noEntries: Promise<readonly Uint8Array[]> = Promise.resolve([])

/**
 * Has a change of a stream decided and proposes it, until it is committed or decided not to be
 * made. `decide` is given the time of the change and why the one before was refused. Throws
 * ActorError: what the sequencer has thrown, or `overloaded` when others were faster each time.
 */
export async function propose<A>(
  { sequencer, order, clock, askTimeoutMs, catchUp }: Proposer,
  stream: string,
  decide: (at: string, refused: ProposalRefused | undefined) => Decided<A>,
): Promise<A> {
  let refused: ProposalRefused | undefined
  let isCaughtUp = catchUp === undefined
  for (let decisions = 0; decisions < decisionsMax; decisions += 1) {
    const at = formatTimestamp(clock.nowMs())
    const decided = decide(at, refused)
    if ('answer' in decided) {
      if (isCaughtUp) return decided.answer
      // What another node has committed may lead to another answer.
      await catchUp?.()
      isCaughtUp = true
      refused = maybeStale
      continue
    }
    const { expectedSeq, events, unique = [], outlived } = decided
    const entries = await order.follow(decided.entries ?? noEntries)
    const judged = { unique, ...(outlived !== undefined && { outlived }) }
    const proposal = { stream, expectedSeq, at, events, ...judged, entries }
    const answer = await ask(sequencer, { type: 'propose', proposal }, askTimeoutMs)
    if (answer.type === 'committed') return decided.committed(answer)
    const taken = answer.type === 'taken' ? decided.taken?.(answer) : undefined
    if (taken !== undefined) return taken
    // Whoever sequences may have a clock that is ahead of this one.
    if (answer.type === 'late') clock.advance(answer.earliest)
    refused = answer
  }
  throw new ActorError('overloaded', `${stream} was changed too often at one time`)
}
