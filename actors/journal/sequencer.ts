import {
  type Committed,
  type JournalBatch,
  JournalError,
  type JournalEvent,
  type Proposal,
  type ProposalRefused,
  unknownOutcome,
} from '#actors/journal/journal.ts'
import {
  type JournalHead,
  type PoolAnswer,
  PoolDraft,
  type PoolPlan,
} from '#actors/journal/pool.ts'
import { Overlay, type Projection, readerOf, type ReadRow } from '#actors/journal/rows.ts'
import type { Appended } from '#actors/journal/shared_stream.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import type { Reply } from '#actors/kernel/kernel.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import type { LiveMap } from '#log/store/live_map.ts'
import type { Operation, ReadStore, Store } from '#log/store/store.ts'
import type { Signer } from '#log/tlog/note.ts'

/**
 * Where the batches of one sequencer become certain, one after the other. Of one that is not
 * appended no row is written here.
 */
export type Journal = {
  /**
   * Makes a batch the next one of the journal, and its rows durable here in one write. When it
   * rejects, it is unknown which rows are there: the process must end, and start again from what it
   * reads.
   */
  append(batch: JournalBatch, operations: readonly Operation[]): Promise<Appended>
}

/** The journal of a store that nobody else writes: its rows are all there is of a batch. */
export function ownJournal(store: Pick<Store, 'commit'>): Journal {
  return {
    async append(_batch, operations) {
      await store.commit(operations)
      return 'appended'
    },
  }
}

/** What the sequencer understands. */
export type SequencerMessage =
  | {
      readonly type: 'propose'
      readonly proposal: Proposal
      readonly reply: Reply<Committed | ProposalRefused>
    }
  /**
   * Settles what came before a time, `YYYY-MM-DDThh:mm:ss.sssZ`: nothing of an earlier one is taken
   * any more, and the answer comes when all is published that was.
   */
  | { readonly type: 'settle'; readonly before: string; readonly reply: Reply<void> }
  /** Deletes rows that are about this store alone, and not in the journal of others. */
  | { readonly type: 'forget_here'; readonly keys: readonly string[] }
  /**
   * Writes rows that follow from no event, or deletes some, with the next batch; the answer comes
   * when that is written.
   */
  | { readonly type: 'keep'; readonly rows: readonly Operation[]; readonly reply: Reply<void> }
  /** Writes a map leaf, though nobody proposes anything, if one is still due. */
  | { readonly type: 'write_map_leaf' }
  /** Writes nothing any more after the batch that is being written: the history is not ours. */
  | { readonly type: 'stop'; readonly error: Error }

/** Makes the leaves of the map of a log, and judges those that were made elsewhere. */
export type MapLeaves = Pick<LiveMap, 'isDue' | 'nextLeaf' | 'checkLeaf'>

/**
 * What the sequencer needs: rows are read from `store`, and become certain by `journal`. `hasRoom`
 * says whether the disk has more than its reserve free, and `noRoom` what is answered while it has
 * not: by default, that who proposes is to wait. `published` is called after each commit, before
 * anyone is answered. `superseded` is called once, when another sequencer has gone on with the
 * journal, or may have: this one takes nothing any more. `fatal` is called once, when it is unknown
 * what was written here, or `published` has failed: the process must end, and start again from what
 * it reads.
 */
export type SequencerOptions = {
  readonly store: ReadStore
  readonly journal: Journal
  readonly signer: Signer
  readonly projection: Projection
  readonly head: JournalHead
  readonly poolEntriesMax: number
  /** What is older is settled already, by the sequencer before. */
  readonly notBefore?: string
  readonly hasRoom: () => boolean
  readonly noRoom?: ActorError
  readonly published: (head: JournalHead, events: readonly JournalEvent[]) => void
  /** Hears how long each batch took to become certain, in milliseconds of the clock. */
  readonly appended?: (tookMs: number) => void
  readonly superseded: () => void
  readonly fatal: (error: unknown) => void
  readonly clock: SequencerClock
  /** The map of the log; without it, commits begin with no map leaves. */
  readonly map?: MapLeaves | undefined
}

/** How old a proposal may be when its commit is planned: by then nobody waits for its answer. */
export const proposalAgeMsMax = 30_000

// Larger batches gain nothing: what they hold outlives the young garbage, and costs twice the time.
const commitProposalsMax = 512

/** Bytes of events of one commit, about: its planning holds up all else that its thread does. */
const commitEventBytesMax = 131_072

// An empty proposal still takes a place: the bound is on waiting work of either kind.
function sizeOf(proposal: Proposal): number {
  return Math.max(1, proposal.entries.length)
}

type Waiting = { readonly proposal: Proposal; readonly reply: Reply<Committed | ProposalRefused> }

