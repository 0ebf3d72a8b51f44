import test from 'ava'
import type { Proposal } from '#actors/journal/journal.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { proposalAgeMsMax } from '#actors/journal/sequencer.ts'
import { rightClock } from '#test/actors/_clock.ts'
import { demo } from '#test/actors/_environment.ts'
import {
  gatedStore,
  logEntry,
  makeSequencer,
  type SequencerChanges,
  signer,
} from '#test/actors/journal/_sequencer.ts'
import { until } from '#test/_until.ts'
import { replaceCommit } from '#test/contracts/_commit_store.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'

/** Makes an organization; two such events are more than one commit takes. */
function longCreation(slug: string): Proposal {
  const data = { slug, name: 'n'.repeat(100_000), aliases: [] }
  const event = { type: 'OrganizationCreated', schema: 1, by: demo, data } as const
  return { ...logEntry(slug), stream: `organization/${slug}`, events: [event], entries: [] }
}

test('what arrives while a batch is written goes with the next one, whole', async (t) => {
  const { store, commits, release } = gatedStore()
  const { propose, published } = makeSequencer({ store })
  const first = propose(logEntry('a'))
  while (commits.length < 1) await new Promise((resolve) => setImmediate(resolve))
  const rest = [propose(logEntry('b')), propose(logEntry('c'))]
  release()
  t.like(await first, { type: 'committed', leafIndex: 0, treeSize: 1 })
  while (commits.length < 2) await new Promise((resolve) => setImmediate(resolve))
  release()
  t.like(await Promise.all(rest), [
    { type: 'committed', leafIndex: 1, treeSize: 3 },
    { type: 'committed', leafIndex: 2, treeSize: 3 },
  ])
  t.deepEqual(
    published.map((head) => head.log.treeSize),
    [1, 3],
  )
})

/** Proposals of organizations that wait behind a batch, which is being written until `release`. */
async function behindBatch(changes: Omit<SequencerChanges, 'store'> = {}) {
  const { store: gated, commits, release } = gatedStore()
  const reads: string[] = []
  const get = (key: string) => {
    reads.push(key)
    return gated.get(key)
  }
  const made = makeSequencer({ store: { ...gated, get }, ...changes })
  const first = made.propose(creation('a'))
  await until('the first is being written', () => commits.length === 1)
  reads.length = 0
  return { ...made, first, commits, release, reads }
}

function creation(slug: string): Proposal {
  const data = { slug, name: slug, aliases: [] }
  const event = { type: 'OrganizationCreated', schema: 1, by: demo, data } as const
  return { ...logEntry(slug), stream: `organization/${slug}`, events: [event] }
}

test('what arrives while a batch is written is judged as that batch leaves the rows', async (t) => {
  const { propose, first, commits, release, reads, published } = await behindBatch()
  const second = propose(creation('b'))
  const repeated = propose(creation('a'))
  t.true(reads.includes('organization/b'))
  t.is(published.length, 0)
  reads.length = 0
  release()
  t.like(await first, { type: 'committed', leafIndex: 0, treeSize: 1 })
  await until('the second is being written', () => commits.length === 2)
  t.deepEqual(reads, [])
  release()
  t.like(await second, { type: 'committed', leafIndex: 1, treeSize: 2 })
  t.deepEqual(await repeated, { type: 'stale', seq: 1 })
  t.deepEqual(
    published.map(({ position, log }) => [position, log.treeSize]),
    [
      [1, 1],
      [2, 2],
    ],
  )
})

test('what was judged while a batch was written is late if that took too long', async (t) => {
  let nowMs = Date.parse('2026-11-21T00:00:00.000Z')
  const { propose, first, release, commits } = await behindBatch({ clock: rightClock(() => nowMs) })
  const second = propose(creation('b'))
  nowMs += proposalAgeMsMax + 1
  release()
  t.is((await first).type, 'committed')
  t.is((await second).type, 'late')
  t.is(commits.length, 1)
})

test('what was judged behind a batch is not written once it was refused', async (t) => {
  let hasRoom = true
  const { propose, first, release, commits, sequencer } = await behindBatch({
    hasRoom: () => hasRoom,
  })
  const refused = propose(creation('b'))
  hasRoom = false
  release()
  t.is((await first).type, 'committed')
  await t.throwsAsync(refused, { instanceOf: ActorError, code: 'overloaded' })
  await sequencer.idle()
  hasRoom = true
  const next = propose(creation('c'))
  await until('the next is being written', () => commits.length === 2)
  release()
  t.like(await next, { type: 'committed', leafIndex: 1, treeSize: 2 })
  t.false(commits.flat().some(({ key }) => key === 'organization/b'))
})

