import type { Committed, Proposal, ProposalRefused } from '#actors/journal/journal.ts'
import { JournalMember } from '#actors/journal/member.ts'
import { decodeJournalRow, type JournalHead, journalKey } from '#actors/journal/pool.ts'
import type { MapLeaves } from '#actors/journal/sequencer.ts'
import type { SharedStream } from '#actors/journal/shared_stream.ts'
import { registryProjection } from '#actors/registry/views.ts'
import { ed25519Keys, noteSigner, noteVerifier } from '#log/tlog/ed25519.ts'
import { ed25519Type, formatVkey } from '#log/tlog/note.ts'
import { type LogOptions, openLog } from '#log/store/open_log.ts'
import type { Store } from '#log/store/store.ts'
import { rightClock } from '#test/actors/_clock.ts'
import { demo } from '#test/actors/_environment.ts'

/** When everything happens there. */
const journalTime = '2026-11-21T00:00:00.000Z'

/** A node that takes part in a journal, but for what it does besides. */
export type JournalNode = {
  readonly store: Store
  readonly member: JournalMember
  /** Why it has stopped: what it was told by the journal or by its store. */
  failure(): unknown
  propose(proposal: Proposal): Promise<Committed | ProposalRefused>
}

/**
 * What a node is made of. `origin` is the log's; `hasRoom` says whether its disk has; `shown` hears
 * of each head that it publishes.
 */
export type JournalNodeOptions = {
  readonly store: Store
  readonly shared: SharedStream
  readonly create: boolean
  readonly origin?: string
  readonly hasRoom?: () => boolean
  /** Whether its lease says that it leads: as in a journal, two may be told so. */
  readonly holdsLead?: () => boolean
  readonly shown?: (head: JournalHead) => void
  readonly map?: MapLeaves
}

/** The log of a journal: the same on all nodes. */
export function journalLog(origin = 'registry.example/log'): Omit<LogOptions, 'create'> {
  const key = ed25519Keys.fromSeed(Buffer.alloc(32, 1))
  const signer = noteSigner(origin, key)
  const vkey = formatVkey(origin, ed25519Type, key.publicKey)
  const verifier = noteVerifier(vkey)
  const made = { createdAt: journalTime, writeBufferBytes: 1_024 }
  return { kind: 'registry', origin, signer, verifier, vkey, ...made }
}

/** Opens a store and lets it take part. */
export async function openJournalNode({
  store,
  shared,
  create,
  origin,
  hasRoom = () => true,
  holdsLead = () => true,
  shown = () => undefined,
  map,
}: JournalNodeOptions): Promise<JournalNode> {
  const { signer, vkey, ...of } = journalLog(origin)
  const log = await openLog(store, { ...of, signer, vkey, create })
  let failure: unknown
  const fail = (error: unknown) => (failure = error)
  const member = new JournalMember({
    store,
    log: vkey,
    shared,
    signer,
    projection: registryProjection,
    head: { ...decodeJournalRow(store.get(journalKey)), log },
    poolEntriesMax: 64,
    hasRoom,
    holdsLead,
    published: shown,
    kept: () => undefined,
    led: () => undefined,
    stopped: fail,
    fatal: fail,
    clock: rightClock(() => Date.parse(journalTime)),
    map,
  })
  member.start()
  const propose = (proposal: Proposal) =>
    new Promise<Committed | ProposalRefused>((resolve, reject) => {
      member.receive({ type: 'propose', proposal, reply: { resolve, reject } })
    })
  return { store, member, failure: () => failure, propose }
}

/** Makes an organization once, with an entry of its own in the log. */
export function creationOf(slug: string, entry: string): Proposal {
  const data = { slug, name: entry, aliases: [] }
  return {
    stream: `organization/${slug}`,
    expectedSeq: 0,
    at: journalTime,
    events: [{ type: 'OrganizationCreated', schema: 1, by: demo, data }],
    unique: [],
    entries: [Buffer.from(entry)],
  }
}

/** Gives an organization that has so many events another description. */
export function updateOf(slug: string, expectedSeq: number): Proposal {
  const profile = { slug, name: `Version ${expectedSeq + 1}`, aliases: [] }
  const data = { changed_fields: ['name'], profile }
  return {
    stream: `organization/${slug}`,
    expectedSeq,
    at: journalTime,
    events: [{ type: 'OrganizationUpdated', schema: 1, by: demo, data }],
    unique: [],
    entries: [],
  }
}
