import test from 'ava'
import { HotReplies, type HotReply } from '#actors/hot_replies.ts'
import type { JournalEvent } from '#actors/journal.ts'

function replyOf(text: string): HotReply {
  const after = [Buffer.from(text), Buffer.from('!')]
  return { etag: '"1"', status: 'registered', before: Buffer.from('{'), after }
}

test('a reply is kept from its second request on, in one piece', (t) => {
  const hot = new HotReplies(1_000)
  hot.offer('12345/k2a', replyOf('first'))
  t.is(hot.get('12345/k2a'), undefined)
  hot.offer('12345/k2a', replyOf('second'))
  t.deepEqual(hot.get('12345/k2a')?.after, [Buffer.from('second!')])
})

test('of many works that are asked for once almost none is kept', (t) => {
  const hot = new HotReplies(1_000_000)
  const arks = Array.from({ length: 10_000 }, (_, index) => `12345/k2${index}`)
  for (const ark of arks) hot.offer(ark, replyOf('once'))
  t.true(arks.filter((ark) => hot.get(ark) !== undefined).length < 10)
})

test('a reply is dropped when an event of its work is committed', (t) => {
  const hot = new HotReplies(1_000)
  for (let count = 0; count < 2; count += 1) hot.offer('12345/k2a', replyOf('old'))
  hot.forget([{ stream: 'work/12345/k2a' } as JournalEvent])
  t.is(hot.get('12345/k2a'), undefined)
})

test('more bytes than the bound are never kept', (t) => {
  const hot = new HotReplies(100)
  for (const ark of ['a', 'b', 'c', 'd']) {
    for (let count = 0; count < 2; count += 1) hot.offer(ark, replyOf('x'.repeat(40)))
  }
  t.is(['a', 'b', 'c', 'd'].filter((ark) => hot.get(ark) !== undefined).length, 2)
})
