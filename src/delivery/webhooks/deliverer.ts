import { LRUCache } from 'lru-cache'

import type { RecordFeed } from '#actors/registry/catalogue/feeds.ts'
import type { Occurrence } from '#actors/registry/catalogue/provenance.ts'
import type { Environment } from '#actors/registry/environment.ts'
import type { Poster } from '#src/delivery/fetch/poster.ts'
import type { Audience } from '#src/delivery/webhooks/audience.ts'
import type { Kept } from '#src/delivery/webhooks/delivery_rows.ts'
import type { Endpoint } from '#src/delivery/webhooks/endpoint.ts'
import type { EndpointStore } from '#src/delivery/webhooks/endpoint_store.ts'
import { Lane, type OccurrencesAfter } from '#src/delivery/webhooks/lane.ts'
import { LanePlaces } from '#src/delivery/webhooks/lane_places.ts'
import type { Suspensions } from '#src/identity/store/suspensions.ts'
import { patienceMs } from '#src/delivery/webhooks/retries.ts'

/** Events of a page, and pages that are kept: what lanes read that are behind by as much. */
const pageEvents = 200
const pagesMax = 32

/**
 * What happened, page by page as it is read from the store: a lane that is behind sends one message
 * after another of the same page, and others that are behind are often at the same one.
 */
export class JournalPages {
  readonly #records: Pick<RecordFeed, 'occurrences'>
  readonly #pages = new LRUCache<number, Promise<OccurrencesAfter>>({ max: pagesMax })

  constructor(records: Pick<RecordFeed, 'occurrences'>) {
    this.#records = records
  }

  /**
   * What happened after a `seq` up to another one, as far as the page goes. `until` is in the
   * journal.
   */
  async read(after: number, until: number): Promise<OccurrencesAfter> {
    const begin = after - (after % pageEvents)
    // A page that is not full yet is read as far as it goes, and again when there is more.
    if (begin + pageEvents > until) return this.#records.occurrences(after, until - after)
    const { occurrences, next } = await this.#page(begin)
    return { occurrences: occurrences.filter(({ seq }) => seq > after), next }
  }

  async #page(begin: number): Promise<OccurrencesAfter> {
    const kept = this.#pages.get(begin)
    if (kept !== undefined) return kept
    const page = this.#records.occurrences(begin, pageEvents)
    this.#pages.set(begin, page)
    try {
      return await page
    } catch (error) {
      this.#pages.delete(begin)
      throw error
    }
  }
}

/** What happened last: all who hear of it find it here, and read it from the store once. */
const recentMax = 2_000

/** The newest of what was seen of the journal, in its order. */
class RecentOccurrences {
  readonly #occurrences: Occurrence[] = []
  /** Everything between these two places of the journal is here. */
  #begin = 0
  #end = 0

  /** Forgets everything: what follows comes after this `seq`. */
  reset(seq: number): void {
    this.#occurrences.length = 0
    this.#begin = seq
    this.#end = seq
  }

  /** Takes in what was seen up to a `seq`. */
  add(occurrences: readonly Occurrence[], end: number): void {
    this.#occurrences.push(...occurrences)
    this.#end = end
    const tooMany = this.#occurrences.length - recentMax
    if (tooMany <= 0) return
    const [last] = this.#occurrences.splice(0, tooMany).slice(-1)
    if (last !== undefined) this.#begin = last.seq
  }

