import { ActorError } from '#actors/kernel/actor_error.ts'
import type { Agent } from '#actors/values/agent.ts'
import type { Operation } from '#log/store/store.ts'
import { encodeBase64 } from '#log/tlog/encoding.ts'
import { assert, CodedError } from '#log/tlog/errors.ts'

/**
 * An event as a rule decides it: past tense `type`, the facts in `data`. `data` must be plain JSON
 * and never changes once committed, but for what an erasure removes; `schema` numbers its shape so
 * that old rows can be upcast.
 */
export type NewEvent = {
  readonly type: string
  readonly schema: number
  readonly by: Agent
  /**
   * The client's name for the request (with its owner before it) and its body's SHA-256 in hex;
   * `batch` is what the requests of one import, or of one bulk request, have in common; `bulk` says
   * that histories tell them as one thing.
   */
  readonly idempotency?: {
    readonly key: string
    readonly body_hash: string
    readonly batch?: string
    readonly bulk?: true
  }
  readonly data: unknown
}

/** An event of one type, as the room of its stream declares it: all are of their first shape. */
export type EventOf<Type extends string, Data> = NewEvent & {
  readonly type: Type
  readonly schema: 1
  readonly data: Data
}

/**
 * An event as the journal holds it. `position` is its place in the journal (from 0, no gaps),
 * `seq` its place in its stream (from 1, no gaps), `previous` the position of the stream's event
 * before it (-1 for the first), `leafIndex` the index of its first log entry (-1 if it proves
 * nothing), `entryCount` how many entries it has.
 */
export type JournalEvent = NewEvent & {
  readonly position: number
  readonly stream: string
  readonly seq: number
  readonly previous: number
  readonly at: string
  readonly leafIndex: number
  readonly entryCount: number
}

/**
 * One change of one stream, committed whole or refused whole. `expectedSeq` is the `seq` of the
 * stream's newest event (0: the stream must not exist). `at` is `YYYY-MM-DDThh:mm:ss.sssZ` and may
 * not lie before the newest committed event. `unique` are keys of view rows that must not exist
 * yet; the events' own views write them. A row of the value `replaces` has had its time: it is
 * replaced, and does not count. `entries` are log entries: all belong to the first event.
 */
export type Proposal = {
  readonly stream: string
  readonly expectedSeq: number
  readonly at: string
  readonly events: readonly NewEvent[]
  readonly unique: readonly string[]
  readonly replaces?: string
  readonly entries: readonly Uint8Array[]
}

/**
 * The proposal is durable, integrated and covered by a signed checkpoint of `treeSize`. Its first
 * entry, if it has one, is the leaf `leafIndex`.
 */
export type Committed = {
  readonly type: 'committed'
  readonly events: readonly JournalEvent[]
  readonly leafIndex: number
  readonly treeSize: number
}

/**
 * Why a proposal was not committed; nothing of it was written. `stale`: the stream has moved on;
 * `late`: `at` lies before the newest event, or too long ago, and `earliest` is the first time that
 * does not; `taken`: a unique row exists, `holder` is its value.
 */
export type ProposalRefused =
  | { readonly type: 'stale'; readonly seq: number }
  | { readonly type: 'late'; readonly earliest: string }
  | { readonly type: 'taken'; readonly key: string; readonly holder: string }

/**
 * Follows the journal. `published` tells it what was committed, and how many events there are now,
 * before anybody is answered who asked for that: it returns at once, and reads nothing. `close`
 * ends what it does of its own after what it is at.
 */
export type Follower = {
  published(newest: readonly JournalEvent[], events: number): void
  close?(): Promise<void>
}

/**
 * Every way in which a journal that several nodes share fails. `malformed_batch`: a message that is
 * none; `journal_gap`: a batch does not follow what is here; `journal_forked`: the same batch leads
 * to something else here, or what is here is not in the journal; `journal_rolled_back`: the journal
 * is shorter than what is here, or is another one; `journal_shared`: a store is one of several, and
 * was opened as if it were the only one; `unknown_event`: a newer program has written an event.
 */
export type JournalErrorCode =
  | 'malformed_batch'
  | 'journal_gap'
  | 'journal_forked'
  | 'journal_rolled_back'
  | 'journal_shared'
  | 'unknown_event'

/**
 * A fault of the journal. It ends the node: nothing is signed after it, and nothing is mended by
 * itself. `message` says what was found and what to do.
 */
export class JournalError extends CodedError<JournalErrorCode> {
  override readonly name: string = 'JournalError'
}

/** What who proposes at a node that does not lead is told: nothing was written. */
export function notLeading(): ActorError {
  return new ActorError('stopped', 'this node does not lead')
}

/** What is told of a proposal that may have become part of the journal. */
export function unknownOutcome(): ActorError {
  return new ActorError('lost', 'it is not known whether this was written')
}

