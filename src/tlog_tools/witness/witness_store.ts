import path from 'node:path'

import { formatTimestamp } from '#actors/values/clock.ts'
import { assert, LogError } from '#log/tlog/errors.ts'
import { GuardFile } from '#log/store/guard.ts'
import type { Operation, Store } from '#log/store/store.ts'
import { cosignatureVerifier } from '#log/tlog/cosignature.ts'
import { sha256 } from '#log/tlog/hash.ts'
import type { MldsaKey } from '#log/tlog/mldsa.ts'
import type { Verifier } from '#log/tlog/note.ts'
import { makeDataDir } from '#src/keeping/data_dir/data_dir.ts'
import {
  instanceNames,
  readInstance,
  refuseOrphanedStores,
  type WitnessInstance,
  writeInstance,
} from '#src/keeping/data_dir/instance.ts'
import {
  openOrCreateKeyFile,
  openPinnedKeyFile,
  publicKeyHex,
} from '#src/keeping/data_dir/key_file.ts'
import { lockDataDir } from '#src/keeping/data_dir/lock.ts'
import { makePrivate } from '#src/keeping/data_dir/secret_file.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'
import {
  type CosignedCheckpoint,
  knowLog,
  type KnownLog,
  logId,
  openCosigned,
  type WitnessedLog,
  type Cosigner,
} from '#src/tlog_tools/witness/decision.ts'

/** Which store a witness must have. */
export type WitnessStoreOptions = {
  /** The file beside the store that remembers how many batches were written. */
  readonly guardFile: string
  /** The keys of the witness: the one that names it first. */
  readonly vkeys: readonly [string, ...string[]]
  /** Whether an empty store may become that of a witness: at the first start only. */
  readonly create: boolean
}

/** What a batch changes: logs by their id, undefined for one that is removed, and checkpoints. */
export type Changes = {
  readonly logs: ReadonlyMap<string, KnownLog | undefined>
  readonly checkpoints: ReadonlyMap<string, CosignedCheckpoint>
}

const witnessKey = 'witness'
const stateKey = 'state'
const logPrefix = 'log/'
const checkpointPrefix = 'checkpoint/'

/** The row of how far the store is: batches written, and the digest of all other rows. */
type StateRow = { readonly commits: number; readonly rows: string }

/**
 * What a witness must never forget: the logs, and of each the last checkpoint that it cosigned. A
 * log that is removed keeps its checkpoint, so that it cannot come back with another history.
 *
 * | key | value |
 * |---|---|
 * | `witness` | JSON: schema, verifier key |
 * | `log/<id>` | JSON: origin, vkey, rate, perhaps url |
 * | `checkpoint/<id>` | the last cosigned checkpoint, a signed note |
 * | `state` | JSON: batches written, digest of all other rows |
 */
export class WitnessStore {
  readonly logs: ReadonlyMap<string, KnownLog>
  readonly checkpoints: ReadonlyMap<string, CosignedCheckpoint>
  readonly #logs = new Map<string, KnownLog>()
  readonly #checkpoints = new Map<string, CosignedCheckpoint>()
  readonly #digest = new RowDigest()
  readonly #store: Store
  readonly #guard: GuardFile
  #commits = 0

  private constructor(store: Store, guard: GuardFile) {
    this.#store = store
    this.#guard = guard
    this.logs = this.#logs
    this.checkpoints = this.#checkpoints
  }

  /**
   * Opens the rows of a witness, and checks all of them: each checkpoint by the key of the witness,
   * all rows by their digest, and that the guard tells of no more batches. Errors: `store_missing`
   * if there are none, `store_corrupt` if some were lost, `log_rolled_back` for an older copy,
   * `log_inconsistent` for the store of another witness.
   */
  static async open(store: Store, options: WitnessStoreOptions): Promise<WitnessStore> {
    const guard = new GuardFile(options.guardFile)
    try {
      const opened = new WitnessStore(store, guard)
      await opened.#load(options)
      return opened
    } catch (error) {
      guard.close()
      throw error
    }
  }

  /** How many batches were written since the first start. */
  get commits(): number {
    return this.#commits
  }

