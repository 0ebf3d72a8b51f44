import { setTimeout as sleep } from 'node:timers/promises'

import {
  type BatchMessage,
  decodeBatch,
  encodeBatch,
  type JournalBatch,
  JournalError,
  type JournalEvent,
  notLeading,
} from '#actors/journal/journal.ts'
import { type JournalHead, PoolDraft, type PoolPlan } from '#actors/journal/pool.ts'
import { decodeRow, encodeRow, type Projection, readerOf } from '#actors/journal/rows.ts'
import {
  type Journal,
  leaderClock,
  type MapLeaves,
  Sequencer,
  type SequencerMessage,
  type SequencerOptions,
} from '#actors/journal/sequencer.ts'
import {
  beginning,
  ChainedStream,
  joinAdvice,
  type SharedStream,
  type StreamMessage,
  type StreamPlace,
} from '#actors/journal/shared_stream.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { replyOf } from '#actors/kernel/kernel.ts'
import type { Operation, ReadStore, Store } from '#log/store/store.ts'
import type { Signer } from '#log/tlog/note.ts'

/** How often it is looked whether the disk has room again. */
const roomPauseMs = 200

/**
 * What a member needs beside what its sequencer does. `log` is the log's verifier key. `stopped` is
 * called once, when this store and the journal are not of one history: the node must stop. `kept`
 * hears that rows were written here which follow from no event, and which another node has kept,
 * and `led` when it leads from now on, and when it does not any more. `holdsLead` says whether, as
 * far as leases tell, no other node leads at that very moment.
 */
export type MemberOptions = Omit<
  SequencerOptions,
  'journal' | 'notBefore' | 'superseded' | 'store'
> & {
  readonly store: Store
  readonly log: string
  readonly shared: SharedStream
  readonly kept: () => void
  readonly holdsLead: () => boolean
  readonly led: (isLeading: boolean) => void
  readonly stopped: (error: unknown) => void
}

/** Key of the row that says how far a store has come in the shared journal. */
const placeKey = 'journal_place'

/** Key of the row that says before which time nothing is taken any more by any leader. */
const settledKey = 'journal_settled'

/** The row that keeps a time before which all is settled, `YYYY-MM-DDThh:mm:ss.sssZ`. */
export function settledRow(before: string): Operation {
  return { type: 'put', key: settledKey, value: encodeRow(before) }
}

/** Before which time nothing is taken any more; empty if that was never asked. */
export function readSettled(store: Pick<ReadStore, 'get'>): string {
  return decodeRow<string>(store.get(settledKey)) ?? ''
}

/** Where a store stands in the shared journal; undefined if it never was in one. */
export function readPlace(store: Pick<ReadStore, 'get'>): StreamPlace | undefined {
  return decodeRow<StreamPlace>(store.get(placeKey))
}

/** Has a store never have been in a shared journal. Only for when nobody goes on with that one. */
export const forgetPlace: Operation = { type: 'del', key: placeKey }

function markOf(place: StreamPlace): Operation {
  return { type: 'put', key: placeKey, value: encodeRow(place) }
}

/**
 * One node's part in a journal that several nodes share. It **follows**: it carries out what others
 * have sequenced. Or it **leads**: it sequences itself. Which of both is told to it, and two may be
 * told to lead at one time: a batch is appended after a place, so that one of them goes on and the
 * other one follows. It owns the store's place in the journal.
 */
export class JournalMember {
  readonly #options: MemberOptions
  readonly #chain: ChainedStream
  readonly #closing = new AbortController()
  #head: JournalHead
  #place: StreamPlace
  #leading: Leading | undefined
  #wantsToLead = false
  /** A batch of its own that is on its way, to the journal or to its own store. */
  #appending: Promise<void> | undefined
  #isInSync = false
  /** Ends the following of messages, or the leading, so that the other part begins. */
  #turn = new AbortController()
  /** Gives up an append whose outcome nobody can wait for any longer. */
  #patience = new AbortController()
  #ended: Promise<void> | undefined
  #failure: ActorError | undefined

