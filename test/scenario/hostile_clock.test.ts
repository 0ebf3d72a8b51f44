import test from 'ava'

import { parseEntry } from '#actors/works/receipts/statement.ts'
import { guardOf } from '#test/actors/_clock.ts'
import { ada, createPerson, onPages } from '#test/actors/_person.ts'
import {
  admin,
  arkOf,
  bodyOf,
  demo,
  makeRegistry,
  register,
  registration,
  tickSigner,
} from '#test/actors/_environment.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
const noonMs = Date.UTC(2026, 10, 21, 12)

/** How far the machine's clock is off, step by step; `restart` opens the registry anew. */
const steps = [
  { name: 'right', offMs: 0 },
  { name: 'a day ahead', offMs: dayMs, isWrong: true },
  { name: 'right again', offMs: 1_000 },
  { name: 'five minutes ahead', offMs: 5 * minuteMs },
  { name: 'right after five minutes ahead', offMs: 2_000 },
  { name: 'a day behind', offMs: -dayMs, isWrong: true },
  { name: 'a day behind, after a restart', offMs: -dayMs, isWrong: true, restart: true },
  { name: 'ten years behind', offMs: -3_650 * dayMs, isWrong: true },
  { name: 'right once more', offMs: 3_000, restart: true },
  { name: '400 days ahead, after a restart', offMs: 400 * dayMs, isWrong: true, restart: true },
  { name: 'right at the end, after a restart', offMs: 4_000, restart: true },
]

/** A registry whose machine runs on while its clock is set to whatever a test says. */
async function makeOffRegistry(t: Parameters<typeof makeRegistry>[0]) {
  const time = { passedMs: 0, offMs: 0 }
  const systemMs = () => noonMs + time.passedMs + time.offMs
  const passedMs = () => time.passedMs
  const machine = { elapsedMs: passedMs, uptimeMs: () => 7 * dayMs + time.passedMs }
  const guard = () => guardOf(systemMs, { machine })
  const registry = await makeRegistry(t, { systemMs, clock: guard() })
  return { registry, time }
}

