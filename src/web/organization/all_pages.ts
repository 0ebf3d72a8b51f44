import { addImportPages } from '#src/web/organization/import_pages.ts'
import { addOrganizationApplicationPages } from '#src/web/organization/application_pages.ts'
import { addOrganizationClaimPages } from '#src/web/organization/claim_pages.ts'
import { addContentPages } from '#src/web/organization/content_pages.ts'
import type { OrganizationContext } from '#src/web/organization/context.ts'
import { addOrganizationHistoryPages } from '#src/web/organization/history_pages.ts'
import { addOrganizationKeyPages } from '#src/web/organization/key_pages.ts'
import { addOrganizationMemberPages } from '#src/web/organization/member_pages.ts'
import { addInvitationPages } from '#src/web/organization/invitation_pages.ts'
import { addOrganizationPages } from '#src/web/organization/overview_pages.ts'
import { addOrganizationWorkPages } from '#src/web/organization/work_pages.ts'
import { addOwnOrganizationPages } from '#src/web/organization/own_pages.ts'
import { addWorkChangePages } from '#src/web/organization/work_change_pages.ts'
import { addWebhookPages } from '#src/web/organization/webhook_pages.ts'
import { addWithdrawalPages } from '#src/web/organization/withdrawal_pages.ts'
import { addRegistrationPages } from '#src/web/organization/registration_pages.ts'

/** Adds all pages of organizations. */
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
}
