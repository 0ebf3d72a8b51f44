import { once } from 'node:events'
import { MessageChannel, Worker } from 'node:worker_threads'
import test, { type ExecutionContext } from 'ava'

import { ask, type Ref } from '#actors/kernel/kernel.ts'
import { Remote, threadTransport } from '#actors/kernel/remote.ts'
import { LogError } from '#log/tlog/errors.ts'
import type { Store } from '#log/store/store.ts'
import { createKeyHasher } from '#src/identity/store/api_key.ts'
import { IdentityError } from '#src/identity/store/identity_error.ts'
import { IdentityGuard } from '#src/identity/store/counted_rows.ts'
import { identityPart, putRow } from '#src/identity/store/identity_rows.ts'
import { joinIdentityStore, shareIdentity } from '#src/identity/store/identity_sharing.ts'
import { OpenedIdentityStore } from '#src/identity/store/identity_store.ts'
import { elapsedMs } from '#actors/values/clock.ts'
import { connect } from '#test/actors/kernel/_connected.ts'
import { neverMs } from '#test/actors/kernel/_counter.ts'
import { remoteLimits } from '#test/actors/kernel/_remote_limits.ts'
import { testIdentityStore } from '#test/contracts/identity_store.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'
import type {
  IdentityThreadData,
  IdentityThreadMessage,
} from '#test/src/identity/store/_identity_thread.ts'
import { joinHere } from '#test/src/identity/store/_joined.ts'
import { titled } from '#test/contracts/_titled_test.ts'

type Shared = { readonly store: OpenedIdentityStore; readonly dir: string }

async function open(t: ExecutionContext) {
  const fixture = await identityFixture(t)
  return { ...fixture, store: await fixture.open() }
}

testIdentityStore(titled('the owner and one that has joined'), async (t) => {
  const shared = await open(t)
  return [shared.store, await joinHere(t, shared)]
})

testIdentityStore(titled('two that have joined, a part of each'), async (t) => {
  const shared = await open(t)
  const joined = [await joinHere(t, shared), await joinHere(t, shared)] as const
  return [identityPart(joined[0], 'sandbox'), identityPart(joined[1], 'sandbox')]
})

type Thread = { readonly worker: Worker; readonly asked: Ref<IdentityThreadMessage> }

/** A thread that has joined the store, until the end of the test. */
async function startThread(t: ExecutionContext, { store, dir }: Shared): Promise<Thread> {
  const { port1, port2: port } = new MessageChannel()
  const transport = threadTransport(port1)
  const remote = new Remote({ ...remoteLimits, name: 'the joined thread', transport })
  const share = shareIdentity(store, remote)
  const worker = new Worker(new URL('./_identity_thread.ts', import.meta.url), {
    workerData: { dir, share, port } satisfies IdentityThreadData,
    transferList: [port, share.port],
  })
  t.teardown(async () => {
    remote.close()
    await worker.terminate()
  })
  await once(worker, 'message')
  return { worker, asked: remote.at('identity thread', '') }
}

test('threads and their owner take turns, and all are told of each in order', async (t) => {
  const shared = await open(t)
  const { store } = shared
  const threads = [await startThread(t, shared), await startThread(t, shared)]
  const own: number[] = []
  store.follow<number>('count', (_key, count) => void own.push(count ?? 0))
  const times = 25
  const adding = threads.map(({ asked }) => ask(asked, { type: 'add', times }, neverMs))
  for (let nth = 0; nth < times; nth += 1) {
    await store.inTurn(() => {
      return store.commit([putRow('count', (store.read<number>('count') ?? 0) + 1)])
    })
  }
  const told = await Promise.all(adding)
  const total = 3 * times
  t.is(store.read('count'), total)
  const all = Array.from({ length: total }, (_, nth) => nth + 1)
  t.deepEqual(own, all)
  // Each from when it began to follow to its last turn, at least.
  for (const counts of told) {
    const [first = 0] = counts
    t.true(counts.length >= times)
    t.deepEqual(counts, all.slice(first - 1, first - 1 + counts.length))
  }
})

