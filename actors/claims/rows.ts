import { decodeRow, present, type ReadRow } from '#actors/journal/rows.ts'
import type { Agent, OwnerRef } from '#actors/values/agent.ts'
import { formatOwner } from '#actors/works/views.ts'
import type { ClaimBasis, ClaimSide, ClaimStatus } from '#actors/people/claim_events.ts'

/**
 * A claim as it stands. `made` is the position of the event that holds its message, `contested` of
 * the one that holds why it was contested; `older` is the ARK of the person's claim before it.
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
  readonly source: Agent
  readonly created_at: string
  readonly updated_at: string
  readonly made: number
  readonly contested?: number
  readonly older: string | null
}

/** Key of the row of a claim; `ark` is `naan/name`. */
export function claimKey(ppid: string, ark: string): string {
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

/** Key of the row that names who has claims on a work, in the order in which they came. */
export function claimantsKey(ark: string): string {
  return `claimant/${ark}`
}

/** The ppids of those who have claims on a work, whatever their status. */
export function readClaimants(ark: string, read: ReadRow): readonly string[] {
  return decodeRow<readonly string[]>(read(claimantsKey(ark))) ?? []
}

/**
 * What a person claims: the work that came last, how many there are, how many of them are verified
 * and stand, and the same by their registrants, `organization:demo`, as far as there are any.
 */
export type ClaimedRow = {
  readonly newest: string
  readonly claims: number
  readonly works: number
  readonly registrants: Readonly<Record<string, number>>
}

/** Key of the row that says what a person claims. */
export function claimedKey(ppid: string): string {
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

/** Key of the row of such a claim. */
export function awaitingKey(registrant: OwnerRef, { ark, ppid }: ClaimIdRow): string {
  return `${awaitingPrefix(registrant)}${ark}/${ppid}`
}

/** The claim that such a key names. */
export function parseAwaitingKey(key: string): ClaimIdRow {
  const [, , naan = '', name = '', ppid = ''] = key.split('/')
  return { ark: `${naan}/${name}`, ppid }
}
