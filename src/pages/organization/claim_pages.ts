import { isOwner } from '#actors/values/agent.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { addReviewPages, claimList, type ReviewDesk } from '#src/pages/account/claim_review.ts'
import {
  askersName,
  hrefIn,
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
import { emptyState } from '#src/pages/kit/parts.ts'
import { redirectDone } from '#src/pages/kit/pages.ts'
import { organizationClaims as words } from '#src/words/publisher_desk.ts'

const section = '/claims'

const flashes: Flashes = {
  confirm: words.confirmed,
  reject: words.rejected,
}

/** Adds the pages of people who say that works of the organization are theirs. */
export function addOrganizationClaimPages(context: OrganizationContext): void {
  const { member: read } = organizationRoutes(context, 'read')
  const { member: review } = organizationRoutes(context, 'review claims')
  read.get(section, claimsPage)
  addReviewPages<OrganizationVisit>(
    section,
    { read, review },
    {
      deskOf,
      isTheirs(visit, { ark }) {
        const work = context.environments.live.catalogue.state(ark)
        return work !== undefined && isOwner(organizationAgent(visit), work.owner)
      },
      show: (visit, page) => organizationPage(visit, { section, ...page }),
      done: (visit, step) => redirectDone(pathIn(visit, section), step),
    },
  )
}

async function claimsPage(visit: OrganizationVisit): Promise<AccountPage> {
  const { claims } = visit.context.environments.live
  const registrant = { type: 'organization', id: visit.organization.slug } as const
  const content = await claimList(visit, deskOf(visit), {
    read: (page) => claims.awaiting(registrant, page),
    none: emptyState(words.none, words.noneText),
  })
  return organizationPage(visit, {
    section,
    title: words.heading,
    flashes,
    content,
  })
}

/** An administrator who is not a member decides as an administrator. */
function deskOf(visit: OrganizationVisit): ReviewDesk {
  const { environments, baseUrl, audit, nowMs } = visit.context
  const { isAdmin, csrf } = visit
  const agent = isAdmin ? memberAgent(visit) : organizationAgent(visit)
  const by = mayDo(visit, 'review claims') ? agent : undefined
  const base = hrefIn(visit, section)
  const nameOf = (ppid: string) => askersName(visit.context, ppid)
  const place = { environment: environments.live, baseUrl, askersName: nameOf }
  return { ...place, audit, nowMs, base, csrf, by, isAdmin }
}
