import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

import type { Operation } from '#log/store/store.ts'
import { IdentityError } from '#src/identity/store/identity_error.ts'
import {
  followRows,
  type IdentityStore,
  putRow,
  type RowListener,
  type RowRange,
} from '#src/identity/store/identity_rows.ts'

/**
 * Rows of the identity store that say nothing to who reads its files: the key of a row is an HMAC
 * of its id, its value is JSON under AES-256-GCM with the key as associated data, so that no row
 * can be put in the place of another. Both secrets come from the pepper.
 */
export class SealedRows<T> {
  readonly #store: IdentityStore
  readonly #table: string
  readonly #indexKey: KeyObject
  readonly #sealKey: Uint8Array

  /** `table` is what the keys of the rows begin with, such as `account`. */
  constructor(store: IdentityStore, table: string) {
    this.#store = store
    this.#table = table
    this.#indexKey = createSecretKey(store.deriveKey(`index ${table}`))
    this.#sealKey = store.deriveKey(`seal ${table}`)
  }

  /** The key of the row of an id, an opaque text. */
  keyOf(id: string): string {
    return `${this.#table}/${createHmac('sha256', this.#indexKey).update(id).digest('hex')}`
  }

  /** The value of an id, if there is one. IdentityError `secret_mismatch` for a foreign row. */
  read(id: string): T | undefined {
    return this.readAt(this.keyOf(id))
  }

  /** The value of the row at a key that `keyOf` or `entries` has told. Errors as `read`. */
  readAt(key: string): T | undefined {
    const sealed = this.#store.read<string>(key)
    return sealed === undefined ? undefined : this.#open(key, sealed)
  }

  /** A put of the value of an id, for a batch of the store. */
  put(id: string, value: T): Operation {
    return this.putAt(this.keyOf(id), value)
  }

  /** A put of the value of the row at a key that `entries` told, or whose order counts. */
  putAt(key: string, value: T): Operation {
    return putRow(key, sealText(this.#sealKey, key, JSON.stringify(value)))
  }

  /** A delete of the value of an id, for a batch of the store. */
  delete(id: string): Operation {
    return { type: 'del', key: this.keyOf(id) }
  }

  /** Deletes the value of an id, if there is one, and leaves nothing of it in any file. */
  purge(id: string): Promise<void> {
    const store = this.#store
    return store.inTurn(async () => {
      if (this.read(id) === undefined) return
      await store.commit([this.delete(id)])
      await store.purge([this.keyOf(id)])
    })
  }

  /** Rows by key, with their values. The order of keys that `keyOf` made means nothing. */
  async *entries(range?: RowRange): AsyncGenerator<readonly [key: string, value: T]> {
    for await (const [key, sealed] of this.#store.scan<string>(`${this.#table}/`, range)) {
      yield [key, this.#open(key, sealed)]
    }
  }

  /** How many rows there are; none is opened. */
  async count(): Promise<number> {
    let count = 0
    for await (const _ of this.#store.scan(`${this.#table}/`)) count += 1
    return count
  }

  /** Tells of every row, with its value, and from then on of every change of one. */
  follow(listener: RowListener<T>): Promise<void> {
    return followRows(this.#store, `${this.#table}/`, this.#opening(listener))
  }

  /** Tells of every row that is written or deleted from now on, by its key. */
  followKeys(listener: (key: string) => void): void {
    this.#store.follow(`${this.#table}/`, (key) => listener(key))
  }

  /** Tells of every change of a row from now on. */
  followChanges(listener: RowListener<T>): void {
    this.#store.follow(`${this.#table}/`, this.#opening(listener))
  }

  #opening(listener: RowListener<T>): RowListener<string> {
    return (key, sealed) => {
      listener(key, sealed === undefined ? undefined : this.#open(key, sealed))
    }
  }

  #open(key: string, sealed: string): T {
    const text = openText(this.#sealKey, key, sealed)
    if (text !== undefined) return JSON.parse(text) as T
    const message = `the row ${key} was not sealed by this identity store: restore it from a backup`
    throw new IdentityError('secret_mismatch', message)
  }
}

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Seals a text under a key of 32 bytes for one place: base64 of nonce, ciphertext and tag. */
export function sealText(key: Uint8Array, place: string, text: string): string {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  sealing.setAAD(Buffer.from(place))
  const body = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])
  return Buffer.concat([nonce, body, sealing.getAuthTag()]).toString('base64')
}

/** The inverse of `sealText`; undefined for what was not sealed with this key for this place. */
export function openText(key: Uint8Array, place: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64')
  if (bytes.length < nonceBytes + tagBytes) return undefined
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  opening.setAAD(Buffer.from(place))
  opening.setAuthTag(bytes.subarray(-tagBytes))
  try {
    const text = opening.update(bytes.subarray(nonceBytes, -tagBytes))
    return Buffer.concat([text, opening.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
