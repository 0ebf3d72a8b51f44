import { randomBytes } from 'node:crypto'
import path from 'node:path'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import { type CountUses, type UseKind, useKinds } from '#src/edge/uses.ts'
import {
  addCounts,
  batchBytesMax,
  type BatchedWork,
  batchWorksMax,
  dayMs,
  type UsageBatch,
  type UseCounts,
  usesIn,
} from '#src/operations/usage/usage_batch.ts'
import { SharedUsage, type SharedUsageOptions } from '#src/operations/usage/shared_usage.ts'
import {
  type UsedWork,
  UsageReader,
  type UsageRow,
  UsageRows,
  type UsageSubject,
} from '#src/operations/usage/usage_rows.ts'
import { isbot } from 'isbot'
import { countedAddress } from '#src/edge/caller.ts'
import { halfSipHash } from '#src/edge/limits/half_sip_hash.ts'

/** How often works are used: counts it, and tells it. */
export type Usage = {
  readonly count: CountUses
  /** Has what was counted on this thread written soon, or at once where this thread writes. */
  flush(): void
  /** As `UsageReader.read`, of what is written. */
  read(table: 'days' | 'months', subject: UsageSubject, from: number, to: number): UsageRow[]
  /** As `UsageReader.mostUsed`. */
  mostUsed(environment: EnvironmentName, from: number, to: number, limit: number): UsedWork[]
  /** Hands on what was counted; resolves when it is written. */
  close(): Promise<void>
}

export type UsageOptions = {
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
  /** Hears of counts that could not be written, which are lost. */
  readonly report: (error: unknown) => void
}

export type OwnUsageOptions = UsageOptions & {
  readonly shared?: SharedUsageOptions
  /** Whether the time of day can be believed: until it can, no day is old. By default it can. */
  readonly isClockSound?: () => boolean
}

/** How long a thread gathers, and the one that writes: a kill loses a minute of both. */
const threadGatherMs = 15_000
const writerGatherMs = 45_000

/** How often it is looked whether a day is over, and the pause between steps of what follows. */
const tidyMs = 5_000
const tidyPauseMs = 20

/** Where the file of the counts is. */
type UsageFolder = { readonly dataDir: string }

/** The file of the counts. */
export function usageFile({ dataDir }: UsageFolder): string {
  return path.join(dataDir, 'usage.db')
}

/**
 * Counts of one registry, which this thread writes. Where the registry is one of several nodes,
 * what is counted here comes to the rows over the stream that they share, as all that others count.
 */
export class OwnUsage implements Usage {
  /** What threads find double clicks in together. */
  readonly memory = createClickMemory()
  readonly #rows: UsageRows
  readonly #reader: UsageReader
  readonly #gathering: UsageGathering
  readonly #counter: UsageCounter
  readonly #options: OwnUsageOptions
  readonly shared: SharedUsage | undefined
  #lost = 0
  #tidying: NodeJS.Timeout

  /** Opens the counts of a data directory; without one, they are in memory. */
  constructor(folders: UsageFolder | undefined, options: OwnUsageOptions) {
    this.#options = options
    this.#rows = new UsageRows(folders ? usageFile(folders) : ':memory:', this.#today)
    this.#reader = this.#rows.reader()
    const { shared } = options
    this.shared = shared && new SharedUsage(this.#rows.shared(), shared)
    this.#gathering = new UsageGathering({
      gatherMs: writerGatherMs,
      send: (batch) => this.#send(batch),
    })
    this.#counter = new UsageCounter({
      clicks: new DoubleClicks(this.memory, randomBytes),
      nowMs: options.nowMs,
      add: (work, counts) => this.#gathering.add(work, counts),
    })
    this.#tidying = setTimeout(() => this.#tidy(), tidyMs).unref()
  }

  get count(): CountUses {
    return this.#counter.count
  }

  flush(): void {
    this.#gathering.flush()
  }

  read(...asked: Parameters<UsageReader['read']>): UsageRow[] {
    return this.#reader.read(...asked)
  }

  mostUsed(...asked: Parameters<UsageReader['mostUsed']>): UsedWork[] {
    return this.#reader.mostUsed(...asked)
  }

  /** Writes what another thread has counted (`joinUsage`). */
  addBatch(batch: UsageBatch): void {
    this.#gathering.addBatch(batch)
  }

  /** Uses that were counted here and are lost: they could not be written, or told to others. */
  get lost(): number {
    return this.#lost + (this.shared?.lost ?? 0)
  }

  async close(): Promise<void> {
    clearTimeout(this.#tidying)
    this.#gathering.close()
    await this.shared?.close()
    this.#rows.close()
  }

  #send(batch: UsageBatch): void {
    if (this.shared !== undefined) return this.shared.send(batch)
    const isWritten = this.#attempt(() => this.#rows.add(batch))
    if (isWritten === undefined) this.#lost += usesIn(batch)
  }

  get #today(): number {
    return Math.floor(this.#options.nowMs() / dayMs)
  }

  #tidy(): void {
    const { isClockSound = () => true } = this.#options
    const hasMore = isClockSound() && this.#attempt(() => this.#rows.tidy(this.#today)) === true
    this.#tidying = setTimeout(() => this.#tidy(), hasMore ? tidyPauseMs : tidyMs).unref()
  }

  #attempt<Done>(act: () => Done): Done | undefined {
    try {
      return act()
    } catch (error) {
      this.#options.report(error)
      return undefined
    }
  }
}

