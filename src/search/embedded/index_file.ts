import { hash } from 'node:crypto'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'

import { assert } from '#log/errors.ts'
import { indexedText } from '#src/search/fold.ts'
import { indexSchema, indexShapes } from '#src/search/index_shape.ts'
import {
  type IndexBatch,
  type IndexKind,
  indexKinds,
  type IndexTarget,
  type SearchDocument,
} from '#src/search/search_engine.ts'
import { SearchError } from '#src/search/search_error.ts'

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

/** What stands in an index of a document that was indexed before. */
type Former = { readonly seq: number; readonly held: string; readonly text_hash: string }

/** The texts of a document, in the order of their columns. */
type Text = {
  readonly seq: number
  readonly columns: readonly string[]
  readonly isNew: boolean
}

/**
 * An index that is written: an SQLite file with the tables of all kinds, and how far of which
 * journal they are made. Each batch is one transaction.
 */
export class IndexFile {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  /**
   * Opens the index of a journal. One that is missing, damaged, of another journal or of another
   * schema is made anew.
   */
  static open(file: string, journal: string): IndexFile {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    const known = openKnown(file, journal)
    if (known !== undefined) return new IndexFile(known)
    removeIndex(file)
    return new IndexFile(makeIndex(file, journal))
  }

  private constructor(db: DatabaseSync) {
    this.#db = db
  }

  /** Where the journal goes on. */
  position(): number {
    const row = this.#prepare('SELECT position FROM state').get()
    if (row === undefined) throw new SearchError('search_index_damaged', 'the index has no state')
    return Number(row['position'])
  }

  write({ puts, removes, position, purges }: IndexBatch): void {
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      for (const kind of indexKinds) {
        for (const id of removes[kind]) this.#remove(kind, id)
        // Rows first, then texts: FTS5 writes what it has gathered whenever another table is
        // written with a savepoint, and a segment for each text makes this four times as slow.
        const texts = puts[kind].map((document) => this.#put(kind, document))
        for (const text of texts) if (text !== undefined) this.#putText(kind, text)
      }
      if (!purges) this.#reach(position)
      this.#db.exec('COMMIT')
    } catch (error) {
      this.#db.exec('ROLLBACK')
      throw error
    }
    if (!purges) return
    // A purge that is cut off is made again, with its batch.
    this.#purge()
    this.#reach(position)
  }

  /** Closes the file; all of it is in the file then. */
  close(): void {
    this.#statements.clear()
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    this.#db.close()
  }

  #reach(position: number): void {
    this.#prepare('UPDATE state SET position = ?').run(position)
  }

  /** Puts all of a document but its texts; gives those if they have changed. */
  #put(kind: IndexKind, document: SearchDocument): Text | undefined {
    const { id, seq, texts } = document
    const former = this.#former(kind, id)
    assert(former === undefined || former.seq === seq, 'a record begins once')
    const held = heldOf(kind, document)
    const columns = Object.keys(indexShapes[kind].texts).map((name) => texts[name] ?? '')
    const textHash = hash('sha1', columns.join('\0'))
    const heldText = JSON.stringify(held)
    if (former !== undefined && former.held !== heldText) this.#dropHeld(kind, former)
    if (former?.held !== heldText) this.#putHeld(kind, seq, held)
    this.#putRow(kind, document, heldText, textHash)
    if (former?.text_hash === textHash) return undefined
    return { seq, columns, isNew: former === undefined }
  }

  #putRow(kind: IndexKind, document: SearchDocument, held: string, textHash: string): void {
    const { values, numbers } = indexShapes[kind]
    const names = ['seq', 'id', 'held', 'text_hash', ...values, ...numbers]
    const marks = names.map(() => '?').join(', ')
    this.#prepare(`INSERT OR REPLACE INTO ${kind} (${names.join(', ')}) VALUES (${marks})`).run(
      document.seq,
      document.id,
      held,
      textHash,
      ...values.map((name) => document.values[name] ?? null),
      ...numbers.map((name) => document.numbers[name] ?? null),
    )
  }

  #putText(kind: IndexKind, { seq, columns, isNew }: Text): void {
    if (!isNew) this.#prepare(`DELETE FROM ${kind}_text WHERE rowid = ?`).run(seq)
    const marks = columns.map(() => '?').join(', ')
    const names = Object.keys(indexShapes[kind].texts).join(', ')
    const insert = `INSERT INTO ${kind}_text (rowid, ${names}) VALUES (?, ${marks})`
    this.#prepare(insert).run(seq, ...columns.map(indexedText))
  }

  #putHeld(kind: IndexKind, seq: number, held: Held): void {
    const insert = this.#prepare(`INSERT OR IGNORE INTO ${kind}_value VALUES (?, ?, ?)`)
    for (const [field, value] of held) insert.run(field, value, seq)
  }

  #dropHeld(kind: IndexKind, { seq, held }: Former): void {
    const drop = `DELETE FROM ${kind}_value WHERE field = ? AND value = ? AND seq = ?`
    for (const [field, value] of JSON.parse(held) as Held) {
      this.#prepare(drop).run(field, value, seq)
    }
  }

  #remove(kind: IndexKind, id: string): void {
    const former = this.#former(kind, id)
    if (former === undefined) return
    this.#dropHeld(kind, former)
    this.#prepare(`DELETE FROM ${kind} WHERE seq = ?`).run(former.seq)
    this.#prepare(`DELETE FROM ${kind}_text WHERE rowid = ?`).run(former.seq)
  }

  #former(kind: IndexKind, id: string): Former | undefined {
    const find = `SELECT seq, held, text_hash FROM ${kind} WHERE id = ?`
    return this.#prepare(find).get(id) as Former | undefined
  }

  // Deleted rows stay in the file until their pages are written anew.
  #purge(): void {
    for (const kind of indexKinds) {
      this.#db.exec(`INSERT INTO ${kind}_text (${kind}_text) VALUES ('optimize')`)
    }
    this.#db.exec('VACUUM')
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#db.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

