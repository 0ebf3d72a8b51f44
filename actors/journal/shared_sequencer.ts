import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

import {
  type Committed,
  type JournalEvent,
  notLeading,
  type Proposal,
  type ProposalRefused,
  unknownOutcome,
} from '#actors/journal/journal.ts'
import {
  JournalMember,
  type MemberOptions,
  readSettled,
  settledRow,
} from '#actors/journal/member.ts'
import { StreamTurns, type Turn } from '#actors/journal/proposing.ts'
import { decodeRow, readerOf, readEvent, type StreamRow } from '#actors/journal/rows.ts'
import { noRoom, type SequencerMessage } from '#actors/journal/sequencer.ts'
import type { SharedStream } from '#actors/journal/shared_stream.ts'
import { ActorError, isActorError } from '#actors/kernel/actor_error.ts'
import {
  answer,
  ask,
  type Behaviour,
  type Ref,
  referTo,
  type Reply,
  tell,
} from '#actors/kernel/kernel.ts'

/** What the nodes of a registry have in common, as one of them reaches it. */
export type SharedRegistry = {
  readonly journal: SharedStream
  /** Where the node takes questions that leads; undefined as long as it is not known. */
  readonly leader: () => Ref<LeaderMessage> | undefined
  /** Whether this node holds the lead at this very moment, as far as leases tell. */
  readonly holdsLead: () => boolean
  /** Called once, when this node and the journal are not of one history: the node must stop. */
  readonly stopped: (error: unknown) => void
  /** For how long a node is looked for that leads, while there is none. */
  readonly leaderMsMax: number
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
}

export type SharedSequencerOptions = Omit<MemberOptions, 'shared' | 'stopped'> &
  SharedRegistry & { readonly askTimeoutMs: number }

/** How often a node is looked for that leads. */
const leaderPauseMs = 50

/** Who waits until so many events are here. */
type Waiting = { readonly position: number; readonly reply: Reply<void> }

/**
 * What takes the place of the sequencer on one of several nodes: it has proposals sequenced by the
 * node that leads, and answers when what was committed is on this one. Where the node does not lead
 * any more, or ends before it answers, it asks the next one: a proposal says which event of its
 * stream it follows, so that it is committed once however often it is made. It owns the node's part
 * in the journal, and who waits for what is on its way here.
 */
export class SharedSequencer implements Behaviour<SequencerMessage> {
  readonly #options: SharedSequencerOptions
  readonly #member: JournalMember
  readonly #asked = new Set<Promise<unknown>>()
  /** The turns to change streams that several nodes change at one time. */
  readonly turns: SharedTurns
  #waiting: Waiting[] = []
  #isClosed = false

