import { addAccessPages, addPermissionPages } from '#src/pages/account/permission_pages.ts'
import { addClaimFormPages, addFindPages } from '#src/pages/account/claim_form_pages.ts'
import { addConfirmPages } from '#src/pages/account/confirm_pages.ts'
import type { AccountContext } from '#src/pages/account/context.ts'
import { addAskedClaimPages, addWorkPages } from '#src/pages/account/work_pages.ts'
import { addAuditPages } from '#src/pages/account/audit_list.ts'
import {
  addDeletionPages,
  addSecurityPages,
  addSignInHistoryPages,
} from '#src/pages/account/security_pages.ts'
import { addItemPages, addProfilePages } from '#src/pages/account/profile_pages.ts'
import { addAccountKeyPages } from '#src/pages/account/key_pages.ts'
import { addNoticePages, addWritePages } from '#src/pages/account/write_pages.ts'
import { addPasskeyPages, addSecondFactorSettings } from '#src/pages/account/second_factor_pages.ts'

/** Adds the pages of a person's own account. */
export function addAccountPages(context: AccountContext): void {
  addProfilePages(context)
  addItemPages(context)
  addWorkPages(context)
  addClaimFormPages(context)
  addFindPages(context)
  addAskedClaimPages(context)
  addWritePages(context)
  addNoticePages(context)
  addPermissionPages(context)
  addAccountKeyPages(context)
  addSecurityPages(context)
  addSignInHistoryPages(context)
  addConfirmPages(context)
  addSecondFactorSettings(context)
  addPasskeyPages(context)
  addAccessPages(context)
  addAuditPages(context)
  addDeletionPages(context)
}
