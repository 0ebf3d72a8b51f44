import type { ActorReport } from '#actors/kernel/actor_error.ts'
import type { Clock } from '#actors/values/clock.ts'
import {
  type CheckTarget,
  type FetchedContent,
  type Finding,
  hostTag,
  isSameTarget,
} from '#actors/works/content.ts'
import type { Shards } from '#actors/kernel/shards.ts'
import type { FixityOverview } from '#actors/fixity/port.ts'
import {
  answeredUrl,
  HostBackoff,
  type NoFinding,
  runCheck,
  waitAfter,
} from '#actors/fixity/check.ts'
import {
  type CheckReport,
  checkTarget,
  dueOf,
  unsettledTarget,
} from '#actors/works/fixity_rules.ts'
import { FixityQueue, type QueueLimits } from '#actors/fixity/queue.ts'
import type { Follower, JournalEvent } from '#actors/journal/journal.ts'
import { ask } from '#actors/kernel/kernel.ts'
import type { WorkMessage } from '#actors/works/actor.ts'
import { metadataAt, type WorkEvent, type WorkState } from '#actors/works/events.ts'
import { readUnsettled, readWork } from '#actors/works/record.ts'
import type { ContentFetcher } from '#actors/fixity/content_fetcher.ts'
import { readerOf, type ReadRow } from '#actors/journal/rows.ts'
import type { Store } from '#log/base/store.ts'
import { assert } from '#log/base/errors.ts'

/** What checking needs: the queue's store, who fetches, and the actors that record. */
export type FixityCheckerOptions = {
  readonly store: Store
  readonly fetchContent: ContentFetcher
  readonly works: Shards<WorkMessage>
  readonly clock: Clock
  readonly limits: QueueLimits
  readonly askTimeoutMs: number
  readonly report: (report: ActorReport) => void
}

/** What a check has of its first fetch, while it waits for its second. */
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
  /** By `naan/name`. */
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
    if (event.type === 'FixityChecked') {
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
    for (let ark = this.#queue.take(); ark !== undefined; ark = this.#queue.take()) {
      const check = this.#check(ark).finally(() => {
        this.#checks.delete(check)
        this.#rouse()
      })
      this.#checks.add(check)
    }
  }

  async #check(ark: string): Promise<void> {
    const { clock } = this.#options
    try {
      const ended = await this.#findOut(ark)
      if (ended?.type === 'postponed') return this.#postpone(ark, ended)
      if (ended?.type === 'interrupted') {
        this.#count('interrupted')
        return this.#queue.rest(ark, clock.nowMs() + unrecordedMs)
      }
      this.#halves.delete(ark)
      this.#queue.release(ark)
      const due = this.#dueOf(ark)
      // The work has changed meanwhile; its row was passed over while it was under check.
      if (due !== undefined) this.#queue.noteWritten(due.class, Date.parse(due.at))
    } catch (error) {
      this.#queue.rest(ark, clock.nowMs() + unrecordedMs)
      this.#count('unrecorded')
      this.#fail('check', error)
    }
  }

  #dueOf(ark: string): ReturnType<typeof dueOf> {
    const state = this.#stateOf(ark)
    return state && dueOf(state)
  }

  /** Makes one check and has it recorded; gives what kept it from being made. */
  async #findOut(ark: string): Promise<NoFinding | undefined> {
    const { store, clock } = this.#options
    const state = this.#stateOf(ark)
    if (state === undefined || !isDue(state, clock.nowMs())) return undefined
    const { version, target } = readTarget(state, readerOf(store))
    const begun = this.#backoff.moment
    const finding = await this.#runCheck(ark, target)
    if (isNoFinding(finding)) return finding
    if (this.#closing.signal.aborted) return { type: 'aborted' }
    const rest = this.#restOf(finding, begun)
    if (rest !== undefined) return rest
    await this.#record(ark, { version, target, finding })
    return undefined
  }

  /** Makes a check, or the half of it that is left. */
  #runCheck(ark: string, target: CheckTarget): Promise<Finding | NoFinding> {
    const half = this.#halves.get(ark)
    return runCheck(target, this.#fetch, {
      signal: this.#closing.signal,
      first: half && isSameTarget(half.target, target) ? half.first : undefined,
      onFirst: (first) => {
        this.#halves.set(ark, { target, first })
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
  #postpone(ark: string, { url, retryAfterMs }: Postponement): void {
    const untilMs = this.#options.clock.nowMs() + retryAfterMs
    const host = hostTag(url)
    this.#count('postponed')
    if (host !== this.#queue.hostOf(ark)) return this.#queue.rest(ark, untilMs)
    this.#queue.restHost(host, untilMs)
    this.#queue.putBack(ark)
  }

  #stateOf(ark: string): WorkState | undefined {
    return readWork(ark, readerOf(this.#options.store))?.state
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

/** What the next check of a work is about. */
function readTarget(state: WorkState, read: ReadRow): Omit<CheckReport, 'finding'> {
  const { version } = state
  const unsettled = dueOf(state)?.version === version ? undefined : readUnsettled(state, read)
  if (unsettled !== undefined) {
    return { version: unsettled.version, target: unsettledTarget(unsettled) }
  }
  const metadata = metadataAt(state.position, read)
  assert(metadata !== undefined, 'a work that stands has its metadata')
  return { version, target: checkTarget(state, metadata) }
}

function isDue(state: WorkState, nowMs: number): boolean {
  const due = dueOf(state)
  return due !== undefined && Date.parse(due.at) <= nowMs
}

function outcomeOf(finding: Finding): string {
  switch (finding.type) {
    case 'same':
      return 'verified'
    case 'changed':
      return 'hash_mismatch'
    case 'unstable':
      return 'no_stable_content'
    case 'unavailable':
      return finding.reason
  }
}
