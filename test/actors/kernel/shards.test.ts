import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { ask, createSystem, type Reply, stopSystem, tell } from '#actors/kernel/kernel.ts'
import { shardOf, type Shards, type ShardsOptions, spawnShards } from '#actors/kernel/shards.ts'
import { until } from '#test/_until.ts'
import {
  add,
  Counter,
  type CounterMessage,
  fail,
  neverMs,
  reportLine,
  throwsActorError,
} from '#test/actors/kernel/_counter.ts'

type Fixture = {
  readonly counters: Shards<CounterMessage>
  readonly reports: string[]
  /** The keys whose entity was made, in this order. */
  readonly made: string[]
  readonly trace: string[]
}

const defaults: ShardsOptions = {
  name: 'counter',
  shards: 4,
  mailboxMax: 100,
  entityMailboxMax: 100,
  entitiesMax: 400,
  idleMs: neverMs,
}

function startShards(t: ExecutionContext, options: Partial<ShardsOptions> = {}): Fixture {
  const reports: string[] = []
  const made: string[] = []
  const trace: string[] = []
  const system = createSystem('test', { report: (report) => reports.push(reportLine(report)) })
  t.teardown(() => stopSystem(system))
  const counters = spawnShards(system, { ...defaults, ...options }, (key) => {
    made.push(key)
    return new Counter(trace)
  })
  t.teardown(() => counters.close())
  return { counters, reports, made, trace }
}

test('a key names one entity, which starts with its first message', async (t) => {
  const { counters, made } = startShards(t)
  const ref = counters.at('a/b')
  t.is(ref.name, 'counter/a/b')
  t.is(counters.size, 0)
  t.is(await add(ref, 1), 1)
  t.is(await add(counters.at('a/b'), 1), 2)
  t.is(await add(counters.at('a'), 1), 1)
  t.is(counters.size, 2)
  t.deepEqual(made, ['a/b', 'a'])
})

test('the shard of a key is FNV-1a of it, as its authors have published the values', (t) => {
  const all = 2 ** 32
  t.is(shardOf('', all), 0x811c9dc5)
  t.is(shardOf('a', all), 0xe40c292c)
  t.is(shardOf('foobar', all), 0xbf9cf968)
})

test('keys spread over shards', (t) => {
  const counts = Array.from({ length: 64 }, () => 0)
  for (let n = 0; n < 64_000; n += 1) {
    const shard = shardOf(`12345/k2${n.toString(29)}`, 64)
    counts[shard] = (counts[shard] ?? 0) + 1
  }
  t.true(Math.min(...counts) > 800 && Math.max(...counts) < 1_200, counts.join())
})

test('an entity handles one message at a time, and others do not wait for it', async (t) => {
  const { counters, trace } = startShards(t, { shards: 1 })
  const gate = Promise.withResolvers<void>()
  const waits = ask(counters.at('slow'), { type: 'wait', until: () => gate.promise }, neverMs)
  tell(counters.at('slow'), { type: 'note', text: 'queued' })
  t.is(await add(counters.at('other'), 1), 1)
  t.deepEqual(trace, ['begin wait'])
  gate.resolve()
  t.is(await waits, 'waited')
  t.is(await add(counters.at('slow'), 1), 1)
  t.deepEqual(trace, ['begin wait', 'end wait', 'queued'])
})

test('a fault is that of its message: its entity begins anew, and nothing stops', async (t) => {
  const { counters, reports, made } = startShards(t, { shards: 1 })
  t.is(await add(counters.at('other'), 7), 7)
  for (let faults = 1; faults <= 1_000; faults += 1) {
    t.is(await add(counters.at('a'), 1), 1)
    const failed = fail(counters.at('a'), new Error('broken'))
    await throwsActorError(t, failed, 'fault', 'counter/a failed on "fail"')
  }
  t.is(await add(counters.at('other'), 1), 8)
  t.is(made.length, 1_001)
  t.deepEqual([...new Set(reports)], ['fault counter/a fail'])
  t.is(reports.length, 1_000)
})

test('what is too much further down is told to its asker, and is no fault', async (t) => {
  const { counters, reports } = startShards(t)
  t.is(await add(counters.at('a'), 7), 7)
  const below = new ActorError('overloaded', 'too many writes are waiting')
  await throwsActorError(t, fail(counters.at('a'), below), 'overloaded', below.message)
  t.is(await add(counters.at('a'), 1), 8)
  t.deepEqual(reports, [])
})

