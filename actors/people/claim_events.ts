import type { Agent } from '#actors/values/agent.ts'
import type { PersonalChange } from '#actors/people/events.ts'

export type ClaimStatus = 'pending' | 'verified' | 'rejected' | 'disputed' | 'withdrawn'

/** The two who must agree on a claim: who is said to be an author, and who registered the work. */
export type ClaimSide = 'researcher' | 'registrant'

/**
 * Why a claim is verified: the registrant says so, by registering for the person or by confirming;
 * the person has signed in with an ORCID iD that the work names; or an administrator says so, who
 * can reject it too.
 */
export type ClaimBasis = 'registrant' | 'orcid' | 'admin'

/**
 * What is said of a claim that was made. `confirm` agrees and `reject` does not, each by the side
 * that is waited for, or by an administrator; `contest` puts a decision before an administrator;
 * `withdraw` takes it back; by `disclaim` the person says that the work is not theirs, now and for
 * ever, whether anybody has claimed it or not.
 */
export const claimSteps = ['confirm', 'reject', 'contest', 'withdraw', 'disclaim'] as const

export type ClaimStep = (typeof claimSteps)[number]

/** What can speak against a claim, when it is held against its work. */
export type MismatchCode =
  | 'no_place'
  | 'no_such_author'
  | 'name_differs'
  | 'name_hidden'
  | 'orcid_differs'

type Event<Type extends string, Data> = {
  readonly type: Type
  readonly schema: 1
  readonly by: Agent
  readonly data: Data
}

type Sealed = { readonly sealed?: string }

/**
 * A person is said to be an author of a work, `naan/name`, or (`blocked`) says that they are not.
 * Its message is sealed. It may be said again of a work that was withdrawn from.
 */
export type ClaimMade = Event<
  'ClaimMade',
  Sealed & {
    readonly claim_id: string
    readonly ark: string
    readonly status: ClaimStatus
    readonly waits_for: ClaimSide
    readonly basis?: ClaimBasis
    readonly author_position?: number
    readonly blocked?: true
  }
>

/**
 * What became of a claim; `review` is the registry's own look at it. The reason of a contest, and
 * of agreeing to what does not match, is sealed. `undoes` is the position of the write that the
 * person takes back with it.
 */
export type ClaimChanged = Event<
  'ClaimChanged',
  Sealed & {
    readonly claim_id: string
    readonly ark: string
    readonly step: ClaimStep | 'review'
    readonly from: ClaimStatus
    readonly status: ClaimStatus
    readonly basis?: ClaimBasis
    readonly author_position?: number
    readonly blocked?: true
    readonly undoes?: number
    /** What spoke against a claim that was confirmed all the same; why it was is sealed. */
    readonly mismatches?: readonly MismatchCode[]
  }
>

/** The events of claims, which stand in the person's stream. */
export type ClaimEvent = ClaimMade | ClaimChanged

// Distributes over the union, so that each event keeps its own members.
type Unsealed<E extends ClaimEvent> = E extends ClaimEvent
  ? Omit<E, 'data'> & { readonly data: Omit<E['data'], 'sealed'> }
  : never

/** An event of a claim before it is sealed: what is personal stands beside it. */
export type ClaimDraft = Unsealed<ClaimEvent> & { readonly personal?: PersonalChange }

/** Whether an event of a person is one of their claims. */
export function isClaimEvent<E extends { readonly type: string }>(
  event: E,
): event is E & ClaimEvent {
  return event.type === 'ClaimMade' || event.type === 'ClaimChanged'
}
