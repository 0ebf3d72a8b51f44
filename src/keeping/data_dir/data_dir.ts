import fs from 'node:fs/promises'
import path from 'node:path'
import { formatTimestamp } from '#actors/values/clock.ts'
import type { Ed25519Key } from '#log/tlog/ed25519.ts'
import { type DataDirLock, lockDataDir } from '#src/keeping/data_dir/lock.ts'
import {
  type Instance,
  instanceNames,
  type LogsInstance,
  type PinnedLog,
  readInstance,
  refuseLeft,
  refuseOrphanedStores,
  writeInstance,
} from '#src/keeping/data_dir/instance.ts'
import { refuseUnfinishedCopy } from '#src/keeping/data_dir/copied_folder.ts'
import {
  openOrCreateKeyFile,
  openPinnedKeyFile,
  openReceiptKeyFiles,
  publicKeyHex,
  type ReceiptKeyFiles,
} from '#src/keeping/data_dir/key_file.ts'
import { makePrivate, pepperName } from '#src/keeping/data_dir/secret_file.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'

/** The private keys of one log: for its checkpoints and, in a registry, for its receipts. */
export type LogKeys = { readonly log: Ed25519Key; readonly receipt: ReceiptKeyFiles | undefined }

/** One log of a data directory as it was pinned at the first start, with its keys. */
export type OpenedLog = { readonly origin: string; readonly keys: LogKeys }

/**
 * A data directory that is what it should be, and this process's alone until `release`, which comes
 * last. While `creating`, its stores may be made and `finishCreation` must be called once they are;
 * afterwards a store that is missing was lost.
 */
export type DataDir = {
  readonly creating: boolean
  readonly logs: ReadonlyMap<string, OpenedLog>
  /** What was wrong with it and was put right, for the operator. */
  readonly warnings: readonly string[]
  finishCreation(): Promise<void>
  release(): void
}

/** The folder of everything a registry or a log keeps, and that of its secrets. */
export type DataFolders = { readonly dataDir: string; readonly keysDir: string }

export type DataDirOptions = DataFolders & {
  readonly kind: LogsInstance['kind']
  /** Origin of the (live) log at a first start; afterwards what was pinned then stands. */
  readonly origin: string
  /** Whether the operator named the origin, so that another pinned one is a contradiction. */
  readonly originIsExplicit: boolean
}

/** What a configuration says of a data directory. */
type DataDirSettings = {
  readonly DATA_DIR: string
  readonly KEYS_DIR?: string | undefined
  readonly ORIGIN?: string | undefined
}

/** The folders that a configuration names. */
export function dataFolders(config: DataDirSettings): DataFolders {
  const dataDir = path.resolve(config.DATA_DIR)
  return { dataDir, keysDir: path.resolve(config.KEYS_DIR ?? path.join(dataDir, 'keys')) }
}

/** Origin of the live log of a registry: host[:port] of its base URL, then `/log`. */
export function logOrigin(baseUrl: string): string {
  return `${new URL(baseUrl).host}/log`
}

/** Where the parts of the identity store lie. */
export function identityPaths({ dataDir, keysDir }: DataFolders) {
  return {
    dir: path.join(dataDir, 'identity'),
    headFile: path.join(dataDir, 'identity.head'),
    pepperPath: path.join(keysDir, pepperName),
  }
}

/** What a configuration says of the data directory of a registry or a log that is at `baseUrl`. */
export function dataDirOptions(
  config: DataDirSettings,
  kind: LogsInstance['kind'],
  baseUrl: string,
): DataDirOptions {
  return {
    ...dataFolders(config),
    kind,
    origin: config.ORIGIN ?? logOrigin(baseUrl),
    originIsExplicit: config.ORIGIN !== undefined,
  }
}

/** What may lie in a data directory only together with its instance file. */
const storeNames = {
  registry: ['live', 'sandbox', 'identity'],
  log: ['log'],
} as const satisfies Record<LogsInstance['kind'], readonly string[]>

/**
 * Locks a data directory, then opens it or begins a new one: keys first, then the instance
 * file, then (by the caller) the stores. Refuses with a StartError a directory that cannot be made,
 * that another process has, that others can reach although they should not, or that is of the other
 * kind, stores without their instance file, and keys that are missing, exposed or not the ones it
 * was started with. `nowMs` dates a new one, in milliseconds since 1970; it may throw.
 */
