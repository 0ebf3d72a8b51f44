import type { DatabaseSync, StatementSync } from 'node:sqlite'

import { useKinds } from '#src/edge/uses.ts'
import {
  addCounts,
  monthOf,
  noUses,
  type UsageBatch,
  type UseCounts,
} from '#src/usage/usage_batch.ts'
import { SharedRows } from '#src/usage/shared_rows.ts'
import { nameOf, UsageReader, type UsageSubject } from '#src/usage/usage_reader.ts'
import { columns, inTransaction, openUsageTables, increments } from '#src/usage/usage_tables.ts'

/** Days of which each has its own row; months have theirs for ever. */
export const daysKept = 400

/** Rows that one step of `tidy` moves or removes. */
const tidiedMax = 1_000

/** What of the days is in the months. */
type Folded = { readonly day: number; readonly subject: string }

const marks = useKinds.map(() => '?').join(', ')

/**
 * The counts of uses, in an SQLite file that nothing else depends on. It owns the file. A count is
 * added to the row of its day; when the day is over, its rows are added to those of their months,
 * and later removed. A loss of power may take the last seconds of it.
 */
export class UsageRows {
  readonly #db: DatabaseSync
  readonly #addDay: StatementSync
  readonly #addMonth: StatementSync
  readonly #fold: StatementSync
  readonly #setFolded: StatementSync
  readonly #nextDay: StatementSync
  readonly #lastSubject: StatementSync
  readonly #remove: StatementSync
  #folded: Folded

  /** Opens the file, or makes one; `today` is in days since 1970. */
  constructor(file: string, today: number) {
    const db = openUsageTables(file, today)
    this.#db = db
    this.#addDay = db.prepare(
      `INSERT INTO uses (subject, at, ${columns}) VALUES (?, ?, ${marks}) ` +
        `ON CONFLICT (at, subject) DO UPDATE SET ${increments}`,
    )
    this.#addMonth = db.prepare(
      `INSERT INTO months (subject, at, ${columns}) VALUES (?, ?, ${marks}) ` +
        `ON CONFLICT (subject, at) DO UPDATE SET ${increments}`,
    )
    this.#fold = db.prepare(
      `INSERT INTO months (subject, at, ${columns}) SELECT subject, ?, ${columns} FROM uses ` +
        'WHERE at = ? AND subject > ? ORDER BY subject ' +
        `LIMIT ${tidiedMax} ON CONFLICT (subject, at) DO UPDATE SET ${increments}`,
    )
    this.#setFolded = db.prepare('UPDATE state SET folded_day = ?, folded_subject = ?')
    this.#nextDay = db.prepare('SELECT min(at) AS day FROM uses WHERE at > ?')
    this.#lastSubject = db.prepare(
      'SELECT subject FROM uses WHERE at = ? AND subject > ? ORDER BY subject ' +
        `LIMIT 1 OFFSET ${tidiedMax - 1}`,
    )
    this.#remove = db.prepare(
      'DELETE FROM uses WHERE (at, subject) IN ' +
        `(SELECT at, subject FROM uses WHERE at < ? AND at <= ? LIMIT ${tidiedMax})`,
    )
    const { folded_day: day, folded_subject: subject } =
      db.prepare('SELECT * FROM state').get() ?? {}
    this.#folded = { day: Number(day), subject: String(subject) }
  }

  /**
   * Adds what was counted, to works, organizations and all: all of it, or on an error nothing. Not
   * if `isNew`, which is asked in the same transaction, says no; whether it was added.
   */
  add(batch: UsageBatch, isNew: () => boolean = () => true): boolean {
    const { day } = batch
    const sums = sumsOf(batch)
    return inTransaction(this.#db, () => {
      if (!isNew()) return false
      for (const [name, counts] of sums) {
        this.#addDay.run(name, day, ...counts)
        // What comes late, as after a clock was set back, finds its day folded.
        if (this.#isFolded(day, name)) this.#addMonth.run(name, monthOf(day), ...counts)
      }
      return true
    })
  }

  /**
   * Adds some rows of days that are over to their months, or removes some that are older than they
   * are kept. Whether there may be more to do.
   */
  tidy(today: number): boolean {
    const { day: folded, subject } = this.#folded
    const found = this.#nextDay.get(folded)?.['day']
    if (typeof found === 'number' && found < today) {
      this.#folded = this.#foldSome(found, found === folded + 1 ? subject : '')
      return true
    }
    if (folded < today - 1) {
      this.#setFolded.run(today - 1, '')
      this.#folded = { day: today - 1, subject: '' }
    }
    return this.#remove.run(today - daysKept, this.#folded.day).changes === tidiedMax
  }

  /** What the file knows of a stream that nodes share, for as long as it is open. */
  shared(): SharedRows {
    return new SharedRows(this.#db, this)
  }

  /** Reads from the same file, for as long as it is open. */
  reader(): UsageReader {
    return new UsageReader(this.#db)
  }

  close(): void {
    this.#db.close()
  }

  #foldSome(day: number, after: string): Folded {
    return inTransaction(this.#db, () => {
      const last = this.#lastSubject.get(day, after)?.['subject']
      this.#fold.run(monthOf(day), day, after)
      const folded =
        typeof last === 'string' ? { day: day - 1, subject: last } : { day, subject: '' }
      this.#setFolded.run(folded.day, folded.subject)
      return folded
    })
  }

  #isFolded(day: number, name: string): boolean {
    const { day: folded, subject } = this.#folded
    if (day !== folded + 1) return day <= folded
    return Buffer.compare(Buffer.from(name), Buffer.from(subject)) <= 0
  }
}

/** What a batch adds to each of its subjects. */
function sumsOf({ works }: UsageBatch): ReadonlyMap<string, UseCounts> {
  const sums = new Map<string, number[]>()
  const note = (subject: UsageSubject, counts: UseCounts) => {
    const name = nameOf(subject)
    let sum = sums.get(name)
    if (sum === undefined) sums.set(name, (sum = noUses()))
    addCounts(sum, counts)
  }
  for (const [environment, ark, organization, counts] of works) {
    note({ environment, of: { ark } }, counts)
    note({ environment, of: 'everything' }, counts)
    if (organization !== null) note({ environment, of: { organization } }, counts)
  }
  return sums
}
