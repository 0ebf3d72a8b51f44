import type { Occurrence } from '#actors/catalogue/occurrence.ts'
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
  type PendingRevocation,
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

/**
 * The deliveries of one endpoint: one at a time, in the order of the journal. A message that is
 * refused holds up those about the same subject only. It owns how far they have come; who lets it
 * run, and when, is its deliverer.
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
    for (let sent = 0; sent < turnMessages && !signal.aborted; sent += 1) {
      if (!this.#options.goesOn()) return undefined
      const waitMs = await this.#step(signal)
      if (waitMs !== 0) return waitMs
      if (!this.record.isDirty) continue
      const written = this.#options.keep(this)
      if (this.record.unwritten >= unwrittenMax) await written
    }
    // One that was called off is not due again: it would be at once, and for ever.
    return signal.aborted ? undefined : 0
  }

  async #step(signal: AbortSignal): Promise<number | undefined> {
    const { endpoints, audience, nowMs } = this.#options
    const endpoint = endpoints.get(this.id)
    if (endpoint === undefined) return undefined
    const now = nowMs()
    if (this.#progress.starts !== endpoint.start.count) {
      this.record.replace(startedAgain(this.#progress, endpoint.start, now))
    }
    if (this.#progress.pings < endpoint.pings) return this.#ping(endpoint, signal)
    if (endpoint.status !== 'active' || !audience.isThere(endpoint)) return undefined
    const waitMs = (this.#progress.nextMs ?? 0) - now
    if (waitMs > 0) return waitMs
    const due = dueDeferred(this.#progress, now)
    if (due !== undefined) return this.#tryDeferred(endpoint, due, signal)
    const replay = endpoint.replays.find(({ count }) => count > this.#progress.replays)
    if (replay !== undefined) return this.#replay(endpoint, replay, signal)
    if (this.#hasRevocations) return this.#tellRevocations(endpoint, signal)
    if (this.#progress.isBehind) return this.#follow(endpoint, signal)
    return this.#tellCheckpoint(endpoint, now, signal)
  }

  async #ping(endpoint: Endpoint, signal: AbortSignal): Promise<number> {
    const { pings } = endpoint
    const at = new Date(this.#options.nowMs()).toISOString()
    const tried = await this.#try(endpoint, pingOf(endpoint.id, pings, at), undefined, signal)
    // One that fails says so among the deliveries, and is not tried again.
    if (tried.waitMs === 0) this.record.evolve({ pings })
    return tried.waitMs
  }

  async #tryDeferred(
    endpoint: Endpoint,
    due: DeferredMessages,
    signal: AbortSignal,
  ): Promise<number> {
    const { audience, frame } = this.#options
    const [seq = 0] = due.seqs
    const { occurrences } = await this.#options.read(seq - 1, seq)
    const [occurrence] = occurrences
    const kind = occurrence && audience.hears(endpoint, occurrence)
    const chance = this.#chance()
    // Who may not read it any more is not told of it.
    if (occurrence === undefined || kind === undefined) {
      this.#defer(afterDeferredTry(this.#progress.held, due, true, chance))
      return 0
    }
    const tried = await this.#try(endpoint, messageOf(occurrence, kind, frame), seq, signal)
    if (tried.outcome === undefined) return tried.waitMs
    this.#defer(afterDeferredTry(this.#progress.held, due, tried.isDelivered, this.#chance()))
    if (!tried.isDelivered) await this.#fail(tried.outcome)
    return 0
  }

  /** Sends again what a range has. What is refused is held, as anything else. */
  async #replay(
    endpoint: Endpoint,
    { count, after, until }: Endpoint['replays'][number],
    signal: AbortSignal,
  ): Promise<number> {
    const from = Math.max(after, this.#progress.replayed ?? after)
    const end = Math.min(until, this.#options.seen())
    const sent = await this.#sendAfter(endpoint, from, end, signal)
    const { replayed: _replayed, ...rest } = this.#progress
    if (sent.next >= end) this.record.replace({ ...rest, replays: count })
    else this.record.replace({ ...rest, replayed: sent.next })
    return sent.waitMs
  }

  /** Sends what is next in the journal. */
  async #follow(endpoint: Endpoint, signal: AbortSignal): Promise<number> {
    const seen = this.#options.seen()
    // A journal that was set back goes on with other changes.
    const from = Math.min(this.#progress.after, seen)
    const { next, waitMs } = await this.#sendAfter(endpoint, from, seen, signal)
    const isBehind = next < this.#options.seen()
    this.record.evolve({ after: next, isBehind })
    return waitMs
  }

  /** Sends the first message after a `seq`; `next` is up to where there is nothing more to do. */
  async #sendAfter(
    endpoint: Endpoint,
    from: number,
    until: number,
    signal: AbortSignal,
  ): Promise<{ readonly next: number; readonly waitMs: number }> {
    if (from >= until) return { next: until, waitMs: 0 }
    const read = await this.#options.read(from, until)
    for (const occurrence of read.occurrences) {
      const kind = this.#options.audience.hears(endpoint, occurrence)
      if (kind === undefined) continue
      const { seq } = occurrence
      const { isDone, waitMs } = await this.#sendOne(endpoint, occurrence, kind, signal)
      return { next: isDone ? seq : seq - 1, waitMs }
    }
    return { next: read.next, waitMs: 0 }
  }

  async #sendOne(
    endpoint: Endpoint,
    occurrence: Occurrence,
    kind: EventKind,
    signal: AbortSignal,
  ): Promise<{ readonly isDone: boolean; readonly waitMs: number }> {
    const { seq } = occurrence
    const subject = subjectOf(occurrence)
    const isDeferred = this.#progress.held.some((one) => one.subject === subject)
    if (isDeferred && isFull(this.#progress)) {
      return {
        isDone: false,
        waitMs: Math.max(1, nextTryMs(this.#progress) - this.#chance().nowMs),
      }
    }
    if (isDeferred) {
      this.#defer(defer(this.#progress.held, { subject, seq }, this.#chance()))
      return { isDone: true, waitMs: 0 }
    }
    const message = messageOf(occurrence, kind, this.#options.frame)
    const { outcome, isDelivered, waitMs } = await this.#try(endpoint, message, seq, signal)
    if (outcome === undefined || isDelivered) return { isDone: isDelivered, waitMs }
    const isKept = canDefer(this.#progress, outcome)
    if (isKept) this.#defer(defer(this.#progress.held, { subject, seq }, this.#chance()))
    await this.#fail(outcome)
    return { isDone: isKept, waitMs: 0 }
  }

  async #tellRevocations(endpoint: Endpoint, signal: AbortSignal): Promise<number> {
    const { deliveries } = this.#options.endpoints
    this.#hasRevocations = false
    const found = await deliveries.pendingRevocations(this.id, revocationsMax)
    const pending = found.filter(({ key }) => !this.record.isSent(key))
    if (found.length === 0) return 0
    if (pending.length === 0) await this.#options.keep(this)
    for (const one of pending) {
      const waitMs = await this.#tellRevocation(endpoint, one, signal)
      if (waitMs === undefined) continue
      this.#hasRevocations = true
      return waitMs
    }
    this.#hasRevocations = true
    return 0
  }

  /** Undefined when the application was told; else how long to rest. */
  async #tellRevocation(
    endpoint: Endpoint,
    { key, ended }: PendingRevocation,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const message = revocationOf(ended, this.#options.frame.prefix)
    const tried = await this.#try(endpoint, message, undefined, signal)
    if (tried.isDelivered) {
      this.record.noteSent(key)
      return undefined
    }
    if (tried.outcome !== undefined) await this.#fail(tried.outcome)
    return tried.waitMs
  }

  async #tellCheckpoint(
    endpoint: Endpoint,
    now: number,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const inMs = nextTryMs(this.#progress) - now
    const othersMs = Number.isFinite(inMs) ? Math.max(1, inMs) : undefined
    if (!endpoint.events.includes('log.checkpoint')) return othersMs
    const { origin, treeSize } = this.#options.log()
    const { checkpoint = { treeSize: 0, atMs: 0 } } = this.#progress
    if (treeSize <= checkpoint.treeSize) {
      this.#options.awaitGrowth(this)
      return othersMs
    }
    const waitMs = checkpoint.atMs + checkpointEveryMs - now
    if (waitMs > 0) return Math.min(waitMs, othersMs ?? waitMs)
    const at = new Date(now).toISOString()
    const message = checkpointOf({ origin, treeSize, at }, this.#options.frame)
    const tried = await this.#try(endpoint, message, undefined, signal)
    if (tried.outcome === undefined) return tried.waitMs
    // The next one says more than this one: one that was not taken is not sent again.
    const sentSize = tried.isDelivered ? treeSize : checkpoint.treeSize
    this.record.evolve({ checkpoint: { treeSize: sentSize, atMs: now } })
    if (!tried.isDelivered) await this.#fail(tried.outcome)
    return 0
  }

  /**
   * Tries once. Without an `outcome` nothing has come of it: it was called off, or its host has to
   * be left alone, and `waitMs` says for how long.
   */
  async #try(
    endpoint: Endpoint,
    message: Message,
    seq: number | undefined,
    signal: AbortSignal,
  ): Promise<{
    readonly outcome: PostOutcome | undefined
    readonly isDelivered: boolean
    readonly waitMs: number
  }> {
    this.#key ??= this.#options.endpoints.signingKey(this.id)
    const { delivery, outcome } = await sendOnce(
      this.#options,
      { endpoint, key: this.#key },
      message,
      signal,
    )
    if (outcome.type === 'aborted') return { outcome: undefined, isDelivered: false, waitMs: 1 }
    if (outcome.type === 'postponed') {
      return { outcome: undefined, isDelivered: false, waitMs: outcome.retryAfterMs }
    }
    const { delivered: isDelivered } = delivery
    this.#options.count(isDelivered)
    this.record.note({ ...delivery, ...(seq !== undefined && { seq }) })
    if (isDelivered) this.record.replace(afterSuccess(this.#progress))
    return { outcome, isDelivered, waitMs: 0 }
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
