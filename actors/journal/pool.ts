import {
  decodeRow,
  encodeEvent,
  eventKey,
  Overlay,
  type Projection,
  readEventRow,
  readOnce,
  type ReadRow,
  type StreamRow,
} from '#actors/journal/rows.ts'
import type {
  Committed,
  JournalEvent,
  NewEvent,
  Proposal,
  ProposalRefused,
} from '#actors/journal/journal.ts'
import { type AgreedTree, type LogHead, planCommit } from '#log/store/commit.ts'
import { checkEntry } from '#log/tlog/tile.ts'
import { assert } from '#log/tlog/errors.ts'
import type { Signer } from '#log/tlog/note.ts'
import type { Operation } from '#log/store/store.ts'

/** Key of the row that says how far the journal goes. */
export const journalKey = 'journal'

/** Where journal and log stand: the next position, the newest event's time, the log's head. */
export type JournalHead = {
  readonly position: number
  readonly newestAt: string
  readonly log: LogHead
}

/** A proposal that could not be judged, for instance because a row it needs is corrupt. */
export type FailedProposal = { readonly type: 'failed'; readonly error: unknown }

export type PoolAnswer = Committed | ProposalRefused | FailedProposal

/** What one commit will write, what it answers to each proposal, and the head it leads to. */
export type PoolPlan = {
  readonly operations: readonly Operation[]
  /** Of the proposals from the first on; the others were left for the next commit. */
  readonly answers: readonly PoolAnswer[]
  readonly events: readonly JournalEvent[]
  /** The proposals that were accepted, in their order. */
  readonly accepted: readonly Proposal[]
  /** The map leaf that the entries begin with. */
  readonly mapLeaf: Uint8Array | undefined
  readonly next: JournalHead
}

/** What one commit takes. */
export type PoolLimits = {
  /** What was proposed before this time is late. */
  readonly notBefore: string
  /** Bytes of events after which no further proposal is taken; one always is. */
  readonly eventBytesMax: number
}

/** What a commit is planned with: the rows that are there, and what makes further ones. */
export type PoolSources = {
  readonly read: ReadRow
  readonly signer: Signer
  readonly projection: Projection
}

/** A proposal's answer while the size of the tree is not known yet. */
type DraftAnswer =
  | {
      readonly type: 'accepted'
      readonly events: readonly JournalEvent[]
      readonly leafIndex: number
    }
  | ProposalRefused
  | FailedProposal

/**
 * The plan of a commit in the making: orders proposals, refuses the stale, the late and the taken,
 * projects the views and integrates the entries. Writes nothing: rows are read through `read`, as
 * they stand at `head`, and a later proposal sees the rows of an earlier one.
 */
export class PoolDraft {
  /** What the commit follows. */
  readonly head: JournalHead
  readonly #committed: ReadRow
  readonly #projection: Projection
  readonly #signer: Signer
  readonly #pool: Overlay
  readonly #limits: PoolLimits
  readonly #answers: DraftAnswer[] = []
  readonly #entries: Uint8Array[] = []
  /** After how many entries a checkpoint is signed, beside the last one. */
  readonly #mapSizes: number[] = []
  readonly #events: JournalEvent[] = []
  readonly #accepted: Proposal[] = []
  #oldestAt: string | undefined
  #newestAt: string
  #eventBytes = 0

  constructor(head: JournalHead, { read, projection, signer }: PoolSources, limits: PoolLimits) {
    this.#limits = limits
    this.head = head
    this.#committed = read
    this.#projection = projection
    this.#signer = signer
    this.#pool = new Overlay(readOnce(read))
    this.#newestAt = head.newestAt
  }

  /** Proposals that were taken, whatever the answer to them is. */
  get taken(): number {
    return this.#answers.length
  }

  /** Reads rows as they will stand once what was taken is written. */
  get read(): ReadRow {
    return this.#pool.read
  }

  /** Takes a map leaf of the log: a checkpoint that ends with it is signed, too. */
  takeMapLeaf(leaf: Uint8Array): void {
    this.#entries.push(leaf)
    this.#mapSizes.push(this.#entries.length)
  }

  /** Takes the next proposal and judges it; false if the commit takes no more. */
  take(proposal: Proposal): boolean {
    if (this.#eventBytes >= this.#limits.eventBytesMax) return false
    this.#answers.push(this.#answer(proposal))
    return true
  }

  /** Whether nothing that was accepted is from before a time: their times never go back. */
  isSince(notBefore: string): boolean {
    return this.#oldestAt === undefined || this.#oldestAt >= notBefore
  }

  #answer(proposal: Proposal): DraftAnswer {
    try {
      return this.#judge(proposal)
    } catch (error) {
      return { type: 'failed', error }
    }
  }

