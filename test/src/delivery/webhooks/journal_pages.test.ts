import test from 'ava'

import type { Occurrence } from '#actors/registry/catalogue/provenance.ts'
import { JournalPages } from '#src/delivery/webhooks/deliverer.ts'

const events = 1_050

/** A journal of which every third change is told; `reads` are the places that it was read at. */
function journal() {
  const reads: number[] = []
  const state = { fails: false }
  return {
    reads,
    state,
    async occurrences(position: number, limit: number) {
      if (state.fails) throw new Error('the store cannot be read')
      reads.push(position)
      const next = Math.min(events, position + limit)
      const seqs = [...Array(next - position).keys()].map((nth) => position + nth + 1)
      const told = seqs.filter((seq) => seq % 3 === 0)
      return { occurrences: told.map((seq) => ({ seq }) as Occurrence), next }
    },
  }
}

async function seqsOf(pages: JournalPages, after: number): Promise<readonly number[]> {
  const found: number[] = []
  for (let from = after; from < events; ) {
    const { occurrences, next } = await pages.read(from, events)
    for (const { seq } of occurrences) found.push(seq)
    from = next
  }
  return found
}

test('what happened is read once for all who are behind by as much', async (t) => {
  const records = journal()
  const pages = new JournalPages(records)
  const all = await seqsOf(pages, 0)
  t.deepEqual(
    all,
    [...Array(350).keys()].map((nth) => 3 * nth + 3),
  )
  t.deepEqual(records.reads, [0, 200, 400, 600, 800, 1_000])
  const others = await Promise.all([7, 399, 400, 401, 999].map((after) => seqsOf(pages, after)))
  for (const [nth, after] of [7, 399, 400, 401, 999].entries()) {
    t.deepEqual(
      others[nth],
      all.filter((seq) => seq > after),
      `after ${after}`,
    )
  }
  // The end is no whole page, and is read as far as it goes.
  t.deepEqual(new Set(records.reads), new Set([0, 200, 400, 600, 800, 1_000]))
  t.is(records.reads.filter((position) => position < 1_000).length, 5)
})

test('a look at one change reads no more than that', async (t) => {
  const pages = new JournalPages(journal())
  const { occurrences, next } = await pages.read(41, 42)
  t.deepEqual([occurrences.map(({ seq }) => seq), next], [[42], 42])
})

test('a page that could not be read is read again', async (t) => {
  const records = journal()
  const pages = new JournalPages(records)
  records.state.fails = true
  await t.throwsAsync(pages.read(0, events), { message: 'the store cannot be read' })
  records.state.fails = false
  t.is((await pages.read(0, events)).occurrences.length, 66)
})