test('a promise that rejects is a fault too, and what is queued is handled after it', async (t) => {
  const { counters } = startShards(t)
  const broken = () => Promise.reject(new Error('broken'))
  const failed = ask(counters.at('a'), { type: 'wait', until: broken }, neverMs)
  const added = add(counters.at('a'), 1)
  await throwsActorError(t, failed, 'fault', 'counter/a failed on "wait"')
  t.is(await added, 1)
})

test('an entity that cannot be made is a fault of the message that needed it', async (t) => {
  const system = createSystem('test', { report: () => {} })
  t.teardown(() => stopSystem(system))
  let broken = true
  const entities = spawnShards(system, { ...defaults, name: 'late' }, () => {
    if (broken) throw new Error('rows are unreadable')
    return new Counter()
  })
  await throwsActorError(t, add(entities.at('a'), 1), 'fault', 'late/a failed on "add"')
  broken = false
  t.is(await add(entities.at('a'), 1), 1)
})

test('a full entity refuses what is sent to it, and others do not', async (t) => {
  const { counters, reports } = startShards(t, { shards: 1, entityMailboxMax: 2 })
  const gate = Promise.withResolvers<void>()
  const wait = () => ask(counters.at('a'), { type: 'wait', until: () => gate.promise }, neverMs)
  const waits = [wait(), wait()]
  t.is(await add(counters.at('other'), 1), 1)
  const text = 'counter/a takes no more than 2 messages'
  await throwsActorError(t, add(counters.at('a'), 1), 'overloaded', text)
  // What nobody waits for is reported.
  tell(counters.at('a'), { type: 'note', text: 'too many' })
  t.is(await add(counters.at('other'), 1), 2)
  t.deepEqual(reports, ['dead_letter counter/a note overloaded'])
  gate.resolve()
  t.deepEqual(await Promise.all(waits), ['waited', 'waited'])
  t.is(await add(counters.at('a'), 1), 1)
})

test('a full shard refuses what is sent to its entities, by the type that was sent', async (t) => {
  const { counters, reports } = startShards(t, { shards: 1, mailboxMax: 2 })
  const added = [add(counters.at('a'), 1), add(counters.at('b'), 1)]
  t.false(tell(counters.at('c'), { type: 'note', text: 'too many' }))
  const text = 'counter shard 0 takes no more than 2 messages'
  await throwsActorError(t, add(counters.at('c'), 1), 'overloaded', text)
  t.deepEqual(await Promise.all(added), [1, 1])
  t.deepEqual(reports, ['dead_letter counter shard 0 note overloaded'])
})

test('above entitiesMax the one that was used longest ago makes room', async (t) => {
  const { counters, made } = startShards(t, { shards: 1, entitiesMax: 2 })
  await add(counters.at('a'), 1)
  await add(counters.at('b'), 1)
  t.is(await add(counters.at('a'), 1), 2)
  await add(counters.at('c'), 1)
  t.is(counters.size, 2)
  t.is(await add(counters.at('a'), 1), 3)
  t.is(await add(counters.at('b'), 1), 1)
  t.deepEqual(made, ['a', 'b', 'c', 'b'])
})

test('one that is busy makes no room: a new key is refused when all are', async (t) => {
  const { counters } = startShards(t, { shards: 1, entitiesMax: 2 })
  const gate = Promise.withResolvers<void>()
  const wait = (key: string) =>
    ask(counters.at(key), { type: 'wait', until: () => gate.promise }, neverMs)
  const waits = [wait('a'), wait('b')]
  const text = 'counter: all 2 entities of a shard are busy'
  await throwsActorError(t, add(counters.at('c'), 1), 'overloaded', text)
  gate.resolve()
  await Promise.all(waits)
  t.is(await add(counters.at('c'), 1), 1)
})