  constructor(options: MemberOptions) {
    this.#options = options
    this.#chain = new ChainedStream(options.shared, { rolledBack, gap })
    this.#head = options.head
    this.#place = readPlace(options.store) ?? beginning
  }

  /** Where its journal stands. */
  get head(): JournalHead {
    return this.#head
  }

  /** Which message of the shared journal it has come to. */
  get place(): StreamPlace {
    return this.#place
  }

  /** Whether what is proposed is sequenced here. */
  get leads(): boolean {
    return this.#leading !== undefined
  }

  /**
   * Whether the journal is known to hold all that is carried out here. After an interruption it is
   * not, until that was looked at: what answers may be an older copy of the journal.
   */
  get isInSync(): boolean {
    return this.#isInSync
  }

  /** Takes part from now on: it follows, until it is told to lead. */
  start(): void {
    this.#ended ??= this.#run()
  }

  /** Leads, once all is carried out that is in the journal. */
  lead(): void {
    this.#wantsToLead = true
    if (!this.leads) this.#turn.abort()
  }

  /**
   * Follows, once the proposals are answered that were taken already. What is under way when
   * `patience` ends is given up: its proposer is told that its outcome is not known.
   */
  follow(patience: AbortSignal): void {
    this.#wantsToLead = false
    if (!this.leads) return
    this.#turn.abort()
    const own = this.#patience
    void aborted(patience).then(() => own.abort())
  }

  /** Proposals that wait for a commit here. */
  get pooled(): number {
    return this.#leading?.sequencer.pooled ?? 0
  }

  /** Why it takes no part any more; undefined while all is well. */
  get broken(): ActorError | undefined {
    return this.#failure
  }

  /** Takes what is proposed while it leads; otherwise the caller is told that it does not. */
  receive(message: SequencerMessage): void {
    if (this.#leading !== undefined) return this.#leading.receive(message)
    if (message.type === 'stop') return this.#stop(message.error)
    const error = this.#failure ?? notLeading()
    replyOf(message)?.reject(error)
  }

  /**
   * Resolves if it leads, and all is carried out here that anybody was told of when it was asked.
   * ActorError `stopped` otherwise.
   */
  async confirm(): Promise<void> {
    if (this.#leading === undefined) throw this.#failure ?? notLeading()
    return this.#leading.certainty.confirm()
  }

  /** Ends its part; what is under way is given up. Resolves when nothing is written any more. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#ended
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    try {
      await this.#enter()
      while (!signal.aborted) {
        if (await this.#applyUntilElected()) await this.#sequence()
        await this.#check()
      }
    } catch (error) {
      if (!signal.aborted) this.#stop(error)
    }
  }

  #stop(error: unknown): void {
    this.#closing.abort()
    this.#failure = new ActorError('stopped', 'this node takes no part any more', { cause: error })
    if (error instanceof JournalError) this.#options.stopped(error)
    else this.#options.fatal(error)
  }

  /** Finds the place of this store in the journal; the first node makes it the journal's first. */
  async #enter(): Promise<void> {
    const { store, log } = this.#options
    if (readPlace(store) !== undefined) return this.#check()
    const { position, log: tree } = this.#head
    const { treeSize, rootHash } = tree
    const batch = { position, proposals: [], maintenance: [], treeSize, rootHash }
    const encode = (previous: string) => encodeBatch({ batch, log, previous })
    const { outcome, place } = await this.#chain.append(beginning, encode, this.#closing.signal)
    if (outcome === 'appended') {
      await this.#mark(place)
      this.#isInSync = true
      return
    }
    // Another node was first: what is here has to be what that one began with.
    if (outcome === 'fenced' && position + treeSize > 0) throw foreignFolder()
  }

  async #mark(place: StreamPlace): Promise<void> {
    await this.#options.store.commit([markOf(place)])
    this.#place = place
  }

