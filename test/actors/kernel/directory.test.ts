import test, { type ExecutionContext } from 'ava'
import { Directory, type DirectoryOptions } from '#actors/kernel/directory.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { ask, createSystem, type Reply, stopSystem, tell } from '#actors/kernel/kernel.ts'
import { until } from '#test/_until.ts'
import { Counter, type CounterMessage, neverMs, reportLine } from '#test/actors/kernel/_counter.ts'

type Fixture = { readonly counters: Directory<CounterMessage>; readonly reports: string[] }

function startDirectory(t: ExecutionContext, options: Partial<DirectoryOptions> = {}): Fixture {
  const reports: string[] = []
  const system = createSystem('test', { report: (report) => reports.push(reportLine(report)) })
  t.teardown(() => stopSystem(system))
  const defaults = { name: 'counter', mailboxMax: 100, liveActorsMax: 100 }
  const counters = new Directory(system, () => new Counter(), { ...defaults, ...options })
  return { counters, reports }
}

test('a key names one actor, spawned when it is first used', async (t) => {
  const { counters } = startDirectory(t)
  t.is(counters.size, 0)
  const ref = counters.at('a/b')
  t.is(ref.name, 'counter/a/b')
  t.is(counters.at('a/b'), ref)
  t.not(counters.at('a'), ref)
  t.is(counters.size, 2)
  t.is(await ask(ref, { type: 'add', amount: 1 }, neverMs), 1)
  t.is(await ask(counters.at('a/b'), { type: 'add', amount: 1 }, neverMs), 2)
})

test('above liveActorsMax a new key is refused and a living one is not', async (t) => {
  const { counters } = startDirectory(t, { liveActorsMax: 2 })
  counters.at('a')
  counters.at('b')
  t.throws(() => counters.at('c'), {
    instanceOf: ActorError,
    code: 'overloaded',
    message: 'counter has 2 living actors',
  })
  t.is(await ask(counters.at('a'), { type: 'add', amount: 1 }, neverMs), 1)
})

test('an idle actor leaves, and its key is a new actor at the next use', async (t) => {
  const { counters, reports } = startDirectory(t, { idleAfterMs: 1 })
  const ref = counters.at('a')
  t.is(await ask(ref, { type: 'add', amount: 7 }, neverMs), 7)
  await passivated(counters)
  t.false(tell(ref, { type: 'note', text: 'to the former life' }))
  t.is(await ask(counters.at('a'), { type: 'add', amount: 1 }, neverMs), 1)
  t.deepEqual(reports, ['dead_letter counter/a note stopped'])
})

test('an actor without idle time leaves with its last message, not before', async (t) => {
  const { counters } = startDirectory(t, { idleAfterMs: 0 })
  const answers = [1, 2, 3].map((amount) => ask(counters.at('a'), { type: 'add', amount }, neverMs))
  t.deepEqual(await Promise.all(answers), [1, 3, 6])
  t.is(counters.size, 0)
  t.is(await ask(counters.at('a'), { type: 'add', amount: 1 }, neverMs), 1)
})

/** Resolves in the turn in which the last actor of a directory has left. */
function passivated(directory: Directory<CounterMessage>): Promise<void> {
  return until('the last actor has left', () => directory.size === 0, { pauseMs: 1 })
}

test('an actor that stops for a fault leaves in the same tick', async (t) => {
  const { counters } = startDirectory(t, { onFault: () => 'stop' })
  const failed = ask(counters.at('a'), { type: 'fail', error: new Error('broken') }, neverMs)
  // The handlers of a promise run before any other message can be sent.
  const [, added] = await Promise.all([
    t.throwsAsync(failed, { code: 'fault', message: 'counter/a failed on "fail"' }),
    failed.catch(() => ask(counters.at('a'), { type: 'add', amount: 1 }, neverMs)),
  ])
  t.is(added, 1)
})

test('close lets every actor end what it accepted, and refuses every key', async (t) => {
  const { counters } = startDirectory(t)
  const keys = Array.from({ length: 20 }, (_, n) => `key${n}`)
  const asks = keys.map((key) => ask(counters.at(key), { type: 'add', amount: 1 }, neverMs))
  await counters.close()
  t.is(counters.size, 0)
  t.deepEqual(new Set(await Promise.all(asks)), new Set([1]))
  for (const key of ['key0', 'new']) {
    t.throws(() => counters.at(key), {
      instanceOf: ActorError,
      code: 'stopped',
      message: 'counter has stopped',
    })
  }
})

type Append = { readonly type: 'append'; readonly text: string; readonly reply: Reply<number> }

test('defect 5: 300 writes that race a 2 ms idle time are none lost, none doubled', async (t) => {
  const stored: string[] = []
  let lives = 0
  // A writer numbers its writes from what it read when it was born: two at a time would show.
  const create = () => {
    lives += 1
    let seq = stored.length
    return {
      receive: async ({ text, reply }: Append) => {
        await new Promise((resolve) => setImmediate(resolve))
        t.is(stored.length, seq)
        seq = stored.push(text)
        reply.resolve(seq)
      },
    }
  }
  const system = createSystem('test', { report: (report) => t.fail(reportLine(report)) })
  t.teardown(() => stopSystem(system))
  const options = { name: 'stream', mailboxMax: 10, liveActorsMax: 1, idleAfterMs: 2 }
  const streams = new Directory(system, create, options)
  const writes = Array.from({ length: 300 }, (_, n) => `write ${n}`)
  for (const [n, text] of writes.entries()) {
    t.is(await ask(streams.at('one'), { type: 'append', text }, neverMs), n + 1)
    // The pauses straddle the idle time: some writes meet the actor alive, some on its last tick.
    await new Promise((resolve) => setTimeout(resolve, 1 + (n % 3)))
  }
  t.deepEqual(stored, writes)
  t.true(lives > 1, 'the actor was idle between some writes')
})
