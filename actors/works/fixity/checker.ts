import type { ContentFetcher, ContentOutcome, FixityOverview } from '#actors/works/fixity/client.ts'
import type { Follower, JournalEvent } from '#actors/journal/journal.ts'
import { readerOf, type ReadRow } from '#actors/journal/rows.ts'
import type { ActorReport } from '#actors/kernel/actor_error.ts'
import { ask } from '#actors/kernel/kernel.ts'
import type { Shards } from '#actors/kernel/shards.ts'
import type { Clock } from '#actors/values/clock.ts'
import type { WorkMessage } from '#actors/works/actor.ts'
import {
  type CheckTarget,
  contentHash,
  type FetchedContent,
  type Finding,
  hostTag,
  isDoiUrl,
  isPage,
  isSameTarget,
  unstableReason,
} from '#actors/works/content.ts'
import {
  type DueClass,
  dueClasses,
  dueEnd,
  dueFrom,
  parseDueKey,
  readUnsettled,
  readWork,
} from '#actors/works/record.ts'
import { metadataAt, type WorkEvent, type WorkState } from '#actors/works/events.ts'
import { fileDue, readFile } from '#actors/works/file_fixity.ts'
import {
  type CheckReport,
  checkTarget,
  type Due,
  dueOf,
  unsettledTarget,
} from '#actors/works/fixity_rules.ts'
import { assert } from '#log/tlog/errors.ts'
import type { Store } from '#log/store/store.ts'
import { scanSound } from '#log/store/damage.ts'

/** Checks under way at one time, at most, and those of one host. */
type QueueLimits = { readonly checksMax: number; readonly hostChecksMax: number }

const pageRows = 128

/** Works of a class that are held ready to be checked, of all hosts and of one. */
const readyMax = 8_192
const hostReadyMax = 128

/** Works that are held back one by one; beyond, their hosts are. */
const restingMax = 8_192

