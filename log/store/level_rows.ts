import { Level } from 'level'

import { LogError } from '#log/tlog/errors.ts'
import type { Range } from '#log/store/store.ts'

/** A row as it lies in the database: its value with its checksum, or what else was written. */
export type StoredRow = readonly [key: string, bytes: Uint8Array]

/** How a database is opened. */
export type LevelOptions = {
  readonly create: boolean
  readonly writeBufferBytes: number
  readonly cacheBytes: number
  /** Hears that the directory is free again. */
  readonly release: () => void
  /** Resolves when the scans have ended that other threads have under way now. */
  readonly otherScans?: (() => Promise<void>) | undefined
}

type Database = Level<string, Uint8Array>

/** The rows as they were at one moment; what they held stays on the disk until it is released. */
export type HeldRows = {
  readonly snapshot: ReturnType<Database['snapshot']>
  release(): Promise<void>
}

// A scan fetches so many rows in its first visit to the thread pool, and four times as many in each
// further one up to the most, or so many bytes: many scans want only the first rows.
const scanRowsFirst = 32
const scanRowsMax = 1_000
const scanBytes = 256 * 1024

const encodings = { keyEncoding: 'utf8', valueEncoding: 'view' } as const

/** Opens a database as its owner. Errors: `store_locked`, `store_corrupt`, `store_failed`. */
export async function openLevelRows(dir: string, options: LevelOptions): Promise<LevelRows> {
  const { release, otherScans } = options
  const level: Database = new Level(dir, {
    ...encodings,
    createIfMissing: options.create,
    writeBufferSize: options.writeBufferBytes,
    cacheSize: options.cacheBytes,
    compression: true,
    multithreading: true,
  })
  try {
    await level.open()
    return new LevelRows(dir, level, { release, otherScans })
  } catch (error) {
    release()
    throw explain(error, `the store ${dir} cannot be opened`)
  }
}

/** Joins a database that another thread of this process has opened. Errors as above. */
export async function joinLevelRows(dir: string): Promise<LevelRows> {
  const options = { ...encodings, createIfMissing: false, multithreading: true }
  const level: Database = new Level(dir, options)
  try {
    await level.open()
    return new LevelRows(dir, level, {})
  } catch (error) {
    throw explain(error, `the store ${dir} cannot be joined`)
  }
}

type Compacting = { compactRange(start: string, end: string): Promise<void> }

/** Reads a row past the blocks in memory. With its encodings the options are used as they are. */
const pastCache = { ...encodings, fillCache: false } as const

/** Changes of rows that are written together; a chained batch costs half of an array of them. */
export type RowBatch = ReturnType<Database['batch']>

/** Behind every key that there is. */
const beyondKeys = '\x7f'

/** One LevelDB database: rows as they are stored, writes in their order, and their purge. */
export class LevelRows {
  readonly dir: string
  readonly #level: Database
  readonly #parts: Partial<Pick<LevelOptions, 'release' | 'otherScans'>>
  /** Scans under way: each holds a snapshot, and with it the values that were replaced since. */
  readonly #scans = new Set<Promise<void>>()
  /** Ends with the last write that was asked for. */
  #lastWrite: Promise<void> = Promise.resolve()
  /** Why nothing is written any more. */
  #failure: LogError | undefined
  /** Whether what other threads have written since then lies in a table. */
  #othersSaved: Promise<boolean> | undefined

  constructor(
    dir: string,
    level: Database,
    parts: Partial<Pick<LevelOptions, 'release' | 'otherScans'>>,
  ) {
    this.dir = dir
    this.#level = level
    this.#parts = parts
  }

  /** Why nothing is written any more; undefined while all is well. */
  get failure(): LogError | undefined {
    return this.#failure
  }

