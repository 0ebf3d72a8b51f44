import {
  type DueClass,
  dueClasses,
  dueEnd,
  dueFrom,
  parseDueKey,
} from '#actors/works/content_index.ts'
import { scanSound } from '#log/store/damage.ts'
import { assert } from '#log/base/errors.ts'
import type { Store } from '#log/base/store.ts'

/** Checks under way at one time, at most, and those of one host. */
export type QueueLimits = { readonly checksMax: number; readonly hostChecksMax: number }

/** Rows that are read at a time. */
const pageRows = 128

/** Works of a class that are held ready to be checked, of all hosts and of one. */
const readyMax = 8_192
const hostReadyMax = 128

/** Works that are held back one by one; beyond, their hosts are. */
const restingMax = 8_192

/** A due work that was read: the key of its row, and the host that serves it. */
type DueWork = {
  readonly ark: string
  readonly key: string
  readonly host: string
  readonly dueClass: DueClass
}

/** How far a class has been read, and what of it is ready. */
type Reading = {
  /** The key to read from. */
  from: string
  /** The first row that was passed over because its host had enough works ready, */
  passedOver: string | undefined
  /** and the hosts of all such rows. */
  readonly fullHosts: Set<string>
  readonly ready: Map<string, DueWork[]>
  readyCount: number
}

/**
 * What is held of the queue of works to check, which stands in the store. It is read onwards, a
 * page at a time, and again from where a row was written or passed over: the whole of it is never
 * looked for. Hosts take turns. Owns which works are ready, under check, or held back.
 */
