import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import * as nact from 'nact'
import {
  type ActorErrorCode,
  ActorError,
  ask,
  close,
  createSystem,
  type Ref,
  type Reply,
  type SpawnOptions,
  type System,
  spawn,
  stopSystem,
  tell,
} from '#actors/kernel.ts'
import { Counter, type CounterMessage, reportLine } from '#test/actors/_counter.ts'

const root = path.join(import.meta.dirname, '../..')
// Longer than AVA lets a test run: an answer that waits for it fails the test.
const neverMs = 600_000

type Fixture = {
  readonly system: System
  readonly counter: Ref<CounterMessage>
  readonly reports: string[]
  readonly trace: string[]
}

/** A system with one counter; `options` change how the counter is spawned. */
function startCounter(t: ExecutionContext, options: Partial<SpawnOptions> = {}): Fixture {
  const reports: string[] = []
  const trace: string[] = []
  const system = createSystem('test', { report: (report) => reports.push(reportLine(report)) })
  t.teardown(() => stopSystem(system))
  const defaults = { name: 'counter', mailboxMax: 100 }
  const counter = spawn(system, () => new Counter(trace), { ...defaults, ...options })
  return { system, counter, reports, trace }
}

function add(counter: Ref<CounterMessage>, amount: number): Promise<number> {
  return ask(counter, { type: 'add', amount }, neverMs)
}

function fail(counter: Ref<CounterMessage>, error: unknown): Promise<never> {
  return ask(counter, { type: 'fail', error }, neverMs)
}

async function throwsActorError(
  t: ExecutionContext,
  promise: Promise<unknown>,
  code: ActorErrorCode,
  message: string,
): Promise<void> {
  await t.throwsAsync(promise, { instanceOf: ActorError, code, message })
}

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

test('defect 3: every fault is reported, and the directive of its actor is followed', async (t) => {
  const { counter, reports } = startCounter(t, { onFault: () => 'resume' })
  t.is(await add(counter, 7), 7)
  await t.throwsAsync(fail(counter, new Error('broken')))
  t.is(await add(counter, 1), 8)
  t.deepEqual(reports, ['fault counter fail resume'])
})

