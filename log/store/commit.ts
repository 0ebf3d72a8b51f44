import { signCheckpoint } from '#log/tlog/checkpoint.ts'
import { entryBytesMax, expandTile, tileWidth } from '#log/tlog/tile.ts'
import { assert, LogError } from '#log/tlog/errors.ts'
import { emptyRootHash, hashBytes, leafHash } from '#log/tlog/hash.ts'
import { checkpointKey, entryKey, leafKey, tileKey } from '#log/store/log_rows.ts'
import type { LogSigner } from '#log/tlog/note.ts'
import { checkConsistency } from '#log/tlog/proof.ts'
import {
  type Appended,
  appendLeaves,
  edgeRoot,
  emptyEdge,
  type FullTile,
  readAppended,
  type RightEdge,
} from '#log/store/right_edge.ts'
import type { Operation } from '#log/store/store.ts'
import { proveConsistency } from '#log/tlog/tree.ts'

/** The state of a log that the next commit extends. `checkpoint` is the signed note of it. */
export type LogHead = {
  readonly edge: RightEdge
  readonly treeSize: number
  readonly rootHash: Uint8Array
  readonly checkpoint: string
}

/** What one commit writes, and the head that holds once it is written. */
export type CommitPlan = {
  readonly operations: readonly Operation[]
  readonly next: LogHead
  /** The leaf hashes of the entries, 32 bytes each, one after the other. */
  readonly leafHashes: Uint8Array
}

/** A tree that was computed elsewhere from the same entries. */
export type AgreedTree = { readonly treeSize: number; readonly rootHash: Uint8Array }

/** The head of an empty log. */
export function emptyHead(signer: LogSigner): LogHead {
  return makeHead(emptyEdge, emptyRootHash, signer)
}

/**
 * Plans the commit of entries: (1) hash what will be stored, (2) compute the new root, (3) prove
 * that the signed tree is a prefix of the new one, and check each tile that is full, (4) sign. The
 * caller writes `operations` with its own rows in one synced batch, and only when that has returned
 * shows `next` to anyone: until then the signature must not leave the process. If the write fails
 * its outcome is unknown: the process must end, and what it reads at its next start decides.
 *
 * Nothing is changed here: `head` remains what it was, and a plan may be dropped. Without entries
 * there is nothing to sign and `next` is `head`. Where the tree was computed elsewhere too, nothing
 * is signed but the very same one, `agreed`. Errors: `entry_too_large`; `log_inconsistent` if the
 * trees differ, or the memory of this process has gone bad.
 */
export function planCommit(
  head: LogHead,
  entries: readonly Uint8Array[],
  signer: LogSigner,
  agreed?: AgreedTree,
): CommitPlan {
  if (entries.length === 0) {
    if (agreed !== undefined) checkAgreed(head, agreed)
    return { operations: [], next: head, leafHashes: new Uint8Array(0) }
  }
  const leafHashes = hashEntries(entries)
  const appended = appendLeaves(head.edge, leafHashes)
  const rootHash = edgeRoot(appended.edge)
  if (agreed !== undefined) checkAgreed({ treeSize: appended.edge.treeSize, rootHash }, agreed)
  checkPrefix(head, appended, rootHash)
  for (const tile of appended.tiles) checkTile(tile)
  const next = makeHead(appended.edge, rootHash, signer)
  const operations = entryRows(head.treeSize, entries, leafHashes)
  for (const { level, index, nodes } of appended.tiles) {
    operations.push(put(tileKey(level, index), nodes))
  }
  operations.push(put(checkpointKey(next.treeSize), Buffer.from(next.checkpoint)))
  return { operations, next, leafHashes }
}

function hashEntries(entries: readonly Uint8Array[]): Uint8Array {
  const hashes = new Uint8Array(entries.length * hashBytes)
  let at = 0
  for (const entry of entries) {
    if (entry.length > entryBytesMax) throw tooLarge(entry)
    hashes.set(leafHash(entry), at)
    at += hashBytes
  }
  return hashes
}

function tooLarge(entry: Uint8Array): LogError {
  const message = `an entry of ${entry.length} bytes is longer than ${entryBytesMax}`
  return new LogError('entry_too_large', message)
}

// Two signed heads of which neither extends the other are the end of a log, so the proof that any
// witness would ask for is made and checked before there is a signature.
function checkPrefix(head: LogHead, appended: Appended, rootHash: Uint8Array): void {
  assert(head.treeSize === head.edge.treeSize, 'a head is of the tree of its edge')
  if (head.treeSize === 0) return
  const from = head.treeSize
  const to = appended.edge.treeSize
  const proof = proveConsistency(from, to, readAppended(appended))
  try {
    checkConsistency({ from, to, fromRoot: head.rootHash, toRoot: rootHash, proof })
  } catch (cause) {
    throw badMemory(`the tree of ${to} entries does not extend the signed tree of ${from}`, cause)
  }
}

function checkAgreed(found: AgreedTree, agreed: AgreedTree): void {
  const isSame = Buffer.compare(found.rootHash, agreed.rootHash) === 0
  if (isSame && found.treeSize === agreed.treeSize) return
  const told = ({ treeSize, rootHash }: AgreedTree) =>
    `${treeSize} entries with the root ${Buffer.from(rootHash).toString('base64')}`
  const message = `the tree has ${told(found)} here, and ${told(agreed)} elsewhere`
  throw new LogError('log_inconsistent', `${message}: nothing was signed or written`)
}

// A full tile is written for good. One bit that flipped in it since its hashes were computed would
// leave leaves that no proof leads to, under a root that is signed: it has ended a real log.
function checkTile({ level, index, nodes }: FullTile): void {
  const recomputed = expandTile(nodes.subarray(0, tileWidth * hashBytes))
  if (Buffer.compare(recomputed, nodes) === 0) return
  throw badMemory(`tile ${level}/${index} has a node that is not the hash of those below it`)
}

function badMemory(reason: string, cause?: unknown): LogError {
  const advice = 'check the memory of this machine, then start the service again'
  const message = `${reason}: nothing was signed or written; ${advice}`
  return new LogError('log_inconsistent', message, { cause })
}

function makeHead(edge: RightEdge, rootHash: Uint8Array, signer: LogSigner): LogHead {
  const { treeSize } = edge
  const checkpoint = signCheckpoint({ origin: signer.keyName, treeSize, rootHash }, signer)
  return { edge, treeSize, rootHash, checkpoint }
}

function entryRows(
  start: number,
  entries: readonly Uint8Array[],
  leafHashes: Uint8Array,
): Operation[] {
  const rows: Operation[] = []
  entries.forEach((entry, at) => {
    const hash = leafHashes.subarray(at * hashBytes, (at + 1) * hashBytes)
    rows.push(put(entryKey(start + at), entry), put(leafKey(hash, start + at), noBytes))
  })
  return rows
}

const noBytes = new Uint8Array(0)

function put(key: string, value: Uint8Array): Operation {
  return { type: 'put', key, value }
}
