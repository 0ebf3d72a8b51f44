import test from 'ava'

import {
  type HistoryEntry,
  historyKinds,
  type HistoryQuery,
  historyRowsMax,
  openOwnerLists,
} from '#actors/registry/catalogue/owner_lists.ts'
import { JournalTimes } from '#actors/registry/catalogue/harvest.ts'
import { encodeRow, eventKey, positionPart } from '#actors/journal/rows.ts'
import type { Environment } from '#actors/registry/environment.ts'
import type { Agent } from '#actors/values/agent.ts'
import { ownedPrefix } from '#actors/works/views.ts'
import type { Operation } from '#log/store/store.ts'
import { admin, arkOf, demo, makeRegistry, other, register } from '#test/actors/_environment.ts'
import { ada, createPerson } from '#test/actors/_person.ts'
import { claim, say } from '#test/actors/people/claims/_claim.ts'
import { auditClosed } from '#test/actors/_world.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'

const owner = { type: 'organization', id: 'demo' } as const
const bo: Agent = { ...demo, via: 'ui', member: 'p-bo' }
const key: Agent = { ...demo, key_id: 'k1' }

function wordOf(entry: HistoryEntry): string {
  switch (entry.kind) {
    case 'registration':
      return `registered ${entry.count}${entry.batch === undefined ? '' : ' together'}`
    case 'version':
      return `version ${entry.version}: ${entry.changed_fields.join()}`
    case 'withdrawal':
      return `${entry.end}: ${entry.reason}`
    case 'claim':
      return `${entry.step}: ${entry.status}`
    case 'organization':
      return entry.change.type
  }
}

async function words({ holdings }: Environment, asked: Partial<HistoryQuery> = {}) {
  const page = await holdings.history(owner, { kinds: historyKinds, limit: 20, ...asked })
  return page.entries.map(wordOf)
}

test('what happened to an owner and its works is told, by kind and by whom', async (t) => {
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  await environment.organizations.create({ body: { slug: 'demo', name: 'Demo' }, by: admin })
  await createPerson(environment, ada)
  const first = arkOf(await register(environment, 'First', { by: bo }))
  await register(environment, 'Of another', { by: other })
  const second = arkOf(await register(environment, 'Second', { by: key }))
  await environment.works.update({ ark: first, patch: { work_title: 'One' }, by: key })
  await claim(environment, second)
  await say(environment, second, 'reject', { by: bo })
  await environment.works.withdraw({ ark: first, reason: 'test', by: bo })
  await environment.works.erase({ ark: first, reason: 'legal', by: admin, withdraws: false })
  const all = [
    'erased: legal',
    'withdrawn: test',
    'reject: rejected',
    'make: pending',
    'version 2: work_title',
    'registered 1',
    'registered 1',
    'OrganizationCreated',
  ]
  t.deepEqual(await words(environment), all)
  t.deepEqual(await words(environment, { kinds: ['withdrawal', 'version'] }), [
    'erased: legal',
    'withdrawn: test',
    'version 2: work_title',
  ])
  const asked = (type: 'person' | 'key', id: string) => words(environment, { by: { type, id } })
  t.deepEqual(await asked('person', 'p-bo'), [
    'withdrawn: test',
    'reject: rejected',
    'registered 1',
  ])
  t.deepEqual(await asked('person', ada), ['make: pending'])
  t.deepEqual(await asked('key', 'k1'), ['version 2: work_title', 'registered 1'])

  const paged: string[] = []
  for (let before: number | undefined; ; ) {
    const place = before === undefined ? {} : { before }
    const page = await environment.holdings.history(owner, {
      kinds: historyKinds,
      limit: 3,
      ...place,
    })
    paged.push(...page.entries.map(wordOf))
    if (page.next === null) break
    before = page.next.before
  }
  t.deepEqual(paged, all, 'page by page it is the same')
  t.deepEqual(await auditClosed(environment, registry), [])
})

test('works of one import are one entry, and those of different callers are not', async (t) => {
  const environment = await (await makeRegistry(t)).open()
  const keyed = (batch: string, index: number) => {
    return { idempotency: { key: `${batch}/${index}`, bodyHash: '', batch } }
  }
  for (const index of [1, 2, 3]) {
    await register(environment, `A${index}`, { by: bo, ...keyed('a', index) })
  }
  for (const index of [1, 2]) {
    await register(environment, `B${index}`, { by: bo, ...keyed('b', index) })
  }
  await register(environment, 'Alone', { by: key })
  t.deepEqual(await words(environment), [
    'registered 1',
    'registered 2 together',
    'registered 3 together',
  ])
  const { entries } = await environment.holdings.history(owner, { kinds: historyKinds, limit: 3 })
  const [, , third] = entries
  t.is(third?.kind === 'registration' ? third.works.length : 0, 3)
})

test('a page looks at so many events, says where it goes on, and keeps to a period', async (t) => {
  const store = openMemoryStore()
  const count = historyRowsMax + 500
  const start = Date.parse('2026-03-01T00:00:00.000Z')
  const at = (position: number) => new Date(start + position * 1_000).toISOString()
  const rows = Array.from({ length: count }, (_, position): Operation[] => {
    const by = position === 7 ? bo : key
    const stream = `work/12345/k${position}`
    const event = { type: 'WorkRegistered', stream, at: at(position), by, data: {} }
    const held = ownedPrefix(owner) + positionPart(position)
    return [
      { type: 'put', key: eventKey(position), value: encodeRow(event) },
      { type: 'put', key: held, value: Buffer.from(`12345/k${position}`) },
    ]
  })
  await store.commit(rows.flat())
  const end = { position: count, newestAt: at(count - 1) }
  const holdings = openOwnerLists(store, new JournalTimes(store, () => end))
  const asked = { kinds: historyKinds, by: { type: 'person', id: 'p-bo' }, limit: 5 } as const
  const first = await holdings.history(owner, asked)
  const before = count - historyRowsMax
  t.deepEqual(first, { entries: [], next: { before, reachedAt: at(before) } })
  const second = await holdings.history(owner, { ...asked, before })
  t.deepEqual(
    second.entries.map(({ position }) => position),
    [7],
  )
  t.is(second.next, null)
  const whole = { kinds: historyKinds, limit: 5 } as const
  const newer = await holdings.history(owner, whole)
  t.like(newer.entries, [{ count: historyRowsMax, goesOn: true, began: undefined }])
  const older = await holdings.history(owner, { ...whole, before: newer.next?.before ?? 0 })
  t.like(older.entries, [
    { count: count - historyRowsMax - 8, goesOn: undefined, began: true },
    { count: 1, began: undefined },
    { count: 7, began: undefined },
  ])
  const { entries, next } = await holdings.history(owner, {
    kinds: historyKinds,
    limit: 5,
    fromMs: start + 100_000,
    untilMs: start + 103_000,
  })
  t.like(entries, [{ kind: 'registration', position: 100, count: 3, at: at(102) }])
  t.is(next, null)
})
