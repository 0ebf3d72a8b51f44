import { existsSync } from 'node:fs'
import { environmentNames } from '#actors/registry/environment.ts'
import fs from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'

import { decodeJournalRow, journalKey } from '#actors/journal/pool.ts'
import { readerOf } from '#actors/journal/rows.ts'
import { readReceiptKeys } from '#actors/works/receipts/keys.ts'
import type { EnvironmentName } from '#actors/registry/environment.ts'
import { LogRecovery, type RecoveryReport } from '#actors/registry/recovery.ts'
import { openViews } from '#actors/registry/views.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import { readConfig } from '#config/config.ts'
import type { Config } from '#config/schema.ts'
import { LogError } from '#log/tlog/errors.ts'
import type { Store } from '#log/store/store.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import { openLog } from '#log/store/open_log.ts'
import { type Checkpoint, openCheckpoint } from '#log/tlog/checkpoint.ts'
import { type Ed25519Key, noteSigner, noteVerifier } from '#log/tlog/ed25519.ts'
import { parseVkey } from '#log/tlog/note.ts'
import { equalBytes } from '#log/tlog/proof.ts'
import type { AuditProgress } from '#src/cli/audit.ts'
import { openTarget } from '#src/cli/backup.ts'
import { checkRegistry, checkRoom, otherSettings } from '#src/cli/copied_registry.ts'
import { chooseKeys, parseUrl } from '#src/cli/monitor.ts'
import { addCommand, type JsonOption, print, UnusableError } from '#src/cli/program.ts'
import { CountBar } from '#src/cli/progress.ts'
import { logOf, signedState } from '#src/keeping/backup/backup_owner.ts'
import { BackupError, damaged } from '#src/keeping/backup/backup_target.ts'
import { type Identities, isIdentity } from '#src/keeping/backup/chunk.ts'
import {
  type FoundBackup,
  type KeptBackup,
  listBackups,
  openBackup,
} from '#src/keeping/backup/backup.ts'
import { copiedStores, copyInto } from '#src/keeping/data_dir/copied_folder.ts'
import { dataFolders, makeDataDir } from '#src/keeping/data_dir/data_dir.ts'
import type { PinnedLog } from '#src/keeping/data_dir/instance.ts'
import { openPinnedKeyFile } from '#src/keeping/data_dir/key_file.ts'
import { lockDataDir } from '#src/keeping/data_dir/lock.ts'
import { logKeyName } from '#src/keeping/data_dir/secret_file.ts'
import { receiveCopy } from '#src/keeping/snapshot/received_copy.ts'
import type { SnapshotHead } from '#src/keeping/snapshot/snapshot.ts'
import { sharedSettings } from '#src/cli/start/node_copy.ts'
import { CopyFolder, folderSource } from '#src/tlog_tools/mirror/copy_folder.ts'
import { LogAlarm } from '#src/tlog_tools/monitor/alarm.ts'
import { checkEntries } from '#src/tlog_tools/monitor/entry_check.ts'
import { findLogSource, type LogSource, SourceError } from '#src/tlog_tools/monitor/log_source.ts'
import { openHead, TileReader } from '#src/tlog_tools/monitor/tile_reader.ts'

type Listed = Awaited<ReturnType<typeof listBackups>>

/** Prints which backups a target keeps, the newest last, and what else lies among them. */
function printBackups(address: string, { backups, left }: Listed, options: JsonOption): void {
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
async function verifyBackup(kept: KeptBackup, options: JsonOption, hasPin: boolean): Promise<void> {
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
    `Backup ${manifest.id} is complete: ${rows} rows, ${state.treeSize} entries of its log.`,
    `The key of its log is ${vkey}.`,
    ...(hasPin ? [] : ['Compare it with the key that you know, or give that key with --vkey.']),
  ].join('\n')
  print(options, { backup: manifest.id, rows, ...facts }, text)
}

