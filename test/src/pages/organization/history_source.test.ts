import test from 'ava'
import fc from 'fast-check'

import type { HistoryEntry, HistoryPage } from '#actors/registry/catalogue/owner_lists.ts'
import {
  type AuditPage,
  mergeHistories,
  placeText,
  readPlace,
  type TimelinePlace,
} from '#src/pages/organization/history_pages.ts'

type Dated = { readonly place: number; readonly minute: number }

function atOf({ minute }: Dated): string {
  return new Date(minute * 60_000).toISOString()
}

/** What a source gives that looks at `rowsMax` rows, of which it wants every second one or all. */
function look(
  all: readonly Dated[],
  before: number | undefined,
  { limit, rowsMax, isPicky }: { limit: number; rowsMax: number; isPicky: boolean },
) {
  const left = all.filter(({ place }) => before === undefined || place < before)
  const seen = left.slice(0, rowsMax)
  const found = seen.filter(({ place }) => !isPicky || place % 2 === 0)
  const entries = found.slice(0, limit)
  const isFull = found.length > limit
  const last = isFull ? entries.at(-1) : seen.at(-1)
  const isOver = !isFull && left.length <= rowsMax
  const next = last === undefined || isOver ? null : { before: last.place, reachedAt: atOf(last) }
  return { entries, next }
}

const list = fc.array(fc.nat({ max: 50 }), { maxLength: 30 }).map((minutes): readonly Dated[] =>
  minutes
    .toSorted((a, b) => a - b)
    .map((minute, index) => ({ minute, place: index + 1 }))
    .reverse(),
)

test('page by page both parts come whole, once, and in the order of their times', (t) => {
  const looks = fc.record({
    limit: fc.integer({ min: 1, max: 7 }),
    rowsMax: fc.integer({ min: 1, max: 9 }),
    isPicky: fc.boolean(),
  })
  fc.assert(
    fc.property(list, list, looks, (ofJournal, ofAudit, how) => {
      const times: string[] = []
      let place: TimelinePlace | null = {}
      for (let pages = 0; place !== null; pages += 1) {
        if (pages > 200) return false
        const one = look(ofJournal, place.journal, how)
        const other = look(ofAudit, place.audit, how)
        const journal: HistoryPage = {
          ...one,
          entries: one.entries.map((entry) => {
            return { kind: 'version', position: entry.place, at: atOf(entry) } as HistoryEntry
          }),
        }
        const audit: AuditPage = {
          ...other,
          entries: other.entries.map((entry) => {
            return { seq: entry.place, at: atOf(entry), action: 'created' as const }
          }),
        }
        const page = mergeHistories({ journal, audit }, place, how.limit)
        times.push(...page.entries.map(({ at }) => at))
        place = page.next && readPlace(placeText(page.next))
      }
      const wanted = [...ofJournal, ...ofAudit]
        .filter(({ place: each }) => !how.isPicky || each % 2 === 0)
        .map(atOf)
      return times.join() === wanted.toSorted().reverse().join()
    }),
  )
  t.deepEqual(readPlace('12.'), { journal: 12 })
  t.deepEqual(readPlace('x.1e9'), {})
})
