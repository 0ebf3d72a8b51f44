import type { ProviderPayload, ProviderRows } from '#src/identity/oauth/provider_rows.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'

/**
 * How long after its first redemption a code or a refresh token may come again, in seconds: pages
 * are loaded side by side, and an answer can get lost. A thief gains nothing by it:
 * all who come are given the same refresh token, and the next that comes twice is found out.
 */
const graceSeconds = 10

/** The turn of a request at what it redeems. */
export type Redemption =
  /** It redeems it. */
  | { readonly type: 'first' }
  /** It was redeemed just now, and nothing is known to have come of it but access tokens. */
  | { readonly type: 'retry' }
  /** It was redeemed just now; the refresh token that came of it, or the newest that followed. */
  | { readonly type: 'again'; readonly refreshToken: string }

type HeldTurn = {
  readonly turn: Redemption
  readonly kind: string
  readonly id: string
  end(): void
}

/** What the redemptions need; `nowMs` are milliseconds since 1970. */
export type RedemptionsOptions = {
  readonly store: Pick<IdentityStore, 'inTurnAt'>
  readonly rows: ProviderRows
  readonly nowMs: () => number
}

/**
 * Lets codes and refresh tokens be redeemed more than once within the grace, by the application
 * that they were issued to: so a permission has one line of refresh tokens, however often its
 * application asks at once. Requests for the same one take turns, on whatever threads of a node; of
 * nodes the shared store lets one redeem it.
 */
export class Redemptions {
  readonly #options: RedemptionsOptions
  readonly #held = new WeakMap<object, HeldTurn>()

  constructor(options: RedemptionsOptions) {
    this.#options = options
  }

  /** A row as it is found by who redeems it: within the grace as though nobody had. */
  shown(kind: string, row: ProviderPayload): ProviderPayload {
    if (!this.isInGrace(kind, row)) return row
    const { consumed: _consumed, ...shown } = row
    return shown
  }

  /** Waits for the turn of a request, which has it until `leave`. */
  async enter(request: object, kind: string, id: string): Promise<Redemption> {
    const { promise: left, resolve: end } = Promise.withResolvers<void>()
    const { promise: entered, resolve, reject } = Promise.withResolvers<void>()
    const inTurn = () => {
      resolve()
      return left
    }
    this.#options.store.inTurnAt(`redemption of ${kind} ${id}`, inTurn).catch(reject)
    await entered
    const turn = this.#turnAt(kind, id)
    this.#held.set(request, { turn, kind, id, end })
    return turn
  }

  /** The turn that a request has, and at what. */
  heldBy(request: object | undefined): HeldTurn | undefined {
    return request === undefined ? undefined : this.#held.get(request)
  }

  /** Ends the turn of a request, if it has one. */
  leave(request: object): void {
    this.#held.get(request)?.end()
    this.#held.delete(request)
  }

  #turnAt(kind: string, id: string): Redemption {
    const row = this.#options.rows.find(kind, id)
    if (row === undefined || !this.isInGrace(kind, row)) return { type: 'first' }
    if (row.successor === undefined) return { type: 'retry' }
    return { type: 'again', refreshToken: this.#newest(row.successor) }
  }

  #newest(refreshToken: string): string {
    const successor = this.#options.rows.find('RefreshToken', refreshToken)?.successor
    return successor === undefined ? refreshToken : this.#newest(successor)
  }

  /** Whether a row was redeemed just now, and may be once more. */
  isInGrace(kind: string, { consumed, codeChallenge }: ProviderPayload): boolean {
    // A code that is bound to no verifier could be anybody's who has seen it.
    const isBound = kind === 'RefreshToken' || codeChallenge !== undefined
    const nowSeconds = Math.floor(this.#options.nowMs() / 1_000)
    return isBound && consumed !== undefined && nowSeconds < consumed + graceSeconds
  }
}