  /** Writes changes in one synced batch, then shows them; if it rejects, the outcome is unknown. */
  async commit({ logs, checkpoints }: Changes): Promise<void> {
    if (logs.size === 0 && checkpoints.size === 0) return
    const rows: [key: string, value: Uint8Array | undefined][] = []
    for (const [id, log] of logs) rows.push([logPrefix + id, log && encodeLog(log)])
    for (const [id, { note }] of checkpoints) rows.push([checkpointPrefix + id, Buffer.from(note)])
    await this.#write(rows)
    for (const [id, log] of logs) {
      if (log === undefined) this.#logs.delete(id)
      else this.#logs.set(id, log)
    }
    for (const [id, checkpoint] of checkpoints) this.#checkpoints.set(id, checkpoint)
  }

  /** Lets the guard go. The caller sees to it that nothing is written any more. */
  close(): void {
    this.#guard.close()
  }

  async #write(rows: readonly (readonly [string, Uint8Array | undefined])[]): Promise<void> {
    const commits = this.#commits + 1
    for (const [key, value] of rows) this.#digest.set(key, value)
    const state: StateRow = { commits, rows: this.#digest.toString() }
    const operations = rows.map(
      ([key, value]): Operation =>
        value === undefined ? { type: 'del', key } : { type: 'put', key, value },
    )
    await this.#store.commit([...operations, { type: 'put', key: stateKey, value: encode(state) }])
    this.#commits = commits
    this.#guard.write(`${commits}\n`)
  }

  async #load({ vkeys, create }: WitnessStoreOptions): Promise<void> {
    const [vkey] = vkeys
    const verifiers = vkeys.map(cosignatureVerifier)
    const stateRow = this.#store.get(stateKey)
    if (stateRow === undefined) {
      if (!create) throw missing()
      await this.#write([[witnessKey, encode({ schema: 1, vkey })]])
      this.#guard.sync()
      return
    }
    const state = decode<StateRow>(stateRow)
    for await (const [key, value] of this.#store.scan({})) {
      if (key !== stateKey) this.#digest.set(key, value)
      this.#loadRow(key, value, { vkey, verifiers })
    }
    if (this.#digest.toString() !== state.rows) throw lostRows()
    this.#commits = state.commits
    this.#checkGuard()
  }

  #loadRow(key: string, value: Uint8Array, { vkey, verifiers }: StoredKeys): void {
    if (key === witnessKey) refuseOther(decode<{ readonly vkey: string }>(value).vkey, vkey)
    else if (key.startsWith(logPrefix)) {
      const log = knowLog(decode<WitnessedLog>(value))
      this.#logs.set(log.id, log)
    } else if (key.startsWith(checkpointPrefix)) {
      const checkpoint = readCheckpoint(value, verifiers)
      const id = logId(checkpoint.origin)
      assert(checkpointPrefix + id === key, 'a checkpoint stands where its origin says')
      this.#checkpoints.set(id, checkpoint)
    }
  }

  #checkGuard(): void {
    const text = this.#guard.read()
    if (text !== undefined && !/^\d{1,16}\n$/.test(text)) {
      throw new LogError(
        'log_inconsistent',
        `${this.#guard.path} does not hold a number of batches: put the file back; remove it ` +
          'only if it is known to be damaged and the store to be the newest',
      )
    }
    const remembered = Number(text ?? 0)
    if (remembered > this.#commits) throw rolledBack(remembered, this.#commits, this.#guard.path)
    this.#guard.write(`${this.#commits}\n`)
    this.#guard.sync()
  }
}

/** The key that names a witness, and what verifies by each of its keys. */
type StoredKeys = { readonly vkey: string; readonly verifiers: readonly Verifier[] }

function readCheckpoint(row: Uint8Array, verifiers: readonly Verifier[]): CosignedCheckpoint {
  try {
    return openCosigned(Buffer.from(row).toString(), verifiers)
  } catch (cause) {
    throw new LogError(
      'log_inconsistent',
      'the store holds a checkpoint that this witness has not cosigned: put back the key that ' +
        'belongs to it',
      { cause },
    )
  }
}

