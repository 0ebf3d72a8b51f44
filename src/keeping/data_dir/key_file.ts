import fs from 'node:fs/promises'
import path from 'node:path'

import { assert } from '#log/tlog/errors.ts'
import { type Ed25519Key, ed25519Keys, formatPrivateKey } from '#log/tlog/ed25519.ts'
import type { KeyPair } from '#log/tlog/key_form.ts'
import { mldsaKeys } from '#log/tlog/mldsa.ts'
import { createSecretFile, readSecretFile, syncFolder } from '#src/keeping/data_dir/secret_file.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'

/** The kinds of keys that lie in files, and what makes and reads them. */
const kinds = {
  ed25519: { name: 'an Ed25519', form: ed25519Keys },
  'ml-dsa-44': { name: 'an ML-DSA-44', form: mldsaKeys },
} as const

type KeyKind = keyof typeof kinds

/**
 * Reads a private key: a PEM file (PKCS #8, Ed25519 unless said otherwise) that only its owner may
 * read. Errors: `secret_missing` and `secret_exposed` as `readSecretFile`, StartError
 * `key_file_malformed`.
 */
export async function readKeyFile(file: string, kind: KeyKind = 'ed25519'): Promise<KeyPair> {
  const pem = (await readSecretFile(file)).toString('latin1')
  const { name, form } = kinds[kind]
  try {
    return form.parse(pem)
  } catch (cause) {
    throw new StartError(
      'key_file_malformed',
      `${file} is not ${name} private key in PEM form (PKCS #8). Restore it from a backup; ` +
        'if nothing was ever signed with it, you can delete it, and a new one is created.',
      { cause },
    )
  }
}

/**
 * Makes a private key in `file`, which must not exist yet; its folder is made if need be. If
 * another process makes the same file at this moment, because its KEYS_DIR is the same, one of the
 * two gets StartError `key_file_contested`.
 */
export async function createKeyFile(file: string, kind: KeyKind = 'ed25519'): Promise<KeyPair> {
  const folder = path.dirname(file)
  await fs.mkdir(folder, { recursive: true, mode: 0o700 })
  const key = kinds[kind].form.generate()
  try {
    await createSecretFile(file, formatPrivateKey(key))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    throw new StartError(
      'key_file_contested',
      `Another process with the same KEYS_DIR has just created ${file}. ` +
        'Give each data directory its own folder of keys.',
      { cause },
    )
  }
  await syncFolder(folder)
  return key
}

/** A key the operator put there, or one of a first start that was cut short, is taken as it is. */
export async function openOrCreateKeyFile(
  file: string,
  kind: KeyKind = 'ed25519',
): Promise<KeyPair> {
  try {
    await fs.access(file)
  } catch {
    return createKeyFile(file, kind)
  }
  return readKeyFile(file, kind)
}

/** Reads a private key that must have this public key, in hex; else `key_file_changed`. */
export async function openPinnedKeyFile(
  file: string,
  publicKey: string,
  kind: KeyKind = 'ed25519',
): Promise<KeyPair> {
  const key = await readKeyFile(file, kind)
  if (publicKeyHex(key) === publicKey) return key
  throw keyFileChanged(file, key, publicKey)
}

/** The public half of a key in lower-case hex: 64 digits of Ed25519, 2,624 of ML-DSA-44. */
export function publicKeyHex(key: KeyPair): string {
  return Buffer.from(key.publicKey).toString('hex')
}

/** That a file holds `key`, but the public key must be `publicKey`. */
function keyFileChanged(file: string, key: KeyPair, publicKey: string): StartError {
  return new StartError(
    'key_file_changed',
    `${file} is not the key this data directory signs with: its public key is ` +
      `${begin(publicKeyHex(key))}, but must be ${begin(publicKey)}. Restore the file from a ` +
      'backup.',
  )
}

/** As much of a public key as people compare. */
function begin(hex: string): string {
  return hex.length <= 64 ? hex : `${hex.slice(0, 64)}…`
}

/** Where a receipt key lies, and the public half of the first one, as 64 hex digits. */
type ReceiptKeyPlace = { readonly file: string; readonly firstPublicKey: string }

/**
 * The file of a receipt key and, during a rotation, that of the key to come beside it. The log says
 * which of the two is in use: so whatever moment a rotation is cut off at, the next start finds the
 * right one, and `settle` puts it in its place.
 */
export class ReceiptKeyFiles {
  readonly #place: ReceiptKeyPlace
  readonly #nextFile: string
  #key: Ed25519Key
  #next: Ed25519Key | undefined
  #isRotating = false

  constructor(place: ReceiptKeyPlace, key: Ed25519Key, next: Ed25519Key | undefined) {
    this.#place = place
    this.#nextFile = nextKeyFile(place.file)
    this.#key = key
    this.#next = next
  }

  /** The key in use: the one that the log has announced last, the first one if undefined. */
  choose(announced: string | undefined): Ed25519Key {
    const publicKey = announced ?? this.#place.firstPublicKey
    const key = [this.#key, this.#next].find((known) => known && publicKeyHex(known) === publicKey)
    if (key !== undefined) return key
    throw keyFileChanged(this.#place.file, this.#key, publicKey)
  }

  /**
   * Gives the key in use its file, and ends what is left of a rotation: a key that was replaced, or
   * one that was never announced. Call it only while it is known which key is in use.
   */
  async settle(publicKey: string): Promise<void> {
    const { file } = this.#place
    if (this.#next !== undefined && publicKeyHex(this.#next) === publicKey) {
      await fs.rename(this.#nextFile, file)
      this.#key = this.#next
    } else if (await isThere(this.#nextFile)) {
      await fs.rm(this.#nextFile)
    } else {
      return
    }
    await syncFolder(path.dirname(file))
    this.#next = undefined
  }

  /**
   * Rotates: makes the next key durable, lets `announce` commit it, and settles on the key that
   * `inUse` then names. When `announce` rejects, nobody knows which key that is: both files stay,
   * for the next start to settle, and there is no further rotation. Undefined if one is under way.
   */
  async rotate<T>(
    announce: (next: Ed25519Key) => Promise<T>,
    inUse: () => string,
  ): Promise<T | undefined> {
    if (this.#isRotating) return undefined
    this.#isRotating = true
    assert(this.#next === undefined, 'what was left of the last rotation is settled')
    this.#next = await createKeyFile(this.#nextFile)
    const answer = await announce(this.#next)
    await this.settle(inUse())
    this.#isRotating = false
    return answer
  }
}

/** Reads the files of a receipt key. Errors as `readKeyFile`. */
export async function openReceiptKeyFiles(place: ReceiptKeyPlace): Promise<ReceiptKeyFiles> {
  const key = await readKeyFile(place.file)
  return new ReceiptKeyFiles(place, key, await readNextKey(nextKeyFile(place.file)))
}

function nextKeyFile(file: string): string {
  return file.replace(/\.pem$/, '-next.pem')
}

async function readNextKey(file: string): Promise<Ed25519Key | undefined> {
  if (!(await isThere(file))) return undefined
  try {
    return await readKeyFile(file)
  } catch (error) {
    // It is synced before it is announced: one that is not whole was cut off before.
    if (error instanceof StartError && error.code === 'key_file_malformed') return undefined
    throw error
  }
}

async function isThere(file: string): Promise<boolean> {
  return fs.access(file).then(
    () => true,
    () => false,
  )
}
