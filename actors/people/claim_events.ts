import type { Agent } from '#actors/values/agent.ts'
import type { Mismatch } from '#actors/claims/match.ts'
import type { ClaimBasis, ClaimSide, ClaimStatus, ClaimStep } from '#actors/claims/port.ts'
import type { PersonalChange } from '#actors/people/events.ts'

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
    readonly mismatches?: readonly Mismatch['code'][]
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