  /** The bytes at a key; past the blocks in memory if they are not worth a place there. */
  get(key: string, bypassesBlockCache = false): Uint8Array | undefined {
    try {
      return bypassesBlockCache ? this.#level.getSync(key, pastCache) : this.#level.getSync(key)
    } catch (error) {
      throw explain(error, `the store ${this.dir} cannot be read`)
    }
  }

  /** The bytes at a key as they were when a snapshot was taken. */
  getHeld(key: string, { snapshot }: HeldRows): Uint8Array | undefined {
    return this.#level.getSync(key, { ...encodings, snapshot })
  }

  /** The bytes at each of the keys, read in the thread pool. */
  async getMany(keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    try {
      return await this.#level.getMany([...keys], { fillCache: false })
    } catch (error) {
      throw explain(error, `the store ${this.dir} cannot be read`)
    }
  }

  /** Holds the rows as they are now: a purge waits until they are released. */
  hold(): HeldRows {
    const end = this.#beginScan()
    try {
      const snapshot = this.#level.snapshot()
      const release = async () => {
        await snapshot.close()
        end()
      }
      return { snapshot, release }
    } catch (error) {
      end()
      throw explain(error, `the store ${this.dir} cannot be read`)
    }
  }

  /** Reads rows; while the caller works on one batch, the thread pool reads the next. */
  async *read(range: Range, held?: HeldRows): AsyncGenerator<StoredRow[]> {
    const end = this.#beginScan()
    try {
      const options = { ...range, ...(held && { snapshot: held.snapshot }) }
      await using rows = this.#level.iterator({ ...options, highWaterMarkBytes: scanBytes })
      let wanted = scanRowsFirst
      for (let next = rows.nextv(wanted); ; ) {
        const batch = await next
        if (batch.length === 0) return
        wanted = Math.min(4 * wanted, scanRowsMax)
        next = rows.nextv(wanted)
        // A caller who leaves early does not wait for this batch, nor for its failure.
        next.catch(() => undefined)
        yield batch
      }
    } catch (error) {
      throw explain(error, `the store ${this.dir} cannot be read`)
    } finally {
      end()
    }
  }