export async function openDataDir(options: DataDirOptions, nowMs: () => number): Promise<DataDir> {
  const { dataDir, keysDir } = options
  await makeDataDir(dataDir)
  const lock = lockDataDir(dataDir)
  try {
    await refuseLeft(dataDir)
    const warning = await makePrivate(dataDir, [keysDir])
    const found = (await readInstance(dataDir)) ?? (await beginInstance(options, nowMs))
    const instance = sameKind(found, options)
    const logs = await openLogs(instance, options)
    return { ...heldDataDir(instance, dataDir, lock), logs, warnings: warning ? [warning] : [] }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Makes a data directory, unless there is one. StartError `data_dir_unusable`. */
export async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await fs.mkdir(dataDir, { recursive: true, mode: 0o700 })
  } catch (cause) {
    // On a read-only disk the code of a recursive mkdir is ENOENT, which misleads without a hint.
    throw new StartError(
      'data_dir_unusable',
      `The data directory ${dataDir} cannot be created (${(cause as Error).message}). ` +
        'Check that its disk is mounted and writable, or set DATA_DIR to another folder.',
      { cause },
    )
  }
}

async function beginInstance(options: DataDirOptions, nowMs: () => number): Promise<LogsInstance> {
  const { dataDir, kind } = options
  await refuseUnfinishedCopy(dataDir)
  await refuseOrphanedStores(dataDir, [...storeNames.registry, ...storeNames.log])
  const created_at = formatTimestamp(nowMs())
  const logs: Record<string, PinnedLog> = {}
  for (const [name, origin] of originsOf(options)) {
    const log = await openOrCreateKeyFile(keyFile(options, name, 'log'))
    const pinned = { origin, log_public_key: publicKeyHex(log) }
    if (kind === 'registry') {
      const receipt = await openOrCreateKeyFile(keyFile(options, name, 'receipt'))
      logs[name] = { ...pinned, receipt_public_key: publicKeyHex(receipt) }
    } else {
      logs[name] = pinned
    }
  }
  const instance: LogsInstance = { schema: 1, kind, created_at, stores: 'creating', logs }
  await writeInstance(dataDir, instance)
  return instance
}

async function openLogs(
  instance: LogsInstance,
  options: DataDirOptions,
): Promise<ReadonlyMap<string, OpenedLog>> {
  refuseOtherOrigin(instance, options)
  const logs = new Map<string, OpenedLog>()
  for (const [name, pinned] of Object.entries(instance.logs)) {
    const log = await openPinnedKeyFile(keyFile(options, name, 'log'), pinned.log_public_key)
    const { receipt_public_key: firstPublicKey } = pinned
    const receipt =
      firstPublicKey === undefined
        ? undefined
        : await openReceiptKeyFiles({ file: keyFile(options, name, 'receipt'), firstPublicKey })
    logs.set(name, { origin: pinned.origin, keys: { log, receipt } })
  }
  return logs
}

function heldDataDir(
  instance: LogsInstance,
  dataDir: string,
  lock: DataDirLock,
): Omit<DataDir, 'logs' | 'warnings'> {
  const creating = instance.stores === 'creating'
  return {
    creating,
    async finishCreation() {
      if (creating) await writeInstance(dataDir, { ...instance, stores: 'created' })
    },
    release: () => lock.release(),
  }
}

/** The logs of a new data directory: name and origin. The sandbox's log is under `/sandbox/log`. */
function originsOf({ kind, origin }: DataDirOptions): [name: string, origin: string][] {
  if (kind === 'log') return [['log', origin]]
  return [
    ['live', origin],
    ['sandbox', origin.replace(/log$/, 'sandbox/log')],
  ]
}

function keyFile({ keysDir }: DataDirOptions, log: string, use: 'log' | 'receipt'): string {
  return path.join(keysDir, `${log}-${use}.pem`)
}

/** The instance if it is of the kind that is to be started; else StartError `instance_kind`. */
function sameKind(instance: Instance, { dataDir, kind }: DataDirOptions): LogsInstance {
  if (instance.kind === kind) return instance
  throw new StartError(
    'instance_kind',
    `${dataDir} holds ${instanceNames[instance.kind]}. ${ofOtherKind(instance.kind, kind)}`,
  )
}

function ofOtherKind(found: Instance['kind'], wanted: LogsInstance['kind']): string {
  if (found === 'witness') return 'Set DATA_DIR to another folder: a witness needs its own.'
  return wanted === 'log'
    ? 'Start it without --log-only, or set DATA_DIR to another folder for the bare log.'
    : 'Start it with --log-only, or set DATA_DIR to another folder for the registry.'
}

function refuseOtherOrigin(instance: LogsInstance, options: DataDirOptions): void {
  const pinned = instance.logs[options.kind === 'log' ? 'log' : 'live']?.origin
  if (!options.originIsExplicit || pinned === options.origin) return
  throw new StartError(
    'instance_origin',
    `ORIGIN is ${options.origin}, but the log in ${options.dataDir} was started as ${pinned} and ` +
      'a log keeps its origin forever. Remove ORIGIN, or set it to the latter.',
  )
}
