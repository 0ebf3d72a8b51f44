/**
 * Where backups are kept: files that are written once, whole, under names of letters, digits, dots,
 * hyphens and slashes. Others may write there too: nothing that is read is authentic yet. Faults:
 * BackupError `target_failed`.
 */
export type BackupTarget = {
  /** The names that begin with `prefix`, which ends in a slash, in any order. */
  list(prefix: string): Promise<readonly string[]>
  /**
   * The bytes of a file; undefined where there is none. BackupError `backup_damaged` if it has more
   * than `bytesMax`: it is not read then.
   */
  read(name: string, bytesMax: number): Promise<Buffer | undefined>
  /** Writes a file: once this resolves it is there, whole, and outlives a power cut. */
  write(name: string, bytes: Uint8Array): Promise<void>
  /** Removes a file; one that is not there is let be. */
  remove(name: string): Promise<void>
}
