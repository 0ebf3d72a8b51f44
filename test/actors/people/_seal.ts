import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { PersonSeal } from '#actors/people/record.ts'
import type { RandomBytes } from '#actors/values/ark.ts'
import { assert } from '#log/tlog/errors.ts'

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** A seal with its keys in memory: everybody has one until it is destroyed. */
export class TestPersonSeal implements PersonSeal {
  readonly #random: RandomBytes
  readonly #keys = new Map<string, Uint8Array | undefined>()

  /** `random` gives the keys and the nonces. */
  constructor(random: RandomBytes = (count) => randomBytes(count)) {
    this.#random = random
  }

  #keyOf(ppid: string): Uint8Array | undefined {
    if (!this.#keys.has(ppid)) this.#keys.set(ppid, this.#random(keyBytes))
    return this.#keys.get(ppid)
  }

  destroy(ppid: string): void {
    this.#keys.set(ppid, undefined)
  }

  seal(ppid: string, value: unknown): string {
    const key = this.#keyOf(ppid)
    assert(key !== undefined, 'who is sealed has a key')
    const nonce = this.#random(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(ppid))
    const body = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
  }

  open(ppid: string, sealed: string): unknown {
    const key = this.#keyOf(ppid)
    if (key === undefined) return undefined
    const bytes = Buffer.from(sealed, 'base64url')
    const nonce = bytes.subarray(0, nonceBytes)
    const cipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(ppid))
    cipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
    const text = [cipher.update(bytes.subarray(nonceBytes + tagBytes)), cipher.final()]
    return JSON.parse(Buffer.concat(text).toString('utf8')) as unknown
  }
}

/** What an environment of the tests seals people with; `random` as above. */
export function personKeys(random?: RandomBytes) {
  return { personSeal: new TestPersonSeal(random), personIndexKey: Buffer.alloc(32, 5) }
}
