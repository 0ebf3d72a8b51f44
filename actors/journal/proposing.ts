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
    signing.catch(nothing)
    this.#last = turn
    return turn
  }
}

const nothing = () => undefined

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
  const turns = part && new TakenTurns(part.turns, stream)
  let refused: ProposalRefused | undefined
  let isCaughtUp = part === undefined
  try {
    for (let decisions = 0; decisions < decisionsMax; decisions += 1) {
      const taking = turns?.take()
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
      const proposed = { stream, expectedSeq, at, events, unique, entries }
      const proposal = replaces === undefined ? proposed : { ...proposed, replaces }
      const answer = await ask(sequencer, { type: 'propose', proposal }, askTimeoutMs)
      if (answer.type === 'committed') return decided.committed(answer)
      const taken = answer.type === 'taken' ? decided.taken?.(answer) : undefined
      if (taken !== undefined) return taken
      // The sequencer may have a clock that is ahead of this one.
      if (answer.type === 'late') clock.advance(answer.earliest)
      if (answer.type === 'stale') turns?.superseded()
      refused = answer
    }
  } finally {
    turns?.end()
  }
  throw new ActorError('overloaded', `${stream} was changed too often at one time`)
}

/** The turns of one change of a stream: one at a time, and none where nobody else waits. */
class TakenTurns {
  readonly #turns: ProposerPart['turns']
  readonly #stream: string
  #turn: Turn | undefined
  #isSuperseded = false

  constructor(turns: ProposerPart['turns'], stream: string) {
    this.#turns = turns
    this.#stream = stream
  }

  /** Waits for a turn, if there is one to wait for and it is not held already. */
  take(): Promise<void> | undefined {
    if (this.#turn !== undefined) return undefined
    const taking = this.#turns.take(this.#stream, this.#isSuperseded)
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

/** The right to change a stream before others do, which is given back when it is changed. */
export type Turn = { end(): void }

export type StreamTurnsOptions = {
  /** For how long one may be held. */
  readonly turnMsMax: number
  /** For how long a stream that several have changed at one time is remembered. */
  readonly quietMs: number
  /** Streams that are remembered at most; one above that is changed without a turn. */
  readonly streamsMax: number
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
}

/** A stream that several want to change, whose turn it is, and who waits. */
type Contended = {
  holder: number | undefined
  late?: NodeJS.Timeout
  readonly waiting: ((number: number) => void)[]
  seenMs: number
}

/** The number of a turn that nobody else waits for. */
const unheld = 0

/**
 * The order in which several change one stream, where otherwise each would find that another one
 * was faster, time after time: the one next to the sequencer would always win. A turn is a
 * courtesy and decides nothing, because a change is judged by what it follows: whoever keeps one
 * for too long, or has died with it, costs the others `turnMsMax` and no more.
 */
export class StreamTurns {
  readonly #options: StreamTurnsOptions
  readonly #streams = new Map<string, Contended>()
  #newest = unheld

  constructor(options: StreamTurnsOptions) {
    this.#options = options
  }

  /** Remembers that somebody else has changed a stream at the same time. */
  note(stream: string): void {
    const seenMs = this.#options.elapsedMs()
    const known = this.#streams.get(stream)
    if (known !== undefined) known.seenMs = seenMs
    else if (this.#hasRoom()) {
      this.#streams.set(stream, { holder: undefined, waiting: [], seenMs })
    }
  }

  /** Whether several have lately changed a stream at one time. */
  isContended(stream: string): boolean {
    const known = this.#streams.get(stream)
    if (known === undefined) return false
    if (!this.#isQuiet(known)) return true
    this.#streams.delete(stream)
    return false
  }

  /** Resolves when it is the caller's turn, behind those who came before, with its number. */
  take(stream: string): Promise<number> {
    this.note(stream)
    const known = this.#streams.get(stream)
    if (known === undefined) return Promise.resolve(unheld)
    return new Promise((resolve) => {
      known.waiting.push(resolve)
      if (known.holder === undefined) this.#giveNext(known)
    })
  }

  /** Ends a turn, so that the next one has it. A turn that is over is not ended again. */
  end(stream: string, number: number): void {
    const known = this.#streams.get(stream)
    if (known?.holder === number) this.#giveNext(known)
  }

  #giveNext(known: Contended): void {
    const give = known.waiting.shift()
    known.seenMs = this.#options.elapsedMs()
    known.holder = undefined
    clearTimeout(known.late)
    if (give === undefined) return
    this.#newest += 1
    const number = this.#newest
    known.holder = number
    known.late = setTimeout(() => this.#giveNext(known), this.#options.turnMsMax)
    give(number)
  }

  #isQuiet({ holder, seenMs }: Contended): boolean {
    return holder === undefined && this.#options.elapsedMs() - seenMs >= this.#options.quietMs
  }

  #hasRoom(): boolean {
    const { streamsMax } = this.#options
    if (this.#streams.size < streamsMax) return true
    for (const [stream, known] of this.#streams) {
      if (this.#isQuiet(known)) this.#streams.delete(stream)
    }
    return this.#streams.size < streamsMax
  }
}