test('the turns of a thread that dies are freed, and those that wait for them go on', async (t) => {
  const shared = await open(t)
  const { store } = shared
  const [dying, other] = [await startThread(t, shared), await startThread(t, shared)]
  await ask(dying.asked, { type: 'hold' }, neverMs)
  await ask(dying.asked, { type: 'hold', name: 'redemption' }, neverMs)
  const order: string[] = []
  const inTurn = store.inTurn(async () => void order.push('turn'))
  const named = store.inTurnAt('redemption', async () => void order.push('named turn'))
  const elsewhere = ask(other.asked, { type: 'add', times: 3 }, neverMs)
  // One that waits for its turn when its thread dies.
  void ask(dying.asked, { type: 'add', times: 1 }, neverMs).catch(() => undefined)
  await store.inTurnAt('another', () => Promise.resolve())
  t.deepEqual(order, [])
  await dying.worker.terminate()
  await Promise.all([inTurn, named, elsewhere])
  t.deepEqual(order.sort(), ['named turn', 'turn'])
  t.is(store.read('count'), 3)
})

test('a store that cannot be written is so to every thread, in the same words', async (t) => {
  const { store: sound, dir, headFile } = await open(t)
  const failing = {
    commit: () => Promise.reject(new LogError('store_full', 'the disk is full')),
    close: () => Promise.resolve(),
  } as Partial<Store> as Store
  const pepper = new Uint8Array(32)
  const hashKey = createKeyHasher(pepper)
  const guard = new IdentityGuard(`${headFile}.2`, hashKey)
  const since = { grants: 1, keys: 1 }
  const parts = { store: failing, pepper, guard, changes: 0, lostChanges: 0, since }
  const store = new OpenedIdentityStore(parts)
  t.teardown(() => store.close())
  const joined = await joinHere(t, { store, dir })
  for (let round = 0; round < 2; round += 1) {
    const error = await t.throwsAsync(
      joined.inTurn(() => joined.commit([putRow('row', 1)])),
      { instanceOf: IdentityError, code: 'keys_unwritable', message: /outcome is unknown/ },
    )
    t.like(error.cause, { code: 'store_full', message: 'the disk is full' })
    t.true(error.cause instanceof LogError)
  }
  t.is(sound.read('row'), undefined)
})

test('who waits for a turn when the owner ends is told so, and who comes later too', async (t) => {
  const { store, dir } = await open(t)
  const { toJoined, toOwner } = connect(t)
  const share = shareIdentity(store, toJoined)
  const joined = await joinIdentityStore({ dir, share, remote: toOwner, elapsedMs })
  t.teardown(() => joined.close())
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const own = store.inTurn(() => held)
  const waiting = joined.inTurn(() => Promise.resolve())
  toJoined.close()
  await t.throwsAsync(waiting, { code: 'lost' })
  await t.throwsAsync(
    joined.inTurnAt('a', () => Promise.resolve()),
    { code: 'stopped' },
  )
  release()
  await own
})

test('a commit that is longer than a message is one commit all the same', async (t) => {
  const shared = await open(t)
  const joined = await joinHere(t, shared)
  const { store } = shared
  const told: string[] = []
  store.follow('row/', (key) => void told.push(key))
  const text = 'x'.repeat(1_000)
  const keys = Array.from({ length: 500 }, (_, nth) => `row/${nth}`)
  t.true(keys.length * text.length > remoteLimits.messageCharactersMax)
  let commits = 0
  const own = store.commit.bind(store)
  store.commit = (operations) => {
    commits += 1
    return own(operations)
  }
  for (const round of [1, 2]) {
    await joined.inTurn(() => joined.commit(keys.map((key) => putRow(key, `${text}${round}`))))
    t.is(commits, round)
    t.deepEqual(told.splice(0), keys)
    for (const key of keys) t.is(joined.read(key), `${text}${round}`)
  }
})

test('of a commit with a row that is too long for a message nothing is written', async (t) => {
  const shared = await open(t)
  const joined = await joinHere(t, shared)
  const long = putRow('row/long', 'x'.repeat(remoteLimits.messageCharactersMax))
  const short = putRow('row/short', 1)
  for (const operations of [[long], [long, short], [short, long], [short, long, short]]) {
    await t.throwsAsync(
      joined.inTurn(() => joined.commit(operations)),
      { code: 'fault' },
    )
  }
  t.is(shared.store.read('row/short'), undefined)
  await joined.inTurn(() => joined.commit([short]))
  t.is(shared.store.read('row/short'), 1)
})

test('who leaves the store ends its changes first', async (t) => {
  const { store, dir } = await open(t)
  const { toJoined, toOwner } = connect(t)
  const share = shareIdentity(store, toJoined)
  const joined = await joinIdentityStore({ dir, share, remote: toOwner, elapsedMs })
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const own = store.inTurn(() => held)
  const changing = joined.inTurn(async () => {
    await joined.commit([putRow('row', (joined.read<number>('row') ?? 0) + 1)])
  })
  const left = joined.close()
  release()
  await Promise.all([own, changing, left])
  t.is(store.read('row'), 1)
})