test('an entity that holds nothing is let go with its last message, not before', async (t) => {
  const system = createSystem('test', { report: () => {} })
  t.teardown(() => stopSystem(system))
  const counters = spawnShards(system, defaults, () => new Counter([], false))
  const gate = Promise.withResolvers<void>()
  const waits = ask(counters.at('a'), { type: 'wait', until: () => gate.promise }, neverMs)
  const answers = [1, 2, 3].map((amount) => add(counters.at('a'), amount))
  t.is(await add(counters.at('b'), 1), 1)
  t.is(counters.size, 1)
  gate.resolve()
  await waits
  t.deepEqual(await Promise.all(answers), [1, 3, 6])
  t.is(counters.size, 0)
  t.is(await add(counters.at('a'), 1), 1)
})

test('an idle entity is let go and made anew when needed; a busy one is not', async (t) => {
  const { counters, made } = startShards(t, { idleMs: 1 })
  const gate = Promise.withResolvers<void>()
  const waits = ask(counters.at('busy'), { type: 'wait', until: () => gate.promise }, neverMs)
  t.is(await add(counters.at('a'), 7), 7)
  await until('the idle one is let go', () => counters.size === 1, { pauseMs: 1 })
  t.is(await add(counters.at('a'), 1), 1)
  gate.resolve()
  await waits
  await until('all are let go', () => counters.size === 0, { pauseMs: 1 })
  t.deepEqual(made, ['busy', 'a', 'a'])
})

test('close lets every entity end what it accepted, and accepts no more', async (t) => {
  const { counters, reports, trace } = startShards(t)
  const keys = Array.from({ length: 20 }, (_, n) => `key${n}`)
  const asks = keys.map((key) => add(counters.at(key), 1))
  const gate = Promise.withResolvers<void>()
  const waits = ask(counters.at('slow'), { type: 'wait', until: () => gate.promise }, neverMs)
  tell(counters.at('slow'), { type: 'note', text: 'queued' })
  const closed = counters.close()
  const refused = await t.throwsAsync(add(counters.at('key0'), 1), { code: 'stopped' })
  t.regex(refused.message, /^counter shard \d has stopped$/)
  gate.resolve()
  await closed
  t.is(await waits, 'waited')
  t.deepEqual(trace, ['begin wait', 'end wait', 'queued'])
  t.deepEqual(new Set(await Promise.all(asks)), new Set([1]))
  t.deepEqual(reports, [])
})

type Append = { readonly type: 'append'; readonly text: string; readonly reply: Reply<number> }

test('defect 5: 300 writes that race a 1 ms idle time are none lost, none doubled', async (t) => {
  const stored: string[] = []
  let lives = 0
  // A writer numbers its writes from what it read when it was made: two at a time would show.
  const create = () => {
    lives += 1
    let seq = stored.length
    return {
      holdsState: true,
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
  const options = { ...defaults, name: 'stream', shards: 1, entitiesMax: 1, idleMs: 1 }
  const streams = spawnShards(system, options, create)
  t.teardown(() => streams.close())
  const writes = Array.from({ length: 300 }, (_, n) => `write ${n}`)
  for (const [n, text] of writes.entries()) {
    t.is(await ask(streams.at('one'), { type: 'append', text }, neverMs), n + 1)
    // The pauses straddle the idle time: some writes meet the entity in memory, some do not.
    await new Promise((resolve) => setTimeout(resolve, 1 + (n % 3)))
  }
  t.deepEqual(stored, writes)
  t.true(lives > 1, 'the entity was idle between some writes')
})

test('defect 7: an idle time beyond any timer is refused', (t) => {
  for (const idleMs of [2 ** 31, 30 * 24 * 3_600_000, 0, -1, Number.NaN]) {
    t.throws(() => startShards(t, { idleMs }), {
      message: 'assertion failed: idleMs is 1 ms to 24 days',
    })
  }
})

test('defect 15: waiting for idle entities does not hold the process open', async (t) => {
  const program = `
    import { ask, createSystem } from '#actors/kernel/kernel.ts'
    import { spawnShards } from '#actors/kernel/shards.ts'
    const system = createSystem('test', { report: console.error })
    const options = ${JSON.stringify(defaults)}
    const receive = ({ reply }) => reply.resolve('answered')
    const create = () => ({ holdsState: true, receive })
    const entities = spawnShards(system, options, create)
    console.log(await ask(entities.at('a'), { type: 'question' }, ${neverMs}))`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { cwd: path.join(import.meta.dirname, '../../..'), timeout: 200_000 },
  )
  t.is(stdout, 'answered\n')
})
