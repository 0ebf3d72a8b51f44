import { formatTimestamp } from '#actors/values/clock.ts'
import { base62RandomBytes, randomBase62, readTypedCode } from '#src/identity/store/base62.ts'
import { deleteRow, putRow, type StoreParts } from '#src/identity/store/identity_rows.ts'

/** How long a code is valid, and how many digits (of base 62: 71 bits) it has. */
const adminCodeMs = 5 * 60_000
const adminCodeDigits = 12
const codeForm = /^[0-9A-Za-z]{12}$/

const prefix = 'admin_code/'

type AdminCodeRow = { readonly expires_at: string }

/**
 * One-time codes that confirm calls with `admin:*`. Anyone who reaches the admin socket can issue
 * one; each confirms one call. They are stored as digests, so that they survive a restart and no
 * dump shows them.
 */
export class AdminCodes {
  readonly #options: StoreParts

  constructor(options: StoreParts) {
    this.#options = options
  }

  /** A new code, valid for five minutes and one call. */
  async issue(): Promise<{ code: string; expires_at: string }> {
    const { store, clock, random } = this.#options
    const nowMs = clock.nowMs()
    const code = randomBase62(adminCodeDigits, random(base62RandomBytes(adminCodeDigits)))
    const row: AdminCodeRow = { expires_at: formatTimestamp(nowMs + adminCodeMs) }
    await store.inTurn(async () => {
      const expired = await this.#expired(nowMs)
      await store.commit([...expired.map(deleteRow), putRow(this.#rowKey(code), row)])
    })
    return { code, ...row }
  }

  /**
   * Uses a code up, in any spelling. False for anything but an issued, unexpired, unused code: of
   * those who come with it at once, the first in turn has it. It confirms nothing before its row is
   * gone.
   */
  async redeem(text: string): Promise<boolean> {
    const { store, clock } = this.#options
    const code = readTypedCode(text)
    if (!codeForm.test(code)) return false
    const key = this.#rowKey(code)
    const nowMs = clock.nowMs()
    // Who guesses takes nobody's turn.
    if (store.read(key) === undefined) return false
    return store.inTurn(async () => {
      const row = store.read<AdminCodeRow>(key)
      if (row === undefined) return false
      await store.commit([deleteRow(key)])
      return nowMs < Date.parse(row.expires_at)
    })
  }

  async #expired(nowMs: number): Promise<string[]> {
    const keys: string[] = []
    for await (const [key, row] of this.#options.store.scan<AdminCodeRow>(prefix)) {
      if (nowMs >= Date.parse(row.expires_at)) keys.push(key)
    }
    return keys
  }

  #rowKey(code: string): string {
    return prefix + this.#options.store.hashKey(code).toString('hex')
  }
}
