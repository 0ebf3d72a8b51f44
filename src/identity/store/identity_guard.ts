import { parseDecimal } from '#log/tlog/encoding.ts'
import { GuardFile } from '#log/store/guard.ts'
import { IdentityError } from '#src/identity/store/identity_error.ts'
import type { KeyHasher } from '#src/identity/store/api_key.ts'

const guardText = 'svc-identity-head-v1'

/**
 * Remembers in a `GuardFile` how many changes were made to the identity store, under the pepper: so
 * an older copy of the store is recognized, and the file of another store is as well.
 */
export class IdentityGuard {
  readonly #file: GuardFile
  readonly #hashKey: KeyHasher

  /** Opens the guard's file and makes it if it is missing. Errors: LogError `store_failed`. */
  constructor(path: string, hashKey: KeyHasher) {
    this.#file = new GuardFile(path)
    this.#hashKey = hashKey
  }

  /**
   * How many changes a store that holds `changes` of them has lost. If none, that many are
   * remembered, synced. A guard that this store has not written is `keys_inconsistent`.
   */
  check(changes: number): number {
    const lostChanges = this.#read() - changes
    if (lostChanges > 0) return lostChanges
    this.remember(changes)
    this.#file.sync()
    return 0
  }

  /** Remembers how many changes were made, after the newest is durable. Errors: `store_failed`. */
  remember(changes: number): void {
    this.#file.write(this.#spell(changes))
  }

  /** Closes the file. */
  close(): void {
    this.#file.close()
  }

  #read(): number {
    const text = this.#file.read()
    if (text === undefined) return 0
    const changes = parseDecimal(text.split('\n')[1] ?? '')
    if (changes !== undefined && text === this.#spell(changes)) return changes
    throw new IdentityError(
      'keys_inconsistent',
      `${this.#file.path} was not written for this identity store: put back the file that ` +
        'belongs to it; remove the file only if it is known to be damaged and the store to be ' +
        'the newest',
    )
  }

  #spell(changes: number): string {
    const digest = this.#hashKey(`${guardText} ${changes}`).toString('hex')
    return `${guardText}\n${changes}\n${digest}\n`
  }
}
