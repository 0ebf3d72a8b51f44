import { beginning, messageDigest, type SharedStream } from '#actors/journal/shared_stream.ts'
import { decodeChange, encodeChange } from '#src/identity/store/change_message.ts'
import { Contact } from '#src/identity/store/contact.ts'
import type { ChangePlace, LocalRows } from '#src/identity/store/local_rows.ts'
import { SharedChanges, type SharedChangesOptions } from '#src/identity/store/shared_changes.ts'
import { foreignRows, gap, undecided } from '#src/identity/store/shared_changes_fault.ts'

/** What the nodes of a cluster have in common of their identity stores, as one reaches it. */
export type SharedIdentity = {
  /** The stream that orders the changes of all nodes. */
  readonly stream: SharedStream
  /** Milliseconds of a clock that only goes forward, and is the same on all threads. */
  readonly elapsedMs: () => number
  /** For how long a change is tried, and what others have written is waited for. */
  readonly patienceMs: number
  /** Without contact for longer, credentials are refused: what was revoked is not known. */
  readonly contactMs: number
  /** Whether most of the servers are in contact with this node, as it has last heard. */
  readonly isConnected: () => boolean
  /** Called once, when the stream and this store are not of one history: the node must stop. */
  readonly stopped: (error: unknown) => void
}

/** A node's part in what several of them share: it is watched whether it is in contact. */
export type SharedPart = {
  readonly changes: SharedChanges
  readonly contact: Contact
  readonly elapsedMs: () => number
}

/**
 * Takes part with the rows of a node, which are then as the stream has them now. The first node
 * makes its rows what all begin with; another one has to bring the very same, or rows that have a
 * place. `sealKey` as in `SharedChangesOptions`. IdentityErrors as for `stopped`, and
 * `identity_undecided`, `identity_stale`.
 */
export async function takePart(
  shared: SharedIdentity,
  rows: LocalRows,
  sealKey: Uint8Array,
): Promise<SharedPart> {
  const { elapsedMs, contactMs: boundMs, isConnected } = shared
  const options = { ...shared, rows, sealKey }
  const changes = new SharedChanges(options, rows.place() ?? (await enter(options)))
  await changes.start()
  const catchUp = (patienceMs: number) => changes.caughtUp(patienceMs)
  const contact = new Contact({ boundMs, elapsedMs, isConnected, catchUp })
  await contact.start()
  return { changes, contact, elapsedMs }
}

async function enter(options: SharedChangesOptions): Promise<ChangePlace> {
  const { stream, rows, sealKey, patienceMs } = options
  const begins = await rows.digest()
  const none = { part: 1, parts: 1, rows: [], purged: [], judged: 0 }
  const own = encodeChange(sealKey, { previous: beginning.digest, ...none, begins })
  const signal = AbortSignal.timeout(patienceMs)
  const outcome = await stream.append(own, beginning.sequence, signal)
  if (outcome === 'undecided') throw undecided()
  const first = outcome === 'appended' ? own : await stream.at(1, signal)
  if (first === undefined) throw gap(1, 2)
  if (decodeChange(sealKey, first).begins !== begins) throw foreignRows()
  const place = { sequence: 1, digest: messageDigest(first), judged: 0 }
  await rows.write([], place)
  return place
}
