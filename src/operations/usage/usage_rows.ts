import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { Row } from '#log/store/store.ts'
import { useKinds } from '#src/edge/uses.ts'
import {
  addCounts,
  firstDayOf,
  monthOf,
  noUses,
  type UsageBatch,
  type UsageMessage,
  type UseCounts,
} from '#src/operations/usage/usage_batch.ts'
import {
  busyMs,
  inTransaction,
  openDatabase,
  openOrPutAside,
} from '#src/operations/usage/sqlite_file.ts'

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

/** The columns of counts, and how more is added to a row of them. */
const columns = useKinds.join(', ')
const increments = useKinds.map((kind) => `${kind} = ${kind} + excluded.${kind}`).join(', ')

const countColumns = useKinds.map((kind) => `${kind} INTEGER NOT NULL`).join(', ')

/**
 * The rows of one day lie together, as they are written, and the months of one subject, as they are
 * read. What is in `uses` up to `folded_day`, and of the next day up to
 * `folded_subject`, is in `months` as well. The last three are those of `SharedRows`.
 */
const schema = `
CREATE TABLE IF NOT EXISTS uses (at INTEGER NOT NULL, subject TEXT NOT NULL, ${countColumns},
  PRIMARY KEY (at, subject)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS months (subject TEXT NOT NULL, at INTEGER NOT NULL, ${countColumns},
  PRIMARY KEY (subject, at)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS state (only INTEGER PRIMARY KEY CHECK (only = 0),
  folded_day INTEGER NOT NULL, folded_subject TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS place (only INTEGER PRIMARY KEY CHECK (only = 0),
  stream TEXT NOT NULL, position INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS lives (life TEXT PRIMARY KEY, number INTEGER NOT NULL,
  day INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS outgoing (at INTEGER PRIMARY KEY, id TEXT NOT NULL,
  message BLOB NOT NULL);
`

/** Opens the file of the counts, or makes one. `today` is in days since 1970. */
function openUsageTables(file: string, today: number): DatabaseSync {
  return openOrPutAside(file, (name) => openTables(name, today))
}

function openTables(file: string, today: number): DatabaseSync {
  return openDatabase(file, (db) =>
    inTransaction(db, () => {
      db.exec(schema)
      const newest = takeOldDays(db)
      db.prepare("INSERT OR IGNORE INTO state VALUES (0, ?, '')").run((newest ?? today) - 1)
    }),
  )
}

/**
 * Takes the days of a file of an older release, in which each was in its month from the first use
 * on; that is taken back of the newest one, to which more may come. Gives that day, if any.
 */
