import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import test, { type ExecutionContext } from 'ava'

import { AskedWorker, type AskedWorkerOptions, WorkerError } from '#actors/kernel/asked_worker.ts'
import type { WorkerEnd } from '#actors/kernel/kept_worker.ts'
import type { TestOrder } from '#test/actors/kernel/_answering_worker.ts'

const file = new URL('./_answering_worker.ts', import.meta.url)

function asked(t: ExecutionContext, changes: Partial<AskedWorkerOptions> = {}) {
  const workers: Worker[] = []
  const ends: WorkerEnd[] = []
  let resume: (() => void) | undefined
  const worker = new AskedWorker<TestOrder, number | Uint8Array, string>({
    start() {
      const started = new Worker(file)
      workers.push(started)
      return started
    },
    waitingMax: 100,
    ended: (end) => ends.push(end),
    clock: {
      elapsedMs: () => 0,
      later(_ms, call) {
        resume = call
        return () => (resume = undefined)
      },
    },
    ...changes,
  })
  t.teardown(() => worker.stop())
  return { worker, workers, ends, resume: () => resume?.() }
}

async function fails(t: ExecutionContext, asking: Promise<unknown>, code: string) {
  return t.throwsAsync(asking, { instanceOf: WorkerError, code })
}

const double = (number: number): TestOrder => ({ type: 'double', number })

test('each order has its own answer, of one thread that starts with the first', async (t) => {
  const { worker, workers } = asked(t)
  t.is(worker.running, undefined)
  const told: string[] = []
  const heard = (news: string) => told.push(news)
  const answers = [1, 2, 3].map((number) => worker.ask(double(number), { heard }))
  t.deepEqual(await Promise.all(answers), [2, 4, 6])
  t.deepEqual(
    told,
    [1, 2, 3].map((number) => `doubling ${number}, after 0 that were aborted`),
  )
  const bytes = Uint8Array.of(1, 2, 3)
  const order: TestOrder = { type: 'reverse', bytes }
  t.deepEqual(await worker.ask(order, { transfer: [bytes.buffer] }), Uint8Array.of(3, 2, 1))
  t.is(bytes.length, 0, 'the bytes went over')
  t.is(workers.length, 1)
})

test('what the code of the thread throws is thrown, and the thread goes on', async (t) => {
  const { worker, workers } = asked(t)
  const error = { instanceOf: RangeError, message: 'this cannot be done' }
  await t.throwsAsync(worker.ask({ type: 'throw' }), error)
  t.is(await worker.ask(double(4)), 8)
  t.is(workers.length, 1)
})

test('what cannot go over is refused, and nothing else', async (t) => {
  const { worker } = asked(t)
  const order = { type: 'double', number: () => 1 } as unknown as TestOrder
  await t.throwsAsync(worker.ask(order), { name: 'DataCloneError' })
  t.is(await worker.ask(double(4)), 8)
})

test('too many orders are refused', async (t) => {
  const { worker } = asked(t, { waitingMax: 2 })
  const answers = [worker.ask(double(1)), worker.ask(double(2))]
  await fails(t, worker.ask(double(3)), 'busy')
  t.deepEqual(await Promise.all(answers), [2, 4])
  t.is(await worker.ask(double(3)), 6)
})

test('an order whose caller leaves is aborted in the thread, too', async (t) => {
  const { worker } = asked(t)
  const leaving = new AbortController()
  const heard = () => leaving.abort()
  await fails(t, worker.ask({ type: 'wait' }, { signal: leaving.signal, heard }), 'aborted')
  await fails(t, worker.ask(double(1), { signal: leaving.signal }), 'aborted')
  const told: string[] = []
  t.is(await worker.ask(double(1), { heard: (news) => told.push(news) }), 2)
  t.deepEqual(told, ['doubling 1, after 1 that were aborted'])
})

test('a thread that ends fails what it was sent, and the next order has a new one', async (t) => {
  const { worker, workers, ends } = asked(t)
  const orders: TestOrder[] = [{ type: 'wait' }, { type: 'exit' }, double(1)]
  const failing = orders.map((order) => fails(t, worker.ask(order), 'ended'))
  for (const error of await Promise.all(failing)) t.is(error?.cause, undefined)
  t.like(ends, [{ exitCode: 7, restartMs: undefined }])
  const died = await fails(t, worker.ask({ type: 'fault' }), 'died')
  t.like(died, { cause: { message: 'a fault' } })
  t.is(await worker.ask(double(1)), 2)
  t.is(workers.length, 3)
})

test('with back-off what was not sent before the end is kept for the next thread', async (t) => {
  const backOff = { minMs: 5, maxMs: 5, settledMs: 0 }
  const { worker, workers, ends, resume } = asked(t, { backOff })
  const exiting = fails(t, worker.ask({ type: 'exit' }), 'ended')
  await new Promise(setImmediate)
  // The end of the thread is heard here first, so that this is asked for just before it.
  const kept = new Promise<number | Uint8Array>((resolve) => {
    workers[0]?.prependOnceListener('exit', () => resolve(worker.ask(double(1))))
  })
  await exiting
  t.like(ends, [{ restartMs: 5 }])
  await new Promise(setImmediate)
  t.is(workers.length, 1, 'the pause is not over')
  resume()
  t.is(await kept, 2)
  t.is(workers.length, 2)
})

test('a thread that is ended fails what it was asked for, with the reason', async (t) => {
  const { worker, workers, ends } = asked(t)
  const hanging = fails(t, worker.ask({ type: 'hang' }), 'too_slow')
  await new Promise(setImmediate)
  await worker.end('too_slow')
  await hanging
  t.is(worker.running, undefined)
  t.is(await worker.ask(double(1)), 2)
  t.is(workers.length, 2)
  t.deepEqual(ends, [], 'whoever ends it knows')
})

test('a worker that is stopped fails what it was asked for, and takes no more', async (t) => {
  const { worker } = asked(t)
  const asking = [worker.ask({ type: 'wait' }), worker.ask(double(1))]
  const failing = asking.map((one) => fails(t, one, 'stopped'))
  await worker.stop()
  await Promise.all(failing)
  await fails(t, worker.ask(double(1)), 'stopped')
  t.is(worker.running, undefined)
})

test('a process that stops a thread stays until that has ended', async (t) => {
  const script = new URL('./_stopping_process.ts', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [script])
  t.is(stdout, 'stopped')
})
