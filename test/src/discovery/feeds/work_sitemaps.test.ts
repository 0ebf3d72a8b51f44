import test from 'ava'
import fc from 'fast-check'

import { listWorkSitemaps, readWorkSitemap } from '#src/discovery/feeds/sitemap.ts'
import { admin, arkOf, demo, openRegistry, register } from '#test/actors/_environment.ts'

const limits = { positions: 4, sitemapsMax: 10 }

test('every work that stands is in one sitemap, whatever changes', async (t) => {
  const environment = await openRegistry(t)
  const { order } = environment.catalogue
  const standing = new Set<string>()
  const step = fc.tuple(fc.constantFrom('register', 'update', 'withdraw'), fc.nat(20))
  const steps = fc.sample(fc.array(step, { minLength: 40, maxLength: 40 }), { seed: 7, numRuns: 1 })
  for (const [index, [kind, choice]] of (steps[0] ?? []).entries()) {
    const ark = [...standing][choice % Math.max(1, standing.size)]
    if (kind === 'register' || ark === undefined) {
      standing.add(arkOf(await register(environment, `Work ${index}`)))
    } else if (kind === 'update') {
      await environment.works.update({ ark, patch: { work_title: `Title ${index}` }, by: demo })
    } else {
      await environment.works.withdraw({ ark, reason: 'test', by: admin })
      standing.delete(ark)
    }
    const found: string[] = []
    let newest = ''
    for (const { page, changedAt } of await listWorkSitemaps(order, limits)) {
      const works = await readWorkSitemap(order, page, limits)
      t.true(works.length > 0 && works.length <= limits.positions)
      t.is(works.at(-1)?.at, changedAt)
      t.true(works.every(({ at }) => at >= newest))
      newest = changedAt
      found.push(...works.map(({ state }) => state.ark))
    }
    t.deepEqual(found.toSorted(), [...standing].toSorted())
  }
})

test('an index has no more sitemaps than it may', async (t) => {
  const environment = await openRegistry(t)
  const { order } = environment.catalogue
  for (let works = 0; works < 9; works += 1) await register(environment, `Work ${works}`)
  t.is((await listWorkSitemaps(order, { positions: 2, sitemapsMax: 3 })).length, 3)
  t.deepEqual(await readWorkSitemap(order, Number.MAX_SAFE_INTEGER, limits), [])
})