export type JoinedUsageOptions = UsageOptions & {
  readonly folders: UsageFolder
  readonly memory: SharedArrayBuffer
  /** Has the thread that writes take what was counted here. */
  readonly send: (batch: UsageBatch) => Promise<void>
}

/** Counts here, has it written by another thread, and reads the file itself. */
export function joinUsage(options: JoinedUsageOptions): Usage {
  const { folders, memory, nowMs, report } = options
  const reader = UsageReader.open(usageFile(folders))
  const sending = new Set<Promise<unknown>>()
  const send = (batch: UsageBatch) => {
    const sent = options.send(batch).catch(report)
    sending.add(sent)
    void sent.then(() => sending.delete(sent))
  }
  const gathering = new UsageGathering({ gatherMs: threadGatherMs, send })
  const clicks = new DoubleClicks(memory, randomBytes)
  const add: UsageGathering['add'] = (work, counts) => gathering.add(work, counts)
  const counter = new UsageCounter({ clicks, nowMs, add })
  return {
    count: counter.count,
    flush: () => gathering.flush(),
    read: (...asked) => reader.read(...asked),
    mostUsed: (...asked) => reader.mostUsed(...asked),
    async close() {
      gathering.close()
      await Promise.all(sending)
      reader.close()
    },
  }
}

/** A work on a day. */
export type WorkDay = {
  /** In days since 1970. */
  readonly day: number
  readonly environment: EnvironmentName
  readonly ark: string
  /** The slug of the organization that owns it, if one does. */
  readonly organization: string | undefined
}

type Pooled = WorkDay & { readonly counts: number[] }

/** Works, and bytes of their names, with which a pool is full: 10 MiB of memory, about. */
const worksMax = 20_000
const bytesMax = 4 * 1_048_576

/** Counts that are gathered in memory: whatever is used again takes no more room. */
class UsagePool {
  readonly #works = new Map<string, Pooled>()
  #bytes = 0

  /** Works that something was counted of. */
  get works(): number {
    return this.#works.size
  }

  /** Whether it is time to take from it. */
  get isFull(): boolean {
    return this.#works.size >= worksMax || this.#bytes >= bytesMax
  }

  /** Whether it is full twice over, so that something must be taken before anything is added. */
  get isOverfull(): boolean {
    return this.#works.size >= 2 * worksMax || this.#bytes >= 2 * bytesMax
  }

  add(work: WorkDay, counts: UseCounts): void {
    const name = `${work.day} ${work.environment} ${work.ark}`
    const known = this.#works.get(name)
    if (known !== undefined) return addCounts(known.counts, counts)
    this.#works.set(name, { ...work, counts: [...counts] })
    this.#bytes += bytesOf(work)
  }

  /** Takes as many works of one day as make a batch, the oldest first; undefined: none is left. */
  take(): UsageBatch | undefined {
    const works: BatchedWork[] = []
    let day: number | undefined
    let bytes = 0
    for (const [name, pooled] of this.#works) {
      day ??= pooled.day
      if (pooled.day !== day || works.length >= batchWorksMax || bytes >= batchBytesMax) break
      const { environment, ark, organization = null, counts } = pooled
      works.push([environment, ark, organization, counts])
      bytes += bytesOf(pooled)
      this.#works.delete(name)
    }
    this.#bytes -= bytes
    return day === undefined ? undefined : { day, works }
  }
}

