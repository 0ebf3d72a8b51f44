import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { Claim } from '#actors/claims/port.ts'
import { type AccountContext, pageAgent } from '#src/pages/account/context.ts'
import {
  answerReview,
  deskClaim,
  refusalPage,
  type ReviewDesk,
  reviewPage,
  waitingClaims,
} from '#src/pages/account/claim_review.ts'
import { emptyForm } from '#src/pages/kit/form_field.ts'
import { type MemberVisit, redirectDone } from '#src/pages/kit/pages.ts'

/** Claims that are shown at once; the others follow when these are answered. */
const claimsMax = 25

const worksPath = '/account/works'
const path = `${worksPath}/asked`

/** Adds the pages of claims by others on works that the visitor has registered. */
export function addAskedClaimPages(context: AccountContext): void {
  const { member } = context.pages
  const current = worksPath
  member.get(`${path}/:claim_id`, (visit) => {
    const page = reviewPage(askedClaim(context, visit), deskOf(context, visit), emptyForm)
    return { ...page, current }
  })
  member.get(`${path}/:claim_id/refuse`, (visit) => {
    return { ...refusalPage(askedClaim(context, visit), deskOf(context, visit)), current }
  })
  member.post(`${path}/:claim_id`, async (visit, body) => {
    const claim = askedClaim(context, visit)
    const desk = deskOf(context, visit)
    const answer = await answerReview(claim, desk, body)
    if ('done' in answer) return redirectDone(worksPath, `${answer.done}_other`)
    return { ...reviewPage(claim, desk, answer.again), current }
  })
}

/** Claims by others on works that the visitor has registered; nothing if there are none. */
export async function askedClaims(context: AccountContext, visit: MemberVisit): Promise<Html> {
  const registrant = { type: 'person', id: visit.account.ppid } as const
  const { claims } = await context.environment.claims.awaiting(registrant, { limit: claimsMax })
  if (claims.length === 0) return nothing
  return html`<section><h2>You are asked</h2><p>These people say that they are authors of works that
you have registered.</p>${waitingClaims(claims, deskOf(context, visit))}</section>`
}

function deskOf(
  { environment, baseUrl, pages }: AccountContext,
  { account, csrf }: MemberVisit,
): ReviewDesk {
  const by = pageAgent(account.ppid)
  return { environment, baseUrl, base: pages.prefix + path, csrf, by, isAdmin: false }
}

function askedClaim(context: AccountContext, { account, parameters }: MemberVisit): Claim {
  const { catalogue } = context.environment
  return deskClaim(context, parameters['claim_id'], ({ ark }) => {
    const owner = catalogue.state(ark)?.owner
    return owner?.type === 'person' && owner.id === account.ppid
  })
}
