import type { DatabaseSync, StatementSync } from 'node:sqlite'

import { IndexPosition, ReadMemory } from '#src/discovery/search/embedded/search_reader.ts'
import { charactersOf, foldText } from '#src/discovery/search/fold.ts'
import type { IndexKind } from '#src/discovery/search/search_engine.ts'

/** Letters from which on a word may have one wrong letter, and from which on two. */
const oneErrorLetters = 5

const twoErrorsLetters = 9

/** How many letters of a word may be wrong. */
export function errorsAllowed(word: string): number {
  if (/\p{N}/u.test(word)) return 0
  if (word.length >= twoErrorsLetters) return 2
  return word.length >= oneErrorLetters ? 1 : 0
}

/** Which letters a word has, a bit for each; letters beyond those of Latin share their bits. */
export function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters >>> 0
}

/**
 * Whether words of such letters can be within `errors` of one another: a wrong letter makes two
 * differences at most. Nearly all pairs of words are ruled out by it, for a fraction of what a
 * distance takes.
 */
export function mayBeNear(one: number, other: number, errors: number): boolean {
  let different = one ^ other
  for (let left = 2 * errors; left > 0 && different !== 0; left -= 1) different &= different - 1
  return different === 0
}

/**
 * How many letters must be changed, added, left out or exchanged with their neighbour to make one
 * word of another, if that is not more than `max`; else any number above it.
 */
export function spellingDistance(one: string, other: string, max: number): number {
  if (Math.abs(one.length - other.length) > max) return max + 1
  let beforeLast: readonly number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= other.length; column += 1) {
      next.push(cell(one, other, row, column, { beforeLast, last, next }))
    }
    if (Math.min(...next) > max) return max + 1
    beforeLast = last
    last = next
  }
  return last[other.length] ?? max + 1
}

type Rows = {
  readonly beforeLast: readonly number[]
  readonly last: readonly number[]
  readonly next: readonly number[]
}

function cell(one: string, other: string, row: number, column: number, rows: Rows): number {
  const { beforeLast, last, next } = rows
  const isSame = one[row - 1] === other[column - 1]
  const least = Math.min(
    (last[column] ?? 0) + 1,
    (next[column - 1] ?? 0) + 1,
    (last[column - 1] ?? 0) + (isSame ? 0 : 1),
  )
  const isSwapped =
    row > 1 &&
    column > 1 &&
    one[row - 1] === other[column - 2] &&
    one[row - 2] === other[column - 1]
  return isSwapped ? Math.min(least, (beforeLast[column - 2] ?? 0) + 1) : least
}

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
    // A list of all words must hold a new one at once.
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

/** Words that one may have been meant as. */
const nearMax = 4

/** Letters of each half of a word that may be two. */
const halfLettersMin = 3

/** A word of the index, or two; how many letters differ from what was typed; records with it. */
type NearWord = {
  readonly text: string
  readonly distance: number
  readonly records: number
}

/**
 * How long the words of a letter are believed to be all, and for how much longer they may do where
 * nobody has had time to read them anew; for less if none of them is near.
 */
const believedMs = 300_000
const oldMs = 3_600_000
const doubtedMs = 2_000

/** Letters whose words are read before anybody looks for one: all that folding leaves of Latin. */
const preparedLetters = charactersOf('abcdefghijklmnopqrstuvwxyz')

/** Words that are read in a step, which takes some milliseconds. */
const stepWords = 1_000

/** Words of one length, one after another, and the letters that each of them has. */
type Row = { readonly words: string; readonly letters: Uint32Array }

/** All words that begin with one letter, by their length. */
type Shelf = {
  readonly position: number
  readonly readMs: number
  readonly rows: ReadonlyMap<number, Row>
}

/**
 * The words of an index, to find those that are spelled almost like one that is nowhere in it. They
 * are read letter by letter, beforehand where there is time, or when a word of that letter is
 * looked for; the first letter must be right.
 */
export class Vocabulary {
  readonly #db: DatabaseSync
  readonly #kind: IndexKind
  readonly #words: WordList
  readonly #shelves = new Map<string, Shelf>()
  /** Letters whose words are to be read anew, and those of a letter that are being read. */
  readonly #aged = new Set<string>()
  #reading: ShelfReading | undefined

  constructor(db: DatabaseSync, kind: IndexKind, words: WordList) {
    this.#db = db
    this.#kind = kind
    this.#words = words
  }

  /** The words near a word, the nearest first, and of those the ones that most records have. */
  near(text: string): NearWord[] {
    const word = foldText(text)
    const errors = errorsAllowed(word)
    const letter = /^\p{L}+$/u.test(word) ? charactersOf(word)[0] : undefined
    if (errors === 0 || letter === undefined) return []
    const kept = this.#shelves.get(letter)
    const position = this.#words.position.now()
    const ageMs = kept === undefined ? Number.POSITIVE_INFINITY : performance.now() - kept.readMs
    const isNewest = kept?.position === position
    if (kept !== undefined && (isNewest || ageMs < oldMs)) {
      if (!isNewest && ageMs >= believedMs) this.#aged.add(letter)
      const found = this.#search(kept, word, errors)
      if (found.length > 0 || isNewest || ageMs < doubtedMs) return found
    }
    const reading = this.#begin(letter)
    let shelf = reading.step()
    while (shelf === undefined) shelf = reading.step()
    this.#put(letter, shelf)
    return this.#search(shelf, word, errors)
  }

