import test from 'ava'
import { arkOf, demo, makeRegistry, openRegistry, register } from '#test/actors/_environment.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'

test('a name or a receipt that is taken is drawn anew', async (t) => {
  // Every life of the registry draws the same names and suffixes.
  const registry = await makeRegistry(t, {
    random: (count) => {
      const random = seededRandom(1)
      return Uint8Array.from({ length: count }, () => Math.floor(random() * 256))
    },
  })
  const titles = ['First', 'Second', 'Third']
  const works = []
  for (const title of titles) {
    const environment = await registry.open()
    works.push(await register(environment, title))
    await environment.close()
  }
  const environment = await registry.open()
  t.teardown(() => environment.close())
  t.is(new Set(works.map(arkOf)).size, titles.length)
  t.is(new Set(works.map((work) => work.receipt_id)).size, titles.length)
  t.deepEqual(
    works.map((work) => environment.catalogue.state(arkOf(work))?.receipt_id),
    works.map((work) => work.receipt_id),
  )
})

test('the entity of a work stays after a change, and not after its registration', async (t) => {
  const environment = await openRegistry(t)
  const registering = register(environment, 'A work')
  await new Promise((resolve) => setImmediate(resolve))
  t.is(environment.status().liveEntities, 1)
  const ark = arkOf(await registering)
  t.is(environment.status().liveEntities, 0)
  const update = { ark, patch: { volume: '1' }, by: demo }
  t.like(await environment.works.update(update), { type: 'changed', change: { version: 2 } })
  t.is(environment.status().liveEntities, 1)
})