function bytesOf({ ark, organization = '' }: WorkDay): number {
  return ark.length + organization.length
}

/** User agents whose judgement is remembered, and how much of one is looked at. */
const agentsMax = 2_048
const agentCharactersMax = 512

/** One use of each kind. */
const one: Readonly<Record<UseKind, UseCounts>> = {
  resolutions: oneOf('resolutions'),
  landings: oneOf('landings'),
  verifications: oneOf('verifications'),
  harvests: oneOf('harvests'),
}

function oneOf(kind: UseKind): UseCounts {
  return useKinds.map((other) => Number(other === kind))
}

export type UsageCounterOptions = {
  readonly clicks: DoubleClicks
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
  readonly add: (work: WorkDay, counts: UseCounts) => void
}

/**
 * Counts uses on one thread as COUNTER 5.1 does: without robots, and of two clicks on the same
 * within 30 s one; and not more than so many of one address, which may call itself anything. What
 * was harvested is counted for robots too, which is what harvests.
 */
export class UsageCounter {
  readonly #options: UsageCounterOptions
  readonly #robots = new Map<string, boolean>()

  constructor(options: UsageCounterOptions) {
    this.#options = options
  }

  readonly count: CountUses = (address, userAgent = '', uses) => {
    const { clicks, nowMs, add } = this.#options
    const now = nowMs()
    const day = Math.floor(now / dayMs)
    const from = countedAddress(address)
    const agent = userAgent.slice(0, agentCharactersMax)
    const isRobot = this.#isRobot(agent)
    for (const { environment, ark, organization, kind } of uses) {
      if (isRobot && kind !== 'harvests') continue
      const use = `${kind} ${environment} ${ark} ${from}`
      if (clicks.isRepeated(`${use} ${agent}`, day, now)) continue
      if (clicks.isTooMany(use, day, now)) continue
      add({ day, environment, ark, organization }, one[kind])
    }
  }

  #isRobot(agent: string): boolean {
    const known = this.#robots.get(agent)
    if (known !== undefined) return known
    if (this.#robots.size >= agentsMax) this.#robots.clear()
    const judged = isbot(agent)
    this.#robots.set(agent, judged)
    return judged
  }
}

/** How often it is looked at what was gathered; what is little goes on at once. */
const lookMs = 5_000

/** The pause between two batches, in which others have the thread. */
const pauseMs = 10

export type GatheringOptions = {
  /** How long more than a batch is gathered, about: the same work is told once in that time. */
  readonly gatherMs: number
  /** Takes a batch; it is kept no longer here. */
  readonly send: (batch: UsageBatch) => void
}

/**
 * Gathers counts in bounded memory and sends them on in batches, one at a time: the same work that
 * is used many times in a minute costs one write. It owns what is gathered.
 */
export class UsageGathering {
  readonly #options: GatheringOptions
  readonly #pool = new UsagePool()
  readonly #looking: NodeJS.Timeout
  #sending: NodeJS.Timeout | undefined
  #looks = 0

  constructor(options: GatheringOptions) {
    this.#options = options
    this.#looking = setInterval(() => this.#look(), lookMs).unref()
  }