test('defect 4: close lets the running and the queued messages end before it stops', async (t) => {
  const { system, counter, trace } = startCounter(t, { onStop: () => trace.push('stopped') })
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
  t.deepEqual(trace, ['begin wait', 'end wait', 'queued', 'stopped'])
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

test('defect 7: an idle time no timer can hold is refused, the longest one does not fire', async (t) => {
  const { system } = startCounter(t)
  const longestMs = 2 ** 31 - 1
  const options = { name: 'sleeper', mailboxMax: 1 }
  for (const idleAfterMs of [longestMs + 1, 30 * 24 * 3_600_000, 0, Number.NaN]) {
    t.throws(() => spawn(system, () => new Counter(), { ...options, idleAfterMs }), {
      message: 'assertion failed: idleAfterMs is 1 ms to 24 days',
    })
  }
  const sleeper = spawn(system, () => new Counter(), { ...options, idleAfterMs: longestMs })
  const turn = Promise.withResolvers<void>()
  setTimeout(turn.resolve, 5)
  await turn.promise
  t.is(await add(sleeper, 1), 1)
})

test('defect 8: a message to a stopped actor is refused, its asker told, its loss reported', async (t) => {
  const { counter, reports } = startCounter(t)
  await close(counter)
  t.false(tell(counter, { type: 'note', text: 'late' }))
  await throwsActorError(t, add(counter, 1), 'stopped', 'counter has stopped')
  t.deepEqual(reports, ['dead_letter counter note stopped'])
})

test('defect 9: a full mailbox refuses, and tells or reports each message it refused', async (t) => {
  const { counter, reports } = startCounter(t, { mailboxMax: 2 })
  const accepted = [add(counter, 1), add(counter, 1)]
  t.false(tell(counter, { type: 'note', text: 'too many' }))
  const text = 'counter takes no more than 2 messages'
  await throwsActorError(t, add(counter, 1), 'overloaded', text)
  t.deepEqual(await Promise.all(accepted), [1, 2])
  t.deepEqual(reports, ['dead_letter counter note overloaded'])
  t.is(await add(counter, 1), 3)
})

test('defect 9: more than ten restarts in a minute stop an actor and report it', async (t) => {
  const reports: string[] = []
  let nowMs = 0
  const report = (line: Parameters<typeof reportLine>[0]) => reports.push(reportLine(line))
  const system = createSystem('test', { report, nowMs: () => nowMs })
  const counter = spawn(system, () => new Counter(), { name: 'counter', mailboxMax: 100 })
  const failTimes = async (times: number) => {
    for (let n = 0; n < times; n += 1) await t.throwsAsync(fail(counter, new Error('broken')))
  }
  await failTimes(10)
  nowMs = 60_000
  await failTimes(10)
  t.is(await add(counter, 1), 1)
  nowMs = 119_999
  await failTimes(1)
  t.deepEqual(reports.slice(20), ['unhealthy counter', 'fault counter fail stop'])
  await throwsActorError(t, add(counter, 1), 'stopped', 'counter has stopped')
})

test('defect 10: a supervisor that throws stops its actor and nothing else', async (t) => {
  const onFault = () => {
    throw new Error('the supervisor broke')
  }
  const { system, counter, reports } = startCounter(t, { onFault })
  await throwsActorError(t, fail(counter, new Error('broken')), 'fault', 'counter failed on "fail"')
  t.deepEqual(reports, ['fault counter onFault stop', 'fault counter fail stop'])
  const other = spawn(system, () => new Counter(), { name: 'other', mailboxMax: 1 })
  t.is(await add(other, 1), 1)
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

test('defect 11: onStop runs once, however an actor is stopped', async (t) => {
  let stops = 0
  const { system, counter } = startCounter(t, { onStop: () => (stops += 1), idleAfterMs: 1 })
  const refused = throwsActorError(t, add(counter, 1), 'stopped', 'counter has stopped')
  await Promise.all([close(counter), close(counter), stopSystem(system), refused])
  await close(counter)
  t.is(stops, 1)
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

test('defect 13: the compiler refuses wrong messages, wrong answers and forged references', async (t) => {
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

function noAnswer(type: string): string {
  return `counter gave no answer to "${type}" in 1 ms`
}

test('defect 14: the kernel uses only the four names of nact that a module can import', async (t) => {
  const source = await readFile(path.join(root, 'actors/kernel.ts'), 'utf8')
  const names = new Set(source.match(/\bnact\.[a-z]\w*/g))
  t.deepEqual([...names].sort(), ['nact.dispatch', 'nact.spawn', 'nact.start', 'nact.stop'])
  for (const name of ['dispatch', 'spawn', 'start', 'stop'] as const) {
    t.is(typeof nact[name], 'function')
  }
})

test('defect 15: an idle timer does not hold the process open', async (t) => {
  const program = `
    import { ask, createSystem, spawn } from '#actors/kernel.ts'
    const system = createSystem('test', { report: console.error })
    const create = () => ({ receive: ({ reply }) => reply.resolve('answered') })
    const options = { name: 'idle', mailboxMax: 1, idleAfterMs: ${neverMs} }
    const idle = spawn(system, create, options)
    console.log(await ask(idle, { type: 'question' }, ${neverMs}))`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { cwd: root, timeout: 60_000 },
  )
  t.is(stdout, 'answered\n')
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

test('the error of an actor further down reaches the asker as it is, and counts for nobody', async (t) => {
  const { counter, reports } = startCounter(t)
  for (let n = 0; n < 20; n += 1) {
    const below = new ActorError('overloaded', 'too many writes are waiting')
    t.is(await t.throwsAsync(fail(counter, below)), below)
  }
  t.deepEqual([...new Set(reports)], ['fault counter fail restart'])
})

test('an actor that stops for a fault refuses what is queued', async (t) => {
  const { counter, reports, trace } = startCounter(t, { onFault: () => 'stop' })
  const broken = fail(counter, new Error('broken'))
  const failed = throwsActorError(t, broken, 'fault', 'counter failed on "fail"')
  const queued = throwsActorError(t, add(counter, 1), 'stopped', 'counter has stopped')
  tell(counter, { type: 'note', text: 'queued' })
  await Promise.all([failed, queued])
  t.deepEqual(trace, [])
  t.deepEqual(reports, ['fault counter fail stop', 'dead_letter counter note stopped'])
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
  gate.resolve()
  t.is(await running, 'waited')
  await Promise.all([queued, stopped])
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
  t.deepEqual(reports, ['fault late add restart'])
})

test('an onStop that throws is reported, and the actor is gone', async (t) => {
  const onStop = () => {
    throw new Error('broken')
  }
  const { counter, reports } = startCounter(t, { onStop })
  await close(counter)
  t.deepEqual(reports, ['fault counter onStop stop'])
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
  const names = ['work/12345/x~y', 'work/12345/x$7Ey', 'work/12345/x%7Ey', 'œuvre', 'a b', '\n']
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
