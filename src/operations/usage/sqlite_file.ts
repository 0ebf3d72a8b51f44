import { renameSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** How long a reader waits for the writer, and the other way round. */
export const busyMs = 2_000

/** What of SQLite's errors is a damaged file: ERROR (a table is missing), CORRUPT, NOTADB. */
const damageCodes = new Set([1, 11, 26])

function isDamage(error: unknown): boolean {
  const { errcode } = error as { readonly errcode?: number }
  return errcode !== undefined && damageCodes.has(errcode & 0xff)
}

/** Opens a database that is written while others read it; `makeTables` makes what it lacks. */
export function openDatabase(file: string, makeTables: (db: DatabaseSync) => void): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: busyMs })
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    makeTables(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * What `open` makes of a file. One that is damaged is put aside as `….damaged`, and made anew. Any
 * other failure, as of a full disk or a file that somebody has locked, is thrown: it says nothing
 * of what the file holds, which others may be writing to.
 */
export function openOrPutAside<Opened>(
  file: string,
  open: (file: string) => Opened,
  report: (error: unknown) => void = () => undefined,
): Opened {
  try {
    return open(file)
  } catch (error) {
    if (!isDamage(error)) throw error
    report(error)
    renameSync(file, `${file}.damaged`)
    return open(file)
  }
}

/**
 * The same for what no registry stands still for: where there can be no file, `report` hears why,
 * and all is in memory.
 */
export function openOrInMemory<Opened>(
  file: string,
  open: (file: string) => Opened,
  report: (error: unknown) => void,
): Opened {
  try {
    return openOrPutAside(file, open, report)
  } catch (error) {
    report(error)
    return open(':memory:')
  }
}

/** Does all of something in a transaction, or on an error nothing. */
export function inTransaction<Done>(db: DatabaseSync, act: () => Done): Done {
  db.exec('BEGIN IMMEDIATE')
  try {
    const done = act()
    db.exec('COMMIT')
    return done
  } catch (error) {
    // A full disk has ended it already.
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
