import { parseDecimal } from '#log/encoding.ts'
import type { AccountPage } from '#src/web/kit/account_frame.ts'
import { html } from '#src/web/kit/html.ts'
import { HttpError } from '#src/errors.ts'
import { isClaimed, refusedClaim } from '#src/api/claim_refusal.ts'
import { readReview, reviewCard, reviewFaults } from '#src/web/account/claim_review.ts'
import { emptyForm, type FormState } from '#src/web/kit/form_field.ts'
import {
  mayDo,
  memberAgent,
  organizationAgent,
  type OrganizationContext,
  organizationPage,
  type OrganizationVisit,
  pathIn,
  visitOrganization,
} from '#src/web/organization/context.ts'
import { ownWork } from '#src/web/organization/work_pages.ts'
import type { Flashes } from '#src/web/kit/page.ts'
import { emptyState, pagination } from '#src/web/kit/parts.ts'
import { type PageReply, redirectDone } from '#src/web/kit/pages.ts'
import { type FormBody, textOf } from '#src/web/kit/form_body.ts'

const claimsOnPage = 25

const flashes: Flashes = {
  confirm: 'You have agreed: the person counts as an author.',
  reject: 'You have said no: the person does not count as an author.',
}

/** Adds the page of people who say that works of the organization are theirs. */
export function addOrganizationClaimPages(context: OrganizationContext): void {
  const { member } = context.pages
  member.get('/organizations/:slug/claims', (visit) =>
    claimsPage(context, visitOrganization(context, visit, 'read'), emptyForm),
  )
  member.post('/organizations/:slug/claims', (visit, body) =>
    answerClaim(context, visitOrganization(context, visit, 'review claims'), body),
  )
}

async function answerClaim(
  context: OrganizationContext,
  visit: OrganizationVisit,
  body: FormBody,
): Promise<PageReply> {
  const { claims } = context.environments.live
  const ppid = textOf(body, 'ppid')
  const ark = ownWork(context, visit, textOf(body, 'ark'))
  const claimId = claims.read(ppid, ark)?.claim_id ?? ''
  const review = readReview(body, claimId)
  if (review === undefined) throw new HttpError('bad_request', 'A claim is confirmed or rejected')
  // An administrator who is not a member decides as an administrator.
  const by = visit.isAdmin ? memberAgent(visit) : organizationAgent(visit)
  const answer = await claims.change({ ppid, ark, by, ...review })
  if (isClaimed(answer)) return redirectDone(pathIn(visit, '/claims'), review.step)
  if (answer.type !== 'mismatch' && answer.type !== 'invalid') throw refusedClaim(answer)
  const faults = reviewFaults(claimId, answer.type === 'invalid' ? answer.faults : [])
  return claimsPage(context, visit, { values: body, faults })
}

async function claimsPage(
  context: OrganizationContext,
  visit: OrganizationVisit,
  state: FormState,
): Promise<AccountPage> {
  const { environments, baseUrl, pages } = context
  const after = parseDecimal(visit.query.get('after') ?? '')
  const registrant = { type: 'organization', id: visit.organization.slug } as const
  const page = { limit: claimsOnPage, ...(after !== undefined && { cursor: after }) }
  const { claims, next } = await environments.live.claims.awaiting(registrant, page)
  const base = pages.prefix + pathIn(visit, '/claims')
  const none = emptyState(
    'No claim waits',
    'When people say that they are authors of works of the organization, it is asked here.',
  )
  const place = { environment: environments.live, baseUrl }
  const { csrf } = visit
  const cards = claims.map((claim) => {
    const hidden = { ppid: claim.ppid, ark: claim.ark_identifier }
    const answers = { action: base, csrf, hidden, state }
    return reviewCard(claim, place, mayDo(visit, 'review claims') ? answers : undefined)
  })
  return organizationPage(context, visit, {
    section: '/claims',
    title: 'Claims of authors',
    flashes,
    state,
    content: html`${cards.length === 0 ? none : cards}
${pagination({ path: base, parameter: 'after', next, isFirst: after === undefined })}`,
  })
}
