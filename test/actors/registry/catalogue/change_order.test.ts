import test from 'ava'

import type { ChangedWork } from '#actors/registry/catalogue/harvest.ts'
import { admin, arkOf, demo, openRegistry, register } from '#test/actors/_environment.ts'
import { openWorld, recheck, settle } from '#test/actors/_world.ts'

function arks(works: readonly ChangedWork[]): string[] {
  return works.map(({ state }) => state.ark)
}

test('works stand in the order of their last changes, each in one place', async (t) => {
  const environment = await openRegistry(t)
  const { order } = environment.catalogue
  t.is(await order.firstFrom(0), undefined)
  t.deepEqual(await order.newest({ limit: 5 }), [])
  const [one, two, three] = [
    arkOf(await register(environment, 'One')),
    arkOf(await register(environment, 'Two')),
    arkOf(await register(environment, 'Three')),
  ]
  t.deepEqual(arks(await order.newest({ limit: 5 })), [three, two, one])
  await environment.works.update({ ark: one, patch: { work_title: 'First' }, by: demo })
  await environment.works.withdraw({ ark: two, reason: 'test', by: admin })
  const all = await order.newest({ limit: 5 })
  t.deepEqual(arks(all), [two, one, three])
  t.deepEqual(arks(await order.newest({ limit: 1 })), [two])
  const before = all[1]?.position ?? -1
  t.deepEqual(arks(await order.newest({ before, limit: 5 })), [three])

  const found: ChangedWork[] = []
  for await (const some of order.between(0, all[0]?.position ?? -1)) found.push(...some)
  t.deepEqual(arks(found), [three, one])
  t.is(found[1]?.at, environment.catalogue.state(one)?.updated_at)
  t.is(await order.firstFrom(0), found[0]?.position)
  t.is(await order.firstFrom((found[0]?.position ?? 0) + 1), found[1]?.position)
  t.is(await order.firstFrom((all[0]?.position ?? 0) + 1), undefined)
})

test('a check that finds something new is a change, and another one is none', async (t) => {
  const { environment } = await openWorld(t)
  const { order } = environment.catalogue
  const one = arkOf(await register(environment, 'One'))
  await settle(environment)
  const two = arkOf(await register(environment, 'Two'))
  await settle(environment)
  const checked = await order.newest({ limit: 5 })
  t.deepEqual(arks(checked), [two, one])
  await recheck(environment, one)
  t.deepEqual(await order.newest({ limit: 5 }).then(arks), [two, one])
})