/** The values of a document that are looked up by what they are equal to, each with its field. */
type Held = readonly (readonly [field: number, value: string])[]

function heldOf(kind: IndexKind, { values, lists }: SearchDocument): Held {
  return listedFields(kind).flatMap((name, field) => {
    const single = values[name]
    const all = single === undefined ? (lists[name] ?? []) : [single]
    return all.map((value) => [field, value] as const)
  })
}

function openKnown(file: string, journal: string): DatabaseSync | undefined {
  let db: DatabaseSync | undefined
  try {
    db = openWriter(file)
    const version = db.prepare('PRAGMA user_version').get()?.['user_version']
    if (version === indexSchema) {
      const state = db.prepare('SELECT journal FROM state').get()
      if (state?.['journal'] === journal) return db
    }
  } catch (error) {
    if (searchError(error).code !== 'search_index_damaged') throw error
  }
  db?.close()
  return undefined
}

function makeIndex(file: string, journal: string): DatabaseSync {
  const db = openWriter(file)
  db.exec('BEGIN IMMEDIATE')
  createTables(db)
  db.prepare('INSERT INTO state (journal, position) VALUES (?, 0)').run(journal)
  db.exec(`PRAGMA user_version = ${indexSchema}`)
  db.exec('COMMIT')
  return db
}

function openWriter(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: busyMs })
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

/**
 * Letters, digits and marks make words; what is indexed is folded already. Marks are part of them,
 * or the words of Indic scripts would fall apart.
 */
const tokenizer = `unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'`

/** Values that serve to order, and by which nothing is looked up. */
function sortFields(kind: IndexKind): ReadonlySet<string> {
  return new Set(Object.values(indexShapes[kind].sorts).map(({ by }) => by))
}

/** The fields of a kind that stand in its table of values; their place there is their number. */
export function listedFields(kind: IndexKind): readonly string[] {
  const { values, lists } = indexShapes[kind]
  const sorts = sortFields(kind)
  return [...values.filter((name) => !sorts.has(name)), ...lists]
}

/**
 * Makes the tables of an empty index. For each kind: its rows, from which hits are filtered,
 * ordered and counted; its values, by which hits are found; its words, whose texts are not kept;
 * and the list of those words.
 */
function createTables(db: DatabaseSync): void {
  db.exec('CREATE TABLE state (journal TEXT NOT NULL, position INTEGER NOT NULL)')
  for (const kind of indexKinds) {
    const { texts, values, numbers } = indexShapes[kind]
    const columns = [
      'seq INTEGER PRIMARY KEY',
      'id TEXT NOT NULL UNIQUE',
      'held TEXT NOT NULL',
      'text_hash TEXT NOT NULL',
      ...values.map((name) => `${name} TEXT`),
      ...numbers.map((name) => `${name} INTEGER`),
    ]
    db.exec(`CREATE TABLE ${kind} (${columns.join(', ')})`)
    for (const by of sortFields(kind)) {
      if (by !== 'seq') db.exec(`CREATE INDEX ${kind}_${by} ON ${kind} (${by}, seq)`)
    }
    db.exec(
      `CREATE TABLE ${kind}_value (field INTEGER NOT NULL, value TEXT NOT NULL, ` +
        'seq INTEGER NOT NULL, PRIMARY KEY (field, value, seq)) WITHOUT ROWID',
    )
    const words = Object.keys(texts).join(', ')
    db.exec(
      `CREATE VIRTUAL TABLE ${kind}_text USING fts5(${words}, ` +
        `tokenize = "${tokenizer}", content = '', contentless_delete = 1)`,
    )
    db.exec(`CREATE VIRTUAL TABLE ${kind}_word USING fts5vocab(${kind}_text, 'row')`)
  }
}
