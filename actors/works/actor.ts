import type { Committed, ProposalRefused } from '#actors/journal/journal.ts'
import { idempotencyKey } from '#actors/journal/idempotency.ts'
import { type Decided, propose, type Proposer } from '#actors/journal/proposing.ts'
import { readerOf } from '#actors/journal/rows.ts'
import type { Reply } from '#actors/kernel/kernel.ts'
import type { EntityBehaviour } from '#actors/kernel/shards.ts'
import type { SerializedValue } from '#actors/kernel/remote.ts'
import { rememberDigest } from '#actors/receipts/metadata_digest.ts'
import {
  receiptSuffixCharacters,
  signEntries,
  type Statement,
  type StatementSigner,
} from '#actors/receipts/statement.ts'
import type { Agent } from '#actors/values/agent.ts'
import { randomBetanumerics, type RandomBytes } from '#actors/values/betanumeric.ts'
import { metadataAt, type WorkEvent, type WorkState, workStream } from '#actors/works/events.ts'
import {
  type AcceptedCheck,
  type CheckDecision,
  type CheckReport,
  decideCheck,
  decideRequest,
  decideUnsettledCheck,
  type RecheckAnswer,
} from '#actors/works/fixity_rules.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { ChangeAnswer, RegisterAnswer } from '#actors/works/port.ts'
import { readUnsettled, readWork } from '#actors/works/record.ts'
import {
  duplicateKey,
  describeRegistered,
  refuseDuplicate,
  replay,
  replayChange,
} from '#actors/works/registration.ts'
import {
  type Change,
  decide,
  type DecisionFacts,
  evolve,
  type WorkCommand,
} from '#actors/works/rules.ts'
import { explainStale } from '#actors/works/stale_change.ts'
import { receiptKey } from '#actors/works/views.ts'
import { assert } from '#log/base/errors.ts'
import type { Store } from '#log/base/store.ts'

type Registration = Extract<WorkCommand, { type: 'register' }>

/** What recording a check leads to; `outdated` and `gone` say that it was dropped. */
export type CheckAnswer =
  | { readonly type: 'recorded' }
  | { readonly type: 'not_found' }
  | Exclude<CheckDecision, AcceptedCheck>

/**
 * A registration as it is sent: the metadata with its canonical JSON, and the hash of that, which
 * whoever has checked it has made.
 */
type SentRegistration = Omit<Registration, 'metadata'> & {
  readonly serialized: SerializedValue<Metadata>
  readonly metadataHash: string
}

/** What the entity of a work understands. `name_taken`: another work has the name already. */
export type WorkMessage =
  | (SentRegistration & { readonly reply: Reply<RegisterAnswer | { readonly type: 'name_taken' }> })
  | (Change & { readonly reply: Reply<ChangeAnswer> })
  | {
      readonly type: 'record_check'
      readonly report: CheckReport
      readonly reply: Reply<CheckAnswer>
    }
  | { readonly type: 'request_check'; readonly by: Agent; readonly reply: Reply<RecheckAnswer> }

/** What the entities of works share. */
export type WorkEntityOptions = {
  readonly store: Store
  readonly proposer: Proposer
  readonly signer: StatementSigner
  readonly random: RandomBytes
}

/** What was decided: the events to commit, and the statements to sign and log with them. */
type Signable = { readonly events: readonly WorkEvent[]; readonly statements: readonly Statement[] }

/**
 * One work. It decides on the state it knows, has that signed and proposed, and only then holds the
 * new state and answers. It owns that state; the store's row is the same one. A registration needs
 * none, and leaves none: most works are not changed soon after, and many may come at once.
 */
export class WorkEntity implements EntityBehaviour<WorkMessage> {
  readonly #ark: string
  readonly #options: WorkEntityOptions
  #known: { readonly state: WorkState | undefined } | undefined

  /** `ark` is `naan/name`. */
  constructor(ark: string, options: WorkEntityOptions) {
    this.#ark = ark
    this.#options = options
  }

  get holdsState(): boolean {
    return this.#known?.state !== undefined
  }

