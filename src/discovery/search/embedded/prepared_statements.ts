import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'

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
