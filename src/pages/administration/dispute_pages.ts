import { parseDecimal } from '#log/tlog/encoding.ts'
import type { Claim } from '#actors/claims/port.ts'
import type { Agent } from '#actors/values/agent.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html } from '#src/pages/kit/html.ts'
import {
  answerReview,
  deskClaim,
  refusalPage,
  type ReviewDesk,
  reviewPage,
  waitingClaims,
} from '#src/pages/account/claim_review.ts'
import {
  administrationPage,
  adminRoutes,
  type AdminVisit,
} from '#src/pages/administration/frame.ts'
import type { OrganizationContext } from '#src/pages/organization/context.ts'
import { emptyForm } from '#src/pages/kit/form.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { emptyState, pagination } from '#src/pages/kit/parts.ts'
import { redirectDone } from '#src/pages/kit/pages.ts'

const path = '/admin/claims'
const claimsOnPage = 25

const flashes: Flashes = {
  confirm: 'You have decided for the claim: the person counts as an author.',
  reject: 'You have decided against the claim: the person does not count as an author.',
}

/** Adds the pages of claims in dispute, on which administrators decide. */
export function addDisputePages(context: OrganizationContext): void {
  const { member } = adminRoutes(context)
  member.get(path, (visit) => disputesPage(visit, visit.by))
  member.get(`${path}/:claim_id`, (visit) => {
    const desk = deskOf(visit, visit.by)
    return administrationPage(context, '/claims', reviewPage(anyClaim(visit), desk, emptyForm))
  })
  member.get(`${path}/:claim_id/refuse`, (visit) => {
    const desk = deskOf(visit, visit.by)
    return administrationPage(context, '/claims', refusalPage(anyClaim(visit), desk))
  })
  member.post(`${path}/:claim_id`, async (visit, body) => {
    const desk = deskOf(visit, visit.by)
    const claim = anyClaim(visit)
    const answer = await answerReview(claim, desk, body)
    if ('done' in answer) return redirectDone(path, answer.done)
    return administrationPage(context, '/claims', reviewPage(claim, desk, answer.again))
  })
}

async function disputesPage(visit: AdminVisit, by: Agent): Promise<AccountPage> {
  const after = parseDecimal(visit.query.get('after') ?? '')
  const page = { limit: claimsOnPage, ...(after !== undefined && { cursor: after }) }
  const { claims, next } = await visit.context.environments.live.claims.disputed(page)
  const none = emptyState(
    'No claim is in dispute',
    'When a person contests that their claim was refused, or a publisher one that was confirmed, ' +
      'it is decided here.',
  )
  const desk = deskOf(visit, by)
  return administrationPage(visit.context, '/claims', {
    title: 'Claims in dispute',
    flashes,
    content: html`${claims.length === 0 ? none : waitingClaims(claims, desk)}
${pagination({ path: desk.base, parameter: 'after', next, isFirst: after === undefined })}`,
  })
}

function deskOf(
  { context: { environments, baseUrl, pages }, csrf }: AdminVisit,
  by: Agent,
): ReviewDesk {
  const base = pages.prefix + path
  return { environment: environments.live, baseUrl, base, csrf, by, isAdmin: true }
}

function anyClaim({ context: { environments }, parameters }: AdminVisit): Claim {
  return deskClaim({ environment: environments.live }, parameters['claim_id'], () => true)
}
