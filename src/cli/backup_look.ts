import { BackupError, damaged } from '#src/keeping/backup/backup_error.ts'
import type { KeptBackup, listBackups } from '#src/keeping/backup/kept_backup.ts'
import { CountBar } from '#src/cli/import_bar.ts'
import { print } from '#src/cli/program.ts'

type Json = { readonly json: boolean }

type Listed = Awaited<ReturnType<typeof listBackups>>

/** Prints which backups a target keeps, the newest last, and what else lies among them. */
export function printBackups(address: string, { backups, left }: Listed, options: Json): void {
  const listed = backups.map(({ id, isEncrypted, log }) => {
    const what = { id, encrypted: isEncrypted }
    if (log instanceof BackupError) return { ...what, problem: log.code, message: log.message }
    return { ...what, origin: log.origin, vkey: log.vkey, tree_size: log.state.treeSize }
  })
  const lines = [
    ...backups.map(({ id, log }) =>
      log instanceof BackupError
        ? `${id}  UNPROVEN: ${log.message}`
        : `${id}  ${log.state.treeSize} entries of ${log.vkey}`,
    ),
    ...left.map(({ file, why }) => `${file}  NO BACKUP: ${why}`),
  ]
  const text = lines.join('\n') || `No backup is kept in ${address}.`
  print(options, { backups: listed, left_out: left.map(({ file, why }) => ({ file, why })) }, text)
}

/**
 * Reads a backup to its end, and prints what it holds. Errors: those of its items, and BackupError
 * `backup_damaged`.
 */
export async function verifyBackup(
  kept: KeptBackup,
  options: Json,
  isPinned: boolean,
): Promise<void> {
  const { manifest, log } = kept
  const { state, origin, vkey } = log
  const bar = new CountBar()
  let rows = 0
  try {
    for await (const item of kept.items()) {
      if (item.type !== 'row') continue
      rows += 1
      if (rows % 1_000 === 0) bar.show('rows', rows, manifest.rows)
    }
  } finally {
    bar.stop()
  }
  if (rows !== manifest.rows) throw damaged(`Backup ${manifest.id} has ${rows} rows`)
  const facts = {
    origin,
    vkey,
    tree_size: state.treeSize,
    root_hash: Buffer.from(state.rootHash).toString('hex'),
  }
  const text = [
    `Backup ${manifest.id} is whole: ${rows} rows, ${state.treeSize} entries of its log.`,
    `The key of its log is ${vkey}.`,
    ...(isPinned ? [] : ['Compare it with the one that you know, or give that with --vkey.']),
  ].join('\n')
  print(options, { backup: manifest.id, rows, ...facts }, text)
}
