import { checkClaim, checkStep } from '#actors/people/claims/checks.ts'
import type {
  ChangeClaimAnswer,
  Claim,
  ClaimPage,
  Claims,
  MakeClaimAnswer,
} from '#actors/people/claims/port.ts'
import {
  describeClaim,
  readCase,
  readKnownBeside,
  readMatch,
  readSteps,
  readWholeClaim,
} from '#actors/people/claims/record.ts'
import { type ClaimCommand, type ClaimDecision, decideClaim } from '#actors/people/claims/rules.ts'
import {
  awaitingPrefix,
  claimIdKey,
  type ClaimIdRow,
  type ClaimRow,
  disputedPrefix,
  readClaim,
  readClaimants,
  readClaimed,
  readNamedClaim,
} from '#actors/people/claims/views.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { propose } from '#actors/journal/proposing.ts'
import {
  decodeRow,
  keyPosition,
  type Page,
  positionRange,
  readerOf,
  readEvent,
  type ReadRow,
} from '#actors/journal/rows.ts'
import { ask, type Reply } from '#actors/kernel/kernel.ts'
import type { Entities, EntityBehaviour } from '#actors/kernel/shards.ts'
import { inStrides } from '#actors/kernel/stride.ts'
import { PersonEntity, type PersonEntityOptions, type PersonMessage } from '#actors/people/actor.ts'
import {
  type ActivePerson,
  type ClaimEvent,
  isClaimEvent,
  personStream,
} from '#actors/people/events.ts'
import type { UndoAnswer } from '#actors/people/port.ts'
import { isUndoable, type UndoCommand } from '#actors/people/queries.ts'
import { type PersonReader, type PersonSeal, readPerson, sealDraft } from '#actors/people/record.ts'
import { readWrite } from '#actors/people/views.ts'
import { randomBetanumerics, type RandomBytes } from '#actors/values/ark.ts'
import { may } from '#actors/values/authority.ts'
import { streamArk, type WorkRegistered } from '#actors/works/events.ts'
import { assert } from '#log/tlog/errors.ts'
import type { ReadStore } from '#log/store/store.ts'

// Distributes over the names, so that each answer keeps its own.
type WithClaim<Type extends string> = Type extends string
  ? { readonly type: Type; readonly claim: Claim }
  : never

/** Decisions that are answered with the claim as it stands. */
const withClaimTypes = ['exists', 'unchanged', 'rejected', 'wrong_status'] as const

type WithClaimType = (typeof withClaimTypes)[number]

type ClaimOutcome =
  | WithClaim<'claimed' | 'agreed' | 'changed' | WithClaimType>
  | { readonly type: 'no_person' | 'too_many_claims' }
  | Exclude<ClaimDecision | NoWork, { type: 'accepted' | WithClaimType }>

