import type { Agent, OwnerRef } from '#actors/values/agent.ts'
import type { ClaimMatch, Mismatch } from '#actors/people/claims/match.ts'
import type { ClaimBasis, ClaimSide, ClaimStatus, ClaimStep } from '#actors/people/events.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import type { Page } from '#actors/journal/rows.ts'

/** That a person is an author of a work. There is one at most for a person and a work. */
export type Claim = {
  /** `claim_` and 12 betanumerics. */
  readonly claim_id: string
  /** `naan/name` */
  readonly ark: string
  readonly ark_identifier: string
  readonly ppid: string
  readonly status: ClaimStatus
  /** The side that must still agree while it is pending; afterwards, the side that decided. */
  readonly waits_for: ClaimSide
  /** There as long as it is verified; `admin` also for what an administrator has rejected. */
  readonly basis?: ClaimBasis
  /** Place among the authors of the work, from 1. */
  readonly author_position?: number
  readonly message?: string
  /** Why it was contested last. */
  readonly reason?: string
  readonly source: Agent
  readonly created_at: string
  readonly updated_at: string
  /** Whether the person has disclaimed the work: nobody else may claim it for them. */
  readonly blocked?: true
}

/** Why nothing was changed. */
export type ClaimRefusal =
  /** There is no such person, or their account was deleted. */
  | { readonly type: 'no_person' }
  | { readonly type: 'no_work' }
  | { readonly type: 'work_gone'; readonly withdrawnAt: string; readonly isLost?: boolean }
  | { readonly type: 'not_found' }
  | { readonly type: 'forbidden' }
  /** The person has disclaimed the work. */
  | { readonly type: 'blocked' }
  /** It was rejected: that can be contested, and not claimed again. */
  | { readonly type: 'rejected'; readonly claim: Claim }
  | { readonly type: 'too_many_claims' }
  /** It does not match its work, and who agrees to it does not say why it is right. */
  | { readonly type: 'mismatch'; readonly mismatches: readonly Mismatch[] }
  | { readonly type: 'invalid'; readonly faults: readonly FieldFault[] }

export type MakeClaimAnswer =
  /** `claimed`: it is new. `agreed`: the other side had made it, and it is verified by this. */
  | { readonly type: 'claimed'; readonly claim: Claim }
  | { readonly type: 'agreed'; readonly claim: Claim }
  /** The same side has claimed this before. */
  | { readonly type: 'exists'; readonly claim: Claim }
  | ClaimRefusal

export type ChangeClaimAnswer =
  | { readonly type: 'changed'; readonly claim: Claim }
  | { readonly type: 'unchanged'; readonly claim: Claim }
  /** Not what can be said of a claim of this status. */
  | { readonly type: 'wrong_status'; readonly claim: Claim }
  | ClaimRefusal

/** A page of claims; `next` is the cursor of the one that follows, null if none does. */
export type ClaimPage<Cursor> = {
  readonly claims: readonly Claim[]
  readonly next: Cursor | null
}

/** Somebody who counts as an author of a work, and at which place, from 1, if that is known. */
export type KnownAuthor = { readonly ppid: string; readonly author_position?: number }

/** The commands and queries on authorship claims. `ark` is `naan/name`. */
export type Claims = {
  /** `body`: unchecked JSON `{ark_identifier, author_position?, message?}`. */
  make(command: {
    readonly ppid: string
    readonly body: unknown
    readonly by: Agent
  }): Promise<MakeClaimAnswer>
  /**
   * `body`: unchecked JSON: `{reason}` of `contest`, `{confirm_mismatch?}` of `confirm`, nothing of
   * the others. `undoes` is the position of the write that a `disclaim` takes back.
   */
  change(command: {
    readonly ppid: string
    readonly ark: string
    readonly step: ClaimStep
    readonly body?: unknown
    readonly by: Agent
    readonly undoes?: number
  }): Promise<ChangeClaimAnswer>
  read(ppid: string, ark: string): Claim | undefined
  find(claimId: string): Claim | undefined
  /** What a reviewer sees of a claim; undefined once the metadata of its work were erased. */
  match(claim: Claim): ClaimMatch | undefined
  /**
   * Of one person, the work that came last first by default, in whatever status; the cursor is the
   * ARK, `naan/name`, of the last one seen.
   */
  ofPerson(ppid: string, page: Page<string>): ClaimPage<string>
  /** Of all persons for one work, in the order in which they were made. */
  ofWork(ark: string): readonly Claim[]
  /** Those that wait for the word of who registered the work, the newest first by default. */
  awaiting(registrant: OwnerRef, page: Page<number>): Promise<ClaimPage<number>>
  /** Others who count as authors of the work of a claim, the first ten. */
  knownBeside(claim: Claim): readonly KnownAuthor[]
  /** Those that wait for an administrator, the one that was contested last first by default. */
  disputed(page: Page<number>): Promise<ClaimPage<number>>
  /** What somebody could say of a claim as it stands, in the order of `claimSteps`. */
  steps(claim: Claim, by: Agent): readonly ClaimStep[]
  /** Works with a verified claim of a person that are not withdrawn. */
  worksCount(ppid: string): number
}
