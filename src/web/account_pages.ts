import { addAccessPages } from '#src/web/access_pages.ts'
import type { AccountDesk } from '#src/web/account_desk.ts'
import { addAuditPages } from '#src/web/audit_pages.ts'
import { addDeletionPages } from '#src/web/deletion_pages.ts'
import { addItemPages } from '#src/web/item_pages.ts'
import { addKeyPages } from '#src/web/key_pages.ts'
import { addPermissionPages } from '#src/web/permission_pages.ts'
import { addProfilePages } from '#src/web/profile_pages.ts'
import { addSecurityPages } from '#src/web/security_pages.ts'
import { addWorkPages } from '#src/web/work_pages.ts'
import { addWritePages } from '#src/web/write_pages.ts'

/** Adds the pages of a person's own account. */
export function addAccountPages(desk: AccountDesk): void {
  addProfilePages(desk)
  addItemPages(desk)
  addWorkPages(desk)
  addWritePages(desk)
  addPermissionPages(desk)
  addKeyPages(desk)
  addSecurityPages(desk)
  addAccessPages(desk)
  addAuditPages(desk)
  addDeletionPages(desk)
}
