import { ownJournal } from '#actors/journal/sequencer.ts'
import type { Committed, Proposal, ProposalRefused } from '#actors/journal/journal.ts'
import type { JournalHead } from '#actors/journal/pool.ts'
import { Sequencer, type SequencerOptions } from '#actors/journal/sequencer.ts'
import { registryProjection } from '#actors/registry/views.ts'
import { emptyHead } from '#log/store/commit.ts'
import { ed25519Keys, noteSigner } from '#log/tlog/ed25519.ts'
import type { Operation, Store } from '#log/store/store.ts'
import { rightClock } from '#test/actors/_clock.ts'
import { replaceCommit } from '#test/contracts/_commit_store.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'

/** What signs the checkpoints of the sequencers of the tests. */
export const signer = noteSigner('registry.example/log', ed25519Keys.fromSeed(Buffer.alloc(32, 1)))

/** A proposal of an entry and nothing else. */
export function logEntry(text: string): Proposal {
  return {
    stream: '',
    expectedSeq: 0,
    at: '2026-11-21T00:00:00.000Z',
    events: [],
    unique: [],
    entries: [Buffer.from(text)],
  }
}

/** What a sequencer of a test has of its own. */
export type SequencerChanges = Partial<Omit<SequencerOptions, 'store'>> & { readonly store?: Store }

/** A sequencer over a store in memory, with what it published and what it called fatal. */
export function makeSequencer({ store = openMemoryStore(), ...changes }: SequencerChanges = {}) {
  const published: JournalHead[] = []
  const fatal: unknown[] = []
  let superseded = 0
  const sequencer = new Sequencer({
    store,
    journal: ownJournal(store),
    signer,
    projection: registryProjection,
    head: { position: 0, newestAt: '', log: emptyHead(signer) },
    poolEntriesMax: 4,
    hasRoom: () => true,
    published: (head) => published.push(head),
    superseded: () => (superseded += 1),
    fatal: (error) => fatal.push(error),
    clock: rightClock(() => Date.parse('2026-11-21T00:00:00.000Z')),
    ...changes,
  })
  const propose = (proposal: Proposal) =>
    new Promise<Committed | ProposalRefused>((resolve, reject) => {
      sequencer.receive({ type: 'propose', proposal, reply: { resolve, reject } })
    })
  return { sequencer, propose, published, fatal, superseded: () => superseded }
}

/** A store whose commits wait until they are let go. */
export function gatedStore(): { store: Store; commits: Operation[][]; release: () => void } {
  const below = openMemoryStore()
  const commits: Operation[][] = []
  let gate = Promise.withResolvers<void>()
  const store = replaceCommit(below, async (operations) => {
    commits.push([...operations])
    await gate.promise
    gate = Promise.withResolvers()
    await below.commit(operations)
  })
  return { store, commits, release: () => gate.resolve() }
}
