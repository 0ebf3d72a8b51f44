import test, { type ExecutionContext } from 'ava'

import type { MapLeaves } from '#actors/journal/sequencer.ts'
import { decodeBatch, encodeBatch, JournalError } from '#actors/journal/journal.ts'
import { checkpointKey } from '#log/store/log_rows.ts'
import { LogError } from '#log/tlog/errors.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { type MemoryDisk, openMemoryStore } from '#test/contracts/_memory_store.ts'
import { creationOf, openJournalNode, updateOf } from '#test/simulation/_journal_node.ts'
import { SimulatedJournal } from '#test/simulation/_simulated_journal.ts'
import { until } from '#test/_until.ts'

/** A journal whose network is quick and loses nothing. */
function quickJournal(): SimulatedJournal {
  return new SimulatedJournal(() => 0.99)
}

/** A node of a journal, that ends with the test. */
async function startNode(
  t: ExecutionContext,
  journal: SimulatedJournal,
  { name = 'a', disk = new Map(), ...changes }: NodeChanges = {},
) {
  const store = openMemoryStore(disk)
  const shared = journal.of(name)
  const node = await openJournalNode({ store, shared, create: disk.size === 0, ...changes })
  t.teardown(() => node.member.close())
  return { ...node, disk }
}

type NodeChanges = {
  readonly name?: string
  readonly disk?: MemoryDisk
  readonly origin?: string
  readonly hasRoom?: () => boolean
  readonly holdsLead?: () => boolean
  readonly map?: MapLeaves
}

/** A journal with a leader and three changes, after the message with which it begins. */
async function journalOfThree(t: ExecutionContext) {
  const journal = quickJournal()
  const leader = await startNode(t, journal)
  leader.member.lead()
  await until('it leads', () => leader.member.leads)
  for (const slug of ['one', 'two', 'three']) {
    t.like(await leader.propose(creationOf(slug, slug)), { type: 'committed' })
  }
  t.is(journal.newest, 4)
  return { journal, leader }
}

/** Waits until a node has stopped, and checks that it says why, and takes nothing any more. */
async function stopsWith(
  t: ExecutionContext,
  node: Awaited<ReturnType<typeof startNode>>,
  expected: { readonly code: JournalError['code']; readonly message: RegExp },
) {
  await until('the node stops', () => node.failure() !== undefined)
  t.throws(
    () => {
      throw node.failure()
    },
    { instanceOf: JournalError, ...expected },
  )
  const after = creationOf('after', 'after')
  await t.throwsAsync(node.propose(after), { instanceOf: ActorError, code: 'stopped' })
}

test('a node that joins with an empty folder comes to the same rows', async (t) => {
  const { journal, leader } = await journalOfThree(t)
  const follower = await startNode(t, journal, { name: 'b' })
  await until('it has caught up', () => follower.member.place.sequence === journal.newest)
  t.deepEqual(new Map(follower.disk), new Map(leader.disk))
  t.is(follower.member.head.log.checkpoint, leader.member.head.log.checkpoint)
  const refused = follower.propose(creationOf('four', 'four'))
  await t.throwsAsync(refused, { instanceOf: ActorError, code: 'stopped', message: /not lead/ })
})

test('a node that has led follows at once, and one that followed leads', async (t) => {
  const { journal, leader } = await journalOfThree(t)
  const follower = await startNode(t, journal, { name: 'b' })
  const last = leader.propose(creationOf('four', 'four'))
  leader.member.follow(new AbortController().signal)
  follower.member.lead()
  t.like(await last, { type: 'committed', leafIndex: 3 })
  await until('the other leads', () => follower.member.leads)
  const next = await follower.propose(creationOf('five', 'five'))
  t.like(next, { type: 'committed' })
  await until('the first follows', () => leader.member.place.sequence === journal.newest)
  t.false(leader.member.leads)
  t.deepEqual(new Map(follower.disk), new Map(leader.disk))
})