/** What is due, a work or a file of one: the key of its row, and the host that serves it. */
type DueWork = {
  readonly name: string
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

  /**
   * Takes a work, `naan/name`, to check it, or a file of one, `naan/name/place`; undefined if none
   * of those that were read can be.
   */
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
        return work.name
      }
    }
    return undefined
  }

  /** Gives back a work that was taken. If it is due nevertheless, its row is to be noted after. */
  release(name: string): void {
    this.#giveBack(name)
  }

  /** Gives back a work that is still due, to its place among those of its host. */
  putBack(name: string): void {
    this.#offer(this.#giveBack(name), 'by time')
  }

  /** Gives back a work that is still due, and holds it back until a time in milliseconds. */
  rest(name: string, untilMs: number): void {
    const work = this.#giveBack(name)
    if (this.#resting.size < restingMax) {
      this.#known.set(name, work)
      this.#resting.set(name, untilMs)
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
  hostOf(name: string): string {
    return this.#workOf(name).host
  }

  /** Lets go what was held back until now. */
  endRests(nowMs: number): void {
    for (const [host, untilMs] of this.#restingHosts) {
      if (untilMs <= nowMs) this.#restingHosts.delete(host)
    }
    for (const [name, untilMs] of this.#resting) {
      if (untilMs > nowMs) continue
      const work = this.#workOf(name)
      this.#resting.delete(name)
      this.#known.delete(name)
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
      const { name } = parseDueKey(key)
      if (this.#known.has(name)) continue
      this.#offer({ name, key, host: Buffer.from(value).toString('utf8'), dueClass }, 'last')
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

  #giveBack(name: string): DueWork {
    const work = this.#workOf(name)
    const busy = (this.#busyHosts.get(work.host) ?? 0) - 1
    assert(busy >= 0, 'a work is given back once')
    if (busy === 0) this.#busyHosts.delete(work.host)
    else this.#busyHosts.set(work.host, busy)
    this.#busy -= 1
    this.#known.delete(name)
    return work
  }

  #offer(work: DueWork, place: 'by time' | 'last'): void {
    const { name, key, host } = work
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
    this.#known.set(name, work)
  }

  #workOf(name: string): DueWork {
    const work = this.#known.get(name)
    assert(work !== undefined, 'a work that was taken is known')
    return work
  }

  #readingOf(dueClass: DueClass): Reading {
    const reading = this.#readings[dueClass]
    assert(reading !== undefined, 'every class is read')
    return reading
  }
}

/** A check that found nothing out and is to be made again. */
type NoFinding = Extract<ContentOutcome, { type: 'postponed' | 'aborted' | 'interrupted' }>

type CheckCall = {
  readonly signal: AbortSignal
  /** What the first of its fetches got, of a check that was postponed before the second. */
  readonly first?: FetchedContent | undefined
  /** Is given what the first fetch got, once a second is to be made. */
  readonly onFirst?: (first: FetchedContent) => void
}

/** The least and the most that a check waits for a host that asks for it. */
const waitMsMin = 1_000
const waitMsMax = 60_000

const changesMessage = 'the address served different content to two requests'
const pageMessage = 'the DOI leads to a web page; give the address of the content as work_url'
const landingMessage =
  'the address leads to a web page that changes, not to a file; give the address of the file ' +
  'itself as work_url'

/**
 * Judges the fetches of one check, made one after the other. Content that was found before is
 * confirmed by one fetch; a first hash takes two that are equal, and a change two that both differ
 * from what was known.
 */
export function judge(
  target: CheckTarget,
  first: ContentOutcome,
  second: ContentOutcome | undefined,
): Finding | NoFinding | { readonly type: 'fetch_again'; readonly first: FetchedContent } {
  const newest = second ?? first
  if (newest.type !== 'fetched') return newest
  if (!target.isStable && leadsToPage(target.url, newest)) {
    return { type: 'unstable', message: pageMessage, content: newest }
  }
  const { hash, isStable } = target
  const differs = (content: ContentOutcome) => hash !== null && hashOf(content) !== hash
  if (second === undefined) {
    const isSame = isStable && !differs(first)
    return isSame ? { type: 'same', content: newest } : { type: 'fetch_again', first: newest }
  }
  if (differs(first) && differs(second)) return { type: 'changed', content: newest }
  const isSame = isStable || hashOf(first) === hashOf(second)
  if (isSame) return { type: 'same', content: newest }
  const message = isPage(newest) ? landingMessage : changesMessage
  return { type: 'unstable', message, content: newest }
}

/**
 * Fetches what a check is about. A connection that is there serves to confirm content that was
 * found before; whatever else is stated of content was served on fresh ones, twice where `judge`
 * asks. A check that was postponed half-way goes on where it was, so that a host that allows few
 * requests at a time does not spend them all on first fetches.
 */
export async function runCheck(
  target: CheckTarget,
  fetch: ContentFetcher,
  { signal, first: kept, onFirst }: CheckCall,
): Promise<Finding | NoFinding> {
  const { url, isStable } = target
  if (isStable && kept === undefined) {
    const glance = judge(target, await fetch(url, { signal, fresh: false }), undefined)
    if (glance.type !== 'fetch_again') return glance
  }
  const first = kept ?? (await fetch(url, { signal, fresh: true }))
  const once = judge(target, first, undefined)
  if (once.type !== 'fetch_again') return once
  if (kept === undefined) onFirst?.(once.first)
  const twice = judge(target, first, await fetch(url, { signal, fresh: true }))
  if (twice.type === 'fetch_again') throw new Error('assertion failed: two fetches are judged')
  return twice
}

/**
 * How long a check waits that has been asked to, in milliseconds, before it is made again as if
 * nothing had been found: a host that has enough for a moment says nothing of its content.
 * Undefined for any other finding, and for a wait as long as that of a check that was recorded.
 */
export function waitAfter(finding: Finding): number | undefined {
  if (finding.type !== 'unavailable') return undefined
  const { httpStatus, retryAfterMs } = finding
  if (httpStatus !== 429 && httpStatus !== 503) return undefined
  if (retryAfterMs === undefined || retryAfterMs >= waitMsMax) return undefined
  return Math.max(retryAfterMs, waitMsMin)
}

/** The address whose host has answered in the end; undefined if none did. */
export function answeredUrl(finding: Finding): string | undefined {
  if (finding.type !== 'unavailable') return finding.content.finalUrl
  return finding.httpStatus === undefined ? undefined : finding.url
}

function hashOf(outcome: ContentOutcome): string | undefined {
  return outcome.type === 'fetched' ? contentHash(outcome) : undefined
}

// A page about a work changes when its publisher's site does, and is not the work.
function leadsToPage(url: string, content: FetchedContent): boolean {
  return isPage(content) && isDoiUrl(url)
}

/** How often in a row a host is waited for that asks for it, before that is what was found. */
const waitsMax = 2

/** Hosts that are remembered; the one that asked for its rest first is forgotten first. */
const hostsMax = 10_000

/** `asked` in a row, the last time at a moment. */
type Rests = { readonly asked: number; readonly moment: number }

/**
 * Remembers which hosts asked for a rest and have answered nothing else since. What the check of
 * one work learned counts for all works of the host: they do not each wait for it.
 */
export class HostBackoff {
  readonly #rests = new Map<string, Rests>()
  #moment = 0

  /** Now, by which `waitsFor` tells what a check could know when it began. */
  get moment(): number {
    return this.#moment
  }

  /**
   * Notes that a host asked for a rest in a check that began at a moment; says whether to wait for
   * it once more. Checks that ran side by side are told of the same rest, which counts once.
   */
  waitsFor(host: string, begun: number): boolean {
    const before = this.#rests.get(host)
    if (before !== undefined && before.moment > begun) return before.asked <= waitsMax
    const asked = (before?.asked ?? 0) + 1
    this.#moment += 1
    this.#rests.delete(host)
    this.#rests.set(host, { asked, moment: this.#moment })
    if (this.#rests.size > hostsMax) {
      const [oldest = ''] = this.#rests.keys()
      this.#rests.delete(oldest)
    }
    return asked <= waitsMax
  }

  /** Notes that a host has answered a request. */
  noteAnswer(host: string): void {
    this.#rests.delete(host)
  }
}

/** What checking needs: the queue's store, who fetches, and the actors that record. */
type FixityCheckerOptions = {
  readonly store: Store
  readonly fetchContent: ContentFetcher
  readonly works: Shards<WorkMessage>
  readonly clock: Clock
  readonly limits: QueueLimits
  readonly askTimeoutMs: number
  readonly report: (report: ActorReport) => void
}

type HalfCheck = { readonly target: CheckTarget; readonly first: FetchedContent }

type Postponement = Extract<NoFinding, { type: 'postponed' }>

/** How long a work is left alone whose check could not be made or recorded. */
const unrecordedMs = 60_000

/** How long nothing is tried after the queue could not be read, unless there is news. */
const unreadableMs = 60_000

/** The longest sleep: the machine's clock may be set while nothing happens. */
const sleepMsMax = 3_600_000

/**
 * Checks what is due, as many works at a time as its limits allow and none of them twice. It
 * follows the journal: what it has to do stands in the store, so that it can be ended at any moment
 * and begins again from there. Findings are recorded by the actors of the works.
 */
export class FixityChecker implements Follower {
  readonly #options: FixityCheckerOptions
  readonly #queue: FixityQueue
  readonly #closing = new AbortController()
  readonly #checks = new Set<Promise<void>>()
  readonly #outcomes = new Map<string, number>()
  readonly #backoff = new HostBackoff()
  /** By what the queue calls them. */
  readonly #halves = new Map<string, HalfCheck>()
  #asking = 0
  readonly #running: Promise<void>
  #isWoken = false
  #wake: (() => void) | undefined

  constructor(options: FixityCheckerOptions) {
    this.#options = options
    this.#queue = new FixityQueue(options.store, options.limits)
    this.#running = this.#run()
  }

  /** Checks whose host is being asked, and how those ended that were made. */
  get status(): Pick<FixityOverview, 'in_flight' | 'outcomes'> {
    return { in_flight: this.#asking, outcomes: Object.fromEntries(this.#outcomes) }
  }

  /** Tells what was committed, of which some may be due. */
  published(events: readonly JournalEvent[]): void {
    for (const event of events) {
      if (event.stream.startsWith('work/')) this.#noteEvent(event as JournalEvent & WorkEvent)
    }
  }

  /** Calls off every check, and resolves when none is under way. What was not recorded is due. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#rouse()
    await this.#running
    await Promise.all(this.#checks)
  }

  #noteEvent(event: JournalEvent & WorkEvent): void {
    if (event.type === 'WorkWithdrawn' || event.type === 'MetadataLost') return
    if (event.type === 'FixityChecked' || event.type === 'FileChecked') {
      this.#queue.noteWritten(1, Date.parse(event.data.next_check_at))
      return
    }
    this.#queue.noteWritten(0, Date.parse(event.at))
    this.#rouse()
  }

  #rouse(): void {
    this.#isWoken = true
    this.#wake?.()
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      this.#isWoken = false
      await this.#sleep(await this.#proceed())
    }
  }

  /** Starts what can be started; gives how long there is nothing more to do, in milliseconds. */
  async #proceed(): Promise<number> {
    try {
      const nowMs = this.#options.clock.nowMs()
      this.#queue.endRests(nowMs)
      this.#startChecks()
      if (this.#queue.isFull) return sleepMsMax
      return (await this.#queue.read(nowMs)) ? 0 : await this.#idleMs(nowMs)
    } catch (error) {
      // A row of the queue cannot be read; the scrubber tells what to do about it.
      this.#fail('read', error)
      return unreadableMs
    }
  }

  async #idleMs(nowMs: number): Promise<number> {
    const nextMs = await this.#queue.nextMs(nowMs)
    return nextMs === undefined ? sleepMsMax : nextMs - nowMs
  }

  #sleep(ms: number): Promise<void> {
    if (this.#isWoken || ms <= 0) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), Math.min(ms, sleepMsMax)).unref()
      this.#wake = () => {
        clearTimeout(timer)
        this.#wake = undefined
        resolve()
      }
    })
  }

  #startChecks(): void {
    for (let name = this.#queue.take(); name !== undefined; name = this.#queue.take()) {
      const check = this.#check(name).finally(() => {
        this.#checks.delete(check)
        this.#rouse()
      })
      this.#checks.add(check)
    }
  }

  async #check(name: string): Promise<void> {
    const { clock } = this.#options
    try {
      const ended = await this.#findOut(name)
      if (ended?.type === 'postponed') return this.#postpone(name, ended)
      if (ended?.type === 'interrupted') {
        this.#count('interrupted')
        return this.#queue.rest(name, clock.nowMs() + unrecordedMs)
      }
      this.#halves.delete(name)
      this.#queue.release(name)
      const due = this.#readDue(name)
      // The work has changed meanwhile; its row was passed over while it was under check.
      if (due !== undefined) this.#queue.noteWritten(due.class, Date.parse(due.at))
    } catch (error) {
      this.#queue.rest(name, clock.nowMs() + unrecordedMs)
      this.#count('unrecorded')
      this.#fail('check', error)
    }
  }

  /** Makes one check and has it recorded; gives what kept it from being made. */
  async #findOut(name: string): Promise<NoFinding | undefined> {
    const due = this.#readDue(name)
    if (due === undefined || Date.parse(due.at) > this.#options.clock.nowMs()) return undefined
    const { target } = due.report
    const begun = this.#backoff.moment
    const finding = await this.#runCheck(name, target)
    if (isNoFinding(finding)) return finding
    if (this.#closing.signal.aborted) return { type: 'aborted' }
    const rest = this.#restOf(finding, begun)
    if (rest !== undefined) return rest
    await this.#record(due.state.ark, { ...due.report, finding })
    return undefined
  }

  /** Makes a check, or the half of it that is left. */
  #runCheck(name: string, target: CheckTarget): Promise<Finding | NoFinding> {
    const half = this.#halves.get(name)
    return runCheck(target, this.#fetch, {
      signal: this.#closing.signal,
      first: half && isSameTarget(half.target, target) ? half.first : undefined,
      onFirst: (first) => {
        this.#halves.set(name, { target, first })
        this.#backoff.noteAnswer(hostTag(first.finalUrl))
      },
    })
  }

  /** Gives a host the rest that it asks for, and tells of it if the check is to wait for that. */
  #restOf(finding: Finding, begun: number): Postponement | undefined {
    const url = answeredUrl(finding)
    if (url === undefined) return undefined
    const host = hostTag(url)
    const retryAfterMs = waitAfter(finding)
    if (retryAfterMs === undefined) {
      this.#backoff.noteAnswer(host)
      return undefined
    }
    this.#queue.restHost(host, this.#options.clock.nowMs() + retryAfterMs)
    const isWaitedFor = this.#backoff.waitsFor(host, begun)
    return isWaitedFor ? { type: 'postponed', url, retryAfterMs } : undefined
  }

  // Counts a fetch while its host is asked, and not while it waits for the host's turn.
  readonly #fetch: ContentFetcher = async (url, call) => {
    let asked = 0
    const onStart = () => {
      asked += 1
      this.#asking += 1
    }
    try {
      return await this.#options.fetchContent(url, { ...call, onStart })
    } finally {
      this.#asking -= asked
    }
  }

  async #record(ark: string, report: CheckReport): Promise<void> {
    const { works, askTimeoutMs } = this.#options
    const { type } = await ask(works.at(ark), { type: 'record_check', report }, askTimeoutMs)
    this.#count(type === 'recorded' ? outcomeOf(report.finding) : 'outdated')
  }

  // A redirect may have led from a host that is well to one that wants to be left alone.
  #postpone(name: string, { url, retryAfterMs }: Postponement): void {
    const untilMs = this.#options.clock.nowMs() + retryAfterMs
    const host = hostTag(url)
    this.#count('postponed')
    if (host !== this.#queue.hostOf(name)) return this.#queue.rest(name, untilMs)
    this.#queue.restHost(host, untilMs)
    this.#queue.putBack(name)
  }

  #readDue(name: string): DueCheck | undefined {
    return readDue(name, readerOf(this.#options.store))
  }

  #count(outcome: string): void {
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1)
  }

  #fail(message: string, error: unknown): void {
    this.#options.report({ type: 'fault', actor: 'fixity checker', message, error })
  }
}

