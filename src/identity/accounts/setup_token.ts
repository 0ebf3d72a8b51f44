import { timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'

import type { Accounts } from '#src/identity/accounts/accounts.ts'
import { mintOneTimeToken } from '#src/identity/accounts/one_time_links.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import { createSecretFile, readSecretFile } from '#src/keeping/data_dir/secret_file.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'

const form = /^once_[0-9A-Za-z]{32}$/

/** What the set-up is opened from. */
export type SetupTokenOptions = {
  /** A secret file, which holds the token as long as it is good. */
  readonly file: string
  readonly accounts: Pick<Accounts, 'hasAdmin'>
  /** Where who uses the token has a turn at it, on whatever thread. */
  readonly store: Pick<IdentityStore, 'inTurnAt'>
}

/**
 * The token of the link with which the first administrator is made: as long as there is none, it
 * lies in a secret file, so that every start can show it. With an administrator there is no file.
 */
export function openSetupToken({
  random,
  ...options
}: SetupTokenOptions & {
  readonly random: (bytes: number) => Uint8Array
}): Promise<SetupToken> {
  const { file, accounts, store } = options
  return store.inTurnAt(turnName, async () => {
    const known = await readToken(file)
    if (await accounts.hasAdmin()) {
      if (known !== undefined) await rm(file)
      return new SetupToken(options, undefined)
    }
    const token = known ?? mintOneTimeToken(random)
    if (known === undefined) await createSecretFile(file, `${token}\n`)
    return new SetupToken(options, token)
  })
}

/** The same for a thread that joins: it finds the token that there is, and makes none. */
export function joinSetupToken(options: SetupTokenOptions): Promise<SetupToken> {
  return options.store.inTurnAt(turnName, async () => {
    return new SetupToken(options, await readToken(options.file))
  })
}

const turnName = 'set-up'

async function readToken(file: string): Promise<string | undefined> {
  try {
    const text = (await readSecretFile(file)).toString('latin1').trim()
    if (form.test(text)) return text
  } catch (error) {
    if (error instanceof StartError && error.code === 'secret_missing') return undefined
    throw error
  }
  // What a crash left half written opens nothing.
  await rm(file)
  return undefined
}

/** The one-time token of the set-up, while it is good. */
export class SetupToken {
  readonly #options: SetupTokenOptions
  #token: string | undefined

  constructor(options: SetupTokenOptions, token: string | undefined) {
    this.#options = options
    this.#token = token
  }

  /** The token, as long as nobody has used it. */
  get token(): string | undefined {
    // Another thread may have ended it.
    if (this.#token !== undefined && !existsSync(this.#options.file)) this.#token = undefined
    return this.#token
  }

  /** Whether a text is the token. */
  matches(text: string): boolean {
    const given = Buffer.from(text)
    const expected = Buffer.from(this.token ?? '')
    return given.length > 0 && given.length === expected.length && timingSafeEqual(given, expected)
  }

  /** Whether a text is the token, and nobody was made an administrator with it at another node. */
  async isGood(text: string): Promise<boolean> {
    return this.matches(text) && !(await this.#options.accounts.hasAdmin())
  }

  /** Ends the token: somebody was made an administrator in another way. */
  async end(): Promise<void> {
    this.#token = undefined
    await rm(this.#options.file, { force: true })
  }

  /**
   * Uses a token up if `make` makes an administrator with it, as it says; meanwhile nobody else
   * can. Undefined for a text that is not the token, or no longer.
   */
  async use<T extends { readonly isMade: boolean }>(
    text: string,
    make: () => Promise<T>,
  ): Promise<T | undefined> {
    const { accounts, store } = this.#options
    // Who guesses takes nobody's turn.
    if (!this.matches(text)) return undefined
    return store.inTurnAt(turnName, async () => {
      // The file outlives a thread that ended between the two.
      if (!this.matches(text) || (await accounts.hasAdmin())) return undefined
      return this.#useUp(make)
    })
  }

  async #useUp<T extends { readonly isMade: boolean }>(make: () => Promise<T>): Promise<T> {
    const token = this.#token
    this.#token = undefined
    let isMade = false
    try {
      const made = await make()
      isMade = made.isMade
      return made
    } finally {
      if (isMade) await this.end()
      else this.#token = token
    }
  }
}