test('a leader that nobody asks for anything sees what another one has appended', async (t) => {
  const { journal, leader } = await journalOfThree(t)
  const other = await startNode(t, journal, { name: 'b' })
  other.member.lead()
  await until('both lead', () => other.member.leads && leader.member.leads)
  t.like(await other.propose(creationOf('four', 'four')), { type: 'committed' })
  await until('it is carried out there too', () => {
    return leader.member.place.sequence === journal.newest
  })
  await until('it leads again', () => leader.member.leads)
  t.deepEqual(new Map(leader.disk), new Map(other.disk))
})

test('a node leads though a server names a message that is long carried out', async (t) => {
  const { journal } = await journalOfThree(t)
  const shared = journal.of('b')
  // Of the two looks before it leads, the first one finds all of it.
  let looks = Number.NaN
  const newest: typeof shared.newest = async (...asked) => {
    looks -= 1
    return looks === 0 ? 1 : shared.newest(...asked)
  }
  const node = await openJournalNode({
    store: openMemoryStore(new Map()),
    shared: { ...shared, newest },
    create: true,
  })
  t.teardown(() => node.member.close())
  await until('it has caught up', () => node.member.place.sequence === journal.newest)
  looks = 2
  node.member.lead()
  await until('it leads', () => node.member.leads)
})

test('a leader that was superseded refuses nothing by what it knew before', async (t) => {
  const { journal, leader } = await journalOfThree(t)
  const other = await startNode(t, journal, { name: 'b' })
  other.member.lead()
  await until('both lead', () => other.member.leads && leader.member.leads)
  t.like(await other.propose(creationOf('four', 'four')), { type: 'committed' })
  const change = updateOf('four', 1)
  const answers = await Promise.allSettled([
    leader.propose(change),
    leader.propose({ ...change, at: '2026-11-20T00:00:00.000Z' }),
    leader.member.confirm(),
  ])
  for (const answer of answers) {
    if (answer.status === 'fulfilled') t.fail(`answered with ${JSON.stringify(answer.value)}`)
    else t.like(answer.reason, { code: 'stopped' })
  }
  await until('it leads again', () => leader.member.leads)
  t.like(await leader.propose(change), { type: 'committed' })
})

test('a leader whose lease is over refuses nothing, though it knows of no other', async (t) => {
  let holdsLead = true
  const journal = quickJournal()
  const leader = await startNode(t, journal, { holdsLead: () => holdsLead })
  leader.member.lead()
  await until('it leads', () => leader.member.leads)
  const stale = updateOf('one', 1)
  t.deepEqual(await leader.propose(stale), { type: 'stale', seq: 0 })
  await leader.member.confirm()
  holdsLead = false
  const stopped = { instanceOf: ActorError, code: 'stopped', message: /not lead/ }
  await t.throwsAsync(leader.propose(stale), stopped)
  await t.throwsAsync(leader.member.confirm(), stopped)
  t.like(await leader.propose(creationOf('one', 'one')), { type: 'committed' })
})

test('a leader refuses while a batch of its own is on its way, and after it', async (t) => {
  const { journal, leader } = await journalOfThree(t)
  const answers = await Promise.all([
    leader.propose(creationOf('four', 'four')),
    leader.propose(creationOf('one', 'again')),
    leader.member.confirm(),
    leader.propose(updateOf('four', 2)),
  ])
  const [committed, taken, , stale] = answers
  t.like(committed, { type: 'committed' })
  t.deepEqual(
    [taken, stale],
    [
      { type: 'stale', seq: 1 },
      { type: 'stale', seq: 1 },
    ],
  )
  t.is(journal.newest, 5)
})

test('a batch that leads to another tree stops the node before it writes', async (t) => {
  const { journal, leader } = await journalOfThree(t)
  const { batch, ...message } = decodeBatch(journal.message(3))
  const [proposal] = batch.proposals
  if (proposal === undefined) throw new Error('the batch has a proposal')
  const entries = [Buffer.from('forged')]
  const forged = { ...batch, proposals: [{ ...proposal, entries }] }
  journal.replaceFrom(3, [encodeBatch({ ...message, batch: forged })])
  const follower = await startNode(t, journal, { name: 'b' })
  await stopsWith(t, follower, { code: 'journal_forked', message: /2 entries with the root/ })
  t.is(follower.member.place.sequence, 2)
  t.is(follower.member.head.log.treeSize, 1)
  t.not(follower.member.head.log.checkpoint, leader.member.head.log.checkpoint)
})

