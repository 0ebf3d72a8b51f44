import type { JournalEvent } from '#actors/journal.ts'
import type { WorkRegistered, WorkState, WorkVersioned } from '#actors/work_events.ts'

/** A work at its place in the order of the changes that harvesters see. */
export type HarvestedPlace = {
  readonly state: WorkState
  /** Position and time of its last change. */
  readonly changed: { readonly position: number; readonly at: string }
  /** The event of its newest version; undefined once the work was withdrawn. */
  readonly written: (JournalEvent & (WorkRegistered | WorkVersioned)) | undefined
}

/** Changes from one time to another, in seconds since 1970, both included; of one organization. */
export type HarvestSpan = {
  readonly from: number
  readonly until: number
  readonly organization?: string
}

/**
 * All works that there ever were in the order of their last changes, which is that of the journal.
 * A work has one place: it moves to the end when it changes.
 */
export type Harvest = {
  /** Seconds since 1970 of the journal's first event; 0 while there is none. */
  earliest(): number
  /** Seconds since 1970 of the newest event that was published; 0 as above. */
  newest(): number
  /** A work, `naan/name`, at its place. */
  work(ark: string): HarvestedPlace | undefined
  /** The first `limit` places of a span after a position. */
  places(
    span: HarvestSpan,
    page: { readonly after?: number; readonly limit: number },
  ): Promise<readonly HarvestedPlace[]>
  /** How many places a span has: exactly if they are few, else about how many. */
  count(span: HarvestSpan): Promise<number>
}
