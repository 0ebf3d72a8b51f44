import { DatabaseSync } from 'node:sqlite'

import type { IndexKind } from '#src/discovery/search/search_engine.ts'

/**
 * Puts a view of endlessly many rows, none of which is ever found, in the place of the rows of one
 * kind: a search of that kind without words never ends. Other kinds stay as they are.
 */
export function makeEndless(file: string, kind: IndexKind): void {
  const db = new DatabaseSync(file)
  const columns = db.prepare(`SELECT name FROM pragma_table_info('${kind}')`).all()
  const names = columns.map(({ name }) => String(name))
  const values = names.map((name) => (name === 'seq' ? 'n AS seq' : `NULL AS ${name}`))
  db.exec(`DROP TABLE ${kind}`)
  db.exec(
    `CREATE VIEW ${kind} AS WITH RECURSIVE number(n) AS ` +
      '(SELECT 1 UNION ALL SELECT n + 1 FROM number) ' +
      `SELECT ${values.join(', ')} FROM number WHERE n < 0`,
  )
  db.close()
}
