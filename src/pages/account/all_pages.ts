import { addAccessPages } from '#src/pages/account/access_pages.ts'
import { addClaimFormPages } from '#src/pages/account/claim_form_pages.ts'
import { addConfirmPages } from '#src/pages/account/confirm_pages.ts'
import type { AccountContext } from '#src/pages/account/context.ts'
import { addAskedClaimPages } from '#src/pages/account/asked_claims.ts'
import { addAuditPages } from '#src/pages/account/audit_pages.ts'
import { addDeletionPages } from '#src/pages/account/deletion_pages.ts'
import { addFindPages } from '#src/pages/account/find_pages.ts'
import { addItemPages } from '#src/pages/account/item_pages.ts'
import { addAccountKeyPages } from '#src/pages/account/key_pages.ts'
import { addNoticePages } from '#src/pages/account/notice_pages.ts'
import { addPasskeyPages } from '#src/pages/account/passkey_pages.ts'
import { addPermissionPages } from '#src/pages/account/permission_pages.ts'
import { addProfilePages } from '#src/pages/account/profile_pages.ts'
import { addSecondFactorSettings } from '#src/pages/account/second_factor_pages.ts'
import { addSecurityPages } from '#src/pages/account/security_pages.ts'
import { addSignInHistoryPages } from '#src/pages/account/sign_in_pages.ts'
import { addWorkPages } from '#src/pages/account/work_pages.ts'
import { addWritePages } from '#src/pages/account/write_pages.ts'

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
