import test from 'ava'

import { WindowStore } from '#src/edge/window_store.ts'
import { bucketBytes } from '#src/limits/window_buckets.ts'
import { ClientHashes, Windows } from '#src/limits/windows.ts'

const windowMs = 1_000

function newWindows(): Windows {
  const memory = new SharedArrayBuffer(bucketBytes)
  return new Windows({ memory, hashes: new ClientHashes([1, 2]), elapsedMs: () => 0 })
}

function count(store: WindowStore, key: string): unknown {
  let counted: unknown
  store.incr(key, (_error, result) => void (counted = result), windowMs)
  return counted
}

test('each limit counts in the windows that it is made with', (t) => {
  const store = new WindowStore({})
  const [shared, own] = [newWindows(), newWindows()]
  const limits = [shared, shared, own].map((windows) => store.child({ windows, max: 1 }))
  const counted = limits.map((limit) => count(limit, 'a'))
  t.deepEqual(counted, [
    { current: 1, ttl: 1_000 },
    { current: 2, ttl: 1_000 },
    { current: 1, ttl: 1_000 },
  ])
})

test('a limit without windows is a mistake', (t) => {
  t.throws(() => count(new WindowStore({}), 'a'), { message: 'the limit was made without windows' })
})
