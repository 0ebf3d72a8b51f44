import type { DatabaseSync } from 'node:sqlite'

import { indexShapes } from '#src/search/index_shape.ts'
import { type IndexKind, indexKinds } from '#src/search/search_engine.ts'

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
export function createTables(db: DatabaseSync): void {
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