function takeOldDays(db: DatabaseSync): number | undefined {
  if (!db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'days'").get()) return undefined
  db.exec(`INSERT INTO uses (at, subject, ${columns}) SELECT at, subject, ${columns} FROM days`)
  const { newest } = db.prepare('SELECT max(at) AS newest FROM days').get() ?? {}
  if (typeof newest === 'number') {
    const less = useKinds.map((kind) => `${kind} = months.${kind} - days.${kind}`).join(', ')
    db.prepare(
      `UPDATE months SET ${less} FROM days ` +
        'WHERE days.at = ? AND months.at = ? AND days.subject = months.subject',
    ).run(newest, monthOf(newest))
  }
  db.exec('DROP TABLE days')
  return typeof newest === 'number' ? newest : undefined
}

/** How far a file has come in a stream: when the stream was made, and the place of a message. */
export type UsagePlace = { readonly stream: string; readonly position: number }

/** A message that is to be told to all, by its name. */
export type OutgoingMessage = { readonly id: string; readonly bytes: Uint8Array }

/** Rows that a batch is added to if `isNew`, asked in the same transaction, says so. */
type CountedRows = { add(batch: UsageBatch, isNew: () => boolean): boolean }

/** For how many days it is known which messages of a life were counted. */
const livesKept = 60

/**
 * What a file of counts knows of the stream that all nodes share: how far it has come, what of each
 * life of each node it has counted, and what is still to be told. It stands in the same file, so
 * that a message is counted exactly once whenever the process ends.
 */
export class SharedRows {
  readonly #db: DatabaseSync
  readonly #rows: CountedRows
  readonly #setPlace: StatementSync
  readonly #known: StatementSync
  readonly #note: StatementSync
  readonly #forget: StatementSync
  readonly #keep: StatementSync
  #place: UsagePlace

  constructor(db: DatabaseSync, rows: CountedRows) {
    this.#db = db
    this.#rows = rows
    this.#setPlace = db.prepare('INSERT OR REPLACE INTO place VALUES (0, ?, ?)')
    this.#known = db.prepare('SELECT number FROM lives WHERE life = ?')
    this.#note = db.prepare('INSERT OR REPLACE INTO lives VALUES (?, ?, ?)')
    this.#forget = db.prepare('DELETE FROM lives WHERE day < ?')
    this.#keep = db.prepare('INSERT INTO outgoing (id, message) VALUES (?, ?)')
    const { stream, position } = db.prepare('SELECT * FROM place').get() ?? {}
    this.#place = { stream: String(stream ?? ''), position: Number(position ?? 0) }
  }

  /** Where the next message is expected after; a stream of '' is none yet. */
  get place(): UsagePlace {
    return this.#place
  }

  /** Goes on from a place of a stream, counting nothing. */
  moveTo(place: UsagePlace): void {
    this.#setPlace.run(place.stream, place.position)
    this.#place = place
  }

  /** Counts a message that stands at a place, unless it was counted; whether it was counted now. */
  take({ life, number, batch }: UsageMessage, place: UsagePlace): boolean {
    const isNew = () => {
      this.#setPlace.run(place.stream, place.position)
      const known = this.#known.get(life)?.['number']
      if (known !== undefined && number <= Number(known)) return false
      if (known === undefined) this.#forget.run(batch.day - livesKept)
      this.#note.run(life, number, batch.day)
      return true
    }
    const isCounted = this.#rows.add(batch, isNew)
    this.#place = place
    return isCounted
  }

  /** What was to be told when the last process ended, in its order. */
  outgoing(): readonly OutgoingMessage[] {
    const rows = this.#db.prepare('SELECT id, message FROM outgoing ORDER BY at').all()
    return rows.map(({ id, message }) => ({ id: String(id), bytes: message as Uint8Array }))
  }

  /** Keeps what is still to be told, in place of what was. */
  keepOutgoing(messages: readonly OutgoingMessage[]): void {
    inTransaction(this.#db, () => {
      this.#db.exec('DELETE FROM outgoing')
      for (const { id, bytes } of messages) this.#keep.run(id, bytes)
    })
  }
}

/** Whose uses: of a work, of an organization's works, of all works of an environment. */
export type UsageSubject = {
  readonly environment: EnvironmentName
  readonly of: { readonly ark: string } | { readonly organization: string } | 'everything'
}

/** What was counted in one day or month: days since 1970, or months since the year 0. */
export type UsageRow = { readonly at: number; readonly counts: UseCounts }

/** A work, `naan/name`, and how often it was used in any way. */
export type UsedWork = { readonly ark: string; readonly uses: number }

/** The name of a subject in the rows. */
function nameOf({ environment, of }: UsageSubject): string {
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

  /** The works of an environment that were used most from one day to another, both included. */
  mostUsed(environment: EnvironmentName, from: number, to: number, limit: number): UsedWork[] {
    const prefix = `${environment} ark:`
    const sum = useKinds.map((kind) => `sum(${kind})`).join(' + ')
    const rows = this.#db
      .prepare(
        `SELECT subject, ${sum} AS uses FROM uses WHERE at BETWEEN ? AND ? ` +
          'AND subject >= ? AND subject < ? GROUP BY subject ORDER BY uses DESC LIMIT ?',
      )
      .all(from, to, prefix, `${environment} ark;`, limit)
    return rows.map((row) => {
      return { ark: String(row['subject']).slice(prefix.length), uses: Number(row['uses']) }
    })
  }

  close(): void {
    this.#db.close()
  }
}

function told(row: Readonly<Record<string, unknown>>): { readonly counts: number[] } {
  return { counts: useKinds.map((kind) => Number(row[kind])) }
}

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
  const values = JSON.parse(Buffer.from(value).toString('utf8')) as SQLInputValue[]
  const holders = values.map(() => '?').join(', ')
  const statement = writing.get(table) ?? db.prepare(`INSERT INTO ${table} VALUES (${holders})`)
  writing.set(table, statement)
  statement.run(...values)
}