test('an event of a newer version stops a node, which says what to install', async (t) => {
  const { journal } = await journalOfThree(t)
  const { batch, ...message } = decodeBatch(journal.message(3))
  const [proposal] = batch.proposals
  const [event] = proposal?.events ?? []
  if (proposal === undefined || event === undefined) throw new Error('the batch has an event')
  for (const change of [{ type: 'OrganizationMerged' }, { schema: 2 }]) {
    const newer = { ...batch, proposals: [{ ...proposal, events: [{ ...event, ...change }] }] }
    journal.replaceFrom(3, [encodeBatch({ ...message, batch: newer })])
    const follower = await startNode(t, journal, { name: 'b' })
    const expected = /^event 1 \(.*, schema \d\) is of a newer version of Arklog.*install/
    await stopsWith(t, follower, { code: 'unknown_event', message: expected })
    t.is(follower.member.place.sequence, 2, 'nothing of it was carried out')
  }
})

test('a leader takes no event of a newer version, and leaves it to the next one', async (t) => {
  const { journal, leader } = await journalOfThree(t)
  const { events, ...proposal } = updateOf('one', 1)
  const newer = { ...proposal, events: events.map((event) => ({ ...event, schema: 2 })) }
  const refused = { instanceOf: ActorError, code: 'stopped', message: /newer version of Arklog/ }
  await t.throwsAsync(leader.propose(newer), refused)
  t.is(journal.newest, 4)
  t.like(await leader.propose({ ...proposal, events }), { type: 'committed' })
})

test('a batch that cannot be carried out stops the node', async (t) => {
  const { journal } = await journalOfThree(t)
  const { batch, ...message } = decodeBatch(journal.message(3))
  const proposals = batch.proposals.map((proposal) => ({ ...proposal, expectedSeq: 7 }))
  journal.replaceFrom(3, [encodeBatch({ ...message, batch: { ...batch, proposals } })])
  const follower = await startNode(t, journal, { name: 'b' })
  await stopsWith(t, follower, { code: 'journal_forked', message: /cannot be carried out.*stale/ })
})

test('a journal that is shorter than what is here stops the node', async (t) => {
  const { journal, leader } = await journalOfThree(t)
  const { disk } = leader
  await leader.member.close()
  journal.replaceFrom(4, [])
  const again = await startNode(t, journal, { disk })
  const message =
    /rolled back.*ends with message 3, and 4 is carried out here.*nothing mends itself/
  await stopsWith(t, again, { code: 'journal_rolled_back', message })
})

test('a node is not sure of a journal that is shorter, before it stops', async (t) => {
  const { journal, leader } = await journalOfThree(t)
  t.true(leader.member.isInSync)
  const { disk } = leader
  await leader.member.close()
  journal.connect('a', false)
  const again = await startNode(t, journal, { disk })
  t.false(again.member.isInSync)
  journal.connect('a', true)
  await until('it has looked', () => again.member.isInSync)
  await again.member.close()
  journal.replaceFrom(4, [])
  const behind = await startNode(t, journal, { disk })
  await until('the node stops', () => behind.failure() !== undefined)
  t.false(behind.member.isInSync)
})

test('a journal that went back and was gone on with stops those who saw more', async (t) => {
  const { journal, leader } = await journalOfThree(t)
  const other = quickJournal()
  const second = await startNode(t, other)
  second.member.lead()
  await until('it leads', () => second.member.leads)
  for (const slug of ['one', 'two', 'other', 'more']) {
    t.like(await second.propose(creationOf(slug, slug)), { type: 'committed' })
  }
  const { disk } = leader
  await leader.member.close()
  journal.replaceFrom(
    1,
    [1, 2, 3, 4, 5].map((sequence) => other.message(sequence)),
  )
  const again = await startNode(t, journal, { disk })
  await stopsWith(t, again, { code: 'journal_rolled_back', message: /message 4 is another one/ })
})

test('a message that does not follow what is here stops the node', async (t) => {
  const { journal } = await journalOfThree(t)
  const { previous: _, ...message } = decodeBatch(journal.message(3))
  journal.replaceFrom(3, [encodeBatch({ ...message, previous: 'f'.repeat(64) })])
  const follower = await startNode(t, journal, { name: 'b' })
  await stopsWith(t, follower, {
    code: 'journal_rolled_back',
    message: /message 3 does not follow/,
  })
})

