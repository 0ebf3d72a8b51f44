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
  organizationRoutes,
  type OrganizationVisit,
  pathIn,
} from '#src/pages/organization/context.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { emptyState, pagination } from '#src/pages/kit/parts.ts'
import { type PageReply, redirectDone } from '#src/pages/kit/pages.ts'

const claimsOnPage = 25

const section = '/claims'
const path = section

const flashes: Flashes = {
  confirm: 'You have agreed: the person counts as an author.',
  reject: 'You have refused: the person does not count as an author.',
}

/** Adds the pages of people who say that works of the organization are theirs. */
export function addOrganizationClaimPages(context: OrganizationContext): void {
  const read = organizationRoutes(context, 'read')
  const review = organizationRoutes(context, 'review claims')
  read.member.get(path, claimsPage)
  read.member.get(`${path}/:claim_id`, (visit) => {
    const page = reviewPage(ownClaim(visit), deskOf(visit), emptyForm)
    return organizationPage(visit, { section, ...page })
  })
  review.member.get(`${path}/:claim_id/refuse`, (visit) => {
    const page = refusalPage(ownClaim(visit), deskOf(visit))
    return organizationPage(visit, { section, ...page })
  })
  review.member.post(`${path}/:claim_id`, answerClaim)
}

async function answerClaim(visit: OrganizationVisit, body: FormBody): Promise<PageReply> {
  const claim = ownClaim(visit)
  const desk = deskOf(visit)
  const answer = await answerReview(claim, desk, body)
  if ('done' in answer) return redirectDone(pathIn(visit, section), answer.done)
  return organizationPage(visit, { section, ...reviewPage(claim, desk, answer.again) })
}

async function claimsPage(visit: OrganizationVisit): Promise<AccountPage> {
  const { environments, pages } = visit.context
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
    content: html`${claims.length === 0 ? none : waitingClaims(claims, deskOf(visit))}
${pagination({
  path: pages.prefix + pathIn(visit, section),
  parameter: 'after',
  next,
  isFirst: after === undefined,
})}`,
  })
}

/** An administrator who is not a member decides as an administrator. */
function deskOf(visit: OrganizationVisit): ReviewDesk {
  const { environments, baseUrl, pages } = visit.context
  const { isAdmin, csrf } = visit
  const agent = isAdmin ? memberAgent(visit) : organizationAgent(visit)
  const by = mayDo(visit, 'review claims') ? agent : undefined
  const base = pages.prefix + pathIn(visit, section)
  return { environment: environments.live, baseUrl, base, csrf, by, isAdmin }
}

/** The claim of the address, which is on a work of the organization. HttpError `not_found`. */
function ownClaim(visit: OrganizationVisit): Claim {
  const { environments } = visit.context
  const { live: environment } = environments
  const agent = organizationAgent(visit)
  return deskClaim({ environment }, visit.parameters['claim_id'], ({ ark }) => {
    const work = environment.catalogue.state(ark)
    return work !== undefined && isOwner(agent, work.owner)
  })
}
