import { addAdminPages } from '#src/web/admin_pages.ts'
import { addImportPages } from '#src/web/import_pages.ts'
import { addOrganizationApplicationPages } from '#src/web/organization_application_pages.ts'
import { addOrganizationClaimPages } from '#src/web/organization_claim_pages.ts'
import type { OrganizationDesk } from '#src/web/organization_desk.ts'
import { addOrganizationHistoryPages } from '#src/web/organization_history_pages.ts'
import { addOrganizationKeyPages } from '#src/web/organization_key_pages.ts'
import { addOrganizationMemberPages } from '#src/web/organization_member_pages.ts'
import { addOrganizationPages } from '#src/web/organization_pages.ts'
import { addOrganizationWorkPages } from '#src/web/organization_work_pages.ts'
import { addOwnOrganizationPages } from '#src/web/own_organization_pages.ts'
import { addRegistrationPages } from '#src/web/registration_pages.ts'

/** Adds all pages of organizations, and those of who administers them. */
export function addOrganizationArea(desk: OrganizationDesk): void {
  addOwnOrganizationPages(desk)
  addOrganizationPages(desk)
  addOrganizationWorkPages(desk)
  addRegistrationPages(desk)
  addImportPages(desk)
  addOrganizationClaimPages(desk)
  addOrganizationKeyPages(desk)
  addOrganizationApplicationPages(desk)
  addOrganizationMemberPages(desk)
  addOrganizationHistoryPages(desk)
  addAdminPages(desk)
}
