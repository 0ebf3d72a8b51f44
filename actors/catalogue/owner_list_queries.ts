import { changedPrefix, failingPrefix, ownedPrefix, readCounts } from '#actors/works/views.ts'
import type { OwnerListWork, OwnerLists } from '#actors/catalogue/owner_lists.ts'
import { mergeScans } from '#actors/catalogue/merged_scan.ts'
import { keyPosition, positionRange, readerOf, type ReadRow } from '#actors/journal/rows.ts'
import { readNamedWork } from '#actors/works/record.ts'
import { metadataAt } from '#actors/works/events.ts'
import { scanSound, unlessDamaged } from '#log/damage.ts'
import type { ReadStore } from '#log/store.ts'

/** The queries on what owners hold, as reads of the committed views. */
export function openOwnerLists(store: ReadStore): OwnerLists {
  const read = readerOf(store)
  return {
    counts: (owner) => readCounts(owner, read),
    async works(owner, page) {
      const { limit, order = 'newest' } = page
      const scan = (prefix: string) => scanSound(store, positionRange(prefix, page))
      const scans = [scan(ownedPrefix(owner)), scan(changedPrefix(owner))] as const
      const works: OwnerListWork[] = []
      let count = 0
      let next: number | null = null
      for await (const [key, row] of mergeScans(scans, { reverse: order === 'newest' })) {
        if (count === limit) return { works, next }
        next = keyPosition(key)
        count += 1
        works.push(...describeSound(Buffer.from(row).toString('utf8'), read))
      }
      return { works, next: null }
    },
    async failing(owner, { after = '', limit }) {
      const prefix = failingPrefix(owner)
      const range = { gt: prefix + after, lt: `${prefix}~`, limit: limit + 1 }
      const works: OwnerListWork[] = []
      let count = 0
      let next: string | null = null
      for await (const [key] of scanSound(store, range)) {
        if (count === limit) return { works, next }
        next = key.slice(prefix.length)
        count += 1
        works.push(...describeSound(next, read))
      }
      return { works, next: null }
    },
  }
}

// One that is damaged takes its place on a page, and is not shown.
function describeSound(ark: string, read: ReadRow): readonly OwnerListWork[] {
  const work = unlessDamaged(() => describeHeld(ark, read))
  return work === undefined ? [] : [work]
}

/** A work, `naan/name`, that a view names, as lists of works show it. */
function describeHeld(ark: string, read: ReadRow): OwnerListWork {
  const stored = readNamedWork(ark, read)
  const { identifier, version, status, fixity_status, created_at, updated_at } = stored.state
  const work_title = metadataAt(stored.state.position, read)?.work_title ?? null
  return {
    ark_identifier: identifier,
    work_title,
    version,
    status,
    fixity_status,
    created_at,
    updated_at,
  }
}
