import fs from 'node:fs/promises'
import path from 'node:path'
import type { Command } from 'commander'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { RecoveryReport } from '#actors/registry/recovery.ts'
import { readConfig } from '#config/config.ts'
import type { Config } from '#config/schema.ts'
import { type Checkpoint, openCheckpoint } from '#log/tlog/checkpoint.ts'
import { noteVerifier } from '#log/tlog/ed25519.ts'
import { LogError } from '#log/base/errors.ts'
import { parseVkey } from '#log/tlog/note.ts'
import { BackupError, damaged } from '#src/keeping/backup/backup_error.ts'
import { logOf, signedState } from '#src/keeping/backup/backup_owner.ts'
import { type Identities, isIdentity } from '#src/keeping/backup/chunk_codec.ts'
import {
  type FoundBackup,
  type KeptBackup,
  listBackups,
  openBackup,
} from '#src/keeping/backup/kept_backup.ts'
import type { AuditProgress } from '#src/cli/audit_store.ts'
import { openTarget } from '#src/cli/backup.ts'
import { printBackups, verifyBackup } from '#src/cli/backup_look.ts'
import { checkRegistry, checkRoom, otherSettings } from '#src/cli/copied_registry.ts'
import { confirmOwner, ownTerminal } from '#src/cli/confirmed_owner.ts'
import { CountBar } from '#src/cli/import_bar.ts'
import { parseUrl } from '#src/cli/monitor_options.ts'
import { chooseKeys } from '#src/cli/monitor_settings.ts'
import { type BackedUpLog, type NewerLog, openNewerLog, recoverNewer } from '#src/cli/newer_log.ts'
import { addCommand, print, UnusableError } from '#src/cli/program.ts'
import { copiedStores, copyInto } from '#src/keeping/data_dir/copied_folder.ts'
import { dataFolders, makeDataDir } from '#src/keeping/data_dir/data_dir.ts'
import { openPinnedKeyFile } from '#src/keeping/data_dir/key_file.ts'
import { lockDataDir } from '#src/keeping/data_dir/lock.ts'
import { logKeyName } from '#src/keeping/data_dir/shared_secrets.ts'
import { findLogSource } from '#src/tlog_tools/monitor/log_source.ts'
import { receiveCopy } from '#src/keeping/snapshot/received_copy.ts'
import type { SnapshotHead } from '#src/keeping/snapshot/snapshot.ts'
import { sharedSettings } from '#src/start/node_copy.ts'

type RestoreOptions = {
  readonly backup?: string
  readonly identity?: string
  readonly keys?: string
  readonly vkey?: string
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
Whoever can write to the target can make a backup. --keys or --vkey says which log is yours; a log
that --newest or --recover shows must have the key of the backup as well. With neither you are
shown the key, and asked. The key of age proves nothing: anybody can encrypt for it.
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
    .option('--keys <file>', 'the registry’s /.well-known/svc-keys.json, saved earlier')
    .option('--vkey <vkey>', 'the log’s verifier key, instead of a key file')
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
  const vkey = await pinnedVkey(options)
  const target = await openTarget(address)
  const identities = await readIdentities(options.identity)
  const opened = { target, identities, vkey, nowMs: Date.now() }
  if (options.list) return printBackups(address, await listBackups(opened), options)
  const kept = await openBackup({ ...opened, id: options.backup })
  for (const { file, why } of kept.left) process.stderr.write(`passed over: ${file}: ${why}\n`)
  if (options.verify) return verifyBackup(kept, options, isPinned(options))
  return restore(kept, options)
}

