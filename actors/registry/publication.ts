import type { CommitNotice } from '#actors/catalogue/commit_notice.ts'
import type { JournalHead } from '#actors/journal/pool.ts'
import type { Subscription } from '#actors/kernel/publication.ts'

/** A commit as readers in other threads are told of it. */
export type Publication = { readonly head: JournalHead; readonly notice: CommitNotice }

/** What a thread begins with that serves a registry of another one. */
export type Share = Subscription & {
  /** The newest head when the subscription began. */
  readonly head: JournalHead
  /** The receipt key, 64 hex digits, of before the first rotation in the log. */
  readonly firstReceiptKey: string
}