export class FixityQueue {
  readonly #store: Store
  readonly #limits: QueueLimits
  readonly #readings: readonly Reading[] = dueClasses.map((dueClass) => ({
    from: dueFrom(dueClass, 0),
    passedOver: undefined,
    fullHosts: new Set(),
    ready: new Map(),
    readyCount: 0,
  }))
  /** The first row written since its class was read last. */
  readonly #written = new Map<DueClass, string>()
  /** Every work that is ready, busy or resting. */
  readonly #known = new Map<string, DueWork>()
  readonly #resting = new Map<string, number>()
  readonly #restingHosts = new Map<string, number>()
  readonly #busyHosts = new Map<string, number>()
  #busy = 0

  constructor(store: Store, limits: QueueLimits) {
    this.#store = store
    this.#limits = limits
  }

  /** Works that are taken and not given back. */
  get busy(): number {
    return this.#busy
  }

  /** Whether as many are taken as may be. */
  get isFull(): boolean {
    return this.#busy >= this.#limits.checksMax
  }

  /** Says that a row was written, which is due at `atMs`. */
  noteWritten(dueClass: DueClass, atMs: number): void {
    const key = dueFrom(dueClass, atMs)
    const before = this.#written.get(dueClass)
    if (before === undefined || key < before) this.#written.set(dueClass, key)
  }

  /** Takes a work, `naan/name`, to check it; undefined if none of those that were read can be. */
  take(): string | undefined {
    if (this.isFull) return undefined
    for (const reading of this.#readings) {
      for (const [host, works] of reading.ready) {
        const busy = this.#busyHosts.get(host) ?? 0
        if (busy >= this.#limits.hostChecksMax || this.#restingHosts.has(host)) continue
        const work = works.shift()
        assert(work !== undefined, 'a host in line has works')
        // The host goes to the end of the line.
        reading.ready.delete(host)
        if (works.length > 0) reading.ready.set(host, works)
        reading.readyCount -= 1
        this.#busyHosts.set(host, busy + 1)
        this.#busy += 1
        return work.ark
      }
    }
    return undefined
  }

  /** Gives back a work that was taken. If it is due nevertheless, its row is to be noted after. */
  release(ark: string): void {
    this.#giveBack(ark)
  }

  /** Gives back a work that is still due, to its place among those of its host. */
  putBack(ark: string): void {
    this.#offer(this.#giveBack(ark), 'by time')
  }

  /** Gives back a work that is still due, and holds it back until a time in milliseconds. */
  rest(ark: string, untilMs: number): void {
    const work = this.#giveBack(ark)
    if (this.#resting.size < restingMax) {
      this.#known.set(ark, work)
      this.#resting.set(ark, untilMs)
    } else {
      this.restHost(work.host, untilMs)
      this.#offer(work, 'by time')
    }
  }

  /** Holds back all works of a host; how many are asked for after that is the fetcher's to pace. */
  restHost(host: string, untilMs: number): void {
    const until = Math.max(this.#restingHosts.get(host) ?? 0, untilMs)
    this.#restingHosts.set(host, until)
  }

  /** The host that serves a work that was taken. */
  hostOf(ark: string): string {
    return this.#workOf(ark).host
  }

  /** Lets go what was held back until now. */
  endRests(nowMs: number): void {
    for (const [host, untilMs] of this.#restingHosts) {
      if (untilMs <= nowMs) this.#restingHosts.delete(host)
    }
    for (const [ark, untilMs] of this.#resting) {
      if (untilMs > nowMs) continue
      const work = this.#workOf(ark)
      this.#resting.delete(ark)
      this.#known.delete(ark)
      this.#offer(work, 'last')
    }
  }

  /** Reads a page of each class, up to what is due by now; false if there was nothing to read. */
  async read(nowMs: number): Promise<boolean> {
    let hasRead = false
    for (const dueClass of dueClasses) {
      const reading = this.#readingOf(dueClass)
      this.#rewind(dueClass, reading)
      if (reading.readyCount >= readyMax) continue
      if (await this.#readPage(dueClass, reading, nowMs)) hasRead = true
    }
    return hasRead
  }

  /** When there will be something to do that there is not now; undefined if nothing is known. */
  async nextMs(nowMs: number): Promise<number | undefined> {
    let nextMs = Number.POSITIVE_INFINITY
    for (const untilMs of this.#restingHosts.values()) nextMs = Math.min(nextMs, untilMs)
    for (const untilMs of this.#resting.values()) nextMs = Math.min(nextMs, untilMs)
    for (const dueClass of dueClasses) {
      const range = { gte: dueFrom(dueClass, nowMs + 1), lt: dueEnd(dueClass), limit: 1 }
      for await (const [key] of scanSound(this.#store, range)) {
        nextMs = Math.min(nextMs, parseDueKey(key).atMs)
      }
    }
    return Number.isFinite(nextMs) ? nextMs : undefined
  }

  async #readPage(dueClass: DueClass, reading: Reading, nowMs: number): Promise<boolean> {
    const range = { gte: reading.from, lt: dueFrom(dueClass, nowMs + 1), limit: pageRows }
    let hasRead = false
    for await (const [key, value] of scanSound(this.#store, range)) {
      hasRead = true
      reading.from = `${key}\0`
      const { ark } = parseDueKey(key)
      if (this.#known.has(ark)) continue
      this.#offer({ ark, key, host: Buffer.from(value).toString('utf8'), dueClass }, 'last')
    }
    return hasRead
  }

  // Back to what was written since, and to what was passed over once one of its hosts has nothing
  // ready any more.
  #rewind(dueClass: DueClass, reading: Reading): void {
    const written = this.#written.get(dueClass)
    this.#written.delete(dueClass)
    if (written !== undefined && written < reading.from) reading.from = written
    const { passedOver, fullHosts, ready } = reading
    if (passedOver === undefined || [...fullHosts].every((host) => ready.has(host))) return
    if (passedOver < reading.from) reading.from = passedOver
    reading.passedOver = undefined
    fullHosts.clear()
  }

  #giveBack(ark: string): DueWork {
    const work = this.#workOf(ark)
    const busy = (this.#busyHosts.get(work.host) ?? 0) - 1
    assert(busy >= 0, 'a work is given back once')
    if (busy === 0) this.#busyHosts.delete(work.host)
    else this.#busyHosts.set(work.host, busy)
    this.#busy -= 1
    this.#known.delete(ark)
    return work
  }

  #offer(work: DueWork, place: 'by time' | 'last'): void {
    const { ark, key, host } = work
    const reading = this.#readingOf(work.dueClass)
    const works = reading.ready.get(host) ?? []
    if (works.length >= hostReadyMax) {
      reading.fullHosts.add(host)
      if (reading.passedOver === undefined || key < reading.passedOver) reading.passedOver = key
      return
    }
    const next = place === 'last' ? -1 : works.findIndex((other) => key < other.key)
    works.splice(next === -1 ? works.length : next, 0, work)
    reading.ready.set(host, works)
    reading.readyCount += 1
    this.#known.set(ark, work)
  }

  #workOf(ark: string): DueWork {
    const work = this.#known.get(ark)
    assert(work !== undefined, 'a work that was taken is known')
    return work
  }

  #readingOf(dueClass: DueClass): Reading {
    const reading = this.#readings[dueClass]
    assert(reading !== undefined, 'every class is read')
    return reading
  }
}