  constructor(options: SharedSequencerOptions) {
    this.#options = options
    this.turns = new SharedTurns({
      ...options,
      leads: () => this.#member.leads,
      position: () => this.#position,
      reached: (position) => this.#reached(position),
    })
    this.#member = new JournalMember({
      ...options,
      shared: options.journal,
      published: (head, events) => {
        options.published(head, events)
        this.#reach(head.position)
      },
      stopped: (error) => {
        this.#giveUp()
        options.stopped(error)
      },
      fatal: (error) => {
        this.#giveUp()
        options.fatal(error)
      },
    })
  }

  /** This node's part in the journal. */
  get member(): Pick<JournalMember, 'head' | 'place' | 'leads' | 'isInSync' | 'lead' | 'follow'> {
    return this.#member
  }

  /** Proposals that wait for a commit here. */
  get pooled(): number {
    return this.#member.pooled
  }

  /** Why nothing is written here any more; undefined while all is well. */
  get broken(): ActorError | undefined {
    return this.#member.broken
  }

  /** Whether the disk has room: without, it carries out nothing, and takes nothing to write. */
  get hasRoom(): boolean {
    return this.#options.hasRoom()
  }

  /** Takes part from now on, as one that follows. */
  start(): void {
    this.#member.start()
  }

  receive(message: SequencerMessage): void {
    switch (message.type) {
      case 'propose':
        return this.#answer(message.reply, () => this.#propose(message.proposal))
      case 'settle':
        return this.#answer(message.reply, () => this.#settle(message.before))
      case 'forget_here':
        return this.#forgetHere(message.keys)
      case 'keep':
      case 'write_map_leaf':
      case 'stop':
        return this.#member.receive(message)
    }
  }

  /** Resolves once everything is answered that was asked so far. */
  async idle(): Promise<void> {
    while (this.#asked.size > 0) await Promise.allSettled(this.#asked)
  }

  /** What other nodes ask of this one. */
  get offered(): Ref<LeaderMessage> {
    return referTo('leader', (message: LeaderMessage) => {
      this.#lead(message)
      return true
    })
  }

  /** Resolves once all that was committed anywhere before is on this node. Errors: ActorError. */
  catchUp(): Promise<void> {
    const { askTimeoutMs } = this.#options
    return this.#atLeader(
      () => this.#member.confirm(),
      async (leader) => this.#reached(await ask(leader, { type: 'tell_position' }, askTimeoutMs)),
    )
  }

  /** Ends this node's part. What is under way is given up. */
  async close(): Promise<void> {
    this.#giveUp()
    await this.#member.close()
  }

  get #position(): number {
    return this.#member.head.position
  }

  #answer<T>(reply: Reply<T>, run: () => Promise<T>): void {
    if (this.#asked.size >= this.#options.poolEntriesMax) {
      return reply.reject(new ActorError('overloaded', 'too many writes are waiting'))
    }
    const asked = run()
    this.#asked.add(asked)
    const forget = () => void this.#asked.delete(asked)
    asked.then(forget, forget)
    answer(reply, asked, 'the journal could not be written')
  }

  /** What another node asks. Where this one does not lead it says so, and has written nothing. */
  #lead(message: LeaderMessage): void {
    switch (message.type) {
      case 'propose':
        return this.#answer(message.reply, async () => {
          const outcome = await this.#proposeHere(receivedProposal(message.proposal))
          return { position: this.#position, outcome: sentOutcome(outcome) }
        })
      case 'settle':
        return this.#answer(message.reply, () => this.#settleHere(message.before))
      case 'tell_position':
        return this.#answer(message.reply, async () => {
          await this.#member.confirm()
          return this.#position
        })
      case 'take_turn':
        return this.#answer(message.reply, async () => {
          if (!this.#member.leads) throw notLeading()
          return this.turns.give(message.stream)
        })
      case 'end_turn':
        return this.turns.end(message.stream, message.turn)
    }
  }

  async #propose(proposal: Proposal): Promise<Committed | ProposalRefused> {
    // It would be written, but who has asked would wait in vain for it to come here.
    if (!this.hasRoom) throw noRoom
    const clockFault = this.#options.clock.fault(this.#member.head.newestAt)
    if (clockFault !== undefined) throw clockFault
    let isRepeated = false
    const noteLost = (error: unknown) => {
      isRepeated ||= isActorError(error, 'lost')
      throw error
    }
    const outcome = await this.#atLeader(
      () => this.#proposeHere(proposal).catch(noteLost),
      (leader) => this.#proposeThere(leader, proposal).catch(noteLost),
    )
    return isRepeated ? this.#settleRepeated(proposal, outcome) : outcome
  }

  async #proposeThere(
    leader: Ref<LeaderMessage>,
    proposal: Proposal,
  ): Promise<Committed | ProposalRefused> {
    const sent = { type: 'propose', proposal: sentProposal(proposal) } as const
    const { position, outcome } = await ask(leader, sent, this.#options.askTimeoutMs)
    await this.#reached(position)
    return outcome.type === 'committed' ? this.#readCommitted(outcome) : outcome
  }

  /** What became of a proposal that may have been made before, by the answer to its repetition. */
  #settleRepeated(
    proposal: Proposal,
    outcome: Committed | ProposalRefused,
  ): Committed | ProposalRefused {
    if (outcome.type === 'stale') return this.#findCommitted(proposal) ?? outcome
    // The first one was perhaps in time, and is still to be judged.
    if (outcome.type === 'late') throw unknownOutcome()
    return outcome
  }

  /** The events of a proposal if they are in the journal, and not those of another one. */
  #findCommitted({ stream, expectedSeq, at, events }: Proposal): Committed | undefined {
    const read = readerOf(this.#options.store)
    const found: JournalEvent[] = []
    let position = decodeRow<StreamRow>(read(stream))?.newest ?? -1
    while (position >= 0) {
      const event = readEvent(position, read)
      if (event.seq <= expectedSeq) break
      if (event.seq <= expectedSeq + events.length) found.unshift(event)
      position = event.previous
    }
    const isSame = (event: JournalEvent, index: number) =>
      event.at === at && isDeepStrictEqual(event.data, plain(events[index]?.data))
    if (found.length !== events.length || !found.every(isSame)) return undefined
    const { treeSize } = this.#member.head.log
    return { type: 'committed', events: found, leafIndex: found[0]?.leafIndex ?? -1, treeSize }
  }

  #settle(before: string): Promise<void> {
    const { askTimeoutMs } = this.#options
    return this.#atLeader(
      async () => void (await this.#settleHere(before)),
      async (leader) => {
        await this.#reached(await ask(leader, { type: 'settle', before }, askTimeoutMs))
      },
    )
  }

  #proposeHere(proposal: Proposal): Promise<Committed | ProposalRefused> {
    return new Promise((resolve, reject) => {
      this.#member.receive({ type: 'propose', proposal, reply: { resolve, reject } })
    })
  }

  /** The time is kept in the journal: the next leader takes nothing from before it either. */
  async #settleHere(before: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#member.receive({ type: 'settle', before, reply: { resolve, reject } })
    })
    if (before > readSettled(this.#options.store)) {
      await new Promise<void>((resolve, reject) => {
        const rows = [settledRow(before)]
        this.#member.receive({ type: 'keep', rows, reply: { resolve, reject } })
      })
    }
    return this.#position
  }

  #forgetHere(keys: readonly string[]): void {
    const { store, fatal } = this.#options
    store.commit(keys.map((key) => ({ type: 'del', key }))).catch(fatal)
  }

  #readCommitted({ first, count, ...committed }: SentCommitted): Committed {
    const read = readerOf(this.#options.store)
    const events = Array.from({ length: count }, (_, index) => readEvent(first + index, read))
    return { ...committed, events }
  }

  /**
   * Has something done by the node that leads: here, or there. If nobody does (`stopped`), or ends
   * before it has answered (`lost`), it is asked of the next one, as long as there may be one.
   */
  async #atLeader<T>(
    here: () => Promise<T>,
    there: (leader: Ref<LeaderMessage>) => Promise<T>,
  ): Promise<T> {
    const { leader, leaderMsMax, elapsedMs } = this.#options
    const endMs = elapsedMs() + leaderMsMax
    let reason = noLeader
    for (;;) {
      try {
        if (this.#member.leads) return await here()
        const known = leader()
        if (known !== undefined) return await there(known)
      } catch (error) {
        if (isActorError(error, 'lost')) reason = unknownOutcome()
        else if (!isActorError(error, 'stopped')) throw error
      }
      if (this.broken !== undefined) throw reason === noLeader ? this.broken : reason
      if (this.#isClosed || elapsedMs() >= endMs) throw reason
      await sleep(leaderPauseMs)
    }
  }

  #reached(position: number): Promise<void> {
    if (this.#position >= position) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting)
        reject(new ActorError('timeout', 'what was written elsewhere has not come here in time'))
      }, this.#options.askTimeoutMs)
      const end = (settle: () => void) => {
        clearTimeout(late)
        settle()
      }
      const reply: Reply<void> = {
        resolve: () => end(resolve),
        reject: (error) => end(() => reject(error)),
      }
      const waiting = { position, reply }
      this.#waiting.push(waiting)
    })
  }

  #reach(position: number): void {
    if (this.#waiting.length === 0) return
    const reached = this.#waiting.filter((waiting) => waiting.position <= position)
    this.#waiting = this.#waiting.filter((waiting) => waiting.position > position)
    for (const { reply } of reached) reply.resolve()
  }

  #giveUp(): void {
    this.#isClosed = true
    const lost = new ActorError('lost', 'this node takes no part any more')
    for (const { reply } of this.#waiting.splice(0)) reply.reject(lost)
  }
}