function isNoFinding(finding: Finding | NoFinding): finding is NoFinding {
  const { type } = finding
  return type === 'postponed' || type === 'aborted' || type === 'interrupted'
}

/** A check that is to come: when, in which class, and what it is about. */
type DueCheck = Pick<Due, 'class' | 'at'> & {
  readonly state: WorkState
  readonly report: Omit<CheckReport, 'finding'>
}

/** Reads what is to be checked of a work, or of one of its files; undefined if nothing is. */
function readDue(name: string, read: ReadRow): DueCheck | undefined {
  const [naan, blade, place] = name.split('/')
  const state = readWork(`${naan}/${blade}`, read)?.state
  if (state === undefined) return undefined
  if (place !== undefined) {
    const known = readFile(state, Number(place), read)
    const report = known && { version: state.version, file: Number(place), target: known.target }
    return known && report && { ...fileDue(known), state, report }
  }
  const due = dueOf(state)
  return due && { ...due, state, report: readTarget(state, due, read) }
}

/** What the next check of the content of a work is about. */
function readTarget(state: WorkState, due: Due, read: ReadRow): DueCheck['report'] {
  const { version } = state
  const unsettled = due.version === version ? undefined : readUnsettled(state, read)
  if (unsettled !== undefined) {
    return { version: unsettled.version, target: unsettledTarget(unsettled) }
  }
  const metadata = metadataAt(state.position, read)
  assert(metadata !== undefined, 'a work that stands has its metadata')
  return { version, target: checkTarget(state, metadata) }
}

function outcomeOf(finding: Finding): string {
  switch (finding.type) {
    case 'same':
      return 'verified'
    case 'changed':
      return 'hash_mismatch'
    case 'unstable':
      return unstableReason(finding)
    case 'unavailable':
      return finding.reason
  }
}
