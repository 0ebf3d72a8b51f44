// What becomes of a node when it, the stream or the way to it is not as it was.

import { cp, rename, rm } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'

import type { SharedStream } from '#actors/journal/shared_stream.ts'
import { IdentityError } from '#src/identity/store/identity_error.ts'
import { putRow } from '#src/identity/store/identity_rows.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'
import { SimulatedJournal } from '#test/simulation/_simulated_journal.ts'
import { diskOf, type IdentityNode, IdentityNodes } from '#test/src/identity/_identity_nodes.ts'
import { elapsedMs } from '#actors/values/clock.ts'
import { until } from '#test/_until.ts'

async function open(t: ExecutionContext) {
  const nodes = await IdentityNodes.begin(t)
  return { nodes, stream: new SimulatedJournal(seededRandom(1)) }
}

function put({ store }: IdentityNode, key: string, row: unknown): Promise<void> {
  return store.inTurn(() => store.commit([putRow(key, row)]))
}

/** The messages of a stream. */
function messagesOf(stream: SimulatedJournal): Uint8Array[] {
  return Array.from({ length: stream.newest }, (_, nth) => stream.message(nth + 1))
}

/** Does something while node `a` has lost its connection. */
async function cut(stream: SimulatedJournal, act: () => void): Promise<void> {
  stream.connect('a', false)
  for (let turn = 0; turn < 10; turn += 1) await nextTurn()
  act()
  stream.connect('a', true)
}

async function disksOf(nodes: IdentityNodes, all: readonly IdentityNode[]) {
  for (const node of all) await node.caughtUp()
  for (const node of all) await nodes.close(node)
  return Promise.all(all.map(diskOf))
}

test('a node that was away has all of it later, and one that begins now as well', async (t) => {
  const { nodes, stream } = await open(t)
  const a = await nodes.add(stream.of('a'))
  const away = await nodes.add(stream.of('b'))
  await put(a, 'row/1', 1)
  await away.caughtUp()
  await nodes.close(away)
  await put(a, 'row/2', 2)
  await a.store.inTurn(() => a.store.purge(['row/2']))
  await a.store.append([putRow('row/3', 3)])
  const back = await nodes.again(away, stream.of('b'))
  t.is(back.store.read('row/3'), 3)
  const fresh = await nodes.add(stream.of('c'))
  t.is(fresh.store.read('row/1'), 1)
  const [one, ...others] = await disksOf(nodes, [a, back, fresh])
  for (const other of others) t.deepEqual(other, one)
})

test('a copy of a node goes on from its place, also once old messages are gone', async (t) => {
  const { nodes, stream } = await open(t)
  const a = await nodes.add(stream.of('a'))
  await put(a, 'row/1', 1)
  await nodes.close(a)
  const forgetful = (name: string): SharedStream => {
    const whole = stream.of(name)
    return { ...whole, at: async (at, signal) => (at < 2 ? undefined : whole.at(at, signal)) }
  }
  const copied = await nodes.copy(a, forgetful('b'))
  await put(copied, 'row/2', 2)
  const again = await nodes.again(a, forgetful('a'))
  t.is(again.store.read('row/2'), 2)
  await t.throwsAsync(nodes.add(forgetful('c')), { code: 'identity_gap', message: /join/ })
})

test('what is in the stream tells nothing to who has not the pepper', async (t) => {
  const { nodes, stream } = await open(t)
  const { store } = await nodes.add(stream.of('a'))
  const sealed = new SealedRows<{ email: string }>(store, 'account')
  await store.inTurn(() => store.commit([sealed.put('p1', { email: 'ada@planted.example' })]))
  await store.inTurn(() => store.commit([putRow('key/planted', { digest: 'planted' })]))
  const texts = messagesOf(stream).map((message) => Buffer.from(message).toString('latin1'))
  t.is(texts.length, 3)
  // Words that are long enough to be in no sealed text by chance.
  for (const text of texts) {
    const opened = Buffer.from(text, 'base64').toString('latin1')
    t.notRegex(text + opened, /planted|account|key\/planted/)
  }
})

test('a node with another pepper reads nothing, and stops', async (t) => {
  const { nodes, stream } = await open(t)
  await put(await nodes.add(stream.of('a')), 'row/1', 1)
  const others = await IdentityNodes.begin(t)
  await t.throwsAsync(others.add(stream.of('b')), {
    code: 'secret_mismatch',
    message: /not sealed with the pepper of this node/,
  })
})

