import { type Command, InvalidArgumentError } from 'commander'

import { readConfig } from '#config/config.ts'
import { BackupError, type BackupTarget, FolderTarget } from '#src/keeping/backup/backup_target.ts'
import { recipientsProblem } from '#src/keeping/backup/chunk.ts'
import { type MadeBackup, makeBackup } from '#src/keeping/backup/backup.ts'
import { pruneBackups, type Pruned } from '#src/keeping/backup/found_backups.ts'
import { withAdminClient } from '#src/cli/admin_client.ts'
import { CountBar } from '#src/cli/progress.ts'
import { addCommand, print, UnusableError } from '#src/cli/program.ts'
import { dataFolders } from '#src/keeping/data_dir/data_dir.ts'
import { readInstance } from '#src/keeping/data_dir/instance.ts'
import { lockBackups } from '#src/keeping/data_dir/lock.ts'
import { lowerPriority } from '#actors/kernel/kept_worker.ts'
import type { snapshotPath } from '#src/http/admin/command_table.ts'

type BackupOptions = {
  readonly recipient: readonly string[]
  readonly keep?: number
  readonly json: boolean
}

/** What a backup is, as `--json` prints it. */
type BackupReport = {
  readonly id: string
  readonly checkpoints: Readonly<Record<string, string>>
  readonly encrypted: boolean
  readonly rows: number
  readonly bytes: number
  readonly chunks: number
  readonly new_chunks: number
  readonly written_bytes: number
  readonly removed: readonly string[]
  readonly left_alone: readonly { readonly file: string; readonly why: string }[]
}

const notes = `
The registry can keep running. Each backup after the first writes only what has changed, and each
is complete. A backup has the registry's secrets: encrypt it with --recipient (an age public key,
from age-keygen), or keep the target as safe as KEYS_DIR. It does not have settings, the search
index and sessions.

--keep counts and removes only backups that this registry made and authenticated. The size of the
log says which are newest. Anything else in the target stays and is named, with exit code 1.

See docs/backup.md.`

/** Adds `backup`, which makes a backup of the registry while it runs. */
export function defineBackup(program: Command): void {
  addCommand(program, 'backup', 'make a backup of the registry while it runs')
    .argument('<target>', 'folder of the backups, or s3://bucket/folder')
    .option('--recipient <age1...>', 'encrypt for this age recipient; repeatable', addRecipient, [])
    .option('--keep <count>', 'then keep only this many of the newest backups', parseKeep)
    .addHelpText('after', notes)
    .action(backup)
}

function addRecipient(text: string, recipients: readonly string[]): readonly string[] {
  const all = [...new Set([...recipients, text])].sort()
  const problem = recipientsProblem(all)
  if (problem !== undefined) throw new InvalidArgumentError(problem)
  return all
}

function parseKeep(text: string): number {
  const count = Number(text)
  if (Number.isSafeInteger(count) && count >= 1) return count
  throw new InvalidArgumentError('It must be a whole number, 1 or more.')
}

/** Where backups are kept, as an argument names it. UnusableError for other addresses. */
export async function openTarget(address: string): Promise<BackupTarget> {
  if (!address.includes('://')) return new FolderTarget(address)
  // Loaded here because it takes longer than all the rest of a command.
  const { parseS3Place, S3Target } = await import('#src/keeping/backup/s3_target.ts')
  const place = parseS3Place(address)
  if (place !== undefined) return new S3Target(place, process.env)
  throw new UnusableError(`${address} is neither a folder nor s3://bucket/folder.`)
}

async function backup(address: string, options: BackupOptions): Promise<void> {
  const config = readConfig(process.env)
  const { dataDir } = dataFolders(config)
  lowerPriority()
  const instance = await readInstance(dataDir)
  if (instance?.kind !== 'registry') {
    throw new UnusableError(`${dataDir} has no registry. Set DATA_DIR to the folder of one.`)
  }
  const target = await openTarget(address)
  const lock = lockBackups(dataDir)
  const bar = new CountBar()
  try {
    const made = await withAdminClient(config, (client) =>
      makeBackup({
        pieces: client.stream('/snapshot' satisfies typeof snapshotPath),
        target,
        recipients: options.recipient,
        nowMs: Date.now(),
        progress: (done, total) => bar.show('bytes', done, total),
      }),
    ).finally(() => bar.stop())
    const { manifest, owner } = made
    const pruned =
      options.keep === undefined
        ? { removed: [], left: [] }
        : await pruneBackups({ target, owner, nowMs: Date.now() }, manifest, options.keep)
    const report = reportOf(made, pruned)
    print(options, report, formatReport(report, address))
    if (pruned.left.length > 0) throw leftAlone(manifest.id, pruned.left.length)
  } finally {
    lock.release()
  }
}

function leftAlone(id: string, count: number): BackupError {
  const files = count === 1 ? '1 file is' : `${count} files are`
  return new BackupError(
    'backups_left_alone',
    `Backup ${id} was made, but ${files} in the target that are not authentic backups of this ` +
      'registry (see above). --keep does not count or remove them. Find out where they come ' +
      'from, and move them elsewhere.',
  )
}

function reportOf({ manifest, ...written }: MadeBackup, { removed, left }: Pruned): BackupReport {
  return {
    id: manifest.id,
    checkpoints: manifest.checkpoints,
    encrypted: manifest.recipients.length > 0,
    rows: manifest.rows,
    bytes: manifest.bytes,
    chunks: manifest.chunks.length,
    new_chunks: written.newChunks,
    written_bytes: written.writtenBytes,
    removed,
    left_alone: left.map(({ file, why }) => ({ file, why })),
  }
}

function formatReport(report: BackupReport, address: string): string {
  const { encrypted, removed, left_alone: left } = report
  return [
    `Backup ${report.id} is in ${address}, ${encrypted ? 'encrypted' : 'NOT encrypted'}:`,
    ...Object.entries(report.checkpoints).map(([log, note]) => `  ${log}  ${headLine(note)}`),
    `  rows  ${report.rows}, ${report.bytes} bytes`,
    `  written  ${report.new_chunks} of ${report.chunks} parts, ${report.written_bytes} bytes`,
    ...removed.map((id) => `  removed  ${id}`),
    ...left.map(({ file, why }) => `  left alone  ${file}: ${why}`),
    ...(encrypted
      ? []
      : ['It contains the private keys of the registry: let nobody else read it.']),
    'Check that you can read it with "arklog restore --verify".',
  ].join('\n')
}

/** Size and root hash of a signed checkpoint, in hexadecimal as `restore` and `audit` tell it. */
function headLine(note: string): string {
  const [, size = '', root = ''] = note.split('\n')
  return `${size} entries, root ${Buffer.from(root, 'base64').toString('hex')}`
}
