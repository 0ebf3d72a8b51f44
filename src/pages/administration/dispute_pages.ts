import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { addReviewPages, claimList, type ReviewDesk } from '#src/pages/account/claim_review.ts'
import {
  administrationPage,
  adminPath,
  adminRoutes,
  type AdminVisit,
} from '#src/pages/administration/frame.ts'
import { askersName, type OrganizationContext } from '#src/pages/organization/context.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { emptyState } from '#src/pages/kit/parts.ts'
import { redirectDone } from '#src/pages/kit/pages.ts'

const path = `${adminPath}/claims`

const flashes: Flashes = {
  confirm: 'You have decided for the claim: the person counts as an author.',
  reject: 'You have decided against the claim: the person does not count as an author.',
}

/** Adds the pages of claims in dispute, on which administrators decide. */
export function addDisputePages(context: OrganizationContext): void {
  const { member } = adminRoutes(context)
  member.get(path, disputesPage)
  addReviewPages<AdminVisit>(
    path,
    { read: member, review: member },
    {
      deskOf,
      isTheirs: () => true,
      show: (_visit, page) => administrationPage(context, '/claims', page),
      done: (_visit, step) => redirectDone(path, step),
    },
  )
}

async function disputesPage(visit: AdminVisit): Promise<AccountPage> {
  const { claims } = visit.context.environments.live
  const content = await claimList(visit, deskOf(visit), {
    read: (page) => claims.disputed(page),
    none: emptyState(
      'No claim is in dispute',
      'When a person contests that their claim was refused, or a publisher one that was ' +
        'confirmed, it is decided here.',
    ),
  })
  return administrationPage(visit.context, '/claims', {
    title: 'Claims in dispute',
    flashes,
    content,
  })
}

function deskOf({ context, csrf, by }: AdminVisit): ReviewDesk {
  const { environments, baseUrl, pages, audit, nowMs } = context
  const base = pages.prefix + path
  const nameOf = (ppid: string) => askersName(context, ppid)
  const place = { environment: environments.live, baseUrl, askersName: nameOf }
  return { ...place, audit, nowMs, base, csrf, by, isAdmin: true }
}
