// Uses, for a test, a store that the thread which has started this one has open. It is told what
// to do a message at a time, and answers each.

import { parentPort, workerData } from 'node:worker_threads'

import { joinLevelStore } from '#log/store/level_store.ts'

/** What the thread is told; `scan` begins one and reads its first row, `finish` reads the rest. */
export type JoinedOrder =
  | { readonly type: 'get'; readonly key: string }
  /** Commits rows of two keys each under a name, one commit after another; says how many. */
  | { readonly type: 'commit'; readonly name: string; readonly times: number }
  | { readonly type: 'scan' | 'finish' | 'await_scans' | 'close' }

const store = await joinLevelStore(workerData as string)
let rows: AsyncIterator<readonly [string, Uint8Array]> | undefined

async function carryOut(order: JoinedOrder): Promise<string | undefined> {
  switch (order.type) {
    case 'get': {
      const value = store.get(order.key)
      return value && Buffer.from(value).toString()
    }
    case 'commit':
      for (let nth = 0; nth < order.times; nth += 1) {
        const value = Buffer.from(String(nth))
        const pair = ['a', 'b'].map((side) => `${side}/${order.name}/${nth}`)
        await store.commit(pair.map((key) => ({ type: 'put', key, value })))
      }
      return String(order.times)
    case 'scan':
      rows = store.scan({ gte: 'row/', lt: 'row0' })[Symbol.asyncIterator]()
      return String((await rows.next()).value?.[0])
    case 'finish': {
      let read = 0
      while ((await rows?.next())?.done === false) read += 1
      return String(read)
    }
    case 'await_scans':
      await store.scansEnded()
      return 'ended'
    case 'close':
      await store.close()
      return 'closed'
  }
}

parentPort?.on('message', (order: JoinedOrder) => {
  void carryOut(order).then(
    (answer) => parentPort?.postMessage(`${order.type} ${answer}`),
    (error: unknown) => parentPort?.postMessage(`${order.type} failed: ${String(error)}`),
  )
})
parentPort?.postMessage('joined')