test('a folder that holds a registry does not join the journal of another one', async (t) => {
  const { journal } = await journalOfThree(t)
  const { leader } = await journalOfThree(t)
  await leader.member.close()
  const disk = new Map([...leader.disk].filter(([key]) => key !== 'journal_place'))
  const foreign = await startNode(t, journal, { name: 'b', disk })
  await stopsWith(t, foreign, { code: 'journal_forked', message: /begun by another node/ })
})

test('a node of another log carries out nothing', async (t) => {
  const { journal } = await journalOfThree(t)
  const foreign = await startNode(t, journal, { name: 'b', origin: 'other.example/log' })
  const message = /is of the log registry\.example\/log\+.*has other\.example\/log\+/
  await stopsWith(t, foreign, { code: 'journal_forked', message })
  t.is(foreign.member.head.position, 0)
})

test('a message that nobody can read stops the node', async (t) => {
  const { journal } = await journalOfThree(t)
  journal.replaceFrom(2, [Buffer.from('not a batch')])
  const follower = await startNode(t, journal, { name: 'b' })
  await stopsWith(t, follower, { code: 'malformed_batch', message: /cannot be read/ })
})

test('a node whose disk is full carries out nothing, and goes on when it has room', async (t) => {
  const { journal, leader } = await journalOfThree(t)
  let asked = 0
  let hasRoom = false
  const follower = await startNode(t, journal, {
    name: 'b',
    hasRoom: () => {
      asked += 1
      return hasRoom
    },
  })
  await until('it looks for room twice', () => asked > 1)
  t.is(follower.member.head.position, 0)
  t.is(follower.failure(), undefined)
  hasRoom = true
  await until('it has all', () => follower.member.place.sequence === leader.member.place.sequence)
  t.deepEqual(follower.disk, leader.disk)
})

test('a leader whose disk is full has the next one asked, and has written nothing', async (t) => {
  const journal = quickJournal()
  const leader = await startNode(t, journal, { hasRoom: () => false })
  leader.member.lead()
  await until('it leads', () => leader.member.leads)
  const error = await t.throwsAsync(leader.propose(creationOf('one', 'one')), {
    instanceOf: ActorError,
  })
  t.like(error, { code: 'stopped', message: 'the disk of the node that leads has no room' })
  t.is(journal.newest, 1)
  t.true(leader.member.leads)
})

test('a map leaf that is not the one of this node stops it before it signs anything', async (t) => {
  const journal = quickJournal()
  const leaf = Buffer.from('arklog-map/v1\nanything else\n')
  let due = false
  const leaders: MapLeaves = {
    isDue: () => due,
    nextLeaf: () => (due ? leaf : undefined),
    checkLeaf: () => undefined,
  }
  const judged: number[] = []
  const own = (isSame: boolean): MapLeaves => ({
    isDue: () => false,
    nextLeaf: () => undefined,
    checkLeaf(found, treeSize) {
      t.deepEqual(Buffer.from(found), leaf)
      judged.push(treeSize)
      if (!isSame) throw new LogError('log_inconsistent', 'the map leaf is another one here')
    },
  })
  const leader = await startNode(t, journal, { map: leaders })
  leader.member.lead()
  await until('it leads', () => leader.member.leads)
  await leader.propose(creationOf('one', 'one'))
  const same = await startNode(t, journal, { name: 'b', map: own(true) })
  const other = await startNode(t, journal, { name: 'c', map: own(false) })
  due = true
  t.like(await leader.propose(creationOf('two', 'two')), { leafIndex: 2, treeSize: 3 })
  await until('the one follows', () => same.member.head.log.treeSize === 3)
  t.deepEqual(same.member.head.log.rootHash, leader.member.head.log.rootHash)
  t.truthy(same.store.get(checkpointKey(2)))
  await stopsWith(t, other, {
    code: 'journal_forked',
    message: /the map leaf is another one here; stop this node/,
  })
  t.is(other.member.head.log.treeSize, 1)
  t.deepEqual(judged, [1, 1])
})