/** Where a person is asked: what is typed there, and where the question is shown. */
type Terminal = {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

/** The terminal of this process; undefined where nobody sits at one. */
function ownTerminal(): Terminal | undefined {
  const { stdin: input, stderr: output } = process
  return input.isTTY && output.isTTY ? { input, output } : undefined
}

/**
 * Has a person confirm that a backup is of the registry that they mean, where nothing else shows
 * it: a backup holds the key with which it is authenticated. UnusableError if they do not, and
 * where there is no terminal to ask at.
 */
export async function confirmOwner(
  { manifest, log }: Pick<KeptBackup, 'manifest' | 'log'>,
  terminal: Terminal | undefined,
): Promise<void> {
  const { id, created_at: madeAt } = manifest
  if (terminal === undefined) {
    throw new UnusableError(
      `Nothing proves that backup ${id} is of your registry: it is of the log with the key ` +
        `${log.vkey}, and anybody who can write to the target can make a backup with their own ` +
        'key. Compare the key with the one that you know, then give it: --keys with the ' +
        'svc-keys.json that you saved, or --vkey.',
    )
  }
  const question = [
    `Nothing proves yet that backup ${id} is of your registry. It says:`,
    `  log      ${log.origin}`,
    `  key      ${log.vkey}`,
    `  entries  ${log.state.treeSize}`,
    `  made     ${madeAt}`,
    'Anybody who can write to the target can make a backup with their own key. Compare the key',
    'with the one that you know: in a saved svc-keys.json, a mirror, a witness or a monitor.',
    'Type yes if it is the same: ',
  ].join('\n')
  if ((await ask(question, terminal)).trim() === 'yes') return
  throw new UnusableError('You did not confirm the key, so nothing was restored.')
}

/** What is typed after a question; nothing if the input ends before. */
async function ask(question: string, terminal: Terminal): Promise<string> {
  const lines = createInterface({ ...terminal, terminal: false })
  const ended = new AbortController()
  lines.once('close', () => ended.abort())
  try {
    return await lines.question(question, { signal: ended.signal })
  } catch (error) {
    if (ended.signal.aborted) return ''
    throw error
  } finally {
    lines.close()
  }
}

/** Which log a backup holds: its origin, its verifier key, and its newest signed state. */
type BackedUpLog = {
  readonly origin: string
  readonly vkey: string
  readonly head: Checkpoint
}

/** The log as a mirror has it, or the registry itself: signed, and shown to continue a backup. */
type NewerLog = {
  readonly address: string
  readonly source: LogSource
  readonly tiles: TileReader
  readonly checkpoint: Checkpoint
}

/**
 * Opens the log at an address, or in the folder of a mirror, and holds it to continue a backup.
 * BackupErrors `newer_unreadable`, and `newer_foreign` if it is another log, an older state of it,
 * or one that has forked.
 */
async function openNewerLog(address: string, log: BackedUpLog): Promise<NewerLog> {
  return readingFrom(address, async () => {
    const source = address.includes('://')
      ? findLogSource(address, log.vkey, new AbortController().signal)
      : folderSource(new CopyFolder(copyIn(address)))
    const checkpoint = openHead(await source.checkpoint(), noteVerifier(log.vkey))
    const tiles = new TileReader(checkpoint, (tile) => source.tile(tile))
    const { treeSize, rootHash } = log.head
    if (checkpoint.treeSize < treeSize) {
      throw foreignLog(
        `${address} shows ${checkpoint.treeSize} entries, and the backup has ${treeSize}: it is ` +
          'behind, and cannot tell whether more was registered. Give one that is not.',
      )
    }
    const before = treeSize === 0 ? rootHash : await tiles.rootAt(treeSize)
    if (equalBytes(before, rootHash)) return { address, source, tiles, checkpoint }
    throw foreignLog(
      `${address} shows another history than the backup, both signed: after ${treeSize} entries ` +
        'they differ. The log was forked; find out which of both others follow, with ' +
        '"arklog monitor", before you restore anything.',
    )
  })
}

/** The folder with the files of a log: a mirror's own, or the one that it serves. */
function copyIn(folder: string): string {
  const served = path.join(folder, 'log')
  return existsSync(path.join(served, 'checkpoint')) ? served : folder
}

/** What a recovery goes on from: a store that nobody uses, and the keys of its log. */
type RecoveredStore = {
  readonly storeDir: string
  readonly pinned: PinnedLog
  readonly vkey: string
  readonly logKey: Ed25519Key
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** Hears how many entries are there, of how many. */
  readonly progress: (done: number, total: number) => void
}

/**
 * Appends what a newer log has to a store of an older state, whose log then ends as that one does.
 * BackupErrors `newer_unreadable` and `newer_foreign`, RecoveryErrors, and LogErrors of the store.
 */
async function recoverNewer(
  { address, source, tiles, checkpoint }: NewerLog,
  target: RecoveredStore,
): Promise<RecoveryReport> {
  await using opened = new AsyncDisposableStack()
  const store = await openLevelStore(target.storeDir, { create: false })
  opened.defer(() => store.close())
  const recovery = await beginRecovery(store, target)
  const { treeSize } = checkpoint
  // The store stays open until that is over.
  return await readingFrom(address, async () => {
    let entries: Uint8Array[] = []
    const onEntry = (_: number, entry: Uint8Array) => void entries.push(entry)
    const from = recovery.head.log.treeSize
    for await (const read of checkEntries(source, tiles, from, { onEntry })) {
      await recovery.append(entries, { treeSize: read, rootHash: await tiles.rootAt(read) })
      entries = []
      target.progress(read, treeSize)
    }
    const now = formatTimestamp(target.nowMs)
    const { newestAt } = recovery.head
    return recovery.finish(now > newestAt ? now : newestAt)
  })
}

async function beginRecovery(
  store: Store,
  { pinned, vkey, logKey }: RecoveredStore,
): Promise<LogRecovery> {
  const { origin } = pinned
  const signer = noteSigner(origin, logKey)
  const verifier = noteVerifier(vkey)
  const log = await openLog(store, {
    kind: 'registry',
    origin,
    signer,
    verifier,
    vkey,
    create: false,
    createdAt: '',
  })
  const journal = decodeJournalRow(store.get(journalKey))
  await openViews(store, journal.position)
  const rotated = readReceiptKeys(readerOf(store)).keys.at(-1)?.public_key
  const receiptKey = rotated ?? pinned.receipt_public_key ?? ''
  return new LogRecovery({ store, head: { ...journal, log }, signer, receiptKey })
}

async function readingFrom<Found>(address: string, read: () => Promise<Found>): Promise<Found> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof SourceError) {
      const { message } = error
      const text = error.code === 'missing' ? `${message} is not there` : message
      throw new BackupError(
        'newer_unreadable',
        `${address} cannot be read to its end (${text}). Run the command again, or give another ` +
          'mirror: nothing was put in place.',
        { cause: error },
      )
    }
    if (!(error instanceof LogAlarm)) throw error
    throw foreignLog(
      `${address} is no true copy of the log (${error.message}). Give another mirror: nothing ` +
        'was put in place.',
    )
  }
}

