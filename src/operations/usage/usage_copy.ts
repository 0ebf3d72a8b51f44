import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

import type { Row } from '#log/store/store.ts'
import { busyMs, inTransaction, openUsageTables } from '#src/operations/usage/usage_rows.ts'

/** What of a file goes to a node that joins: all but what is this node's own to tell. */
const copiedTables = ['uses', 'months', 'state', 'place', 'lives'] as const

/** Rows that are read, or written, at a time. */
const batchRows = 1_000

/**
 * The rows of a file as they are at one moment, while it is written to: which messages of the
 * stream are counted in them, they say themselves. Keys are a table and a number, values rows in
 * JSON.
 */
export async function* copyUsage(file: string): AsyncGenerator<readonly Row[]> {
  const db = new DatabaseSync(file, { readOnly: true, timeout: busyMs })
  try {
    db.exec('BEGIN')
    for (const table of copiedTables) {
      let batch: Row[] = []
      let number = 0
      for (const row of db.prepare(`SELECT * FROM ${table}`).iterate()) {
        number += 1
        const key = `${table}/${String(number).padStart(12, '0')}`
        batch.push([key, Buffer.from(JSON.stringify(Object.values(row)))])
        if (batch.length < batchRows) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    }
  } finally {
    db.close()
  }
}

/**
 * Makes a file of such rows, in place of what it holds. `today` is in days since 1970. Errors:
 * those of SQLite, for rows that `copyUsage` has not made.
 */
export async function writeUsageCopy(
  file: string,
  rows: AsyncIterable<readonly Row[]>,
  today: number,
): Promise<void> {
  const db = openUsageTables(file, today)
  try {
    for (const table of copiedTables) db.exec(`DELETE FROM ${table}`)
    const writing = new Map<string, StatementSync>()
    for await (const batch of rows) {
      inTransaction(db, () => {
        for (const row of batch) writeRow(db, writing, row)
      })
    }
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    db.close()
  }
}

function writeRow(db: DatabaseSync, writing: Map<string, StatementSync>, [key, value]: Row): void {
  const table = copiedTables.find((name) => key.startsWith(`${name}/`))
  if (table === undefined) throw new Error(`${key} is no row of the counts of uses`)
  const columns = JSON.parse(Buffer.from(value).toString('utf8')) as SQLInputValue[]
  const marks = columns.map(() => '?').join(', ')
  const statement = writing.get(table) ?? db.prepare(`INSERT INTO ${table} VALUES (${marks})`)
  writing.set(table, statement)
  statement.run(...columns)
}
