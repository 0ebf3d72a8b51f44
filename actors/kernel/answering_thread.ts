import { parentPort, type Transferable } from 'node:worker_threads'

import type { SentOrder, ThreadNews } from '#actors/kernel/asked_worker.ts'
import { assert } from '#log/base/errors.ts'

/** One order as its thread sees it. */
export type OrderCall<News> = {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  /** Tells who waits something before the answer. */
  readonly tell: (news: News) => void
}

export type AnsweringOptions<Answer> = {
  /** What of an answer goes over to the other thread, and is of no use here any more. */
  readonly transferOf?: (answer: Answer) => readonly Transferable[]
  /** How long news are gathered before they go over together; not at all unless given. */
  readonly gatherMs?: number
}

/**
 * Makes this thread answer the orders of an AskedWorker. What `answer` throws, or rejects with, is
 * what the order rejects with there.
 */
export function answerOrders<Order, Answer, News = never>(
  answer: (order: Order, call: OrderCall<News>) => Answer | Promise<Answer>,
  { transferOf = () => [], gatherMs }: AnsweringOptions<Answer> = {},
): void {
  const port = parentPort
  assert(port !== null, 'this file runs as a thread')
  const running = new Map<number, AbortController>()
  let gathered: ThreadNews<Answer, News>[] = []
  let transferred: Transferable[] = []
  const send = () => {
    const [news, transfers] = [gathered, transferred]
    gathered = []
    transferred = []
    port.postMessage(news, transfers)
  }
  const say = (news: ThreadNews<Answer, News>, transfers: readonly Transferable[] = []) => {
    gathered.push(news)
    transferred.push(...transfers)
    if (gatherMs === undefined) send()
    else if (gathered.length === 1) setTimeout(send, gatherMs)
  }
  const run = async (id: number, order: Order) => {
    const stop = new AbortController()
    running.set(id, stop)
    try {
      const tell = (news: News) => say({ type: 'told', id, news })
      const given = await answer(order, { signal: stop.signal, tell })
      say({ type: 'answered', id, answer: given }, transferOf(given))
    } catch (error) {
      say({ type: 'failed', id, error })
    } finally {
      running.delete(id)
    }
  }
  port.on('message', (orders: readonly SentOrder<Order>[]) => {
    for (const item of orders) {
      if (item.type === 'ask') void run(item.id, item.order)
      else running.get(item.id)?.abort()
    }
  })
}
