import { html, type Html, nothing } from '#src/web/kit/html.ts'
import { HttpError } from '#src/errors.ts'
import { isClaimed, refusedClaim } from '#src/api/claim_refusal.ts'
import { type AccountContext, pageAgent } from '#src/web/account/context.ts'
import { readReview, reviewCard, reviewFaults } from '#src/web/account/claim_review.ts'
import { type FormBody, textOf } from '#src/web/kit/form_body.ts'
import type { FormState } from '#src/web/kit/form_field.ts'
import { type MemberVisit, type PageReply, redirectDone } from '#src/web/kit/pages.ts'

/** Claims that are shown at once; the others follow when these are answered. */
const claimsMax = 25

/**
 * Decides on a claim by somebody else on a work that the visitor has registered. `worksPath` is the
 * path of the page with the question; `refused` shows it again, with what is wrong.
 */
export async function answerAsked(
  { environment }: AccountContext,
  { account }: MemberVisit,
  body: FormBody,
  {
    worksPath,
    refused,
  }: {
    readonly worksPath: string
    readonly refused: (state: FormState) => Promise<PageReply>
  },
): Promise<PageReply> {
  const { claims } = environment
  const claim = claims.find(textOf(body, 'claim'))
  const review = claim && readReview(body, claim.claim_id)
  if (claim === undefined || review === undefined) {
    throw new HttpError('bad_request', 'A claim is confirmed or rejected')
  }
  const { ppid, ark, claim_id: claimId } = claim
  const by = pageAgent(account.ppid)
  const answer = await claims.change({ ppid, ark, by, ...review })
  if (isClaimed(answer)) return redirectDone(worksPath, `${review.step}_other`)
  if (answer.type !== 'mismatch' && answer.type !== 'invalid') throw refusedClaim(answer)
  const faults = reviewFaults(claimId, answer.type === 'invalid' ? answer.faults : [])
  return refused({ values: body, faults })
}

/** Claims by others on works that the visitor has registered; nothing if there are none. */
export async function askedClaims(
  { environment, baseUrl, pages }: AccountContext,
  { account, csrf }: MemberVisit,
  path: string,
  state: FormState,
): Promise<Html> {
  const registrant = { type: 'person', id: account.ppid } as const
  const { claims } = await environment.claims.awaiting(registrant, { limit: claimsMax })
  if (claims.length === 0) return nothing
  const action = pages.prefix + path
  const cards = claims.map((claim) => {
    const hidden = { claim: claim.claim_id }
    return reviewCard(claim, { environment, baseUrl }, { action, csrf, hidden, state })
  })
  return html`<section><h2>You are asked</h2><p>These people say that they are authors of works that
you have registered.</p>${cards}</section>`
}
