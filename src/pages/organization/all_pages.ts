import { addImportPages } from '#src/pages/organization/import_pages.ts'
import { addOrganizationApplicationPages } from '#src/pages/organization/application_pages.ts'
import { addOrganizationClaimPages } from '#src/pages/organization/claim_pages.ts'
import { addContentPages } from '#src/pages/organization/content_pages.ts'
import type { OrganizationContext } from '#src/pages/organization/context.ts'
import { addOrganizationHistoryPages } from '#src/pages/organization/history_pages.ts'
import { addOrganizationKeyPages } from '#src/pages/organization/key_pages.ts'
import {
  addInvitationPages,
  addOrganizationMemberPages,
} from '#src/pages/organization/member_pages.ts'
import {
  addOrganizationPages,
  addOwnOrganizationPages,
} from '#src/pages/organization/overview_pages.ts'
import { addOrganizationWorkPages } from '#src/pages/organization/work_pages.ts'
import {
  addWithdrawalPages,
  addWorkChangePages,
} from '#src/pages/organization/work_change_pages.ts'
import { addWebhookPages } from '#src/pages/organization/webhook_pages.ts'
import { addRegistrationPages } from '#src/pages/organization/registration_pages.ts'

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