  /** Compares the journal with what is here. Errors: `journal_rolled_back`, `journal_gap`. */
  async #check(): Promise<void> {
    this.#isInSync = false
    await this.#chain.check(this.#place, this.#closing.signal)
    this.#isInSync = true
  }

  /** Applies what comes; true once nothing is left of it and this node is to lead. */
  async #applyUntilElected(): Promise<boolean> {
    const { store, signer, projection, shared } = this.#options
    const { signal: closing } = this.#closing
    const turn = AbortSignal.any([closing, this.#newTurn()])
    const known = this.#place.sequence
    const newest = this.#wantsToLead
      ? await shared.newest(closing, known)
      : Number.POSITIVE_INFINITY
    // A server that lags names one that was carried out long ago, and none of the next is that.
    if (newest <= this.#place.sequence) return true
    const published: MemberOptions['published'] = (...told) => this.#published(...told)
    const { map } = this.#options
    const replica = new Replica({ store, signer, projection, map, head: this.#head, published })
    for await (const message of shared.follow(this.#place.sequence, turn)) {
      if (!(await this.#hasRoom(turn))) return false
      await this.#apply(message, replica)
      if (newest <= this.#place.sequence) return true
    }
    return false
  }

  /** Waits until the disk has room for what others have written; false if `turn` ends first. */
  async #hasRoom(turn: AbortSignal): Promise<boolean> {
    while (!this.#options.hasRoom()) {
      if (turn.aborted) return false
      await sleep(roomPauseMs)
    }
    return true
  }

  async #apply(message: StreamMessage, replica: Replica): Promise<void> {
    const decode = (bytes: Uint8Array) => this.#decode(bytes)
    const { content, place } = this.#chain.next(this.#place, message, decode)
    const { batch } = content
    await replica.apply(batch, [markOf(place)])
    this.#place = place
    if (batch.maintenance.length > 0) this.#options.kept()
  }

  #decode(bytes: Uint8Array): BatchMessage {
    const message = decodeBatch(bytes)
    if (message.log !== this.#options.log) throw otherLog(message.log, this.#options.log)
    return message
  }

  /** Leads until it is told to follow, or another node has gone on with the journal. */
  async #sequence(): Promise<void> {
    const turn = AbortSignal.any([this.#closing.signal, this.#newTurn()])
    const { promise: superseded, resolve } = Promise.withResolvers<void>()
    const sequencer = new Sequencer({
      ...this.#options,
      head: this.#head,
      notBefore: readSettled(this.#options.store),
      journal: this.#journal(),
      noRoom: leaderFull,
      clock: leaderClock(this.#options.clock),
      published: (...told) => this.#published(...told),
      superseded: resolve,
    })
    const leading = new AbortController()
    const certainty = new Certainty({
      ...this.#options,
      sequence: () => this.#place.sequence,
      appending: () => this.#appending,
      signal: AbortSignal.any([turn, leading.signal]),
      superseded: resolve,
    })
    this.#leading = new Leading(sequencer, certainty)
    this.#patience = new AbortController()
    this.#options.led(true)
    void certainty.watch()
    if (this.#wantsToLead) await Promise.race([superseded, aborted(turn)])
    leading.abort()
    sequencer.stop(noLongerLeading)
    await sequencer.idle()
    this.#leading = undefined
    this.#options.led(false)
  }

  /** Appends to the shared journal, then writes here. */
  #journal(): Journal {
    const { store, log } = this.#options
    return {
      append: async (batch, operations) => {
        const encode = (previous: string) => encodeBatch({ batch, log, previous })
        const signal = AbortSignal.any([this.#closing.signal, this.#patience.signal])
        const { promise, resolve: settled } = Promise.withResolvers<void>()
        this.#appending = promise
        try {
          const { outcome, place } = await this.#chain.append(this.#place, encode, signal)
          if (outcome !== 'appended') return outcome
          await store.commit([...operations, markOf(place)])
          this.#place = place
          return outcome
        } finally {
          this.#appending = undefined
          settled()
        }
      },
    }
  }

  #newTurn(): AbortSignal {
    this.#turn = new AbortController()
    return this.#turn.signal
  }

  #published(...[head, events]: Parameters<MemberOptions['published']>): void {
    this.#head = head
    this.#options.published(head, events)
  }
}

/** Nothing was written: who proposes asks the node that leads next. */
const leaderFull = new ActorError('stopped', 'the disk of the node that leads has no room')

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

const noLongerLeading = new ActorError('stopped', 'another node is to sequence what is written')

const stopAdvice =
  'stop all nodes, keep their folders, and find out which history was shown: nothing mends itself'

function rolledBack(found: string): JournalError {
  const message = `the journal was rolled back or made anew: ${found}; ${stopAdvice}`
  return new JournalError('journal_rolled_back', message)
}

function gap(next: number, sequence: number): JournalError {
  const found = `message ${next} of the journal is gone, and ${sequence} is the next one`
  return new JournalError('journal_gap', `${found}; ${joinAdvice}`)
}

function otherLog(found: string, own: string): JournalError {
  const message = `the journal is of the log ${found}, and this node has ${own}; ${joinAdvice}`
  return new JournalError('journal_forked', message)
}

function foreignFolder(): JournalError {
  const found = 'the journal was begun by another node, and this folder holds a registry already'
  return new JournalError('journal_forked', `${found}; ${joinAdvice}`)
}

/** What a replica needs; `published` is called after each batch, once it is durable. */
export type ReplicaOptions = {
  readonly store: Store
  readonly signer: Signer
  readonly projection: Projection
  readonly map?: MapLeaves | undefined
  readonly head: JournalHead
  readonly published: (head: JournalHead, events: readonly JournalEvent[]) => void
}

// The sequencer of a batch has kept its bounds and judged its times.
const noLimits = { notBefore: '', eventBytesMax: Number.POSITIVE_INFINITY }

/**
 * A store that becomes what the journal says: it carries out the batches of a sequencer elsewhere,
 * in order, one at a time. It signs a checkpoint only of a tree that both have come to.
 */
export class Replica {
  readonly #options: ReplicaOptions
  #head: JournalHead

  constructor(options: ReplicaOptions) {
    this.#options = options
    this.#head = options.head
  }

  /**
   * Carries out the next batch, and writes its rows and `marks` in one synced write. Errors:
   * `journal_gap`, `journal_forked`: nothing was written or signed, and the node must stop; those
   * of the store, after which the outcome is unknown.
   */
  async apply(batch: JournalBatch, marks: readonly Operation[]): Promise<void> {
    const plan = this.#plan(batch)
    await this.#options.store.commit([...batch.maintenance, ...plan.operations, ...marks])
    this.#head = plan.next
    const isLogged = batch.proposals.length > 0 || batch.mapLeaf !== undefined
    if (isLogged) this.#options.published(plan.next, plan.events)
  }

  #plan(batch: JournalBatch): PoolPlan {
    const { position } = this.#head
    if (batch.position !== position) {
      const found = `the journal goes on at position ${batch.position}, and here at ${position}`
      throw new JournalError('journal_gap', `${found}; ${advice}`)
    }
    const { store, signer, projection } = this.#options
    const read = readerOf(store)
    const draft = new PoolDraft(this.#head, { read, signer, projection }, noLimits)
    if (batch.mapLeaf !== undefined) this.#takeMapLeaf(draft, batch.mapLeaf)
    for (const proposal of batch.proposals) draft.take({ ...proposal, unique: [] })
    const { refusal } = draft
    if (refusal !== undefined) throw notTaken(batch, refusal)
    try {
      return draft.finish(batch)
    } catch (cause) {
      throw forked(`after the batch at position ${position} ${(cause as Error).message}`, cause)
    }
  }

  /** Takes the map leaf of the node that leads, if it is the one that is made here. */
  #takeMapLeaf(draft: PoolDraft, leaf: Uint8Array): void {
    const { position, log } = this.#head
    try {
      this.#options.map?.checkLeaf(leaf, log.treeSize)
    } catch (cause) {
      throw forked(`in the batch at position ${position} ${(cause as Error).message}`, cause)
    }
    draft.takeMapLeaf(leaf)
  }
}

const advice =
  'stop this node, keep its folder for whoever looks into it, and let a new one join the cluster'

function notTaken({ position }: JournalBatch, refusal: NonNullable<PoolDraft['refusal']>): Error {
  const cause = refusal.type === 'failed' ? refusal.error : refusal
  // What says itself what to do, as of an event that is not known here.
  if (cause instanceof JournalError) return cause
  const reason = cause instanceof Error ? cause.message : JSON.stringify(cause)
  return forked(`the batch at position ${position} cannot be carried out here: ${reason}`, cause)
}

function forked(found: string, cause: unknown): JournalError {
  return new JournalError('journal_forked', `${found}; ${advice}`, { cause })
}

/** What a node leads with: it refuses only while it is certain of what it knows. */
export class Leading {
  readonly sequencer: Sequencer
  readonly certainty: Certainty

  constructor(sequencer: Sequencer, certainty: Certainty) {
    this.sequencer = sequencer
    this.certainty = certainty
  }

  /** Takes what is proposed; what it refuses is answered once it is certain. */
  receive(message: SequencerMessage): void {
    if (message.type !== 'propose') return this.sequencer.receive(message)
    const asked = message.reply
    const reject = (error: ActorError) => asked.reject(error)
    const reply: typeof asked = {
      reject,
      resolve: (outcome) => {
        if (outcome.type === 'committed') return asked.resolve(outcome)
        this.certainty.confirm().then(() => asked.resolve(outcome), reject)
      },
    }
    this.sequencer.receive({ ...message, reply })
  }
}

/** How often a leader looks whether another one has gone on with the journal. */
const lookMs = 500

/** What the certainty of a leader rests on. */
export type CertaintyOptions = {
  readonly shared: Pick<SharedStream, 'newest'>
  /** The place of the newest message that is carried out here. */
  readonly sequence: () => number
  /** Resolves when the batch that is being appended is written here, or is not to be. */
  readonly appending: () => Promise<void> | undefined
  /** Whether this node holds the lead at this very moment, as far as leases tell. */
  readonly holdsLead: () => boolean
  /** Ends with the leading. */
  readonly signal: AbortSignal
  /** Hears that another leader has gone on with the journal. */
  readonly superseded: () => void
}

/**
 * Whether a leader knows all that anybody was told. What it accepts is fenced by the journal; what
 * it refuses is not, and it may have been replaced, or the one before it may have had one more
 * batch on the way. So before it says no, it looks for the newest message, once for all who wait,
 * and whether it still holds the lead then.
 */
export class Certainty {
  readonly #options: CertaintyOptions
  #look: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(options: CertaintyOptions) {
    this.#options = options
  }

  /**
   * Resolves if all is carried out here that was in the journal when it was asked. Otherwise, and
   * where nobody can say: ActorError `stopped`, as of a node that does not lead.
   */
  confirm(): Promise<void> {
    // A look that is under way may have begun before what is to be known.
    this.#next ??= this.#lookAfter(this.#look)
    return this.#next
  }

  /**
   * Looks again and again until the leading ends. A leader that appends finds out by that if
   * another one has gone on, but one that has nothing to write would never do.
   */
  async watch(): Promise<void> {
    const { signal } = this.#options
    while (!signal.aborted) {
      try {
        await sleep(lookMs, undefined, { signal, ref: false })
        await this.confirm()
      } catch {
        // Who has to know was told by `superseded`.
      }
    }
  }

  async #lookAfter(last: Promise<void>): Promise<void> {
    await last.catch(() => undefined)
    this.#look = this.#next ?? last
    this.#next = undefined
    const { sequence, signal, holdsLead } = this.#options
    const known = sequence()
    const newest = await this.#newest(known)
    if (newest > sequence()) await this.#settle(newest)
    const isKnown = newest >= known && newest <= sequence()
    if (!isKnown || signal.aborted || !holdsLead()) throw notLeading()
  }

  async #newest(known: number): Promise<number> {
    const { shared, signal } = this.#options
    try {
      return await shared.newest(signal, known)
    } catch {
      // What is wrong with the journal, its next batch or the next check finds and says.
      throw notLeading()
    }
  }

  /** What is newer is the batch that is being appended, or another leader's. */
  async #settle(newest: number): Promise<void> {
    const { sequence, appending, superseded } = this.#options
    for (let batch = appending(); newest > sequence(); batch = appending()) {
      if (batch === undefined) return superseded()
      await batch
    }
  }
}