  add(work: WorkDay, counts: UseCounts): void {
    if (this.#pool.isOverfull) this.#send()
    this.#pool.add(work, counts)
    if (this.#pool.isFull) this.#sendAll()
  }

  /** Adds what another thread has gathered. */
  addBatch({ day, works }: UsageBatch): void {
    for (const [environment, ark, organization, counts] of works) {
      this.add({ day, environment, ark, organization: organization ?? undefined }, counts)
    }
  }

  /** Sends what was gathered now, as far as that holds up nobody. */
  flush(): void {
    if (this.#pool.works <= batchWorksMax) this.#sendNow()
  }

  /** Sends all that was gathered, and nothing more by itself. */
  close(): void {
    clearInterval(this.#looking)
    clearTimeout(this.#sending)
    this.#sendNow()
  }

  #look(): void {
    this.#looks += 1
    if (this.#pool.works <= batchWorksMax) this.#sendNow()
    else if (this.#looks * lookMs >= this.#options.gatherMs) this.#sendAll()
  }

  #sendNow(): void {
    this.#looks = 0
    while (this.#pool.works > 0) this.#send()
  }

  /** Sends what is there when it begins, with pauses. */
  #sendAll(): void {
    if (this.#sending !== undefined) return
    this.#looks = 0
    let left: number | undefined
    const step = () => {
      left = (left ?? this.#pool.works) - this.#send()
      this.#sending = left > 0 ? setTimeout(step, pauseMs).unref() : undefined
    }
    this.#sending = setTimeout(step, 0).unref()
  }

  #send(): number {
    const batch = this.#pool.take()
    if (batch === undefined) return Number.POSITIVE_INFINITY
    this.#options.send(batch)
    return batch.works.length
  }
}

/** COUNTER 5.1, section 7.2: of the same asked twice within so long, one is counted. */
const doubleClickMs = 30_000

/** Uses of a kind that a work has of an address on a day: a class of a school is counted whole. */
export const addressUsesMax = 30

/** Hashes of clicks, and of addresses, that are remembered, in sets that are searched: 2 MiB. */
const hashesMax = 262_144
const setHashes = 4

/** The memory begins with the two halves of the salt and the day that it is of. */
const headWords = 4
const hashWords = 2
const tableWords = hashesMax * hashWords

/** Where the tables begin: when each click was last, and how often each address has used a work. */
const clicksAt = headWords
const addressesAt = headWords + tableWords

/** Bits of a count, beside the second of the day in which it was last counted on. */
const countBits = 8

/** Memory for the clicks of a process, which all its threads look at. */
export function createClickMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer((headWords + 2 * tableWords) * 4)
}

/**
 * Which clicks repeat another one, and which are too many from one address. Of each there is only a
 * hash under a salt, with a time, in memory; all are gone with the first click of another day. What
 * is lost where more come than there is room for, or where two threads write one place at once, is
 * that a click is counted which should not be.
 */
export class DoubleClicks {
  readonly #words: Int32Array

  readonly #random: (count: number) => Uint8Array

  /** In this memory, which is zeros at first; `random` makes the salts. */
  constructor(memory: SharedArrayBuffer, random: (count: number) => Uint8Array) {
    this.#random = random
    this.#words = new Int32Array(memory)
  }

  /**
   * Whether the same was clicked no more than 30 s ago; it is remembered as clicked now. `day` is
   * that of `nowMs`, milliseconds since 1970.
   */
  isRepeated(click: string, day: number, nowMs: number): boolean {
    const at = this.#placeOf(clicksAt, click, day)
    // 0 is never.
    const now = (nowMs % 86_400_000) + 1
    const last = this.#words[at] ?? 0
    this.#words[at] = now
    return last > 0 && now >= last && now - last <= doubleClickMs
  }

  /** Whether an address has had all its uses of something on this day; if not, this is one more. */
  isTooMany(use: string, day: number, nowMs: number): boolean {
    const at = this.#placeOf(addressesAt, use, day)
    const uses = (this.#words[at] ?? 0) & (2 ** countBits - 1)
    const isTooMany = uses >= addressUsesMax
    const second = Math.floor((nowMs % 86_400_000) / 1_000)
    this.#words[at] = (second << countBits) | (isTooMany ? uses : uses + 1)
    return isTooMany
  }

  /**
   * The place of what is remembered with the hash of a text; if there is none, that of the oldest
   * of its set, emptied.
   */
  #placeOf(table: number, text: string, day: number): number {
    const words = this.#words
    if (words[2] !== day) this.#forget(day)
    const { first, last } = halfSipHash([words[0] ?? 0, words[1] ?? 0], text)
    const base = table + (first & (hashesMax / setHashes - 1)) * setHashes * hashWords
    // 0 is an empty place.
    const tag = last === 0 ? 1 : last
    let oldest = base
    for (let at = base; at < base + setHashes * hashWords; at += hashWords) {
      if (words[at] === tag) return at + 1
      if ((words[at + 1] ?? 0) < (words[oldest + 1] ?? 0)) oldest = at
    }
    words[oldest] = tag
    words[oldest + 1] = 0
    return oldest + 1
  }

  #forget(day: number): void {
    this.#words.fill(0)
    this.#words.set(new Int32Array(new Uint8Array(this.#random(8)).buffer))
    this.#words[2] = day
  }
}
