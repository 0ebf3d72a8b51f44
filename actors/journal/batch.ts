import { encodeBase64 } from '#log/tlog/encoding.ts'
import { JournalError, type Proposal } from '#actors/journal/journal.ts'
import { assert } from '#log/tlog/errors.ts'
import type { Operation } from '#log/store/store.ts'

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
