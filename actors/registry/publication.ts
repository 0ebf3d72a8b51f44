import type { CommitNotice } from '#actors/catalogue/feeds.ts'
import type { JournalHead } from '#actors/journal/pool.ts'
import type { Subscription } from '#actors/kernel/publication.ts'
import type { Cosigned } from '#log/store/witnessed_history.ts'

/** What readers in other threads are told of: a commit, or new cosignatures of the log. */
export type Publication =
  | { readonly type: 'commit'; readonly head: JournalHead; readonly notice: CommitNotice }
  | { readonly type: 'cosigned'; readonly cosigned: Cosigned }

/** What a thread begins with that serves a registry of another one. */
export type Share = Subscription & {
  /** The newest head when the subscription began. */
  readonly head: JournalHead
  /** What was known then of the cosignatures of the log. */
  readonly cosigned: Cosigned
  /** The receipt key, 64 hex digits, of before the first rotation in the log. */
  readonly firstReceiptKey: string
}
