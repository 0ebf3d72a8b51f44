import { type Clock, formatTimestamp } from '#actors/clock.ts'
import { base62RandomBytes, randomBase62 } from '#src/identity/base62.ts'
import { type IdentityStore, putRow } from '#src/identity/identity_store.ts'

/** How long a code is valid, and how many digits (of base 62: 71 bits) it has. */
export const adminCodeMs = 5 * 60_000
const adminCodeDigits = 12

const prefix = 'admin_code/'

type AdminCodeRow = { readonly expires_at: string }

/**
 * One-time codes that confirm calls with `admin:*`. Whoever reaches the admin socket can issue one;
 * each confirms one call. Stored as digests, so that they survive a restart and no dump shows them.
 */
export class AdminCodes {
  readonly #store: IdentityStore
  readonly #clock: Clock
  readonly #random: (bytes: number) => Uint8Array

  constructor(store: IdentityStore, clock: Clock, random: (bytes: number) => Uint8Array) {
    this.#store = store
    this.#clock = clock
    this.#random = random
  }

  /** A new code, valid for five minutes and one call. */
  async issue(): Promise<{ code: string; expires_at: string }> {
    const nowMs = this.#clock.nowMs()
    const code = randomBase62(adminCodeDigits, this.#random(base62RandomBytes(adminCodeDigits)))
    const row: AdminCodeRow = { expires_at: formatTimestamp(nowMs + adminCodeMs) }
    await this.#store.inTurn(async () => {
      const operations = [putRow(this.#rowKey(code), row)]
      const expired = await this.#expired(nowMs)
      await this.#store.commit([...expired.map(deleteRow), ...operations])
    })
    return { code, ...row }
  }

  /** Uses a code up. False for anything but an issued, unexpired, unused code. */
  async redeem(code: string): Promise<boolean> {
    if (!/^[0-9A-Za-z]{12}$/.test(code)) return false
    const key = this.#rowKey(code)
    return this.#store.inTurn(async () => {
      const row = this.#store.read<AdminCodeRow>(key)
      if (row === undefined) return false
      await this.#store.commit([deleteRow(key)])
      return this.#clock.nowMs() < Date.parse(row.expires_at)
    })
  }

  async #expired(nowMs: number): Promise<string[]> {
    const keys: string[] = []
    for await (const [key, row] of this.#store.scan<AdminCodeRow>(prefix)) {
      if (nowMs >= Date.parse(row.expires_at)) keys.push(key)
    }
    return keys
  }

  #rowKey(code: string): string {
    return prefix + this.#store.hashKey(code).toString('hex')
  }
}

function deleteRow(key: string) {
  return { type: 'del', key } as const
}
