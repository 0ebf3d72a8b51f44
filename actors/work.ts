import { type RandomBytes, randomBetanumerics } from '#actors/betanumeric.ts'
import { type Clock, formatTimestamp } from '#actors/clock.ts'
import type { Committed } from '#actors/journal.ts'
import { ActorError } from '#actors/actor_error.ts'
import type { Reply } from '#actors/kernel.ts'
import { receiptSuffixCharacters } from '#actors/statement.ts'
import type { WorkState } from '#actors/work_events.ts'
import { type Proposer, propose } from '#actors/work_proposal.ts'
import { readWork } from '#actors/work_record.ts'
import {
  type Accepted,
  type Decision,
  decide,
  evolve,
  type WorkCommand,
} from '#actors/work_rules.ts'
import { metadataAt } from '#actors/work_views.ts'
import type { ChangeAnswer } from '#actors/works.ts'
import { assert } from '#log/errors.ts'
import type { Store } from '#log/store.ts'

/** What the actor adds to a command itself: time, randomness, and what the work is now. */
type Added = 'at' | 'receiptSuffix' | 'current'

// Distributes over the union, so that each kind of command keeps its own members.
type Ask<C extends WorkCommand> = C extends WorkCommand ? Omit<C, Added> : never

/** A change as it is sent to a work's actor. */
export type ChangeAsk = Ask<Exclude<WorkCommand, { type: 'register' }>>

/** What the actor of a work understands. */
export type WorkMessage = {
  readonly type: 'change'
  readonly command: ChangeAsk
  readonly reply: Reply<ChangeAnswer>
}

/** What the actors of works share. */
export type WorkActorOptions = Proposer & {
  readonly store: Store
  readonly clock: Clock
  readonly random: RandomBytes
}

/** Times a command is decided anew because the journal has moved on in the meantime. */
const decisionsMax = 16

/**
 * One work. It decides on the state it has read, asks the sequencer to commit, and only then holds
 * the new state and answers. It owns that state; the store's row is the same one.
 */
export class WorkActor {
  readonly #ark: string
  readonly #options: WorkActorOptions
  #state: WorkState | undefined

  /** `ark` is `naan/name`. */
  constructor(ark: string, options: WorkActorOptions) {
    this.#ark = ark
    this.#options = options
    this.#state = this.#read()
  }

  async receive({ command, reply }: WorkMessage): Promise<void> {
    reply.resolve(await this.#change(command))
  }

  async #change(command: ChangeAsk): Promise<ChangeAnswer> {
    for (let decisions = 0; decisions < decisionsMax; decisions += 1) {
      const decision = this.#decide(command)
      assert(decision.type !== 'taken', 'a change takes no ARK')
      if (decision.type !== 'accepted') return decision
      const expectedSeq = this.#state?.seq ?? 0
      const change = { ark: this.#ark, expectedSeq, decision, unique: [] }
      const answer = await propose(this.#options, change)
      if (answer.type === 'committed') {
        this.#evolve(decision, answer)
        return { type: 'changed', change: decision.change }
      }
      // A receipt's name that is taken, or a time that is past, is only drawn again.
      if (answer.type === 'stale') this.#state = this.#read()
    }
    throw new ActorError('overloaded', `${this.#ark} was changed too often at one time`)
  }

  #decide(command: ChangeAsk): Decision {
    const { store, clock, random } = this.#options
    if (this.#state === undefined) return { type: 'not_found' }
    const at = formatTimestamp(clock.nowMs())
    if (command.type === 'withdraw') return decide(this.#state, { ...command, at })
    const receiptSuffix = randomBetanumerics(receiptSuffixCharacters, random)
    const current = metadataAt(this.#state.position, (key) => store.get(key))
    return decide(this.#state, { ...command, at, receiptSuffix, current })
  }

  #read(): WorkState | undefined {
    return readWork(this.#ark, (key) => this.#options.store.get(key))?.state
  }

  #evolve(decision: Accepted, committed: Committed): void {
    for (const [index, event] of decision.events.entries()) {
      const place = committed.events[index]
      if (place !== undefined) this.#state = evolve(this.#state, event, place)
    }
  }
}
