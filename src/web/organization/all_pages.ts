import { addAdminAccountPages } from '#src/web/organization/admin_account_pages.ts'
import { addAdminApplicationPages } from '#src/web/organization/admin_application_pages.ts'
import { addAdminAuditPage } from '#src/web/organization/admin_audit_pages.ts'
import { addAdminKeyPages } from '#src/web/organization/admin_key_pages.ts'
import { addAdminOrganizationPage } from '#src/web/organization/admin_organization_page.ts'
import { addAdminStartPage } from '#src/web/organization/admin_start_page.ts'
import { addAdminPages } from '#src/web/organization/admin_pages.ts'
import { addClusterPage } from '#src/web/organization/cluster_page.ts'
import { addDisputePages } from '#src/web/organization/dispute_pages.ts'
import { addImportPages } from '#src/web/organization/import_pages.ts'
import { addOrganizationApplicationPages } from '#src/web/organization/application_pages.ts'
import { addOrganizationClaimPages } from '#src/web/organization/claim_pages.ts'
import { addContentPages } from '#src/web/organization/content_pages.ts'
import type { OrganizationContext } from '#src/web/organization/context.ts'
import { addOrganizationHistoryPages } from '#src/web/organization/history_pages.ts'
import { addOrganizationKeyPages } from '#src/web/organization/key_pages.ts'
import { addOrganizationMemberPages } from '#src/web/organization/member_pages.ts'
import { addInvitationPages } from '#src/web/organization/invitation_pages.ts'
import { addOperationsPage } from '#src/web/organization/operations_page.ts'
import { addOrganizationPages } from '#src/web/organization/overview_pages.ts'
import { addOrganizationWorkPages } from '#src/web/organization/work_pages.ts'
import { addOwnOrganizationPages } from '#src/web/organization/own_pages.ts'
import { addWorkChangePages } from '#src/web/organization/work_change_pages.ts'
import { addWebhookPages } from '#src/web/organization/webhook_pages.ts'
import { addWithdrawalPages } from '#src/web/organization/withdrawal_pages.ts'
import { addRegistrationPages } from '#src/web/organization/registration_pages.ts'

/** Adds all pages of organizations, and those of administrators. */
export function addOrganizationArea(context: OrganizationContext): void {
  addOwnOrganizationPages(context)
  addOrganizationPages(context)
  addOrganizationWorkPages(context)
  addContentPages(context)
  addRegistrationPages(context)
  addWorkChangePages(context)
  addWithdrawalPages(context)
  addImportPages(context)
  addOrganizationClaimPages(context)
  addOrganizationKeyPages(context)
  addOrganizationApplicationPages(context)
  addWebhookPages(context)
  addOrganizationMemberPages(context)
  addInvitationPages(context)
  addOrganizationHistoryPages(context)
  addAdminStartPage(context)
  addAdminAccountPages(context)
  addAdminPages(context)
  addAdminOrganizationPage(context)
  addAdminApplicationPages(context)
  addAdminKeyPages(context)
  addAdminAuditPage(context)
  addDisputePages(context)
  addClusterPage(context)
  addOperationsPage(context)
}
