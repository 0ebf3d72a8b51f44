import fs from 'node:fs/promises'
import path from 'node:path'
import type { Command } from 'commander'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { RecoveryReport } from '#actors/registry/recovery.ts'
import { readConfig } from '#config/config.ts'
import type { Config } from '#config/schema.ts'
import { type Checkpoint, openCheckpoint } from '#log/checkpoint.ts'
import { noteVerifier } from '#log/ed25519.ts'
import { ed25519Type, formatVkey } from '#log/note.ts'
import { BackupError, damaged } from '#src/backup/backup_error.ts'
import { type Identities, isIdentity } from '#src/backup/chunk_codec.ts'
import { type KeptBackup, listBackups, openBackup } from '#src/backup/kept_backup.ts'
import type { AuditProgress } from '#src/cli/audit_store.ts'
import { openTarget } from '#src/cli/backup.ts'
import { checkRegistry, checkRoom, otherSettings } from '#src/cli/copied_registry.ts'
import { CountBar } from '#src/cli/import_bar.ts'
import { parseUrl } from '#src/cli/monitor_options.ts'
import { type NewerLog, openNewerLog, recoverNewer } from '#src/cli/newer_log.ts'
import { addCommand, print, UnusableError } from '#src/cli/program.ts'
import { beginCopy, copiedStores, copyFolder, finishCopy } from '#src/data_dir/copied_folder.ts'
import { dataFolders, makeDataDir } from '#src/data_dir/data_dir.ts'
import { openPinnedKeyFile } from '#src/data_dir/key_file.ts'
import { lockDataDir } from '#src/data_dir/lock.ts'
import { logKeyName } from '#src/data_dir/shared_secrets.ts'
import { findLogSource } from '#src/monitor/found_source.ts'
import { receiveCopy } from '#src/snapshot/received_copy.ts'
import { type SnapshotHead, snapshotFormat } from '#src/snapshot/snapshot.ts'
import { sharedSettings } from '#src/start/node_copy.ts'

type RestoreOptions = {
  readonly backup?: string
  readonly identity?: string
  readonly newest: readonly string[]
  readonly recover?: string
  readonly recoverSandbox?: string
  readonly nothingNewer: boolean
  readonly list: boolean
  readonly verify: boolean
  readonly json: boolean
}

/** Something of some of the logs of a registry. */
type OfLogs<T> = Partial<Record<EnvironmentName, T>>

const logNames = ['live', 'sandbox'] as const satisfies readonly EnvironmentName[]

/** How long an address may take to show the newest state of the log. */
const answerMs = 30_000

const notes = `
DATA_DIR (and KEYS_DIR) must be empty, and the settings those of the registry. The whole backup is
checked, and everything its logs say is computed anew, before it is put in place; stopped before
that, nothing is there, and the same command begins again.
A log that went on from an older state would sign a second history. So say where the newest signed
state can be seen (--newest: the registry, or a mirror of it; repeatable), or, if nothing was
registered after the backup, that you know it (--nothing-newer).
With --recover the log goes on as a mirror has it: its newer entries are taken over as they stand,
and the works that they speak of are kept with what their statements say. What else was registered
then a mirror does not have: such works answer that it is lost, with the proof that it was there.
The log of the sandbox goes on from the backup, unless --recover-sandbox names a mirror of that.
All of it is in docs/backup.md.`

/** Adds `restore`, which makes a data directory from a backup. */
export function defineRestore(program: Command): void {
  addCommand(program, 'restore', 'make an empty data directory the registry of a backup')
    .argument('<target>', 'folder that backups are kept in, or s3://bucket/folder')
    .option('--backup <id>', 'which one; the newest unless told')
    .option('--identity <file>', 'secret key of age that opens it')
    .option('--newest <url>', 'where the newest state of the log can be seen', addUrl, [])
    .option('--recover <url>', 'take what is newer from this mirror: address, or its folder')
    .option('--recover-sandbox <url>', 'the same for the log of the sandbox')
    .option('--nothing-newer', 'nothing was registered after the backup', false)
    .option('--list', 'show which backups there are, and do nothing else', false)
    .option('--verify', 'read and check the backup, and do nothing else', false)
    .addHelpText('after', notes)
    .action(restoreOrLook)
}

function addUrl(text: string, urls: readonly string[]): readonly string[] {
  return [...urls, parseUrl(text)]
}

async function restoreOrLook(address: string, options: RestoreOptions): Promise<void> {
  const target = await openTarget(address)
  if (options.list) {
    const backups = await listBackups(target)
    return print(options, { backups }, backups.join('\n') || `No backup is kept in ${address}.`)
  }
  const identities = await readIdentities(options.identity)
  const kept = await openBackup({ target, id: options.backup, identities })
  if (options.verify) return verify(kept, options)
  return restore(kept, options)
}

