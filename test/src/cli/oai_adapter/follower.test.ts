import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { pino } from 'pino'

import type {
  ChangeSource,
  FeedPage,
  ReadOutcome,
  ReadQuery,
} from '#src/cli/oai_adapter/change_source.ts'
import { Follower, type FollowerOptions } from '#src/cli/oai_adapter/follower.ts'
import { RecordCopy } from '#src/cli/oai_adapter/record_copy.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import { until } from '#test/_until.ts'
import { bornSecond, pageOf, registered } from '#test/src/cli/oai_adapter/_feed.ts'

type Answer = ReadOutcome | (() => ReadOutcome)

function pageOutcome(page: FeedPage, atSecond?: number): ReadOutcome {
  return { type: 'page', page, atSecond }
}

function failed(message: string, waitMs = 0): ReadOutcome {
  return { type: 'failed', message, reason: `The registry: ${message}`, waitMs }
}

/** A feed that gives one answer after another, then waits for ever, as one without news does. */
function scriptedFeed(answers: readonly Answer[]) {
  const queries: ReadQuery[] = []
  const { promise: exhausted, resolve } = Promise.withResolvers<void>()
  const read: ChangeSource = async (query, signal) => {
    const answer = answers[queries.length]
    queries.push(query)
    if (answer !== undefined) return typeof answer === 'function' ? answer() : answer
    resolve()
    await sleep(60_000, undefined, { signal }).catch(() => undefined)
    return failed('the request was ended')
  }
  return { read, queries, exhausted }
}

function follow(
  t: ExecutionContext,
  copy: RecordCopy,
  answers: readonly Answer[],
  more: Partial<FollowerOptions> = {},
) {
  const feed = scriptedFeed(answers)
  const { promise: fault, resolve: fatal } = Promise.withResolvers<unknown>()
  const progress: [number, number][] = []
  const follower = new Follower({
    copy,
    read: feed.read,
    logger: pino({ level: 'silent' }),
    random: () => 0,
    onProgress: (next, end) => progress.push([next, end]),
    fatal,
    ...more,
  })
  t.teardown(() => follower.close())
  follower.start()
  return { ...feed, follower, fault, progress }
}

const one = registered(1, '12345/a')
const two = registered(2, '12345/b')

test('pages are read one after another, the first at once, then it waits for news', async (t) => {
  const copy = new RecordCopy(openMemoryStore())
  const { queries, exhausted, progress } = follow(t, copy, [
    pageOutcome(pageOf([one], 2)),
    pageOutcome(pageOf([two], 2), bornSecond + 500),
  ])
  await exhausted
  t.deepEqual(
    queries.map(({ after, waitSeconds }) => [after, waitSeconds]),
    [
      [0, 0],
      [1, 0],
      [2, 25],
    ],
  )
  t.deepEqual(progress, [
    [1, 2],
    [2, 2],
  ])
  t.true(copy.state.complete)
  t.is(copy.horizon(), bornSecond + 440, 'a minute before the registry had no news')
})

/** Ends when a request is ended. */
async function untilEnded(signal: AbortSignal): Promise<ReadOutcome> {
  await sleep(60_000, undefined, { signal }).catch(() => undefined)
  return failed('the request was ended')
}

/** A registry with one change, of which another follows when it is asked how far it is. */
function busyRegistry(settled: (page: FeedPage, seconds: number) => ReadOutcome) {
  const news = Promise.withResolvers<ReadOutcome>()
  const asked: ReadQuery[] = []
  const read: ChangeSource = async (query, signal) => {
    if (query.limit === 1) {
      asked.push(query)
      setImmediate(() => news.resolve(settled(pageOf([two], 2), 550)))
      return settled(pageOf([two], 2), 600)
    }
    if (query.after === 0) return settled(pageOf([one], 1), 500)
    return Promise.race([untilEnded(signal), ...(query.after === 1 ? [news.promise] : [])])
  }
  return { read, asked }
}