  #judge(proposal: Proposal): DraftAnswer {
    const stream = decodeRow<StreamRow>(this.#pool.read(proposal.stream))
    const seq = stream?.seq ?? 0
    if (seq !== proposal.expectedSeq) return { type: 'stale', seq }
    const { notBefore } = this.#limits
    const earliest = this.#newestAt > notBefore ? this.#newestAt : notBefore
    if (proposal.at < earliest) return { type: 'late', earliest }
    for (const key of proposal.unique) {
      const row = this.#pool.read(key)
      const holder = row && Buffer.from(row).toString('utf8')
      if (holder === undefined || holder === proposal.replaces) continue
      return { type: 'taken', key, holder }
    }
    for (const entry of proposal.entries) checkEntry(entry)
    return this.#accept(proposal, stream)
  }

  // One that fails half-way leaves nothing behind: the rows of several events are gathered apart,
  // and those of one, as most proposals have, are put when all of them are known.
  #accept(proposal: Proposal, before: StreamRow | undefined): DraftAnswer {
    const isOne = proposal.events.length === 1
    const rows = isOne ? this.#pool : new Overlay(this.#pool.read)
    const events: JournalEvent[] = []
    let stream = before
    let eventBytes = 0
    for (const draft of proposal.events) {
      const event = this.#place(proposal, draft, events.length, stream)
      const view = this.#projection.project(stream, event, rows.read)
      const row = encodeEvent(event)
      const rewritten = this.#projection.rewrite(event, (at) => this.#eventRow(at, rows))
      rows.apply(view.operations)
      rows.put(eventKey(event.position), row)
      rows.apply(rewritten)
      eventBytes += row.length
      events.push(event)
      stream = view.stream
    }
    const leafIndex = this.head.log.treeSize + this.#entries.length
    if (!isOne) this.#pool.absorb(rows)
    this.#eventBytes += eventBytes
    this.#events.push(...events)
    this.#entries.push(...proposal.entries)
    this.#accepted.push(proposal)
    this.#oldestAt ??= proposal.at
    this.#newestAt = proposal.at
    return { type: 'accepted', events, leafIndex }
  }

  // What is committed is read past the rows of the pool, which remember all that is read by them.
  #eventRow(position: number, rows: Overlay): Uint8Array {
    return readEventRow(position, position < this.head.position ? this.#committed : rows.read)
  }

  #place(
    proposal: Proposal,
    draft: NewEvent,
    index: number,
    stream: StreamRow | undefined,
  ): JournalEvent {
    const entryCount = index === 0 ? proposal.entries.length : 0
    return {
      ...draft,
      position: this.head.position + this.#events.length + index,
      stream: proposal.stream,
      seq: (stream?.seq ?? 0) + 1,
      previous: stream?.newest ?? -1,
      at: proposal.at,
      leafIndex: entryCount > 0 ? this.head.log.treeSize + this.#entries.length : -1,
      entryCount,
    }
  }

  /** The first refusal or failure among the answers so far. */
  get refusal(): ProposalRefused | FailedProposal | undefined {
    return this.#answers.find((answer) => answer.type !== 'accepted')
  }

  /** The plan of what was taken; `agreed` is the tree that it led to elsewhere. */
  finish(agreed?: AgreedTree): PoolPlan {
    const { operations, log } = this.#integrate(agreed)
    const position = this.head.position + this.#events.length
    const next = { position, newestAt: this.#newestAt, log }
    if (this.#events.length > 0) this.#pool.put(journalKey, encodeJournalRow(next))
    const { treeSize } = log
    return {
      operations: operations.concat(this.#pool.operations()),
      answers: this.#answers.map((answer) =>
        answer.type === 'accepted' ? { ...answer, type: 'committed', treeSize } : answer,
      ),
      events: this.#events,
      accepted: this.#accepted,
      mapLeaf: this.#mapSizes[0] === 1 ? this.#entries[0] : undefined,
      next,
    }
  }

  /** The rows of the entries, and the log with them. */
  #integrate(agreed?: AgreedTree): { readonly operations: Operation[]; readonly log: LogHead } {
    const operations: Operation[] = []
    let { log } = this.head
    let start = 0
    for (const end of this.#mapSizes) {
      const commit = planCommit(log, this.#entries.slice(start, end), this.#signer)
      operations.push(...commit.operations)
      log = commit.next
      start = end
    }
    const commit = planCommit(log, this.#entries.slice(start), this.#signer, agreed)
    return { operations: operations.concat(commit.operations), log: commit.next }
  }
}

/** The journal row: how many events there are and the time of the newest. */
type JournalRow = { readonly events: number; readonly newest_at: string }

function encodeJournalRow(head: JournalHead): Buffer {
  const row: JournalRow = { events: head.position, newest_at: head.newestAt }
  return Buffer.from(JSON.stringify(row))
}

/** Where the journal stands as its row says; a store without the row holds an empty journal. */
export function decodeJournalRow(row: Uint8Array | undefined): {
  readonly position: number
  readonly newestAt: string
} {
  if (row === undefined) return { position: 0, newestAt: '' }
  const { events, newest_at } = JSON.parse(Buffer.from(row).toString('utf8')) as JournalRow
  assert(Number.isSafeInteger(events) && events >= 0, 'the journal row counts its events')
  return { position: events, newestAt: newest_at }
}
