import { readCase, readWholeClaim } from '#actors/claims/record.ts'
import {
  claimIdKey,
  type ClaimRow,
  readClaim,
  readClaimants,
  readClaimed,
} from '#actors/claims/views.ts'
import { type ClaimCommand, type ClaimDecision, decideClaim } from '#actors/claims/rules.ts'
import type { Claim } from '#actors/claims/port.ts'
import { propose } from '#actors/journal/proposing.ts'
import { readerOf } from '#actors/journal/rows.ts'
import type { Reply } from '#actors/kernel/kernel.ts'
import type { EntityBehaviour } from '#actors/kernel/shards.ts'
import { PersonEntity, type PersonEntityOptions, type PersonMessage } from '#actors/people/actor.ts'
import { type ActivePerson, personStream } from '#actors/people/events.ts'
import { type PersonReader, readPerson, sealDraft } from '#actors/people/record.ts'
import { randomBetanumerics, type RandomBytes } from '#actors/values/betanumeric.ts'
import { assert } from '#log/base/errors.ts'

// Distributes over the names, so that each answer keeps its own.
type WithClaim<Type extends string> = Type extends string
  ? { readonly type: Type; readonly claim: Claim }
  : never

/** Decisions that are answered with the claim as it stands. */
const withClaimTypes = ['exists', 'unchanged', 'rejected', 'wrong_status'] as const

type WithClaimType = (typeof withClaimTypes)[number]

/** What a command led to, or why to nothing. */
export type ClaimOutcome =
  | WithClaim<'claimed' | 'agreed' | 'changed' | WithClaimType>
  | { readonly type: 'no_person' | 'too_many_claims' }
  | Exclude<ClaimDecision | NoWork, { type: 'accepted' | WithClaimType }>

/** A command on the claim of a person on the work `ark`, `naan/name`. */
export type ClaimMessage = {
  readonly type: 'claim'
  readonly ark: string
  readonly command: ClaimCommand
  readonly reply: Reply<ClaimOutcome>
}

/** What the entity of a person understands, whose claims stand in the same stream. */
export type PersonEntityMessage = PersonMessage | ClaimMessage

/** Random characters of a claim's id: 29^12, so that a second draw of one is no concern. */
const claimIdCharacters = 12

/** Claims that a person may have, and that a work may have: the bound of what an erasure writes. */
const claimsMax = 20_000
const claimantsMax = 5_000

type NoWork = { readonly type: 'no_work' }

type Options = PersonEntityOptions & { readonly random: RandomBytes }

/** One person, with their claims: they have one stream, and so one entity. */
export function personWithClaims(
  ppid: string,
  options: Options,
): EntityBehaviour<PersonEntityMessage> {
  const person = new PersonEntity(ppid, options)
  const claims = new PersonClaims(ppid, options)
  return {
    holdsState: false,
    receive: (message) =>
      message.type === 'claim' ? claims.receive(message) : person.receive(message),
  }
}

/** The claims of one person. All state is in rows; what is sealed is opened for each command. */
class PersonClaims {
  readonly #ppid: string
  readonly #options: Options
  readonly #reader: PersonReader

  constructor(ppid: string, options: Options) {
    this.#ppid = ppid
    this.#options = options
    this.#reader = { read: readerOf(options.store), seal: options.seal }
  }

  async receive({ ark, command, reply }: ClaimMessage): Promise<void> {
    reply.resolve(await this.#change(ark, command))
  }

  #change(ark: string, command: ClaimCommand): Promise<ClaimOutcome> {
    const { proposer, seal } = this.#options
    const { read } = this.#reader
    return propose<ClaimOutcome>(proposer, personStream(this.#ppid), () => {
      const person = readPerson(this.#ppid, read)?.state
      if (person?.status !== 'active') return { answer: { type: 'no_person' } }
      const claim = readClaim(this.#ppid, ark, read)
      const decision = this.#decide(person, ark, claim, command)
      if (decision.type !== 'accepted') return { answer: this.#refused(ark, decision) }
      const { draft, outcome } = decision
      const isNew = claim === undefined
      if (isNew && draft.type === 'ClaimMade' && this.#isFull(ark)) {
        return { answer: { type: 'too_many_claims' } }
      }
      return {
        expectedSeq: person.seq,
        events: [sealDraft(this.#ppid, draft, seal)],
        unique: isNew ? [claimIdKey(draft.data.claim_id)] : [],
        committed: () => ({ type: outcome, claim: this.#read(ark) }),
      }
    })
  }

  #decide(
    person: ActivePerson,
    ark: string,
    claim: ClaimRow | undefined,
    command: ClaimCommand,
  ): ClaimDecision | NoWork {
    const known = readCase(person, ark, claim, this.#reader)
    if (known === undefined) return { type: 'no_work' }
    const claimId = `claim_${randomBetanumerics(claimIdCharacters, this.#options.random)}`
    return decideClaim({ ...known, claimId }, command)
  }

  #isFull(ark: string): boolean {
    const { read } = this.#reader
    const claims = readClaimed(this.#ppid, read)?.claims ?? 0
    return claims >= claimsMax || readClaimants(ark, read).length >= claimantsMax
  }

  #refused(
    ark: string,
    decision: Exclude<ClaimDecision | NoWork, { type: 'accepted' }>,
  ): ClaimOutcome {
    return isWithClaim(decision) ? { type: decision.type, claim: this.#read(ark) } : decision
  }

  #read(ark: string): Claim {
    const claim = readWholeClaim(this.#ppid, ark, this.#reader)
    assert(claim !== undefined, 'a claim that was decided on is there')
    return claim
  }
}

function isWithClaim<D extends { readonly type: string }>(
  decision: D,
): decision is D & { readonly type: WithClaimType } {
  return withClaimTypes.some((type) => type === decision.type)
}