  /**
   * What happened after a `seq` up to another one, `limit` at most; undefined if not all of it is
   * here.
   */
  read(after: number, until: number, limit: number): OccurrencesAfter | undefined {
    if (after < this.#begin || until > this.#end) return undefined
    const first = this.#indexAfter(after)
    const occurrences: Occurrence[] = []
    for (const occurrence of this.#occurrences.slice(first, first + limit)) {
      if (occurrence.seq > until) return { occurrences, next: until }
      occurrences.push(occurrence)
    }
    const isAll = first + limit >= this.#occurrences.length
    return { occurrences, next: isAll ? until : (occurrences.at(-1)?.seq ?? until) }
  }

  /** The index of the first that comes after a `seq`. */
  #indexAfter(seq: number): number {
    let low = 0
    let high = this.#occurrences.length
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const at = this.#occurrences[middle]
      if (at !== undefined && at.seq <= seq) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** What is written beside what lanes have done. */
type ProgressWriterOptions = {
  /** Up to which `seq` the journal was seen. */
  readonly seen: () => number
  /** All lanes: those that have something unwritten are written before that. */
  readonly lanes: () => Iterable<Lane>
  /** The term that writes, where several nodes deliver one after the other. */
  readonly term: string | undefined
  /** Hears that another term has begun: nothing is written from then on. */
  readonly superseded: () => void
  readonly report: (error: unknown) => void
}

/**
 * How long what lanes have done is gathered: so many times as long as the write before has taken,
 * within bounds. Where the disk, or who writes for all, has much to do, deliveries ask less of it.
 */
const gatherMsMin = 100
const gatherMsMax = 1_000
const waitPerWrite = 19

/** How often it is written how far all is seen. */
const seenEveryMs = 5_000
const writeFaultMs = 1_000

/** Lanes whose progress is written in one change. */
const batchLanes = 100

/**
 * Writes how far lanes have come, many at once: a try that is not written yet is made again after a
 * crash. How far the journal was seen is written after what lanes have heard of until then, so that
 * a lane which has nothing to do writes nothing.
 */
class ProgressWriter {
  readonly #endpoints: EndpointStore
  readonly #options: ProgressWriterOptions
  readonly #dirty = new Set<Lane>()
  #next: Promise<void> | undefined
  #writing: Promise<void> = Promise.resolve()
  #writtenInMs = 0
  #seenTimer: NodeJS.Timeout | undefined
  #isClosed = false
  #isSuperseded = false

  constructor(endpoints: EndpointStore, options: ProgressWriterOptions) {
    this.#endpoints = endpoints
    this.#options = options
  }

  /** Has what a lane has done written; resolves when it is. */
  keep(lane: Lane): Promise<void> {
    this.#dirty.add(lane)
    this.#next ??= this.#gather()
    return this.#next
  }

  /** More was seen of the journal. */
  saw(): void {
    if (this.#isClosed) return
    this.#seenTimer ??= setTimeout(() => {
      this.#seenTimer = undefined
      void this.#enqueue(() => this.#writeSeen())
    }, seenEveryMs).unref()
  }

  /** Writes all there is. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#seenTimer)
    await this.#enqueue(() => this.#writeSeen())
  }

  async #gather(): Promise<void> {
    const waitMs = Math.min(gatherMsMax, Math.max(gatherMsMin, this.#writtenInMs * waitPerWrite))
    if (!this.#isClosed) await new Promise((resolve) => setTimeout(resolve, waitMs))
    this.#next = undefined
    const beganMs = performance.now()
    await this.#enqueue(() => this.#writeAll([...this.#dirty]))
    this.#writtenInMs = performance.now() - beganMs
  }

  #enqueue(write: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.then(write).catch(async (error: unknown) => {
      this.#options.report(error)
      if (!this.#isClosed) await new Promise((resolve) => setTimeout(resolve, writeFaultMs))
    })
    return this.#writing
  }

  async #writeSeen(): Promise<void> {
    // What lanes hear of from now on comes after this.
    const seen = this.#options.seen()
    await this.#writeAll([...this.#options.lanes()].filter(({ record }) => record.isDirty))
    await this.#write(new Map(), seen)
  }

  async #writeAll(lanes: readonly Lane[]): Promise<void> {
    for (let first = 0; first < lanes.length; first += batchLanes) {
      const batch = lanes.slice(first, first + batchLanes)
      const kept = new Map<string, Kept>()
      for (const lane of batch) {
        this.#dirty.delete(lane)
        kept.set(lane.id, lane.record.take())
      }
      try {
        await this.#write(kept)
      } catch (error) {
        for (const lane of batch) {
          const own = kept.get(lane.id)
          if (own !== undefined) lane.record.giveBack(own)
          this.#dirty.add(lane)
        }
        throw error
      }
    }
  }

  async #write(kept: ReadonlyMap<string, Kept>, seen?: number): Promise<void> {
    if (this.#isSuperseded) return
    const { term, superseded } = this.#options
    const isThere = (id: string) => this.#endpoints.get(id) !== undefined
    if (await this.#endpoints.deliveries.keep(kept, isThere, { seen, term })) return
    this.#isSuperseded = true
    superseded()
  }
}

/** What deliveries of one environment work with. */
export type DelivererOptions = {
  readonly environment: Pick<Environment, 'name' | 'records' | 'people' | 'log' | 'origin'>
  /** Where several nodes share the registry. */
  readonly deliveryTurn?: DeliveryTurn
  readonly endpoints: EndpointStore
  readonly audience: Audience
  /** What was suspended goes on once it is so no more. */
  readonly suspensions: Pick<Suspensions, 'onChange'>
  readonly poster: Poster
  readonly baseUrl: string
  /** The address of the log of the environment, without a slash at its end. */
  readonly logUrl: string
  /**
   * Has the owners of an endpoint told that it was given up, once, and has it noted when they were.
   * It is asked again as long as it was not.
   */
  readonly tellFailure: (endpoint: Endpoint) => void
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
  /** From 0 up to 1. */
  readonly random: () => number
  readonly report: (error: unknown) => void
}

/** One of several nodes delivers at a time. */
export type DeliveryTurn = {
  /** Whether it is this one, at this very moment. */
  readonly isDue: () => boolean
  /** A text that has never been given before: for each term. */
  readonly drawTerm: () => string
}

/** How deliveries are doing. */
export type DelivererStatus = {
  /** Endpoints by their status. */
  readonly endpoints: Readonly<Record<Endpoint['status'], number>>
  /** Messages that wait after a refusal, and one for each endpoint that is behind. */
  readonly waiting: number
  /** Endpoints whose newest try has failed. */
  readonly failing: number
  readonly underWay: number
  /** Tries since the start. */
  readonly delivered: number
  readonly failed: number
}

/** How long it is until something is looked at again that nobody tells of. */
const deliveryTurnEveryMs = 1_000
const termFaultMs = 5_000
const firstSweepMs = 60_000
const sweepEveryMs = 3_600_000

/** Permissions whose end was heard of, after which it is looked whether too many wait. */
const revocationsUntilSweep = 200

/**
 * Delivers what happens in an environment to its endpoints: it follows the journal, tells those
 * lanes of an event whose endpoints hear of it, and lets them run, each for itself. Of a cluster
 * the node that leads delivers; when another one does, that goes on with what was written, and
 * nothing is written any more by one that does not know yet that it was replaced.
 */
export class Deliverer {
  readonly #options: DelivererOptions
  readonly #closing = new AbortController()
  readonly #running: Promise<void>
  #term: Term | undefined
  readonly #counts = { delivered: 0, failed: 0 }

  /** Begins to deliver. */
  constructor(options: DelivererOptions) {
    this.#options = options
    options.endpoints.onChange((id) => this.#term?.follow(id))
    options.endpoints.deliveries.onRevocation((id) => this.#term?.hearRevocation(id))
    options.suspensions.onChange(() => this.#term?.wakeAll())
    this.#running = this.#run()
  }

  /** Ends all deliveries; what was delivered is written down. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  /** How deliveries are doing; none are under way where another node delivers. */
  status(): DelivererStatus {
    const statuses = { active: 0, paused: 0, failed: 0 }
    for (const { status } of this.#options.endpoints.all()) statuses[status] += 1
    const idle = { waiting: 0, failing: 0, underWay: 0 }
    return { endpoints: statuses, ...idle, ...this.#term?.status(), ...this.#counts }
  }

  #isDue(): boolean {
    return this.#options.deliveryTurn?.isDue() ?? true
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      if (!this.#isDue()) {
        await sleep(deliveryTurnEveryMs, signal)
        continue
      }
      const count = (delivered: boolean) => (this.#counts[delivered ? 'delivered' : 'failed'] += 1)
      const term = new Term(this.#options, count)
      this.#term = term
      try {
        const ended = term.run(signal)
        // What it fails with is thrown where its end is waited for, which may be a while later.
        ended.catch(() => undefined)
        while (this.#isDue() && !signal.aborted && !term.isOver)
          await sleep(deliveryTurnEveryMs, signal)
        term.stop()
        await ended
      } catch (error) {
        this.#options.report(error)
        await sleep(termFaultMs, signal)
      } finally {
        this.#term = undefined
      }
    }
  }
}

/** The time for which this node delivers. It owns the lanes, and what was seen of the journal. */
class Term {
  readonly #options: DelivererOptions
  readonly #ending = new AbortController()
  readonly #lanes = new Map<string, Lane>()
  readonly #recent = new RecentOccurrences()
  readonly #pages: JournalPages
  /** Lanes that have told of the newest checkpoint, and are woken by the next one. */
  readonly #awaitingGrowth = new Set<Lane>()
  readonly #places: LanePlaces
  readonly #writer: ProgressWriter
  readonly #count: (delivered: boolean) => void
  readonly #id: string | undefined
  #revocationsHeard = 0
  #seen = 0
  #hasBegun = false
  isOver = false

  constructor(options: DelivererOptions, count: (delivered: boolean) => void) {
    this.#options = options
    this.#count = count
    this.#id = options.deliveryTurn?.drawTerm()
    this.#pages = new JournalPages(options.environment.records)
    this.#places = new LanePlaces({ report: options.report, waitMs: termFaultMs })
    this.#writer = new ProgressWriter(options.endpoints, {
      seen: () => this.#seen,
      lanes: () => this.#lanes.values(),
      term: this.#id,
      superseded: () => this.stop(),
      report: options.report,
    })
  }

  /** Delivers until `stop`; resolves when nothing of it is under way. */
  async run(closing: AbortSignal): Promise<void> {
    const onClose = () => this.stop()
    closing.addEventListener('abort', onClose, { once: true })
    try {
      await this.#begin()
      await Promise.all([this.#watch(), this.#sweep()])
    } finally {
      this.isOver = true
      closing.removeEventListener('abort', onClose)
      this.stop()
      await this.#places.close()
      await this.#writer.close()
    }
  }

  stop(): void {
    this.#ending.abort()
  }

  /** Whether it goes on. Once it does not it is over, though this node may deliver again. */
  #goesOn(): boolean {
    if (this.#options.deliveryTurn?.isDue() === false) this.stop()
    return !this.#ending.signal.aborted
  }

  status() {
    const lanes = [...this.#lanes.values()]
    return {
      waiting: lanes.reduce((sum, lane) => sum + lane.waiting, 0),
      failing: lanes.filter((lane) => lane.isFailing).length,
      underWay: this.#places.underWay,
    }
  }

  /** An endpoint was made, changed or removed. */
  follow(id: string): void {
    // What happens before it has begun is in what it begins with.
    if (!this.#hasBegun || !this.#goesOn()) return
    const { endpoints } = this.#options
    const endpoint = endpoints.get(id)
    if (endpoint === undefined) {
      this.#lanes.delete(id)
      return
    }
    this.#tellFailure(endpoint)
    // So that nobody has to look through all that happened while nobody listened.
    if (this.#lanes.size === 0) this.#writer.saw()
    const lane = this.#lanes.get(id) ?? this.#open(endpoint, this.#seen)
    this.#wake(lane)
  }

  /** Has every lane look again for what it has to do. */
  wakeAll(): void {
    if (!this.#hasBegun || !this.#goesOn()) return
    for (const lane of this.#lanes.values()) this.#wake(lane)
  }

  hearRevocation(id: string): void {
    const lane = this.#lanes.get(id)
    lane?.hearRevocation()
    if (lane !== undefined) this.#wake(lane)
    this.#revocationsHeard += 1
    if (this.#revocationsHeard < revocationsUntilSweep || this.#ending.signal.aborted) return
    this.#revocationsHeard = 0
    this.#forgetRevocations().catch(this.#options.report)
  }

  async #begin(): Promise<void> {
    const { endpoints, environment } = this.#options
    if (this.#id !== undefined) await endpoints.deliveries.beginTerm(this.#id)
    const { events } = environment.records
    const known = endpoints.deliveries.seen()
    // Endpoints that are all new look for themselves through what they are to hear of.
    const isNew = endpoints.all().every(({ id }) => !endpoints.deliveries.progress(id))
    const begins = known === undefined || isNew
    // Before anything is heard of: what is heard of and not written down comes after this.
    if (begins) await this.#beginSeen(events)
    const written = begins ? events : Math.min(known, events)
    this.#seen = written
    this.#recent.reset(written)
    for (const endpoint of endpoints.all()) this.#open(endpoint, written)
    this.#hasBegun = true
    await this.#forgetRevocations()
    for await (const id of endpoints.deliveries.endpointsWithRevocations())
      this.#lanes.get(id)?.hearRevocation()
    for (const endpoint of endpoints.all()) this.follow(endpoint.id)
  }

  async #beginSeen(seen: number): Promise<void> {
    const { deliveries } = this.#options.endpoints
    const isKept = await deliveries.keep(new Map(), () => true, { seen, term: this.#id })
    if (!isKept) this.stop()
  }

  #open(endpoint: Endpoint, seen: number): Lane {
    const { environment, endpoints, baseUrl, logUrl } = this.#options
    const lane = new Lane(endpoint, endpoints.deliveries.progress(endpoint.id), seen, {
      ...this.#options,
      frame: { baseUrl, logUrl, prefix: environment.name === 'live' ? 'evt' : 'evt_test' },
      read: (after, until) => this.#read(after, until),
      seen: () => this.#seen,
      log: () => ({ origin: environment.origin, treeSize: environment.log.head().treeSize }),
      goesOn: () => this.#goesOn(),
      keep: () => this.#writer.keep(lane),
      awaitGrowth: () => this.#awaitingGrowth.add(lane),
      count: this.#count,
    })
    this.#lanes.set(endpoint.id, lane)
    return lane
  }

  #wake(lane: Lane): void {
    const { signal } = this.#ending
    if (signal.aborted) return
    this.#places.wake(lane, async () => {
      // One that was removed meanwhile has nothing to send.
      if (this.#lanes.get(lane.id) !== lane) return undefined
      return lane.run(signal)
    })
  }

  async #read(after: number, until: number) {
    return this.#recent.read(after, until, pageEvents) ?? this.#pages.read(after, until)
  }

  /** Tells lanes of what happens, until the end of the term. */
  async #watch(): Promise<void> {
    const { records } = this.#options.environment
    const { signal } = this.#ending
    while (!signal.aborted) {
      await records.news(this.#seen, signal)
      if (signal.aborted) return
      await this.#see()
    }
  }

  async #see(): Promise<void> {
    const { environment, audience } = this.#options
    const { records } = environment
    // Where nobody listens, nothing has to be read.
    if (this.#lanes.size === 0) {
      this.#seen = records.events
      this.#recent.reset(this.#seen)
      return
    }
    const { occurrences, next } = await records.occurrences(this.#seen, pageEvents)
    // Seen before they are heard of: a lane that runs at once reads up to what is seen.
    this.#seen = next
    this.#recent.add(occurrences, next)
    for (const occurrence of occurrences) {
      for (const id of audience.of(occurrence)) {
        const lane = this.#lanes.get(id)
        if (lane === undefined) continue
        lane.hear(occurrence.seq)
        this.#wake(lane)
      }
    }
    const awaiting = [...this.#awaitingGrowth]
    this.#awaitingGrowth.clear()
    for (const lane of awaiting) this.#wake(lane)
    this.#writer.saw()
  }

  /**
   * Looks after what nobody tells of: tries that are too old, who may hear again, and whose mail
   * could not be sent.
   */
  async #sweep(): Promise<void> {
    const { signal } = this.#ending
    const { endpoints } = this.#options
    for (let waitMs = firstSweepMs; !signal.aborted; waitMs = sweepEveryMs) {
      await sleep(waitMs, signal)
      for (const lane of this.#lanes.values()) {
        lane.record.forgetOld(this.#options.nowMs())
        this.#wake(lane)
        await sleep(0, signal)
      }
      for (const endpoint of endpoints.all()) this.#tellFailure(endpoint)
      await this.#forgetRevocations().catch(this.#options.report)
    }
  }

  /**
   * Forgets the ends of permissions that wait for endpoints which hear of nothing any more, and
   * three days after its end all there is of a permission whose person is erased.
   */
  #forgetRevocations(): Promise<void> {
    const { endpoints, audience, environment, nowMs } = this.#options
    const [now, { people }] = [nowMs(), environment]
    return endpoints.deliveries.forgetRevocations((id, { ppid, at }) => {
      const endpoint = endpoints.get(id)
      const isOld = now - Date.parse(at) >= patienceMs
      if (isOld && people.read(ppid)?.type !== 'person') return 'erased'
      return endpoint !== undefined && audience.isThere(endpoint) ? 'kept' : 'forgotten'
    })
  }

  #tellFailure(endpoint: Endpoint): void {
    if (endpoint.failure?.isTold === false && this.#goesOn()) this.#options.tellFailure(endpoint)
  }
}

/** Waits so many milliseconds, or until the signal is set off. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms).unref()
  const onAbort = () => resolve()
  signal.addEventListener('abort', onAbort, { once: true })
  await promise
  clearTimeout(timer)
  signal.removeEventListener('abort', onAbort)
}
