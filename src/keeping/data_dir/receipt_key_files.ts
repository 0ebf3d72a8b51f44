import fs from 'node:fs/promises'
import path from 'node:path'

import type { Ed25519Key } from '#log/tlog/ed25519.ts'
import { assert } from '#log/base/errors.ts'
import { syncFolder } from '#src/keeping/data_dir/durable_file.ts'
import {
  createKeyFile,
  keyFileChanged,
  publicKeyHex,
  readKeyFile,
} from '#src/keeping/data_dir/key_file.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'

/** Where a receipt key lies, and the public half of the first one, as 64 hex digits. */
export type ReceiptKeyPlace = { readonly file: string; readonly firstPublicKey: string }

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
