import { formatTimestamp } from '#actors/values/clock.ts'
import type { Operation } from '#log/store/store.ts'
import { base62RandomBytes, randomBase62 } from '#src/identity/store/base62.ts'
import type { StoreParts } from '#src/identity/store/identity_rows.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'

const hourMs = 3_600_000
const digits = 32

/** How long the link of each kind is valid. */
const lifetimeMs = {
  /** Sets a new password; by mail, or by an operator's word. */
  reset: hourMs,
  /** Lets a browser try the password of an account that others have locked. */
  unlock: hourMs,
  /** Shows that an e-mail address is its account's. */
  verify: 48 * hourMs,
  /** Lets somebody sign up where that is by invitation. */
  invite: 7 * 24 * hourMs,
} as const

export type LinkKind = keyof typeof lifetimeMs

/** What a link is for. */
export type LinkPurpose = {
  readonly kind: LinkKind
  /** The account; an invitation has none yet. */
  readonly ppid?: string
  /** The address that it was sent to; a link that an operator hands out was sent to none. */
  readonly email?: string
}

/** A token that was made, and until when it is good. */
export type IssuedLink = { readonly token: string; readonly expires_at: string }

type LinkRow = LinkPurpose & { readonly expires_at: string }

/** A new token: `once_` and 190 random bits, by which logs know it as a secret. */
export function mintOneTimeToken(random: (bytes: number) => Uint8Array): string {
  return `once_${randomBase62(digits, random(base62RandomBytes(digits)))}`
}

/** Tokens that are good for one use each. Only an HMAC of a token is kept. */
export class OneTimeLinks {
  readonly #options: StoreParts
  readonly #rows: SealedRows<LinkRow>

  constructor(options: StoreParts) {
    this.#options = options
    this.#rows = new SealedRows(options.store, 'one_time_link')
  }

  /** Makes a token; those that have expired are removed. */
  issue(purpose: LinkPurpose): Promise<IssuedLink> {
    return this.#options.store.inTurn(() => this.#make(purpose))
  }

  /**
   * Makes a token, unless in turn there is no need of it: then undefined. `rowsWith` gives what is
   * written with it, such as the mail that it goes by.
   */
  issueIf(
    isNeeded: () => boolean,
    purpose: LinkPurpose,
    rowsWith: (issued: IssuedLink) => readonly Operation[],
  ): Promise<IssuedLink | undefined> {
    return this.#options.store.inTurn(async () => {
      return isNeeded() ? this.#make(purpose, rowsWith) : undefined
    })
  }

  /** Tells what each token is for that is made from now on, on whichever thread. */
  follow(listener: (purpose: LinkPurpose) => void): void {
    this.#rows.followChanges((_key, row) => {
      if (row !== undefined) listener(row)
    })
  }

  async #make(
    purpose: LinkPurpose,
    rowsWith: (issued: IssuedLink) => readonly Operation[] = () => [],
  ): Promise<IssuedLink> {
    const { store, clock, random } = this.#options
    const token = mintOneTimeToken(random)
    const expires_at = formatTimestamp(clock.nowMs() + lifetimeMs[purpose.kind])
    const expired = await this.endings((row) => this.#isOver(row))
    const issued = { token, expires_at }
    const row = this.#rows.put(token, { ...purpose, expires_at })
    await store.commit([...expired, row, ...rowsWith(issued)])
    return issued
  }

  /** What a token is good for, if it is of this kind and still good for anything. */
  read(kind: LinkKind, token: string): LinkPurpose | undefined {
    const row = this.#rows.read(token)
    return row?.kind === kind && !this.#isOver(row) ? row : undefined
  }

  /** Ends a token: part of the change that it was used for, so that both happen or neither. */
  spend(token: string): Operation {
    return this.#rows.delete(token)
  }

  /** Ends every token of a purpose that `match` picks; call it in turn. */
  async endings(match: (purpose: LinkRow) => boolean): Promise<Operation[]> {
    const operations: Operation[] = []
    for await (const [key, row] of this.#rows.entries()) {
      if (match(row)) operations.push({ type: 'del', key })
    }
    return operations
  }

  #isOver(row: LinkRow): boolean {
    return this.#options.clock.nowMs() >= Date.parse(row.expires_at)
  }
}
