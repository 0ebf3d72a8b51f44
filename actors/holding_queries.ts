import {
  changedPrefix,
  failingPrefix,
  keyPosition,
  ownedPrefix,
  positionPart,
  readCounts,
} from '#actors/holding_rows.ts'
import type { HeldWork, Holdings } from '#actors/holdings.ts'
import { mergeScans } from '#actors/merged_scan.ts'
import type { ReadRow } from '#actors/view_row.ts'
import { readWork } from '#actors/work_record.ts'
import { keptMetadataAt } from '#actors/work_views.ts'
import { assert } from '#log/errors.ts'
import type { Store } from '#log/store.ts'

/** The queries on what owners hold, as reads of the committed views. */
export function openHoldings(store: Store): Holdings {
  const read = (key: string) => store.get(key)
  return {
    counts: (owner) => readCounts(owner, read),
    async works(owner, { before, limit }) {
      const end = before === undefined ? '~' : positionPart(before)
      // The row after the page tells that there is one.
      const scan = (prefix: string) =>
        store.scan({ gte: prefix, lt: prefix + end, reverse: true, limit: limit + 1 })
      const scans = [scan(ownedPrefix(owner)), scan(changedPrefix(owner))] as const
      const works: HeldWork[] = []
      let next: number | null = null
      for await (const [key, row] of mergeScans(scans, { reverse: true })) {
        if (works.length === limit) return { works, next }
        next = keyPosition(key)
        works.push(describeHeld(Buffer.from(row).toString('utf8'), read))
      }
      return { works, next: null }
    },
    async failing(owner, { after = '', limit }) {
      const prefix = failingPrefix(owner)
      const range = { gt: prefix + after, lt: `${prefix}~`, limit: limit + 1 }
      const works: HeldWork[] = []
      let next: string | null = null
      for await (const [key] of store.scan(range)) {
        if (works.length === limit) return { works, next }
        next = key.slice(prefix.length)
        works.push(describeHeld(next, read))
      }
      return { works, next: null }
    },
  }
}

/** A work, `naan/name`, that a view names, as lists of works show it. */
function describeHeld(ark: string, read: ReadRow): HeldWork {
  const stored = readWork(ark, read)
  assert(stored !== undefined, 'what a view names has been registered')
  const { identifier, version, status, fixity_status, created_at, updated_at } = stored.state
  const work_title = keptMetadataAt(stored.state.position, read)?.work_title ?? null
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
