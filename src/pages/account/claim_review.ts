import { html, type Html } from '#src/pages/kit/html.ts'
import type { Claim } from '#actors/claims/port.ts'
import type { Agent } from '#actors/values/agent.ts'
import { HttpError } from '#src/errors.ts'
import { isClaimed, refusedClaim } from '#src/use_cases/claiming.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import {
  claimantLink,
  claimEvidence,
  type EvidencePlace,
  shownName,
  verdict,
} from '#src/pages/account/claim_evidence.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import { field, form, formCard, type FormState, hiddenField } from '#src/pages/kit/form_field.ts'
import { card, quietLink, table, time } from '#src/pages/kit/parts.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

/** What a reviewer can answer to a claim. */
const reviewSteps = ['confirm', 'reject'] as const

type ReviewStep = (typeof reviewSteps)[number]

/** Where claims are reviewed: for an organization, by a person, or by administrators. */
export type ReviewDesk = EvidencePlace & {
  /** Full path of the list, prefix included: the pages of its claims are below it. */
  readonly base: string
  readonly csrf: string
  /** As whom the visitor decides; undefined for who only reads. */
  readonly by: Agent | undefined
  /** Whether it is the desk of an administrator, who decides as one. */
  readonly isAdmin: boolean
}

/** A page of a desk, which is put into the frame of whoever has it. */
type DeskPage = Pick<AccountPage, 'lead' | 'content' | 'state'> & { readonly title: string }

/** The claims that wait, each with what speaks against it; a row leads to the page of its claim. */
export function waitingClaims(claims: readonly Claim[], desk: ReviewDesk): Html {
  const { environment, base } = desk
  const rows = claims.map((claim) => ({ claim, match: environment.claims.match(claim) }))
  return table<(typeof rows)[number]>(
    'Claims that wait for a decision',
    [
      {
        heading: 'Work',
        isRowHeading: true,
        cell: ({ claim, match }) => {
          const title = match?.work_title ?? claim.ark_identifier
          return html`<a href="${base}/${claim.claim_id}">${title}</a>`
        },
      },
      { heading: 'Claimed by', cell: ({ claim }) => claimantLink(claim, desk) },
      { heading: 'Compared', cell: ({ match }) => (match === undefined ? '' : verdict(match)) },
      { heading: 'Since', cell: ({ claim }) => time(claim.created_at) },
    ],
    rows,
  )
}

/** One claim with all that it rests on, and what its reviewer can answer to it now. */
export function reviewPage(claim: Claim, desk: ReviewDesk, state: FormState): DeskPage {
  const { environment } = desk
  const title = titleOf(claim, desk)
  const name = shownName(claim.ppid, environment)
  return {
    title,
    state,
    lead: html`<bdi>${name}</bdi> is claimed to be an author of this work.`,
    content: html`${claimEvidence(claim, desk)}
${decision(claim, desk, state)}`,
  }
}

/** Asks whether a claim is to be refused. HttpError `conflict` where that cannot be done now. */
export function refusalPage(claim: Claim, desk: ReviewDesk): DeskPage {
  if (!openSteps(claim, desk).includes('reject')) {
    throw new HttpError('conflict', 'This claim cannot be refused as it stands')
  }
  const action = `${desk.base}/${claim.claim_id}`
  const fields = html`${hiddenField('step', 'reject')}
<p><bdi>${shownName(claim.ppid, desk.environment)}</bdi> reads that it was refused, and does not
count as an author. They can contest it: an administrator decides then.</p>
${adminNote(desk)}`
  const beside = html`<a href="${action}">Leave it as it is</a>`
  const submit = 'Refuse the claim'
  return {
    title: 'Refuse the claim?',
    lead: titleOf(claim, desk),
    content: formCard({ action, csrf: desk.csrf, fields, submit, beside, danger: true }),
  }
}

/**
 * Carries a reviewer's answer out: what was done, or the form again with what is wrong.
 * HttpErrors of the refusals that no field can mend.
 */
export async function answerReview(
  { ppid, ark }: Claim,
  { environment, by }: ReviewDesk,
  body: FormBody,
): Promise<{ readonly done: ReviewStep } | { readonly again: FormState }> {
  const step = reviewSteps.find((each) => each === textOf(body, 'step'))
  if (step === undefined) throw new HttpError('bad_request', 'A claim is confirmed or refused')
  if (by === undefined) throw refusedClaim({ type: 'forbidden' })
  const words = textOf(body, mismatchWords).trim()
  const said = step === 'confirm' && words !== '' ? { confirm_mismatch: words } : {}
  const answer = await environment.claims.change({ ppid, ark, step, by, body: said })
  if (isClaimed(answer)) return { done: step }
  if (answer.type !== 'mismatch' && answer.type !== 'invalid') throw refusedClaim(answer)
  const faults = answer.type === 'invalid' ? answer.faults : []
  return { again: { values: body, faults: [wordsFault(faults)] } }
}

/** The claim that a path names, if it is for the desk. HttpError `not_found` else. */
export function deskClaim(
  { environment }: Pick<EvidencePlace, 'environment'>,
  claimId: string | undefined,
  isTheirs: (claim: Claim) => boolean,
): Claim {
  const claim = environment.claims.find(claimId ?? '')
  if (claim !== undefined && isTheirs(claim)) return claim
  throw refusedClaim({ type: 'not_found' })
}

/** The name of the field for why a claim is right that does not match. */
const mismatchWords = 'confirm_mismatch'

function wordsFault([fault]: readonly FieldFault[]): FieldFault {
  const message = 'The claim does not match its work: say why it is right all the same'
  return { code: 'required', message, ...fault, field: mismatchWords }
}

function titleOf(claim: Claim, { environment }: ReviewDesk): string {
  return environment.claims.match(claim)?.work_title ?? claim.ark_identifier
}

function openSteps(claim: Claim, { environment, by }: ReviewDesk): readonly string[] {
  return by === undefined ? [] : environment.claims.steps(claim, by)
}

/** The forms of what can be answered; nothing where there is nothing to decide. */
function decision(claim: Claim, desk: ReviewDesk, state: FormState): Html | '' {
  const open = openSteps(claim, desk)
  const action = `${desk.base}/${claim.claim_id}`
  const refuse = open.includes('reject') ? quietLink(`${action}/refuse`, 'Refuse…') : html``
  if (!open.includes('confirm')) return open.includes('reject') ? card('Decide', refuse) : ''
  const match = desk.environment.claims.match(claim)
  const isMatch = match === undefined || match.mismatches.length === 0
  const words = {
    name: mismatchWords,
    label: 'Why it is right all the same',
    type: 'textarea',
    required: true,
    hint: 'Such as: she has married since. It is kept with your answer.',
  } as const
  const fields = html`${hiddenField('step', 'confirm')}${isMatch ? '' : field(words, state)}
${adminNote(desk)}`
  const submit = isMatch ? 'Confirm' : 'Confirm although it does not match'
  return card('Decide', form({ action, csrf: desk.csrf, fields, submit, beside: refuse }))
}

function adminNote({ isAdmin }: ReviewDesk): Html | '' {
  if (!isAdmin) return ''
  return html`<p class="hint">You decide as an administrator, and it is shown as the decision of
one.</p>`
}