test('a node whose rows are not those that the others began with does not take part', async (t) => {
  const { nodes, stream } = await open(t)
  const elsewhere = new SimulatedJournal(seededRandom(2))
  const a = await nodes.add(stream.of('a'))
  const foreign = await nodes.add(elsewhere.of('b'))
  await put(a, 'row/1', 1)
  await put(foreign, 'row/2', 2)
  await nodes.close(foreign)
  await t.throwsAsync(nodes.again(foreign, stream.of('b')), { code: 'identity_rolled_back' })
  const alone = await nodes.add(new SimulatedJournal(seededRandom(3)).of('c'))
  await nodes.close(alone)
  const own = await nodes.alone(alone)
  await own.inTurn(() => own.commit([putRow('row/3', 3)]))
  await nodes.close({ store: own })
  await t.throwsAsync(nodes.again(alone, stream.of('c')), {
    code: 'identity_forked',
    message: /changed here while CLUSTER_URL was not set/,
  })
})

test('rows that were there before the cluster are what its nodes begin with', async (t) => {
  const { nodes, stream } = await open(t)
  const a = await nodes.add(stream.of('a'), { patienceMs: 30_000 })
  await put(a, 'row/1', 1)
  await nodes.close(a)
  const next = new SimulatedJournal(seededRandom(2))
  await removePlace(nodes, a)
  const first = await nodes.again(a, next.of('a'))
  await put(first, 'row/2', 2)
  await t.throwsAsync(nodes.add(next.of('b')), {
    code: 'identity_forked',
    message: /begun with other accounts and keys/,
  })
})

/** Has a node be as one that never was in a cluster. */
async function removePlace(nodes: IdentityNodes, node: IdentityNode): Promise<void> {
  const own = await nodes.alone(node)
  await own.inTurn(() => own.commit([{ type: 'del', key: 'place' }]))
  await nodes.close({ store: own })
}

test('a stream that is shorter than what is here stops the node, running or not', async (t) => {
  const { nodes, stream } = await open(t)
  const a = await nodes.add(stream.of('a'))
  const b = await nodes.add(stream.of('b'))
  for (const n of [1, 2, 3]) await put(a, `row/${n}`, n)
  await b.caughtUp()
  await nodes.close(b)
  await cut(stream, () => stream.replaceFrom(3, []))
  await until('the node has stopped', () => a.stopped.length > 0)
  const [error] = a.stopped
  t.true(error instanceof IdentityError && error.code === 'identity_rolled_back')
  t.regex(String(error), /ends with message 2, and 4 is carried out here; stop all nodes/)
  await t.throwsAsync(put(a, 'row/4', 4), { code: 'keys_unwritable' })
  await t.throwsAsync(nodes.again(b, stream.of('b')), { code: 'identity_rolled_back' })
})

test('a stream that gets shorter while a node is connected stops it as well', async (t) => {
  const { nodes, stream } = await open(t)
  const a = await nodes.add(stream.of('a'))
  for (const n of [1, 2, 3]) await put(a, `row/${n}`, n)
  stream.replaceFrom(3, [])
  await t.throwsAsync(a.caughtUp(), { code: 'identity_stale' })
  await until('the node has stopped', () => a.stopped.length > 0)
  t.regex(String(a.stopped[0]), /ends with message 2, and 4 is carried out here/)
})

test('a stream that was made anew, or goes on otherwise, stops the node', async (t) => {
  const { nodes, stream } = await open(t)
  const other = new SimulatedJournal(seededRandom(2))
  const a = await nodes.add(stream.of('a'))
  const stranger = await nodes.add(other.of('x'))
  for (const n of [1, 2, 3]) await put(a, `row/${n}`, n)
  for (const n of [4, 5, 6, 7]) await put(stranger, `row/${n}`, n)
  await cut(stream, () => stream.replaceFrom(1, messagesOf(other)))
  await until('the node has stopped', () => a.stopped.length > 0)
  t.regex(String(a.stopped[0]), /is another one than was carried out here/)
})

test('a message that does not follow the one before it stops the node', async (t) => {
  const { nodes, stream } = await open(t)
  const a = await nodes.add(stream.of('a'))
  await put(a, 'row/1', 1)
  stream.replaceFrom(3, [stream.message(2)])
  await until('the node has stopped', () => a.stopped.length > 0)
  t.regex(String(a.stopped[0]), /message 3 does not follow what was carried out here/)
  t.is(a.store.read('row/1'), 1)
})

