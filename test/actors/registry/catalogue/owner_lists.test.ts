import test from 'ava'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import { JournalTimes } from '#actors/registry/catalogue/harvest.ts'
import { failuresReadMax, openOwnerLists } from '#actors/registry/catalogue/owner_lists.ts'
import { encodeRow } from '#actors/journal/rows.ts'
import { failingPrefix } from '#actors/works/views.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import type { Operation } from '#log/store/store.ts'
import type { Environment } from '#actors/registry/environment.ts'
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

const owner = { type: 'organization', id: 'demo' } as const

async function titles({ holdings }: Environment, page: { cursor?: number; limit: number }) {
  const { works, next } = await holdings.works(owner, page)
  return { titles: works.map(({ work_title }) => work_title), next }
}

test('an owner holds what it has registered, and nobody else does', async (t) => {
  const environment = await openRegistry(t)
  const { holdings } = environment
  t.deepEqual(holdings.counts(owner), { works_count: 0, failing_count: 0, people_count: 0 })
  t.deepEqual(await holdings.works(owner, { limit: 10 }), { works: [], next: null })
  const first = await register(environment, 'One')
  await register(environment, 'Of another', { by: other })
  const ark = arkOf(first)
  await environment.works.update({ ark, patch: { work_title: 'First' }, by: demo })
  const { works } = await holdings.works(owner, { limit: 10 })
  t.deepEqual(works, [
    {
      ark_identifier: first.ark_identifier,
      work_title: 'First',
      version: 2,
      status: 'registered',
      fixity_status: 'pending',
      created_at: first.created_at,
      updated_at: environment.catalogue.state(ark)?.updated_at ?? '',
    },
  ])
  t.is(holdings.counts(owner).works_count, 1)
  t.is(holdings.counts({ type: 'organization', id: 'other' }).works_count, 1)
  t.is(holdings.counts({ type: 'person', id: 'demo' }).works_count, 0)
})

test('works are listed newest first, page by page', async (t) => {
  const environment = await openRegistry(t)
  const names = ['1', '2', '3', '4', '5']
  for (const name of names) await register(environment, name)
  const first = await titles(environment, { limit: 2 })
  t.deepEqual(first.titles, ['5', '4'])
  const second = await titles(environment, { limit: 2, cursor: first.next ?? -1 })
  t.deepEqual(second.titles, ['3', '2'])
  const last = await titles(environment, { limit: 2, cursor: second.next ?? -1 })
  t.deepEqual(last, { titles: ['1'], next: null })
  t.is((await titles(environment, { limit: 5 })).next, null)
  t.is((await titles(environment, { limit: 4 })).titles.length, 4)
})

test('a page of many works lets others be served in between', async (t) => {
  const environment = await openRegistry(t)
  for (let nth = 0; nth < 100; nth += 1) await register(environment, `Work ${nth}`)
  let turns = 0
  let counting = setImmediate(function countTurn() {
    turns += 1
    counting = setImmediate(countTurn)
  })
  t.is((await titles(environment, { limit: 100 })).titles.length, 100)
  clearImmediate(counting)
  t.true(turns >= 3, `${turns} turns of the event loop`)
})

test('a withdrawn work stays in the list and is not counted', async (t) => {
  const { environment, registry } = await openWorld(t)
  const { holdings, works } = environment
  const ark = arkOf(await register(environment, 'Going'))
  await register(environment, 'Staying')
  await settle(environment)
  await works.withdraw({ ark, reason: 'test', by: demo })
  t.like(holdings.counts(owner), { works_count: 1, failing_count: 0 })
  const withdrawn = (await holdings.works(owner, { limit: 10 })).works.at(-1)
  t.like(withdrawn, { work_title: 'Going', status: 'withdrawn' })
  await works.erase({ ark, reason: 'legal', withdraws: false, by: admin })
  const erased = (await holdings.works(owner, { limit: 10 })).works.at(-1)
  t.like(erased, { work_title: null, status: 'withdrawn' })
  t.deepEqual(await auditClosed(environment, registry), [])
})

test('what fails is listed as long as it does', async (t) => {
  const { world, registry, environment } = await openWorld(t)
  const { holdings, works } = environment
  const failing = async (page: { after?: string; limit: number } = { limit: 10 }) => {
    const { works: held, next } = await holdings.failing(owner, page)
    return { arks: held.map(({ ark_identifier }) => ark_identifier), next }
  }
  const registered = []
  for (const name of ['a', 'b', 'c']) {
    registered.push(await register(environment, metadataOf(name, { work_url: `${url}/${name}` })))
  }
  await settle(environment)
  t.deepEqual(await failing(), { arks: [], next: null })
  world.served.set(`${url}/a`, fetched('else'))
  world.served.set(`${url}/b`, unavailable(500))
  world.nowMs += dayMs
  const [a, b] = registered.map(arkOf)
  for (const ark of [a, b]) await recheck(environment, ark ?? '')
  const arks = registered
    .slice(0, 2)
    .map(({ ark_identifier }) => ark_identifier)
    .toSorted()
  t.deepEqual(await failing(), { arks, next: null })
  t.is(holdings.counts(owner).failing_count, 2)
  const page = await failing({ limit: 1 })
  t.deepEqual(page.arks, arks.slice(0, 1))
  t.deepEqual(await failing({ limit: 1, after: page.next ?? '' }), {
    arks: arks.slice(1),
    next: null,
  })

  // One gets other content, which was not checked yet; the other is withdrawn.
  world.served.set(`${url}/b`, fetched('file'))
  await works.update({ ark: a ?? '', patch: { work_url: `${url}/new` }, by: demo })
  await works.withdraw({ ark: b ?? '', reason: 'test', by: demo })
  t.deepEqual(await failing(), { arks: [], next: null })
  t.like(holdings.counts(owner), { works_count: 2, failing_count: 0 })
  await settle(environment)
  t.deepEqual(await auditClosed(environment, registry), [])
})

test('a page of one cause looks at a bounded number of works, and leads on', async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'arklog-failing-'))
  const store = await openLevelStore(folder, { create: true })
  t.teardown(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })
  const cause = (host: string) => ({ standing: 'changed', reason: '', host }) as const
  const rows = Array.from({ length: failuresReadMax + 1 }, (_, index): Operation => {
    const host = index < failuresReadMax ? 'a' : 'b'
    const key = `${failingPrefix(owner)}12345/${String(index).padStart(6, '0')}`
    return { type: 'put', key, value: encodeRow({ ...cause(host), position: 1, since: '' }) }
  })
  await store.commit(rows)
  const times = new JournalTimes(store, () => ({ position: 0, newestAt: '' }))
  const holdings = openOwnerLists(store, times)
  const first = await holdings.failing(owner, { limit: 25, cause: cause('b') })
  t.deepEqual(first, { works: [], next: '12345/004999' })
  const page = { limit: 25, cause: cause('b'), after: first.next ?? '' }
  t.is((await holdings.failing(owner, page)).next, null)
})