  /**
   * Reads some of the words that may be looked for, for some milliseconds: those of letters that
   * were not read yet, or too long ago. False if there are none.
   */
  prepare(): boolean {
    const letter = this.#reading?.letter ?? this.#nextLetter()
    if (letter === undefined) return false
    this.#reading ??= this.#begin(letter)
    const shelf = this.#reading.step()
    if (shelf !== undefined) this.#put(letter, shelf)
    return this.#reading !== undefined || this.#nextLetter() !== undefined
  }

  #nextLetter(): string | undefined {
    const unread = preparedLetters.find((letter) => !this.#shelves.has(letter))
    const [letter = unread] = this.#aged
    return letter
  }

  #begin(letter: string): ShelfReading {
    return new ShelfReading(this.#db, this.#kind, letter, this.#words.position.now())
  }

  #put(letter: string, shelf: Shelf): void {
    this.#shelves.set(letter, shelf)
    this.#aged.delete(letter)
    if (this.#reading?.letter === letter) this.#reading = undefined
  }

  /** How many records have a word, as it is indexed. */
  records(text: string): number {
    return this.#words.records(foldText(text))
  }

  /** How many records have words that begin like this, counted until they are more than so many. */
  begun(text: string, recordsMax: number): number {
    let records = 0
    for (const word of this.#words.beginning(foldText(text))) {
      records += this.#words.records(word)
      if (records > recordsMax) break
    }
    return records
  }

  /** Whether any word of the index begins like this. */
  begins(text: string): boolean {
    return this.#words.beginning(foldText(text)).length > 0
  }

  /** The two words that a word most probably is without the space; undefined if none are. */
  parted(text: string): NearWord | undefined {
    const letters = charactersOf(foldText(text))
    let best: NearWord | undefined
    for (let at = halfLettersMin; at <= letters.length - halfLettersMin; at += 1) {
      const halves = [letters.slice(0, at).join(''), letters.slice(at).join('')] as const
      const records = Math.min(...halves.map((half) => this.records(half)))
      if (records > (best?.records ?? 0)) best = { text: halves.join(' '), distance: 1, records }
    }
    return best
  }

  #search({ rows }: Shelf, word: string, errors: number): NearWord[] {
    const found: NearWord[] = []
    const typed = lettersOf(word)
    for (let length = word.length - errors; length <= word.length + errors; length += 1) {
      const { words, letters } = rows.get(length) ?? noWords
      for (const [index, other] of letters.entries()) {
        if (!mayBeNear(typed, other, errors)) continue
        const near = words.slice(index * length, (index + 1) * length)
        const distance = spellingDistance(word, near, errors)
        if (distance > errors || near === word) continue
        found.push({ text: near, distance, records: this.records(near) })
      }
    }
    const order = (one: NearWord, other: NearWord) =>
      one.distance - other.distance || other.records - one.records
    return found.toSorted(order).slice(0, nearMax)
  }
}

/** The reading of all words that begin with one letter, in steps between which others may work. */
class ShelfReading {
  readonly letter: string
  readonly #position: number
  readonly #some: StatementSync
  readonly #after: string
  readonly #lists = new Map<number, string[]>()
  #last: string

  constructor(db: DatabaseSync, kind: IndexKind, letter: string, position: number) {
    this.letter = letter
    this.#position = position
    const range = `SELECT term FROM ${kind}_word WHERE term > ? AND term < ? LIMIT ${stepWords}`
    this.#some = db.prepare(range)
    this.#after = String.fromCodePoint((letter.codePointAt(0) ?? 0) + 1)
    this.#last = letter
  }

  /** Reads some more words; gives all of them once there are no more. */
  step(): Shelf | undefined {
    const rows = this.#some.all(this.#last, this.#after)
    const words = rows.map(({ term }) => String(term))
    for (const word of words) {
      const list = this.#lists.get(word.length)
      if (list === undefined) this.#lists.set(word.length, [word])
      else list.push(word)
    }
    this.#last = words.at(-1) ?? this.#last
    if (words.length === stepWords) return undefined
    const shelves = [...this.#lists].map(([length, list]) => [length, rowOf(list)] as const)
    return { position: this.#position, readMs: performance.now(), rows: new Map(shelves) }
  }
}

const noWords: Row = { words: '', letters: new Uint32Array() }

function rowOf(list: readonly string[]): Row {
  return { words: list.join(''), letters: Uint32Array.from(list, lettersOf) }
}