test('47: while the clock is wrong nothing is dated, and what is dated is in order', async (t) => {
  const { registry, time } = await makeOffRegistry(t)
  let environment = await registry.open()
  let newestMs = 0
  let arks = 0
  for (const { name, offMs, isWrong = false, restart = false } of steps) {
    time.offMs = offMs
    if (restart) {
      await environment.close()
      environment = await registry.open()
    }
    const registering = register(environment, `Registered while the clock is ${name}`)
    if (isWrong) {
      const error = await t.throwsAsync(registering, { code: 'clock_wrong' }, name)
      t.regex(error.message, /^This machine's clock says .* reading goes on\. Set the clock/)
      t.regex(environment.clock.status().problem ?? '', /^This machine's clock says/)
      continue
    }
    const work = await registering
    newestMs = Math.max(newestMs, noonMs + offMs)
    t.is(work.created_at, new Date(newestMs).toISOString(), name)
    arks += 1
    const patch = { description: name }
    const change = await environment.works.update({ ark: arkOf(work), patch, by: demo })
    t.is(change.type, 'changed', name)
  }
  const { treeSize } = environment.log.head()
  t.is(treeSize, 2 * arks)
  const times = Array.from({ length: treeSize }, (_, leafIndex) => {
    const entry = parseEntry(environment.log.entry(leafIndex))
    return 'statement' in entry ? entry.statement.timestamp : entry.type
  })
  t.deepEqual(times, times.toSorted())
  t.true((times.at(-1) ?? '~') < new Date(noonMs + 6 * minuteMs).toISOString())
  await environment.close()
})

test('47: a clock that is wrong stops every change, and no read', async (t) => {
  const { registry, time } = await makeOffRegistry(t)
  const environment = await registry.open()
  t.teardown(() => environment.close())
  const { works, organizations, people, claims, receiptKeys } = environment
  const known = await register(environment, 'Known')
  const ark = arkOf(known)
  const { ppid } = await createPerson(environment, ada)
  const before = environment.position()
  const patch = { work_title: 'Anew' }
  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    register: () => works.register(registration('Unknown')),
    update: () => works.update({ ark, patch, by: demo }),
    addVersion: () => works.addVersion({ ark, patch, by: demo }),
    withdraw: () => works.withdraw({ ark, reason: 'test', by: demo }),
    organization: () => organizations.create({ body: { slug: 'new', name: 'New' }, by: admin }),
    person: () => people.update({ ppid, body: { name: 'Augusta' }, by: onPages(ppid) }),
    claim: () =>
      claims.make({
        ppid,
        body: { ark_identifier: known.ark_identifier, author_position: 1 },
        by: onPages(ppid),
      }),
  }
  for (const offMs of [400 * dayMs, -dayMs, -3_650 * dayMs]) {
    time.offMs = offMs
    for (const [name, change] of Object.entries(changes)) {
      await t.throwsAsync(change(), { code: 'clock_wrong' }, `${name}, ${offMs}`)
    }
    t.like(await receiptKeys.rotate(tickSigner(9), admin), { type: 'clock_wrong' })
    const shown = bodyOf(await environment.catalogue.resolve(ark, `ark:/${ark}`))
    t.regex(JSON.stringify(shown), /Known/)
    // Harvesters are told of no time that is still to come.
    t.true((await environment.settle(Number.POSITIVE_INFINITY)) <= noonMs)
  }
  t.is(environment.position(), before)
  time.offMs = 0
  time.passedMs = 1
  for (const name of ['update', 'organization', 'person'] as const) await changes[name]?.()
  t.is(environment.position(), before + 3)
  t.like(await receiptKeys.rotate(tickSigner(9), admin), { type: 'rotated' })
})

test('47: a log that was dated by a wrong clock stops, until that is accepted', async (t) => {
  const { registry, time } = await makeOffRegistry(t)
  const ahead = await makeRegistry(t, { systemMs: () => noonMs + 400 * dayMs })
  const before = await ahead.open()
  await register(before, 'Dated wrongly')
  await before.close()
  for (const [key, row] of ahead.disk) registry.disk.set(key, row)
  const environment = await registry.open()
  t.teardown(() => environment.close())
  const wrongAt = new Date(noonMs + 400 * dayMs).toISOString()
  const error = await t.throwsAsync(register(environment, 'Next'), { code: 'clock_wrong' })
  t.regex(error.message, /400 days before 2027-12-26T12:00:00\.000Z, the time of the newest entry/)
  t.regex(error.message, /run "arklog clock accept", which dates all .* with that time\.$/)
  registry.options.clock.accept()
  environment.clock.restart()
  t.is((await register(environment, 'Next')).created_at, wrongAt)
  t.like(environment.clock.status(), { logAheadMs: 400 * dayMs })
  t.is(environment.clock.status().problem, undefined)
  time.passedMs = 401 * dayMs
  const later = new Date(noonMs + 401 * dayMs).toISOString()
  t.is((await register(environment, 'After that time')).created_at, later)
})

test('47: a clock that is accepted although it is earlier is dated by at once', async (t) => {
  const { registry, time } = await makeOffRegistry(t)
  const environment = await registry.open()
  t.teardown(() => environment.close())
  t.is(environment.clock.status().problem, undefined)
  time.offMs = -dayMs
  await t.throwsAsync(register(environment, 'Refused'), { code: 'clock_wrong' })
  registry.options.clock.accept()
  environment.clock.restart()
  t.is((await register(environment, 'Taken')).created_at, new Date(noonMs - dayMs).toISOString())
})

test('47: what was told to be settled stays so under a clock that is accepted', async (t) => {
  const { registry, time } = await makeOffRegistry(t)
  const environment = await registry.open()
  t.teardown(() => environment.close())
  t.is(await environment.settle(Number.POSITIVE_INFINITY), noonMs)
  time.offMs = -dayMs
  t.like(registry.options.clock.accept(), { type: 'behind' })
  environment.clock.restart()
  // Who harvests from noon on misses nothing.
  t.is((await register(environment, 'Taken')).created_at, new Date(noonMs).toISOString())
})

test('47: an idempotency key outlives a clock that is wrong for a while', async (t) => {
  const { registry, time } = await makeOffRegistry(t)
  const environment = await registry.open()
  t.teardown(() => environment.close())
  const idempotency = { key: 'once', bodyHash: '00' }
  const work = await register(environment, 'Sent again later', { idempotency })
  for (const offMs of [-5 * minuteMs, -dayMs, dayMs, 400 * dayMs, -365 * dayMs, 5 * minuteMs, 0]) {
    time.offMs = offMs
    if (Math.abs(offMs) >= dayMs) {
      const asked = register(environment, 'Sent again later', { idempotency })
      await t.throwsAsync(asked, { code: 'clock_wrong' })
      continue
    }
    const again = await register(environment, 'Sent again later', { idempotency })
    t.is(again.ark_identifier, work.ark_identifier)
    t.is(again.created_at, work.created_at)
  }
  t.is(environment.log.head().treeSize, 1)
})
