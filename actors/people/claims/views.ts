import type { Operation } from '#log/store/store.ts'
import type { PersonStep } from '#actors/people/views.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import {
  decodeRow,
  encodeRow,
  type Index,
  Overlay,
  positionPart,
  present,
  type ReadRow,
} from '#actors/journal/rows.ts'
import {
  type ClaimBasis,
  type ClaimChanged,
  type ClaimEvent,
  type ClaimMade,
  type ClaimSide,
  type ClaimStatus,
  isClaimEvent,
} from '#actors/people/events.ts'
import { readPerson } from '#actors/people/record.ts'
import { may } from '#actors/values/authority.ts'
import {
  type Agent,
  formatOwner,
  type OwnerRef,
  parseOwnerText,
  personOf,
} from '#actors/values/agent.ts'
import { activityRow, moveCounts } from '#actors/works/views.ts'
import { type WorkState, type WorkStep } from '#actors/works/events.ts'
import { readNamedWork } from '#actors/works/record.ts'
import { assert } from '#log/tlog/errors.ts'

/**
 * A claim as it stands. `made` is the position of the event that holds its message, `contested` of
 * the one that holds why it was contested; `older` and `newer` are the ARKs of the person's claims
 * before and after it.
 */
export type ClaimRow = {
  readonly claim_id: string
  readonly ark: string
  readonly ppid: string
  readonly status: ClaimStatus
  readonly waits_for: ClaimSide
  readonly basis?: ClaimBasis
  readonly author_position?: number
  readonly blocked?: true
  /** Whether the person has said so themselves, and not only an application that they permit. */
  readonly person_confirmed?: true
  readonly source: Agent
  readonly created_at: string
  readonly updated_at: string
  readonly made: number
  readonly contested?: number
  readonly older: string | null
  readonly newer: string | null
}

function claimKey(ppid: string, ark: string): string {
  return `claim/${ppid}/${ark}`
}

/** The claim of a person on a work; undefined if there is none. */
export function readClaim(ppid: string, ark: string, read: ReadRow): ClaimRow | undefined {
  return decodeRow<ClaimRow>(read(claimKey(ppid, ark)))
}

/** The claim of a person on a work that another row names; `store_corrupt` if it is not there. */
export function readNamedClaim(ppid: string, ark: string, read: ReadRow): ClaimRow {
  return present(readClaim(ppid, ark, read), `the claim of ${ppid} on ${ark}`)
}

function claimantsKey(ark: string): string {
  return `claimant/${ark}`
}

/** The ppids of those who have claims on a work, whatever their status. */
export function readClaimants(ark: string, read: ReadRow): readonly string[] {
  return decodeRow<readonly string[]>(read(claimantsKey(ark))) ?? []
}

/**
 * What a person claims: the works that came first and last, how many there are, how many of them
 * are verified and stand, and the same by their registrants, `organization:demo`, as far as there
 * are any.
 */
type ClaimedRow = {
  readonly oldest: string
  readonly newest: string
  readonly claims: number
  readonly works: number
  readonly registrants: Readonly<Record<string, number>>
}

function claimedKey(ppid: string): string {
  return `claimed/${ppid}`
}

/** What a person claims; undefined for one who never did. */
export function readClaimed(ppid: string, read: ReadRow): ClaimedRow | undefined {
  return decodeRow<ClaimedRow>(read(claimedKey(ppid)))
}

/** Key of the row that finds a claim by its id. */
export function claimIdKey(claimId: string): string {
  return `claim_id/${claimId}`
}

/** What a claim's id stands for. */
export type ClaimIdRow = { readonly ppid: string; readonly ark: string }

/** What begins the keys of the claims that wait for a registrant's word. */
export function awaitingPrefix(registrant: OwnerRef): string {
  return `awaiting/${formatOwner(registrant)}/`
}

function awaitingKey(registrant: OwnerRef, { made }: Pick<ClaimRow, 'made'>): string {
  return awaitingPrefix(registrant) + positionPart(made)
}

/** What begins the keys of the claims that wait for an administrator. */
export const disputedPrefix = 'disputed/'

function disputedKey({ contested }: Pick<ClaimRow, 'contested'>): string {
  assert(contested !== undefined, 'a claim in dispute was contested')
  return disputedPrefix + positionPart(contested)
}

const claimKeys = ['claim/', 'claim_id/', 'claimant/', 'claimed/', 'awaiting/', 'disputed/']

