import { hash } from 'node:crypto'
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'

import { assert } from '#log/tlog/errors.ts'
import { nameBreak } from '#src/discovery/search/documents.ts'
import { createFacetValues, FacetValueWriter } from '#src/discovery/search/embedded/facet_values.ts'
import { foldText, indexedText, wordForm } from '#src/discovery/search/fold.ts'
import { indexSchema, indexShapes } from '#src/discovery/search/index_shape.ts'
import {
  type IndexKind,
  indexKinds,
  type SearchDocument,
} from '#src/discovery/search/search_engine.ts'

/** Number of the tables, beside that of the shapes; a file of another number is made anew. */
const tablesSchema = 4

/** What stands in a file as its `user_version`. */
export const fileVersion = indexSchema * 1_000 + tablesSchema

/**
 * Letters by which an index orders texts; those that begin with the same are ordered when they are
 * read. Whole titles make an index four times as long, and every new one is written into a page of
 * its own.
 */
const orderLetters = 16

/**
 * Letters, digits and marks make words; what is indexed is folded already. Marks are part of them,
 * or the words of Indic scripts would fall apart.
 */
const tokenizer = `unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'`

/**
 * Parts of a level that FTS5 begins to merge into one of the next: twice as many as it would by
 * itself, for a tenth less to be written. Searches, which read all parts, take no longer.
 */
const mergedSegments = 8

/** The column of words that stand for values, after those of texts. */
export const heldColumn = 'held'

/** What begins the word of a whole name, and the letters of it that the word has at most. */
const nameMark = '\ue0fe'
const nameLettersMax = 40

/** Where the characters for private use begin: a word that begins with one is of no text. */
const firstPrivate = 0xe000

/** The fields of a kind by whose values its documents are found; `id` is the first. */
const heldFields: Readonly<Record<IndexKind, readonly string[]>> = {
  works: heldFieldsOf('works'),
  people: heldFieldsOf('people'),
  organizations: heldFieldsOf('organizations'),
}

function heldFieldsOf(kind: IndexKind): readonly string[] {
  const { values, lists, sorts } = indexShapes[kind]
  const ordering = new Set(Object.values(sorts).map(({ by }) => by))
  return ['id', ...values.filter((name) => !ordering.has(name)), ...lists]
}

/** Whether documents are found by what this field of theirs holds. */
export function isHeld(kind: IndexKind, field: string): boolean {
  return heldFields[kind].includes(field)
}

/**
 * The word that stands for a value of a field: FTS5 gathers many of them before it writes, and a
 * table of its own would be written page by page, wherever values stand in it.
 */
export function heldWord(kind: IndexKind, field: string, value: string): string {
  const first = String.fromCharCode(firstPrivate + heldFields[kind].indexOf(field))
  if (plainWord.test(value)) return first + value
  return first + hashMark + hash('sha1', value).slice(0, hashLetters)
}

/**
 * The word that stands before a name in its text, for all of it: who looks for just this name finds
 * it by one word, and no words of a phrase are in two names. Two words of a name make the same one
 * in either order, as such names are written in both. Empty for a text without words.
 */
export function nameWord(name: string): string {
  const words = foldText(name).match(wordForm) ?? []
  const [one = '', other = ''] = words
  // Most names have two, and `toSorted` leaves a kilobyte of garbage for each.
  const letters = words.length === 2 && other < one ? other + one : words.join('')
  return words.length === 0 ? '' : nameMark + letters.slice(0, nameLettersMax)
}

// What FTS5 takes as one word, and is not longer than a hash. Most values are.
const plainWord = /^[a-z0-9]{1,20}$/

/** What begins the hash of a value, and its hexadecimal digits: 80 bits. */
const hashMark = '\ue0ff'
const hashLetters = 20

/** What an index orders the texts of a column by, before it orders them by all of their letters. */
export function firstLetters(column: string): string {
  return `substr(${column}, 1, ${orderLetters})`
}

