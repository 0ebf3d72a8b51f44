import { ActorError } from '#actors/kernel/actor_error.ts'
import { randomBetanumerics, type RandomBytes } from '#actors/values/betanumeric.ts'
import type { ClaimDraft } from '#actors/people/claim_events.ts'
import {
  authenticatedOrcid,
  claimantOf,
  readProfile,
  readWholeClaim,
} from '#actors/claims/record.ts'
import { claimIdKey, readClaim, readClaimants, readClaimed } from '#actors/claims/rows.ts'
import { type ClaimCommand, type ClaimDecision, decideClaim } from '#actors/claims/rules.ts'
import type { Claim } from '#actors/claims/port.ts'
import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import type { NewEvent, ProposalRefused } from '#actors/journal/journal.ts'
import { ask, type Ref, type Reply } from '#actors/kernel/kernel.ts'
import { personStream } from '#actors/people/events.ts'
import { type PersonReader, readPerson } from '#actors/people/record.ts'
import type { PersonSeal } from '#actors/people/seal.ts'
import type { SequencerMessage } from '#actors/journal/sequencer.ts'
import { readWork } from '#actors/works/record.ts'
import type { ProposalOrder } from '#actors/journal/proposal_order.ts'
import { readerOf } from '#actors/journal/view_row.ts'
import { metadataAt } from '#actors/works/stored_metadata.ts'
import { assert } from '#log/errors.ts'
import type { Store } from '#log/store.ts'

// Distributes over the names, so that each answer keeps its own.
type Told<Type extends string> = Type extends string
  ? { readonly type: Type; readonly claim: Claim }
  : never

/** Decisions that are answered with the claim as it stands. */
const toldTypes = ['exists', 'unchanged', 'rejected', 'wrong_status'] as const

type ToldType = (typeof toldTypes)[number]

/** What a command led to, or why to nothing. */
export type ClaimOutcome =
  | Told<'claimed' | 'agreed' | 'changed' | ToldType>
  | { readonly type: 'no_person' | 'too_many_claims' }
  | Exclude<ClaimDecision | NoWork, { type: 'accepted' | ToldType }>

/** What the actor of a person's claims understands; `ark` is `naan/name`. */
export type ClaimMessage = {
  readonly type: 'change'
  readonly ark: string
  readonly command: ClaimCommand
  readonly reply: Reply<ClaimOutcome>
}

/** What the actors of claims share. */
export type ClaimActorOptions = {
  readonly store: Store
  readonly sequencer: Ref<SequencerMessage>
  readonly order: ProposalOrder
  readonly clock: Clock
  readonly random: RandomBytes
  readonly seal: PersonSeal
  readonly askTimeoutMs: number
}

/** Random characters of a claim's id: 29^12, so that a second draw of one is no concern. */
const claimIdCharacters = 12

/** Claims that a person may have, and that a work may have: the bound of what an erasure writes. */
const claimsMax = 20_000
const claimantsMax = 5_000

type NoWork = { readonly type: 'no_work' }

/** Times a command is decided anew because the journal has moved on in the meantime. */
const decisionsMax = 16

/**
 * The claims of one person. They stand in the person's stream, so that the sequencer refuses what
 * was decided before a change of the person. All state is in rows; what it owns is the right to
 * propose changes of them.
 */
export class ClaimActor {
  readonly #ppid: string
  readonly #options: ClaimActorOptions
  readonly #reader: PersonReader

  constructor(ppid: string, options: ClaimActorOptions) {
    this.#ppid = ppid
    this.#options = options
    this.#reader = { read: readerOf(options.store), seal: options.seal }
  }

  async receive({ ark, command, reply }: ClaimMessage): Promise<void> {
    reply.resolve(await this.#change(ark, command))
  }

  async #change(ark: string, command: ClaimCommand): Promise<ClaimOutcome> {
    const { read } = this.#reader
    for (let decisions = 0; decisions < decisionsMax; decisions += 1) {
      const person = readPerson(this.#ppid, read)?.state
      if (person?.status !== 'active') return { type: 'no_person' }
      const decision = this.#decide(ark, command)
      if (decision.type !== 'accepted') return this.#refused(ark, decision)
      const { draft, outcome } = decision
      if (draft.type === 'ClaimMade' && this.#isFull(ark)) return { type: 'too_many_claims' }
      const refusal = await this.#propose(person.seq, draft)
      if (refusal === undefined) return { type: outcome, claim: this.#read(ark) }
    }
    throw new ActorError('overloaded', `${this.#ppid} was changed too often at one time`)
  }

  #decide(ark: string, command: ClaimCommand): ClaimDecision | NoWork {
    const { read } = this.#reader
    const work = readWork(ark, read)?.state
    if (work === undefined) return { type: 'no_work' }
    const claim = readClaim(this.#ppid, ark, read)
    const profile = readProfile(this.#ppid, this.#reader)
    const orcid = authenticatedOrcid(profile)
    const claimant = profile === undefined ? {} : claimantOf(profile)
    const metadata = metadataAt(work.position, read)
    const claimId = `claim_${randomBetanumerics(claimIdCharacters, this.#options.random)}`
    const subject = { claim, claimId, ppid: this.#ppid, orcid, claimant, work, metadata }
    return decideClaim(subject, command)
  }

  #isFull(ark: string): boolean {
    const { read } = this.#reader
    if (readClaim(this.#ppid, ark, read) !== undefined) return false
    const claims = readClaimed(this.#ppid, read)?.claims ?? 0
    return claims >= claimsMax || readClaimants(ark, read).length >= claimantsMax
  }

  #refused(
    ark: string,
    decision: Exclude<ClaimDecision | NoWork, { type: 'accepted' }>,
  ): ClaimOutcome {
    return isTold(decision) ? { type: decision.type, claim: this.#read(ark) } : decision
  }

  #read(ark: string): Claim {
    const claim = readWholeClaim(this.#ppid, ark, this.#reader)
    assert(claim !== undefined, 'a claim that was decided on is there')
    return claim
  }

  /** Asks the sequencer to commit an event; gives why it was not. */
  async #propose(expectedSeq: number, draft: ClaimDraft): Promise<ProposalRefused | undefined> {
    const { sequencer, order, clock, askTimeoutMs } = this.#options
    const { ark, claim_id } = draft.data
    const isNew = readClaim(this.#ppid, ark, this.#reader.read) === undefined
    const proposal = {
      stream: personStream(this.#ppid),
      expectedSeq,
      at: formatTimestamp(clock.nowMs()),
      events: [this.#seal(draft)],
      unique: isNew ? [claimIdKey(claim_id)] : [],
      entries: [],
    }
    await order.follow(Promise.resolve())
    const answer = await ask(sequencer, { type: 'propose', proposal }, askTimeoutMs)
    return answer.type === 'committed' ? undefined : answer
  }

  #seal({ personal, ...event }: ClaimDraft): NewEvent {
    if (personal === undefined) return event
    const sealed = this.#options.seal.seal(this.#ppid, personal)
    return { ...event, data: { ...event.data, sealed } }
  }
}

function isTold<D extends { readonly type: string }>(
  decision: D,
): decision is D & { readonly type: ToldType } {
  return toldTypes.some((type) => type === decision.type)
}
