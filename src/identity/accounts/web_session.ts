import { timingSafeEqual } from 'node:crypto'

import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import type { Operation } from '#log/store/store.ts'
import { base62RandomBytes, randomBase62 } from '#src/identity/store/base62.ts'
import type { IdentityStore, StoreParts } from '#src/identity/store/identity_rows.ts'
import { networkOf } from '#src/identity/store/ip_list.ts'
import { GatheredWrites } from '#src/identity/store/last_uses.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'

const dayMs = 24 * 3_600_000

/** How long a session lasts at most, and how long without being used. */
const absoluteMs = 30 * dayMs
const idleMs = 7 * dayMs

/** How often the time of the last use is written. */
const seenWrittenEveryMs = 10 * 60_000

/** Sessions of one person; the one that was begun first makes room for another. */
const sessionsMax = 20

/** How long what somebody has shown of who they are suffices for what is asked anew. */
const freshMs = 10 * 60_000

const userAgentCharactersMax = 200
const idDigits = 12
const secretDigits = 32
const tokenForm = new RegExp(`^[0-9A-Za-z]{${idDigits + secretDigits}}$`)

/** A browser that is signed in, as it may be shown; its cookie is nowhere kept, only a digest. */
export type WebSession = {
  /** Names the session to its person; no credential. */
  readonly id: string
  readonly ppid: string
  readonly created_at: string
  readonly last_seen_at: string
  readonly expires_at: string
  /** When its person last showed all that signs them in; absent if only at its beginning. */
  readonly confirmed_at?: string
  /** Shortened. */
  readonly user_agent: string
  /** Such as 192.0.2.0/24. */
  readonly network: string
  /** What its person has shown; absent from sessions that were begun before this was kept. */
  readonly methods?: readonly SignInMethod[]
}

type SessionRow = WebSession & { readonly digest: string }

/** `report` is told of a use that could not be noted. */
export type WebSessionsOptions = StoreParts & { readonly report: (fault: unknown) => void }

/** A value for a browser's cookie: a name and a secret, 44 digits of base 62. */
export function mintBrowserToken(random: (bytes: number) => Uint8Array): string {
  return randomBase62(tokenDigits, random(base62RandomBytes(tokenDigits)))
}

const tokenDigits = idDigits + secretDigits

/** Whether a text has the form of a browser's token. */
export function isBrowserToken(text: string): boolean {
  return tokenForm.test(text)
}

/** Whether the person of a session has shown who they are within the last ten minutes. */
export function isFresh({ confirmed_at, created_at }: WebSession, nowMs: number): boolean {
  return nowMs < Date.parse(confirmed_at ?? created_at) + freshMs
}

/** The browsers that are signed in, in sealed rows: each has one, and each person a list of its. */
export class WebSessions {
  /** What is kept of sign-ins, whose sessions may have ended. */
  readonly history: SignInHistory
  readonly #options: WebSessionsOptions
  readonly #sessions: SealedRows<SessionRow>
  readonly #lists: SealedRows<readonly string[]>
  /** When sessions were seen whose last use is about to be written. */
  readonly #unwrittenMs = new Map<string, number>()
  readonly #writes: GatheredWrites

  constructor(options: WebSessionsOptions) {
    const { store, report } = options
    this.#options = options
    this.history = new SignInHistory(options)
    this.#writes = new GatheredWrites({ store, report, write: () => this.#writeSeen() })
    this.#sessions = new SealedRows(options.store, 'web_session')
    this.#lists = new SealedRows(options.store, 'web_session_list')
  }

