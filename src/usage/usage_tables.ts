import { renameSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

import { useKinds } from '#src/edge/uses.ts'
import { monthOf } from '#src/usage/usage_batch.ts'

/** How long a reader waits for the writer, and the other way round. */
export const busyMs = 2_000

/** The columns of counts, and how more is added to a row of them. */
export const columns = useKinds.join(', ')
export const increments = useKinds.map((kind) => `${kind} = ${kind} + excluded.${kind}`).join(', ')

const counts = useKinds.map((kind) => `${kind} INTEGER NOT NULL`).join(', ')

/**
 * The rows of one day lie together, as they are written, and the months of one subject, as they are
 * read. What is in `uses` up to `folded_day`, and of the next day up to
 * `folded_subject`, is in `months` as well. The last three are those of `SharedRows`.
 */
const schema = `
CREATE TABLE IF NOT EXISTS uses (at INTEGER NOT NULL, subject TEXT NOT NULL, ${counts},
  PRIMARY KEY (at, subject)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS months (subject TEXT NOT NULL, at INTEGER NOT NULL, ${counts},
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

/**
 * Opens the file of the counts, or makes one; one that cannot be read is put aside as `….damaged`.
 * `today` is in days since 1970.
 */
export function openUsageTables(file: string, today: number): DatabaseSync {
  try {
    return openTables(file, today)
  } catch {
    renameSync(file, `${file}.damaged`)
    return openTables(file, today)
  }
}

function openTables(file: string, today: number): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: busyMs })
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  inTransaction(db, () => {
    db.exec(schema)
    const newest = takeOldDays(db)
    db.prepare("INSERT OR IGNORE INTO state VALUES (0, ?, '')").run((newest ?? today) - 1)
  })
  return db
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

/** Does all of something in a transaction, or on an error nothing. */
export function inTransaction<Done>(db: DatabaseSync, act: () => Done): Done {
  db.exec('BEGIN IMMEDIATE')
  try {
    const done = act()
    db.exec('COMMIT')
    return done
  } catch (error) {
    db.exec('ROLLBACK')
    throw error
  }
}
