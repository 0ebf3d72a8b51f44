import test from 'ava'
import type { Proposal } from '#actors/journal/journal.ts'
import {
  decodeJournalRow,
  type JournalHead,
  journalKey,
  PoolDraft,
  type PoolSources,
} from '#actors/journal/pool.ts'
import { encodeRow, Overlay, putKept, readKept } from '#actors/journal/rows.ts'
import { registryProjection } from '#actors/registry/views.ts'
import { emptyHead } from '#log/store/commit.ts'
import { ed25519Keys, noteSigner } from '#log/tlog/ed25519.ts'
import { LogError } from '#log/tlog/errors.ts'
import type { Operation } from '#log/store/store.ts'
import { demo } from '#test/actors/_environment.ts'

const signer = noteSigner('registry.example/log', ed25519Keys.fromSeed(Buffer.alloc(32, 1)))
const empty: JournalHead = { position: 0, newestAt: '', log: emptyHead(signer) }
const sources = { read: () => undefined, signer, projection: registryProjection }

function creation(slug: string, more: Partial<Proposal> = {}): Proposal {
  return {
    stream: `organization/${slug}`,
    expectedSeq: 0,
    at: '2026-11-21T00:00:00.000Z',
    events: [
      {
        type: 'OrganizationCreated',
        schema: 1,
        by: demo,
        data: { slug, name: slug, aliases: [] },
      },
    ],
    unique: [],
    entries: [],
    ...more,
  }
}

/** The plan of a commit of as many proposals as it takes. */
function planPool(
  head: JournalHead,
  proposals: readonly Proposal[],
  from: PoolSources,
  limits = { notBefore: '', eventBytesMax: Infinity },
) {
  const draft = new PoolDraft(head, from, limits)
  for (const proposal of proposals) if (!draft.take(proposal)) break
  return draft.finish()
}

function rowsOf(operations: readonly Operation[]): Map<string, Uint8Array> {
  const rows = new Map<string, Uint8Array>()
  for (const operation of operations) {
    if (operation.type === 'put') rows.set(operation.key, operation.value)
  }
  return rows
}

test('accepted events get positions without gaps, and the journal row counts them', (t) => {
  const plan = planPool(empty, [creation('a'), creation('b')], sources)
  t.deepEqual(
    plan.events.map(({ position, seq, previous, stream }) => ({ position, seq, previous, stream })),
    [
      { position: 0, seq: 1, previous: -1, stream: 'organization/a' },
      { position: 1, seq: 1, previous: -1, stream: 'organization/b' },
    ],
  )
  const row = rowsOf(plan.operations).get(journalKey)
  t.deepEqual(decodeJournalRow(row), { position: 2, newestAt: '2026-11-21T00:00:00.000Z' })
})

test('a proposal sees the rows of an earlier one of its pool', (t) => {
  const plan = planPool(empty, [creation('a'), creation('a')], sources)
  t.is(plan.answers[0]?.type, 'committed')
  t.deepEqual(plan.answers[1], { type: 'stale', seq: 1 })
  t.is(plan.events.length, 1)
})

test('a proposal from before the newest event is late', (t) => {
  const early = creation('b', { at: '2026-11-20T23:59:59.999Z' })
  const plan = planPool(empty, [creation('a'), early], sources)
  t.deepEqual(plan.answers[1], { type: 'late', earliest: '2026-11-21T00:00:00.000Z' })
})

test('a proposal that is too old is late, even if it is the newest', (t) => {
  const { at } = creation('a')
  const limits = { notBefore: '2026-11-21T00:00:00.001Z', eventBytesMax: Infinity }
  const late = planPool(empty, [creation('a')], sources, limits)
  t.deepEqual(late.answers, [{ type: 'late', earliest: limits.notBefore }])
  t.is(late.events.length, 0)
  const inTime = planPool(empty, [creation('a')], sources, { ...limits, notBefore: at })
  t.is(inTime.answers[0]?.type, 'committed')
})

