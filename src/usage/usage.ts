import { randomBytes } from 'node:crypto'
import path from 'node:path'

import { answer } from '#actors/kernel/answer.ts'
import { ask, referTo, type Reply } from '#actors/kernel/kernel.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import type { ServedEnvironments } from '#actors/registry/environment.ts'
import type { DataFolders } from '#src/data_dir/data_dir.ts'
import type { CountUses } from '#src/edge/uses.ts'
import { createClickMemory, DoubleClicks } from '#src/usage/double_clicks.ts'
import { type UsageBatch, UsageCounter } from '#src/usage/usage_counter.ts'
import {
  type OrganizationOf,
  UsageReader,
  UsageRows,
  type UsageRow,
  type UsageSubject,
} from '#src/usage/usage_rows.ts'

/** How often works are used: counts it, and tells it. */
export type Usage = {
  readonly count: CountUses
  /** Has what was counted on this thread written soon, or at once where this thread writes. */
  flush(): void
  /** As `UsageReader.read`, of what is written. */
  read(table: 'days' | 'months', subject: UsageSubject, from: number, to: number): UsageRow[]
  /** Hands on what was counted; resolves when it is written. */
  close(): Promise<void>
}

/** What a registry counts uses with. */
export type UsageOptions = {
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
  readonly organizationOf: OrganizationOf
  /** Hears of counts that could not be written, which are lost. */
  readonly report: (error: unknown) => void
}

/** Whose organization's a work is, by what the environments have registered. */
export function readOrganizations(environments: ServedEnvironments): OrganizationOf {
  return (environment, ark) => {
    const owner = environments[environment].catalogue.state(ark)?.owner
    return owner?.type === 'organization' ? owner.id : undefined
  }
}

type UsageMessage = {
  readonly type: 'add_usage'
  readonly batch: UsageBatch
  readonly reply: Reply<true>
}

const name = 'usage'

/** How long what was counted may take to be written; after that it counts as lost. */
const askTimeoutMs = 10_000

/** The file of the counts. */
function usageFile({ dataDir }: DataFolders): string {
  return path.join(dataDir, 'usage.db')
}

/** Counts of one registry, which this thread writes. */
export class OwnUsage implements Usage {
  /** What threads find double clicks in together. */
  readonly memory = createClickMemory()
  readonly #rows: UsageRows
  readonly #reader: UsageReader
  readonly #counter: UsageCounter
  readonly #report: (error: unknown) => void

  /** Opens the counts of a data directory; without one, they are in memory. */
  constructor(folders: DataFolders | undefined, options: UsageOptions) {
    const { nowMs, organizationOf, report } = options
    this.#rows = UsageRows.open(folders ? usageFile(folders) : ':memory:', organizationOf)
    this.#reader = this.#rows.reader()
    this.#report = report
    const clicks = new DoubleClicks(this.memory, randomBytes)
    this.#counter = new UsageCounter({ clicks, nowMs, send: (batch) => this.#add(batch) })
  }

  get count(): CountUses {
    return this.#counter.count
  }

  flush(): void {
    this.#counter.flush()
  }

  read(...asked: Parameters<UsageReader['read']>): UsageRow[] {
    return this.#reader.read(...asked)
  }

  /** Lets the other side of a connection have its uses written (`joinUsage`). */
  offer(remote: Remote): void {
    const ref = referTo(name, ({ batch, reply }: UsageMessage) => {
      return answer(reply, Promise.resolve(this.#add(batch)), 'uses could not be written')
    })
    remote.offer(name, () => ref)
  }

  close(): Promise<void> {
    this.#counter.close()
    this.#rows.close()
    return Promise.resolve()
  }

  #add(batch: UsageBatch): true {
    try {
      this.#rows.add(batch)
    } catch (error) {
      this.#report(error)
    }
    return true
  }
}

/** What a thread joins the counts of another one with. */
export type JoinedUsageOptions = {
  readonly folders: DataFolders
  readonly memory: SharedArrayBuffer
  readonly remote: Remote
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
  /** Hears of counts that were not written, which are lost. */
  readonly report: (error: unknown) => void
}

/** Counts here, has it written by the other side of a connection, and reads the file itself. */
export function joinUsage(options: JoinedUsageOptions): Usage {
  const { folders, memory, remote, nowMs, report } = options
  const owner = remote.at<UsageMessage>(name, '')
  const reader = UsageReader.open(usageFile(folders))
  const sending = new Set<Promise<unknown>>()
  const send = (batch: UsageBatch) => {
    const sent = ask(owner, { type: 'add_usage', batch }, askTimeoutMs).catch(report)
    sending.add(sent)
    void sent.then(() => sending.delete(sent))
  }
  const counter = new UsageCounter({ clicks: new DoubleClicks(memory, randomBytes), nowMs, send })
  return {
    count: counter.count,
    flush: () => counter.flush(),
    read: (...asked) => reader.read(...asked),
    async close() {
      counter.close()
      await Promise.all(sending)
      reader.close()
    },
  }
}
