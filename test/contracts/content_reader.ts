import { createHash } from 'node:crypto'
import type { ExecutionContext, TestFn } from 'ava'

import {
  contentFetcher,
  ContentReader,
  type ReadingLimits,
} from '#src/delivery/fetch/content_fetcher.ts'
import type { Fetcher } from '#src/delivery/fetch/fetcher.ts'
import { never, openFetcher } from '#test/src/delivery/fetch/_fetcher.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

const limits: ReadingLimits = { readingsMax: 3, hostReadingsMax: 2, readingMs: 10_000 }
const busy = 'as much is being read as may be at one time; try again after a while'

/** A reader as it is used: by itself, or from another thread. */
export type MakeReader = (t: ExecutionContext, reader: ContentReader) => Pick<ContentReader, 'read'>

function notRead(reason: string) {
  return { type: 'not_read', reason: `the content was not read: ${reason}` } as const
}

/** The contract of reading content for a caller that waits, wherever the reader is. */
export function testContentReader(test: TestFn, make: MakeReader): void {
  testReadings(test, make)
  testBounds(test, make)
}

function readersOf(make: MakeReader) {
  return (t: ExecutionContext, fetcher: Fetcher, changes: Partial<ReadingLimits> = {}) =>
    make(
      t,
      new ContentReader(
        contentFetcher(fetcher, () => {}),
        { ...limits, ...changes },
      ),
    )
}

function testReadings(test: TestFn, make: MakeReader): void {
  const readerOf = readersOf(make)
  test('what an address serves is hashed', async (t) => {
    const server = await serve(t, (_request, response) => response.end('a paper'))
    const reader = readerOf(t, openFetcher(t, { allow: [server.hostPort] }))
    const sha256 = createHash('sha256').update('a paper').digest('hex')
    const reading = await reader.read(server.url, never)
    t.deepEqual(reading, { type: 'read', contentHash: `sha256:${sha256}` })
  })

  test('what cannot be fetched is told in words', async (t) => {
    const reader = readerOf(t, openFetcher(t))
    t.deepEqual(
      await reader.read('http://127.0.0.1/', never),
      notRead('the address is not fetched: the address of its host is not public'),
    )
    t.deepEqual(
      await reader.read('not an address', never),
      notRead('the address is not fetched: it is no URL'),
    )
    t.deepEqual(
      await make(t, new ContentReader(undefined, limits)).read('https://example.org/', never),
      notRead('this registry fetches no content'),
    )
  })
}

function testBounds(test: TestFn, make: MakeReader): void {
  const readerOf = readersOf(make)
  test('a reading ends with its time, or with its caller, and gives its place back', async (t) => {
    const server = await serve(t, () => undefined)
    const fetcher = openFetcher(t, {
      allow: [server.hostPort],
      limits: { headersMs: 20_000, totalMs: 20_000 },
    })
    const hasty = readerOf(t, fetcher, { readingsMax: 1, readingMs: 100 })
    const late = notRead('it took longer than 0.1 seconds')
    t.deepEqual(await hasty.read(server.url, never), late)
    t.deepEqual(await hasty.read(server.url, never), late, 'there was a place again')
    const caller = new AbortController()
    const reading = readerOf(t, fetcher).read(server.url, caller.signal)
    caller.abort()
    t.deepEqual(await reading, notRead('it was called off'))
  })

  test('readings are bounded at one host, and in all', async (t) => {
    const open: (() => void)[] = []
    const hosts = await Promise.all(
      ['127.0.0.1', '127.0.0.2', '127.0.0.3'].map((host) =>
        serve(t, (_request, response) => void open.push(() => response.end('x')), { host }),
      ),
    )
    const [first, second, third] = hosts.map(({ url }) => url) as [string, string, string]
    const allow = hosts.map(({ hostPort }) => hostPort)
    const reader = readerOf(t, openFetcher(t, { allow, limits: { headersMs: 20_000 } }))
    const running = [reader.read(first, never), reader.read(first, never)]
    t.deepEqual(await reader.read(first, never), notRead(busy), 'at one host')
    running.push(reader.read(second, never))
    t.deepEqual(await reader.read(third, never), notRead(busy), 'in all')
    while (open.length < 3) await new Promise((resolve) => setImmediate(resolve))
    for (const end of open) end()
    for (const reading of await Promise.all(running)) t.is(reading.type, 'read')
    const again = reader.read(first, never)
    while (open.length < 4) await new Promise((resolve) => setImmediate(resolve))
    open[3]?.()
    t.is((await again).type, 'read')
  })
}