/**
 * Makes the tables of an empty index. For each kind: its rows, from which hits are filtered and
 * ordered, and the values by which they are counted; its words, whose texts are not kept,
 * with those that stand for values; and the list of those words. No table has an index whose pages
 * are many and written at random.
 */
export function createTables(db: DatabaseSync): void {
  db.exec('CREATE TABLE state (journal TEXT NOT NULL, position INTEGER NOT NULL)')
  for (const kind of indexKinds) {
    const { texts, values, numbers } = indexShapes[kind]
    const columns = [
      'seq INTEGER PRIMARY KEY',
      'facets TEXT NOT NULL',
      'id TEXT NOT NULL',
      'words_hash BLOB NOT NULL',
      ...values.map((name) => `${name} TEXT`),
      ...numbers.map((name) => `${name} INTEGER`),
    ]
    db.exec(`CREATE TABLE ${kind} (${columns.join(', ')})`)
    createFacetValues(db, kind)
    createOrders(db, kind)
    const words = [...Object.keys(texts), heldColumn].join(', ')
    db.exec(
      `CREATE VIRTUAL TABLE ${kind}_text USING fts5(${words}, ` +
        `tokenize = "${tokenizer}", content = '', contentless_delete = 1)`,
    )
    db.exec(`INSERT INTO ${kind}_text (${kind}_text, rank) VALUES ('automerge', ${mergedSegments})`)
    db.exec(`CREATE VIRTUAL TABLE ${kind}_word USING fts5vocab(${kind}_text, 'row')`)
  }
}

function createOrders(db: DatabaseSync, kind: IndexKind): void {
  const orders = Object.values(indexShapes[kind].sorts)
  const columns = new Map(orders.map(({ by, type }) => [by, type]))
  for (const [by, type] of columns) {
    if (by === 'seq') continue
    const first = type === 'text' ? firstLetters(by) : by
    db.exec(`CREATE INDEX ${kind}_${by} ON ${kind} (${first}, seq)`)
  }
}

/** What stands in an index of a document that was indexed before. */
type Former = { readonly id: string; readonly words_hash: Uint8Array }

/** The words of a document: its texts in the order of their columns, then its values. */
type Words = {
  readonly seq: number
  readonly texts: readonly string[]
  readonly held: string
  readonly isNew: boolean
}

/** The rows and words of one kind in an index that is written, within the caller's transaction. */
export class KindRows {
  readonly #kind: IndexKind
  readonly #texts: readonly string[]
  readonly #values: readonly string[]
  readonly #numbers: readonly string[]
  readonly #former: StatementSync
  readonly #putRow: StatementSync
  readonly #putWords: StatementSync
  readonly #facets: StatementSync
  readonly #dropRow: StatementSync
  readonly #dropWords: StatementSync
  readonly #find: StatementSync
  readonly #facetValues: FacetValueWriter
  #newest: number

