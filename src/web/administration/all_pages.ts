import { addAdminAccountPages } from '#src/web/administration/account_pages.ts'
import { addAdminApplicationPages } from '#src/web/administration/application_pages.ts'
import { addAdminAuditPage } from '#src/web/administration/audit_page.ts'
import { addAdminKeyPages } from '#src/web/administration/key_pages.ts'
import { addAdminOrganizationPage } from '#src/web/administration/organization_page.ts'
import { addAdminOrganizationPages } from '#src/web/administration/organization_pages.ts'
import { addAdminStartPage } from '#src/web/administration/start_page.ts'
import { addClusterPage } from '#src/web/administration/cluster_page.ts'
import { addDisputePages } from '#src/web/administration/dispute_pages.ts'
import { addLostAccountPage } from '#src/web/administration/lost_account_page.ts'
import { addOperationsPage } from '#src/web/administration/operations_page.ts'
import type { OrganizationContext } from '#src/web/organization/context.ts'

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
