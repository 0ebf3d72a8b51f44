import type { Operation } from '#log/base/store.ts'
import type { IdentityStore } from '#src/identity/store/identity_store.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'
import { isBrowserToken, mintBrowserToken } from '#src/identity/accounts/web_session.ts'

/** Known browsers of one account; the one that was remembered first makes room for another. */
const browsersMax = 20

const cookieDigits = 16

export type KnownBrowsersOptions = {
  readonly store: IdentityStore
  readonly random: (bytes: number) => Uint8Array
}

/**
 * The browsers in which somebody has signed in to an account, by a token that each keeps beside its
 * session, and beyond it. It opens nothing: passwords that such a browser tries are counted apart,
 * so that nobody else can use up the tries of an account's owner. Only digests are kept.
 */
export class KnownBrowsers {
  readonly #options: KnownBrowsersOptions
  readonly #rows: SealedRows<readonly string[]>

  constructor(options: KnownBrowsersOptions) {
    this.#options = options
    this.#rows = new SealedRows(options.store, 'known_browser')
  }

  /** What tells the token of an account from those of others that sign in to one browser. */
  nameOf(ppid: string): string {
    return this.#digest(`name ${ppid}`).slice(0, cookieDigits)
  }

  /** Remembers a browser under a new token, in place of the one that it had, if it was known. */
  async remember(ppid: string, former = ''): Promise<string> {
    const { store, random } = this.#options
    const token = mintBrowserToken(random)
    const over = this.#digest(former)
    await store.inTurn(async () => {
      const others = this.#digestsOf(ppid).filter((digest) => digest !== over)
      const kept = others.slice(-(browsersMax - 1))
      await store.commit([this.#rows.put(ppid, [...kept, this.#digest(token)])])
    })
    return token
  }

  /** Names a browser among those of an account; undefined for one that is not known. */
  find(ppid: string, token: string): string | undefined {
    if (!isBrowserToken(token)) return undefined
    const digest = this.#digest(token)
    return this.#digestsOf(ppid).includes(digest) ? digest : undefined
  }

  /** Forgets every browser of an account, in the batch of a change; call it in turn. */
  endings(ppid: string): Operation[] {
    return [this.#rows.delete(ppid)]
  }

  #digestsOf(ppid: string): readonly string[] {
    return this.#rows.read(ppid) ?? []
  }

  #digest(text: string): string {
    return this.#options.store.hashKey(`browser ${text}`).toString('hex')
  }
}
