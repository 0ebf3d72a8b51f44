import path from 'node:path'

import { formatTimestamp } from '#actors/values/clock.ts'
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
import type { Cosigner } from '#src/tlog_tools/witness/decision.ts'

/**
 * The data directory of a witness: this process's alone until `opened` is disposed. While
 * `creating`, its store may be made and `finishCreation` must be called once it is.
 */
export type WitnessFolder = {
  readonly creating: boolean
  readonly cosigner: Cosigner
  readonly storeDir: string
  readonly guardFile: string
  /** What was wrong with the folder and was put right, for the operator. */
  readonly warnings: readonly string[]
  finishCreation(): Promise<void>
}

export type WitnessFolderOptions = {
  readonly dataDir: string
  readonly keysDir: string | undefined
  /** The name of the witness: needed at a first start; later it must be the same, or not given. */
  readonly name: string | undefined
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
  const instance = await openInstance(dataDir, keyFile, options)
  const key = await openPinnedKeyFile(keyFile, instance.public_key)
  const creating = instance.stores === 'creating'
  return {
    creating,
    cosigner: { name: instance.name, key },
    storeDir: path.join(dataDir, storeName),
    guardFile: path.join(dataDir, 'witness.commits'),
    warnings: warning === undefined ? [] : [warning],
    async finishCreation() {
      if (creating) await writeInstance(dataDir, { ...instance, stores: 'created' })
    },
  }
}

async function openInstance(
  dataDir: string,
  keyFile: string,
  { name, nowMs }: WitnessFolderOptions,
): Promise<WitnessInstance> {
  const found = await readInstance(dataDir)
  if (found === undefined) return beginInstance(dataDir, keyFile, { name, nowMs })
  if (found.kind !== 'witness') {
    const kind = instanceNames[found.kind]
    const message = `${dataDir} holds ${kind}. Set DATA_DIR to another folder for the witness.`
    throw new StartError('instance_kind', message)
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
  { name, nowMs }: Pick<WitnessFolderOptions, 'name' | 'nowMs'>,
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
  }
  await writeInstance(dataDir, instance)
  return instance
}