function refuseOther(found: string, vkey: string): void {
  if (found === vkey) return
  throw new LogError(
    'log_inconsistent',
    `the store is that of the witness ${found}, not of ${vkey}: start it with the key it was ` +
      'made with, or with another data directory',
  )
}

const advice =
  'Restore the newest copy of the store. If there is none, begin a new witness with a new key in ' +
  'another data directory: this one could sign a second history of a log'

function missing(): LogError {
  return new LogError('store_missing', `the store of the witness is empty. ${advice}`)
}

function lostRows(): LogError {
  return new LogError('store_corrupt', `the store has lost some of its writes. ${advice}`)
}

function rolledBack(remembered: number, found: number, guard: string): LogError {
  return new LogError(
    'log_rolled_back',
    `the store holds ${found} batches of changes, but ${remembered} were written (${guard}): it ` +
      `is an older copy, or has lost writes. ${advice}`,
  )
}

function encodeLog({ origin, vkey, rate, url }: WitnessedLog): Uint8Array {
  const place = url === undefined ? {} : { url }
  return encode({ origin, vkey, rate, ...place } satisfies WitnessedLog)
}

function encode(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value))
}

function decode<T>(row: Uint8Array): T {
  return JSON.parse(Buffer.from(row).toString()) as T
}

/**
 * A digest of a set of rows, kept up to date row by row: the hashes of all rows, added bit by bit
 * without carry. It is written in each batch beside the rows that the batch changes. So it tells,
 * when the store is opened, that a batch was lost from the middle of a damaged file, whose rows are
 * old and sound. It guards against damage, not against somebody who writes to the store.
 */
class RowDigest {
  readonly #rows = new Map<string, Uint8Array>()
  readonly #sum = new Uint8Array(32)

  /** Takes note of what is at a key now; undefined if nothing is. */
  set(key: string, value: Uint8Array | undefined): void {
    assert(!key.includes('\0'), 'a key has no NUL, so that key and value are told apart')
    const before = this.#rows.get(key)
    if (before !== undefined) this.#add(before)
    this.#rows.delete(key)
    if (value === undefined) return
    const hash = sha256(Buffer.concat([Buffer.from(`${key}\0`), value]))
    this.#rows.set(key, hash)
    this.#add(hash)
  }

  /** 64 hex digits: the same for the same rows, in whatever order they were set. */
  toString(): string {
    return Buffer.from(this.#sum).toString('hex')
  }

  #add(hash: Uint8Array): void {
    for (const [at, byte] of hash.entries()) {
      this.#sum[at] = (this.#sum[at] as number) ^ byte
    }
  }
}

/**
 * The data directory of a witness: this process's alone until `opened` is disposed. While
 * `creating`, its store may be made and `finishCreation` must be called once it is.
 */
export type WitnessFolder = {
  readonly creating: boolean
  readonly cosigner: Cosigner
  readonly storeDir: string
  readonly guardFile: string
  /** Where the maps are kept that it computes; undefined if it computes none. */
  readonly mapsDir: string | undefined
  /** What was wrong with the folder and was put right, for the operator. */
  readonly warnings: readonly string[]
  finishCreation(): Promise<void>
}

export type WitnessFolderOptions = {
  readonly dataDir: string
  readonly keysDir: string | undefined
  /** The name of the witness: needed at a first start; later it must be the same, or not given. */
  readonly name: string | undefined
  /** Whether it signs with a key of ML-DSA-44 too, which is made if there is none. */
  readonly mldsa: boolean
  /** Whether a new one is to sign only checkpoints whose map it has computed. */
  readonly checksMap: boolean
  /** Milliseconds since 1970. */
  readonly nowMs: number
}

const storeName = 'witness'

/**
 * Locks a data directory, then opens it or begins a new one: the key first, then the instance file,
 * then (by the caller) the store. Errors: StartError, as for the data directory of a registry, and
 * `witness_unnamed` at a first start without a name.
 */
