import { ActorError } from '#actors/kernel/actor_error.ts'
import type { Agent } from '#actors/values/agent.ts'
import { randomBetanumerics, type RandomBytes } from '#actors/values/betanumeric.ts'
import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import {
  type AcceptedCheck,
  type CheckDecision,
  type CheckReport,
  decideCheck,
  decideRequest,
  type RecheckAnswer,
  type RequestDecision,
} from '#actors/works/fixity_rules.ts'
import type { Committed } from '#actors/journal/journal.ts'
import type { Reply } from '#actors/kernel/kernel.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { receiptSuffixCharacters } from '#actors/receipts/statement.ts'
import type { WorkState } from '#actors/works/events.ts'
import { type SignableDecision, propose, type Proposer } from '#actors/works/proposal.ts'
import { readWork } from '#actors/works/record.ts'
import { decide, type Decision, evolve, type WorkCommand } from '#actors/works/rules.ts'
import type { ChangeAnswer } from '#actors/works/port.ts'
import { readerOf } from '#actors/journal/view_row.ts'
import { metadataAt } from '#actors/works/stored_metadata.ts'
import { assert } from '#log/errors.ts'
import type { Store } from '#log/store.ts'

/** What the actor adds to a command itself: time, randomness, and what the work is now. */
type Added = 'at' | 'receiptSuffix' | 'current'

// Distributes over the union, so that each kind of command keeps its own members.
type Ask<C extends WorkCommand> = C extends WorkCommand ? Omit<C, Added> : never

/** A change as it is sent to a work's actor. */
export type ChangeAsk = Ask<Exclude<WorkCommand, { type: 'register' }>>

/** What recording a check leads to; `outdated` and `gone` say that it was dropped. */
export type CheckAnswer =
  | { readonly type: 'recorded' }
  | { readonly type: 'not_found' }
  | Exclude<CheckDecision, AcceptedCheck>

/** What the actor of a work understands. */
export type WorkMessage =
  | { readonly type: 'change'; readonly command: ChangeAsk; readonly reply: Reply<ChangeAnswer> }
  | {
      readonly type: 'record_check'
      readonly report: CheckReport
      readonly reply: Reply<CheckAnswer>
    }
  | { readonly type: 'request_check'; readonly by: Agent; readonly reply: Reply<RecheckAnswer> }

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

  async receive(message: WorkMessage): Promise<void> {
    switch (message.type) {
      case 'change': {
        const decision = await this.#commit((state, at) => this.#change(state, at, message.command))
        assert(decision.type !== 'taken', 'a change takes no ARK')
        const isMade = decision.type === 'accepted'
        const answer = isMade ? ({ type: 'changed', change: decision.change } as const) : decision
        return message.reply.resolve(answer)
      }
      case 'record_check': {
        const decision = await this.#commit((state, at) => this.#check(state, at, message.report))
        const isMade = decision.type === 'accepted'
        return message.reply.resolve(isMade ? { type: 'recorded' } : decision)
      }
      case 'request_check': {
        const decision = await this.#commit((state) => decideRequest(state, message.by))
        const isMade = decision.type === 'accepted'
        return message.reply.resolve(isMade ? { type: 'queued' } : decision)
      }
    }
  }

  /** Decides on the work as it stands until what was decided is committed, or is no change. */
  async #commit<D extends Decision | CheckDecision | RequestDecision>(
    decideOn: (state: WorkState, at: string) => D,
  ): Promise<D | { readonly type: 'not_found' }> {
    const { clock } = this.#options
    for (let decisions = 0; decisions < decisionsMax; decisions += 1) {
      if (this.#state === undefined) return { type: 'not_found' }
      const at = formatTimestamp(clock.nowMs())
      const decision = decideOn(this.#state, at)
      if (!isAccepted(decision)) return decision
      const expectedSeq = this.#state.seq
      const change = { ark: this.#ark, expectedSeq, at, decision, unique: [] }
      const answer = await propose(this.#options, change)
      if (answer.type === 'committed') {
        this.#evolve(decision, answer)
        return decision
      }
      // A receipt's name that is taken, or a time that is past, is only drawn again.
      if (answer.type === 'stale') this.#state = this.#read()
    }
    throw new ActorError('overloaded', `${this.#ark} was changed too often at one time`)
  }

  #change(state: WorkState, at: string, command: ChangeAsk): Decision {
    if (command.type === 'withdraw' || command.type === 'erase') {
      return decide(state, { ...command, at })
    }
    const receiptSuffix = randomBetanumerics(receiptSuffixCharacters, this.#options.random)
    return decide(state, { ...command, at, receiptSuffix, current: this.#metadataOf(state) })
  }

  #check(state: WorkState, at: string, report: CheckReport): CheckDecision {
    const [byte = 0] = this.#options.random(1)
    return decideCheck(state, this.#metadataOf(state), report, { at, jitter: byte / 256 })
  }

  #metadataOf({ position }: WorkState): Metadata | undefined {
    return metadataAt(position, readerOf(this.#options.store))
  }

  #read(): WorkState | undefined {
    return readWork(this.#ark, readerOf(this.#options.store))?.state
  }

  #evolve(decision: SignableDecision, committed: Committed): void {
    for (const [index, event] of decision.events.entries()) {
      const place = committed.events[index]
      if (place !== undefined) this.#state = evolve(this.#state, event, place)
    }
  }
}

function isAccepted<D extends { readonly type: string }>(
  decision: D,
): decision is D & SignableDecision {
  return decision.type === 'accepted'
}
