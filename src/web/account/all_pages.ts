import { addAccessPages } from '#src/web/account/access_pages.ts'
import { addClaimFormPages } from '#src/web/account/claim_form_pages.ts'
import { addConfirmPages } from '#src/web/account/confirm_pages.ts'
import type { AccountContext } from '#src/web/account/context.ts'
import { addAskedClaimPages } from '#src/web/account/asked_claims.ts'
import { addAuditPages } from '#src/web/account/audit_pages.ts'
import { addDeletionPages } from '#src/web/account/deletion_pages.ts'
import { addFindPages } from '#src/web/account/find_pages.ts'
import { addItemPages } from '#src/web/account/item_pages.ts'
import { addAccountKeyPages } from '#src/web/account/key_pages.ts'
import { addNoticePages } from '#src/web/account/notice_pages.ts'
import { addPasskeyPages } from '#src/web/account/passkey_pages.ts'
import { addPermissionPages } from '#src/web/account/permission_pages.ts'
import { addProfilePages } from '#src/web/account/profile_pages.ts'
import { addSecondFactorSettings } from '#src/web/account/second_factor_pages.ts'
import { addSecurityPages } from '#src/web/account/security_pages.ts'
import { addSignInHistoryPages } from '#src/web/account/sign_in_pages.ts'
import { addWorkPages } from '#src/web/account/work_pages.ts'
import { addWritePages } from '#src/web/account/write_pages.ts'

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
