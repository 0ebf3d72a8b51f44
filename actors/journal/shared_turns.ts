import type { GivenTurn, LeaderMessage } from '#actors/journal/leader_message.ts'
import { StreamTurns, type Turn } from '#actors/journal/stream_turns.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { ask, type Ref, tell } from '#actors/kernel/kernel.ts'

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
