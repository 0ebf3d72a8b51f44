import test from 'ava'

import type { Row } from '#log/store/store.ts'
import { putRow } from '#src/identity/store/identity_rows.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'
import { SimulatedJournal } from '#test/simulation/_simulated_journal.ts'
import { diskOf, IdentityNodes } from '#test/src/identity/_identity_nodes.ts'

const count = 1_200

function key(number: number): string {
  return `row/${String(number).padStart(5, '0')}`
}

test('rows that change while they are copied are the same on the node that joins', async (t) => {
  const nodes = await IdentityNodes.begin(t)
  const stream = new SimulatedJournal(seededRandom(1))
  const node = await nodes.add(stream.of('a'))
  const { store } = node
  const all = Array.from({ length: count }, (_, number) => putRow(key(number), { is: 'old' }))
  await store.inTurn(() => store.commit(all))
  const rows: Row[] = []
  let pages = 0
  for await (const page of store.rows.copy()) {
    rows.push(...page)
    pages += 1
    const [before, after] = [key(3 * pages), key(count - 3 * pages)]
    await store.inTurn(async () => {
      await store.commit([
        putRow(before, { is: `new before page ${pages}` }),
        putRow(after, { is: `new after page ${pages}` }),
        { type: 'del', key: key(3 * pages + 1) },
        { type: 'del', key: key(count - 3 * pages + 1) },
        putRow(`row/new/${pages}`, { is: 'added' }),
      ])
    })
    // It waits for who reads the store, and nobody does between two pages.
    await store.inTurn(() => store.purge([before]))
  }
  t.true(pages > 3)
  const joined = await nodes.join(rows, stream.of('b'))
  t.deepEqual(joined.stopped, [])
  const later = putRow(key(5), { is: 'later' })
  await joined.store.inTurn(() => joined.store.commit([later]))
  await node.caughtUp()
  await nodes.close(node)
  await nodes.close(joined)
  const [one, other] = [await diskOf(node), await diskOf(joined)]
  for (const disk of [one, other]) for (const mark of ['head', 'place']) disk.delete(mark)
  t.deepEqual(other, one)
})
