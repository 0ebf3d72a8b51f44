// A thread that does what it is asked for, and dies when it is told to.

import { answerOrders } from '#actors/kernel/asked_worker.ts'

export type TestOrder =
  | { readonly type: 'double'; readonly number: number }
  | { readonly type: 'reverse'; readonly bytes: Uint8Array }
  | { readonly type: 'throw' | 'exit' | 'fault' | 'hang' | 'wait' }

let aborted = 0

/** Answers when nobody waits for it any more. */
function wait(signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve((aborted += 1)))
  })
}

answerOrders<TestOrder, number | Uint8Array, string>(
  (order, { signal, tell }) => {
    switch (order.type) {
      case 'double':
        tell(`doubling ${order.number}, after ${aborted} that were aborted`)
        return order.number * 2
      case 'reverse':
        return new Uint8Array(order.bytes).reverse()
      case 'throw':
        throw new RangeError('this cannot be done')
      case 'exit':
        return process.exit(7)
      case 'fault':
        setImmediate(() => {
          throw new Error('a fault')
        })
        return wait(signal)
      case 'hang':
        for (;;);
      case 'wait':
        tell('waiting')
        return wait(signal)
    }
  },
  {
    transferOf: (answer) => (typeof answer === 'number' ? [] : [answer.buffer as ArrayBuffer]),
  },
)
