import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import test, { type ExecutionContext } from 'ava'

import { KeptWorker, type KeptWorkerOptions, type WorkerEnd } from '#actors/kernel/kept_worker.ts'

/** A thread that says that it is ready, and then does what it is told to. */
const ready = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', (order) => {
    if (order === 'die') throw new Error('told to')
    if (order === 'close') parentPort.close()
  })
  parentPort.postMessage('ready')`

/** One that ends by itself when it is told to close, and not before `go`. */
const slow = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', (order) => {
    parentPort.postMessage(order)
    if (order === 'go') parentPort.close()
  })
  parentPort.postMessage('ready')`

const broken = `throw new Error('broken')`
const endless = `setInterval(() => {}, 1_000)`

const backOff = { minMs: 100, maxMs: 500, settledMs: 1_000 }

/** A worker whose time goes on only when the test lets it, and what it has said. */
function kept(t: ExecutionContext, codes: string[], changes: Partial<KeptWorkerOptions> = {}) {
  let nowMs = 0
  let due: { readonly ms: number; readonly call: () => void } | undefined
  const ends: WorkerEnd[] = []
  const heard: unknown[] = []
  const workers: Worker[] = []
  let noteEnd = (): void => {}
  const worker = new KeptWorker({
    start() {
      const code = codes.length > 1 ? codes.shift() : codes[0]
      if (code === undefined) throw new Error('there is no thread to be had')
      const started = new Worker(code, { eval: true })
      workers.push(started)
      return started
    },
    backOff,
    resume: () => void worker.wake(),
    received: (message) => heard.push(message),
    ended(end) {
      ends.push(end)
      noteEnd()
    },
    clock: {
      elapsedMs: () => nowMs,
      later(ms, call) {
        due = { ms, call }
        return () => (due = undefined)
      },
    },
    ...changes,
  })
  t.teardown(() => worker.stop())
  return {
    worker,
    workers,
    ends,
    heard,
    pass: (ms: number) => (nowMs += ms),
    due: () => due?.ms,
    /** Lets the pause be over. */
    resume() {
      const { call } = due ?? {}
      due = undefined
      call?.()
    },
    nextEnd: () => new Promise<void>((resolve) => (noteEnd = resolve)),
  }
}

test('a thread that dies comes back, after longer pauses until one has settled', async (t) => {
  const { worker, workers, ends, due, pass, resume, nextEnd } = kept(t, [ready])
  t.is(await worker.start(), undefined)
  t.true(worker.isReady)
  const pauses: unknown[] = []
  for (const livedMs of [0, 999, 0, 0, 1_000, 0]) {
    pass(livedMs)
    const ended = nextEnd()
    worker.running?.postMessage('die')
    await ended
    t.false(worker.isReady)
    t.is(worker.wake(), undefined, 'nothing runs in a pause')
    pauses.push(due())
    resume()
    await once(worker.running as Worker, 'message')
  }
  t.deepEqual(pauses, [100, 200, 400, 500, 100, 200])
  t.is(workers.length, 7)
  t.deepEqual(
    ends.map(({ restartMs }) => restartMs),
    pauses,
  )
  t.like(ends[0], { cause: { message: 'told to' }, exitCode: 1, wasReady: true })
})

test('a first thread that cannot start is told of, and none takes its place', async (t) => {
  const { worker, ends, due } = kept(t, [broken])
  const end = await worker.start()
  t.like(end, { cause: { message: 'broken' }, exitCode: 1, wasReady: false })
  t.is(end?.restartMs, undefined)
  t.deepEqual(ends, [end])
  t.is(due(), undefined)
})

test('later ones that cannot start are tried again', async (t) => {
  const { worker, ends, due, resume, nextEnd } = kept(t, [ready, broken])
  await worker.start()
  const ended = nextEnd()
  await worker.running?.terminate()
  await ended
  for (const pauseMs of [100, 200, 400]) {
    t.is(due(), pauseMs)
    const next = nextEnd()
    resume()
    await next
    t.false(ends.at(-1)?.wasReady)
  }
})

test('a thread that cannot even be made has ended', (t) => {
  const { worker, ends, due } = kept(t, [])
  t.is(worker.wake(), undefined)
  t.like(ends, [{ exitCode: undefined, wasReady: false, restartMs: 100 }])
  t.is(due(), 100)
})

test('without back-off the next call starts another thread', async (t) => {
  const { worker, workers, ends, due, nextEnd } = kept(t, [ready], { backOff: undefined })
  const ended = nextEnd()
  await worker.wake()?.terminate()
  await ended
  t.is(ends[0]?.restartMs, undefined)
  t.is(due(), undefined)
  t.is(worker.wake(), workers[1])
})

test('a thread can be stopped while it starts', async (t) => {
  const { worker, due } = kept(t, [endless])
  const started = worker.start()
  await worker.stop(600_000)
  t.like(await started, { wasReady: false, restartMs: undefined })
  t.is(due(), undefined)
  t.is(worker.wake(), undefined)
})

test('a thread can be stopped in a pause, and does not come back', async (t) => {
  const { worker, workers, due, nextEnd } = kept(t, [ready])
  await worker.start()
  const ended = nextEnd()
  await worker.running?.terminate()
  await ended
  t.is(due(), 100)
  await worker.stop()
  t.is(due(), undefined)
  t.is(workers.length, 1)
})

test('a thread that is stopped may come to its own end', async (t) => {
  const { worker, ends, heard } = kept(t, [slow])
  await worker.start()
  const thread = worker.running
  const stopped = worker.stop(600_000)
  await once(thread as Worker, 'message')
  t.is(ends.length, 0)
  thread?.postMessage('go')
  await stopped
  t.deepEqual(heard, ['ready', 'close', 'go'])
  t.like(ends, [{ exitCode: 0, wasReady: true, restartMs: undefined }])
})

test('a thread that does not come to its end in time is ended', async (t) => {
  const { worker, ends } = kept(t, [slow])
  await worker.start()
  await worker.stop(1)
  t.like(ends, [{ exitCode: 1, restartMs: undefined }])
})
