import type { Clock } from '#actors/values/clock.ts'
import { contentUrl } from '#actors/works/content.ts'
import type { Entities } from '#actors/kernel/shards.ts'
import {
  dueCountMax,
  type Fixity,
  type FixityChecks,
  type FixityOverview,
  type FixityRecord,
} from '#actors/fixity/port.ts'
import type { FixityChecker } from '#actors/fixity/checker.ts'
import { contentReason, hashSource, nextCheckAt } from '#actors/works/fixity_rules.ts'
import { dueClasses, dueFrom, parseDueKey, readTally } from '#actors/works/content_index.ts'
import { ask } from '#actors/kernel/kernel.ts'
import { readerOf, type ReadRow } from '#actors/journal/rows.ts'
import type { WorkMessage } from '#actors/works/actor.ts'
import { readFixityChecks, readWork, type StoredWork } from '#actors/works/record.ts'
import { metadataAt } from '#actors/works/events.ts'
import type { ReadStore } from '#log/base/store.ts'

/** What the queries on fixity need. */
export type FixityQueriesOptions = {
  readonly works: Entities<WorkMessage>
  readonly store: ReadStore
  readonly askTimeoutMs: number
}

/**
 * Who knows how checking goes; `checker` is undefined where nothing is fetched, and has no current
 * one while another node checks.
 */
export type FixityOptions = FixityQueriesOptions & {
  readonly checker: { readonly current: Pick<FixityChecker, 'status'> | undefined } | undefined
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
      for (const [key] of page) {
        due += 1
        oldestMs = Math.min(oldestMs ?? Number.POSITIVE_INFINITY, parseDueKey(key).atMs)
      }
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
    content_url: metadata === undefined ? null : contentUrl(metadata),
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
