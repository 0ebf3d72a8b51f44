import { hash } from 'node:crypto'
import type { DatabaseSync, StatementSync } from 'node:sqlite'

import { FacetSetWriter } from '#src/discovery/search/embedded/facet_sets.ts'
import {
  heldColumn,
  heldFields,
  heldWord,
  nameWord,
} from '#src/discovery/search/embedded/index_tables.ts'
import { assert } from '#log/base/errors.ts'
import { nameBreak } from '#src/discovery/search/documents.ts'
import { indexedText } from '#src/discovery/search/fold.ts'
import { indexShapes } from '#src/discovery/search/index_shape.ts'
import type { IndexKind, SearchDocument } from '#src/discovery/search/search_engine.ts'

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
  readonly #dropRow: StatementSync
  readonly #dropWords: StatementSync
  readonly #find: StatementSync
  readonly #facetSets: FacetSetWriter
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
    this.#dropRow = db.prepare(`DELETE FROM ${kind} WHERE seq = ?`)
    this.#dropWords = db.prepare(`DELETE FROM ${kind}_text WHERE rowid = ?`)
    this.#find = db.prepare(`SELECT rowid AS seq FROM ${kind}_text WHERE ${kind}_text MATCH ?`)
    this.#facetSets = new FacetSetWriter(db, kind)
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
      this.#facetSets.numberOf(document),
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
