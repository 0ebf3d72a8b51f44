import inspector from 'node:inspector/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.join(import.meta.dirname, '..', '..')

/** A function of ours that ran: its file from the root, and where it starts and ends in it. */
export type CalledFunction = { readonly file: string; readonly start: number; readonly end: number }

/** Functions that ran, by `file:start`. */
export type Calls = ReadonlyMap<string, CalledFunction>

type Coverage = {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly ranges: readonly {
        readonly startOffset: number
        readonly endOffset: number
        readonly count: number
      }[]
    }[]
  }[]
}

type WorkerMessage = { readonly sessionId: string; readonly message: string }

type Answer = { readonly result?: unknown; readonly error?: { readonly message: string } }

type Waiting = { resolve(result: unknown): void; reject(error: Error): void }

// Evaluated in a thread: gives what ran in it when it has sent a whole answer, and not a function
// more, because a session of its own takes the counts before anything else can run.
const coverageAtAnswer = `new Promise((resolve) => {
  const { subscribe, unsubscribe } = process.getBuiltinModule('node:diagnostics_channel')
  const { Session } = process.getBuiltinModule('node:inspector')
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const end = (coverage) => {
    unsubscribe('http.server.response.finish', onAnswer)
    session.disconnect()
    resolve(coverage)
  }
  const onAnswer = () => {
    session.post('Profiler.takePreciseCoverage', (error, coverage) => {
      end(JSON.stringify(coverage))
    })
  }
  globalThis.stopWaitingForAnswer = () => end()
  subscribe('http.server.response.finish', onAnswer)
})`

type Evaluated = { readonly result: { readonly value?: string } }

/** Counts the calls of our functions in this thread and in all threads that it starts. */
export class CallCounter {
  readonly #session = new inspector.Session()
  /** The threads whose calls are counted, by the session of each. */
  readonly #workers = new Set<string>()
  readonly #waiting = new Map<string, Map<number, Waiting>>()
  #lastId = 0

  async open(): Promise<void> {
    this.#session.connect()
    this.#session.on('NodeWorker.attachedToWorker', ({ params }) => {
      // One that ends before it is asked is none whose calls are counted.
      this.#attach(params.sessionId).catch(() => this.#failAsked(params.sessionId))
    })
    this.#session.on('NodeWorker.detachedFromWorker', ({ params }) =>
      this.#failAsked(params.sessionId),
    )
    this.#session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => this.#receive(params))
    await this.#session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
    await this.#session.post('Profiler.enable')
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  }

  /** The functions of ours that were called since the last time. */
  async take(): Promise<Calls> {
    const coverages = await this.#ofEachThread(this.#threads(), 'Profiler.takePreciseCoverage')
    return callsOf(coverages as Coverage[])
  }

  /**
   * The functions of ours that are called from now on until a thread has sent the next answer: in
   * that thread exactly these, in the others also what runs while they are asked. Resolves when the
   * threads listen, with what resolves at the answer.
   */
  async takeAtAnswer(): Promise<{ readonly taken: Promise<Calls> }> {
    await this.take()
    const params = { expression: coverageAtAnswer, awaitPromise: true }
    const answering = this.#threads().map(async (thread) => {
      const { result } = (await this.#post(thread, 'Runtime.evaluate', params)) as Evaluated
      if (result.value === undefined) throw new Error('this thread has not answered')
      return { thread, coverage: JSON.parse(result.value) as Coverage }
    })
    const taken = Promise.any(answering).then(async ({ thread, coverage }) => {
      const others = this.#threads().filter((other) => other !== thread)
      const coverages = await this.#ofEachThread(others, 'Profiler.takePreciseCoverage')
      await this.#ofEachThread(others, 'Runtime.evaluate', { expression: 'stopWaitingForAnswer()' })
      return callsOf([coverage, ...(coverages as Coverage[])])
    })
    // A thread that has said what one and one is has begun to listen before.
    await this.#ofEachThread(this.#threads(), 'Runtime.evaluate', { expression: '1 + 1' })
    return { taken }
  }

  /** This thread, and those that it has started, by their sessions. */
  #threads(): (string | undefined)[] {
    return [undefined, ...this.#workers]
  }

  #post(thread: string | undefined, method: string, params: object = {}): Promise<unknown> {
    if (thread !== undefined) return this.#send(thread, method, params)
    return this.#session.post(method as 'Profiler.enable', params as never)
  }

  /** What each thread says; one that ends meanwhile says nothing. */
  async #ofEachThread(
    threads: readonly (string | undefined)[],
    method: string,
    params: object = {},
  ): Promise<unknown[]> {
    const said = await Promise.allSettled(threads.map((each) => this.#post(each, method, params)))
    return said.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  }

  async #attach(sessionId: string): Promise<void> {
    this.#waiting.set(sessionId, new Map())
    await this.#send(sessionId, 'Profiler.enable')
    const what = { callCount: true, detailed: false }
    await this.#send(sessionId, 'Profiler.startPreciseCoverage', what)
    this.#workers.add(sessionId)
  }

  /** What a thread that has ended was asked has no answer. */
  #failAsked(sessionId: string): void {
    this.#workers.delete(sessionId)
    for (const { reject } of this.#waiting.get(sessionId)?.values() ?? []) {
      reject(new Error('the thread has ended'))
    }
    this.#waiting.delete(sessionId)
  }

  #send(sessionId: string, method: string, params: object = {}): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const id = (this.#lastId += 1)
    this.#waiting.get(sessionId)?.set(id, { resolve, reject })
    const message = JSON.stringify({ id, method, params })
    this.#session.post('NodeWorker.sendMessageToWorker', { sessionId, message }).catch(reject)
    return promise
  }

  #receive({ sessionId, message }: WorkerMessage): void {
    const { id, result, error } = JSON.parse(message) as Answer & { readonly id?: number }
    if (id === undefined) return
    const waiting = this.#waiting.get(sessionId)
    if (error === undefined) waiting?.get(id)?.resolve(result)
    else waiting?.get(id)?.reject(new Error(error.message))
    waiting?.delete(id)
  }
}

function callsOf(coverages: readonly Coverage[]): Calls {
  const calls = new Map<string, CalledFunction>()
  for (const { url, functions } of coverages.flatMap(({ result }) => result)) {
    const file = ownFile(url)
    if (file === undefined) continue
    for (const { ranges } of functions) {
      const [range] = ranges
      if (range === undefined || range.count === 0) continue
      const { startOffset: start, endOffset: end } = range
      calls.set(`${file}:${start}`, { file, start, end })
    }
  }
  return calls
}

function ownFile(url: string): string | undefined {
  if (!url.startsWith('file:')) return undefined
  const file = path.relative(root, fileURLToPath(url))
  return /^(?:log|actors|src|config)\//.test(file) ? file : undefined
}
