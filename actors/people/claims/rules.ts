import { type Agent, isOwner } from '#actors/values/agent.ts'
import { type Action, may } from '#actors/values/authority.ts'
import { splitAuthors } from '#actors/values/author_name.ts'
import {
  type ClaimBasis,
  type ClaimChanged,
  type ClaimDraft,
  type ClaimMade,
  type ClaimSide,
  type ClaimStep,
  claimSteps,
} from '#actors/people/events.ts'
import {
  type Claimant,
  impliedPosition,
  matchClaim,
  type Mismatch,
  positionOf,
} from '#actors/people/claims/match.ts'
import type { ClaimRow } from '#actors/people/claims/views.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { endedByLoss, type WorkState } from '#actors/works/events.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { assert } from '#log/tlog/errors.ts'

/** What can be asked of the claim of a person on a work. */
export type ClaimCommand =
  | {
      readonly type: 'make'
      readonly authorPosition?: number
      readonly message?: string
      readonly by: Agent
    }
  | {
      readonly type: 'change'
      readonly step: ClaimStep
      readonly reason?: string
      readonly undoes?: number
      /** Why a claim is confirmed that does not match its work. */
      readonly confirmMismatch?: string
      readonly by: Agent
    }
  /** The registry looks whether the ORCID iD of the person is one of the work's. */
  | { readonly type: 'review'; readonly by: Agent }

/**
 * What a claim is decided on: the claim, if there is one; its person, with the ORCID iD that they
 * have signed in with, and what everybody may see of them; and the work, with its newest metadata
 * unless that was erased.
 */
export type ClaimCase = {
  readonly claim: ClaimRow | undefined
  readonly claimId: string
  readonly ppid: string
  readonly orcid: string | undefined
  readonly claimant: Claimant
  readonly work: WorkState
  readonly metadata: Metadata | undefined
}

/** What becomes of a command. `agreed`: both sides have said so. */
export type ClaimDecision =
  | {
      readonly type: 'accepted'
      readonly outcome: 'claimed' | 'agreed' | 'changed'
      readonly draft: ClaimDraft
    }
  | { readonly type: 'exists' }
  | { readonly type: 'unchanged' }
  | { readonly type: 'rejected' }
  | { readonly type: 'wrong_status' }
  | { readonly type: 'not_found' }
  | { readonly type: 'forbidden' }
  | { readonly type: 'blocked' }
  | { readonly type: 'mismatch'; readonly mismatches: readonly Mismatch[] }
  | { readonly type: 'work_gone'; readonly withdrawnAt: string; readonly isLost?: boolean }
  | { readonly type: 'invalid'; readonly faults: readonly FieldFault[] }

type Make = Extract<ClaimCommand, { type: 'make' }>
type Change = Extract<ClaimCommand, { type: 'change' }>

/** Decides a command on a claim. */
export function decideClaim(subject: ClaimCase, command: ClaimCommand): ClaimDecision {
  if (command.type === 'review') return review(subject, command.by)
  return command.type === 'make' ? make(subject, command) : change(subject, command)
}

/** Tells of an action whether somebody may do it to a claim, if only it stands so. */
function powersOf({ ppid, work, claim }: ClaimCase, by: Agent) {
  const facts = { ppid, work, source: claim?.source }
  return (action: Action<'claim'>): boolean => may(by, 'claim', action, facts)
}

function make(subject: ClaimCase, command: Make): ClaimDecision {
  const { claim, work } = subject
  const can = powersOf(subject, command.by)
  const claims = can('claim')
  const asserts = can('assert')
  if (!claims && !asserts) return { type: 'forbidden' }
  if (work.status === 'withdrawn') return gone(work)
  if (claim?.blocked === true && !can('accept')) return { type: 'blocked' }
  const faults = checkPosition(subject, command.authorPosition)
  if (faults.length > 0) return { type: 'invalid', faults }
  if (claim === undefined || claim.status === 'withdrawn') {
    return {
      type: 'accepted',
      outcome: 'claimed',
      draft: made(subject, command, { claims, asserts }),
    }
  }
  // What an administrator has rejected is not settled by one side alone.
  const isAnswer = claim.basis !== 'admin' && (claim.waits_for === 'researcher' ? claims : asserts)
  if (claim.status === 'pending' || claim.status === 'rejected') {
    if (isAnswer) return agree(subject, command)
    return { type: claim.status === 'pending' ? 'exists' : 'rejected' }
  }
  return { type: 'exists' }
}

