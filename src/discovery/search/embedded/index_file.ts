import { mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'

import { documentsOf } from '#src/discovery/search/documents.ts'
import { dropUnusedFacetValues } from '#src/discovery/search/embedded/facet_values.ts'
import { createTables, fileVersion, KindRows } from '#src/discovery/search/embedded/index_tables.ts'
import {
  type IndexBatch,
  type IndexKind,
  indexKinds,
  type IndexTarget,
  SearchError,
} from '#src/discovery/search/search_engine.ts'

/** Kibibytes of pages that a writer and a reader keep, and bytes of the file that are mapped. */
const writerCacheKib = 16_384
const readerCacheKib = 32_768
const mappedBytes = 268_435_456

/** How long one waits for the other at a checkpoint. */
const busyMs = 5_000

/** The file of an index in its folder. */
export function indexPath(dir: string, target: IndexTarget): string {
  return path.join(dir, target === 'current' ? 'index.db' : 'next.db')
}

/** Removes an index with what SQLite keeps beside it. */
export function removeIndex(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
}

/** Moves an index that nobody has open in the place of another. */
export function moveIndex(from: string, to: string): void {
  for (const end of ['-wal', '-shm']) rmSync(to + end, { force: true })
  renameSync(from, to)
}

/** Opens an index to read it, which must be there. */
export function openReader(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: true, timeout: busyMs })
  db.exec(`PRAGMA cache_size = -${readerCacheKib}; PRAGMA mmap_size = ${mappedBytes}`)
  return db
}

/**
 * An index that is written: an SQLite file with the tables of all kinds, and how far of which
 * journal they are made, which is written with what they are made of.
 */
export class IndexFile {
  readonly #db: DatabaseSync
  readonly #rows = new Map<IndexKind, KindRows>()
  readonly #reachPosition: StatementSync

  /**
   * Opens the index of a journal. One that is missing, damaged, of another journal or of another
   * schema is made anew. It waits for readers for so long.
   */
  static open(file: string, journal: string, waitMs = busyMs): IndexFile {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    const known = openKnown(file, journal, waitMs)
    if (known !== undefined) return new IndexFile(known)
    removeIndex(file)
    return new IndexFile(makeIndex(file, journal, waitMs))
  }

  private constructor(db: DatabaseSync) {
    this.#db = db
    this.#reachPosition = db.prepare('UPDATE state SET position = ?')
  }

  /** Where the journal goes on. */
  position(): number {
    const row = this.#db.prepare('SELECT position FROM state').get()
    if (row === undefined) throw new SearchError('search_index_damaged', 'the index has no state')
    return Number(row['position'])
  }

  /** Writes a batch into the transaction that is open, or a new one; a failure ends it. */
  write(batch: IndexBatch): void {
    const { removes, position, purges } = batch
    const puts = documentsOf(batch)
    this.#begin()
    try {
      for (const kind of indexKinds) {
        if (removes[kind].length + puts[kind].length === 0) continue
        const rows = this.#rowsOf(kind)
        rows.remove(removes[kind])
        rows.put(puts[kind])
      }
      if (!purges) return this.#reach(position)
      this.commit()
    } catch (error) {
      this.rollback()
      throw error
    }
    // A purge that is cut off is made again, with its batch.
    this.#purge()
    this.#reach(position)
  }

  #begin(): void {
    if (!this.#db.isTransaction) this.#db.exec('BEGIN IMMEDIATE')
  }

  /** Ends the transaction: searches that begin now see all that was written. */
  commit(): void {
    if (this.#db.isTransaction) this.#db.exec('COMMIT')
  }

  /** Takes back what was written since the last commit. */
  rollback(): void {
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
    this.#rows.clear()
  }

  /** Closes the file; all of it is in the file then. */
  close(): void {
    this.commit()
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    this.#db.close()
  }

  #rowsOf(kind: IndexKind): KindRows {
    let rows = this.#rows.get(kind)
    if (rows === undefined) {
      rows = new KindRows(this.#db, kind)
      this.#rows.set(kind, rows)
    }
    return rows
  }

  #reach(position: number): void {
    this.#reachPosition.run(position)
  }

  // Deleted rows stay in the file until their pages are written anew, and no reader needs the old.
  #purge(): void {
    for (const kind of indexKinds) {
      this.#db.exec(`INSERT INTO ${kind}_text (${kind}_text) VALUES ('optimize')`)
      dropUnusedFacetValues(this.#db, kind)
    }
    this.#rows.clear()
    this.#db.exec('VACUUM')
    const checkpoint = this.#db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
    if (checkpoint?.['busy'] === 0) return
    throw new SearchError('search_unavailable', 'a search still reads what is to be gone')
  }
}

function openKnown(file: string, journal: string, waitMs: number): DatabaseSync | undefined {
  let db: DatabaseSync | undefined
  try {
    db = openWriter(file, waitMs)
    const version = db.prepare('PRAGMA user_version').get()?.['user_version']
    if (version === fileVersion) {
      const state = db.prepare('SELECT journal FROM state').get()
      if (state?.['journal'] === journal) return db
    }
  } catch (error) {
    if (searchError(error).code !== 'search_index_damaged') throw error
  }
  db?.close()
  return undefined
}

function makeIndex(file: string, journal: string, waitMs: number): DatabaseSync {
  const db = openWriter(file, waitMs)
  db.exec('BEGIN IMMEDIATE')
  createTables(db)
  db.prepare('INSERT INTO state (journal, position) VALUES (?, 0)').run(journal)
  db.exec(`PRAGMA user_version = ${fileVersion}`)
  db.exec('COMMIT')
  return db
}

function openWriter(file: string, timeout: number): DatabaseSync {
  const db = new DatabaseSync(file, { timeout })
  // What a power cut takes of the newest batches is read from the journal again.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  db.exec(`PRAGMA cache_size = -${writerCacheKib}; PRAGMA temp_store = MEMORY`)
  return db
}

/** What of SQLite's errors is a damaged file: ERROR (a table is missing), CORRUPT, NOTADB. */
const damageCodes = new Set([1, 11, 26])

// What SQLite says of a schema whose tables are gone; the other ERRORs are of what it was asked.
const lostTable = /^(?:no such table|vtable constructor failed)/

/** A fault of a query as a SearchError: no query makes an index damaged. */
export function queryError(error: unknown): SearchError {
  const { errcode, message } = error as { readonly errcode?: number; readonly message: string }
  if (errcode !== 1 || lostTable.test(message)) return searchError(error)
  return new SearchError('search_failed', `the query cannot be used: ${message}`, { cause: error })
}

/** A fault of SQLite as a SearchError. */
export function searchError(error: unknown): SearchError {
  if (error instanceof SearchError) return error
  const { errcode, message } = error as { readonly errcode?: number; readonly message: string }
  if (errcode === undefined) return new SearchError('search_failed', message, { cause: error })
  const code = damageCodes.has(errcode & 0xff) ? 'search_index_damaged' : 'search_unavailable'
  return new SearchError(code, `the index cannot be used: ${message}`, { cause: error })
}
