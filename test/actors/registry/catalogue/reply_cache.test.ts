import test from 'ava'
import { type CachedReply, ReplyCache } from '#actors/registry/catalogue/resolution.ts'
import { noticeOf } from '#actors/registry/catalogue/feeds.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'

function replyOf(text: string, people: readonly string[] = [], isWitnessed = true): CachedReply {
  const about = { etag: '"1"', status: 'registered', people, isWitnessed } as const
  const body = Buffer.from(`{"other"${text}!`)
  return { ...about, body, requested: 'other', requestedAt: 1, requestedEnd: 8 }
}

function keep(replies: ReplyCache, ark: string, people: readonly string[] = []): void {
  replies.offer(ark, replyOf('kept', people))
  replies.offer(ark, replyOf('kept', people))
}

function happened(event: Partial<JournalEvent>): JournalEvent {
  return { type: 'ProfileUpdated', data: {}, ...event } as JournalEvent
}

function commit(replies: ReplyCache, event: JournalEvent): void {
  replies.published(noticeOf([event], 1))
}

test('a reply is dropped when somebody changes who has a claim on its work', (t) => {
  const replies = new ReplyCache(10_000)
  keep(replies, '12345/k2a', ['p1', 'p2'])
  keep(replies, '12345/k2b', ['p2'])
  keep(replies, '12345/k2c')
  commit(replies, happened({ stream: 'person/p1' }))
  t.is(replies.inFull('12345/k2a', 'k2a'), undefined)
  t.truthy(replies.inFull('12345/k2b', 'k2b'))
  commit(replies, happened({ stream: 'person/p2' }))
  t.is(replies.inFull('12345/k2b', 'k2b'), undefined)
  t.truthy(replies.inFull('12345/k2c', 'k2c'))
})

test('a reply is dropped when its work is claimed', (t) => {
  const replies = new ReplyCache(10_000)
  keep(replies, '12345/k2a')
  keep(replies, '12345/k2b')
  const data = { ark: '12345/k2a' }
  commit(replies, happened({ stream: 'person/p1', type: 'ClaimMade', data }))
  t.is(replies.inFull('12345/k2a', 'k2a'), undefined)
  t.truthy(replies.inFull('12345/k2b', 'k2b'))
})

test('a reply that had to go takes nothing with it of another one', (t) => {
  const replies = new ReplyCache(300)
  keep(replies, '12345/k2a', ['p1'])
  keep(replies, '12345/k2b', ['p1'])
  keep(replies, '12345/k2c', ['p1'])
  t.is(replies.inFull('12345/k2a', 'k2a'), undefined)
  commit(replies, happened({ stream: 'person/p1' }))
  for (const ark of ['12345/k2b', '12345/k2c']) t.is(replies.inFull(ark, ark), undefined)
})

test('a reply is kept from its second request on', (t) => {
  const replies = new ReplyCache(1_000)
  replies.offer('12345/k2a', replyOf('first'))
  t.is(replies.inFull('12345/k2a', 'k2a'), undefined)
  replies.offer('12345/k2a', replyOf('second'))
  t.is(String(replies.inFull('12345/k2a', 'k2a')?.body), '{"k2a"second!')
})

test('a reply in full is the same as long as it is kept and spelled alike', (t) => {
  const replies = new ReplyCache(1_000)
  keep(replies, '12345/k2a')
  const first = replies.inFull('12345/k2a', 'k2a')
  t.is(String(first?.body), '{"k2a"kept!')
  t.is(replies.inFull('12345/k2a', 'k2a'), first)
  const other = replies.inFull('12345/k2a', 'ark:/12345/k-2a')
  t.is(String(other?.body), '{"ark:/12345/k-2a"kept!')
  t.is(String(first?.body), '{"k2a"kept!')
  t.deepEqual(replies.inFull('12345/k2a', 'k2a'), first)
  commit(replies, { stream: 'work/12345/k2a' } as JournalEvent)
  t.is(replies.inFull('12345/k2a', 'k2a'), undefined)
})

test('of many works that are asked for once almost none is kept', (t) => {
  const replies = new ReplyCache(1_000_000)
  const arks = Array.from({ length: 10_000 }, (_, index) => `12345/k2${index}`)
  for (const ark of arks) replies.offer(ark, replyOf('once'))
  t.true(arks.filter((ark) => replies.inFull(ark, ark) !== undefined).length < 10)
})

test('a reply is dropped when an event of its work is committed', (t) => {
  const replies = new ReplyCache(1_000)
  for (let count = 0; count < 2; count += 1) replies.offer('12345/k2a', replyOf('old'))
  commit(replies, { stream: 'work/12345/k2a' } as JournalEvent)
  t.is(replies.inFull('12345/k2a', 'k2a'), undefined)
})

test('more bytes than the bound are never kept', (t) => {
  const replies = new ReplyCache(100)
  for (const ark of ['a', 'b', 'c', 'd']) {
    for (let count = 0; count < 2; count += 1) replies.offer(ark, replyOf('x'.repeat(40)))
  }
  t.is(['a', 'b', 'c', 'd'].filter((ark) => replies.inFull(ark, ark) !== undefined).length, 2)
})

test('a reply is dropped when a checkpoint is witnessed, unless its receipt is already', (t) => {
  const replies = new ReplyCache(10_000)
  keep(replies, '12345/witnessed')
  for (const reply of [replyOf('old', [], false), replyOf('new', [], false)]) {
    replies.offer('12345/early', reply)
  }
  t.truthy(replies.inFull('12345/early', 'ark:/12345/early'))
  replies.witnessed()
  t.is(replies.inFull('12345/early', 'ark:/12345/early'), undefined)
  t.truthy(replies.inFull('12345/witnessed', 'ark:/12345/witnessed'))
  keep(replies, '12345/early')
  replies.witnessed()
  t.truthy(replies.inFull('12345/early', 'ark:/12345/early'))
})
