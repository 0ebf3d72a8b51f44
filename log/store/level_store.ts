import * as fs from 'node:fs/promises'

import { Level } from 'level'

import { LogError } from '#log/tlog/errors.ts'
import { decodeRow, encodeRow } from '#log/store/damage.ts'
import type { Operation, Range, Row, Store } from '#log/store/store.ts'

/** How a LevelDB store is read. */
export type LevelReadOptions = {
  /** Whether a row is read past the cache of blocks: its block is not worth its place in memory. */
  readonly bypassesBlockCache?: (key: string) => boolean
}

/** How a LevelDB store is opened. */
export type LevelStoreOptions = LevelReadOptions & {
  /** Whether the store may be made if it does not exist: at a service's first start only. */
  readonly create: boolean
  /** Bytes of writes gathered in memory, and in the .log file, before a table is written. */
  readonly writeBufferBytes?: number
  /** Bytes of table blocks kept in memory. */
  readonly cacheBytes?: number
  /** Resolves when the scans have ended that other threads have under way now. */
  readonly otherScans?: () => Promise<void>
}

/**
 * A store of another thread. Threads that commit see to it themselves that they agree. `scansEnded`
 * resolves when the scans under way now have ended.
 */
export type JoinedStore = Omit<Store, 'purge'> & { scansEnded(): Promise<void> }

/** Bytes of the write buffer by default: measured to halve what a mint writes to the disk. */
export const writeBufferBytesDefault = 64 * 1024 * 1024

/**
 * Bytes of the block cache by default: the system keeps the files themselves in its memory, so a
 * block that is not here costs little more than to be unpacked.
 */
export const cacheBytesDefault = 16 * 1024 * 1024

// A scan fetches so many rows in its first visit to the thread pool, and four times as many in each
// further one up to the most, or so many bytes: many scans want only the first rows.
const scanRowsFirst = 32
const scanRowsMax = 1_000
const scanBytes = 256 * 1024

/**
 * Opens the LevelDB database in the directory `dir` as a store with checksummed rows and synced
 * commits. LevelDB itself would answer a missing CURRENT file with a new, empty database; here a
 * store comes into being only where `create` allows it and nothing of an older one lies around.
 * Errors: `store_missing`, `store_locked`, `store_corrupt`, `store_full`, `store_failed`, and
 * `store_closed` of what is asked after `close`.
 */
export async function openLevelStore(dir: string, options: LevelStoreOptions): Promise<Store> {
  await checkDirectory(dir, options.create)
  const release = holdDirectory(dir, await findDirectory(dir, options.create))
  const level = new Level<string, Uint8Array>(dir, {
    keyEncoding: 'utf8',
    valueEncoding: 'view',
    createIfMissing: options.create,
    writeBufferSize: options.writeBufferBytes ?? writeBufferBytesDefault,
    cacheSize: options.cacheBytes ?? cacheBytesDefault,
    compression: true,
    multithreading: true,
  })
  try {
    await level.open()
    const { otherScans, bypassesBlockCache } = options
    return new LevelStore(dir, level, { release, otherScans, bypassesBlockCache })
  } catch (error) {
    release()
    throw explain(error, `the store ${dir} cannot be opened`)
  }
}

/**
 * Joins a store that another thread of this process has opened: each thread has its own
 * handle of the one database, with its one cache, and sees each commit at once. It must be closed
 * before the owner closes the store, whose files it would hold otherwise. Errors as above.
 */
export async function joinLevelStore(
  dir: string,
  { bypassesBlockCache }: LevelReadOptions = {},
): Promise<JoinedStore> {
  const level = new Level<string, Uint8Array>(dir, {
    keyEncoding: 'utf8',
    valueEncoding: 'view',
    createIfMissing: false,
    multithreading: true,
  })
  try {
    await level.open()
    return new LevelStore(dir, level, { bypassesBlockCache })
  } catch (error) {
    throw explain(error, `the store ${dir} cannot be joined`)
  }
}

// LevelDB's lock keeps other processes out. Within this process a second opening would be refused
// as well, but in doing so LevelDB closes the lock file, and with that the lock itself is gone.
const heldDirectories = new Set<string>()

function holdDirectory(dir: string, realPath: string): () => void {
  if (heldDirectories.has(realPath)) throw locked(`the store ${dir} cannot be opened`, 'this')
  heldDirectories.add(realPath)
  return () => heldDirectories.delete(realPath)
}

async function checkDirectory(dir: string, create: boolean): Promise<void> {
  const files = await listFiles(dir)
  if (files.includes('CURRENT')) return
  const rest = files.find((file) => /\.(?:ldb|log)$/.test(file))
  if (rest !== undefined) {
    throw new LogError(
      'store_missing',
      `the store ${dir} has lost its file CURRENT but still holds ${rest}: restore the whole ` +
        'directory from a backup; it is not replaced by an empty store',
    )
  }
  if (create) return
  throw new LogError(
    'store_missing',
    `the store ${dir} is missing or empty: check that the disk is mounted and the path is right, ` +
      'or restore the directory from a backup; only a first start makes a new store',
  )
}

/** The directory's real path; it is made where a store may be. */
async function findDirectory(dir: string, create: boolean): Promise<string> {
  try {
    if (create) await fs.mkdir(dir, { recursive: true })
    return await fs.realpath(dir)
  } catch (error) {
    throw explain(error, `the store ${dir} cannot be made`)
  }
}

async function listFiles(dir: string): Promise<string[]> {
  try {
    return await fs.readdir(dir)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw explain(error, `the store ${dir} cannot be read`)
  }
}