  /** Begins a session under a token that no browser has had before. */
  async begin(
    ppid: string,
    origin: SessionOrigin,
  ): Promise<{ readonly token: string; readonly session: WebSession }> {
    const { store, clock, random } = this.#options
    const token = mintBrowserToken(random)
    const at = formatTimestamp(clock.nowMs())
    const row: SessionRow = {
      id: token.slice(0, idDigits),
      ppid,
      created_at: at,
      last_seen_at: at,
      expires_at: formatTimestamp(clock.nowMs() + absoluteMs),
      user_agent: origin.userAgent.slice(0, userAgentCharactersMax),
      network: networkOf(origin.ip),
      ...(origin.methods && { methods: origin.methods }),
      digest: this.#digest(token),
    }
    await store.inTurn(async () => {
      const others = this.list(ppid)
      const kept = others.slice(-(sessionsMax - 1))
      const over = this.#ids(ppid).filter((id) => !kept.some((session) => session.id === id))
      await store.commit([
        ...over.map((id) => this.#sessions.delete(id)),
        this.#sessions.put(row.id, row),
        this.#lists.put(ppid, [...kept.map(({ id }) => id), row.id]),
        ...this.history.rows(ppid, origin),
      ])
    })
    return { token, session: shown(row) }
  }

  /**
   * The session of a browser's token, unless it has ended; notes that it was seen. IdentityError
   * `identity_stale` where it is not known which sessions have ended.
   */
  find(token: string): WebSession | undefined {
    if (!isBrowserToken(token)) return undefined
    this.#options.store.checkContact()
    const row = this.#sessions.read(token.slice(0, idDigits))
    if (row === undefined || !this.#isUsable(row)) return undefined
    if (!timingSafeEqual(Buffer.from(row.digest), Buffer.from(this.#digest(token))))
      return undefined
    this.#noteSeen(row)
    return shown(row)
  }

  /** The sessions of a person that have not ended, in the order in which they were begun. */
  list(ppid: string): readonly WebSession[] {
    return this.#ids(ppid).flatMap((id) => {
      const row = this.#sessions.read(id)
      return row !== undefined && this.#isUsable(row) ? [shown(row)] : []
    })
  }

  /** Notes that the person of a session has shown all that signs them in, now. */
  confirm(ppid: string, id: string): Promise<void> {
    return this.#write(() => {
      const row = this.#sessions.read(id)
      if (row?.ppid !== ppid || !this.#isUsable(row)) return []
      const confirmed_at = formatTimestamp(this.#options.clock.nowMs())
      return [this.#sessions.put(id, { ...row, confirmed_at })]
    })
  }

  /** Ends a session of a person, if it is one of theirs. */
  end(ppid: string, id: string): Promise<void> {
    return this.#write(() => this.#endings(ppid, (each) => each !== id))
  }

  /** Ends every session of a person, but the one that is named. */
  endAll(ppid: string, exceptId?: string): Promise<void> {
    return this.#write(() => this.endings(ppid, exceptId))
  }

  /** The end of every session of a person but one, for the batch of a change; call it in turn. */
  endings(ppid: string, exceptId?: string): Operation[] {
    return this.#endings(ppid, (each) => each === exceptId)
  }

  async #write(change: () => readonly Operation[]): Promise<void> {
    const { store } = this.#options
    await store.inTurn(async () => {
      const operations = change()
      if (operations.length > 0) await store.commit(operations)
    })
  }

  #endings(ppid: string, isKept: (id: string) => boolean): Operation[] {
    const ids = this.#ids(ppid)
    const ended = ids.filter((id) => !isKept(id))
    if (ended.length === 0) return []
    const kept = ids.filter(isKept)
    const list = kept.length === 0 ? this.#lists.delete(ppid) : this.#lists.put(ppid, kept)
    return [...ended.map((id) => this.#sessions.delete(id)), list]
  }

  #ids(ppid: string): readonly string[] {
    return this.#lists.read(ppid) ?? []
  }

  #isUsable({ last_seen_at, expires_at }: SessionRow): boolean {
    const nowMs = this.#options.clock.nowMs()
    return nowMs < Date.parse(expires_at) && nowMs < Date.parse(last_seen_at) + idleMs
  }

  #noteSeen({ id, last_seen_at }: SessionRow): void {
    const nowMs = this.#options.clock.nowMs()
    if (nowMs < Date.parse(last_seen_at) + seenWrittenEveryMs || this.#unwrittenMs.has(id)) return
    this.#unwrittenMs.set(id, nowMs)
    this.#writes.request()
  }

  async #writeSeen(): Promise<void> {
    const { store } = this.#options
    let seen: readonly (readonly [id: string, nowMs: number])[] = []
    try {
      await store.inTurn(async () => {
        this.#writes.begin()
        seen = [...this.#unwrittenMs]
        const rows = seen.flatMap(([id, nowMs]) => {
          // It may have been ended since.
          const row = this.#sessions.read(id)
          if (row === undefined) return []
          return [this.#sessions.put(id, { ...row, last_seen_at: formatTimestamp(nowMs) })]
        })
        if (rows.length > 0) await store.commit(rows)
      })
    } finally {
      for (const [id] of seen) this.#unwrittenMs.delete(id)
    }
  }

  #digest(token: string): string {
    return this.#options.store.hashKey(token).toString('hex')
  }
}

function shown({ digest: _digest, ...session }: SessionRow): WebSession {
  return session
}

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
    this.#waiting.delete(ppid)
    return this.#rows.purge(ppid)
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

// Names that are in the headers of other browsers too come last.
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdgA?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bSamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)\S* (?:Mobile\/\S+ )?Safari\//, 'Safari'],
]

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** What people call a browser, from its `User-Agent`: `Firefox 145 on Linux`. */
export function browserName(userAgent: string): string {
  if (userAgent === '') return 'unknown'
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))
  if (browser === undefined) return userAgent
  const [pattern, name] = browser
  const version = pattern.exec(userAgent)?.[1]
  const system = systems.find(([known]) => known.test(userAgent))?.[1]
  return `${name} ${version}${system === undefined ? '' : ` on ${system}`}`
}

/**
 * How somebody showed who they are: by a password, a sign-in elsewhere, a code of an app, a
 * recovery code, or a passkey: one that stays on its device, or one that its person has on several.
 * Sign-ins that were noted before the two were told apart have `passkey`.
 */
export type SignInMethod =
  | 'password'
  | 'elsewhere'
  | 'totp'
  | 'recovery_code'
  | 'passkey'
  | 'device_passkey'
  | 'synced_passkey'

/** From where a session is begun. */
export type SessionOrigin = {
  readonly ip: string
  readonly userAgent: string
  readonly methods?: readonly SignInMethod[]
  /** The name of the provider that has said who it is. */
  readonly issuer?: string
}