test('a commit takes proposals until it has events enough, and one always', (t) => {
  const proposals = ['a', 'b', 'c'].map((name) => creation(name))
  const plan = (eventBytesMax: number) =>
    planPool(empty, proposals, sources, { notBefore: '', eventBytesMax })
  const [row] = plan(1).operations.flatMap((operation) =>
    operation.type === 'put' && operation.key.startsWith('event/') ? [operation.value] : [],
  )
  const length = row?.length ?? 0
  t.true(length > 0)
  t.deepEqual(
    [1, length, length + 1, 3 * length].map((bytes) => plan(bytes).answers.length),
    [1, 1, 2, 3],
  )
  t.is(plan(1).next.position, 1)
})

test('a unique row that exists, in the store or in the pool, is taken', (t) => {
  const read = (key: string) => (key === 'receipt/x' ? Buffer.from('held') : undefined)
  const inStore = creation('a', { unique: ['receipt/x'] })
  const inPool = creation('c', { unique: ['organization/b'] })
  const plan = planPool(empty, [inStore, creation('b'), inPool], { ...sources, read })
  t.deepEqual(plan.answers[0], { type: 'taken', key: 'receipt/x', holder: 'held' })
  t.like(plan.answers[2], { type: 'taken', key: 'organization/b' })
  t.is(plan.events.length, 1)
})

test('a corrupt row fails the proposal that needs it and no other', (t) => {
  const fault = new LogError('store_corrupt', 'the row is corrupt')
  const read = (key: string) => {
    if (key === 'organization/a') throw fault
    return undefined
  }
  const plan = planPool(empty, [creation('a'), creation('b')], { ...sources, read })
  t.deepEqual(plan.answers[0], { type: 'failed', error: fault })
  t.is(plan.answers[1]?.type, 'committed')
})

test('entries are integrated in the order of their proposals, refused ones leave no leaf', (t) => {
  const entry = (text: string) => [Buffer.from(text)]
  const plan = planPool(
    empty,
    [
      creation('a', { entries: entry('first') }),
      creation('a', { entries: entry('refused') }),
      creation('b', { entries: entry('second') }),
    ],
    sources,
  )
  t.deepEqual(
    plan.events.map(({ leafIndex, entryCount }) => [leafIndex, entryCount]),
    [
      [0, 1],
      [1, 1],
    ],
  )
  t.is(plan.next.log.treeSize, 2)
  t.like(plan.answers[2], { type: 'committed', leafIndex: 1, treeSize: 2 })
})

test('a pool without entries signs nothing', (t) => {
  const plan = planPool(empty, [creation('a')], sources)
  t.is(plan.next.log, empty.log)
})

test('planning changes nothing: the same pool gives the same plan', (t) => {
  const pool = [creation('a', { entries: [Buffer.from('entry')] })]
  t.deepEqual(planPool(empty, pool, sources), planPool(empty, pool, sources))
})

test('an entry that no bundle can hold fails its proposal and no other', (t) => {
  const large = creation('a', { entries: [Buffer.alloc(65_536)] })
  const plan = planPool(empty, [large, creation('b')], sources)
  t.like(plan.answers[0], { type: 'failed', error: { code: 'entry_too_large' } })
  t.is(plan.answers[1]?.type, 'committed')
})

test('a kept row is read as its value, and encoded when it is written', (t) => {
  const below = new Overlay(() => undefined)
  const above = new Overlay(below.read)
  const counts = { works: 1 }
  below.apply([putKept('counts', counts)])
  t.is(readKept('counts', below.read), counts)
  t.is(readKept('counts', above.read), counts)
  t.deepEqual(rowsOf(below.operations()).get('counts'), encodeRow(counts))
  above.apply([{ type: 'del', key: 'counts' }])
  t.is(readKept('counts', above.read), undefined)
  above.put('counts', encodeRow({ works: 3 }))
  t.deepEqual(readKept('counts', above.read), { works: 3 })
})
