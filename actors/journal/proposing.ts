import type { Committed, NewEvent, ProposalRefused } from '#actors/journal/journal.ts'
import type { SequencerMessage } from '#actors/journal/sequencer.ts'
import type { Turn } from '#actors/journal/stream_turns.ts'
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

/** What it takes to have changes committed. `clock` dates them. */
export type Proposer = {
  readonly sequencer: Ref<SequencerMessage>
  readonly order: SigningOrder
  readonly clock: Pick<MonotoneClock, 'nowMs' | 'advance'>
  readonly askTimeoutMs: number
  /** There where several nodes write the journal. */
  readonly part?: ProposerPart
}

/** What a proposer needs where others write the same journal. */
type ProposerPart = {
  /** Resolves once all is here that was committed anywhere before. */
  catchUp(): Promise<void>
  readonly turns: {
    /** The turn to change a stream that several change at one time: nothing where they do not. */
    take(stream: string, isSuperseded: boolean): Promise<Turn | undefined> | undefined
  }
}

/**
 * What was decided on a stream as it stood: an answer at once, or a change to propose. `entries`
 * are the log entries of the change while they are being signed. `committed` makes the answer; so
 * does `taken`, if a row of `unique` exists: where it gives none, it is decided anew, perhaps with
 * that row as one that it `replaces`.
 */
export type Decided<A> =
  | { readonly answer: A }
  | {
      readonly expectedSeq: number
      readonly events: readonly NewEvent[]
      readonly unique?: readonly string[]
      readonly replaces?: string
      readonly entries?: Promise<readonly Uint8Array[]>
      readonly committed: (committed: Committed) => A
      readonly taken?: (taken: Extract<ProposalRefused, { type: 'taken' }>) => A | undefined
    }

/**
 * Times a change is decided anew because the journal has moved on in the meantime. With turns this
 * happens a few times; where a machine is so busy that turns are over before they are used, more
 * often, and it is the asker's patience that ends first.
 */
const decisionsMax = 64

/** What was known when it was decided may be older than what is committed. */
const maybeStale: ProposalRefused = { type: 'stale', seq: 0 }

const noEntries: Promise<readonly Uint8Array[]> = Promise.resolve([])

/**
 * Has a change of a stream decided and proposes it, until it is committed or decided not to be
 * made. `decide` is given the time of the change and why the one before was refused. Throws
 * ActorError: what the sequencer has thrown, or `overloaded` when others were faster each time.
 */
export async function propose<A>(
  proposer: Proposer,
  stream: string,
  decide: (at: string, refused: ProposalRefused | undefined) => Decided<A>,
): Promise<A> {
  const { sequencer, order, clock, askTimeoutMs, part } = proposer
  const turns = new TakenTurns(part?.turns, stream)
  let refused: ProposalRefused | undefined
  let isCaughtUp = part === undefined
  try {
    for (let decisions = 0; decisions < decisionsMax; decisions += 1) {
      const taking = turns.take()
      if (taking !== undefined) await taking
      const at = formatTimestamp(clock.nowMs())
      const decided = decide(at, refused)
      if ('answer' in decided) {
        if (isCaughtUp) return decided.answer
        // What another node has committed may lead to another answer.
        await part?.catchUp()
        isCaughtUp = true
        refused = maybeStale
        continue
      }
      const { expectedSeq, events, unique = [], replaces } = decided
      const entries = await order.follow(decided.entries ?? noEntries)
      const judged = { unique, ...(replaces !== undefined && { replaces }) }
      const proposal = { stream, expectedSeq, at, events, ...judged, entries }
      const answer = await ask(sequencer, { type: 'propose', proposal }, askTimeoutMs)
      if (answer.type === 'committed') return decided.committed(answer)
      const taken = answer.type === 'taken' ? decided.taken?.(answer) : undefined
      if (taken !== undefined) return taken
      // Whoever sequences may have a clock that is ahead of this one.
      if (answer.type === 'late') clock.advance(answer.earliest)
      if (answer.type === 'stale') turns.superseded()
      refused = answer
    }
  } finally {
    turns.end()
  }
  throw new ActorError('overloaded', `${stream} was changed too often at one time`)
}

/** The turns of one change of a stream: one at a time, and none where nobody else waits. */
class TakenTurns {
  readonly #turns: ProposerPart['turns'] | undefined
  readonly #stream: string
  #turn: Turn | undefined
  #isSuperseded = false

  constructor(turns: ProposerPart['turns'] | undefined, stream: string) {
    this.#turns = turns
    this.#stream = stream
  }

  /** Waits for a turn, if there is one to wait for and it is not held already. */
  take(): Promise<void> | undefined {
    if (this.#turn !== undefined) return undefined
    const taking = this.#turns?.take(this.#stream, this.#isSuperseded)
    return taking?.then((turn) => void (this.#turn = turn))
  }

  /** Somebody else has changed the stream: the next decision is made in another turn. */
  superseded(): void {
    this.#isSuperseded = true
    this.end()
  }

  end(): void {
    this.#turn?.end()
    this.#turn = undefined
  }
}
