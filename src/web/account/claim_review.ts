import { html, type Html, nothing } from '#src/web/kit/html.ts'
import type { ClaimMatch } from '#actors/claims/match.ts'
import type { Claim } from '#actors/claims/port.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { type FormBody, textOf } from '#src/web/kit/form_body.ts'
import { emptyForm, field, form, type FormState, hiddenField } from '#src/web/kit/form_field.ts'
import { facts, time } from '#src/web/kit/parts.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

/** What a reviewer can answer to a claim. */
const reviewSteps = ['confirm', 'reject'] as const

type ReviewStep = (typeof reviewSteps)[number]

/** What a claim is shown from. `baseUrl` has no slash at its end. */
export type ReviewPlace = {
  readonly environment: Pick<ServedEnvironment, 'claims'>
  readonly baseUrl: string
}

/** Where the answer of a reviewer goes, and what the form says besides it. */
export type ReviewForm = {
  readonly action: string
  readonly csrf: string
  /** Values by which the claim is found again. */
  readonly hidden: Readonly<Record<string, string>>
  readonly state?: FormState
}

/**
 * A claim as the reviewer must see it: the work, its authors, the author who is claimed beside
 * the claimant, what does not match, and the message. Without a form it is only shown.
 */
export function reviewCard(
  claim: Claim,
  { environment, baseUrl }: ReviewPlace,
  answers?: ReviewForm,
): Html {
  const { ppid, ark_identifier: ark, message, created_at } = claim
  const match = environment.claims.match(claim)
  const { name = ppid, orcid } = match?.claimant ?? {}
  const profile = html`<a href="${baseUrl}/people/${ppid}">${name}</a> <code>${ppid}</code>`
  return html`<section class="card"><h2>${match?.work_title ?? ark}</h2>
${facts([
  ['Work', html`<a href="${baseUrl}/${ark}"><code>${ark}</code></a>`],
  ...(match === undefined ? [] : authorFacts(match)),
  ['Claimed by', profile],
  ['Signed in with the ORCID iD', orcid],
  ['Says', message === undefined ? 'nothing' : html`“${message}”`],
  ['Since', time(created_at)],
])}
${match === undefined ? '' : mismatchList(match)}
${answers === undefined ? '' : answerForms(claim, match, answers)}
</section>`
}

/** What a reviewer has answered, with `confirm_mismatch` if they said why. */
export function readReview(
  body: FormBody,
  claimId: string,
): { readonly step: ReviewStep; readonly body: Record<string, string> } | undefined {
  const step = reviewSteps.find((each) => each === textOf(body, 'step'))
  if (step === undefined) return undefined
  const words = textOf(body, wordsName(claimId)).trim()
  return { step, body: step === 'confirm' && words !== '' ? { confirm_mismatch: words } : {} }
}

/** The faults of an answer that was refused, at the field that they come from. */
export function reviewFaults(claimId: string, faults?: readonly FieldFault[]): FieldFault[] {
  const message = 'The claim does not match its work: say why it is right all the same'
  const [fault] = faults ?? []
  return [{ code: 'required', message, ...fault, field: wordsName(claimId) }]
}

function authorFacts({
  author,
  authors,
  authors_count: count,
  author_position: place,
}: ClaimMatch) {
  const names = authors.map((name) => html`<li><bdi>${name}</bdi></li>`)
  const others = count - authors.length
  const more = others === 0 ? '' : html`<p class="hint">and ${others} more</p>`
  const claimed =
    author === undefined
      ? html`nobody`
      : html`<strong><bdi>${author.name}</bdi></strong>${orcidOf(author)},
${place ?? ''} of ${count}`
  return [
    ['Authors', html`<ol>${names}</ol>${more}`],
    ['Claimed to be', claimed],
  ] as const
}

function orcidOf({ orcid }: NonNullable<ClaimMatch['author']>): Html {
  return orcid === undefined ? nothing : html` (ORCID iD ${orcid})`
}

function mismatchList({ mismatches }: ClaimMatch): Html {
  if (mismatches.length === 0) return nothing
  const items = mismatches.map(({ message }) => html`<li>${message}.</li>`)
  return html`<div class="flash flash-error" role="note"><p>This does not match:</p>
<ul>${items}</ul></div>`
}

function answerForms(
  { claim_id }: Claim,
  match: ClaimMatch | undefined,
  { action, csrf, hidden, state = emptyForm }: ReviewForm,
): Html {
  const fieldsOf = (step: ReviewStep) =>
    Object.entries({ step, ...hidden }).map(([name, value]) => hiddenField(name, value))
  const isMatch = match === undefined || match.mismatches.length === 0
  const words = field(
    {
      name: wordsName(claim_id),
      label: 'Why it is right all the same',
      type: 'textarea',
      required: true,
      hint: 'Such as: she has married since. It is kept with your answer.',
    },
    state,
  )
  const confirm = form({
    action,
    csrf,
    fields: [fieldsOf('confirm'), isMatch ? '' : words],
    submit: isMatch ? 'Confirm' : 'Confirm although it does not match',
    inline: isMatch,
  })
  const reject = form({
    action,
    csrf,
    fields: fieldsOf('reject'),
    submit: 'Reject',
    danger: true,
    inline: true,
  })
  return isMatch
    ? html`<div class="buttons">${confirm}${reject}</div>`
    : html`${confirm}<hr><div class="buttons">${reject}</div>`
}

/** The name of the field for the words on one claim: a page has several of them. */
function wordsName(claimId: string): string {
  return `confirm_mismatch:${claimId}`
}