function foreignLog(message: string): BackupError {
  return new BackupError('newer_foreign', message)
}

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

/** How long an address may take to show the newest state of the log. */
const answerMs = 30_000

const notes = `
DATA_DIR (and KEYS_DIR) must be empty, and the settings must be those of the registry. The whole
backup is checked, and everything in its logs is recomputed, before anything is put in place. If
the command is interrupted before that, run it again: it starts over.

Whose backup: anyone who can write to the target can make a backup. --keys or --vkey says which
log is yours. A log at --newest or --recover must have the key of the backup too. If you give none
of these, the command shows the key and asks. An age key proves nothing: anybody can encrypt for
it.

Nothing newer: a log that continues from an older state would sign a second history. So say where
to find its newest signed state (--newest: the registry, or a mirror of it), or confirm that
nothing was registered after the backup (--nothing-newer).

Recovery: with --recover the log continues with the newer entries of a mirror, unchanged, and
works are kept as far as these statements describe them. A mirror has nothing else: such works
answer that their record is lost, with the proof that it existed. The log of the sandbox continues
from the backup, unless --recover-sandbox names a mirror of it.

See docs/backup.md.`

/** Adds `restore`, which makes a data directory from a backup. */
export function defineRestore(program: Command): void {
  addCommand(program, 'restore', 'restore a backup into an empty data directory')
    .argument('<target>', 'folder of the backups, or s3://bucket/folder')
    .option('--backup <id>', 'which backup (default: the newest)')
    .option('--identity <file>', 'age secret key that decrypts it')
    .option('--keys <file>', 'the registry’s /.well-known/svc-keys.json, saved earlier')
    .option('--vkey <vkey>', 'the log’s verifier key, instead of a key file')
    .option('--newest <url>', 'address with the newest state of the log; repeatable', addUrl, [])
    .option('--recover <url>', 'copy newer entries from this mirror: address or folder')
    .option('--recover-sandbox <url>', 'the same for the log of the sandbox')
    .option('--nothing-newer', 'confirm that nothing was registered after the backup', false)
    .option('--list', 'only list the backups', false)
    .option('--verify', 'only read and check the backup', false)
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
        'from age-keygen.',
    )
  }
  if (identities.length > 0) return identities
  throw new UnusableError(
    `${file} has no line that begins with AGE-SECRET-KEY-, as in a file of age-keygen.`,
  )
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
        for (const name of environmentNames) {
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
    throw foreignBackup(
      `The registry had other settings: set ${others.join(', ')} (nothing after = means that ` +
        'it is not set).',
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
      `Say whether anything was registered after backup ${id} of ${madeAt}, because a log that ` +
        'continues from an older state signs a second history. Give --newest with the address of ' +
        'the registry or of a mirror, --recover with the address of a mirror to copy newer ' +
        'entries, or --nothing-newer if you know that there are none.',
    )
  }
  const what = recover === undefined ? `Backup ${id}` : `Backup ${id}, with ${recover},`
  for (const url of newest) {
    const seen = await readNewest(kept, url)
    if (seen.treeSize > head.treeSize) {
      throw superseded(what, head, {
        treeSize: seen.treeSize,
        place: url,
        advice: `"--recover ${url}" copies their entries`,
      })
    }
    if (seen.treeSize === head.treeSize && hex(seen.rootHash) !== hex(head.rootHash)) {
      throw foreignBackup(`${url} shows another log of ${seen.treeSize} entries: it was forked.`)
    }
  }
  if (kept.newest !== undefined && kept.newest.state.treeSize > head.treeSize) {
    const { file, state } = kept.newest
    throw superseded(what, head, {
      treeSize: state.treeSize,
      place: `${file} in the target`,
      advice: 'and no mirror to --recover from, move that file elsewhere to give up those entries',
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
    throw foreignBackup(
      `${url} shows nothing signed with the key of the backup, ${log.vkey}: one of them is not ` +
        'of your registry. Give the key of your log with --keys or --vkey.',
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
      'their place. Restore a newer backup, or continue with a node that has them. If there is ' +
      `neither, ${advice}.`,
  )
}

function foreignBackup(message: string): BackupError {
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
    `${dir} is now the registry of backup ${backup}, and was checked:`,
    `  log        ${log.origin}`,
    `  tree size  ${log.tree_size}`,
    `  root       ${log.root_hash}`,
    ...(entries === undefined ? [] : [`  recovered  ${entries} entries after the backup`]),
    ...(lost === undefined ? [] : [`  lost       the metadata of ${lost} works`]),
    ...(tried === undefined
      ? []
      : [`  sandbox    ${tried} entries recovered; the metadata of ${lostTrials} works is lost`]),
    'Start it with "arklog serve". Changes to accounts and keys after the backup are lost:',
    'run "arklog key list", and revoke again what was revoked since.',
  ].join('\n')
}
