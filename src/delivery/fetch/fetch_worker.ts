// The thread of a FetchThread: fetches what it is told to, and tells how that ends.

import { workerData } from 'node:worker_threads'

import { answerOrders } from '#actors/kernel/asked_worker.ts'
import type { FetchOrder } from '#src/delivery/fetch/fetch_thread.ts'
import { fetcherOf, type FetcherSettings } from '#src/delivery/fetch/fetcher.ts'
import type { FetchOutcome } from '#src/delivery/fetch/outcome.ts'

/**
 * How long news are gathered: nothing beside what a fetch takes. What happens within a moment goes
 * over together, and so does what is ordered in return.
 */
const gatherMs = 4

const fetcher = fetcherOf(workerData as FetcherSettings)

answerOrders<FetchOrder, FetchOutcome, 'started'>(
  ({ url, fresh }, { signal, tell }) =>
    fetcher.fetchDigest(url, { signal, fresh, onStart: () => tell('started') }),
  { gatherMs },
)
