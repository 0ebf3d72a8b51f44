import {
  addAdminAccountPages,
  addLostAccountPage,
} from '#src/pages/administration/account_pages.ts'
import { addAdminApplicationPages } from '#src/pages/administration/application_pages.ts'
import { addAdminAuditPage } from '#src/pages/administration/audit_page.ts'
import { addAdminKeyPages } from '#src/pages/administration/key_pages.ts'
import {
  addAdminOrganizationPage,
  addAdminOrganizationPages,
} from '#src/pages/administration/organization_pages.ts'
import {
  addAdminStartPage,
  addClusterPage,
  addOperationsPage,
} from '#src/pages/administration/registry_pages.ts'
import { addDisputePages } from '#src/pages/administration/dispute_pages.ts'
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
