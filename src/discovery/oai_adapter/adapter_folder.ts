import { randomBytes } from 'node:crypto'
import path from 'node:path'

import { makeDataDir } from '#src/keeping/data_dir/data_dir.ts'
import { lockDataDir } from '#src/keeping/data_dir/lock.ts'
import { createSecretFile, makePrivate, readSecretFile } from '#src/keeping/data_dir/secret_file.ts'
import { instanceNames, readInstance } from '#src/keeping/data_dir/instance.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'

const tokenKeyBytes = 32

/** The data directory of an adapter: this process's alone until `opened` is disposed. */
export type AdapterFolder = {
  readonly storeDir: string
  /** Signs resumption tokens, so that lists can be gone on with after a restart. */
  readonly tokenKey: Uint8Array
  /** What was wrong with the folder and was put right, for the operator. */
  readonly warnings: readonly string[]
}

/**
 * Locks an adapter's data directory, which is made if need be. Errors: StartError, also for
 * the directory of a registry and for a key file that others can read.
 */
export async function openAdapterFolder(
  dataDir: string,
  opened: AsyncDisposableStack,
): Promise<AdapterFolder> {
  await makeDataDir(dataDir)
  const lock = lockDataDir(dataDir)
  opened.defer(() => lock.release())
  const instance = await readInstance(dataDir)
  if (instance !== undefined) {
    const found = instanceNames[instance.kind]
    const message = `${dataDir} holds ${found}. Set DATA_DIR to a folder of its own.`
    throw new StartError('instance_kind', message)
  }
  const keyFile = path.join(dataDir, 'resumption-token.key')
  const warning = await makePrivate(dataDir, [keyFile])
  const tokenKey = await openTokenKey(keyFile)
  const warnings = warning === undefined ? [] : [warning]
  return { storeDir: path.join(dataDir, 'records'), tokenKey, warnings }
}

async function openTokenKey(file: string): Promise<Uint8Array> {
  const key = await readTokenKey(file)
  if (key !== undefined) return key
  await createSecretFile(file, `${randomBytes(tokenKeyBytes).toString('hex')}\n`)
  return openTokenKey(file)
}

async function readTokenKey(file: string): Promise<Uint8Array | undefined> {
  try {
    const text = (await readSecretFile(file)).toString('latin1').trim()
    const key = Buffer.from(text, 'hex')
    if (key.length === tokenKeyBytes) return key
    throw new StartError(
      'key_file_malformed',
      `${file} does not hold ${tokenKeyBytes} bytes in hexadecimal. Remove it and a new key is ` +
        'made; lists that are being harvested then begin anew.',
    )
  } catch (error) {
    if (error instanceof StartError && error.code === 'secret_missing') return undefined
    throw error
  }
}