// As age writes them: one a line, and comments.
async function readIdentities(file: string | undefined): Promise<Identities> {
  if (file === undefined) return []
  const text = await fs.readFile(file, 'utf8').catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is no such file' : message
    const right = 'name the file with the secret key of age that the backup was encrypted for'
    throw new UnusableError(`--identity ${file} cannot be read: ${why}; ${right}.`)
  })
  const lines = text.split('\n').map((line) => line.trim())
  const identities = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'))
  const strange = identities.findIndex((identity) => !isIdentity(identity))
  if (strange >= 0) {
    // The text is a secret, so it is not repeated.
    throw new UnusableError(
      `${file} has an identity that age cannot read (number ${strange + 1}): copy the whole line ` +
        'that age-keygen has written.',
    )
  }
  if (identities.length > 0) return identities
  throw new UnusableError(`${file} has no line that begins with AGE-SECRET-KEY-, as age writes it.`)
}

async function verify(kept: KeptBackup, options: RestoreOptions): Promise<void> {
  const { manifest } = kept
  const head = headOfLog(kept, 'live')
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
  const log = { tree_size: head.treeSize, root_hash: hex(head.rootHash) }
  const text = `Backup ${manifest.id} is whole: ${rows} rows, ${head.treeSize} entries of its log.`
  print(options, { backup: manifest.id, rows, ...log }, text)
}

async function restore(kept: KeptBackup, options: RestoreOptions): Promise<void> {
  const config = readConfig(process.env)
  const place = dataFolders(config)
  const newer = await openNewer(kept, options)
  const live = newer.live?.checkpoint ?? headOfLog(kept, 'live')
  await refuseOlder(kept, options, live)
  await makeDataDir(place.dataDir)
  const lock = lockDataDir(place.dataDir)
  const bar = new CountBar()
  try {
    const folder = copyFolder(place.dataDir)
    await beginCopy(place)
    const head = await receiveCopy(kept.items(), {
      folder,
      stores: copiedStores,
      check: (copied) => checkHead(copied, config, folder),
      progress: (done, total) => bar.show('bytes', done, total),
    })
    const recovered: OfLogs<RecoveryReport> = {}
    const goOn = async () => {
      for (const name of logNames) {
        const { [name]: log } = newer
        if (log === undefined) continue
        recovered[name] = await recoverNewer(log, {
          ...(await recoveredStore(kept, name, folder)),
          nowMs: Date.now(),
          progress: (done, total) => bar.show(`entries of ${name}`, done, total),
        })
      }
    }
    const progress: AuditProgress = (...done) => bar.show(...done)
    const { secrets, log } = await checkRegistry(head, folder, progress, goOn)
    if (log.root_hash !== hex(live.rootHash)) throw damaged('Its log is another one')
    await finishCopy(place, { secrets, instance: head.instance })
    bar.stop()
    const restored = {
      backup: kept.manifest.id,
      data_dir: place.dataDir,
      ...log,
      ...recoveredFacts(recovered),
    }
    print(options, restored, formatRestored(restored))
  } finally {
    bar.stop()
    lock.release()
  }
}

/** Refuses a backup of which this program, with its settings and disk, makes no registry. */
async function checkHead(head: SnapshotHead, config: Config, folder: string): Promise<void> {
  if (head.format !== snapshotFormat) {
    throw foreign('It was made by another version of Arklog. Install that one to restore it.')
  }
  if (head.instance.kind !== 'registry') throw foreign('It is not of a registry.')
  const others = otherSettings(head.settings, sharedSettings(config))
  if (others.length > 0) {
    throw foreign(
      `The registry had other settings than there are here: set ${others.join(', ')} (nothing ` +
        'after = means that it is not set).',
    )
  }
  await checkRoom(folder, { bytes: head.bytes, reserveBytes: config.DISK_RESERVE_BYTES })
}

/** The logs that what is newer is recovered from, those for which that is asked. */
async function openNewer(kept: KeptBackup, options: RestoreOptions): Promise<OfLogs<NewerLog>> {
  const { recover, recoverSandbox, nothingNewer } = options
  if (recover !== undefined && nothingNewer) {
    throw new UnusableError('--recover takes what is newer, and --nothing-newer says it is not.')
  }
  const newer: OfLogs<NewerLog> = {}
  for (const [name, address] of [
    ['live', recover],
    ['sandbox', recoverSandbox],
  ] as const) {
    if (address === undefined) continue
    newer[name] = await openNewerLog(address, { ...logOf(kept, name), head: headOfLog(kept, name) })
  }
  return newer
}

async function recoveredStore(kept: KeptBackup, name: EnvironmentName, folder: string) {
  const { pinned, vkey } = logOf(kept, name)
  const keyFile = path.join(folder, 'keys', logKeyName(name))
  const logKey = await openPinnedKeyFile(keyFile, pinned.log_public_key)
  return { storeDir: path.join(folder, name), pinned, vkey, logKey }
}

