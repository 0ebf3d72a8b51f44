import type { JournalEvent } from '#actors/journal/journal.ts'

/**
 * Follows the journal. `published` tells it what was committed, and how many events there are now,
 * before anybody is answered who asked for that: it returns at once, and reads nothing. `close`
 * ends what it does of its own after what it is at.
 */
export type Follower = {
  published(newest: readonly JournalEvent[], events: number): void
  close?(): Promise<void>
}