/** A proposal that was accepted: what must be unique was judged before. */
export type AcceptedProposal = Omit<Proposal, 'unique' | 'replaces'>

/**
 * What one commit adds to the journal, and what it leads to. With the rows before it, it is all
 * that another store needs to become the same: views and tree follow from it.
 */
export type JournalBatch = {
  /** Events before it. */
  readonly position: number
  /** In the order in which they were accepted; their times never go back. */
  readonly proposals: readonly AcceptedProposal[]
  /** Rows that follow from no event, written before those that do. */
  readonly maintenance: readonly Operation[]
  /** The map leaf that its entries begin with. */
  readonly mapLeaf?: Uint8Array
  /** The log once the batch is written: how many leaves there are, and their root, 32 bytes. */
  readonly treeSize: number
  readonly rootHash: Uint8Array
}

/**
 * A batch on its way between stores: `log` is the verifier key of the log that it is of, `previous`
 * the digest of the message before it.
 */
export type BatchMessage = {
  readonly batch: JournalBatch
  readonly log: string
  readonly previous: string
}

/**
 * Number of the format of messages: what carries another one is refused. Versions of before there
 * were map leaves know the first alone, in which everything without one is sent.
 */
const format = { plain: 1, withMapLeaf: 2 } as const

/** Bytes before the facts: how many bytes the facts have, big-endian. */
const lengthBytes = 4

/** A row as JSON: its bytes as Base64, or null where it is deleted. */
type RowFacts = { readonly key: string; readonly value: string | null }

/** A message but for the bytes of its entries, whose lengths stand in place of them. */
type Facts = {
  readonly format: (typeof format)[keyof typeof format]
  readonly log: string
  readonly previous: string
  readonly position: number
  readonly tree_size: number
  readonly root_hash: string
  /** As Base64. */
  readonly map_leaf?: string
  readonly asides: readonly RowFacts[]
  readonly proposals: readonly (Omit<AcceptedProposal, 'entries'> & {
    readonly entries: readonly number[]
  })[]
}

/**
 * Spells a message: the length of its facts (4 bytes, big-endian), the facts as JSON, then the
 * bytes of all entries one after the other.
 */
export function encodeBatch({ batch, log, previous }: BatchMessage): Buffer {
  const facts: Facts = {
    format: batch.mapLeaf === undefined ? format.plain : format.withMapLeaf,
    log,
    previous,
    position: batch.position,
    tree_size: batch.treeSize,
    root_hash: Buffer.from(batch.rootHash).toString('hex'),
    ...(batch.mapLeaf && { map_leaf: encodeBase64(batch.mapLeaf) }),
    asides: batch.maintenance.map((row) => {
      return { key: row.key, value: row.type === 'put' ? encodeBase64(row.value) : null }
    }),
    proposals: batch.proposals.map(({ stream, expectedSeq, at, events, entries }) => {
      return { stream, expectedSeq, at, events, entries: entries.map(({ length }) => length) }
    }),
  }
  const text = Buffer.from(JSON.stringify(facts))
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, text, ...batch.proposals.flatMap(({ entries }) => entries)])
}

/** Reads a message. Errors: `malformed_batch`. */
export function decodeBatch(message: Uint8Array): BatchMessage {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length)
  try {
    const end = lengthBytes + bytes.readUInt32BE(0)
    assert(end <= bytes.length, 'the facts end within the message')
    const facts = JSON.parse(bytes.toString('utf8', lengthBytes, end)) as Facts
    const isKnown = Object.values(format).includes(facts.format)
    assert(isKnown, `it is of format ${format.plain} or ${format.withMapLeaf}`)
    const { log, previous } = facts
    return { batch: batchOf(facts, bytes.subarray(end)), log, previous }
  } catch (cause) {
    const advice = 'all nodes must run versions of Arklog that know each other’s messages'
    const text = `a batch of the journal cannot be read: ${(cause as Error).message}; ${advice}`
    throw new JournalError('malformed_batch', text, { cause })
  }
}

function batchOf(facts: Facts, entryBytes: Uint8Array): JournalBatch {
  let at = 0
  const next = (length: number) => entryBytes.subarray(at, (at += length))
  const proposals = facts.proposals.map((proposal) => {
    return { ...proposal, entries: proposal.entries.map(next) }
  })
  assert(at === entryBytes.length, 'the entries are as long as the facts say')
  const maintenance = facts.asides.map(({ key, value }): Operation => {
    if (value === null) return { type: 'del', key }
    return { type: 'put', key, value: bytesOf(value) }
  })
  const { position, tree_size: treeSize } = facts
  const rootHash = Buffer.from(facts.root_hash, 'hex')
  const mapLeaf = facts.map_leaf === undefined ? {} : { mapLeaf: bytesOf(facts.map_leaf) }
  return { position, proposals, maintenance, ...mapLeaf, treeSize, rootHash }
}

function bytesOf(base64: string): Uint8Array {
  return Buffer.from(base64, 'base64')
}
