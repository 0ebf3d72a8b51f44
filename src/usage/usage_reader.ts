import { DatabaseSync, type StatementSync } from 'node:sqlite'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import { useKinds } from '#src/edge/uses.ts'
import { addCounts, firstDayOf, monthOf, type UseCounts } from '#src/usage/usage_batch.ts'
import { busyMs, columns } from '#src/usage/usage_tables.ts'

/** Whose uses: of a work, of an organization's works, of all works of an environment. */
export type UsageSubject = {
  readonly environment: EnvironmentName
  readonly of: { readonly ark: string } | { readonly organization: string } | 'everything'
}

/** What was counted in one day or month: days since 1970, or months since the year 0. */
export type UsageRow = { readonly at: number; readonly counts: UseCounts }

/** The name of a subject in the rows. */
export function nameOf({ environment, of }: UsageSubject): string {
  if (of === 'everything') return `${environment} *`
  return 'ark' in of ? `${environment} ark:${of.ark}` : `${environment} org:${of.organization}`
}

const ofUses = useKinds.map((kind) => `uses.${kind}`).join(', ')

// Each day is looked up: those of one subject do not lie together.
const readDays = `
WITH RECURSIVE asked (at) AS (
  SELECT ?2 WHERE ?2 <= ?3 UNION ALL SELECT at + 1 FROM asked WHERE at < ?3)
SELECT uses.at, ${ofUses} FROM asked CROSS JOIN uses
  ON uses.at = asked.at AND uses.subject = ?1 ORDER BY uses.at`

// One statement sees one state of the file, so no day is in no month, or twice in one.
const readBoth = `
WITH RECURSIVE asked (at) AS (
  SELECT max(folded_day + 1, ?4) FROM state WHERE max(folded_day + 1, ?4) <= ?5
  UNION ALL SELECT at + 1 FROM asked WHERE at < ?5)
SELECT 'month' AS type, at, ${columns} FROM months WHERE subject = ?1 AND at BETWEEN ?2 AND ?3
UNION ALL
SELECT 'day', uses.at, ${ofUses} FROM state CROSS JOIN asked CROSS JOIN uses
  ON uses.at = asked.at AND uses.subject = ?1
  WHERE NOT (uses.at = folded_day + 1 AND uses.subject <= folded_subject)`

/** Reads what was counted, as far as it is written. */
export class UsageReader {
  readonly #db: DatabaseSync
  readonly #days: StatementSync
  readonly #months: StatementSync

  /** Opens a file that `UsageRows` has made. */
  static open(file: string): UsageReader {
    return new UsageReader(new DatabaseSync(file, { readOnly: true, timeout: busyMs }))
  }

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#days = db.prepare(readDays)
    this.#months = db.prepare(readBoth)
  }

  /** The days or months from one to another, both included, in which anything was counted. */
  read(table: 'days' | 'months', subject: UsageSubject, from: number, to: number): UsageRow[] {
    const name = nameOf(subject)
    if (table === 'days') {
      return this.#days.all(name, from, to).map((row) => ({ at: Number(row['at']), ...told(row) }))
    }
    const months = new Map<number, number[]>()
    const [first, last] = [firstDayOf(from), firstDayOf(to + 1) - 1]
    for (const row of this.#months.all(name, from, to, first, last)) {
      const at = Number(row['at'])
      const month = row['type'] === 'month' ? at : monthOf(at)
      const { counts } = told(row)
      const sum = months.get(month)
      if (sum === undefined) months.set(month, counts)
      else addCounts(sum, counts)
    }
    return [...months].map(([at, counts]) => ({ at, counts })).sort((a, b) => a.at - b.at)
  }

  close(): void {
    this.#db.close()
  }
}

function told(row: Readonly<Record<string, unknown>>): { readonly counts: number[] } {
  return { counts: useKinds.map((kind) => Number(row[kind])) }
}
