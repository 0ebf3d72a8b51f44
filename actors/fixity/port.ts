import type { FixityStatus } from '#actors/receipts/statement.ts'
import type { Agent } from '#actors/values/agent.ts'
import type {
  FetchedContent,
  FixityCheck,
  HashSource,
  UnavailableContent,
} from '#actors/works/content.ts'
import type { RecheckAnswer } from '#actors/works/fixity_rules.ts'

/** How the checks of the content of a work's newest version went, and how they go on. */
export type FixityChecks = {
  /** When it is due to be checked; null once the work is withdrawn. */
  readonly next_check_at: string | null
  /** Checks in a row with the present status. */
  readonly streak: number
  /** The newest checks of this content, oldest first. */
  readonly fixity_checks: readonly FixityCheck[]
}

/** What is known of the content of a work's newest version. */
export type FixityRecord = FixityChecks & {
  readonly ark_identifier: string
  readonly version: number
  /** Null once the metadata of the work was erased. */
  readonly content_url: string | null
  readonly fixity_status: FixityStatus
  readonly content_hash: string | null
  readonly hash_source: HashSource | null
  readonly media_type: string | null
  readonly size: number | null
  readonly reason: string | null
  readonly message: string | null
  readonly checked_at: string | null
}

/** How the checking of content is doing. Counts are of works. */
export type FixityOverview = {
  /** Whether content is fetched at all by this process. */
  readonly fetching: boolean
  /** Works that will be checked: all that are not withdrawn. */
  readonly queue_depth: number
  /** Of them, those whose time has come; `dueCountMax` stands for as many or more. */
  readonly due: number
  /** Since when the oldest of those has been due; null if there is none. */
  readonly oldest_pending_at: string | null
  /** Checks whose content is being fetched; one that waits for its host's turn is not. */
  readonly in_flight: number
  /** Works by the state of their newest version. */
  readonly states: Readonly<Record<FixityStatus, number>>
  /**
   * Checks that ended since this process started, by outcome: `verified`, `postponed`, `outdated`
   * (the work has changed meanwhile), `unrecorded`, or the `reason` of a check.
   */
  readonly outcomes: Readonly<Record<string, number>>
}

/** The checking of content, as operators see it. `ark` is the normal form `naan/name`. */
export type Fixity = {
  overview(): Promise<FixityOverview>
  read(ark: string): FixityRecord | undefined
  /** The part of the record that costs the same however long the metadata of the work are. */
  checks(ark: string): FixityChecks | undefined
  /** Makes a work due now. The wish is durable before it is answered. */
  recheck(ark: string, by: Agent): Promise<RecheckAnswer>
}

/** Due works that are counted one by one for an overview. */
export const dueCountMax = 10_000

/**
 * How a fetch of content ended. `postponed`: the host of `url` has to be left alone for a while and
 * was not asked; `aborted`: the signal was set off; `interrupted`: by a defect of ours. None says
 * anything about the content.
 */
export type ContentOutcome =
  | FetchedContent
  | UnavailableContent
  | { readonly type: 'postponed'; readonly url: string; readonly retryAfterMs: number }
  | { readonly type: 'aborted' }
  | { readonly type: 'interrupted' }

/** How to read content. */
type ContentCall = {
  readonly signal: AbortSignal
  /** On a connection of its own, and not on one that an earlier reading has left. */
  readonly fresh: boolean
  /** Is called when it is the host's turn, and it is asked. */
  readonly onStart?: () => void
}

/**
 * Reads what an address serves and hashes it. Bounds its time and what it reads, and paces itself
 * per host. Whatever the address is and its server does is an outcome;
 * it rejects on a defect of its own only.
 */
export type ContentFetcher = (url: string, call: ContentCall) => Promise<ContentOutcome>
