import { beginning, messageDigest, type SharedStream } from '#actors/journal/shared_stream.ts'
import {
  type ChangePlace,
  decodeChange,
  encodeChange,
  foreignRows,
  gap,
  type LocalRows,
  SharedChanges,
  type SharedChangesOptions,
  undecided,
} from '#src/identity/store/shared_changes.ts'

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

/** What the watch over a node's contact needs. */
export type ContactOptions = {
  /** How long ago this node may last have known all that others have changed, in milliseconds. */
  readonly boundMs: number
  /** Milliseconds of a clock that only goes forward, and is the same on all threads. */
  readonly elapsedMs: () => number
  /** Resolves when all is here that was acknowledged to anybody before; rejects after so long. */
  readonly catchUp: (patienceMs: number) => Promise<void>
  /** Whether most of the servers are in contact with this node, as it has last heard. */
  readonly isConnected: () => boolean
}

/** Until when, on the clock of all threads, this node knows enough: one number. */
export type KnownUntil = BigInt64Array

/** How often in the time of its bound a node asks, and which part of it an answer may take. */
const asksPerBound = 4
const answerShare = 1 / 2

/**
 * Whether a node knows what others have revoked, but for what came within its bound. Contact is
 * counted from before the question to which there was an answer, so a node that is cut off, or
 * stood still, is out of contact by its own clock.
 */
export class Contact {
  readonly knownUntil: KnownUntil = new BigInt64Array(
    new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT),
  )
  readonly #options: ContactOptions
  #next: NodeJS.Timeout | undefined
  #isOpen = true

  constructor(options: ContactOptions) {
    this.#options = options
  }

  /** Asks once, and from then on by itself, until it is closed. */
  async start(): Promise<void> {
    await this.#ask()
    if (!this.#isOpen) return
    const waitMs = this.#options.boundMs / asksPerBound
    this.#next = setTimeout(() => void this.start(), waitMs).unref()
  }

  close(): void {
    this.#isOpen = false
    clearTimeout(this.#next)
  }

  async #ask(): Promise<void> {
    const { boundMs, elapsedMs, catchUp, isConnected } = this.#options
    const askedMs = elapsedMs()
    try {
      await catchUp(boundMs * answerShare)
      // A server that has lost the others answers for a while as though it had not.
      if (!isConnected()) return
      Atomics.store(this.knownUntil, 0, BigInt(Math.floor(askedMs + boundMs)))
    } catch {
      // That there was no answer shows once the bound is over.
    }
  }
}

/** Whether a node knows enough at this moment. */
export function isWithin(knownUntil: KnownUntil, elapsedMs: () => number): boolean {
  return elapsedMs() <= Number(Atomics.load(knownUntil, 0))
}
