import type { JournalEvent } from '#actors/journal/journal.ts'
import { isClaimEvent, streamPpid } from '#actors/people/events.ts'
import { isPublicEvent, streamArk, type WorkEvent } from '#actors/works/events.ts'

/**
 * What a commit means to those who answer from committed rows: how many events there are now, and
 * what the newest ones are about. It is plain, so that it can go to other threads.
 */
export type CommitNotice = {
  readonly events: number
  /** Works that have changed, or of which a claim has. */
  readonly arks: readonly string[]
  /** People who have changed, or one of whose claims has. */
  readonly ppids: readonly string[]
  /** Whether any of it is shown in the feed of changes. */
  readonly isNews: boolean
}

/** The notice of a commit, after which there are `events` events. */
export function noticeOf(newest: readonly JournalEvent[], events: number): CommitNotice {
  const arks: string[] = []
  const ppids: string[] = []
  for (const event of newest) {
    const ppid = streamPpid(event.stream)
    if (ppid !== undefined) ppids.push(ppid)
    if (isClaimEvent(event)) arks.push(event.data.ark)
    else if (isOfWork(event)) arks.push(streamArk(event.stream))
  }
  return { events, arks, ppids, isNews: newest.some(isNews) }
}

/**
 * Whether an event is shown in the feed of changes. Checks that find nothing new are most of a
 * journal in time, and news to nobody. What people say of themselves, and which organizations they
 * are in, is for those alone whom they let read it.
 */
export function isNews(event: JournalEvent): boolean {
  switch (event.type) {
    case 'OrganizationCreated':
    case 'OrganizationUpdated':
    case 'ReceiptKeyRotated':
      return true
    default:
      return isOfWork(event) && isPublicEvent(event as JournalEvent & WorkEvent)
  }
}

function isOfWork({ stream }: JournalEvent): boolean {
  return stream.startsWith('work/')
}
