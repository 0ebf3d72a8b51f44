import test from 'ava'

import { offerService, remoteService, type Service } from '#actors/kernel/service.ts'
import { LogError } from '#log/tlog/errors.ts'
import { connect } from '#test/actors/kernel/_connected.ts'
import { until } from '#test/_until.ts'

type Calls = {
  add(one: number, other: number): Promise<number>
  wait(signal: AbortSignal | undefined): Promise<void>
  note(text: string): void
}

const service: Service<Calls> = {
  name: 'sums',
  calls: { add: 60_000, wait: { ms: 60_000, abortable: true }, note: 'tell' },
  errors: { LogError },
}

const nothing: Calls = {
  add: async () => 0,
  wait: async () => undefined,
  note: () => undefined,
}

test('what is asked is answered, and what is told arrives in order', async (t) => {
  const { toJoined, toOwner } = connect(t)
  const noted: string[] = []
  const note = (text: string) => void noted.push(text)
  offerService(toJoined, service, { ...nothing, note, add: async (one, other) => one + other })
  const sums = remoteService(toOwner, service)
  sums.note('a')
  sums.note('b')
  t.is(await sums.add(1, 2), 3)
  t.deepEqual(noted, ['a', 'b'])
})

test('an error of the service is itself on the other side, any other is a fault', async (t) => {
  const { toJoined, toOwner } = connect(t)
  const errors = [new LogError('store_full', 'no room'), new TypeError('a bug')]
  offerService(toJoined, service, {
    ...nothing,
    add: async (index) => {
      throw errors[index] ?? new Error('no such error')
    },
  })
  const sums = remoteService(toOwner, service)
  await t.throwsAsync(sums.add(0, 0), { instanceOf: LogError, code: 'store_full' })
  const fault = await t.throwsAsync(sums.add(1, 0), { code: 'fault', name: 'ActorError' })
  t.like(fault?.cause, { name: 'TypeError', message: 'a bug' })
})

test('what is aborted on one side is aborted on the other', async (t) => {
  const { toJoined, toOwner } = connect(t)
  const signals: AbortSignal[] = []
  const wait: Calls['wait'] = async (signal) => {
    if (signal === undefined) return
    signals.push(signal)
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }
  offerService(toJoined, service, { ...nothing, wait })
  const { wait: waitThere } = remoteService(toOwner, service)
  await waitThere(AbortSignal.abort())
  const controller = new AbortController()
  const waiting = waitThere(controller.signal)
  await until('it waits', () => signals.length === 2, { pauseMs: 1 })
  controller.abort()
  await waiting
  t.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, true],
  )
})

test('a function that the other side does not have is refused', async (t) => {
  const { toJoined, toOwner } = connect(t)
  offerService(toJoined, { name: 'sums', calls: {} }, {})
  await t.throwsAsync(remoteService(toOwner, service).add(1, 2), { code: 'stopped' })
})
