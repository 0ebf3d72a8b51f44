import { readerOf, type ReadRow } from '#actors/journal/rows.ts'
import { ask } from '#actors/kernel/kernel.ts'
import type { Entities } from '#actors/kernel/shards.ts'
import type { FixityStatus } from '#actors/works/receipts/statement.ts'
import type { Agent } from '#actors/values/agent.ts'
import type { Clock } from '#actors/values/clock.ts'
import type { WorkMessage } from '#actors/works/actor.ts'
import {
  contentUrl,
  type FetchedContent,
  type FixityCheck,
  type HashSource,
  type UnavailableContent,
} from '#actors/works/content.ts'
import { type FileFixity, readFiles } from '#actors/works/file_fixity.ts'
import { metadataAt } from '#actors/works/events.ts'
import {
  contentReason,
  hashSource,
  nextCheckAt,
  type RecheckAnswer,
} from '#actors/works/fixity_rules.ts'
import {
  dueClasses,
  dueFrom,
  parseDueKey,
  readFixityChecks,
  readTally,
  readWork,
  type StoredWork,
} from '#actors/works/record.ts'
import type { ReadStore } from '#log/store/store.ts'

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
  /** The content and the files of the newest version of a work, as far as they are checked. */
  files(ark: string): readonly FileFixity[]
  /** Makes a work due now. The wish is durable before it is answered. */
  recheck(ark: string, by: Agent): Promise<RecheckAnswer>
}

/** Due works that are counted one by one for an overview. */
const dueCountMax = 10_000

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

type FixityQueriesOptions = {
  readonly works: Entities<WorkMessage>
  readonly store: ReadStore
  readonly askTimeoutMs: number
}

/** What is told of the checks under way. */
type FixityStatusSource = { readonly status: Pick<FixityOverview, 'in_flight' | 'outcomes'> }

/**
 * Who knows how checking goes; `checker` is undefined where nothing is fetched, and has no current
 * one while another node checks.
 */
type FixityOptions = FixityQueriesOptions & {
  readonly checker: { readonly current: FixityStatusSource | undefined } | undefined
  readonly clock: Clock
}

/** What operators ask of fixity, as reads of the committed views and calls on the works' actors. */
export function openFixity(options: FixityOptions): Fixity {
  return { ...openFixityQueries(options), overview: () => readOverview(options) }
}

/** What of it does not depend on who fetches. */
export function openFixityQueries(options: FixityQueriesOptions): Omit<Fixity, 'overview'> {
  const { works, store, askTimeoutMs } = options
  const read = readerOf(store)
  return {
    read(ark) {
      const stored = readWork(ark, read)
      return stored && describeFixity(stored, read)
    },
    checks(ark) {
      const stored = readWork(ark, read)
      return stored && describeChecks(stored, read)
    },
    files(ark) {
      const stored = readWork(ark, read)
      return stored === undefined ? [] : readFiles(stored, read)
    },
    // A work that does not exist gets no actor.
    async recheck(ark, by) {
      if (readWork(ark, read) === undefined) return { type: 'not_found' }
      return ask(works.at(ark), { type: 'request_check', by }, askTimeoutMs)
    },
  }
}

async function readOverview({ checker, store, clock }: FixityOptions): Promise<FixityOverview> {
  const { states, classes } = readTally(readerOf(store))
  let due = 0
  let oldestMs: number | undefined
  for (const dueClass of dueClasses) {
    const until = dueFrom(dueClass, clock.nowMs() + 1)
    const range = { gte: dueFrom(dueClass, 0), lt: until, limit: dueCountMax - due }
    for await (const page of store.scanBatches(range)) {
      due += page.length
      // Those of a class are in the order of their times.
      const [[key] = []] = page
      if (key === undefined) continue
      oldestMs = Math.min(oldestMs ?? Number.POSITIVE_INFINITY, parseDueKey(key).atMs)
    }
  }
  return {
    fetching: checker !== undefined,
    queue_depth: classes[0] + classes[1],
    due,
    oldest_pending_at: oldestMs === undefined ? null : new Date(oldestMs).toISOString(),
    states,
    ...(checker?.current?.status ?? { in_flight: 0, outcomes: {} }),
  }
}

function describeFixity(stored: StoredWork, read: ReadRow): FixityRecord {
  const { state } = stored
  const { identifier, version, fixity_status, content_hash, checked } = state
  const metadata = metadataAt(state.position, read)
  return {
    ark_identifier: identifier,
    version,
    content_url: metadata === undefined ? null : contentUrl(metadata, state),
    fixity_status,
    content_hash,
    hash_source: hashSource(state),
    media_type: checked?.stable?.media_type ?? null,
    size: checked?.stable?.bytes ?? null,
    ...contentReason(state),
    checked_at: checked?.checked_at ?? null,
    ...describeChecks(stored, read),
  }
}

function describeChecks({ state }: StoredWork, read: ReadRow): FixityChecks {
  const { ark, checked } = state
  return {
    next_check_at: nextCheckAt(state),
    streak: checked?.streak ?? 0,
    fixity_checks: checked === undefined ? [] : readFixityChecks(ark, checked.since, read),
  }
}
