import { parseDecimal } from '#log/tlog/encoding.ts'
import type { Claim } from '#actors/claims/port.ts'
import { isOwner } from '#actors/values/agent.ts'
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
import { emptyForm, type FormBody } from '#src/pages/kit/form.ts'
import {
  mayDo,
  memberAgent,
  organizationAgent,
  type OrganizationContext,
  organizationPage,
  type OrganizationVisit,
  pathIn,
  visitOrganization,
} from '#src/pages/organization/context.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { emptyState, pagination } from '#src/pages/kit/parts.ts'
import { type PageReply, redirectDone } from '#src/pages/kit/pages.ts'

const claimsOnPage = 25

const section = '/claims'
const path = `/organizations/:slug${section}`

const flashes: Flashes = {
  confirm: 'You have agreed: the person counts as an author.',
  reject: 'You have refused: the person does not count as an author.',
}

/** Adds the pages of people who say that works of the organization are theirs. */
export function addOrganizationClaimPages(context: OrganizationContext): void {
  const { member } = context.pages
  member.get(path, (visit) => claimsPage(context, visitOrganization(context, visit, 'read')))
  member.get(`${path}/:claim_id`, (visit) => {
    const at = visitOrganization(context, visit, 'read')
    const page = reviewPage(ownClaim(context, at), deskOf(context, at), emptyForm)
    return organizationPage(at, { section, ...page })
  })
  member.get(`${path}/:claim_id/refuse`, (visit) => {
    const at = visitOrganization(context, visit, 'review claims')
    const page = refusalPage(ownClaim(context, at), deskOf(context, at))
    return organizationPage(at, { section, ...page })
  })
  member.post(`${path}/:claim_id`, (visit, body) =>
    answerClaim(context, visitOrganization(context, visit, 'review claims'), body),
  )
}

async function answerClaim(
  context: OrganizationContext,
  visit: OrganizationVisit,
  body: FormBody,
): Promise<PageReply> {
  const claim = ownClaim(context, visit)
  const desk = deskOf(context, visit)
  const answer = await answerReview(claim, desk, body)
  if ('done' in answer) return redirectDone(pathIn(visit, section), answer.done)
  return organizationPage(visit, { section, ...reviewPage(claim, desk, answer.again) })
}

async function claimsPage(
  context: OrganizationContext,
  visit: OrganizationVisit,
): Promise<AccountPage> {
  const { environments, pages } = context
  const after = parseDecimal(visit.query.get('after') ?? '')
  const registrant = { type: 'organization', id: visit.organization.slug } as const
  const page = { limit: claimsOnPage, ...(after !== undefined && { cursor: after }) }
  const { claims, next } = await environments.live.claims.awaiting(registrant, page)
  const none = emptyState(
    'No claim waits',
    'When people say that they are authors of works of the organization, it is asked here.',
  )
  return organizationPage(visit, {
    section,
    title: 'Claims of authors',
    flashes,
    content: html`${claims.length === 0 ? none : waitingClaims(claims, deskOf(context, visit))}
${pagination({
  path: pages.prefix + pathIn(visit, section),
  parameter: 'after',
  next,
  isFirst: after === undefined,
})}`,
  })
}

/** An administrator who is not a member decides as an administrator. */
function deskOf(context: OrganizationContext, visit: OrganizationVisit): ReviewDesk {
  const { environments, baseUrl, pages } = context
  const { isAdmin, csrf } = visit
  const agent = isAdmin ? memberAgent(visit) : organizationAgent(visit)
  const by = mayDo(visit, 'review claims') ? agent : undefined
  const base = pages.prefix + pathIn(visit, section)
  return { environment: environments.live, baseUrl, base, csrf, by, isAdmin }
}

/** The claim of the address, which is on a work of the organization. HttpError `not_found`. */
function ownClaim({ environments }: OrganizationContext, visit: OrganizationVisit): Claim {
  const { live: environment } = environments
  const agent = organizationAgent(visit)
  return deskClaim({ environment }, visit.parameters['claim_id'], ({ ark }) => {
    const work = environment.catalogue.state(ark)
    return work !== undefined && isOwner(agent, work.owner)
  })
}
