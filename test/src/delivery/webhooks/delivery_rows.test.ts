import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

import test from 'ava'

import { DeliveryRows, pendingRevocationsMax } from '#src/delivery/webhooks/delivery_rows.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'

const startMs = Date.parse('2026-01-01T00:00:00.000Z')

function ended(index: number) {
  const at = new Date(startMs + index * 1_000).toISOString()
  return { id: `grant${index}`, ppid: `person-${index}-`, client_id: 'app_1', at }
}

test('of ended permissions that wait the newest are kept, a bounded number of them', async (t) => {
  const { open, dir } = await identityFixture(t)
  const store = await open()
  const rows = new DeliveryRows(store)
  const tooMany = 300
  for (const id of ['we_a', 'we_b']) {
    const made = Array.from({ length: pendingRevocationsMax + tooMany }, (_, index) => ended(index))
    await store.inTurn(() => store.commit(made.map((one) => rows.putEnded(id, one))))
  }
  await store.inTurn(() =>
    store.commit([rows.putEnded('we_c', { ...ended(1), ppid: 'person-c-' })]),
  )
  // Nobody has to be told of what waits for `b`.
  await rows.forgetRevocations((id) => (id === 'we_b' ? 'forgotten' : 'kept'))
  const kept = await rows.pendingRevocations('we_a', 2 * pendingRevocationsMax)
  t.deepEqual(
    kept.map((one) => one.ended),
    Array.from({ length: pendingRevocationsMax }, (_, index) => ended(tooMany + index)),
  )
  t.deepEqual(await rows.pendingRevocations('we_b', 1), [])
  t.is((await rows.pendingRevocations('we_c', 2)).length, 1)
  await rows.forgetRevocations((id) => (id === 'we_c' ? 'erased' : 'forgotten'))
  for await (const id of rows.endpointsWithRevocations()) t.fail(id)
  await store.close()
  for (const name of await readdir(dir)) {
    t.false((await readFile(path.join(dir, name))).includes('person-c-'), name)
  }
})
