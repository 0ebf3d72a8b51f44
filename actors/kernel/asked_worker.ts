import { parentPort, type Transferable, type Worker } from 'node:worker_threads'

import { KeptWorker, type KeptWorkerOptions, type WorkerEnd } from '#actors/kernel/kept_worker.ts'
import { assert, CodedError } from '#log/tlog/errors.ts'

/** What a thread is sent: orders, and which of them nobody waits for any more. */
export type SentOrder<Order> =
  | { readonly type: 'ask'; readonly id: number; readonly order: Order }
  | { readonly type: 'abort'; readonly id: number }

/** What a thread sends of an order; `failed` is what its code has thrown. */
export type ThreadNews<Answer, News> =
  | { readonly type: 'told'; readonly id: number; readonly news: News }
  | { readonly type: 'answered'; readonly id: number; readonly answer: Answer }
  | { readonly type: 'failed'; readonly id: number; readonly error: unknown }

/**
 * Why a thread gave no answer: it was asked for too much at once, it took too long, needed too much
 * memory, died of an error or ended without one, was stopped, or the caller has left.
 */
export type WorkerErrorCode =
  | 'busy'
  | 'too_slow'
  | 'out_of_memory'
  | 'died'
  | 'ended'
  | 'stopped'
  | 'aborted'

/** An order without an answer; `cause` is the error that a thread has died of. */
export class WorkerError extends CodedError<WorkerErrorCode> {
  override readonly name: string = 'WorkerError'
}

/** With `backOff`, what a thread was not sent before its end is kept for the next one. */
export type AskedWorkerOptions = Omit<KeptWorkerOptions, 'resume' | 'received'> & {
  /** Orders that have no answer yet, at most. */
  readonly waitingMax: number
}

export type AskOptions<News> = {
  /** What goes over to the thread, and is of no use here any more. */
  readonly transfer?: readonly Transferable[]
  readonly signal?: AbortSignal
  /** Hears what the thread tells before it answers. */
  readonly heard?: (news: News) => void
}

/** An order that has no answer yet. */
type Asked<Answer, News> = AskOptions<News> & {
  isSent: boolean
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/**
 * A thread that answers orders, with `answerOrders`. It starts with the first one and keeps no
 * process alive but while an answer is waited for. What is asked for in one turn of the event loop
 * goes over together, for each visit of a thread costs.
 */
export class AskedWorker<Order, Answer, News = never> {
  readonly #kept: KeptWorker
  readonly #waitingMax: number
  readonly #asked = new Map<number, Asked<Answer, News>>()
  #orders: SentOrder<Order>[] = []
  #lastId = 0

  constructor({ waitingMax, ...options }: AskedWorkerOptions) {
    this.#waitingMax = waitingMax
    this.#kept = new KeptWorker({
      ...options,
      resume: () => this.#send(),
      received: (message) => this.#receive(message as readonly ThreadNews<Answer, News>[]),
      ended: (end) => {
        this.#fail(errorOf(end), end.restartMs !== undefined)
        options.ended?.(end)
      },
    })
  }

  /** The thread that runs, ready or not. */
  get running(): Worker | undefined {
    return this.#kept.running
  }

  /** Gives the answer. Rejects with WorkerError, or with what the code of the thread throws. */
  async ask(order: Order, options: AskOptions<News> = {}): Promise<Answer> {
    const { signal } = options
    if (signal?.aborted === true) throw new WorkerError('aborted', 'the caller has left')
    if (this.#kept.isStopped) throw new WorkerError('stopped', 'the thread was stopped')
    if (this.#asked.size >= this.#waitingMax) throw new WorkerError('busy', 'too many orders wait')
    const id = (this.#lastId += 1)
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const asked = { ...options, isSent: false, resolve, reject }
    this.#asked.set(id, asked)
    const onAbort = () => {
      if (asked.isSent) this.#order({ type: 'abort', id })
      reject(new WorkerError('aborted', 'the caller has left'))
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#order({ type: 'ask', id, order })
    try {
      return await promise
    } finally {
      signal?.removeEventListener('abort', onAbort)
      this.#asked.delete(id)
      // One that is stopped keeps us alive until it has ended.
      if (this.#asked.size === 0 && !this.#kept.isStopped) this.#kept.running?.unref()
    }
  }

  /** Ends the thread at once, and fails what it was asked for. The next order starts another. */
  async end(code: WorkerErrorCode): Promise<void> {
    this.#fail(new WorkerError(code, 'the thread was ended'))
    await this.#kept.end()
  }

  /** Ends the thread for good, and fails what it was asked for with `stopped`. */
  async stop(): Promise<void> {
    this.#fail(new WorkerError('stopped', 'the thread was stopped'))
    await this.#kept.stop()
  }

  #order(order: SentOrder<Order>): void {
    this.#orders.push(order)
    if (this.#orders.length === 1) setImmediate(() => this.#send())
  }

  #send(): void {
    // What was aborted before it was sent is not there any more.
    const orders = this.#orders.filter(({ type, id }) => type === 'abort' || this.#asked.has(id))
    this.#orders = orders
    const worker = orders.length === 0 ? undefined : this.#kept.wake()
    if (worker === undefined) return
    this.#orders = []
    const asked = orders.map(({ id }) => this.#asked.get(id)).filter((one) => one !== undefined)
    try {
      const transfers = asked.flatMap(({ transfer = [] }) => transfer)
      worker.postMessage(orders, transfers)
    } catch (error) {
      for (const { reject } of asked) reject(error)
      return
    }
    if (asked.length > 0) worker.ref()
    for (const one of asked) one.isSent = true
  }

  #receive(news: readonly ThreadNews<Answer, News>[]): void {
    for (const item of news) {
      // What is not there any more was aborted meanwhile.
      const asked = this.#asked.get(item.id)
      if (item.type === 'told') asked?.heard?.(item.news)
      else if (item.type === 'answered') asked?.resolve(item.answer)
      else asked?.reject(item.error)
    }
  }

  #fail(error: WorkerError, keepsUnsent = false): void {
    for (const { isSent, reject } of this.#asked.values()) if (isSent || !keepsUnsent) reject(error)
    this.#orders = keepsUnsent ? this.#orders.filter(({ type }) => type === 'ask') : []
  }
}

function errorOf({ cause }: WorkerEnd): WorkerError {
  if (cause === undefined) return new WorkerError('ended', 'the thread has ended')
  const isMemory = (cause as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
  return new WorkerError(isMemory ? 'out_of_memory' : 'died', 'the thread has died', { cause })
}

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