export async function openWitnessFolder(
  options: WitnessFolderOptions,
  opened: AsyncDisposableStack,
): Promise<WitnessFolder> {
  const dataDir = path.resolve(options.dataDir)
  const keysDir = path.resolve(options.keysDir ?? path.join(dataDir, 'keys'))
  const keyFile = path.join(keysDir, 'witness.pem')
  await makeDataDir(dataDir)
  const lock = lockDataDir(dataDir)
  opened.defer(() => lock.release())
  const warning = await makePrivate(dataDir, [keysDir])
  const begun = await openInstance(dataDir, keyFile, options)
  const key = await openPinnedKeyFile(keyFile, begun.public_key)
  const { instance, mldsaKey } = options.mldsa
    ? await openMldsaKey(dataDir, path.join(keysDir, 'witness-mldsa.pem'), begun)
    : { instance: begun, mldsaKey: undefined }
  const creating = instance.stores === 'creating'
  return {
    creating,
    cosigner: { name: instance.name, key, mldsaKey },
    storeDir: path.join(dataDir, storeName),
    guardFile: path.join(dataDir, 'witness.commits'),
    mapsDir: instance.checks_map === true ? path.join(dataDir, 'maps') : undefined,
    warnings: warning === undefined ? [] : [warning],
    async finishCreation() {
      if (creating) await writeInstance(dataDir, { ...instance, stores: 'created' })
    },
  }
}

/** The second key of a witness; one that has none yet gets it, and keeps it from then on. */
async function openMldsaKey(
  dataDir: string,
  file: string,
  instance: WitnessInstance,
): Promise<{ readonly instance: WitnessInstance; readonly mldsaKey: MldsaKey }> {
  const { mldsa_public_key: pinned } = instance
  if (pinned !== undefined) {
    return { instance, mldsaKey: await openPinnedKeyFile(file, pinned, 'ml-dsa-44') }
  }
  const mldsaKey = await openOrCreateKeyFile(file, 'ml-dsa-44')
  const next = { ...instance, mldsa_public_key: publicKeyHex(mldsaKey) }
  await writeInstance(dataDir, next)
  return { instance: next, mldsaKey }
}

async function openInstance(
  dataDir: string,
  keyFile: string,
  { name, checksMap, nowMs }: WitnessFolderOptions,
): Promise<WitnessInstance> {
  const found = await readInstance(dataDir)
  if (found === undefined) return beginInstance(dataDir, keyFile, { name, checksMap, nowMs })
  if (found.kind !== 'witness') {
    const kind = instanceNames[found.kind]
    const message = `${dataDir} holds ${kind}. Set DATA_DIR to another folder for the witness.`
    throw new StartError('instance_kind', message)
  }
  // What a key says must not change: who trusts it trusts it for one or the other.
  if (checksMap && found.checks_map !== true) {
    throw new StartError(
      'instance_origin',
      `The witness in ${dataDir} has signed without computing maps, and its key stays for that. ` +
        'Set DATA_DIR to another folder for a witness that checks maps.',
    )
  }
  if (name === undefined || name === found.name) return found
  throw new StartError(
    'instance_origin',
    `WITNESS_NAME is ${name}, but the witness in ${dataDir} was started as ${found.name} and ` +
      'a witness keeps its name for ever. Remove WITNESS_NAME, or set it to the latter.',
  )
}

async function beginInstance(
  dataDir: string,
  keyFile: string,
  { name, checksMap, nowMs }: Pick<WitnessFolderOptions, 'name' | 'checksMap' | 'nowMs'>,
): Promise<WitnessInstance> {
  await refuseOrphanedStores(dataDir, [storeName])
  if (name === undefined) {
    throw new StartError(
      'witness_unnamed',
      `There is no witness in ${dataDir} yet. Set WITNESS_NAME to the name under which it is to ` +
        'cosign for ever, such as witness.example.org/w1.',
    )
  }
  const key = await openOrCreateKeyFile(keyFile)
  const instance: WitnessInstance = {
    schema: 1,
    kind: 'witness',
    created_at: formatTimestamp(nowMs),
    stores: 'creating',
    name,
    public_key: publicKeyHex(key),
    ...(checksMap && { checks_map: true as const }),
  }
  await writeInstance(dataDir, instance)
  return instance
}