const noLeader = new ActorError('stopped', 'no node leads this registry at the moment')

/** A value as the journal has it. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** A turn is held while a change is decided, signed and committed: milliseconds, as a rule. */
const turnMsMax = 1_000
const quietMs = 1_000
const streamsMax = 1_000

/** The part of a node in sequencing, as its turns need it. */
export type SharedTurnsOptions = {
  readonly leads: () => boolean
  readonly leader: () => Ref<LeaderMessage> | undefined
  /** How many events are on this node. */
  readonly position: () => number
  /** Resolves when so many events are on this node. Errors: ActorError. */
  readonly reached: (position: number) => Promise<void>
  readonly askTimeoutMs: number
  readonly elapsedMs: () => number
}

/** The turns of several nodes to change streams, which the one gives that leads. */
export class SharedTurns {
  readonly #options: SharedTurnsOptions
  readonly #turns: StreamTurns
  #superseded = 0

  constructor(options: SharedTurnsOptions) {
    this.#options = options
    const { elapsedMs } = options
    this.#turns = new StreamTurns({ turnMsMax, quietMs, streamsMax, elapsedMs })
  }

  /** How often somebody else was faster than a change from here, since the start. */
  get superseded(): number {
    return this.#superseded
  }

  /**
   * The turn to change a stream, where this node knows of others who do so: undefined where it
   * knows of none. `isSuperseded` tells that somebody else was just faster. All that was committed
   * before the turn is on this node when it is given.
   */
  take(stream: string, isSuperseded: boolean): Promise<Turn | undefined> | undefined {
    if (isSuperseded) {
      this.#superseded += 1
      this.#turns.note(stream)
    }
    if (!this.#turns.isContended(stream)) return undefined
    return this.#options.leads() ? this.#takeHere(stream) : this.#takeThere(stream)
  }

  /** Gives a turn to another node. */
  async give(stream: string): Promise<GivenTurn> {
    const turn = await this.#turns.take(stream)
    return { turn, position: this.#options.position() }
  }

  /** Another node has made its change. */
  end(stream: string, turn: number): void {
    this.#turns.end(stream, turn)
  }

  async #takeHere(stream: string): Promise<Turn> {
    const turn = await this.#turns.take(stream)
    return { end: () => this.#turns.end(stream, turn) }
  }

  // Without a turn a change is proposed all the same, and that finds out by itself who leads now.
  async #takeThere(stream: string): Promise<Turn | undefined> {
    const { askTimeoutMs, reached } = this.#options
    const leader = this.#options.leader()
    if (leader === undefined) return undefined
    try {
      const { turn, position } = await ask(leader, { type: 'take_turn', stream }, askTimeoutMs)
      await reached(position)
      return { end: () => void tell(leader, { type: 'end_turn', stream, turn }) }
    } catch (error) {
      if (error instanceof ActorError) return undefined
      throw error
    }
  }
}

/**
 * A proposal on its way to another node: its entries as Base64, and `replaces` under the name that
 * nodes of older versions read too.
 */
export type SentProposal = Omit<Proposal, 'entries' | 'replaces'> & {
  readonly entries: readonly string[]
  readonly outlived?: string
}

/** Where the events of a committed proposal are; who has asked reads them in its own journal. */
export type SentCommitted = Omit<Committed, 'events'> & {
  readonly first: number
  readonly count: number
}

/** What became of a proposal, and how many events there were then. */
export type ProposalOutcome = {
  readonly position: number
  readonly outcome: SentCommitted | ProposalRefused
}

/** The number of a turn, and how many events there were when it was given. */
export type GivenTurn = { readonly turn: number; readonly position: number }

/** What the nodes of a registry ask the one of them that leads. */
export type LeaderMessage =
  | {
      readonly type: 'propose'
      readonly proposal: SentProposal
      readonly reply: Reply<ProposalOutcome>
    }
  /** Settles what came before a time; the answer is how many events there were then. */
  | { readonly type: 'settle'; readonly before: string; readonly reply: Reply<number> }
  /** How many events there are: all that anybody was told of are among them. */
  | { readonly type: 'tell_position'; readonly reply: Reply<number> }
  /** Waits for the turn to change a stream. */
  | { readonly type: 'take_turn'; readonly stream: string; readonly reply: Reply<GivenTurn> }
  | { readonly type: 'end_turn'; readonly stream: string; readonly turn: number }

/** A proposal as it is sent to another node. */
export function sentProposal({ replaces, ...proposal }: Proposal): SentProposal {
  const entries = proposal.entries.map((entry) => {
    return Buffer.from(entry.buffer, entry.byteOffset, entry.length).toString('base64')
  })
  return { ...proposal, entries, ...(replaces !== undefined && { outlived: replaces }) }
}

/** A proposal that another node has sent. */
export function receivedProposal({ outlived: replaces, ...proposal }: SentProposal): Proposal {
  const entries = proposal.entries.map((entry) => Buffer.from(entry, 'base64'))
  return { ...proposal, entries, ...(replaces !== undefined && { replaces }) }
}

/** What became of a proposal, as another node is told. */
function sentOutcome(outcome: Committed | ProposalRefused): SentCommitted | ProposalRefused {
  if (outcome.type !== 'committed') return outcome
  const { events, ...committed } = outcome
  return { ...committed, first: events[0]?.position ?? 0, count: events.length }
}
