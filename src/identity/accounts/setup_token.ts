import { timingSafeEqual } from 'node:crypto'
import { unlink } from 'node:fs/promises'

import type { Accounts } from '#src/identity/accounts/accounts.ts'
import { mintOneTimeToken } from '#src/identity/accounts/one_time_links.ts'
import { createSecretFile, readSecretFile } from '#src/data_dir/secret_file.ts'
import { StartError } from '#src/data_dir/start_error.ts'

const form = /^once_[0-9A-Za-z]{32}$/

/**
 * The token of the link with which the first administrator is made: as long as there is none, it
 * lies in a secret file, so that every start can show it. With an administrator there is no file.
 */
export async function openSetupToken({
  file,
  accounts,
  random,
}: {
  readonly file: string
  readonly accounts: Accounts
  readonly random: (bytes: number) => Uint8Array
}): Promise<SetupToken> {
  const known = await readToken(file)
  if (await accounts.hasAdmin()) {
    if (known !== undefined) await unlink(file)
    return new SetupToken(file, undefined)
  }
  const token = known ?? mintOneTimeToken(random)
  if (known === undefined) await createSecretFile(file, `${token}\n`)
  return new SetupToken(file, token)
}

async function readToken(file: string): Promise<string | undefined> {
  try {
    const text = (await readSecretFile(file)).toString('latin1').trim()
    if (form.test(text)) return text
  } catch (error) {
    if (error instanceof StartError && error.code === 'secret_missing') return undefined
    throw error
  }
  // What a crash left half written opens nothing.
  await unlink(file)
  return undefined
}

/** The one-time token of the set-up, while it is good. */
export class SetupToken {
  readonly #file: string
  #token: string | undefined

  constructor(file: string, token: string | undefined) {
    this.#file = file
    this.#token = token
  }

  /** The token, as long as nobody has used it. */
  get token(): string | undefined {
    return this.#token
  }

  /** Whether a text is the token. */
  matches(text: string): boolean {
    const given = Buffer.from(text)
    const expected = Buffer.from(this.#token ?? '')
    return given.length > 0 && given.length === expected.length && timingSafeEqual(given, expected)
  }

  /** Ends the token: somebody was made an administrator in another way. */
  async end(): Promise<void> {
    if (this.#token === undefined) return
    this.#token = undefined
    await unlink(this.#file)
  }

  /**
   * Uses a token up if `make` makes an administrator with it, as it says; meanwhile nobody else
   * can. Undefined for a text that is not the token.
   */
  async use<T extends { readonly isMade: boolean }>(
    text: string,
    make: () => Promise<T>,
  ): Promise<T | undefined> {
    if (!this.matches(text)) return undefined
    const token = this.#token
    this.#token = undefined
    let isMade = false
    try {
      const made = await make()
      isMade = made.isMade
      return made
    } finally {
      if (isMade) await unlink(this.#file)
      else this.#token = token
    }
  }
}