  constructor(db: DatabaseSync, kind: IndexKind) {
    const { texts, values, numbers } = indexShapes[kind]
    this.#kind = kind
    this.#texts = Object.keys(texts)
    this.#values = values
    this.#numbers = numbers
    const columns = ['seq', 'facets', 'id', 'words_hash', ...values, ...numbers]
    const words = ['rowid', ...this.#texts, heldColumn]
    this.#former = db.prepare(`SELECT id, words_hash FROM ${kind} WHERE seq = ?`)
    this.#putRow = db.prepare(`INSERT OR REPLACE INTO ${kind} ${rowOf(columns)}`)
    this.#putWords = db.prepare(`INSERT INTO ${kind}_text ${rowOf(words)}`)
    this.#facets = db.prepare(`SELECT facets FROM ${kind} WHERE seq = ?`)
    this.#dropRow = db.prepare(`DELETE FROM ${kind} WHERE seq = ?`)
    this.#dropWords = db.prepare(`DELETE FROM ${kind}_text WHERE rowid = ?`)
    this.#find = db.prepare(`SELECT rowid AS seq FROM ${kind}_text WHERE ${kind}_text MATCH ?`)
    this.#facetValues = new FacetValueWriter(db, kind)
    const last = db.prepare(`SELECT max(seq) AS seq FROM ${kind}`).get()
    this.#newest = Number(last?.['seq'] ?? -1)
  }

  put(documents: readonly SearchDocument[]): void {
    // Rows first, then words: FTS5 writes what it has gathered whenever another table is written
    // with a savepoint, and a segment for each document makes this four times as slow.
    const changed = documents.map((document) => this.#putOne(document))
    for (const words of changed) {
      if (words === undefined) continue
      const { seq, texts, held, isNew } = words
      if (!isNew) this.#dropWords.run(seq)
      // Long texts grow by this, and those of one record are enough at a time.
      this.#putWords.run(seq, ...texts.map(writtenText), held)
    }
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) {
      const found = this.#find.all(`{${heldColumn}} : "${heldWord(this.#kind, 'id', id)}"`)
      for (const { seq } of found) {
        this.#facetValues.unname(String(this.#facets.get(Number(seq))?.['facets'] ?? ''))
        this.#dropRow.run(Number(seq))
        this.#dropWords.run(Number(seq))
      }
    }
  }

  /** Puts the row of a document; gives its words if they have changed. */
  #putOne(document: SearchDocument): Words | undefined {
    const { id, seq, texts, values, numbers } = document
    // Most documents are new, and begin after all that are there.
    const former = seq > this.#newest ? undefined : (this.#former.get(seq) as Former | undefined)
    assert(former === undefined || former.id === id, 'a record begins once')
    this.#newest = Math.max(this.#newest, seq)
    const held = this.#heldWords(document).join(' ')
    const columns = this.#texts.map((name) => texts[name] ?? '')
    // Through a string it takes half the time of a buffer that node:crypto makes.
    const wordsHash = Buffer.from(hash('sha1', [held, ...columns].join('\0'), 'binary'), 'latin1')
    this.#putRow.run(
      seq,
      this.#facetValues.codesOf(document),
      id,
      wordsHash,
      ...this.#values.map((name) => values[name] ?? null),
      ...this.#numbers.map((name) => numbers[name] ?? null),
    )
    if (former !== undefined && wordsHash.equals(former.words_hash)) return undefined
    return { seq, texts: columns, held, isNew: former === undefined }
  }

  #heldWords({ id, values, lists }: SearchDocument): string[] {
    const words: string[] = []
    for (const field of heldFields[this.#kind]) {
      const value = field === 'id' ? id : values[field]
      const all = value === undefined ? (lists[field] ?? []) : [value]
      for (const one of all) words.push(heldWord(this.#kind, field, one))
    }
    return words
  }
}

function writtenText(text: string): string {
  if (!text.includes(nameBreak)) return indexedText(text)
  const names = text.split(nameBreak)
  return names.map((name) => `${nameWord(name)} ${indexedText(name)}`).join(' ')
}

function rowOf(columns: readonly string[]): string {
  return `(${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
}

/** Statements that are kept; queries differ in their form, and there are not so many forms. */
const statementsMax = 200

/** A row of what a statement finds, by the names of its columns. */
export type Row = Readonly<Record<string, SQLOutputValue>>

/** Statements that are prepared once, by their text. */
export class PreparedStatements {
  readonly #db: DatabaseSync
  readonly #kept = new Map<string, StatementSync>()

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  /** The rows that a statement finds. Errors: those of SQLite. */
  all(sql: string, values: readonly SQLInputValue[]): readonly Row[] {
    let statement = this.#kept.get(sql)
    if (statement === undefined) {
      statement = this.#db.prepare(sql)
      if (this.#kept.size >= statementsMax) this.#kept.clear()
      this.#kept.set(sql, statement)
    }
    return statement.all(...values)
  }
}
