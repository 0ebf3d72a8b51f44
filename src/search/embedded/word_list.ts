import type { DatabaseSync, StatementSync } from 'node:sqlite'

import { charactersOf } from '#src/search/fold.ts'
import type { IndexKind } from '#src/search/search_engine.ts'

/** Words that are looked for in place of a beginning, and of one of two letters: the commonest. */
const beginningWordsMax = 32
const shortBeginningWordsMax = 12
const shortBeginningLetters = 2

/** How long it is believed how many records have a common word, and what begins like many words. */
const believedMs = 30_000

/** Records from which on a word is a common one. */
const commonRecordsMin = 1_000

/** Words and beginnings that are remembered, of each so many. */
const rememberedMax = 2_000

/** What was read once, when, and how far the index was then. */
type Remembered<T> = { readonly position: number; readonly readMs: number; readonly value: T }

/**
 * How many records of an index have a word, and which words begin alike. FTS5 walks all records of
 * a word to count them, so what is common is remembered for a while, and anything until the index
 * changes. Words are folded by the caller.
 */
export class WordList {
  readonly #position: StatementSync
  readonly #count: StatementSync
  readonly #all: StatementSync
  readonly #begin: StatementSync
  readonly #records = new Map<string, Remembered<number>>()
  readonly #beginnings = new Map<string, Remembered<readonly string[]>>()
  #size: Remembered<number> | undefined

  constructor(db: DatabaseSync, kind: IndexKind) {
    this.#position = db.prepare('SELECT position FROM state')
    this.#count = db.prepare(`SELECT doc FROM ${kind}_word WHERE term = ?`)
    this.#all = db.prepare(`SELECT count(*) AS records FROM ${kind}`)
    this.#begin = db.prepare(
      `SELECT term FROM ${kind}_word WHERE term >= ? AND term < ? ORDER BY doc DESC, term LIMIT ?`,
    )
  }

  /** How far the index is. */
  position(): number {
    return Number(this.#position.get()?.['position'])
  }

  /** How many records have a word. */
  records(word: string): number {
    const read = () => Number(this.#count.get(word)?.['doc'] ?? 0)
    return this.#recall(this.#records, word, read, (records) => records >= commonRecordsMin)
  }

  /** Whether so many records have a word that it takes long to go through them. */
  isCommon(word: string): boolean {
    return this.records(word) >= commonRecordsMin
  }

  /** Whether more than half of all records have a word: such a word says nothing about rank. */
  isInMost(word: string): boolean {
    return this.isCommon(word) && this.records(word) > this.recordsInAll() / 2
  }

  /** The words that begin like this, those that most records have first; not all if many do. */
  beginning(letters: string): readonly string[] {
    const isShort = charactersOf(letters).length <= shortBeginningLetters
    const wordsMax = isShort ? shortBeginningWordsMax : beginningWordsMax
    const read = () => {
      const rows = this.#begin.all(letters, `${letters}\u{10ffff}`, wordsMax)
      return rows.map(({ term }) => String(term))
    }
    // Where all words are told, a new one must be among them at once.
    return this.#recall(this.#beginnings, letters, read, ({ length }) => length === wordsMax)
  }

  /** How many records there are, or were a short while ago. */
  recordsInAll(): number {
    const kept = this.#size
    if (kept !== undefined && performance.now() - kept.readMs < believedMs) return kept.value
    const value = Number(this.#all.get()?.['records'] ?? 0)
    this.#size = { position: 0, readMs: performance.now(), value }
    return value
  }

  #recall<T>(
    kept: Map<string, Remembered<T>>,
    key: string,
    read: () => T,
    isBelieved: (value: T) => boolean,
  ): T {
    const position = this.position()
    const known = kept.get(key)
    if (known !== undefined) {
      if (known.position === position) return known.value
      if (isBelieved(known.value) && performance.now() - known.readMs < believedMs) {
        return known.value
      }
    }
    const value = read()
    if (kept.size >= rememberedMax) kept.clear()
    kept.set(key, { position, readMs: performance.now(), value })
    return value
  }
}