function made(
  subject: ClaimCase,
  { by, authorPosition, message }: Make,
  { claims, asserts }: { readonly claims: boolean; readonly asserts: boolean },
): ClaimDraft {
  const { claim, claimId, work, orcid, metadata } = subject
  const found = positionOf(orcid, metadata)
  const isNamed = claims && found !== undefined && (authorPosition ?? found) === found
  const basis: ClaimBasis | undefined =
    claims && asserts ? basisOf(by, work) : isNamed ? 'orcid' : undefined
  const position = impliedPosition(authorPosition ?? found, metadata)
  const waits_for: ClaimSide = claims ? 'registrant' : 'researcher'
  return {
    type: 'ClaimMade',
    schema: 1,
    by,
    data: {
      claim_id: claim?.claim_id ?? claimId,
      ark: work.ark,
      status: basis === undefined ? 'pending' : 'verified',
      waits_for,
      ...(basis !== undefined && { basis }),
      ...(position !== undefined && { author_position: position }),
    },
    ...(message !== undefined && { personal: { before: {}, after: { message } } }),
  }
}

function agree(
  subject: ClaimCase,
  { by, authorPosition, confirmMismatch }: Agreement,
): ClaimDecision {
  const { claim, work, claimant, metadata } = subject
  assert(claim !== undefined, 'only what was claimed can be agreed to')
  // Who accepts what the registrant has claimed takes the registrant's word.
  const isAccepted = claim.waits_for === 'researcher' && powersOf(subject, by)('claim')
  const basis = isAccepted ? 'registrant' : basisOf(by, work)
  const position = impliedPosition(claim.author_position ?? authorPosition, metadata)
  const isReviewed = !isAccepted && metadata !== undefined
  const mismatches = isReviewed ? matchClaim(position, claimant, metadata).mismatches : []
  if (mismatches.length > 0 && confirmMismatch === undefined) {
    return { type: 'mismatch', mismatches }
  }
  const draft = changed(claim, by, {
    step: 'confirm',
    status: 'verified',
    basis,
    ...(position !== undefined && { author_position: position }),
    ...(mismatches.length > 0 && { mismatches: mismatches.map(({ code }) => code) }),
  })
  const words = { before: {}, after: { confirm_mismatch: confirmMismatch } }
  const personal = mismatches.length > 0 && { personal: words }
  return { type: 'accepted', outcome: 'agreed', draft: { ...draft, ...personal } }
}

/** The word of the side that is waited for, or of an administrator. */
type Agreement = {
  readonly by: Agent
  readonly authorPosition?: number
  readonly confirmMismatch?: string
}

type Can = ReturnType<typeof powersOf>

function change(subject: ClaimCase, command: Change): ClaimDecision {
  const { claim, work } = subject
  const can = powersOf(subject, command.by)
  if (!actions.some(can)) return { type: 'forbidden' }
  if (command.step === 'disclaim') return disclaim(subject, command, can)
  if (claim === undefined) return { type: 'not_found' }
  switch (command.step) {
    case 'confirm':
      return work.status === 'withdrawn' ? gone(work) : confirm(subject, command, claim, can)
    case 'reject':
      return reject(claim, command, can)
    case 'contest':
      return contest(claim, command, can)
    case 'withdraw':
      return withdraw(claim, command, can)
  }
}

/** What somebody can say of a claim as it stands: the steps that change something. */
export function openSteps(subject: ClaimCase, by: Agent): readonly ClaimStep[] {
  return claimSteps.filter((step) => {
    const { type } = change(subject, { type: 'change', step, by })
    // What does not match can be confirmed with a word on why it is right.
    return type === 'accepted' || type === 'mismatch'
  })
}

// Who can do none of these does not learn whether there is a claim.
const actions: readonly Action<'claim'>[] = ['claim', 'assert', 'retract']

/** The word that a claim waits for, or waited for. */
function wordOf({ waits_for }: ClaimRow): 'accept' | 'review' {
  return waits_for === 'researcher' ? 'accept' : 'review'
}

function confirm(subject: ClaimCase, command: Change, claim: ClaimRow, can: Can): ClaimDecision {
  if (claim.status === 'verified') return { type: 'unchanged' }
  if (claim.status === 'withdrawn') return { type: 'wrong_status' }
  // Whatever was contested, the registrant may give in.
  const mayConfirm =
    claim.status === 'disputed' ? can('review') : can(wordOf(claim)) && claim.basis !== 'admin'
  return mayConfirm || can('decide') ? agree(subject, command) : { type: 'forbidden' }
}

function reject(claim: ClaimRow, { by }: Change, can: Can): ClaimDecision {
  if (claim.status === 'rejected') return { type: 'unchanged' }
  if (claim.status === 'withdrawn') return { type: 'wrong_status' }
  const isWaitedFor = can(wordOf(claim))
  if (!can('decide') && claim.status !== 'pending') {
    return can('review') ? { type: 'wrong_status' } : { type: 'forbidden' }
  }
  if (!can('decide') && !isWaitedFor) return { type: 'forbidden' }
  const basis = !isWaitedFor && { basis: 'admin' as const }
  return accepted(changed(claim, by, { step: 'reject', status: 'rejected', ...basis }))
}

