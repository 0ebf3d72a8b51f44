import { type RandomBytes, randomBetanumerics } from '#actors/betanumeric.ts'
import { type Clock, formatTimestamp } from '#actors/clock.ts'
import type { Committed, ProposalRefused } from '#actors/journal.ts'
import { ActorError } from '#actors/actor_error.ts'
import { ask, type Ref, type Reply } from '#actors/kernel.ts'
import type { SequencerMessage } from '#actors/sequencer.ts'
import { receiptSuffixCharacters, type StatementSigner, signStatement } from '#actors/statement.ts'
import type { ReadRow } from '#actors/view_row.ts'
import { type WorkState, workStream } from '#actors/work_events.ts'
import { readWork } from '#actors/work_record.ts'
import {
  type Accepted,
  type Decision,
  decide,
  evolve,
  type WorkCommand,
} from '#actors/work_rules.ts'
import { metadataAt, receiptKey } from '#actors/work_views.ts'
import type { ChangeAnswer, WorkChange } from '#actors/works.ts'
import { assert } from '#log/errors.ts'
import type { Store } from '#log/store.ts'

/** What the actor adds to a command itself: time, randomness, and what the work is now. */
type Added = 'at' | 'receiptSuffix' | 'current' | 'ark'

// Distributes over the union, so that each kind of command keeps its own members.
type Ask<C extends WorkCommand> = C extends WorkCommand ? Omit<C, Added> : never

/** A command as it is sent to a work's actor. */
export type RegisterAsk = Ask<Extract<WorkCommand, { type: 'register' }>>
export type ChangeAsk = Ask<Exclude<WorkCommand, { type: 'register' }>>

/**
 * What registering under a minted ARK leads to. `exists`: the ARK is in use; `taken`: a row of
 * `unique` exists, `holder` is its value.
 */
export type RegisterOutcome =
  | { readonly type: 'changed'; readonly change: WorkChange }
  | { readonly type: 'exists' }
  | Extract<ProposalRefused, { type: 'taken' }>

/** What the actor of a work understands. `unique` are rows that must not exist yet. */
export type WorkMessage =
  | {
      readonly type: 'register'
      readonly command: RegisterAsk
      readonly unique: readonly string[]
      readonly reply: Reply<RegisterOutcome>
    }
  | { readonly type: 'change'; readonly command: ChangeAsk; readonly reply: Reply<ChangeAnswer> }

/** What the actors of works share. */
export type WorkActorOptions = {
  readonly store: Store
  readonly sequencer: Ref<SequencerMessage>
  readonly signer: StatementSigner
  readonly clock: Clock
  readonly random: RandomBytes
  readonly askTimeoutMs: number
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
  #isLoaded = false

  /** `ark` is `naan/name`. */
  constructor(ark: string, options: WorkActorOptions) {
    this.#ark = ark
    this.#options = options
  }

  async receive(message: WorkMessage): Promise<void> {
    switch (message.type) {
      case 'register': {
        const outcome = await this.#commit(message.command, message.unique)
        if (outcome.type === 'changed') return message.reply.resolve(outcome)
        assert(outcome.type === 'taken', 'registering succeeds or finds something taken')
        return message.reply.resolve('key' in outcome ? outcome : { type: 'exists' })
      }
      case 'change': {
        const outcome = await this.#commit(message.command, [])
        assert(outcome.type !== 'taken', 'a change takes no ARK')
        return message.reply.resolve(outcome)
      }
    }
  }

  async #commit(
    command: RegisterAsk | ChangeAsk,
    unique: readonly string[],
  ): Promise<Refusal | Extract<ChangeAnswer, { type: 'changed' }>> {
    for (let decisions = 0; decisions < decisionsMax; decisions += 1) {
      const decision = this.#decide(command)
      if (decision.type !== 'accepted') return decision
      const answer = await this.#propose(decision, unique)
      switch (answer.type) {
        case 'committed':
          this.#evolve(decision, answer)
          return { type: 'changed', change: decision.change }
        case 'taken':
          if (unique.includes(answer.key)) return answer
          break
        case 'stale':
          this.#load((key) => this.#options.store.get(key))
          break
        case 'late':
          break
      }
    }
    throw new ActorError('overloaded', `${this.#ark} was changed too often at one time`)
  }

  #decide(command: RegisterAsk | ChangeAsk): Decision {
    const { store, clock, random } = this.#options
    const read = (key: string) => store.get(key)
    // A minted ARK is almost always new, and the sequencer refuses it where it is not.
    if (!this.#isLoaded && command.type !== 'register') this.#load(read)
    const at = formatTimestamp(clock.nowMs())
    const receiptSuffix = randomBetanumerics(receiptSuffixCharacters, random)
    if (command.type === 'register') {
      return decide(this.#state, { ...command, ark: this.#ark, at, receiptSuffix })
    }
    if (command.type === 'withdraw') return decide(this.#state, { ...command, at })
    if (this.#state === undefined) return { type: 'not_found' }
    const current = metadataAt(this.#state.position, read)
    return decide(this.#state, { ...command, at, receiptSuffix, current })
  }

  #load(read: ReadRow): void {
    this.#state = readWork(this.#ark, read)?.state
    this.#isLoaded = true
  }

  async #propose(
    decision: Accepted,
    unique: readonly string[],
  ): Promise<Committed | ProposalRefused> {
    const { sequencer, signer, askTimeoutMs } = this.#options
    const { change, events, statements } = decision
    const isVersion = change.kind !== 'withdrawn'
    const signed = await Promise.all(
      statements.map((statement) => signStatement(statement, signer)),
    )
    const proposal = {
      stream: workStream(this.#ark),
      expectedSeq: this.#state?.seq ?? 0,
      at: change.created_at,
      events,
      unique: isVersion ? [receiptKey(change.receipt_id), ...unique] : unique,
      entries: signed.map(({ entry }) => entry),
    }
    return ask(sequencer, { type: 'propose', proposal }, askTimeoutMs)
  }

  #evolve(decision: Accepted, committed: Committed): void {
    for (const [index, event] of decision.events.entries()) {
      const place = committed.events[index]
      if (place !== undefined) this.#state = evolve(this.#state, event, place)
    }
    this.#isLoaded = true
  }
}

type Refusal = Exclude<Decision, Accepted> | Extract<ProposalRefused, { type: 'taken' }>