/** The rows of claims that events of people lead to: those of claims, and the end of a person. */
export const personClaimIndexes: readonly Index<PersonStep>[] = [
  { keys: claimKeys, on: ['ClaimMade', 'ClaimChanged'], rows: indexClaim },
  { keys: claimKeys, on: ['PersonErased'], rows: eraseClaims },
]

/**
 * The same for events of works: one that is registered for a person is theirs, and one that is
 * withdrawn counts for nobody. They change counts that the event has changed before.
 */
export const workClaimIndexes: readonly Index<WorkStep>[] = [
  { keys: claimKeys, on: ['WorkRegistered'], rows: addRegistration },
  { keys: claimKeys, on: ['WorkWithdrawn', 'MetadataLost'], rows: leaveWithdrawn },
]

function indexClaim({ event, state }: PersonStep, read: ReadRow): readonly Operation[] {
  assert(isClaimEvent(event), 'only claims change claims')
  const { ppid } = state
  const rows = new Overlay(read)
  const { ark } = event.data
  const work = readNamedWork(ark, read).state
  const claim = readClaim(ppid, ark, read)
  const changed =
    event.type === 'ClaimMade' ? makeClaim(ppid, claim, event) : changeClaim(claim, event)
  const next = { ...changed, ...(isPersonsWord(event, changed, work) && personConfirmed) }
  putClaim(rows, { before: claim, after: next, work })
  rows.apply([activityRow(work.owner, 'claim', event)])
  return rows.operations()
}

const personConfirmed = { person_confirmed: true } as const

/** Whether by an event the person says themselves that they are an author. */
function isPersonsWord(
  { type, data, by }: JournalEvent & ClaimEvent,
  { ppid, status }: ClaimRow,
  work: WorkState,
): boolean {
  const agrees = type === 'ClaimMade' || data.step === 'confirm'
  return agrees && status !== 'withdrawn' && may(by, 'claim', 'accept', { ppid, work })
}

function makeClaim(
  ppid: string,
  before: ClaimRow | undefined,
  { data, by, at, position }: JournalEvent & ClaimMade,
): ClaimRow {
  const { sealed: _, ...facts } = data
  const { created_at = at, older = null, newer = null } = before ?? {}
  const times = { created_at, updated_at: at, made: position }
  return { ...facts, ppid, source: by, ...times, older, newer }
}

function changeClaim(
  before: ClaimRow | undefined,
  { data, at, position }: JournalEvent & ClaimChanged,
): ClaimRow {
  assert(before !== undefined, 'a claim is made before it changes')
  const { status, basis, author_position, blocked, step } = data
  const { basis: _, ...kept } = before
  return {
    ...kept,
    status,
    ...(basis !== undefined && { basis }),
    ...(author_position !== undefined && { author_position }),
    ...(blocked !== undefined && { blocked }),
    ...(step === 'contest' && { contested: position }),
    updated_at: at,
  }
}

/** Verified, since the registrant says so. Nothing for a person who is not there. */
function addRegistration(
  { state: work, event: { by, at, position } }: WorkStep,
  read: ReadRow,
  made: readonly Operation[],
): readonly Operation[] {
  const ppid = personOf(by)
  if (ppid === undefined || readPerson(ppid, read)?.state.status !== 'active') return []
  const { receipt_id } = work
  const after: ClaimRow = {
    claim_id: `claim_${receipt_id.slice(receipt_id.lastIndexOf('_') + 1)}`,
    ark: work.ark,
    ppid,
    status: 'verified',
    waits_for: 'registrant',
    basis: 'registrant',
    source: by,
    created_at: at,
    updated_at: at,
    made: position,
    older: null,
    newer: null,
  }
  const rows = new Overlay(read)
  rows.apply(made)
  putClaim(rows, { before: undefined, after, work })
  return rows.operations()
}

/** A withdrawn work counts for nobody; one that had been withdrawn before it was lost did not. */
function leaveWithdrawn(
  { state: work, event }: WorkStep,
  read: ReadRow,
  made: readonly Operation[],
): readonly Operation[] {
  if (event.type === 'MetadataLost' && event.data.reason !== 'data_lost') return []
  const rows = new Overlay(read)
  rows.apply(made)
  const registrant = formatOwner(work.owner)
  for (const ppid of readClaimants(work.ark, rows.read)) {
    const claim = readNamedClaim(ppid, work.ark, rows.read)
    const change = -weightOf(claim, { status: 'registered' })
    countWork(rows, { ppid, registrant, change })
  }
  return rows.operations()
}

