import type { EnvironmentName } from '#actors/registry/environment.ts'
import {
  addCounts,
  batchBytesMax,
  batchWorksMax,
  type UsageBatch,
  type UsedWork,
  type UseCounts,
} from '#src/usage/usage_batch.ts'

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
export class UsagePool {
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
    const works: UsedWork[] = []
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