test('what was judged behind a batch of unknown outcome is never written', async (t) => {
  const gate = Promise.withResolvers<void>()
  let commits = 0
  const store = replaceCommit(openMemoryStore(), () => {
    commits += 1
    return gate.promise
  })
  const { propose, fatal } = makeSequencer({ store })
  const first = propose(creation('a'))
  await until('the first is being written', () => commits === 1)
  const second = propose(creation('b'))
  gate.reject(new Error('the disk went away'))
  await t.throwsAsync(first, { code: 'lost', message: 'the outcome of a write is unknown' })
  await t.throwsAsync(second, { code: 'stopped', message: /^nothing is written after/ })
  t.is(commits, 1)
  t.is(fatal.length, 1)
})

test('a name that the batch being written forgets is free behind it', async (t) => {
  const { store, commits, release } = gatedStore()
  const put = { type: 'put', key: 'idempotency/old', value: Buffer.from('x') } as const
  release()
  await store.commit([put])
  const { sequencer, propose } = makeSequencer({ store })
  sequencer.receive({ type: 'forget_here', keys: [put.key] })
  await until('the key is being deleted', () => commits.length === 2)
  const again = propose({ ...creation('a'), unique: [put.key] })
  release()
  await until('what was proposed is being written', () => commits.length === 3)
  release()
  t.is((await again).type, 'committed')
})

test('a pool beyond its bound is refused as overloaded and writes nothing', async (t) => {
  const { propose, published } = makeSequencer()
  const answers = await Promise.allSettled(
    ['a', 'b', 'c', 'd', 'e'].map((text) => propose(logEntry(text))),
  )
  t.deepEqual(
    answers.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected'],
  )
  const reason = (answers[4] as PromiseRejectedResult).reason as ActorError
  t.is(reason.code, 'overloaded')
  t.is(reason.message, 'too many writes are waiting')
  t.is(published.at(-1)?.log.treeSize, 4)
})

test('without room on the disk writes are refused until there is room again', async (t) => {
  let hasRoom = false
  const { propose } = makeSequencer({ hasRoom: () => hasRoom })
  await t.throwsAsync(propose(logEntry('a')), {
    instanceOf: ActorError,
    code: 'overloaded',
    message: 'the disk has less free than the reserve (DISK_RESERVE_BYTES): no writes',
  })
  hasRoom = true
  t.like(await propose(logEntry('a')), { type: 'committed', treeSize: 1 })
})

test('after a write of unknown outcome nobody is told success, nothing is written', async (t) => {
  const failure = new Error('the disk went away')
  const store = replaceCommit(openMemoryStore(), () => Promise.reject(failure))
  const { propose, published, fatal, sequencer } = makeSequencer({ store })
  const lost = { instanceOf: ActorError, code: 'lost' }
  const error = await t.throwsAsync(propose(logEntry('a')), lost)
  t.is(error?.cause, failure)
  await t.throwsAsync(propose(logEntry('b')), { instanceOf: ActorError, code: 'stopped' })
  t.deepEqual(fatal, [failure])
  t.deepEqual(published, [])
  t.is(sequencer.broken?.code, 'stopped')
})

test('forgotten keys are deleted with the next batch', async (t) => {
  const store = openMemoryStore()
  await store.commit([{ type: 'put', key: 'idempotency/old', value: Buffer.from('x') }])
  const { sequencer } = makeSequencer({ store })
  sequencer.receive({ type: 'forget_here', keys: ['idempotency/old'] })
  await sequencer.idle()
  t.is(store.get('idempotency/old'), undefined)
})

test('a proposal that has waited too long is late', async (t) => {
  const madeMs = Date.parse('2026-11-21T00:00:00.000Z')
  let nowMs = madeMs + proposalAgeMsMax + 1
  const { propose } = makeSequencer({ clock: rightClock(() => nowMs) })
  t.deepEqual(await propose(logEntry('a')), { type: 'late', earliest: '2026-11-21T00:00:00.001Z' })
  nowMs = madeMs + proposalAgeMsMax
  t.is((await propose(logEntry('a'))).type, 'committed')
})

