import {
  contentState,
  readBreakdown,
  readRegistered,
  withdrawnPrefix,
} from '#actors/works/breakdown.ts'
import { decodeFailing, failedPrefix, failingPrefix } from '#actors/works/failing.ts'
import { changedPrefix, ownedPrefix, readCounts } from '#actors/works/views.ts'
import { contentUrl } from '#actors/works/content.ts'
import { readOwnerHistory } from '#actors/catalogue/owner_history_queries.ts'
import {
  causesMax,
  type FailingWork,
  type FailureCause,
  failuresReadMax,
  type HeldWork,
  type OwnerListPage,
  type OwnerListWork,
  type OwnerLists,
} from '#actors/catalogue/owner_lists.ts'
import type { JournalTimes } from '#actors/catalogue/journal_times.ts'
import { mergeScans } from '#actors/catalogue/merged_scan.ts'
import { inStrides } from '#actors/kernel/stride.ts'
import { keyPosition, positionRange, readerOf, type ReadRow } from '#actors/journal/rows.ts'
import { readNamedWork, readWork } from '#actors/works/record.ts'
import { metadataAt, type WorkState } from '#actors/works/events.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { formatOwner, type OwnerRef } from '#actors/values/agent.ts'
import { scanSound, unlessDamaged } from '#log/store/damage.ts'
import type { Page } from '#actors/values/page.ts'
import type { ReadStore } from '#log/base/store.ts'

/** The queries on what owners hold, as reads of the committed views. */
export function openOwnerLists(store: ReadStore, times: JournalTimes): OwnerLists {
  const read = readerOf(store)
  return {
    counts: (owner) => readCounts(owner, read),
    breakdown: (owner) => readBreakdown(owner, read),
    registered: (owner, months) => months.map((month) => readRegistered(owner, month, read)),
    work(owner, ark) {
      const state = unlessDamaged(() => readWork(ark, read))?.state
      if (state === undefined || formatOwner(state.owner) !== formatOwner(owner)) return undefined
      return unlessDamaged(() => describeHeld(state, metadataAt(state.position, read)))
    },
    works(owner, page) {
      const { order = 'newest' } = page
      const scan = (prefix: string) => scanSound(store, positionRange(prefix, page))
      const scans = [scan(ownedPrefix(owner)), scan(changedPrefix(owner))] as const
      return pageOf(mergeScans(scans, { reverse: order === 'newest' }), page, read)
    },
    withdrawn(owner, page) {
      return pageOf(scanSound(store, positionRange(withdrawnPrefix(owner), page)), page, read)
    },
    async failing(owner, { after = '', limit, cause }) {
      const prefix = failingPrefix(owner)
      const range = { gt: prefix + after, lt: `${prefix}~` }
      const works: OwnerListWork[] = []
      let count = 0
      let next: string | null = null
      let rows = 0
      for await (const [key, row] of inStrides(scanSound(store, range))) {
        if (count === limit || rows === failuresReadMax) return { works, next }
        next = key.slice(prefix.length)
        rows += 1
        if (cause !== undefined && causeKey(decodeFailing(row)) !== causeKey(cause)) continue
        count += 1
        works.push(...describeSound(next, read))
      }
      return { works, next: null }
    },
    async failureCauses(owner) {
      const prefix = failingPrefix(owner)
      const range = { gt: prefix, lt: `${prefix}~`, limit: failuresReadMax + 1 }
      const found = new Map<string, FailureCause & { count: number; readonly ark: string }>()
      let rows = 0
      for await (const [key, row] of inStrides(scanSound(store, range))) {
        rows += 1
        if (rows > failuresReadMax) break
        const { standing, reason, host } = decodeFailing(row)
        const cause = { standing, reason, host, ark: key.slice(prefix.length) }
        const known = found.get(causeKey(cause))
        if (known === undefined) found.set(causeKey(cause), { ...cause, count: 1 })
        else known.count += 1
      }
      const most = [...found.values()].toSorted((a, b) => b.count - a.count).slice(0, causesMax)
      const causes = most.map(({ ark, ...cause }) => ({ ...cause, ...explained(ark, read) }))
      return { causes, isWhole: rows <= failuresReadMax }
    },
    newestFailures: (owner, limit) => readNewestFailures(store, owner, limit),
    history: (owner, query) => readOwnerHistory(store, times, owner, query),
  }
}

async function readNewestFailures(
  store: ReadStore,
  owner: OwnerRef,
  limit: number,
): Promise<readonly FailingWork[]> {
  const read = readerOf(store)
  const works: FailingWork[] = []
  const page = { limit: limit - 1, order: 'newest' } as const
  const failed = scanSound(store, positionRange(failedPrefix(owner), page))
  for await (const [, row] of inStrides(failed)) {
    const ark = Buffer.from(row).toString('utf8')
    const failing = read(failingPrefix(owner) + ark)
    if (failing === undefined) continue
    const { standing, since } = decodeFailing(failing)
    const told = { standing, since, ...explained(ark, read) }
    works.push(...describeSound(ark, read).map((work) => ({ ...work, ...told })))
  }
  return works
}

/** At which host the content of a work should be, and what its last check said. */
function explained(ark: string, read: ReadRow) {
  const state = unlessDamaged(() => readNamedWork(ark, read).state)
  const metadata = state && unlessDamaged(() => metadataAt(state.position, read))
  const hostName = metadata === undefined ? '' : new URL(contentUrl(metadata)).host
  return { hostName, message: state?.checked?.message ?? null }
}

function causeKey({ standing, reason, host }: FailureCause): string {
  return `${standing} ${reason} ${host}`
}

/** The works of a page, by rows that name them and whose keys end with a position. */
async function pageOf(
  rows: AsyncIterable<readonly [string, Uint8Array]>,
  { limit }: Page<number>,
  read: ReadRow,
): Promise<OwnerListPage<number>> {
  const works: OwnerListWork[] = []
  let count = 0
  let next: number | null = null
  for await (const [key, row] of inStrides(rows)) {
    if (count === limit) return { works, next }
    next = keyPosition(key)
    count += 1
    works.push(...describeSound(Buffer.from(row).toString('utf8'), read))
  }
  return { works, next: null }
}

// One that is damaged takes its place on a page, and is not shown.
function describeSound(ark: string, read: ReadRow): readonly OwnerListWork[] {
  const work = unlessDamaged(() => {
    const { state } = readNamedWork(ark, read)
    const {
      work_type: _,
      standing: __,
      ...listed
    } = describeHeld(state, metadataAt(state.position, read))
    return listed
  })
  return work === undefined ? [] : [work]
}

/** A work as lists of works show it to its owner. */
function describeHeld(state: WorkState, metadata: Metadata | undefined): HeldWork {
  const { identifier, version, status, fixity_status, created_at, updated_at } = state
  return {
    ark_identifier: identifier,
    work_title: metadata?.work_title ?? null,
    version,
    status,
    fixity_status,
    created_at,
    updated_at,
    work_type: metadata?.work_type ?? null,
    standing: contentState(state),
  }
}