/** The key of the log whose backup is wanted; undefined if nobody has given one. */
async function pinnedVkey({ keys, vkey }: RestoreOptions): Promise<string | undefined> {
  if (keys === undefined && vkey === undefined) return undefined
  const { vkey: pinned } = await chooseKeys({
    ...(keys !== undefined && { keys }),
    ...(vkey !== undefined && { vkey }),
    sandbox: false,
  })
  parseVkey(pinned)
  return pinned
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

async function restore(kept: FoundBackup, options: RestoreOptions): Promise<void> {
  const config = readConfig(process.env)
  const place = dataFolders(config)
  const newer = await openNewer(kept, options)
  const live = newer.live?.checkpoint ?? kept.log.state
  await refuseOlder(kept, options, live)
  if (!isPinned(options) && options.newest.length === 0 && newer.live === undefined) {
    await confirmOwner(kept, ownTerminal())
  }
  await makeDataDir(place.dataDir)
  const lock = lockDataDir(place.dataDir)
  const bar = new CountBar()
  try {
    const { log, recovered } = await copyInto(place, async (folder) => {
      const head = await receiveCopy(kept.items(), {
        folder,
        stores: copiedStores,
        check: (copied) => checkHead(copied, config, folder),
        progress: (done, total) => bar.show('bytes', done, total),
      })
      const recoveries: OfLogs<RecoveryReport> = {}
      const goOn = async () => {
        for (const name of logNames) {
          const { [name]: ofLog } = newer
          if (ofLog === undefined) continue
          recoveries[name] = await recoverNewer(ofLog, {
            ...(await recoveredStore(kept, name, folder)),
            nowMs: Date.now(),
            progress: (done, total) => bar.show(`entries of ${name}`, done, total),
          })
        }
      }
      const progress: AuditProgress = (...done) => bar.show(...done)
      const checked = await checkRegistry(head, folder, progress, goOn)
      if (checked.log.root_hash !== hex(live.rootHash)) throw damaged('Its log is another one')
      return { ...checked, instance: head.instance, recovered: recoveries }
    })
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
    newer[name] = await openNewerLog(address, logIn(kept, name))
  }
  return newer
}

async function recoveredStore(kept: KeptBackup, name: EnvironmentName, folder: string) {
  const { pinned, vkey } = logOf(kept.owner, name)
  const keyFile = path.join(folder, 'keys', logKeyName(name))
  const logKey = await openPinnedKeyFile(keyFile, pinned.log_public_key)
  return { storeDir: path.join(folder, name), pinned, vkey, logKey }
}

/**
 * Refuses to go on from `head`, if the log has left that state, or if nobody knows whether it has.
 */
async function refuseOlder(
  kept: FoundBackup,
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
  const what = recover === undefined ? `Backup ${id}` : `Backup ${id}, with ${recover},`
  for (const url of newest) {
    const seen = await readNewest(kept, url)
    if (seen.treeSize > head.treeSize) {
      throw superseded(what, head, {
        treeSize: seen.treeSize,
        place: url,
        advice: `"--recover ${url}" takes over what the log says of them`,
      })
    }
    if (seen.treeSize === head.treeSize && hex(seen.rootHash) !== hex(head.rootHash)) {
      throw foreign(`${url} shows another log of ${seen.treeSize} entries: it was forked.`)
    }
  }
  if (kept.newest !== undefined && kept.newest.state.treeSize > head.treeSize) {
    const { file, state } = kept.newest
    throw superseded(what, head, {
      treeSize: state.treeSize,
      place: `${file} in the target`,
      advice: 'and no mirror to --recover from, move that file elsewhere to give those entries up',
    })
  }
}

async function readNewest({ log }: KeptBackup, url: string): Promise<Checkpoint> {
  const source = findLogSource(url, log.vkey, AbortSignal.timeout(answerMs))
  const note = await source.checkpoint()
  try {
    return openCheckpoint(note, log.origin, [noteVerifier(log.vkey)])
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    throw foreign(
      `${url} shows nothing that the key of the backup, ${log.vkey}, has signed: one of both is ` +
        'not of your registry. Give the key of your log with --keys or --vkey.',
    )
  }
}

function isPinned({ keys, vkey }: RestoreOptions): boolean {
  return keys !== undefined || vkey !== undefined
}

/** A log of a backup with its newest state there, of which the signature is checked. */
function logIn({ owner, manifest }: KeptBackup, name: EnvironmentName): BackedUpLog {
  const { origin, vkey } = logOf(owner, name)
  const head = signedState(manifest, vkey, name)
  if (head === undefined) throw damaged(`It has no signed state of its ${name} log`)
  return { origin, vkey, head }
}

/** Where a longer log was seen, and what can be done if nothing has the rest of it. */
type Longer = { readonly treeSize: number; readonly place: string; readonly advice: string }

function superseded(
  what: string,
  head: Checkpoint,
  { treeSize, place, advice }: Longer,
): BackupError {
  const first = head.treeSize
  return new BackupError(
    'backup_outrun',
    `${what} ends before entry ${first}, and ${place} shows ${treeSize} entries: the last ` +
      `${treeSize - first}, which were registered after it, would be lost, and others signed in ` +
      'their place. Restore a newer backup, or let a node that has them go on. If there is ' +
      `neither, ${advice}.`,
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
