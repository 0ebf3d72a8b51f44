import { CodedError } from '#log/base/errors.ts'

/** Every way in which a backup cannot be made, read or gone on from. */
export type BackupErrorCode =
  | 'backup_missing'
  | 'backup_damaged'
  | 'backup_foreign'
  | 'backup_encrypted'
  | 'backup_outrun'
  | 'backup_unowned'
  | 'backups_left_alone'
  | 'newer_unreadable'
  | 'newer_foreign'
  | 'target_failed'

/** A fault of a backup or of where it is kept. `message` says what was found and what to do. */
export class BackupError extends CodedError<BackupErrorCode> {
  override readonly name: string = 'BackupError'
}

/** A part of a backup is not what was written. */
export function damaged(what: string): BackupError {
  return new BackupError(
    'backup_damaged',
    `${what}. Restore another backup ("arklog restore --list" shows them), or from another target.`,
  )
}

/** A file of a target is longer than what it is read as may be. */
export function tooLong(name: string, bytesMax: number): BackupError {
  return damaged(`${name} has more than ${bytesMax} bytes`)
}