  async receive(message: WorkMessage): Promise<void> {
    switch (message.type) {
      case 'register':
        return message.reply.resolve(await this.#register(registrationOf(message)))
      case 'update':
      case 'add_version':
      case 'withdraw':
      case 'erase':
        return message.reply.resolve(await this.#change(message))
      case 'record_check':
        return message.reply.resolve(await this.#recordCheck(message.report))
      case 'request_check':
        return message.reply.resolve(await this.#requestCheck(message.by))
    }
  }

  // The sequencer looks up what must be unique in any case, and most is: looking before as well
  // would cost every registration what it saves a few. Of both, the request itself counts first.
  #register(command: Registration): Promise<RegisterAnswer | { readonly type: 'name_taken' }> {
    const { metadata, warnings, idempotency: keyed } = command
    const uniqueKey = duplicateKey(command)
    const unique = [
      ...(keyed ? [idempotencyKey(keyed.key)] : []),
      ...(uniqueKey ? [uniqueKey] : []),
    ]
    const read = readerOf(this.#options.store)
    return this.#propose<RegisterAnswer | { readonly type: 'name_taken' }>((at, refused) => {
      const facts = this.#facts(at, undefined)
      const decision = decide(this.#known?.state, command, facts)
      if (decision.type !== 'accepted' || refused?.type === 'stale') {
        return { answer: { type: 'name_taken' } }
      }
      const { change } = decision
      const hasExpired = refused?.type === 'taken' && refused.key === uniqueKey
      return {
        ...this.#signed(0, decision),
        unique: [...decision.events.flatMap(receiptOf), ...unique],
        ...(hasExpired && { replaces: refused.holder }),
        committed: () => describeRegistered(change, metadata, warnings),
        taken: ({ key, holder }) => {
          if (key === uniqueKey) return refuseDuplicate(Buffer.from(holder), metadata, { at, read })
          return keyed && key === unique[0] ? replay(keyed, read) : undefined
        },
      }
    })
  }

  #change(command: Change): Promise<ChangeAnswer> {
    return this.#propose<ChangeAnswer>((at, refused) => {
      const state = this.#stateAfter(refused)
      const replayed = state && replayChange(state, command, readerOf(this.#options.store))
      if (replayed !== undefined) return { answer: replayed }
      const isRevision = command.type === 'update' || command.type === 'add_version'
      const current = state && isRevision ? this.#metadataOf(state) : undefined
      const decision = decide(state, command, this.#facts(at, current))
      assert(decision.type !== 'taken', 'a change takes no ARK')
      if (decision.type === 'precondition_failed') {
        const read = readerOf(this.#options.store)
        return { answer: explainStale(this.#ark, command, decision, read) }
      }
      if (decision.type !== 'accepted') return { answer: decision }
      const { change, warnings } = decision
      const answer = { type: 'changed', change, ...(warnings && { warnings }) } as const
      return this.#changed(state, named(decision, command), answer)
    })
  }

  #recordCheck(report: CheckReport): Promise<CheckAnswer> {
    return this.#propose<CheckAnswer>((at, refused) => {
      const state = this.#stateAfter(refused)
      if (state === undefined) return { answer: { type: 'not_found' } }
      const decision = this.#decideCheck(state, report, at)
      if (decision.type !== 'accepted') return { answer: decision }
      return this.#changed(state, decision, { type: 'recorded' })
    })
  }

  #decideCheck(state: WorkState, report: CheckReport, at: string): CheckDecision {
    if (state.status === 'registered' && report.version === state.unsettled?.version) {
      const unsettled = readUnsettled(state, readerOf(this.#options.store))
      assert(unsettled !== undefined, 'a version that waits for its check is there')
      return decideUnsettledCheck(state, unsettled, report, at)
    }
    const [byte = 0] = this.#options.random(1)
    return decideCheck(state, this.#metadataOf(state), report, { at, jitter: byte / 256 })
  }

  #requestCheck(by: Agent): Promise<RecheckAnswer> {
    return this.#propose<RecheckAnswer>((_at, refused) => {
      const state = this.#stateAfter(refused)
      if (state === undefined) return { answer: { type: 'not_found' } }
      const decision = decideRequest(state, by)
      if (decision.type !== 'accepted') return { answer: decision }
      return this.#changed(state, decision, { type: 'queued' })
    })
  }

  #propose<A>(
    decideAt: (at: string, refused: ProposalRefused | undefined) => Decided<A>,
  ): Promise<A> {
    return propose(this.#options.proposer, workStream(this.#ark), decideAt)
  }

  /** What to propose of a decision, whose statements are being signed. */
  #signed(expectedSeq: number, { events, statements }: Signable) {
    const unique = events.flatMap((event) => [...receiptOf(event), ...keyOf(event)])
    return { expectedSeq, events, unique, entries: signEntries(statements, this.#options.signer) }
  }

  /** A change of the work to propose, after which it is known as it stands then. */
  #changed<A>(before: WorkState | undefined, decision: Signable, answer: A): Decided<A> {
    const committed = ({ events: places }: Committed): A => {
      let state = before
      for (const [index, event] of decision.events.entries()) {
        const place = places[index]
        if (place !== undefined) state = evolve(state, event, place)
      }
      this.#known = { state }
      return answer
    }
    return { ...this.#signed(before?.seq ?? 0, decision), committed }
  }

  /** The work as it stands; a receipt's name that is taken, or a late time, is only drawn again. */
  #stateAfter(refused: ProposalRefused | undefined): WorkState | undefined {
    if (this.#known === undefined || refused?.type === 'stale') {
      this.#known = { state: readWork(this.#ark, readerOf(this.#options.store))?.state }
    }
    return this.#known.state
  }

  #facts(at: string, current: Metadata | undefined): DecisionFacts {
    const receiptSuffix = randomBetanumerics(receiptSuffixCharacters, this.#options.random)
    return { ark: this.#ark, at, receiptSuffix, current }
  }

  #metadataOf({ position }: WorkState): Metadata | undefined {
    return metadataAt(position, readerOf(this.#options.store))
  }
}

function registrationOf(sent: SentRegistration): Registration {
  const { serialized, metadataHash: hash } = sent
  const metadata = serialized.value
  rememberDigest(metadata, { text: serialized.text, hash })
  return { ...sent, metadata }
}

/** What was decided, with the name of the request on the first of its events. */
function named(decision: Signable, { idempotency }: Change): Signable {
  const [first, ...others] = decision.events
  if (idempotency === undefined || first === undefined) return decision
  return { ...decision, events: [{ ...first, idempotency }, ...others] }
}

/** The row of the name of the request that an event was asked for with, which must be new. */
function keyOf({ idempotency }: WorkEvent): string[] {
  return idempotency === undefined ? [] : [idempotencyKey(idempotency.key)]
}

/** The row of the receipt that comes with an event, which must be new. */
function receiptOf(event: WorkEvent): string[] {
  const isVersion = event.type === 'WorkRegistered' || event.type === 'WorkVersioned'
  return isVersion ? [receiptKey(event.data.receipt_id)] : []
}