test('what one commit has no place for goes with the next, in order', async (t) => {
  const { propose, published } = makeSequencer()
  const creations = ['a', 'b', 'c'].map((slug) => propose(longCreation(slug)))
  const answers = await Promise.all(creations)
  t.deepEqual(
    answers.map((answer) => answer.type === 'committed' && answer.events[0]?.position),
    [0, 1, 2],
  )
  t.deepEqual(
    published.map((head) => head.position),
    [2, 3],
  )
})

test('keys to forget outlast a time without room on the disk', async (t) => {
  const store = openMemoryStore()
  await store.commit([{ type: 'put', key: 'idempotency/old', value: Buffer.from('x') }])
  let hasRoom = false
  const { sequencer, propose } = makeSequencer({ store, hasRoom: () => hasRoom })
  sequencer.receive({ type: 'forget_here', keys: ['idempotency/old'] })
  await sequencer.idle()
  t.truthy(store.get('idempotency/old'))
  hasRoom = true
  await propose(logEntry('a'))
  t.is(store.get('idempotency/old'), undefined)
})

test('a batch that cannot be planned is refused, and the next one is written', async (t) => {
  let isBroken = true
  const failure = new Error('the key is gone')
  const sign = (text: Uint8Array) => {
    if (isBroken) throw failure
    return signer.sign(text)
  }
  const { propose, fatal } = makeSequencer({ signer: { ...signer, sign } })
  const error = await t.throwsAsync(propose(logEntry('a')), {
    instanceOf: ActorError,
    code: 'fault',
    message: 'a batch could not be planned',
  })
  t.is(error?.cause, failure)
  isBroken = false
  t.like(await propose(logEntry('b')), { type: 'committed', leafIndex: 0 })
  t.deepEqual(fatal, [])
})

test('when a follower fails, what is durable is told and the process is to end', async (t) => {
  const failure = new Error('the follower is broken')
  const published = () => {
    throw failure
  }
  const { propose, fatal, sequencer } = makeSequencer({ published })
  t.like(await propose(logEntry('a')), { type: 'committed', treeSize: 1 })
  t.deepEqual(fatal, [failure])
  t.is(sequencer.broken?.message, 'what follows the journal has failed')
  await t.throwsAsync(propose(logEntry('b')), { message: 'what follows the journal has failed' })
})

/** Settles what came before a time; `done` is set when that is answered. */
function settle({ sequencer }: ReturnType<typeof makeSequencer>, before: string) {
  const settling = { isDone: false }
  const answered = new Promise<void>((resolve, reject) => {
    sequencer.receive({ type: 'settle', before, reply: { resolve: () => resolve(), reject } })
  })
  return Object.assign(settling, {
    answered: answered.then(() => {
      settling.isDone = true
    }),
  })
}

test('what is settled waits for the pool as it is, and lets nothing older in', async (t) => {
  const { store, commits, release } = gatedStore()
  const made = makeSequencer({ store })
  const { sequencer, propose } = made
  const first = propose(logEntry('first'))
  await until('the first is being written', () => commits.length === 1)
  const second = propose(logEntry('second'))
  const before = '2026-11-21T00:00:01.000Z'
  const settling = settle(made, before)
  const late = await propose(logEntry('third'))
  t.deepEqual(late, { type: 'late', earliest: before })
  release()
  t.is((await first).type, 'committed')
  await until('the second is being written', () => commits.length === 2)
  t.false(settling.isDone)
  release()
  t.is((await second).type, 'committed')
  await settling.answered
  const next = propose({ ...logEntry('fourth'), at: before })
  await until('the fourth is being written', () => commits.length === 3)
  const again = settle(made, '2026-11-21T00:00:00.500Z')
  release()
  t.is((await next).type, 'committed')
  await again.answered
  await settle(made, before).answered
  await sequencer.idle()
})

test('what cannot be written any more is not settled', async (t) => {
  const made = makeSequencer({
    store: replaceCommit(openMemoryStore(), () => Promise.reject(new Error('no disk'))),
  })
  const lost = made.propose(logEntry('lost'))
  const settling = settle(made, '2026-11-21T00:00:01.000Z')
  await t.throwsAsync(lost, { instanceOf: ActorError })
  await t.throwsAsync(settling.answered, { instanceOf: ActorError })
  await t.throwsAsync(settle(made, '2026-11-21T00:00:01.000Z').answered)
})
