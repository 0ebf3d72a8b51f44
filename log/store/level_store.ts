import * as fs from 'node:fs/promises'
import path from 'node:path'

import { assert, LogError } from '#log/tlog/errors.ts'
import { decodeRow, encodeRow } from '#log/store/damage.ts'
import {
  beginJournal,
  hasBatches,
  isJournaled,
  JournaledReader,
  JournaledStore,
  type JournalForm,
  journalFolder,
  readForm,
} from '#log/store/journaled_store.ts'
import {
  explain,
  joinLevelRows,
  type LevelOptions,
  type LevelRows,
  locked,
  openLevelRows,
} from '#log/store/level_rows.ts'
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
  /**
   * What the keys of events begin with, for a store that is to have a journal (`JournaledStore`) if
   * it has none. One that has it is opened with it in any case.
   */
  readonly journal?: string
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
  const { otherScans, bypassesBlockCache, create, journal: prefix } = options
  const { writeBufferBytes = writeBufferBytesDefault, cacheBytes = cacheBytesDefault } = options
  const common = { writeBufferBytes, cacheBytes, otherScans }
  await using opened = new AsyncDisposableStack()
  const views = opened.adopt(await openLevelRows(dir, { ...common, create, release }), closeRows)
  const journal = await openJournal(views, { ...common, prefix })
  if (journal !== undefined) opened.adopt(journal, closeRows)
  const form = journal && (await formOf({ views, journal }, { ...common, prefix }))
  if (journal === undefined || form === undefined) {
    if (isJournaled(views)) throw lostJournal(dir)
    await journal?.close()
    opened.move()
    return new LevelStore(views, bypassesBlockCache)
  }
  const flushBytes = journalBufferBytes(writeBufferBytes)
  const parts = { views, journal, form }
  const store = await JournaledStore.open(parts, { flushBytes, bypassesBlockCache })
  opened.move()
  return store
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
  const views = await joinLevelRows(dir)
  const journalDir = path.join(dir, journalFolder)
  if (!(await listFiles(journalDir)).includes('CURRENT')) {
    return new LevelStore(views, bypassesBlockCache)
  }
  const journal = await joinLevelRows(journalDir)
  const form = readForm(journal)
  if (form === undefined) {
    await journal.close()
    return new LevelStore(views, bypassesBlockCache)
  }
  return new JoinedJournaledStore({ views, journal, form }, bypassesBlockCache)
}

/**
 * Bytes of a journal's own buffer, and of changes after which the views are flushed, by those of
 * the write buffer of its store. Nothing in a journal is merged, so a larger one would gain
 * nothing, and what a start after a crash writes again is not more than this.
 */
export function journalBufferBytes(writeBufferBytes: number): number {
  return Math.ceil(writeBufferBytes / 4)
}

type JournalOptions = Omit<LevelOptions, 'create' | 'release'> & {
  readonly prefix: string | undefined
}

/**
 * Where the journal begins; undefined if it has not begun, as a program that ended in its first
 * moments leaves it, and is not to. A program of before it may have gone on until it holds
 * something.
 */
async function formOf(
  parts: { readonly views: LevelRows; readonly journal: LevelRows },
  { prefix, writeBufferBytes }: JournalOptions,
): Promise<JournalForm | undefined> {
  const form = readForm(parts.journal)
  if (form !== undefined && (prefix === undefined || (await hasBatches(parts.journal)))) return form
  const { views } = parts
  if (isJournaled(views)) throw lostJournal(views.dir)
  return prefix === undefined ? undefined : beginJournal(parts, prefix, 2 * writeBufferBytes)
}

function lostJournal(dir: string): LogError {
  const advice = 'restore the whole directory from a backup'
  return new LogError('store_missing', `the store ${dir} has lost its journal: ${advice}`)
}

function closeRows(rows: LevelRows): Promise<void> {
  return rows.close()
}

/** Opens the journal beside views; undefined if they have none and are to have none. */
async function openJournal(
  { dir: viewsDir }: LevelRows,
  { prefix, ...options }: JournalOptions,
): Promise<LevelRows | undefined> {
  const dir = path.join(viewsDir, journalFolder)
  const isThere = (await listFiles(dir)).includes('CURRENT')
  if (!isThere && prefix === undefined) return undefined
  await checkDirectory(dir, !isThere)
  if (!isThere) await makeFolder(dir)
  const { writeBufferBytes, cacheBytes } = options
  return openLevelRows(dir, {
    ...options,
    create: !isThere,
    release: () => undefined,
    writeBufferBytes: journalBufferBytes(writeBufferBytes),
    cacheBytes: cacheBytes / 4,
  })
}

/** Makes a folder that is still there after a loss of power. */
async function makeFolder(dir: string): Promise<void> {
  await fs.mkdir(dir, { recursive: true })
  await using parent = await fs.open(path.dirname(dir))
  await parent.sync()
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
  const rest = files.find((file) => /\.(?:ldb|log)$/.test(file) || file === journalFolder)
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

class LevelStore implements Store, JoinedStore {
  readonly #rows: LevelRows
  readonly #bypassesBlockCache: (key: string) => boolean

  constructor(rows: LevelRows, bypassesBlockCache: (key: string) => boolean = () => false) {
    this.#rows = rows
    this.#bypassesBlockCache = bypassesBlockCache
  }

  get(key: string): Uint8Array | undefined {
    const bytes = this.#rows.get(key, this.#bypassesBlockCache(key))
    return bytes === undefined ? undefined : decodeRow(key, bytes)
  }

  async *scan(range: Range): AsyncGenerator<Row> {
    for await (const batch of this.#rows.read(range)) {
      for (const [key, bytes] of batch) yield [key, decodeRow(key, bytes)]
    }
  }

  async *scanBatches(range: Range): AsyncGenerator<readonly Row[]> {
    for await (const batch of this.#rows.read(range)) {
      yield batch.map(([key, bytes]) => [key, decodeRow(key, bytes)])
    }
  }

  async commit(operations: readonly Operation[]): Promise<void> {
    const batch = this.#rows.newBatch()
    for (const operation of operations) {
      const { key } = operation
      if (operation.type === 'put') batch.put(key, encodeRow(key, operation.value))
      else batch.del(key)
    }
    await this.#rows.write(batch, { sync: true })
  }

  purge(keys: readonly string[]): Promise<void> {
    return this.#rows.purge(keys)
  }

  scansEnded(): Promise<void> {
    return this.#rows.scansEnded()
  }

  close(): Promise<void> {
    return this.#rows.close()
  }
}

/** A journaled store of another thread: only its owner writes it. */
class JoinedJournaledStore extends JournaledReader implements JoinedStore {
  async commit(): Promise<void> {
    assert(false, 'a journaled store is written by its owner')
  }
}
