import type { Occurrence } from '#actors/registry/catalogue/provenance.ts'
import type { Ed25519Key } from '#log/tlog/ed25519.ts'
import type { PostOutcome } from '#src/delivery/fetch/poster.ts'
import type { Audience } from '#src/delivery/webhooks/audience.ts'
import {
  type DeferredMessages,
  deliveriesKeptMs,
  deliveriesMax,
  type Delivery,
  type DeliveryRows,
  type EndpointProgress,
  type Kept,
} from '#src/delivery/webhooks/delivery_rows.ts'
import type { Endpoint } from '#src/delivery/webhooks/endpoint.ts'
import type { EndpointStore } from '#src/delivery/webhooks/endpoint_store.ts'
import {
  checkpointOf,
  type EventKind,
  type Message,
  type MessageFrame,
  messageOf,
  pingOf,
  revocationOf,
  subjectOf,
} from '#src/delivery/webhooks/event.ts'
import {
  afterDeferredTry,
  afterFailure,
  afterSuccess,
  canDefer,
  defer,
  dueDeferred,
  isFull,
  nextTryMs,
  reasonToGiveUp,
  startedAgain,
} from '#src/delivery/webhooks/retries.ts'
import { type SenderOptions, sendOnce } from '#src/delivery/webhooks/sender.ts'

/** How far the deliveries of an endpoint have come, and what of that is not written yet. */
class LaneRecord {
  readonly #id: string
  readonly #rows: DeliveryRows
  #progress: EndpointProgress
  #isDirty = false
  #deliveries: Delivery[] = []
  #forgotten: number[] = []
  #sentRevocations: string[] = []

  constructor(id: string, rows: DeliveryRows, progress: EndpointProgress) {
    this.#id = id
    this.#rows = rows
    this.#progress = progress
  }

  get progress(): EndpointProgress {
    return this.#progress
  }

  /** Whether something is not written yet. */
  get isDirty(): boolean {
    return this.#isDirty
  }

  /** Tries that are not written yet. */
  get unwritten(): number {
    return this.#deliveries.length
  }

