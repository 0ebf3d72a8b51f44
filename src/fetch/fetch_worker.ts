// The thread of a FetchThread: fetches what it is told to, and tells how that ends.

import { parentPort, workerData } from 'node:worker_threads'

import { assert } from '#log/errors.ts'
import type { FetchNews, FetchOrder } from '#src/fetch/fetch_thread.ts'
import { type FetcherSettings, fetcherOf } from '#src/fetch/fetcher.ts'

/** How long news are gathered: nothing beside what a fetch takes. */
const gatherMs = 4

const port = parentPort
assert(port !== null, 'this file runs as a thread')
const fetcher = fetcherOf(workerData as FetcherSettings)
const running = new Map<number, AbortController>()
let news: FetchNews[] = []

port.on('message', (orders: readonly FetchOrder[]) => {
  for (const order of orders) {
    if (order.type === 'fetch') void run(order)
    else running.get(order.id)?.abort()
  }
})

async function run({ id, url, fresh }: Extract<FetchOrder, { type: 'fetch' }>): Promise<void> {
  const stop = new AbortController()
  running.set(id, stop)
  const onStart = () => tell({ type: 'started', id })
  try {
    const outcome = await fetcher.fetchDigest(url, { signal: stop.signal, fresh, onStart })
    tell({ type: 'ended', id, outcome })
  } catch (error) {
    tell({ type: 'failed', id, error: error as Error })
  } finally {
    running.delete(id)
  }
}

// What happens within a moment goes over together, and so does what is ordered in return.
function tell(item: FetchNews): void {
  news.push(item)
  if (news.length === 1) setTimeout(send, gatherMs)
}

function send(): void {
  port?.postMessage(news)
  news = []
}