/** Who waits until so many of all proposals that were ever admitted have left the pool. */
type Settling = { readonly admitted: number; readonly reply: Reply<void> }

/** Rows that follow from no event and go with the next batch, and who waits for them. */
type MaintenanceRows = { readonly rows: readonly Operation[]; readonly reply?: Reply<void> }

/** The batch that is being written: how many wait for its answers, and what it leads to. */
type Writing = {
  readonly proposals: number
  readonly operations: readonly Operation[]
  readonly next: JournalHead
}

/**
 * The single writer. It owns the pool, the head, and whether a batch is being written. There is no
 * timer: while one synced batch is written the next pool fills, and it goes when the write returns.
 * What comes meanwhile is judged at once, against the rows as that batch leaves them; it is
 * answered, and published, only after it was written itself.
 */
export class Sequencer {
  readonly #options: SequencerOptions
  #head: JournalHead
  readonly #pool: Waiting[] = []
  #maintenance: MaintenanceRows[] = []
  #poolEntries = 0
  /** Proposals that were ever admitted to the pool. */
  #admitted = 0
  /** What is older is late. */
  #notBefore: string
  readonly #settling: Settling[] = []
  #batch: Writing | undefined
  /** The plan of the batch after the one that is being written. */
  #ahead: PoolDraft | undefined
  #writing: Promise<void> | undefined
  #isMapLeafWanted = false
  #broken: ActorError | undefined
  #stopped: ActorError | undefined

  constructor(options: SequencerOptions) {
    this.#options = options
    this.#head = options.head
    this.#notBefore = options.notBefore ?? ''
  }

  /** Proposals that wait for a commit. */
  get pooled(): number {
    return this.#pool.length
  }

  /** Why nothing can be written here any more; undefined while all is well. */
  get broken(): ActorError | undefined {
    return this.#broken
  }

  receive(message: SequencerMessage): void {
    switch (message.type) {
      case 'propose':
        this.#admit({ proposal: message.proposal, reply: message.reply })
        break
      case 'settle':
        this.#settle(message.before, message.reply)
        break
      case 'forget_here':
        this.#keepRows({ rows: message.keys.map((key) => ({ type: 'del', key })) })
        break
      case 'keep':
        this.#keepRows({ rows: message.rows, reply: message.reply })
        break
      case 'write_map_leaf':
        this.#isMapLeafWanted = true
        break
      case 'stop':
        this.#stopAfterBatch(message.error)
        break
    }
    this.#writing ??= this.#write()
  }

  /** Takes nothing more than it was given already: further proposals are refused with `reason`. */
  stop(reason: ActorError): void {
    this.#stopped = reason
  }

  /** Resolves once everything admitted so far has been answered. */
  async idle(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing
  }

