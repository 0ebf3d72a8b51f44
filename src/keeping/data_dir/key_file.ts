import fs from 'node:fs/promises'
import path from 'node:path'
import {
  type Ed25519Key,
  formatPrivateKey,
  generateKey,
  parsePrivateKey,
} from '#log/tlog/ed25519.ts'
import { createSecretFile, readSecretFile } from '#src/keeping/data_dir/secret_file.ts'
import { syncFolder } from '#src/keeping/data_dir/durable_file.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'

/**
 * Reads a private key: a PEM file (PKCS #8, Ed25519) that only its owner may read. Errors:
 * `secret_missing` and `secret_exposed` as `readSecretFile`, StartError `key_file_malformed`.
 */
export async function readKeyFile(file: string): Promise<Ed25519Key> {
  const pem = (await readSecretFile(file)).toString('latin1')
  try {
    return parsePrivateKey(pem)
  } catch (cause) {
    throw new StartError(
      'key_file_malformed',
      `${file} is not an Ed25519 private key in PEM form (PKCS #8). Restore it from a backup; ` +
        'only if nothing was ever signed with it, remove it and a new one is made.',
      { cause },
    )
  }
}

/**
 * Makes a private key in `file`, which must not exist yet; its folder is made if need be. If
 * another process makes the same file at this moment, because its KEYS_DIR is the same, one of the
 * two gets StartError `key_file_contested`.
 */
export async function createKeyFile(file: string): Promise<Ed25519Key> {
  const folder = path.dirname(file)
  await fs.mkdir(folder, { recursive: true, mode: 0o700 })
  const key = generateKey()
  try {
    await createSecretFile(file, formatPrivateKey(key))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    throw new StartError(
      'key_file_contested',
      `${file} has just been made by another process whose KEYS_DIR is the same. ` +
        'Give each data directory a folder of keys of its own.',
      { cause },
    )
  }
  await syncFolder(folder)
  return key
}

/** A key the operator put there, or one of a first start that was cut short, is taken as it is. */
export async function openOrCreateKeyFile(file: string): Promise<Ed25519Key> {
  try {
    await fs.access(file)
  } catch {
    return createKeyFile(file)
  }
  return readKeyFile(file)
}

/** Reads a private key that must have this public key, in hex; else `key_file_changed`. */
export async function openPinnedKeyFile(file: string, publicKey: string): Promise<Ed25519Key> {
  const key = await readKeyFile(file)
  if (publicKeyHex(key) === publicKey) return key
  throw keyFileChanged(file, key, publicKey)
}

/** The public half of a key, as 64 lower-case hex digits. */
export function publicKeyHex(key: Ed25519Key): string {
  return Buffer.from(key.publicKey).toString('hex')
}

/** That a file holds `key`, but the public key must be `publicKey`. */
export function keyFileChanged(file: string, key: Ed25519Key, publicKey: string): StartError {
  return new StartError(
    'key_file_changed',
    `${file} is not the key this data directory signs with: its public key is ` +
      `${publicKeyHex(key)}, but must be ${publicKey}. Restore the file from a backup.`,
  )
}
