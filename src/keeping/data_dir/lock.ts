import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { StartError } from '#src/keeping/data_dir/start_error.ts'

/** The right of this process, and of no other, to a data directory. */
export type DataDirLock = { release(): void }

/** The file in the data directory that is locked. It stays empty. */
const lockFileName = 'lock'

/** The same of those who back it up. */
const backupLockFileName = 'backup.lock'

// Two that begin at once may each keep the other from the lock for a moment; then one gets it.
const waitMs = 250

const busyCode = 5

/**
 * Locks a data directory, before anything in it is read or written. What it takes is a lock of
 * the operating system on a file, through SQLite, since Node has no call of its own for it: it ends
 * with the process, however that ends, so nothing stale is ever in the way. As with LevelDB's
 * locks, a process that holds a directory must not open the file by other means. Errors:
 * `data_dir_held` while another has it, `data_dir_unusable`.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  const file = path.join(dataDir, lockFileName)
  return hold(file, (cause) => explain(cause, dataDir, file))
}

/**
 * Keeps other backups of a data directory out, which may have a server meanwhile: one that prunes
 * would remove what another has just written. Errors: `backup_held`, `data_dir_unusable`.
 */
export function lockBackups(dataDir: string): DataDirLock {
  const file = path.join(dataDir, backupLockFileName)
  return hold(file, (cause) => {
    if ((cause as SqliteError).errcode !== busyCode) return explain(cause, dataDir, file)
    const message = `Another backup of ${dataDir} is being made. Wait until it has ended.`
    return new StartError('backup_held', message, { cause })
  })
}

function hold(file: string, explained: (cause: unknown) => StartError): DataDirLock {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: waitMs })
    // Without a journal in a file the lock is all that the transaction leaves on the disk.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (cause) {
    database?.close()
    throw explained(cause)
  }
  const held = database
  return { release: () => held.close() }
}

type SqliteError = Error & { readonly errcode?: number }

function explain(cause: unknown, dataDir: string, file: string): StartError {
  const { errcode, message } = cause as SqliteError
  if (errcode === busyCode) {
    return new StartError(
      'data_dir_held',
      `Another process uses the data directory ${dataDir}, perhaps a server that is just ` +
        'starting. Stop that one first, or set DATA_DIR to another folder: a data directory has ' +
        'one owner.',
      { cause },
    )
  }
  return new StartError(
    'data_dir_unusable',
    `The file ${file} cannot be locked (${message}). Check that its disk is mounted and ` +
      'writable. The file must be empty, and you can delete it while no Arklog runs there.',
    { cause },
  )
}
