import { readFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'
import * as nact from 'nact'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { ask, close, type Ref, type Reply, spawn, stopSystem, tell } from '#actors/kernel/kernel.ts'
import {
  add,
  Counter,
  type CounterMessage,
  fail,
  neverMs,
  noAnswer,
  startCounter,
  throwsActorError,
} from '#test/actors/kernel/_counter.ts'

// Each test shows that the kernel closes one of nact's defects, by the numbers of
// `actors/README.md`. Defects 5, 7 and 15 are in `shards.test.ts`.

const root = path.join(import.meta.dirname, '../../..')
test('defect 1: of 200,000 asks in flight each gets its own answer', async (t) => {
  const { system } = startCounter(t)
  type Echo = { readonly type: 'echo'; readonly n: number; readonly reply: Reply<number> }
  const asksMax = 200_000
  const echo = spawn<Echo>(system, () => ({ receive: ({ n, reply }) => reply.resolve(n) }), {
    name: 'echo',
    mailboxMax: asksMax,
  })
  const asks = Array.from({ length: asksMax }, (_, n) => ask(echo, { type: 'echo', n }, neverMs))
  const answers = await Promise.all(asks)
  t.is(answers.filter((answer, n) => answer !== n).length, 0)
})

test('defect 2: a fault rejects its asker at once, with its cause', async (t) => {
  const { counter } = startCounter(t)
  const cause = new Error('broken')
  const error = await t.throwsAsync(fail(counter, cause), {
    instanceOf: ActorError,
    code: 'fault',
    message: 'counter failed on "fail"',
  })
  t.is(error.cause, cause)
})

test('defect 3: every fault is reported, and its actor begins anew', async (t) => {
  const { counter, reports } = startCounter(t)
  t.is(await add(counter, 7), 7)
  await t.throwsAsync(fail(counter, new Error('broken')))
  t.is(await add(counter, 1), 1)
  t.deepEqual(reports, ['fault counter fail'])
})

test('defect 4: close lets the running and the queued messages end before it stops', async (t) => {
  const { system, counter, trace } = startCounter(t)
  const gate = Promise.withResolvers<void>()
  const waited = ask(counter, { type: 'wait', until: () => gate.promise }, neverMs)
  tell(counter, { type: 'note', text: 'queued' })
  const closed = close(counter)
  t.throws(() => spawn(system, () => new Counter(), { name: 'counter', mailboxMax: 1 }), {
    message: 'child actor of name counter already exists',
  })
  gate.resolve()
  t.is(await waited, 'waited')
  await closed
  t.deepEqual(trace, ['begin wait', 'end wait', 'queued'])
  t.notThrows(() => spawn(system, () => new Counter(), { name: 'counter', mailboxMax: 1 }))
})

test('defect 6: a write that fails leaves no gap in the sequence', async (t) => {
  const { system } = startCounter(t)
  const stored: number[] = []
  type Append = { readonly type: 'append'; readonly works: boolean; readonly reply: Reply<number> }
  const create = () => {
    let seq = stored.length
    return {
      receive: async ({ works, reply }: Append) => {
        seq += 1
        if (!works) throw new Error('disk failure')
        stored.push(seq)
        reply.resolve(seq)
      },
    }
  }
  const stream = spawn(system, create, { name: 'stream', mailboxMax: 10 })
  t.is(await ask(stream, { type: 'append', works: true }, neverMs), 1)
  await t.throwsAsync(ask(stream, { type: 'append', works: false }, neverMs))
  t.is(await ask(stream, { type: 'append', works: true }, neverMs), 2)
  t.deepEqual(stored, [1, 2])
})

test('defect 8: a message to a stopped actor is refused, and told or reported', async (t) => {
  const { system, counter, reports } = startCounter(t)
  await close(counter)
  t.is(system.cells.size, 0)
  t.false(tell(counter, { type: 'note', text: 'late' }))
  await throwsActorError(t, add(counter, 1), 'stopped', 'counter has stopped')
  t.deepEqual(reports, ['dead_letter counter note stopped'])
})

test('defect 9: a full mailbox refuses, and each refusal is told or reported', async (t) => {
  const { counter, reports } = startCounter(t, { mailboxMax: 2 })
  const accepted = [add(counter, 1), add(counter, 1)]
  t.false(tell(counter, { type: 'note', text: 'too many' }))
  const text = 'counter takes no more than 2 messages'
  await throwsActorError(t, add(counter, 1), 'overloaded', text)
  t.deepEqual(await Promise.all(accepted), [1, 2])
  t.deepEqual(reports, ['dead_letter counter note overloaded'])
  t.is(await add(counter, 1), 3)
})

test('no number of faults stops an actor: each is its own message’s', async (t) => {
  const { counter, reports } = startCounter(t)
  for (let faults = 1; faults <= 1_000; faults += 1) {
    await throwsActorError(
      t,
      fail(counter, new Error('broken')),
      'fault',
      'counter failed on "fail"',
    )
    if (faults % 100 === 0) t.is(await add(counter, 1), 1)
  }
  t.deepEqual(new Set(reports), new Set(['fault counter fail']))
  t.is(reports.length, 1_000)
})

test('defect 10: a system can be stopped twice, and spawns nothing afterwards', async (t) => {
  const { system, counter } = startCounter(t)
  await Promise.all([stopSystem(system), stopSystem(system)])
  await stopSystem(system)
  await throwsActorError(t, add(counter, 1), 'stopped', 'counter has stopped')
  t.throws(() => spawn(system, () => new Counter(), { name: 'late', mailboxMax: 1 }), {
    instanceOf: ActorError,
    code: 'stopped',
    message: 'test has stopped',
  })
})

test('defect 12: what a behaviour returns does not become its state', async (t) => {
  const { system } = startCounter(t)
  type Bump = { readonly type: 'bump'; readonly reply: Reply<number> }
  const seen: number[] = []
  let total = 0
  const create = () => ({
    receive: ({ reply }: Bump) => {
      total += 1
      reply.resolve(total)
      // What the type forbids, a cast or a plain JavaScript caller can still do.
      return seen.push(total) as unknown as undefined
    },
  })
  const bump = spawn(system, create, { name: 'bump', mailboxMax: 10 })
  t.is(await ask(bump, { type: 'bump' }, neverMs), 1)
  t.is(await ask(bump, { type: 'bump' }, neverMs), 2)
  t.deepEqual(seen, [1, 2])
})

test('defect 13: wrong messages, wrong answers and forged references do not compile', async (t) => {
  const { counter } = startCounter(t)
  // @ts-expect-error a note has no answer
  const unanswered = ask(counter, { type: 'note', text: '' }, 1)
  await throwsActorError(t, unanswered, 'timeout', noAnswer('note'))
  // @ts-expect-error an amount is a number
  t.is(await ask(counter, { type: 'add', amount: 'x' }, neverMs), '0x')
  // @ts-expect-error a question has all its fields
  t.is(await ask(counter, { type: 'add' }, neverMs), '0xundefined')
  // @ts-expect-error a question has no other fields
  await ask(counter, { type: 'add', amount: 1, text: 'x' }, neverMs)
  // @ts-expect-error the answer to add is a number
  const text: string = await ask(counter, { type: 'add', amount: 1 }, neverMs)
  t.truthy(text)
  // @ts-expect-error a counter does not understand halt
  t.true(tell(counter, { type: 'halt' }))
  // @ts-expect-error a note has no other fields
  t.true(tell(counter, { type: 'note', text: 'x', amount: 1 }))
  // @ts-expect-error a reference is made by spawn
  const forged: Ref<CounterMessage> = { name: 'counter' }
  t.throws(() => tell(forged, { type: 'note', text: '' }), { instanceOf: TypeError })
  const notes: Ref<{ readonly type: 'note'; readonly text: string }> = counter
  // @ts-expect-error who takes notes need not take every message of a counter
  const counters: Ref<CounterMessage> = notes
  t.is(counters, counter)
})

test('defect 14: the kernel uses four names of nact, and a module can import them', async (t) => {
  const source = await readFile(path.join(root, 'actors/kernel/kernel.ts'), 'utf8')
  const names = new Set(source.match(/\bnact\.[a-z]\w*/g))
  t.deepEqual([...names].sort(), ['nact.dispatch', 'nact.spawn', 'nact.start', 'nact.stop'])
  for (const name of ['dispatch', 'spawn', 'start', 'stop'] as const) {
    t.is(typeof nact[name], 'function')
  }
})

test('defect 16: a restart makes a new behaviour and handles no message again', async (t) => {
  const { counter, trace } = startCounter(t)
  tell(counter, { type: 'note', text: 'before' })
  t.is(await add(counter, 7), 7)
  const failed = t.throwsAsync(fail(counter, new Error('broken')))
  tell(counter, { type: 'note', text: 'after' })
  await failed
  t.is(await add(counter, 1), 1)
  t.deepEqual(trace, ['before', 'after'])
})