/** A registrant contests what is verified, a person that the registrant has rejected it. */
function contest(claim: ClaimRow, { by, reason }: Change, can: Can): ClaimDecision {
  if (claim.status === 'disputed') return { type: 'unchanged' }
  const isRejected = claim.status === 'rejected' && claim.waits_for === 'registrant'
  if (claim.status !== 'verified' && !isRejected) return { type: 'wrong_status' }
  const mayContest = isRejected ? can('accept') : can('review') || can('decide')
  if (!mayContest) return { type: 'forbidden' }
  const draft = changed(claim, by, { step: 'contest', status: 'disputed' })
  return accepted({ ...draft, personal: { before: {}, after: { reason } } })
}

/** The person withdraws what they like; who made a claim that nobody has agreed to, that one. */
function withdraw(claim: ClaimRow, { by }: Change, can: Can): ClaimDecision {
  if (claim.status === 'withdrawn') return { type: 'unchanged' }
  const mayWithdraw = can('withdraw') || (can('retract') && claim.status === 'pending')
  if (!mayWithdraw) return { type: 'forbidden' }
  return accepted(changed(claim, by, { step: 'withdraw', status: 'withdrawn' }))
}

function disclaim(subject: ClaimCase, command: Change, can: Can): ClaimDecision {
  const { claim, claimId, work } = subject
  const { by, undoes } = command
  if (!can('disclaim')) return { type: 'forbidden' }
  if (claim?.blocked === true) return { type: 'unchanged' }
  const blocked = { status: 'withdrawn', blocked: true } as const
  if (claim !== undefined) {
    const undone = undoes !== undefined && { undoes }
    return accepted(changed(claim, by, { step: 'disclaim', ...blocked, ...undone }))
  }
  const data: ClaimMade['data'] = {
    claim_id: claimId,
    ark: work.ark,
    waits_for: 'researcher',
    ...blocked,
  }
  return accepted({ type: 'ClaimMade', schema: 1, by, data })
}

function review({ claim, orcid, metadata, work }: ClaimCase, by: Agent): ClaimDecision {
  if (claim === undefined) return { type: 'not_found' }
  const isOpen = claim.status === 'pending' && claim.waits_for === 'registrant'
  if (!isOpen || work.status === 'withdrawn') return { type: 'unchanged' }
  const found = positionOf(orcid, metadata)
  if (found === undefined || (claim.author_position ?? found) !== found)
    return { type: 'unchanged' }
  const verified = { status: 'verified', basis: 'orcid', author_position: found } as const
  return accepted(changed(claim, by, { step: 'review', ...verified }))
}

function changed(
  { claim_id, ark, status: from }: ClaimRow,
  by: Agent,
  facts: Omit<ClaimChanged['data'], 'claim_id' | 'ark' | 'from' | 'sealed'>,
): ClaimDraft {
  return { type: 'ClaimChanged', schema: 1, by, data: { claim_id, ark, from, ...facts } }
}

function accepted(draft: ClaimDraft): ClaimDecision {
  return { type: 'accepted', outcome: 'changed', draft }
}

// The registrant of the work counts as that, whatever else they may be.
function basisOf(by: Agent, { owner }: WorkState): ClaimBasis {
  return isOwner(by, owner) ? 'registrant' : 'admin'
}

function gone(state: WorkState): ClaimDecision {
  const isLost = endedByLoss(state)
  return { type: 'work_gone', withdrawnAt: state.updated_at, ...(isLost && { isLost }) }
}

/** A place that the work has; and where it has several, a place at all. */
function checkPosition(
  { claim, orcid, metadata }: ClaimCase,
  position: number | undefined,
): FieldFault[] {
  if (metadata === undefined) return []
  const authors = splitAuthors(metadata.authors).length
  const field = 'author_position'
  if (position === undefined) {
    const stands = claim !== undefined && claim.status !== 'withdrawn'
    if (authors === 1 || stands || positionOf(orcid, metadata) !== undefined) return []
    const message = `author_position is required: say which of the ${authors} authors, from 1 on`
    return [{ field, code: 'required', message }]
  }
  if (position <= authors) return []
  const right = authors === 1 ? '1: the work has one author' : `1 to ${authors}, as many authors`
  const message = `author_position must be ${right}${authors === 1 ? '' : ' as the work has'}`
  return [{ field, code: 'bad_value', message }]
}
