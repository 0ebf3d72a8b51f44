import { parentPort, type Transferable } from 'node:worker_threads'

import type { SentOrder, ThreadNews } from '#actors/kernel/asked_worker.ts'
import { assert } from '#log/errors.ts'

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
  const say = (news: ThreadNews<Answer, News>) => {
    gathered.push(news)
    if (news.type === 'answered') transferred.push(...transferOf(news.answer))
    if (gatherMs === undefined) send()
    else if (gathered.length === 1) setTimeout(send, gatherMs)
  }
  const run = (id: number, order: Order) => {
    const stop = new AbortController()
    const tell = (news: News) => say({ type: 'told', id, news })
    const end = (news: ThreadNews<Answer, News>) => {
      running.delete(id)
      say(news)
    }
    const done = (value: Answer) => end({ type: 'answered', id, answer: value })
    const failed = (error: unknown) => end({ type: 'failed', id, error })
    running.set(id, stop)
    // An answer that is there at once is sent before the next order is begun.
    try {
      const given = answer(order, { signal: stop.signal, tell })
      if (given instanceof Promise) void given.then(done).catch(failed)
      else done(given)
    } catch (error) {
      failed(error)
    }
  }
  port.on('message', (orders: readonly SentOrder<Order>[]) => {
    for (const item of orders) {
      if (item.type === 'ask') run(item.id, item.order)
      else running.get(item.id)?.abort()
    }
  })
}
