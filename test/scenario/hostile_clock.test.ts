import test from 'ava'

import { parseEntry } from '#actors/receipts/statement.ts'
import { arkOf, demo, makeRegistry, register } from '#test/actors/_environment.ts'

const dayMs = 86_400_000
const noonMs = Date.UTC(2026, 10, 21, 12)

/** How far the machine's clock is off, step by step; `restart` opens the registry anew. */
const steps = [
  { name: 'right', offMs: 0 },
  { name: 'a day ahead', offMs: dayMs },
  { name: 'right again', offMs: 1_000 },
  { name: 'a day behind', offMs: -dayMs },
  { name: 'a day behind, after a restart', offMs: -dayMs, restart: true },
  { name: 'two days ahead', offMs: 2 * dayMs },
  { name: 'right again, after a restart', offMs: 2_000, restart: true },
]

test('47: when the clock jumps by a day, the times of a log still never go back', async (t) => {
  let offMs = 0
  const registry = await makeRegistry(t, { systemMs: () => noonMs + offMs })
  let environment = await registry.open()
  let newestMs = 0
  for (const step of steps) {
    offMs = step.offMs
    newestMs = Math.max(newestMs, noonMs + offMs)
    if (step.restart === true) {
      await environment.close()
      environment = await registry.open()
    }
    const work = await register(environment, `Registered while the clock is ${step.name}`)
    t.is(work.created_at, new Date(newestMs).toISOString(), step.name)
    const patch = { description: step.name }
    const change = await environment.works.update({ ark: arkOf(work), patch, by: demo })
    t.is(change.type, 'changed', step.name)
  }
  const { treeSize } = environment.log.head()
  t.is(treeSize, 2 * steps.length)
  const times = Array.from({ length: treeSize }, (_, leafIndex) => {
    const entry = parseEntry(environment.log.entry(leafIndex))
    return 'statement' in entry ? entry.statement.timestamp : entry.type
  })
  t.deepEqual(times, times.toSorted())
  t.is(new Set(times).size, 3, 'noon, a day and two days later')
  await environment.close()
})

test('47: an idempotency key outlives a clock that is set back', async (t) => {
  let nowMs = noonMs
  const registry = await makeRegistry(t, { systemMs: () => nowMs })
  const environment = await registry.open()
  t.teardown(() => environment.close())
  const idempotency = { key: 'once', bodyHash: '00' }
  const work = await register(environment, 'Sent again later', { idempotency })
  for (const offMs of [-dayMs, dayMs - 1, -365 * dayMs]) {
    nowMs = noonMs + offMs
    const again = await register(environment, 'Sent again later', { idempotency })
    t.is(again.ark_identifier, work.ark_identifier)
    t.is(again.created_at, work.created_at)
  }
  t.is(environment.log.head().treeSize, 1)
})
