import type { DatabaseSync, StatementSync } from 'node:sqlite'

import { IndexPosition, ReadMemory } from '#src/discovery/search/embedded/read_memory.ts'
import { charactersOf } from '#src/discovery/search/fold.ts'
import type { IndexKind } from '#src/discovery/search/search_engine.ts'

/** Words that are looked for in place of a beginning, and of one of two letters: the commonest. */
const beginningWordsMax = 32
const shortBeginningWordsMax = 12
const shortBeginningLetters = 2

/** Letters of all of them at most: a place, and so a cursor, holds them. */
const beginningLettersMax = 1_280

/** Records from which on a word is a common one. */
const commonRecordsMin = 1_000

/** Words and beginnings that are remembered, of each so many. */
const rememberedMax = 2_000

/**
 * How many records of an index have a word, and which words begin alike. FTS5 walks all records of
 * a word to count them, so what is common is believed for a while. Words are folded by the caller.
 */
export class WordList {
  readonly position: IndexPosition
  readonly #count: StatementSync
  readonly #all: StatementSync
  readonly #begin: StatementSync
  readonly #records: ReadMemory<number>
  readonly #beginnings: ReadMemory<readonly string[]>
  readonly #size: ReadMemory<number>

  constructor(db: DatabaseSync, kind: IndexKind) {
    this.position = new IndexPosition(db)
    this.#records = new ReadMemory(this.position, rememberedMax)
    this.#beginnings = new ReadMemory(this.position, rememberedMax)
    this.#size = new ReadMemory(this.position, 1)
    this.#count = db.prepare(`SELECT doc FROM ${kind}_word WHERE term = ?`)
    this.#all = db.prepare(`SELECT count(*) AS records FROM ${kind}`)
    this.#begin = db.prepare(
      `SELECT term FROM ${kind}_word WHERE term >= ? AND term < ? ORDER BY doc DESC, term LIMIT ?`,
    )
  }

  /** How many records have a word. */
  records(word: string): number {
    const read = () => Number(this.#count.get(word)?.['doc'] ?? 0)
    return this.#records.recall(word, read, (records) => records >= commonRecordsMin)
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
      let found = 0
      return rows
        .map(({ term }) => String(term))
        .filter((term) => (found += term.length) <= beginningLettersMax)
    }
    // Where all words are told, a new one must be among them at once.
    return this.#beginnings.recall(letters, read, ({ length }) => length === wordsMax)
  }

  /** How many records there are, or were a short while ago. */
  recordsInAll(): number {
    const read = () => Number(this.#all.get()?.['records'] ?? 0)
    return this.#size.recall('', read, () => true)
  }
}

/**
 * The words of an index as one query sees them, which has one beginning of words at most. What
 * begins like it is found once, or was on the page before: of many words the commonest are others
 * soon.
 */
export class QueryWords {
  readonly #words: WordList
  #beginnings: readonly string[] | undefined

  constructor(words: WordList, beginnings: readonly string[] | undefined) {
    this.#words = words
    this.#beginnings = beginnings
  }

  /** What was found to begin so; empty if nothing was looked for. */
  get beginnings(): readonly string[] {
    return this.#beginnings ?? []
  }

  beginning(letters: string): readonly string[] {
    this.#beginnings ??= this.#words.beginning(letters)
    return this.#beginnings
  }

  isCommon(word: string): boolean {
    return this.#words.isCommon(word)
  }

  isInMost(word: string): boolean {
    return this.#words.isInMost(word)
  }
}
