import { type Checkpoint, openCheckpoint } from '#log/tlog/checkpoint.ts'
import { ed25519Keys, noteVerifier } from '#log/tlog/ed25519.ts'
import { unlessRefused } from '#log/tlog/errors.ts'
import { ed25519Type, formatVkey, isKeyName } from '#log/tlog/note.ts'
import { BackupError, damaged } from '#src/keeping/backup/backup_target.ts'
import {
  isLogsInstance,
  type LogsInstance,
  type PinnedLog,
} from '#src/keeping/data_dir/instance.ts'
import { publicKeyHex } from '#src/keeping/data_dir/key_file.ts'
import { logKeyName, pepperName } from '#src/keeping/data_dir/secret_file.ts'
import { snapshotFormat, type SnapshotHead } from '#src/keeping/snapshot/snapshot.ts'

/** The registry that a backup is of: its logs, and the secret that authenticates its backups. */
export type BackupOwner = {
  readonly instance: LogsInstance
  readonly pepper: Uint8Array
}

/** A log of a registry: `vkey` is what people compare and pin. */
export type OwnedLog = {
  readonly origin: string
  readonly vkey: string
  readonly pinned: PinnedLog
}

/** The environment whose log names the registry. */
const liveName = 'live'

/** The secret under which a registry authenticates its backups, as its snapshot has it. */
export function pepperOf({ secrets }: Pick<SnapshotHead, 'secrets'>): Uint8Array {
  return Buffer.from(secrets[pepperName] ?? '', 'base64')
}

/**
 * The registry that has made a snapshot with this head. Only who knows the private key of its log
 * can make one: the key is in it, and is checked against the public key. So a head is authentic
 * where the public key is known from elsewhere. BackupErrors `backup_foreign` and `backup_damaged`.
 */
export function ownerOf(head: SnapshotHead): BackupOwner {
  const { format, instance, secrets } = head
  if (format !== snapshotFormat) {
    throw foreign('Another version of Arklog made the backup. Install that version to restore it.')
  }
  if (!isLogsInstance(instance) || instance.kind !== 'registry') {
    throw foreign('The backup is not of a registry.')
  }
  const owner = { instance, pepper: pepperOf(head) }
  const { pinned, vkey } = logOf(owner, liveName)
  const pem = Buffer.from(secrets[logKeyName(liveName)] ?? '', 'base64').toString('latin1')
  if (publicKeyIn(pem) !== pinned.log_public_key) {
    throw damaged(`The backup does not have the private key of its log, ${vkey}`)
  }
  return owner
}

function publicKeyIn(pem: string): string | undefined {
  return unlessRefused(() => publicKeyHex(ed25519Keys.parse(pem)))
}

/** A log of a registry, the live one unless another is named. BackupError `backup_foreign`. */
export function logOf({ instance }: Pick<BackupOwner, 'instance'>, name = liveName): OwnedLog {
  const { [name]: pinned } = instance.logs
  if (pinned === undefined) throw foreign(`The registry of the backup has no ${name} log.`)
  const { origin, log_public_key: publicKey } = pinned
  if (!isKeyName(origin)) throw foreign(`The ${name} log of the backup has no name that a log has.`)
  const vkey = formatVkey(origin, ed25519Type, Buffer.from(publicKey, 'hex'))
  return { pinned, origin, vkey }
}

/**
 * The newest state of a log that a manifest shows, of which the signature is checked: undefined if
 * it shows none that this log has signed. `vkey` is the log's verifier key.
 */
export function signedState(
  { checkpoints }: { readonly checkpoints: Readonly<Record<string, string>> },
  vkey: string,
  name = liveName,
): Checkpoint | undefined {
  const { [name]: note } = checkpoints
  const verifier = noteVerifier(vkey)
  if (note === undefined) return undefined
  return unlessRefused(() => openCheckpoint(note, verifier.keyName, [verifier]))
}

function foreign(message: string): BackupError {
  return new BackupError('backup_foreign', message)
}