type Compacting = { compactRange(start: string, end: string): Promise<void> }

/** Reads a row past the blocks in memory. With its encodings the options are used as they are. */
const pastCache = { keyEncoding: 'utf8', valueEncoding: 'view', fillCache: false } as const

/** Hooks of an opened store: at its close, for waits elsewhere, and for its rows. */
type LevelStoreParts = {
  readonly release?: () => void
  readonly otherScans?: LevelStoreOptions['otherScans']
  readonly bypassesBlockCache?: LevelReadOptions['bypassesBlockCache']
}

type Batch = ReturnType<Level<string, Uint8Array>['batch']>

class LevelStore implements Store, JoinedStore {
  readonly #dir: string
  readonly #level: Level<string, Uint8Array>
  readonly #parts: LevelStoreParts
  /** Scans under way: each holds a snapshot, and with it the values that were replaced since. */
  readonly #scans = new Set<Promise<void>>()
  /** Ends with the last write that was asked for. */
  #lastWrite: Promise<void> = Promise.resolve()
  /** Why nothing is written any more. */
  #failure: LogError | undefined
  /** Whether what other threads have written since then lies in a table. */
  #othersSaved: Promise<boolean> | undefined

  constructor(dir: string, level: Level<string, Uint8Array>, parts: LevelStoreParts) {
    this.#dir = dir
    this.#level = level
    this.#parts = parts
  }

  get(key: string): Uint8Array | undefined {
    let row: Uint8Array | undefined
    try {
      const isUncached = this.#parts.bypassesBlockCache?.(key) === true
      row = isUncached ? this.#level.getSync(key, pastCache) : this.#level.getSync(key)
    } catch (error) {
      throw explain(error, `the store ${this.#dir} cannot be read`)
    }
    return row === undefined ? undefined : decodeRow(key, row)
  }

  async *scan(range: Range): AsyncGenerator<Row> {
    for await (const batch of this.#readBatches(range)) {
      for (const [key, row] of batch) yield [key, decodeRow(key, row)]
    }
  }

  async *scanBatches(range: Range): AsyncGenerator<readonly Row[]> {
    for await (const batch of this.#readBatches(range)) {
      yield batch.map(([key, row]) => [key, decodeRow(key, row)])
    }
  }

  /** Reads stored rows; while the caller works on one batch, the thread pool reads the next. */
  async *#readBatches(range: Range): AsyncGenerator<Row[]> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#scans.add(promise)
    try {
      await using rows = this.#level.iterator({ ...range, highWaterMarkBytes: scanBytes })
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
      throw explain(error, `the store ${this.#dir} cannot be read`)
    } finally {
      this.#scans.delete(promise)
      resolve()
    }
  }

  async commit(operations: readonly Operation[]): Promise<void> {
    // A chained batch costs half of an array of operations, which is copied one by one.
    const batch = this.#newBatch()
    for (const operation of operations) {
      const { key } = operation
      if (operation.type === 'put') batch.put(key, encodeRow(key, operation.value))
      else batch.del(key)
    }
    await this.#write(batch)
  }

  #newBatch(): Batch {
    try {
      return this.#level.batch()
    } catch (error) {
      throw explain(error, `the store ${this.#dir} cannot be written`)
    }
  }

  /**
   * Writes one batch after the other, and none after one that failed: LevelDB would go on behind
   * what is cut off in its file, and its next opening reads only as far as that.
   */
  async #write(batch: Batch): Promise<void> {
    const write = this.#lastWrite.then(async () => {
      if (this.#failure !== undefined) {
        await Promise.all([batch.close(), this.#saveOthers()])
        throw noLaterWrite(this.#dir, this.#failure)
      }
      try {
        await batch.write({ sync: true })
      } catch (error) {
        const what = `a write to the store ${this.#dir} failed with unknown outcome`
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
      throw explain(error, `old values could not be removed from the store ${this.#dir}`)
    }
  }

  async scansEnded(): Promise<void> {
    await Promise.all(this.#scans)
  }

  async #allScansEnded(): Promise<void> {
    await Promise.all([this.scansEnded(), this.#parts.otherScans?.()])
  }

  // The types of `level` are those that its adapter for browsers shares, which has no files.
  #compact(first: string, last: string): Promise<void> {
    return (this.#level as Level<string, Uint8Array> & Compacting).compactRange(first, last)
  }

  async #rewrite(keys: readonly string[]): Promise<void> {
    const batch = this.#newBatch()
    for (const key of keys) {
      const row = this.#level.getSync(key)
      if (row === undefined) batch.del(key)
      else batch.put(key, row)
    }
    await this.#write(batch)
  }

  async close(): Promise<void> {
    await this.#lastWrite
    if (this.#failure !== undefined) await this.#saveOthers()
    await this.#level.close()
    this.#parts.release?.()
  }
}

/** The LogError for a failure of LevelDB: what failed, why, and what to do about it. */
function explain(error: unknown, what: string): LogError {
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

function noLaterWrite(dir: string, failure: LogError): LogError {
  const what = `nothing is written to the store ${dir} since a write has failed`
  return new LogError(failure.code, `${what}: ${failure.message}`, { cause: failure })
}

function locked(what: string, owner: 'this' | 'another', options?: ErrorOptions): LogError {
  const advice = `${owner} process has it open: close it there first, a store has one owner`
  return new LogError('store_locked', `${what}: ${advice}`, options)
}

// LevelDB's own error is the cause of the one that says the database did not open.
function rootCause(error: unknown): unknown {
  const isWrapper = error instanceof Error && error.cause instanceof Error
  return isWrapper ? rootCause(error.cause) : error
}
