import type { DatabaseSync, StatementSync } from 'node:sqlite'

import { errorsAllowed, spellingDistance } from '#src/search/embedded/spelling.ts'
import { charactersOf, foldText } from '#src/search/fold.ts'
import type { IndexKind } from '#src/search/search_engine.ts'

/** Words that are looked for in place of one. */
const nearMax = 12

/** How long the words of a letter are believed to be all; for less if none of them is near. */
const believedMs = 30_000
const doubtedMs = 2_000

/** All words that begin with one letter, by their length: each the words one after another. */
type Shelf = {
  readonly position: number
  readonly readMs: number
  readonly words: ReadonlyMap<number, string>
}

/**
 * The words of an index, to find those that are spelled almost like one that is nowhere in it. They
 * are read letter by letter, when a word of that letter is looked for; the first letter must be
 * right.
 */
export class Vocabulary {
  readonly #db: DatabaseSync
  readonly #kind: IndexKind
  readonly #count: StatementSync
  readonly #shelves = new Map<string, Shelf>()

  constructor(db: DatabaseSync, kind: IndexKind) {
    this.#db = db
    this.#kind = kind
    this.#count = db.prepare(`SELECT doc FROM ${kind}_word WHERE term = ?`)
  }

  /** The words near a word, the nearest first, and of those the ones that most records have. */
  near(text: string): string[] {
    const word = foldText(text)
    const errors = errorsAllowed(word)
    const letter = /^\p{L}+$/u.test(word) ? charactersOf(word)[0] : undefined
    if (errors === 0 || letter === undefined) return []
    const kept = this.#shelves.get(letter)
    const position = this.#position()
    const ageMs = kept === undefined ? Number.POSITIVE_INFINITY : performance.now() - kept.readMs
    const isNewest = kept?.position === position
    if (kept !== undefined && (isNewest || ageMs < believedMs)) {
      const found = this.#search(kept, word, errors)
      if (found.length > 0 || isNewest || ageMs < doubtedMs) return found
    }
    const shelf = this.#read(letter, position)
    this.#shelves.set(letter, shelf)
    return this.#search(shelf, word, errors)
  }

  #search({ words }: Shelf, word: string, errors: number): string[] {
    const found: { readonly near: string; readonly distance: number }[] = []
    for (let length = word.length - errors; length <= word.length + errors; length += 1) {
      const all = words.get(length) ?? ''
      for (let at = 0; at < all.length; at += length) {
        const near = all.slice(at, at + length)
        const distance = spellingDistance(word, near, errors)
        if (distance <= errors && near !== word) found.push({ near, distance })
      }
    }
    const records = new Map(found.map(({ near }) => [near, this.#records(near)]))
    return found
      .toSorted(
        (left, right) =>
          left.distance - right.distance ||
          (records.get(right.near) ?? 0) - (records.get(left.near) ?? 0),
      )
      .slice(0, nearMax)
      .map(({ near }) => near)
  }

  #records(word: string): number {
    return Number(this.#count.get(word)?.['doc'] ?? 0)
  }

  #read(letter: string, position: number): Shelf {
    const range = `SELECT term FROM ${this.#kind}_word WHERE term >= ? AND term < ?`
    const after = String.fromCodePoint((letter.codePointAt(0) ?? 0) + 1)
    const lists = new Map<number, string[]>()
    for (const row of this.#db.prepare(range).iterate(letter, after)) {
      const word = String(row['term'])
      const list = lists.get(word.length)
      if (list === undefined) lists.set(word.length, [word])
      else list.push(word)
    }
    const words = new Map([...lists].map(([length, list]) => [length, list.join('')]))
    return { position, readMs: performance.now(), words }
  }

  #position(): number {
    return Number(this.#db.prepare('SELECT position FROM state').get()?.['position'])
  }
}