test('a reply waits for what the registry has until then, and is of its own time', async (t) => {
  const copy = new RecordCopy(openMemoryStore())
  const { read, asked } = busyRegistry((page, seconds) => {
    const settled_at = new Date((bornSecond + seconds) * 1_000).toISOString()
    return pageOutcome({ ...page, settled_at })
  })
  const { follower } = follow(t, copy, [], { read })
  await follower.begun
  const settledAt = (seconds: number) => ({ at: bornSecond + seconds, until: bornSecond + seconds })
  t.deepEqual(await copy.settle(bornSecond + 500), settledAt(500))
  t.is(asked.length, 0)
  const both = await Promise.all([600, 600].map((seconds) => copy.settle(bornSecond + seconds)))
  t.deepEqual(both, [settledAt(600), settledAt(600)])
  t.deepEqual(asked, [{ after: 1, limit: 1, waitSeconds: 0 }])
  t.truthy(await copy.record('12345/b'))
  // What the registry does not promise, no reply does.
  t.deepEqual(await copy.settle(bornSecond + 601), settledAt(600))
})

test('a reply waits for no registry that cannot be read, and says how old it is', async (t) => {
  const copy = new RecordCopy(openMemoryStore())
  const settled_at = new Date((bornSecond + 500) * 1_000).toISOString()
  const { queries, exhausted, follower } = follow(t, copy, [
    pageOutcome({ ...pageOf([one]), settled_at }),
    failed('down'),
    failed('down'),
  ])
  await follower.begun
  await until('it is known to be down', () => follower.problem !== undefined)
  const asked = queries.filter(({ limit }) => limit === 1)
  t.deepEqual(await copy.settle(bornSecond + 900), {
    at: bornSecond + 500,
    until: bornSecond + 500,
  })
  t.deepEqual(asked, [])
  await exhausted
})

test('it goes on after failures, and says why it could not', async (t) => {
  const copy = new RecordCopy(openMemoryStore())
  const problems: (string | undefined)[] = []
  const running = follow(t, copy, [
    failed('down'),
    () => {
      problems.push(running.follower.problem?.message)
      return failed('still down')
    },
    () => {
      problems.push(running.follower.problem?.message)
      return pageOutcome(pageOf([one]))
    },
  ])
  await running.exhausted
  t.deepEqual(problems, ['down', 'still down'])
  t.is(running.follower.problem, undefined)
  t.deepEqual(
    running.queries.map(({ after }) => after),
    [0, 0, 0, 1],
  )
})

test('it leaves the registry alone for as long as that asks', async (t) => {
  const copy = new RecordCopy(openMemoryStore())
  const hourMs = 3_600_000
  const { queries, follower } = follow(t, copy, [failed('too many requests', hourMs)])
  // A registry that asks for no rest is asked again by then.
  const { exhausted } = follow(t, new RecordCopy(openMemoryStore()), [
    failed('down'),
    failed('down'),
  ])
  await exhausted
  t.is(queries.length, 1)
  await follower.close()
})

test('a copy of another registry, or of a later state of it, is not gone on with', async (t) => {
  const known = async () => {
    const copy = new RecordCopy(openMemoryStore())
    await copy.apply(pageOf([one, two]))
    return copy
  }
  const other = { ...one, at: '2020-01-01T00:00:00.000Z' }
  const foreign = follow(t, await known(), [pageOutcome(pageOf([other], 9))])
  t.like(await foreign.fault, { code: 'foreign_copy' })
  t.regex(String(await foreign.fault), /of a registry that began at .* began at 2020-01-01T/)

  const empty = follow(t, await known(), [pageOutcome(pageOf([]))])
  t.regex(String(await empty.fault), /SVC_URL has no changes/)

  const older = follow(t, await known(), [
    pageOutcome(pageOf([one], 1)),
    pageOutcome({ changes: [], next: 1, end: 1 }),
  ])
  t.regex(String(await older.fault), /has 1 changes, and 2 were read from it before/)
})

test('a copy whose store fails is not gone on with', async (t) => {
  const store = openMemoryStore()
  store.commit = () => Promise.reject(new Error('the disk is gone'))
  const { fault } = follow(t, new RecordCopy(store), [pageOutcome(pageOf([one]))])
  t.like(await fault, { message: 'the disk is gone' })
})

test('it ends while it waits', async (t) => {
  const copy = new RecordCopy(openMemoryStore())
  const { follower, exhausted } = follow(t, copy, [pageOutcome(pageOf([one]))])
  await exhausted
  await follower.close()
  t.is(copy.state.next, 1)
})
