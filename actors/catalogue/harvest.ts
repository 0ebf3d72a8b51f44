import type { Agent } from '#actors/values/agent.ts'
import type { WorkState } from '#actors/works/events.ts'

/** A work at its place in the order of the changes that harvesters see. */
export type HarvestEntry = {
  readonly state: WorkState
  /** Position and time of its last change. */
  readonly changed: { readonly position: number; readonly at: string }
  /** Its newest version; undefined once the work was withdrawn. */
  readonly written: WrittenVersion | undefined
}

/** A version: when and by whom it was written, and its metadata as canonical JSON (RFC 8785). */
export type WrittenVersion = {
  readonly at: string
  readonly by: Agent
  readonly metadata: Uint8Array
}

/**
 * How much is read at a time, after a position: so many places, or as many as have so many bytes of
 * metadata, whichever comes first; one at least.
 */
export type HarvestPage = {
  readonly after?: number
  readonly limit: number
  readonly bytesEnough: number
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
  work(ark: string): HarvestEntry | undefined
  /** Places of a span, and whether it has more after them. */
  places(
    span: HarvestSpan,
    page: HarvestPage,
  ): Promise<{ readonly places: readonly HarvestEntry[]; readonly hasMore: boolean }>
  /** How many places a span has: exactly if they are few, else about how many. */
  count(span: HarvestSpan): Promise<number>
}
