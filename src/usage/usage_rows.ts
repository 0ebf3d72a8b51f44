import { renameSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import { useKinds } from '#src/edge/uses.ts'
import { dayMs, type UsageBatch, type UseCounts } from '#src/usage/usage_counter.ts'

/** Days of which each has its own row; months have theirs for ever. */
export const daysKept = 400

/** Rows of old days that are removed at once. */
const removedMax = 1_000

/** How long a reader waits for the writer, and the other way round. */
const busyMs = 2_000

/** Whose uses: of a work, of an organization's works, of all works of an environment. */
export type UsageSubject = {
  readonly environment: EnvironmentName
  readonly of: { readonly ark: string } | { readonly organization: string } | 'everything'
}

/** What was counted in one day or month: days since 1970, or months since the year 0. */
export type UsageRow = { readonly at: number; readonly counts: UseCounts }

/** The slug of the organization that a work belongs to, if it belongs to one. */
export type OrganizationOf = (environment: EnvironmentName, ark: string) => string | undefined

const columns = useKinds.join(', ')
const sums = useKinds.map((kind) => `${kind} = ${kind} + excluded.${kind}`).join(', ')
const tables = ['days', 'months'] as const

/** The month of a day, as a count of months since the year 0. */
export function monthOf(day: number): number {
  const date = new Date(day * dayMs)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/**
 * The counts of uses, in an SQLite file that nothing else depends on. It owns the file. Every count
 * is added to its day and to its month, so that a day that is old is only removed. A loss of power
 * may take the last seconds of it.
 */
export class UsageRows {
  readonly #db: DatabaseSync
  readonly #organizationOf: OrganizationOf
  readonly #add: Readonly<Record<(typeof tables)[number], StatementSync>>
  readonly #remove: StatementSync

  /** Opens the file, or makes one; one that cannot be read is put aside as `….damaged`. */
  static open(file: string, organizationOf: OrganizationOf): UsageRows {
    try {
      return new UsageRows(file, organizationOf)
    } catch {
      renameSync(file, `${file}.damaged`)
      return new UsageRows(file, organizationOf)
    }
  }

  private constructor(file: string, organizationOf: OrganizationOf) {
    this.#organizationOf = organizationOf
    this.#db = new DatabaseSync(file, { timeout: busyMs })
    this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    for (const table of tables) {
      const counts = useKinds.map((kind) => `${kind} INTEGER NOT NULL`).join(', ')
      this.#db.exec(
        `CREATE TABLE IF NOT EXISTS ${table} (subject TEXT NOT NULL, at INTEGER NOT NULL, ` +
          `${counts}, PRIMARY KEY (subject, at)) WITHOUT ROWID`,
      )
    }
    this.#db.exec('CREATE INDEX IF NOT EXISTS old_days ON days (at)')
    const marks = useKinds.map(() => '?').join(', ')
    const adding = (table: string) =>
      this.#db.prepare(
        `INSERT INTO ${table} (subject, at, ${columns}) VALUES (?, ?, ${marks}) ` +
          `ON CONFLICT (subject, at) DO UPDATE SET ${sums}`,
      )
    this.#add = { days: adding('days'), months: adding('months') }
    this.#remove = this.#db.prepare(
      'DELETE FROM days WHERE (subject, at) IN ' +
        `(SELECT subject, at FROM days WHERE at < ? LIMIT ${removedMax})`,
    )
  }

  /** Adds what was counted, to works, organizations and all: all of it, or on an error nothing. */
  add({ day, works }: UsageBatch): void {
    const added = new Map<string, number[]>()
    const note = (subject: UsageSubject, counts: UseCounts) => {
      const name = nameOf(subject)
      const sum = added.get(name) ?? useKinds.map(() => 0)
      added.set(name, sum)
      counts.forEach((count, index) => (sum[index] = (sum[index] ?? 0) + count))
    }
    for (const [environment, ark, counts] of works) {
      const organization = this.#organizationOf(environment, ark)
      note({ environment, of: { ark } }, counts)
      note({ environment, of: 'everything' }, counts)
      if (organization !== undefined) note({ environment, of: { organization } }, counts)
    }
    this.#db.exec('BEGIN')
    try {
      for (const [name, counts] of added) {
        this.#add.days.run(name, day, ...counts)
        this.#add.months.run(name, monthOf(day), ...counts)
      }
      this.#remove.run(day - daysKept)
      this.#db.exec('COMMIT')
    } catch (error) {
      this.#db.exec('ROLLBACK')
      throw error
    }
  }

  /** Reads from the same file, for as long as it is open. */
  reader(): UsageReader {
    return new UsageReader(this.#db)
  }

  close(): void {
    this.#db.close()
  }
}

/** Reads what was counted. */
export class UsageReader {
  readonly #read: Readonly<Record<(typeof tables)[number], StatementSync>>
  readonly #db: DatabaseSync

  /** Opens a file that `UsageRows` has made. */
  static open(file: string): UsageReader {
    return new UsageReader(new DatabaseSync(file, { readOnly: true, timeout: busyMs }))
  }

  constructor(db: DatabaseSync) {
    this.#db = db
    const reading = (table: string) =>
      db.prepare(
        `SELECT at, ${columns} FROM ${table} WHERE subject = ? AND at BETWEEN ? AND ? ORDER BY at`,
      )
    this.#read = { days: reading('days'), months: reading('months') }
  }

  /** The days or months from one to another, both included, in which anything was counted. */
  read(table: 'days' | 'months', subject: UsageSubject, from: number, to: number): UsageRow[] {
    return this.#read[table].all(nameOf(subject), from, to).map((row) => {
      return { at: Number(row['at']), counts: useKinds.map((kind) => Number(row[kind])) }
    })
  }

  close(): void {
    this.#db.close()
  }
}

function nameOf({ environment, of }: UsageSubject): string {
  if (of === 'everything') return `${environment} *`
  return 'ark' in of ? `${environment} ark:${of.ark}` : `${environment} org:${of.organization}`
}
