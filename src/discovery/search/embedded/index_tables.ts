import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'

import { createFacetSets } from '#src/discovery/search/embedded/facet_sets.ts'
import { foldText, wordForm } from '#src/discovery/search/fold.ts'
import { indexSchema, indexShapes } from '#src/discovery/search/index_shape.ts'
import { type IndexKind, indexKinds } from '#src/discovery/search/search_engine.ts'

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
export const heldFields: Readonly<Record<IndexKind, readonly string[]>> = {
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
 * ordered, and the sets of facets by which they are counted; its words, whose texts are not kept,
 * with those that stand for values; and the list of those words. No table has an index whose pages
 * are many and written at random.
 */
export function createTables(db: DatabaseSync): void {
  db.exec('CREATE TABLE state (journal TEXT NOT NULL, position INTEGER NOT NULL)')
  for (const kind of indexKinds) {
    const { texts, values, numbers } = indexShapes[kind]
    const columns = [
      'seq INTEGER PRIMARY KEY',
      'facets INTEGER NOT NULL',
      'id TEXT NOT NULL',
      'words_hash BLOB NOT NULL',
      ...values.map((name) => `${name} TEXT`),
      ...numbers.map((name) => `${name} INTEGER`),
    ]
    db.exec(`CREATE TABLE ${kind} (${columns.join(', ')})`)
    createFacetSets(db, kind)
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