  /** What comes next is not dated before this time: it was committed, or told to be settled. */
  get #newestAt(): string {
    const { newestAt } = this.#head
    return newestAt > this.#notBefore ? newestAt : this.#notBefore
  }

  /** Why nothing is taken any more. */
  get #ended(): ActorError | undefined {
    return this.#broken ?? this.#stopped
  }

  #admit(waiting: Waiting): void {
    const ended = this.#ended
    if (ended !== undefined) return waiting.reply.reject(ended)
    const { at } = waiting.proposal
    if (at < this.#notBefore) {
      return waiting.reply.resolve({ type: 'late', earliest: this.#notBefore })
    }
    const ahead = whyAhead(this.#options.clock, at, this.#newestAt)
    if (ahead !== undefined) return waiting.reply.reject(ahead)
    const size = sizeOf(waiting.proposal)
    if (this.#poolEntries + size > this.#options.poolEntriesMax) {
      return waiting.reply.reject(new ActorError('overloaded', 'too many writes are waiting'))
    }
    this.#poolEntries += size
    this.#admitted += 1
    this.#pool.push(waiting)
    if (this.#batch !== undefined) this.#planAhead(this.#batch)
  }

  #keepRows(added: MaintenanceRows): void {
    const ended = this.#ended
    if (ended === undefined) this.#maintenance.push(added)
    else added.reply?.reject(ended)
  }

  #stopAfterBatch(error: Error): void {
    if (this.#broken !== undefined) return
    this.#broken = new ActorError('stopped', error.message, { cause: error })
    this.#options.fatal(error)
  }

  #settle(before: string, reply: Reply<void>): void {
    const { clock } = this.#options
    const refusal = this.#broken ?? whyAhead(clock, before, this.#newestAt)
    if (refusal !== undefined) return reply.reject(refusal)
    if (before > this.#notBefore) this.#notBefore = before
    this.#settling.push({ admitted: this.#admitted, reply })
    this.#answerSettled()
  }

  /** Tells those who wait for the pool as it was when they came. */
  #answerSettled(): void {
    const left = this.#admitted - this.#pool.length
    while (this.#settling[0] !== undefined && this.#settling[0].admitted <= left) {
      this.#settling.shift()?.reply.resolve()
    }
  }

  async #write(): Promise<void> {
    // The pool fills for one turn of the event loop before the first commit.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (this.#pool.length > 0 || this.#maintenance.length > 0 || this.#isMapLeafWanted) {
      const { hasRoom, noRoom: full = noRoom } = this.#options
      const refusal = this.#broken ?? (hasRoom() ? undefined : full)
      if (refusal !== undefined) {
        this.#refuse(this.#pool.length, refusal)
        this.#refuseMaintenance(refusal)
        this.#isMapLeafWanted = false
        break
      }
      // What follows from no event has no time, and is written all the same.
      const fault = this.#options.clock.fault(this.#newestAt)
      if (fault !== undefined) this.#refuse(this.#pool.length, fault)
      await this.#commit()
    }
    this.#writing = undefined
  }

  async #commit(): Promise<void> {
    const waiting = this.#maintenance.splice(0)
    const maintenance = waiting.flatMap(({ rows }) => rows)
    const isPlanned = this.#pool.length > 0 || this.#isMapLeafWanted
    this.#isMapLeafWanted = false
    const plan = isPlanned ? this.#plan() : undefined
    const { answers = [], accepted: proposals = [], mapLeaf, next = this.#head } = plan ?? {}
    const operations = maintenance.concat(plan?.operations ?? [])
    this.#batch = { proposals: answers.length, operations, next }
    const { position } = this.#head
    const { treeSize, rootHash } = next.log
    let outcome: Appended = 'appended'
    const beganMs = this.#options.clock.nowMs()
    try {
      const leaf = mapLeaf && { mapLeaf }
      const batch = { position, proposals, maintenance, ...leaf, treeSize, rootHash }
      if (operations.length > 0) outcome = await this.#options.journal.append(batch, operations)
    } catch (error) {
      const cause = { cause: error }
      const unknown = new ActorError('lost', 'the outcome of a write is unknown', cause)
      for (const { reply } of [...this.#take(answers.length), ...waiting]) reply?.reject(unknown)
      return this.#break('nothing is written after a write of unknown outcome', error)
    } finally {
      this.#batch = undefined
    }
    if (outcome !== 'appended') return this.#stopSuperseded(outcome, answers.length, waiting)
    this.#options.appended?.(Math.max(0, this.#options.clock.nowMs() - beganMs))
    const isEmpty = operations.length === 0 && answers.length === 0
    if (plan !== undefined && !isEmpty) this.#publish(plan)
    for (const { reply } of waiting) reply?.resolve()
  }

  /** Plans the next batch. Undefined if that failed: those who waited for it are told. */
  #plan(): PoolPlan | undefined {
    const ahead = this.#ahead
    this.#ahead = undefined
    const isGood = ahead?.head === this.#head && ahead.isSince(this.#notBeforeNow())
    try {
      const draft = isGood ? ahead : this.#draftWithMapLeaf()
      this.#fill(draft, 0)
      return draft.finish()
    } catch (error) {
      const count = Math.min(this.#pool.length, commitProposalsMax)
      const cause = { cause: error }
      this.#refuse(count, new ActorError('fault', 'a batch could not be planned', cause))
      return undefined
    }
  }

  /** A commit of what is published, which begins with a map leaf if one is due. */
  #draftWithMapLeaf(): PoolDraft {
    const { map, store } = this.#options
    const draft = this.#draft(this.#head, readerOf(store))
    const leaf = map?.nextLeaf(this.#head.log.treeSize)
    if (leaf !== undefined) draft.takeMapLeaf(leaf)
    return draft
  }

  /**
   * Judges what has come while a batch is written, but for one that begins with a map leaf: that is
   * made of what this batch has written.
   */
  #planAhead({ proposals, operations, next }: Writing): void {
    if (this.#options.map?.isDue(next.log.treeSize)) return
    if (this.#ahead === undefined) {
      const rows = new Overlay(readerOf(this.#options.store))
      rows.apply(operations)
      this.#ahead = this.#draft(next, rows.read)
    }
    this.#fill(this.#ahead, proposals)
  }

  #draft(head: JournalHead, read: ReadRow): PoolDraft {
    const { signer, projection } = this.#options
    const limits = { notBefore: this.#notBeforeNow(), eventBytesMax: commitEventBytesMax }
    return new PoolDraft(head, { read, signer, projection }, limits)
  }

  /** Takes into a plan what it has not taken of the pool, from the place where its own begin. */
  #fill(draft: PoolDraft, start: number): void {
    while (draft.taken < commitProposalsMax) {
      const waiting = this.#pool[start + draft.taken]
      if (waiting === undefined || !draft.take(waiting.proposal)) return
    }
  }

  /** What was proposed before this time is late by now. */
  #notBeforeNow(): string {
    return formatTimestamp(this.#options.clock.nowMs() - proposalAgeMsMax)
  }

  /** Goes on from what was committed: those who follow the journal hear of it, then who asked. */
  #publish({ next, events, answers }: PoolPlan): void {
    this.#head = next
    const answered = this.#take(answers.length)
    try {
      this.#options.published(next, events)
    } catch (error) {
      this.#break('what follows the journal has failed', error)
    }
    // What is durable is told, whatever came of those who follow.
    answered.forEach(({ reply }, index) => answer(reply, answers[index]))
    this.#answerSettled()
  }

  #take(count: number): readonly Waiting[] {
    const taken = this.#pool.splice(0, count)
    for (const { proposal } of taken) this.#poolEntries -= sizeOf(proposal)
    return taken
  }

  // What was planned of them goes with them.
  #refuse(count: number, error: ActorError): void {
    this.#ahead = undefined
    for (const { reply } of this.#take(count)) reply.reject(error)
    this.#answerSettled()
  }

  #break(message: string, cause: unknown): void {
    this.#stopNow(new ActorError('stopped', message, { cause }))
    this.#options.fatal(cause)
  }

  // Of what is undecided nobody may be told that it was not written; of all else, it was not.
  #stopSuperseded(
    outcome: Exclude<Appended, 'appended'>,
    proposals: number,
    maintenance: readonly MaintenanceRows[],
  ): void {
    const superseded = new ActorError('stopped', 'another sequencer has gone on with the journal')
    const error = outcome === 'undecided' ? unknownOutcome() : superseded
    for (const { reply } of [...this.#take(proposals), ...maintenance]) reply?.reject(error)
    this.#stopNow(superseded)
    this.#options.superseded()
  }

  #stopNow(error: ActorError): void {
    this.#broken = error
    for (const { reply } of this.#settling.splice(0)) reply.reject(error)
    this.#refuse(this.#pool.length, error)
    this.#refuseMaintenance(error)
  }

  // What nobody waits for goes with the next batch that there is.
  #refuseMaintenance(error: ActorError): void {
    const maintenance = this.#maintenance.splice(0)
    for (const { reply } of maintenance) reply?.reject(error)
    if (this.#broken === undefined)
      this.#maintenance = maintenance.filter(({ reply }) => reply === undefined)
  }
}

/** Nothing is written because the disk has no room. */
export const noRoom = new ActorError(
  'overloaded',
  'the disk has less free than the reserve (DISK_RESERVE_BYTES): no writes',
)

function answer(reply: Reply<Committed | ProposalRefused>, result: PoolAnswer | undefined): void {
  if (result?.type === 'failed' && result.error instanceof JournalError) {
    // A newer node may lead next; this one has written nothing.
    reply.reject(new ActorError('stopped', result.error.message, { cause: result.error }))
  } else if (result === undefined || result.type === 'failed') {
    reply.reject(
      new ActorError('fault', 'a proposal could not be judged', { cause: result?.error }),
    )
  } else {
    reply.resolve(result)
  }
}

/** The clock that changes are dated by, as the sequencer of one log knows it. */
export type SequencerClock = {
  /** Milliseconds since 1970; they stand still while the clock is wrong. */
  nowMs(): number
  /**
   * Why nothing is dated now: the clock is wrong, or the log is ahead of it. `newestAt` is the
   * newest time of the log, before which nothing is dated, or '' if it has none. Undefined while
   * all is well.
   */
  fault(newestAt: string): ActorError | undefined
  /** The latest time that anything can be dated with, by whichever node. */
  latest(newestAt: string): string
}

/** Why a time cannot be one of a log: it is still to come. Undefined if it can. */
function whyAhead(clock: SequencerClock, at: string, newestAt: string): ActorError | undefined {
  const latest = clock.latest(newestAt)
  if (at <= latest) return undefined
  return new ActorError(
    'clock_wrong',
    `A change is dated ${at}, and by the clock of whoever orders the changes no time after ` +
      `${latest} is one of now: set the clock of the node at which it was asked for`,
  )
}

/** The clock of a node that leads: while it is wrong, who proposes asks the one that leads next. */
export function leaderClock(clock: SequencerClock): SequencerClock {
  return {
    ...clock,
    fault: (newestAt) => {
      const fault = clock.fault(newestAt)
      return fault && new ActorError('stopped', fault.message, { cause: fault })
    },
  }
}