test('a change whose writer ends in the middle of it is void', async (t) => {
  const { nodes, stream } = await open(t)
  const whole = stream.of('a')
  let appends = 0
  const broken: SharedStream = {
    ...whole,
    append(message, after, signal) {
      appends += 1
      // The first one is what the stream begins with.
      return appends > 2 ? Promise.resolve('undecided') : whole.append(message, after, signal)
    },
  }
  const a = await nodes.add(broken)
  const b = await nodes.add(stream.of('b'))
  const rows = Array.from({ length: 1_500 }, (_, n) => putRow(`long/${n}`, 'x'.repeat(1_000)))
  await t.throwsAsync(
    a.store.inTurn(() => a.store.commit(rows)),
    { code: 'identity_undecided' },
  )
  await put(b, 'row/1', 1)
  await a.caughtUp()
  t.is(a.store.read('long/0'), undefined)
  t.is(a.store.read('row/1'), 1)
  const [one, other] = await disksOf(nodes, [a, b])
  t.deepEqual(one, other)
})

test('a change whose outcome is not learned is told so, and made once at most', async (t) => {
  const { nodes, stream } = await open(t)
  const whole = stream.of('a')
  let isImpatient = false
  const impatient: SharedStream = {
    ...whole,
    append(message, after, signal) {
      if (!isImpatient) return whole.append(message, after, signal)
      const patience = new AbortController()
      setImmediate(() => patience.abort())
      return whole.append(message, after, patience.signal)
    },
  }
  const a = await nodes.add(impatient)
  let judged = 0
  stream.connect('a', false)
  isImpatient = true
  const changing = a.store.inTurn(async () => {
    judged += 1
    await a.store.commit([putRow('count', (a.store.read<number>('count') ?? 0) + 1)])
  })
  await t.throwsAsync(changing, { code: 'identity_undecided' })
  t.is(judged, 1)
  isImpatient = false
  stream.connect('a', true)
  await a.store.caughtUp().catch(() => undefined)
  t.true([undefined, 1].includes(a.store.read('count')))
})

test('a node without contact refuses credentials after its bound, until it has it', async (t) => {
  const { nodes, stream } = await open(t)
  const a = await nodes.add(stream.of('a'), { contactMs: 200 })
  await until('it is in contact', () => a.store.isInContact)
  stream.connect('a', false)
  await until('it is out of contact', () => !a.store.isInContact)
  t.throws(() => a.store.checkContact(), {
    code: 'identity_stale',
    message: /does not know what others have revoked since/,
  })
  let judged = 0
  const changing = a.store.inTurn(async () => void (judged += 1))
  await t.throwsAsync(changing, { code: 'identity_stale' })
  t.is(judged, 0)
  stream.connect('a', true)
  await until('it is in contact again', () => a.store.isInContact)
})

test('a node is not in contact while its servers have lost the others', async (t) => {
  const { nodes, stream } = await open(t)
  let isConnected = true
  const options = { contactMs: 200, isConnected: () => isConnected }
  const a = await nodes.add(stream.of('a'), options)
  await until('it is in contact', () => a.store.isInContact)
  isConnected = false
  await until('it is out of contact', () => !a.store.isInContact)
  isConnected = true
  await until('it is in contact again', () => a.store.isInContact)
  t.pass()
})

test('contact is counted from before the question', async (t) => {
  const { nodes, stream } = await open(t)
  let nowMs = elapsedMs()
  const whole = stream.of('a')
  let slownessMs = 0
  const slow: SharedStream = {
    ...whole,
    async newest(signal, known) {
      const newest = await whole.newest(signal, known)
      nowMs += slownessMs
      return newest
    },
  }
  const a = await nodes.add(slow, { contactMs: 1_000, elapsedMs: () => nowMs })
  t.true(a.store.isInContact)
  nowMs += 999
  t.true(a.store.isInContact)
  slownessMs = 1_001
  nowMs += 2
  t.false(a.store.isInContact)
  // What was so when the answer was given may be long over when it comes.
  await a.store.caughtUp().catch(() => undefined)
  t.false(a.store.isInContact)
})

test('an older copy of a node is refused, and catches up once it was accepted', async (t) => {
  const { nodes, stream } = await open(t)
  const a = await nodes.add(stream.of('a'))
  const b = await nodes.add(stream.of('b'))
  await put(a, 'row/1', 1)
  await b.caughtUp()
  await nodes.close(b)
  const older = `${b.dir}-older`
  await cp(b.dir, older, { recursive: true })
  const back = await nodes.again(b, stream.of('b'))
  await put(a, 'row/2', 2)
  await back.caughtUp()
  await nodes.close(back)
  await rm(b.dir, { recursive: true })
  await rename(older, b.dir)
  await t.throwsAsync(nodes.again(b, stream.of('b')), { code: 'keys_rolled_back' })
  const accepting = await nodes.alone(b, { acceptsOlder: true })
  await accepting.inTurn(() => accepting.commit([]))
  await nodes.close({ store: accepting })
  const again = await nodes.again(b, stream.of('b'))
  t.is(again.store.read('row/2'), 2)
})
