import test from 'ava'

import type { Metadata } from '#actors/works/metadata.ts'
import {
  admin,
  arkOf,
  demo,
  metadataOf,
  openRegistry,
  register,
} from '#test/actors/_environment.ts'
import { ada, createPerson, onPages, publisherFor } from '#test/actors/_person.ts'

const limit = 100

test('records that events are about are told once, in the order of the journal', async (t) => {
  const environment = await openRegistry(t)
  const { records, works, organizations } = environment
  t.deepEqual(await records.touched(0, limit), { records: [], erased: [], next: 0 })
  const one = arkOf(await register(environment, 'One'))
  await organizations.create({ body: { slug: 'moon', name: 'Moon' }, by: admin })
  const two = arkOf(await register(environment, 'Two'))
  await works.update({ ark: one, patch: metadataOf('One more'), by: demo })
  const work = (id: string) => ({ type: 'work', id }) as const
  t.deepEqual(await records.touched(0, limit), {
    records: [work(one), { type: 'organization', id: 'moon' }, work(two)],
    erased: [],
    next: 4,
  })
  t.deepEqual((await records.touched(1, 2)).records, [
    { type: 'organization', id: 'moon' },
    work(two),
  ])
  t.is((await records.touched(1, 2)).next, 3)
  t.is(records.events, 4)
})

test('of long events fewer are read at a time, and one always', async (t) => {
  const environment = await openRegistry(t)
  const { records } = environment
  const long = 'measured and found '.repeat(3_000)
  const count = 30
  const arks: string[] = []
  for (let nth = 0; nth < count; nth += 1) {
    arks.push(
      arkOf(await register(environment, { ...metadataOf(`Long ${nth}`), description: long })),
    )
  }
  const found: string[] = []
  const steps: number[] = []
  for (let position = 0; position < records.events; ) {
    const touched = await records.touched(position, limit)
    found.push(...touched.records.map(({ id }) => id))
    steps.push(touched.next - position)
    position = touched.next
  }
  t.deepEqual(found, arks)
  t.is(steps.length, 2)
})

test('a claim is about a person and a work, and what is erased is named', async (t) => {
  const environment = await openRegistry(t)
  const { records, claims, people } = environment
  await createPerson(environment, ada)
  const ark = arkOf(await register(environment, 'Notes'))
  const before = records.events
  const body = { ark_identifier: `ark:/${ark}`, author_position: 1 }
  await claims.make({ ppid: ada, body, by: onPages(ada) })
  const person = { type: 'person', id: ada } as const
  t.deepEqual((await records.touched(before, limit)).records, [person, { type: 'work', id: ark }])
  await people.erase({ ppid: ada, by: onPages(ada) })
  t.deepEqual((await records.touched(records.events - 1, limit)).erased, [person])
})

test('a work is told as it stands, with the claims that are shown', async (t) => {
  const environment = await openRegistry(t)
  const { records, works } = environment
  await createPerson(environment, ada)
  const registered = records.events
  const ark = arkOf(await register(environment, 'Notes', { by: publisherFor(ada) }))
  await works.update({ ark, patch: metadataOf('More notes'), by: publisherFor(ada) })
  const work = records.work(ark)
  t.like(work, { registered, state: { ark, fixity_status: 'pending' } })
  t.is((JSON.parse(work?.metadata ?? '{}') as Metadata).work_title, 'More notes')
  t.deepEqual(
    work?.claims.map(({ ppid }) => ppid),
    [ada],
  )
  await works.withdraw({ ark, reason: 'test', by: admin })
  t.like(records.work(ark), { registered, state: { ark, status: 'withdrawn' } })
  await works.erase({ ark, reason: 'legal', withdraws: false, by: admin })
  t.is(records.work(ark), undefined)
  t.is(records.work('12345/k2nothing'), undefined)
})

test('where a person or an organization began is found by its time', async (t) => {
  const environment = await openRegistry(t)
  const { records, organizations } = environment
  for (let index = 0; index < 20; index += 1) await register(environment, `Work ${index}`)
  const at = records.events
  const person = await createPerson(environment, ada)
  await organizations.create({ body: { slug: 'moon', name: 'Moon' }, by: admin })
  for (let index = 20; index < 30; index += 1) await register(environment, `Work ${index}`)
  t.is(records.began({ type: 'person', id: ada }, person.created_at), at)
  const created = organizations.read('moon')?.created_at ?? ''
  t.is(records.began({ type: 'organization', id: 'moon' }, created), at + 1)
})

test('who waits for news hears of a commit, or is called off', async (t) => {
  const environment = await openRegistry(t)
  const { records } = environment
  const stop = new AbortController()
  const news = records.news(records.events, stop.signal)
  await register(environment, 'News')
  await t.notThrowsAsync(news)
  const never = records.news(records.events, stop.signal)
  stop.abort()
  await t.notThrowsAsync(never)
  await t.notThrowsAsync(records.news(0, new AbortController().signal))
})

test('who waits for a later event is not woken by those before it', async (t) => {
  const environment = await openRegistry(t)
  const { records } = environment
  const order: string[] = []
  const { signal } = new AbortController()
  const later = records.news(records.events + 2, signal).then(() => order.push('later'))
  for (const title of ['One', 'Two']) {
    await register(environment, title)
    await records.news(records.events - 1, signal)
    order.push(title)
  }
  await register(environment, 'Three')
  await later
  t.deepEqual(order, ['One', 'Two', 'later'])
})

test('who follows the feed goes on once those who asked for a commit are answered', async (t) => {
  const environment = await openRegistry(t)
  const { records } = environment
  const order: string[] = []
  const followed = records.news(0, new AbortController().signal).then(() => order.push('follower'))
  await register(environment, 'One')
  order.push('asker')
  await followed
  t.deepEqual(order, ['asker', 'follower'])
})