  /** Changes some of the progress. */
  evolve(change: Partial<EndpointProgress>): void {
    this.replace({ ...this.#progress, ...change })
  }

  replace(progress: EndpointProgress): void {
    this.#progress = progress
    this.#isDirty = true
  }

  /** Notes a try; the oldest is forgotten if there are too many. */
  note(delivery: Omit<Delivery, 'number'>): void {
    const { first, next } = this.#progress.deliveries
    this.#deliveries.push({ number: next, ...delivery })
    this.#forget(Math.max(first, next + 1 - deliveriesMax), next + 1)
  }

  /** Notes that a revocation was sent, by the key of its row. */
  noteSent(key: string): void {
    this.#sentRevocations.push(key)
    this.#isDirty = true
  }

  isSent(key: string): boolean {
    return this.#sentRevocations.includes(key)
  }

  /** Forgets the tries that are too old: they are in the order of their time. */
  forgetOld(nowMs: number): void {
    const { first, next } = this.#progress.deliveries
    const [unwritten] = this.#deliveries
    const end = unwritten?.number ?? next
    let least = first
    for (; least < end; least += 1) {
      const oldest = this.#rows.read(this.#id, least)
      if (oldest !== undefined && nowMs - Date.parse(oldest.at) < deliveriesKeptMs) break
    }
    if (least > first) this.#forget(least, next)
  }

  #forget(least: number, next: number): void {
    const { first } = this.#progress.deliveries
    for (let number = first; number < least; number += 1) this.#forgotten.push(number)
    this.evolve({ deliveries: { first: least, next } })
  }

  /** What is to be written; from now on it is taken as written. */
  take(): Kept {
    const [deliveries, forgotten, sentRevocations] = [
      this.#deliveries,
      this.#forgotten,
      this.#sentRevocations,
    ]
    this.#deliveries = []
    this.#forgotten = []
    this.#sentRevocations = []
    this.#isDirty = false
    return { progress: this.#progress, deliveries, forgotten, sentRevocations }
  }

  /** Takes back what could not be written. */
  giveBack({ deliveries, forgotten, sentRevocations }: Kept): void {
    this.#deliveries = [...deliveries, ...this.#deliveries]
    this.#forgotten = [...forgotten, ...this.#forgotten]
    this.#sentRevocations = [...sentRevocations, ...this.#sentRevocations]
    this.#isDirty = true
  }
}

/** What happened after a `seq`; `next` is the `seq` up to which that is all. */
export type OccurrencesAfter = {
  readonly occurrences: readonly Occurrence[]
  readonly next: number
}

/** What a lane works with. */
type LaneOptions = SenderOptions & {
  readonly endpoints: EndpointStore
  readonly audience: Audience
  readonly frame: MessageFrame
  /** What happened after a `seq`, up to another one, as far as it is read at a time. */
  readonly read: (after: number, until: number) => Promise<OccurrencesAfter>
  /** Up to which `seq` the deliverer has seen the journal. */
  readonly seen: () => number
  /** The log's newest checkpoint. */
  readonly log: () => { readonly origin: string; readonly treeSize: number }
  /** From 0 up to 1. */
  readonly random: () => number
  /** Whether the deliverer goes on: asked before each message. */
  readonly goesOn: () => boolean
  /** Has what a lane has done written down; resolves when it is. */
  readonly keep: (lane: Lane) => Promise<void>
  /** Has a lane woken when the log grows that has told of all there is of it. */
  readonly awaitGrowth: (lane: Lane) => void
  /** Counts a try. */
  readonly count: (delivered: boolean) => void
}

/** Messages that a lane sends before others have their turn, and tries that wait to be written. */
const turnMessages = 20
const unwrittenMax = 20

/** A new checkpoint is told of at most this often. */
const checkpointEveryMs = 60_000

const revocationsMax = 50

/** What a lane does next. It rests for a time, or until it is told of something. */
type Step =
  | { readonly type: 'rest'; readonly waitMs: number | undefined; readonly untilGrowth?: boolean }
  | { readonly type: 'ping' | 'revocations' | 'follow' }
  | { readonly type: 'deferred'; readonly due: DeferredMessages }
  | { readonly type: 'replay'; readonly replay: Endpoint['replays'][number] }
  | { readonly type: 'checkpoint'; readonly treeSize: number }

/** How a step ended: a message that is put off was not sent, and is due again in `waitMs`. */
type StepEnd =
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly outcome: PostOutcome }
  | { readonly type: 'put_off'; readonly waitMs: number }

const stepDone: StepEnd = { type: 'done' }

/** Where messages of a step go, and what calls it off. */
type Target = { readonly endpoint: Endpoint; readonly signal: AbortSignal }

/** What the next step follows from. */
type LaneState = {
  readonly endpoint: Endpoint
  /** Whether the endpoint can hear of anything. */
  readonly isThere: boolean
  /** Whether all waits, because somebody is suspended. */
  readonly isHeld: boolean
  readonly progress: EndpointProgress
  readonly hasRevocations: boolean
  /** The size of the log now. */
  readonly treeSize: number
  readonly nowMs: number
}

/** The states of a lane, the most urgent first: the first that holds says the next step. */
function nextStep({ endpoint, progress, ...state }: LaneState): Step {
  const waitMs = (progress.nextMs ?? 0) - state.nowMs
  const due = dueDeferred(progress, state.nowMs)
  const replay = endpoint.replays.find(({ count }) => count > progress.replays)
  if (state.isHeld) return { type: 'rest', waitMs: undefined }
  if (progress.pings < endpoint.pings) return { type: 'ping' }
  if (endpoint.status !== 'active' || !state.isThere) return { type: 'rest', waitMs: undefined }
  if (waitMs > 0) return { type: 'rest', waitMs }
  if (due !== undefined) return { type: 'deferred', due }
  if (replay !== undefined) return { type: 'replay', replay }
  if (state.hasRevocations) return { type: 'revocations' }
  if (progress.isBehind) return { type: 'follow' }
  return checkpointStep(endpoint, progress, state)
}

/** The last row: the endpoint is told of the log's growth, at intervals, or rests. */
function checkpointStep(
  { events }: Endpoint,
  progress: EndpointProgress,
  { treeSize, nowMs }: Pick<LaneState, 'treeSize' | 'nowMs'>,
): Step {
  const inMs = nextTryMs(progress) - nowMs
  const othersMs = Number.isFinite(inMs) ? Math.max(1, inMs) : undefined
  if (!events.includes('log.checkpoint')) return { type: 'rest', waitMs: othersMs }
  const { checkpoint = { treeSize: 0, atMs: 0 } } = progress
  if (treeSize <= checkpoint.treeSize) {
    return { type: 'rest', waitMs: othersMs, untilGrowth: true }
  }
  const waitMs = checkpoint.atMs + checkpointEveryMs - nowMs
  if (waitMs > 0) return { type: 'rest', waitMs: Math.min(waitMs, othersMs ?? waitMs) }
  return { type: 'checkpoint', treeSize }
}

/**
 * The deliveries of one endpoint: one at a time, in the order of the journal. A message that is
 * refused holds up those about the same subject only. It owns how far they have come; its
 * deliverer lets it run.
 */
export class Lane {
  readonly id: string
  readonly record: LaneRecord
  readonly #options: LaneOptions
  #key: Ed25519Key | undefined
  #hasRevocations = false