  #beginScan(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#scans.add(promise)
    return () => {
      this.#scans.delete(promise)
      resolve()
    }
  }

  /** A batch to be filled, and then written once by `write` or closed. */
  newBatch(): RowBatch {
    try {
      return this.#level.batch()
    } catch (error) {
      throw explain(error, `the store ${this.dir} cannot be written`)
    }
  }

  /**
   * Writes one atomic batch, and syncs it to the disk if it is told to. One is written after the
   * other, and none after one that failed: LevelDB would go on behind what is cut off in its file,
   * and its next opening reads only as far as that.
   */
  async write(batch: RowBatch, { sync }: { readonly sync: boolean }): Promise<void> {
    const write = this.#lastWrite.then(async () => {
      if (this.#failure !== undefined) {
        await Promise.all([batch.close(), this.#saveOthers()])
        throw noLaterWrite(this.dir, this.#failure)
      }
      try {
        await batch.write({ sync })
      } catch (error) {
        const what = `a write to the store ${this.dir} failed with unknown outcome`
        this.#failure = explain(error, what)
        await this.#saveOthers()
        throw this.#failure
      }
    })
    this.#lastWrite = write.catch(() => undefined)
    await write
  }

  /**
   * Other threads may write to the same database, behind what is cut off in its file: once all that
   * is in memory lies in a table, LevelDB needs that file no more. Without space for the table it
   * takes no write of any thread from then on; without space to begin, that is tried again with
   * each write that is refused, and at the end.
   */
  async #saveOthers(): Promise<void> {
    this.#othersSaved ??= this.#compact('', '').then(
      () => true,
      () => false,
    )
    if (!(await this.#othersSaved)) this.#othersSaved = undefined
  }

  /** Puts what was written until now into a table, which LevelDB syncs. */
  async flush(): Promise<void> {
    try {
      await this.#compact(beyondKeys, beyondKeys)
    } catch (error) {
      throw explain(error, `the store ${this.dir} cannot be written`)
    }
  }

  /** Leaves nothing on the disk of what these rows, in order, held before they were written. */
  async purge(keys: readonly string[]): Promise<void> {
    const [first, last] = [keys[0], keys.at(-1)]
    if (first === undefined || last === undefined) return
    try {
      // LevelDB drops a value where it merges it with a newer one of its key. Two that were written
      // to one file stay, unless a newer file lies over it: so what is in memory goes to a file,
      // and then each row is written once more.
      await this.#compact(first, first)
      await this.#rewrite(keys)
      await this.#allScansEnded()
      await this.#compact(first, last)
      // A file that was read until now is deleted with the next compaction.
      await this.#allScansEnded()
      await this.#compact(first, first)
    } catch (error) {
      throw explain(error, `old values could not be removed from the store ${this.dir}`)
    }
  }

  /** Resolves when the scans under way now have ended. */
  async scansEnded(): Promise<void> {
    await Promise.all(this.#scans)
  }

  async #allScansEnded(): Promise<void> {
    await Promise.all([this.scansEnded(), this.#parts.otherScans?.()])
  }

  // The types of `level` are those that its adapter for browsers shares, which has no files.
  #compact(first: string, last: string): Promise<void> {
    return (this.#level as Database & Compacting).compactRange(first, last)
  }

  async #rewrite(keys: readonly string[]): Promise<void> {
    const batch = this.newBatch()
    for (const key of keys) {
      const row = this.#level.getSync(key)
      if (row === undefined) batch.del(key)
      else batch.put(key, row)
    }
    await this.write(batch, { sync: true })
  }

  async close(): Promise<void> {
    await this.#lastWrite
    if (this.#failure !== undefined) await this.#saveOthers()
    await this.#level.close()
    this.#parts.release?.()
  }
}

/** The LogError for a failure of LevelDB: what failed, why, and what to do about it. */
export function explain(error: unknown, what: string): LogError {
  if (error instanceof LogError) return error
  const cause = rootCause(error)
  const { code, message } = cause as NodeJS.ErrnoException
  if (code === 'LEVEL_LOCKED') return locked(what, 'another', { cause })
  if (code === 'LEVEL_DATABASE_NOT_OPEN' || code === 'LEVEL_ITERATOR_NOT_OPEN') {
    const closed = 'the store cannot be read or written any more: the service ends, and closed it'
    return new LogError('store_closed', closed, { cause })
  }
  if (code === 'LEVEL_CORRUPTION' || /no such file/i.test(message)) {
    const advice = 'LevelDB found it damaged: restore the whole directory from a backup'
    return new LogError('store_corrupt', `${what}: ${advice} (${message})`, { cause })
  }
  if (/no space left|quota exceeded/i.test(message)) {
    const advice = 'the disk is full: free some space, then restart the service'
    return new LogError('store_full', `${what}: ${advice}`, { cause })
  }
  const advice = 'check the disk and the permissions, then restart the service'
  return new LogError('store_failed', `${what}: ${message}: ${advice}`, { cause })
}

/** What is told of a write after one that failed. */
export function noLaterWrite(dir: string, failure: LogError): LogError {
  const what = `nothing is written to the store ${dir} since a write has failed`
  return new LogError(failure.code, `${what}: ${failure.message}`, { cause: failure })
}

/** What is told of a directory that another one has open. */
export function locked(what: string, owner: 'this' | 'another', options?: ErrorOptions): LogError {
  const advice = `${owner} process has it open: close it there first, a store has one owner`
  return new LogError('store_locked', `${what}: ${advice}`, options)
}

// LevelDB's own error is the cause of the one that says the database did not open.
function rootCause(error: unknown): unknown {
  const isWrapper = error instanceof Error && error.cause instanceof Error
  return isWrapper ? rootCause(error.cause) : error
}
