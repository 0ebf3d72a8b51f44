import { hkdfSync } from 'node:crypto'

import { createSecretFile, readSecretFile } from '#src/keeping/data_dir/secret_file.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'
import { pepperBytes } from '#src/identity/store/api_key.ts'

const derivedKeyBytes = 32

/** A secret of 32 bytes for one purpose, made from the pepper (HKDF-SHA256, RFC 5869). */
export function deriveSecret(pepper: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', pepper, '', `svc-${purpose}-v1`, derivedKeyBytes))
}

/** Reads the pepper: a secret file with 64 hex digits on one line. Errors as `readSecretFile`. */
export async function readPepper(path: string): Promise<Uint8Array> {
  const text = (await readSecretFile(path)).toString('latin1')
  if (/^[0-9a-f]{64}\n$/.test(text)) return Buffer.from(text.slice(0, -1), 'hex')
  throw new StartError(
    'secret_malformed',
    `${path} must hold one line of ${2 * pepperBytes} lower-case hex digits`,
  )
}

/** The pepper of a new store: the file's if a first start got that far, else a new one. */
export async function readOrCreatePepper(
  path: string,
  random: (bytes: number) => Uint8Array,
): Promise<Uint8Array> {
  try {
    return await readPepper(path)
  } catch (error) {
    if (!(error instanceof StartError) || error.code !== 'secret_missing') throw error
    const pepper = random(pepperBytes)
    await createSecretFile(path, `${Buffer.from(pepper).toString('hex')}\n`)
    return pepper
  }
}
