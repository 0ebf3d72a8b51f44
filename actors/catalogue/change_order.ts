import { harvestKey, harvestPrefix, lastChange } from '#actors/works/views.ts'
import type { WorkState } from '#actors/works/events.ts'
import { readWork } from '#actors/works/record.ts'
import { keyPosition, readerOf } from '#actors/journal/rows.ts'
import { scanSound, unlessDamaged } from '#log/store/damage.ts'
import type { ReadStore, Row } from '#log/base/store.ts'

/** A work with the journal position and the time of its last change. */
export type ChangedWork = {
  readonly state: WorkState
  readonly position: number
  readonly at: string
}

/**
 * All works in the order of their last changes, withdrawn ones too. A work that changes leaves its
 * place for one at the end, so that what comes before a position only loses works.
 */
export type ChangeOrder = {
  /** The first place that is not before a position; undefined if there is none. */
  firstFrom(position: number): Promise<number | undefined>
  /** The newest ones, newest first: those before a position. */
  newest(page: { readonly before?: number; readonly limit: number }): Promise<ChangedWork[]>
  /** Oldest first, from a position on and before another one, many at a time. */
  between(from: number, before: number): AsyncIterable<readonly ChangedWork[]>
}

/** Reads the order from the committed views. */
export function openChangeOrder(store: ReadStore): ChangeOrder {
  const end = `${harvestPrefix}~`
  const read = readerOf(store)
  // A work that has changed since its row was read has its place at the end; a damaged one has
  // none, and is not held against the others.
  const readPlace = ([key, ark]: Row): readonly ChangedWork[] => {
    const stored = unlessDamaged(() => readWork(Buffer.from(ark).toString('utf8'), read))
    if (stored === undefined) return []
    const { state } = stored
    const { position, at } = lastChange(state)
    return position === keyPosition(key) ? [{ state, position, at }] : []
  }
  return {
    async firstFrom(position) {
      const range = { gte: harvestKey(position), lt: end, limit: 1 }
      for await (const [key] of scanSound(store, range)) return keyPosition(key)
      return undefined
    },
    async newest({ before, limit }) {
      const lt = before === undefined ? end : harvestKey(before)
      const works: ChangedWork[] = []
      for await (const row of scanSound(store, { gte: harvestPrefix, lt, reverse: true })) {
        works.push(...readPlace(row))
        if (works.length === limit) break
      }
      return works
    },
    async *between(from, before) {
      const range = { gte: harvestKey(from), lt: harvestKey(before) }
      for await (const row of scanSound(store, range)) yield readPlace(row)
    },
  }
}
