import { randomBytes } from 'node:crypto'
import path from 'node:path'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { DataFolders } from '#src/keeping/data_dir/data_dir.ts'
import type { CountUses } from '#src/edge/uses.ts'
import {
  createClickMemory,
  DoubleClicks,
  UsageCounter,
  UsageGathering,
} from '#src/operations/usage/usage_pool.ts'
import { dayMs, type UsageBatch, usesIn } from '#src/operations/usage/usage_batch.ts'
import { SharedUsage, type SharedUsageOptions } from '#src/operations/usage/shared_usage.ts'
import {
  type UsedWork,
  UsageReader,
  type UsageRow,
  UsageRows,
  type UsageSubject,
} from '#src/operations/usage/usage_rows.ts'

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

export type OwnUsageOptions = UsageOptions & { readonly shared?: SharedUsageOptions }

/** How long a thread gathers, and the one that writes: a kill loses a minute of both. */
const threadGatherMs = 15_000
const writerGatherMs = 45_000

/** How often it is looked whether a day is over, and the pause between steps of what follows. */
const tidyMs = 5_000
const tidyPauseMs = 20

/** The file of the counts. */
export function usageFile({ dataDir }: Pick<DataFolders, 'dataDir'>): string {
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
  readonly #options: UsageOptions
  readonly shared: SharedUsage | undefined
  #lost = 0
  #tidying: NodeJS.Timeout

  /** Opens the counts of a data directory; without one, they are in memory. */
  constructor(folders: DataFolders | undefined, options: OwnUsageOptions) {
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
    const hasMore = this.#attempt(() => this.#rows.tidy(this.#today)) === true
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
  readonly folders: DataFolders
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
