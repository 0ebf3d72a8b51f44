import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import type { Operation } from '#log/base/store.ts'
import { browserName } from '#src/identity/accounts/browser_name.ts'
import type { SessionOrigin, SignInMethod } from '#src/identity/accounts/session_origin.ts'
import { GatheredWrites } from '#src/identity/store/gathered_writes.ts'
import type { IdentityStore } from '#src/identity/store/identity_store.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'

/** Sign-ins of one account that are kept: the newest ones. */
export const signInsMax = 20

/** Accounts whose failures wait to be written, at most; those of others are not counted then. */
const waitingMax = 10_000

const browserCharactersMax = 80

/** What somebody has tried in vain. */
export type FailedFactor = 'password' | 'code'

/** How often a factor was wrong, and when for the last time. */
export type SignInFailures = {
  readonly passwords: number
  /** These came after a right password. */
  readonly codes: number
  readonly last_at: string
}

/** A sign-in that somebody has made. */
export type SignIn = {
  readonly at: string
  readonly methods: readonly SignInMethod[]
  /** The provider that has said who it is, by its name. */
  readonly issuer?: string
  /** The browser and its system in words, such as `Firefox 145 on Linux`. */
  readonly browser: string
  /** What was tried in vain since the sign-in before. */
  readonly failures?: SignInFailures
}

/** The newest sign-ins, the newest one first, and what was tried in vain since. */
export type SignInRecord = {
  readonly signIns: readonly SignIn[]
  readonly failures?: SignInFailures
}

export type SignInHistoryOptions = {
  readonly store: IdentityStore
  readonly clock: Clock
  readonly report: (fault: unknown) => void
}

/**
 * The last sign-ins of each account, and how many tries have failed, in sealed rows: no address is
 * in them. Failures are written in the background, so that how long an answer takes tells nobody
 * whether there is an account.
 */
export class SignInHistory {
  readonly #options: SignInHistoryOptions
  readonly #rows: SealedRows<SignInRecord>
  readonly #waiting = new Map<string, SignInFailures>()
  readonly #writes: GatheredWrites

  constructor(options: SignInHistoryOptions) {
    const { store, report } = options
    this.#options = options
    this.#rows = new SealedRows(store, 'sign_in_history')
    this.#writes = new GatheredWrites({ store, report, write: () => this.#writeFailures() })
  }

  /** What is kept of an account. */
  read(ppid: string): SignInRecord {
    return this.#rows.read(ppid) ?? { signIns: [] }
  }

  /** The rows of a sign-in, for the batch of its session; call it in turn. */
  rows(ppid: string, { userAgent, methods = [], issuer }: SessionOrigin): Operation[] {
    const { signIns, failures } = this.read(ppid)
    const made: SignIn = {
      at: this.#now(),
      methods,
      ...(issuer !== undefined && { issuer }),
      browser: browserName(userAgent).slice(0, browserCharactersMax),
      ...(failures && { failures }),
    }
    return [this.#rows.put(ppid, { signIns: [made, ...signIns].slice(0, signInsMax) })]
  }

  /** Counts a try that has failed, in the background. */
  noteFailure(ppid: string, factor: FailedFactor): void {
    const before = this.#waiting.get(ppid)
    if (before === undefined && this.#waiting.size >= waitingMax) return
    const one = {
      passwords: factor === 'password' ? 1 : 0,
      codes: factor === 'code' ? 1 : 0,
      last_at: this.#now(),
    }
    this.#waiting.set(ppid, sum(before, one))
    this.#writes.request()
  }

  /** Forgets all of an account that is erased, and leaves nothing of it in any file. */
  forget(ppid: string): Promise<void> {
    const { store } = this.#options
    this.#waiting.delete(ppid)
    return store.inTurn(async () => {
      if (this.#rows.read(ppid) === undefined) return
      await store.commit([this.#rows.delete(ppid)])
      await store.purge([this.#rows.keyOf(ppid)])
    })
  }

  async #writeFailures(): Promise<void> {
    const { store } = this.#options
    this.#writes.begin()
    const counted = [...this.#waiting]
    this.#waiting.clear()
    await store.inTurn(async () => {
      const rows = counted.map(([ppid, failures]) =>
        this.#rows.put(ppid, withFailures(this.read(ppid), failures)),
      )
      if (rows.length > 0) await store.commit(rows)
    })
  }

  #now(): string {
    return formatTimestamp(this.#options.clock.nowMs())
  }
}

/** What was tried before the newest sign-in belongs to it, although it is written after it. */
function withFailures({ signIns, failures }: SignInRecord, more: SignInFailures): SignInRecord {
  const [newest, ...older] = signIns
  if (newest === undefined || more.last_at > newest.at) {
    return { signIns, failures: sum(failures, more) }
  }
  const told = { ...newest, failures: sum(newest.failures, more) }
  return { signIns: [told, ...older], ...(failures && { failures }) }
}

function sum(before: SignInFailures | undefined, more: SignInFailures): SignInFailures {
  if (before === undefined) return more
  return {
    passwords: before.passwords + more.passwords,
    codes: before.codes + more.codes,
    last_at: more.last_at,
  }
}