  /** `progress` is what was written of it; `seen` as the deliverer had written it with that. */
  constructor(
    endpoint: Endpoint,
    progress: EndpointProgress | undefined,
    seen: number,
    options: LaneOptions,
  ) {
    this.id = endpoint.id
    this.#options = options
    const known = progress ?? newProgress(endpoint)
    // What is not behind goes with what its deliverer has seen.
    const after = known.isBehind ? known.after : Math.max(known.after, seen)
    this.record = new LaneRecord(this.id, options.endpoints.deliveries, { ...known, after })
  }

  get #progress(): EndpointProgress {
    return this.record.progress
  }

  /** Whether tries of it fail, so that it may keep a place for long. */
  get isFailing(): boolean {
    return this.#progress.failures > 0
  }

  /** The host that its messages are sent to. */
  get host(): string {
    const endpoint = this.#options.endpoints.get(this.id)
    return endpoint === undefined ? '' : new URL(endpoint.url).hostname
  }

  /** Messages that wait: held ones, and one or more if it is behind. */
  get waiting(): number {
    const held = this.#progress.held.reduce((count, { seqs }) => count + seqs.length, 0)
    return held + (this.#progress.isBehind ? 1 : 0)
  }

  /** Tells it of a change that its endpoint hears of. */
  hear(seq: number): void {
    const { isBehind, after } = this.#progress
    if (isBehind || seq <= after) return
    this.record.evolve({ after: seq - 1, isBehind: true })
  }

  /** Tells it of a revocation: a permission has ended that its endpoint is to hear of. */
  hearRevocation(): void {
    this.#hasRevocations = true
  }

  /**
   * Does what is due, and no more than others have time for. Gives in how many milliseconds more
   * will be; undefined if that is not known before somebody tells it of something.
   */
  async run(signal: AbortSignal): Promise<number | undefined> {
    for (let done = 0; done < turnMessages && !signal.aborted; done += 1) {
      if (!this.#options.goesOn()) return undefined
      const endpoint = this.#options.endpoints.get(this.id)
      if (endpoint === undefined) return undefined
      const step = this.#nextStep(endpoint)
      if (step.type === 'rest') {
        if (step.untilGrowth === true) this.#options.awaitGrowth(this)
        return step.waitMs
      }
      const end = await this.#carryOut(step, { endpoint, signal })
      if (end.type === 'put_off') return end.waitMs
      if (end.type === 'failed') await this.#fail(end.outcome)
      if (!this.record.isDirty) continue
      const written = this.#options.keep(this)
      if (this.record.unwritten >= unwrittenMax) await written
    }
    // One that was called off is not due again: it would be at once, and for ever.
    return signal.aborted ? undefined : 0
  }

  #nextStep(endpoint: Endpoint): Step {
    const nowMs = this.#options.nowMs()
    if (this.#progress.starts !== endpoint.start.count) {
      this.record.replace(startedAgain(this.#progress, endpoint.start, nowMs))
    }
    return nextStep({
      endpoint,
      isThere: this.#options.audience.isThere(endpoint),
      isHeld: this.#options.audience.isHeld(endpoint),
      progress: this.#progress,
      hasRevocations: this.#hasRevocations,
      treeSize: this.#options.log().treeSize,
      nowMs,
    })
  }

  #carryOut(step: Exclude<Step, { type: 'rest' }>, target: Target): Promise<StepEnd> {
    switch (step.type) {
      case 'ping':
        return this.#ping(target)
      case 'deferred':
        return this.#tryDeferred(step.due, target)
      case 'replay':
        return this.#replay(step.replay, target)
      case 'revocations':
        return this.#tellRevocations(target)
      case 'follow':
        return this.#follow(target)
      case 'checkpoint':
        return this.#tellCheckpoint(step.treeSize, target)
    }
  }

  async #ping(target: Target): Promise<StepEnd> {
    const { pings } = target.endpoint
    const at = new Date(this.#options.nowMs()).toISOString()
    const end = await this.#try(pingOf(this.id, pings, at), target)
    if (end.type === 'put_off') return end
    // One that fails says so among the deliveries, and is not tried again.
    this.record.evolve({ pings })
    return stepDone
  }

  async #tryDeferred(due: DeferredMessages, target: Target): Promise<StepEnd> {
    const { audience, frame } = this.#options
    const [seq = 0] = due.seqs
    const { occurrences } = await this.#options.read(seq - 1, seq)
    const [occurrence] = occurrences
    const kind = occurrence && audience.hears(target.endpoint, occurrence)
    // Who may not read it any more is not told of it.
    const isOver = occurrence === undefined || kind === undefined
    const end = isOver ? stepDone : await this.#try(messageOf(occurrence, kind, frame), target, seq)
    if (end.type === 'put_off') return end
    const isDone = end.type === 'done'
    this.#defer(afterDeferredTry(this.#progress.held, due, isDone, this.#chance()))
    return end
  }

  /** Sends again what a range has. What is refused is held, as anything else. */
  async #replay(
    { count, after, until }: Endpoint['replays'][number],
    target: Target,
  ): Promise<StepEnd> {
    const from = Math.max(after, this.#progress.replayed ?? after)
    const last = Math.min(until, this.#options.seen())
    const { next, end } = await this.#sendAfter(from, last, target)
    const { replayed: _replayed, ...rest } = this.#progress
    if (next >= last) this.record.replace({ ...rest, replays: count })
    else this.record.replace({ ...rest, replayed: next })
    return end
  }

  /** Sends what is next in the journal. */
  async #follow(target: Target): Promise<StepEnd> {
    const seen = this.#options.seen()
    // A journal that was set back goes on with other changes.
    const from = Math.min(this.#progress.after, seen)
    const { next, end } = await this.#sendAfter(from, seen, target)
    this.record.evolve({ after: next, isBehind: next < this.#options.seen() })
    return end
  }

  /** Sends the first message after a `seq`; `next` is up to where there is nothing more to do. */
  async #sendAfter(
    from: number,
    until: number,
    target: Target,
  ): Promise<{ readonly next: number; readonly end: StepEnd }> {
    if (from >= until) return { next: until, end: stepDone }
    const read = await this.#options.read(from, until)
    for (const occurrence of read.occurrences) {
      const kind = this.#options.audience.hears(target.endpoint, occurrence)
      if (kind === undefined) continue
      const { isOver, end } = await this.#sendOne(occurrence, kind, target)
      return { next: isOver ? occurrence.seq : occurrence.seq - 1, end }
    }
    return { next: read.next, end: stepDone }
  }

  /** Sends a message, or defers it; `isOver` says that the lane goes on after it. */
  async #sendOne(
    occurrence: Occurrence,
    kind: EventKind,
    target: Target,
  ): Promise<{ readonly isOver: boolean; readonly end: StepEnd }> {
    const { seq } = occurrence
    const subject = subjectOf(occurrence)
    const deferIt = () => this.#defer(defer(this.#progress.held, { subject, seq }, this.#chance()))
    if (this.#progress.held.some((one) => one.subject === subject)) {
      if (isFull(this.#progress)) {
        const waitMs = Math.max(1, nextTryMs(this.#progress) - this.#options.nowMs())
        return { isOver: false, end: { type: 'put_off', waitMs } }
      }
      deferIt()
      return { isOver: true, end: stepDone }
    }
    const end = await this.#try(messageOf(occurrence, kind, this.#options.frame), target, seq)
    if (end.type !== 'failed') return { isOver: end.type === 'done', end }
    const isOver = canDefer(this.#progress, end.outcome)
    if (isOver) deferIt()
    return { isOver, end }
  }

  async #tellRevocations(target: Target): Promise<StepEnd> {
    const { deliveries } = this.#options.endpoints
    this.#hasRevocations = false
    const found = await deliveries.pendingRevocations(this.id, revocationsMax)
    if (found.length === 0) return stepDone
    const pending = found.filter(({ key }) => !this.record.isSent(key))
    if (pending.length === 0) await this.#options.keep(this)
    this.#hasRevocations = true
    for (const { key, ended } of pending) {
      const end = await this.#try(revocationOf(ended, this.#options.frame.prefix), target)
      if (end.type !== 'done') return end
      this.record.noteSent(key)
    }
    return stepDone
  }

  async #tellCheckpoint(treeSize: number, target: Target): Promise<StepEnd> {
    const { frame, log, nowMs } = this.#options
    const atMs = nowMs()
    const { origin } = log()
    const at = new Date(atMs).toISOString()
    const end = await this.#try(checkpointOf({ origin, treeSize, at }, frame), target)
    if (end.type === 'put_off') return end
    // The next one says more than this one: one that was not taken is not sent again.
    const sentSize = end.type === 'done' ? treeSize : (this.#progress.checkpoint?.treeSize ?? 0)
    this.record.evolve({ checkpoint: { treeSize: sentSize, atMs } })
    return end
  }

  /** Tries a message once. Nothing has come of one that is put off. */
  async #try(message: Message, { endpoint, signal }: Target, seq?: number): Promise<StepEnd> {
    this.#key ??= this.#options.endpoints.signingKey(this.id)
    const sent = { endpoint, key: this.#key }
    const { delivery, outcome } = await sendOnce(this.#options, sent, message, signal)
    if (outcome.type === 'aborted') return { type: 'put_off', waitMs: 1 }
    if (outcome.type === 'postponed') return { type: 'put_off', waitMs: outcome.retryAfterMs }
    this.#options.count(delivery.delivered)
    this.record.note({ ...delivery, ...(seq !== undefined && { seq }) })
    if (!delivery.delivered) return { type: 'failed', outcome }
    this.record.replace(afterSuccess(this.#progress))
    return stepDone
  }

  async #fail(outcome: PostOutcome): Promise<void> {
    const chance = this.#chance()
    this.record.replace(afterFailure(this.#progress, outcome, chance))
    const reason = reasonToGiveUp(this.#progress, outcome, chance.nowMs)
    if (reason === undefined) return
    await this.#options.keep(this)
    if (!this.#options.goesOn()) return
    await this.#options.endpoints.giveUp(this.id, reason)
  }

  #defer(held: readonly DeferredMessages[]): void {
    this.record.evolve({ held })
  }

  #chance() {
    const { nowMs, random } = this.#options
    return { nowMs: nowMs(), random: random() }
  }
}

function newProgress({ start, pings, replays }: Endpoint): EndpointProgress {
  return {
    starts: start.count,
    after: start.after ?? 0,
    isBehind: true,
    pings: Math.max(0, pings - 1),
    replays: Math.max(0, (replays[0]?.count ?? 1) - 1),
    failures: 0,
    held: [],
    deliveries: { first: 1, next: 1 },
  }
}
