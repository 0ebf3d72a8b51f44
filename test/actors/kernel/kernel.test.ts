import test from 'ava'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { ask, close, createSystem, spawn, stopSystem, tell } from '#actors/kernel/kernel.ts'
import {
  add,
  Counter,
  fail,
  neverMs,
  noAnswer,
  startCounter,
  throwsActorError,
} from '#test/actors/kernel/_counter.ts'

test('messages are handled in order and one at a time', async (t) => {
  const { counter, trace } = startCounter(t)
  const waits = ['first', 'second'].map((text) => {
    tell(counter, { type: 'note', text })
    return ask(counter, { type: 'wait', until: async () => {} }, neverMs)
  })
  await Promise.all(waits)
  t.deepEqual(trace, ['first', 'begin wait', 'end wait', 'second', 'begin wait', 'end wait'])
})

test('an ask without an answer rejects after its time', async (t) => {
  const { counter } = startCounter(t)
  const gate = Promise.withResolvers<void>()
  const waiting = ask(counter, { type: 'wait', until: () => gate.promise }, 1)
  await throwsActorError(t, waiting, 'timeout', noAnswer('wait'))
  gate.resolve()
  t.is(await add(counter, 1), 1)
})

test('an error from further down reaches the asker as it is, and counts for nobody', async (t) => {
  const { counter, reports } = startCounter(t)
  for (let n = 0; n < 20; n += 1) {
    const below = new ActorError('overloaded', 'too many writes are waiting')
    t.is(await t.throwsAsync(fail(counter, below)), below)
  }
  t.deepEqual([...new Set(reports)], ['fault counter fail'])
})

test('stopSystem lets the running message end and refuses the queued ones', async (t) => {
  const { system, counter, reports, trace } = startCounter(t)
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const until = () => {
    begun.resolve()
    return gate.promise
  }
  const running = ask(counter, { type: 'wait', until }, neverMs)
  const queued = throwsActorError(t, add(counter, 1), 'stopped', 'counter has stopped')
  tell(counter, { type: 'note', text: 'queued' })
  await begun.promise
  const stopped = stopSystem(system)
  const closed = close(counter)
  gate.resolve()
  t.is(await running, 'waited')
  await Promise.all([queued, stopped, closed])
  t.deepEqual(trace, ['begin wait', 'end wait'])
  t.deepEqual(reports, ['dead_letter counter note stopped'])
})

test('a behaviour that cannot be made is a fault of the message that needed it', async (t) => {
  const { system, reports } = startCounter(t)
  let broken = true
  const create = () => {
    if (broken) throw new Error('rows are unreadable')
    return new Counter()
  }
  const counter = spawn(system, create, { name: 'late', mailboxMax: 1 })
  await throwsActorError(t, add(counter, 1), 'fault', 'late failed on "add"')
  broken = false
  t.is(await add(counter, 1), 1)
  t.deepEqual(reports, ['fault late add'])
})

test('a reporter that throws becomes a warning and changes nothing else', async (t) => {
  const system = createSystem('test', {
    report: () => {
      throw new Error('the reporter broke')
    },
  })
  const counter = spawn(system, () => new Counter(), { name: 'counter', mailboxMax: 10 })
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
  await throwsActorError(t, fail(counter, new Error('x')), 'fault', 'counter failed on "fail"')
  t.is((await warned).message, 'the reporter broke')
  t.is(await add(counter, 1), 1)
})

test('any text but none is a name, and different names are different actors', async (t) => {
  const { system } = startCounter(t)
  const names = [
    'work/12345/x~y',
    'work/12345/x$7Ey',
    'work/12345/x%7Ey',
    'work/12345/x_y',
    'œuvre',
    'a b',
    '\n',
  ]
  for (const name of names) {
    const ref = spawn(system, () => new Counter(), { name, mailboxMax: 1 })
    t.is(ref.name, name)
    t.is(await add(ref, 1), 1)
  }
  t.throws(() => spawn(system, () => new Counter(), { name: '', mailboxMax: 1 }), {
    message: 'assertion failed: an actor has a name',
  })
})

test('two systems of one name do not touch each other', async (t) => {
  const first = startCounter(t)
  const second = startCounter(t)
  await stopSystem(first.system)
  t.is(await add(second.counter, 1), 1)
})
