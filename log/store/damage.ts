import { crc32 } from 'node:zlib'

import { isDamage, LogError } from '#log/tlog/errors.ts'
import type { Range, ReadStore, Row, Store } from '#log/store/store.ts'

/** Bytes that the checksum adds to a row. */
export const rowOverheadBytes = 4

/** A row whose checksum does not hold. With its `key` a reader of the whole store goes on. */
export class CorruptRowError extends LogError {
  readonly key: string

  constructor(key: string) {
    super(
      'store_corrupt',
      `the row ${JSON.stringify(key)} fails its checksum, so the disk or the memory has altered ` +
        'it: stop the service, check the disk, and restore the store from a backup',
    )
    this.key = key
  }
}

/**
 * Encodes a row as `value ‖ CRC-32(key ‖ value)`, the checksum as 4 bytes, big-endian. The key is
 * part of it, so that a row which turns up under another key is seen too.
 */
export function encodeRow(key: string, value: Uint8Array): Buffer {
  const row = Buffer.allocUnsafe(value.length + rowOverheadBytes)
  row.set(value)
  row.writeUInt32BE(crc32(value, crc32(key)), value.length)
  return row
}

/** The value of the row at `key`, as a view of its bytes, or CorruptRowError (`store_corrupt`). */
export function decodeRow(key: string, row: Uint8Array): Uint8Array {
  const length = row.length - rowOverheadBytes
  if (length < 0) throw new CorruptRowError(key)
  const value = row.subarray(0, length)
  const checksum = readChecksum(row, length)
  if (checksum !== crc32(value, crc32(key))) throw new CorruptRowError(key)
  return value
}

// By hand, for a view to read it through takes longer than the rest of a small row.
function readChecksum(row: Uint8Array, at: number): number {
  let checksum = 0
  for (let index = at; index < at + rowOverheadBytes; index += 1) {
    checksum = checksum * 256 + (row[index] as number)
  }
  return checksum
}

/** What is damaged, as far as it was met: how much, and the first of it in a sentence. */
export type DamageStatus = { readonly found: number; readonly first?: string }

/** Damaged rows that are counted one by one; a store with more is beyond being counted. */
const foundMax = 10_000

/** The damage of a store that was met since it was opened: each is noted, and told when it is. */
export class DamageList {
  readonly #found = new Set<string>()
  readonly #report: (message: string) => void

  /** `report` gets each damage once, in words for the operator. */
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
  return {
    ...watchReads(store, damage),
    commit: (operations) => store.commit(operations),
    purge: (keys) => store.purge(keys),
  }
}

/** The same for those who only read. */
export function watchReads(store: ReadStore, damage: Pick<DamageList, 'note'>): ReadStore {
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
    close: () => store.close(),
  }
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
