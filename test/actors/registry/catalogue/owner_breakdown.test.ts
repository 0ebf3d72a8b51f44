import test from 'ava'

import { fetched, unavailable } from '#test/actors/_content.ts'
import {
  admin,
  arkOf,
  demo,
  metadataOf,
  openRegistry,
  other,
  register,
} from '#test/actors/_environment.ts'
import { auditClosed, dayMs, openWorld, recheck, settle, url } from '#test/actors/_world.ts'

const byText = (a: string, b: string) => (a < b ? -1 : 1)

const owner = { type: 'organization', id: 'demo' } as const

test('an owner is told of works by type and month, and none of another owner’s', async (t) => {
  const environment = await openRegistry(t)
  const { holdings, works } = environment
  t.deepEqual(holdings.breakdown(owner), { content: {}, types: {}, withdrawn: 0 })
  const first = await register(environment, metadataOf('One', { work_type: 'book' }))
  await register(environment, metadataOf('Two', { work_type: 'article' }))
  await register(environment, 'Of another', { by: other })
  t.deepEqual(holdings.breakdown(owner), {
    content: { pending: 2 },
    types: { book: 1, article: 1 },
    withdrawn: 0,
  })
  await works.update({ ark: arkOf(first), patch: { work_type: 'article' }, by: demo })
  t.deepEqual(holdings.breakdown(owner).types, { article: 2 })
  const month = first.created_at.slice(0, 7)
  t.deepEqual(holdings.registered(owner, [month, '1999-12']), [2, 0])
  await works.withdraw({ ark: arkOf(first), reason: 'test', by: demo })
  t.deepEqual(holdings.breakdown(owner), {
    content: { pending: 1 },
    types: { article: 1 },
    withdrawn: 1,
  })
  t.deepEqual(holdings.registered(owner, [month]), [2], 'what was registered stays counted')
  const { works: gone } = await holdings.withdrawn(owner, { limit: 5 })
  t.deepEqual(
    gone.map(({ work_title: title }) => title),
    ['One'],
  )
})

test('failures are told by cause: changed, out of reach, and never read', async (t) => {
  const { world, registry, environment } = await openWorld(t)
  const { holdings, works } = environment
  world.served.set(`${url}/never`, unavailable(404))
  const arks: Record<string, string> = {}
  for (const name of ['changes', 'goes', 'stays', 'never']) {
    const body = metadataOf(name, { work_url: `${url}/${name}` })
    arks[name] = arkOf(await register(environment, body))
  }
  await settle(environment)
  t.deepEqual(holdings.breakdown(owner).content, { verified: 3, never_read: 1 })
  world.served.set(`${url}/changes`, fetched('else'))
  world.served.set(`${url}/goes`, unavailable(500))
  world.nowMs += dayMs
  await recheck(environment, arks['changes'] ?? '')
  await recheck(environment, arks['goes'] ?? '')
  t.deepEqual(holdings.breakdown(owner).content, {
    verified: 1,
    never_read: 1,
    changed: 1,
    unreachable: 1,
  })
  const { causes, isWhole } = await holdings.failureCauses(owner)
  t.true(isWhole)
  t.deepEqual(
    causes.map(({ standing, hostName, count }) => `${standing} ${hostName} ${count}`).sort(byText),
    ['changed', 'never_read', 'unreachable'].map((each) => `${each} ${new URL(url).host} 1`),
  )
  const cause = causes.find(({ standing }) => standing === 'changed')
  const listed = await holdings.failing(owner, { limit: 5, ...(cause && { cause }) })
  t.deepEqual(
    listed.works.map(({ work_title: title }) => title),
    ['changes'],
  )
  const newest = await holdings.newestFailures(owner, 2)
  t.deepEqual(
    newest.map(({ work_title: title }) => title),
    ['goes', 'changes'],
  )

  // What a server answers tells causes apart.
  t.deepEqual(causes.map(({ standing, reason }) => `${standing} ${reason}`).sort(byText), [
    'changed hash_mismatch',
    'never_read http_404',
    'unreachable http_500',
  ])

  // What is as it was again, or withdrawn, or erased, has no place in it.
  world.served.set(`${url}/goes`, fetched('file'))
  world.nowMs += dayMs
  await recheck(environment, arks['goes'] ?? '')
  await works.withdraw({ ark: arks['never'] ?? '', reason: 'test', by: demo })
  await works.erase({ ark: arks['never'] ?? '', reason: 'legal', withdraws: false, by: admin })
  t.deepEqual(holdings.breakdown(owner).content, { verified: 2, changed: 1 })
  t.is((await holdings.failureCauses(owner)).causes.length, 1)
  t.is((await holdings.newestFailures(owner, 5)).length, 1)
  t.true(await environment.purged())
  t.deepEqual(await auditClosed(environment, registry), [], 'the same where it is made anew')
})