function eraseClaims({ state: { ppid } }: PersonStep, read: ReadRow): readonly Operation[] {
  const claimed = readClaimed(ppid, read)
  if (claimed === undefined) return []
  const rows = new Overlay(read)
  for (let ark: string | null = claimed.newest; ark !== null; ) {
    const claim = readNamedClaim(ppid, ark, rows.read)
    const work = readNamedWork(ark, rows.read).state
    const others = readClaimants(ark, rows.read).filter((other) => other !== ppid)
    if (others.length > 0) rows.put(claimantsKey(ark), encodeRow(others))
    else del(rows, claimantsKey(ark))
    del(rows, claimKey(ppid, ark), claimIdKey(claim.claim_id))
    del(rows, ...waitingKeys(claim, work))
    ark = claim.older
  }
  for (const registrant of Object.keys(claimed.registrants)) {
    rows.apply([moveCounts(parseOwnerText(registrant), { people_count: -1 }, rows.read)])
  }
  del(rows, claimedKey(ppid))
  return rows.operations()
}

type Move = {
  readonly before: ClaimRow | undefined
  readonly after: ClaimRow
  readonly work: WorkState
}

/** Writes a claim and all that follows from its change. */
function putClaim(rows: Overlay, { before, after, work }: Move): void {
  const { ppid, ark } = after
  if (before === undefined) {
    addToClaimed(rows, after)
    rows.put(claimIdKey(after.claim_id), encodeRow({ ppid, ark }))
    rows.put(claimantsKey(ark), encodeRow([...readClaimants(ark, rows.read), ppid]))
  } else {
    rows.put(claimKey(ppid, ark), encodeRow(after))
  }
  if (before !== undefined) del(rows, ...waitingKeys(before, work))
  for (const key of waitingKeys(after, work)) rows.put(key, encodeRow({ ppid, ark }))
  const change = weightOf(after, work) - (before === undefined ? 0 : weightOf(before, work))
  countWork(rows, { ppid, registrant: formatOwner(work.owner), change })
}

/** Puts a claim after all others of its person, each of which leads to its neighbours. */
function addToClaimed(rows: Overlay, claim: ClaimRow): void {
  const { ppid, ark } = claim
  const claimed = readClaimed(ppid, rows.read)
  const first: ClaimedRow = { oldest: ark, newest: ark, claims: 0, works: 0, registrants: {} }
  const { claims, ...row } = claimed ?? first
  rows.put(claimedKey(ppid), encodeRow({ ...row, newest: ark, claims: claims + 1 }))
  const older = claimed?.newest ?? null
  rows.put(claimKey(ppid, ark), encodeRow({ ...claim, older }))
  if (older === null) return
  const before = readNamedClaim(ppid, older, rows.read)
  rows.put(claimKey(ppid, older), encodeRow({ ...before, newer: ark }))
}

/** The keys by which somebody finds a claim who is asked to decide on it. */
function waitingKeys(claim: ClaimRow, { owner }: WorkState): string[] {
  const { status, waits_for } = claim
  if (status === 'disputed') return [disputedKey(claim)]
  return status === 'pending' && waits_for === 'registrant' ? [awaitingKey(owner, claim)] : []
}

/** What a claim adds to the number of the person's works. */
function weightOf({ status }: ClaimRow, work: Pick<WorkState, 'status'>): 0 | 1 {
  return status === 'verified' && work.status === 'registered' ? 1 : 0
}

/** Counts a work of a person, and the person among those of the registrant's works. */
function countWork(
  rows: Overlay,
  { ppid, registrant, change }: { ppid: string; registrant: string; change: number },
): void {
  if (change === 0) return
  const claimed = present(readClaimed(ppid, rows.read), `the count of the claims of ${ppid}`)
  const { [registrant]: had = 0, ...others } = claimed.registrants
  const has = had + change
  const registrants = has === 0 ? others : { ...others, [registrant]: has }
  const works = claimed.works + change
  rows.put(claimedKey(ppid), encodeRow({ ...claimed, works, registrants }))
  const people_count = Number(has > 0) - Number(had > 0)
  if (people_count === 0) return
  rows.apply([moveCounts(parseOwnerText(registrant), { people_count }, rows.read)])
}

function del(rows: Overlay, ...keys: readonly string[]): void {
  rows.apply(keys.map((key) => ({ type: 'del', key }) as const))
}
