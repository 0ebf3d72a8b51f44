import test from 'ava'

import { RecentRecords, StoreRecordFeed } from '#actors/registry/catalogue/feeds.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { eventKey } from '#actors/journal/rows.ts'
import {
  admin,
  arkOf,
  demo,
  makeRegistry,
  metadataOf,
  register,
} from '#test/actors/_environment.ts'
import { TestPersonSeal } from '#test/actors/people/_seal.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'

function events(from: number, count: number): JournalEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const position = from + index
    const place = { position, stream: `organization/o${position}`, seq: 1, previous: -1 }
    const facts = { type: 'OrganizationCreated', schema: 1, by: demo, data: {} }
    return { ...facts, ...place, at: '2026-01-01T00:00:00.000Z', leafIndex: -1, entryCount: 0 }
  })
}

test('so many of the newest events are remembered, by their positions', (t) => {
  const start = 1_000
  const recent = new RecentRecords(start)
  t.is(recent.at(start - 1), undefined)
  recent.add(events(start, 3))
  t.like(recent.at(start), { records: [{ id: `o${start}` }], isErasure: false })
  t.is(recent.at(start - 1), undefined)
  t.is(recent.at(start + 3), undefined)
  const many = 2_048
  recent.add(events(start + 3, many))
  t.is(recent.at(start + 2), undefined)
  for (const at of [start + 3, start + 2 + many]) {
    t.like(recent.at(at), { records: [{ id: `o${at}` }] })
  }
})

test('works are forgotten with the events that registered them', (t) => {
  const recent = new RecentRecords(0)
  const long = { ...metadataOf('Long'), description: 'x'.repeat(500_000) }
  for (let position = 0; position < 5; position += 1) {
    const [event] = events(position, 1)
    const data = {
      receipt_id: `rcpt_${position}`,
      metadata_hash: 'sha256:00',
      content_hash: null,
      metadata: long,
    }
    const stream = `work/1/k${position}`
    if (event) recent.add([{ ...event, type: 'WorkRegistered', stream, data }])
  }
  t.is(recent.at(0), undefined)
  t.is(recent.work('1/k0'), undefined)
  t.like(recent.work('1/k4'), { registered: 4, claims: [], state: { ark: '1/k4' } })
})

test('a work that is remembered is told as one that is read', async (t) => {
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  t.teardown(() => environment.close())
  const { records, works } = environment
  const untouched = arkOf(await register(environment, 'One'))
  const changed = arkOf(await register(environment, 'Two'))
  await works.update({ ark: changed, patch: metadataOf('Two, again'), by: demo })
  const store = openMemoryStore(registry.disk)
  const read = new StoreRecordFeed(store, new TestPersonSeal(), records.events)
  for (const ark of [untouched, changed]) t.deepEqual(records.work(ark), read.work(ark))
  t.true(records.remembers(records.events - 1))
  t.false(read.remembers(records.events - 1))
  t.deepEqual(await records.touched(0, 10), await read.touched(0, 10))
})

test('an event is read once for its work, and told no more once that has changed', async (t) => {
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  t.teardown(() => environment.close())
  const { records, works } = environment
  const [untouched, changed, erased] = [
    arkOf(await register(environment, 'One')),
    arkOf(await register(environment, 'Two')),
    arkOf(await register(environment, 'Three')),
  ]
  const store = openMemoryStore(registry.disk)
  const reads: string[] = []
  const counted = {
    get: (key: string) => {
      reads.push(key)
      return store.get(key)
    },
  }
  const feed = new StoreRecordFeed(counted, new TestPersonSeal(), records.events)
  await feed.touched(0, 10)
  await works.update({ ark: changed, patch: metadataOf('Two, again'), by: demo })
  await works.erase({ ark: erased, reason: 'legal', withdraws: true, by: admin })
  t.deepEqual(feed.work(untouched), records.work(untouched))
  t.deepEqual(
    reads.filter((key) => key.startsWith('event/')),
    [0, 1, 2].map((position) => eventKey(position)),
  )
  t.is(feed.work(changed)?.registered, 1)
  t.deepEqual(JSON.parse(feed.work(changed)?.metadata ?? '{}'), metadataOf('Two, again'))
  t.is(feed.work(erased), undefined)
})
