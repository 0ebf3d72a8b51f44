import { setTimeout as sleep } from 'node:timers/promises'

import { type BatchMessage, decodeBatch, encodeBatch } from '#actors/journal/batch.ts'
import { Certainty } from '#actors/journal/certainty.ts'
import { JournalError, notLeading } from '#actors/journal/journal_error.ts'
import { Leading } from '#actors/journal/leading.ts'
import type { JournalHead } from '#actors/journal/pool.ts'
import type { Journal } from '#actors/journal/sequencer.ts'
import {
  beginning,
  ChainedStream,
  joinAdvice,
  type SharedStream,
  type StreamMessage,
  type StreamPlace,
} from '#actors/journal/shared_stream.ts'
import { Replica } from '#actors/journal/replica.ts'
import { decodeRow, encodeRow } from '#actors/journal/rows.ts'
import {
  Sequencer,
  type SequencerMessage,
  type SequencerOptions,
} from '#actors/journal/sequencer.ts'
import { leaderClock } from '#actors/journal/sequencer_clock.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { replyOf } from '#actors/kernel/kernel.ts'
import type { Operation, ReadStore, Store } from '#log/base/store.ts'

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

/** Key of the row that says before which time nothing is taken any more, whoever leads. */
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
   * `patience` ends is given up: whoever proposed it is told that its outcome is not known.
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

  /** Takes what is proposed while it leads; otherwise whoever asks is told that it does not. */
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
    const replica = new Replica({ store, signer, projection, head: this.#head, published })
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