/** A command on the claim of a person on the work `ark`, `naan/name`. */
type ClaimMessage = {
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

type ClaimsClientOptions = {
  readonly people: Entities<PersonEntityMessage>
  readonly store: ReadStore
  readonly seal: PersonSeal
  /** The NAAN of ARKs that are given without one. */
  readonly naan: string
  readonly askTimeoutMs: number
}

/** The commands on claims, as questions to the entities of their people, and the queries. */
export function openClaims(options: ClaimsClientOptions): Claims {
  const { people, store, seal, naan, askTimeoutMs } = options
  const reader: PersonReader = { read: readerOf(store), seal }
  // A person who does not exist gets no entity.
  const send = async (ppid: string, ark: string, command: ClaimCommand): Promise<ClaimOutcome> => {
    if (reader.read(personStream(ppid)) === undefined) return { type: 'no_person' }
    return ask(people.at(ppid), { type: 'claim', ark, command }, askTimeoutMs)
  }
  return {
    async make({ ppid, body, by }) {
      const checked = checkClaim(body, naan)
      if (checked.type === 'invalid') return checked
      const { ark_identifier: ark, author_position: authorPosition, message } = checked.claim
      const position = authorPosition !== undefined && { authorPosition }
      const said = message !== undefined && { message }
      return made(await send(ppid, ark, { type: 'make', by, ...position, ...said }))
    },
    async change({ ppid, ark, step, body, by, undoes }) {
      const checked = checkStep(step, body)
      if (checked.type === 'invalid') return checked
      const { type: _, ...words } = checked
      const undone = undoes !== undefined && { undoes }
      return changed(await send(ppid, ark, { type: 'change', step, by, ...words, ...undone }))
    },
    read: (ppid, ark) => readWholeClaim(ppid, ark, reader),
    find(claimId) {
      const row = decodeRow<ClaimIdRow>(store.get(claimIdKey(claimId)))
      return row && readWholeClaim(row.ppid, row.ark, reader)
    },
    match: (claim) => readMatch(claim, reader),
    ofPerson: (ppid, page) => listClaims(ppid, page, reader),
    ofWork: (ark) => readClaimants(ark, reader.read).map((ppid) => claimOf(ppid, ark, reader)),
    awaiting: (registrant, page) => listWaiting(store, awaitingPrefix(registrant), page, reader),
    disputed: (page) => listWaiting(store, disputedPrefix, page, reader),
    knownBeside: (claim) => readKnownBeside(claim, reader),
    steps: (claim, by) => readSteps(claim, by, reader),
    worksCount: (ppid) => readClaimed(ppid, reader.read)?.works ?? 0,
  }
}

function made(outcome: ClaimOutcome): MakeClaimAnswer {
  const { type } = outcome
  assert(
    type !== 'changed' && type !== 'unchanged' && type !== 'wrong_status',
    'a claim that is made is no step',
  )
  return outcome
}

function changed(outcome: ClaimOutcome): ChangeClaimAnswer {
  // To confirm is to agree; what is disclaimed is changed, whether it was claimed or not.
  if (outcome.type === 'agreed') return { type: 'changed', claim: outcome.claim }
  assert(outcome.type !== 'claimed' && outcome.type !== 'exists', 'a step makes no claim')
  return outcome
}

function claimOf(ppid: string, ark: string, reader: PersonReader): Claim {
  return describeClaim(readNamedClaim(ppid, ark, reader.read), reader)
}

/** Those that wait for somebody, whose keys begin with `prefix`. */
async function listWaiting(
  store: ReadStore,
  prefix: string,
  page: Page<number>,
  reader: PersonReader,
): Promise<ClaimPage<number>> {
  const { limit } = page
  const claims: Claim[] = []
  let next: number | null = null
  for await (const [key, row] of inStrides(store.scan(positionRange(prefix, page)))) {
    if (claims.length === limit) return { claims, next }
    next = keyPosition(key)
    const { ppid, ark } = decodeRow<ClaimIdRow>(row)
    claims.push(claimOf(ppid, ark, reader))
  }
  return { claims, next: null }
}

/** Each claim leads to its neighbours, so that a page needs no scan. */
function listClaims(
  ppid: string,
  { cursor, order = 'newest', limit }: Page<string>,
  reader: PersonReader,
): ClaimPage<string> {
  const { read } = reader
  const following = order === 'newest' ? 'older' : 'newer'
  let ark =
    cursor === undefined
      ? (readClaimed(ppid, read)?.[order] ?? null)
      : (readClaim(ppid, cursor, read)?.[following] ?? null)
  const claims: Claim[] = []
  let next: string | null = null
  while (ark !== null) {
    if (claims.length === limit) return { claims, next }
    next = ark
    const row = readNamedClaim(ppid, ark, read)
    claims.push(describeClaim(row, reader))
    ark = row[following]
  }
  return { claims, next: null }
}

/** What makes a work a person's: its registration for them, or a claim. */
type ClaimWrite = JournalEvent & (WorkRegistered | ClaimEvent)

/** What taking back a claim goes by. */
type UndoOptions = { readonly claims: Claims; readonly read: ReadRow }

/**
 * Takes back what has made a work a person's; resolves to undefined if what was written for them
 * was of another kind.
 */
export function claimUndo({
  claims,
  read,
}: UndoOptions): (command: UndoCommand) => Promise<UndoAnswer | undefined> {
  return async (command) => {
    const event = readClaimWrite(command, read)
    return event && undoClaim(command, event, { claims, read })
  }
}

/** The event by which a work was written for a person; undefined if it was no such event. */
function readClaimWrite({ ppid, position }: UndoCommand, read: ReadRow): ClaimWrite | undefined {
  if (readWrite(ppid, position, read) === undefined) return undefined
  const event = readEvent(position, read) as ClaimWrite
  return event.type === 'WorkRegistered' || isClaimEvent(event) ? event : undefined
}

/**
 * Takes back what has made a work a person's: they disclaim it, so that it is not written again.
 * The work stays, since it is its registrant's. What became of a claim afterwards is not undone.
 */
async function undoClaim(
  { ppid, by, position }: UndoCommand,
  event: ClaimWrite,
  { claims, read }: UndoOptions,
): Promise<UndoAnswer> {
  if (!may(by, 'person', 'undo write', { ppid })) return { type: 'forbidden' }
  if (readWrite(ppid, position, read)?.undone_at !== undefined) return { type: 'already_undone' }
  if (!isUndoable(event, ppid)) return { type: 'not_undoable' }
  const ark = event.type === 'ClaimMade' ? event.data.ark : streamArk(event.stream)
  const asked = { ppid, ark, step: 'disclaim', by, undoes: position } as const
  const answer = await claims.change(asked)
  if (answer.type === 'changed') return { type: 'undone' }
  return answer.type === 'unchanged'
    ? { type: 'changed_since', position: -1 }
    : { type: 'not_undoable' }
}
