import { LogError } from '#log/errors.ts'
import { CorruptRowError } from '#log/row.ts'
import type { Range, Row, Store } from '#log/store.ts'

/** Whether an error, or what caused it, says that rows of a store are damaged or lost. */
export function isDamage(error: unknown): boolean {
  if (error instanceof LogError) return error.code === 'store_corrupt'
  return error instanceof Error && error.cause !== undefined && isDamage(error.cause)
}

/** What is damaged, as far as it was met: how much, and the first of it in a sentence. */
export type DamageStatus = { readonly found: number; readonly first?: string }

/** So much is told apart; a store with more is beyond being counted. */
const foundMax = 10_000

/** The damage of a store that was met since it was opened: each is noted, and told when it is. */
export class DamageList {
  readonly #found = new Set<string>()
  readonly #report: (message: string) => void

  /** `report` is told of each damage once, in words for the operator. */
  constructor(report: (message: string) => void) {
    this.#report = report
  }

  get status(): DamageStatus {
    const [first] = this.#found
    return { found: this.#found.size, ...(first !== undefined && { first }) }
  }

  /** Notes what an error says of damage; any other error is left alone. */
  note(error: unknown): void {
    if (error instanceof LogError && error.code === 'store_corrupt') this.add(error.message)
    else if (isDamage(error)) this.note((error as Error).cause)
  }

  /** Notes damage that a sentence tells. */
  add(message: string): void {
    if (this.#found.has(message) || this.#found.size >= foundMax) return
    this.#found.add(message)
    this.#report(message)
  }

  /** Takes back what `add` has noted: it was mended. */
  remove(message: string): void {
    this.#found.delete(message)
  }
}

/** A store as it is, whose damaged rows are noted when they are read. */
export function watchDamage(store: Store, damage: DamageList): Store {
  const noted = <T>(error: T): T => {
    damage.note(error)
    return error
  }
  return {
    get(key) {
      try {
        return store.get(key)
      } catch (error) {
        throw noted(error)
      }
    },
    async *scan(range) {
      try {
        yield* store.scan(range)
      } catch (error) {
        throw noted(error)
      }
    },
    async *scanBatches(range) {
      try {
        yield* store.scanBatches(range)
      } catch (error) {
        throw noted(error)
      }
    },
    commit: (operations) => store.commit(operations),
    purge: (keys) => store.purge(keys),
    close: () => store.close(),
  }
}

/** What `read` gives; undefined if it needs what is damaged: a list shows what is sound. */
export function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    return undefinedIfDamage(error)
  }
}

/** The same for a promise, as its `catch`. */
export function undefinedIfDamage(error: unknown): undefined {
  if (isDamage(error)) return undefined
  throw error
}

/**
 * Rows of a range in key order, but for those that fail their checksum: one damaged row does not
 * hold up who works through many. A damaged key that lies out of order ends the scan.
 */
export async function* scanSound(store: Pick<Store, 'scan'>, range: Range): AsyncGenerator<Row> {
  let rest: Range | undefined = range
  let rows = 0
  let last: string | undefined
  while (rest !== undefined) {
    try {
      for await (const row of store.scan(rest)) {
        rows += 1
        last = row[0]
        yield row
      }
      return
    } catch (error) {
      if (!(error instanceof CorruptRowError)) throw error
      const { limit = Number.POSITIVE_INFINITY } = range
      const isInOrder = last === undefined || error.key > last !== (range.reverse === true)
      last = error.key
      rest = isInOrder && rows < limit ? beyond(range, error.key, limit - rows) : undefined
    }
  }
}

function beyond({ gt, gte, lt, lte, reverse }: Range, key: string, limit: number): Range {
  const rows = Number.isFinite(limit) && { limit }
  if (reverse === true) {
    return {
      ...(gt !== undefined && { gt }),
      ...(gte !== undefined && { gte }),
      lt: key,
      reverse,
      ...rows,
    }
  }
  return { gt: key, ...(lt !== undefined && { lt }), ...(lte !== undefined && { lte }), ...rows }
}