/**
 * Refuses to go on from `head`, if the log has left that state, or if nobody knows whether it has.
 */
async function refuseOlder(
  kept: KeptBackup,
  options: RestoreOptions,
  head: Checkpoint,
): Promise<void> {
  const { id, created_at: madeAt } = kept.manifest
  const { newest, recover, nothingNewer } = options
  if (newest.length === 0 && recover === undefined && !nothingNewer) {
    throw new UnusableError(
      `Nobody has said whether anything was registered after backup ${id} of ${madeAt}: a log ` +
        'that goes on from an older state signs a second history. Give --newest with the address ' +
        'of the registry or of a mirror, where its newest state can be seen; --recover with that ' +
        'of a mirror, to take over what is newer; or --nothing-newer if you know that there is ' +
        'nothing newer.',
    )
  }
  for (const url of newest) {
    const seen = await readNewest(kept, url)
    if (seen.treeSize > head.treeSize) {
      const what = recover === undefined ? `Backup ${id}` : `Backup ${id}, with ${recover},`
      throw outrun(what, head, seen, url)
    }
    if (seen.treeSize === head.treeSize && hex(seen.rootHash) !== hex(head.rootHash)) {
      throw foreign(`${url} shows another log of ${seen.treeSize} entries: it was forked.`)
    }
  }
}

async function readNewest(kept: KeptBackup, url: string): Promise<Checkpoint> {
  const { origin, vkey } = logOf(kept, 'live')
  const source = findLogSource(url, vkey, AbortSignal.timeout(answerMs))
  return openCheckpoint(await source.checkpoint(), origin, [noteVerifier(vkey)])
}

/** The newest state of a log that a backup holds, whose signature is checked. */
function headOfLog(kept: KeptBackup, name: EnvironmentName): Checkpoint {
  const { origin, vkey } = logOf(kept, name)
  const note = kept.manifest.checkpoints[name]
  if (note === undefined) throw damaged('It has no signed state of its log')
  return openCheckpoint(note, origin, [noteVerifier(vkey)])
}

function logOf({ head }: KeptBackup, name: EnvironmentName) {
  const { [name]: pinned } = head.instance.logs
  if (pinned === undefined) throw foreign(`It has no ${name} log.`)
  const { origin, log_public_key: publicKey } = pinned
  return {
    pinned,
    origin,
    vkey: formatVkey(origin, ed25519Type, Buffer.from(publicKey, 'hex')),
  }
}

function outrun(what: string, head: Checkpoint, seen: Checkpoint, url: string): BackupError {
  const first = head.treeSize
  const count = seen.treeSize - first
  return new BackupError(
    'backup_outrun',
    `${what} ends before entry ${first}, and ${url} shows ${seen.treeSize} entries: the ` +
      `last ${count}, which were registered after it, would be lost, and others signed in their ` +
      'place. Restore a newer backup, or let a node that has them go on. If there is neither, ' +
      `"--recover ${url}" takes over what the log says of them.`,
  )
}

function foreign(message: string): BackupError {
  return new BackupError('backup_foreign', message)
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

type Restored = {
  readonly backup: string
  readonly data_dir: string
  readonly origin: string
  readonly tree_size: number
  readonly root_hash: string
} & RecoveredFacts

type RecoveredFacts = {
  readonly recovered_entries?: number
  readonly lost_works?: number
  readonly recovered_sandbox_entries?: number
  readonly lost_sandbox_works?: number
}

function recoveredFacts({ live, sandbox }: OfLogs<RecoveryReport>): RecoveredFacts {
  return {
    ...(live && { recovered_entries: live.entries, lost_works: live.lostWorks }),
    ...(sandbox && {
      recovered_sandbox_entries: sandbox.entries,
      lost_sandbox_works: sandbox.lostWorks,
    }),
  }
}

function formatRestored({ backup, data_dir: dir, ...log }: Restored): string {
  const { recovered_entries: entries, lost_works: lost } = log
  const { recovered_sandbox_entries: tried, lost_sandbox_works: lostTrials } = log
  return [
    `${dir} is the registry of backup ${backup}, and all of it was checked:`,
    `  log        ${log.origin}`,
    `  tree size  ${log.tree_size}`,
    `  root       ${log.root_hash}`,
    ...(entries === undefined ? [] : [`  recovered  ${entries} entries after the backup`]),
    ...(lost === undefined ? [] : [`  lost       what ${lost} works say of themselves`]),
    ...(tried === undefined
      ? []
      : [`  sandbox    ${tried} entries recovered; what ${lostTrials} works say is lost`]),
    'Start it with "arklog serve". What was done to accounts and keys after the backup is undone:',
    'run "arklog key list", and revoke again what was revoked since.',
  ].join('\n')
}
