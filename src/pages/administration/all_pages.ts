import { addAdminAccountPages } from '#src/pages/administration/account_pages.ts'
import { addAdminApplicationPages } from '#src/pages/administration/application_pages.ts'
import { addAdminAuditPage } from '#src/pages/administration/audit_page.ts'
import { addAdminKeyPages } from '#src/pages/administration/key_pages.ts'
import { addAdminOrganizationPage } from '#src/pages/administration/organization_page.ts'
import { addAdminOrganizationPages } from '#src/pages/administration/organization_pages.ts'
import { addAdminStartPage } from '#src/pages/administration/start_page.ts'
import { addClusterPage } from '#src/pages/administration/cluster_page.ts'
import { addDisputePages } from '#src/pages/administration/dispute_pages.ts'
import { addLostAccountPage } from '#src/pages/administration/lost_account_page.ts'
import { addOperationsPage } from '#src/pages/administration/operations_page.ts'
import type { OrganizationContext } from '#src/pages/organization/context.ts'

/** Adds all pages of administrators. */
export function addAdministrationArea(context: OrganizationContext): void {
  addAdminStartPage(context)
  addAdminAccountPages(context)
  addLostAccountPage(context)
  addAdminOrganizationPages(context)
  addAdminOrganizationPage(context)
  addAdminApplicationPages(context)
  addAdminKeyPages(context)
  addAdminAuditPage(context)
  addDisputePages(context)
  addClusterPage(context)
  addOperationsPage(context)
}
