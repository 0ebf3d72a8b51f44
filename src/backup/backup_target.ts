/**
 * Where backups are kept: files that are written once, whole, under names of letters, digits, dots,
 * hyphens and slashes. Faults: BackupError `target_failed`.
 */
export type BackupTarget = {
  /** The names that begin with `prefix`, which ends in a slash, in any order. */
  list(prefix: string): Promise<readonly string[]>
  /** The bytes of a file; undefined where there is none. */
  read(name: string): Promise<Buffer | undefined>
  /** Writes a file: once this resolves it is there, whole, and outlives a power cut. */
  write(name: string, bytes: Uint8Array): Promise<void>
  /** Removes a file; one that is not there is let be. */
  remove(name: string): Promise<void>
}
