import test from 'ava'

import type { Environment } from '#actors/registry/environment.ts'
import { encodeRow, eventKey } from '#actors/journal/rows.ts'
import { JournalTimes, openHarvest } from '#actors/registry/catalogue/harvest.ts'
import { harvestKey } from '#actors/works/views.ts'
import type { Operation } from '#log/store/store.ts'
import { unavailable } from '#test/actors/_content.ts'
import {
  admin,
  arkOf,
  demo,
  makeRegistry,
  metadataOf,
  other,
  register,
} from '#test/actors/_environment.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import { auditClosed, dayMs, openWorld, recheck, settle, url } from '#test/actors/_world.ts'

const whole = { from: 0, until: 2 ** 40 }
const owner = { type: 'organization', id: 'demo' } as const

async function order({ harvest }: Environment, organization?: string): Promise<string[]> {
  const span = { ...whole, ...(organization !== undefined && { organization }) }
  const { places } = await harvest.places(span, { limit: 100, bytesEnough: 2 ** 30 })
  return places.map(({ state }) => state.ark)
}

async function held({ holdings }: Environment, limit = 100): Promise<string[]> {
  const arks: string[] = []
  for (let before: number | null | undefined; before !== null; ) {
    const page = await holdings.works(owner, {
      limit,
      ...(before !== undefined && { cursor: before }),
    })
    arks.push(...page.works.map((work) => arkOf(work)))
    before = page.next
  }
  return arks
}

test('works are listed by their registration, and harvested by their last change', async (t) => {
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  const arks: string[] = []
  for (const title of ['0', '1', '2', '3', '4']) {
    arks.push(arkOf(await register(environment, title)))
  }
  const [a = '', b = '', c = '', d = '', e = ''] = arks
  const foreign = arkOf(await register(environment, 'Of another', { by: other }))
  const { works } = environment
  await works.update({ ark: c, patch: { work_title: '2 again' }, by: demo })
  await works.update({ ark: a, patch: { work_title: '0 again' }, by: demo })
  await works.update({ ark: c, patch: { work_title: '2 at last' }, by: demo })
  await works.withdraw({ ark: e, reason: 'test', by: demo })
  await works.erase({ ark: b, reason: 'legal', withdraws: true, by: admin })
  t.deepEqual(await order(environment), [d, foreign, a, c, e, b])
  t.deepEqual(await order(environment, 'demo'), [d, a, c, e, b])
  t.deepEqual(await order(environment, 'other'), [foreign])
  t.deepEqual(await order(environment, 'nobody'), [])
  for (const limit of [1, 2, 3, 100]) t.deepEqual(await held(environment, limit), [e, d, c, b, a])
  t.deepEqual(await auditClosed(environment, registry), [])
})

test('a new fixity status moves a work, a check that finds nothing new does not', async (t) => {
  const { world, environment, registry } = await openWorld(t)
  const first = arkOf(await register(environment, metadataOf('1', { work_url: `${url}/1` })))
  await settle(environment)
  const second = arkOf(await register(environment, metadataOf('2', { work_url: `${url}/2` })))
  await settle(environment)
  t.deepEqual(await order(environment), [first, second])
  const before = environment.harvest.work(first)
  world.nowMs += dayMs
  await recheck(environment, first)
  t.deepEqual(await order(environment), [first, second])
  t.deepEqual(environment.harvest.work(first)?.changed, before?.changed)
  world.served.set(`${url}/1`, unavailable(500))
  await recheck(environment, first)
  t.deepEqual(await order(environment), [second, first])
  t.deepEqual(await order(environment, 'demo'), [second, first])
  t.deepEqual(await held(environment), [second, first])
  t.deepEqual(await auditClosed(environment, registry), [])
})

test('many works are counted by how dense the first of them are', async (t) => {
  const store = openMemoryStore()
  const start = Date.parse('2026-01-01T00:00:00.000Z')
  const events = 60_000
  const rows = Array.from({ length: events }, (_, position): Operation[] => {
    const at = new Date(start + position * 1_000).toISOString()
    const event = { type: 'put', key: eventKey(position), value: encodeRow({ at }) } as const
    const place = { type: 'put', key: harvestKey(position), value: Buffer.from('1/a') } as const
    return position % 3 === 0 ? [event, place] : [event]
  })
  await store.commit(rows.flat())
  const newestAt = new Date(start + (events - 1) * 1_000).toISOString()
  const end = () => ({ position: events, newestAt })
  const harvest = openHarvest(store, new JournalTimes(store, end), end)
  const from = start / 1_000
  t.is(await harvest.count({ from, until: from + 2_999 }), 1_000)
  t.is(await harvest.count({ from: from + 3_000, until: from + 5_999 }), 1_000)
  const all = await harvest.count({ from: 0, until: 2 ** 40 })
  t.true(Math.abs(all - 20_000) <= 2, String(all))
  t.is(harvest.earliest(), from)
  t.is(harvest.newest(), from + events - 1)
})
