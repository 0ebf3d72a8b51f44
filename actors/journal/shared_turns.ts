import type { Committed, Proposal, ProposalRefused } from '#actors/journal/journal.ts'
import { StreamTurns, type Turn } from '#actors/journal/proposing.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { ask, type Ref, type Reply, tell } from '#actors/kernel/kernel.ts'

/** A turn is held while a change is decided, signed and committed: milliseconds, as a rule. */
const turnMsMax = 1_000
const quietMs = 1_000
const streamsMax = 1_000

/** The part of a node in sequencing, as its turns need it. */
export type SharedTurnsOptions = {
  readonly leads: () => boolean
  readonly leader: () => Ref<LeaderMessage> | undefined
  /** How many events are on this node. */
  readonly position: () => number
  /** Resolves when so many events are on this node. Errors: ActorError. */
  readonly reached: (position: number) => Promise<void>
  readonly askTimeoutMs: number
  readonly elapsedMs: () => number
}

/** The turns of several nodes to change streams, which the one gives that leads. */
export class SharedTurns {
  readonly #options: SharedTurnsOptions
  readonly #turns: StreamTurns
  #superseded = 0

  constructor(options: SharedTurnsOptions) {
    this.#options = options
    const { elapsedMs } = options
    this.#turns = new StreamTurns({ turnMsMax, quietMs, streamsMax, elapsedMs })
  }

  /** How often somebody else was faster than a change from here, since the start. */
  get superseded(): number {
    return this.#superseded
  }

  /**
   * The turn to change a stream, where this node knows of others who do so: undefined where it
   * knows of none. `isSuperseded` tells that somebody else was just faster. All that was committed
   * before the turn is on this node when it is given.
   */
  take(stream: string, isSuperseded: boolean): Promise<Turn | undefined> | undefined {
    if (isSuperseded) {
      this.#superseded += 1
      this.#turns.note(stream)
    }
    if (!this.#turns.isContended(stream)) return undefined
    return this.#options.leads() ? this.#takeHere(stream) : this.#takeThere(stream)
  }

  /** Gives a turn to another node. */
  async give(stream: string): Promise<GivenTurn> {
    const turn = await this.#turns.take(stream)
    return { turn, position: this.#options.position() }
  }

  /** Another node has made its change. */
  end(stream: string, turn: number): void {
    this.#turns.end(stream, turn)
  }

  async #takeHere(stream: string): Promise<Turn> {
    const turn = await this.#turns.take(stream)
    return { end: () => this.#turns.end(stream, turn) }
  }

  // Without a turn a change is proposed all the same, and that finds out by itself who leads now.
  async #takeThere(stream: string): Promise<Turn | undefined> {
    const { askTimeoutMs, reached } = this.#options
    const leader = this.#options.leader()
    if (leader === undefined) return undefined
    try {
      const { turn, position } = await ask(leader, { type: 'take_turn', stream }, askTimeoutMs)
      await reached(position)
      return { end: () => void tell(leader, { type: 'end_turn', stream, turn }) }
    } catch (error) {
      if (error instanceof ActorError) return undefined
      throw error
    }
  }
}

/**
 * A proposal on its way to another node: its entries as Base64, and `replaces` under the name that
 * nodes of older versions read too.
 */
export type SentProposal = Omit<Proposal, 'entries' | 'replaces'> & {
  readonly entries: readonly string[]
  readonly outlived?: string
}

/** Where the events of a committed proposal are; who has asked reads them in its own journal. */
export type SentCommitted = Omit<Committed, 'events'> & {
  readonly first: number
  readonly count: number
}

/** What became of a proposal, and how many events there were then. */
export type ProposalOutcome = {
  readonly position: number
  readonly outcome: SentCommitted | ProposalRefused
}

/** The number of a turn, and how many events there were when it was given. */
export type GivenTurn = { readonly turn: number; readonly position: number }

/** What the nodes of a registry ask the one of them that leads. */
export type LeaderMessage =
  | {
      readonly type: 'propose'
      readonly proposal: SentProposal
      readonly reply: Reply<ProposalOutcome>
    }
  /** Settles what came before a time; the answer is how many events there were then. */
  | { readonly type: 'settle'; readonly before: string; readonly reply: Reply<number> }
  /** How many events there are: all that anybody was told of are among them. */
  | { readonly type: 'tell_position'; readonly reply: Reply<number> }
  /** Waits for the turn to change a stream. */
  | { readonly type: 'take_turn'; readonly stream: string; readonly reply: Reply<GivenTurn> }
  | { readonly type: 'end_turn'; readonly stream: string; readonly turn: number }

/** A proposal as it is sent to another node. */
export function sentProposal({ replaces, ...proposal }: Proposal): SentProposal {
  const entries = proposal.entries.map((entry) => {
    return Buffer.from(entry.buffer, entry.byteOffset, entry.length).toString('base64')
  })
  return { ...proposal, entries, ...(replaces !== undefined && { outlived: replaces }) }
}

/** A proposal that another node has sent. */
export function receivedProposal({ outlived: replaces, ...proposal }: SentProposal): Proposal {
  const entries = proposal.entries.map((entry) => Buffer.from(entry, 'base64'))
  return { ...proposal, entries, ...(replaces !== undefined && { replaces }) }
}

/** What became of a proposal, as another node is told. */
export function sentOutcome(outcome: Committed | ProposalRefused): SentCommitted | ProposalRefused {
  if (outcome.type !== 'committed') return outcome
  const { events, ...committed } = outcome
  return { ...committed, first: events[0]?.position ?? 0, count: events.length }
}
