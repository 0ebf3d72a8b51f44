import { createHmac, timingSafeEqual } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { cookieValues } from '#src/edge/credentials.ts'
import { HttpError } from '#src/edge/errors.ts'
import { type KnownSuspensions, refuseSuspended } from '#src/edge/suspended.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import type { Accounts } from '#src/identity/accounts/accounts.ts'
import {
  isBrowserToken,
  type KnownBrowsers,
  mintBrowserToken,
  type SessionOrigin,
  type SignInMethod,
  type WebSession,
  type WebSessions,
} from '#src/identity/accounts/web_session.ts'
import { openText, sealText } from '#src/identity/store/sealed_rows.ts'
import { authenticationOf } from '#src/identity/oauth/authentication_context.ts'
import type { Browser } from '#src/identity/oauth/provider.ts'
import { type KeptForm, keptText, readKept } from '#src/pages/sessions/kept_form.ts'

/** Who looks at a page: a browser, and the person signed in there, if any. */
export type Visitor = {
  readonly session: WebSession | undefined
  readonly account: Account | undefined
  /** Names the browser, as long as it keeps its token: a text that is no secret. */
  readonly browser: string
  /** The token that every form of the visitor carries: another spelling for each request. */
  readonly csrf: string
}

export type BrowserSessionsOptions = {
  readonly sessions: WebSessions
  readonly accounts: Accounts
  readonly browsers: KnownBrowsers
  readonly suspensions: KnownSuspensions
  /** The public address of the pages: forms are sent from no other origin. */
  readonly authUrl: string
  /** What the names of its cookies begin with. */
  readonly cookie: string
  /** 32 secret bytes from which the tokens of forms are made. */
  readonly csrfKey: Uint8Array
  readonly random: (bytes: number) => Uint8Array
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
}

/** A sign-in that lacks only its second factor: who, how, and the path to go to. */
export type PendingSecondFactor = {
  readonly account: Account
  readonly method: SignInMethod
  /** The name of the provider that has said who it is. */
  readonly issuer?: string
  readonly to: string
}

type KeptSecondFactor = Pick<PendingSecondFactor, 'method' | 'issuer' | 'to'> & {
  readonly ppid: string
  readonly credentials: string
  readonly expiresMs: number
}

/** How long a browser has for the second factor. */
const pendingSeconds = 600

/** Bytes of a kept form once it is unpacked. */
const formBytesMax = 65_536

function packed(text: string): string {
  return deflateRawSync(text).toString('base64')
}

function unpacked(text: string): string {
  const limit = { maxOutputLength: formBytesMax }
  return inflateRawSync(Buffer.from(text, 'base64'), limit).toString('utf8')
}

/** Characters of a kept form: browsers keep 4,096 bytes of a cookie. */
const formCookieMax = 3_600

/** How long a browser keeps the cookie of a session; the session itself may end before. */
const cookieSeconds = 30 * 86_400

/** How long what is shown once waits for its page to be loaded. */
const onceSeconds = 300

/** How long a browser is known to an account in which it does not sign in again. */
const browserCookieSeconds = 365 * 86_400

/**
 * Tells who visits, by one cookie: a random token, which is that of a session or only names a
 * browser. Forms carry an HMAC of it, so a form that another site sends, or that was made for
 * another browser or before a sign-in, is refused; signing in always makes a new token.
 */
export class BrowserSessions {
  readonly #options: BrowserSessionsOptions
  readonly #origin: string
  readonly #cookie: string
  readonly #attributes: string
  /** Who sent the requests under way: a browser is given one token, however often it is asked. */
  readonly #known = new WeakMap<FastifyRequest, Visitor>()

  constructor(options: BrowserSessionsOptions) {
    this.#options = options
    this.#origin = new URL(options.authUrl).origin
    const isSecure = this.#origin.startsWith('https:')
    this.#cookie = isSecure ? `__Host-${options.cookie}` : options.cookie
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  }

  /** Who sends a request. A browser without a token is given one. */
  visitorOf(request: FastifyRequest, reply: FastifyReply): Visitor {
    const known = this.#known.get(request)
    if (known !== undefined) return known
    const visitor = this.#recognize(request, reply)
    this.#known.set(request, visitor)
    return visitor
  }

  /** Whether a request names a browser, and perhaps a session: nothing is looked up for it. */
  isNamed({ headers }: FastifyRequest): boolean {
    return headers.cookie?.includes(`${this.#cookie}=`) === true
  }

  /** Who is signed in on the browser that sends a request. It is given no token, if it has none. */
  signedInOn(request: FastifyRequest): Account | undefined {
    const { sessions, accounts } = this.#options
    const token = this.#tokenOf(request)
    const session = token === undefined ? undefined : sessions.find(token)
    return session && accounts.find(session.ppid)
  }

  #recognize(request: FastifyRequest, reply: FastifyReply): Visitor {
    const { sessions, accounts, random } = this.#options
    let token = this.#tokenOf(request)
    if (token === undefined) {
      token = mintBrowserToken(random)
      this.#setCookie(reply, token)
    }
    const known = { csrf: this.#csrfOf(token), browser: this.#nameOf(token) }
    // If it cannot be told who this is, the page that says so is for nobody in particular.
    this.#known.set(request, { session: undefined, account: undefined, ...known })
    const session = sessions.find(token)
    const account = session && accounts.find(session.ppid)
    return { session: account && session, account, ...known }
  }

  /**
   * Refuses a form that was not sent from a page of ours to this browser (HttpError `forbidden`).
   * The token alone tells; origin and fetch metadata are a second lock.
   */
  checkForm(request: FastifyRequest, visitor: Visitor, form: ReadonlyMap<string, string>): void {
    const { origin, 'sec-fetch-site': site = 'same-origin' } = request.headers
    const sent = unmask(form.get('csrf') ?? '')
    const expected = unmask(visitor.csrf)
    const isForeign =
      (origin !== undefined && origin !== this.#origin) ||
      (site !== 'same-origin' && site !== 'none')
    if (isForeign) {
      const message = `This form was not sent from ${this.#origin}: open the page there`
      throw new HttpError('forbidden', `${message}, and try again`)
    }
    if (sent.length === expected.length && timingSafeEqual(sent, expected)) return
    const message = 'This form has expired, or cookies are blocked'
    throw new HttpError('forbidden', `${message}: go back, load the page again, and send it again`)
  }

  /** Whether a person may act on pages: HttpError `suspended` for who is suspended. */
  checkPerson(ppid: string): void {
    refuseSuspended(this.#options.suspensions, [{ type: 'account', id: ppid }])
  }

  /**
   * Signs a browser in: with a new session and a new token, whatever it had before. Errors as
   * `checkPerson`.
   */
  async signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    ppid: string,
    how: Pick<SessionOrigin, 'methods' | 'issuer'>,
  ): Promise<void> {
    this.checkPerson(ppid)
    const { sessions } = this.#options
    const before = sessions.find(this.#tokenOf(request) ?? '')
    const userAgent = request.headers['user-agent'] ?? ''
    const { token } = await sessions.begin(ppid, { ip: request.ip, userAgent, ...how })
    if (before !== undefined) await sessions.end(before.ppid, before.id)
    this.#setCookie(reply, token, cookieSeconds)
    await this.remember(request, reply, ppid)
  }

  /** Lets passwords that a browser tries for an account be counted apart from those of others. */
  async remember(request: FastifyRequest, reply: FastifyReply, ppid: string): Promise<void> {
    const name = this.#browserCookie(ppid)
    const former = readCookie(request, name)
    const token = await this.#options.browsers.remember(ppid, former)
    const attributes = `${this.#attributes}; Max-Age=${browserCookieSeconds}`
    reply.header('set-cookie', `${name}=${token}; ${attributes}`)
  }

  /**
   * Names a browser among those of an account, which is itself named by an address or a ppid: one
   * in which its person is signed in, or has been. Undefined for all others.
   */
  knownBrowser(request: FastifyRequest, visitor: Visitor, named: string): string | undefined {
    const { accounts, browsers } = this.#options
    const account = accounts.findByEmail(named) ?? accounts.find(named)
    if (account === undefined) return undefined
    if (visitor.account?.ppid === account.ppid) return visitor.session?.id
    const token = readCookie(request, this.#browserCookie(account.ppid))
    return token === undefined ? undefined : browsers.find(account.ppid, token)
  }

  /**
   * Has a browser keep a secret for the page at `place`, sealed, until that is loaded in the same
   * session: so that the page which a form leads to shows it once, and loading that again does not.
   */
  keepSecret(reply: FastifyReply, { session }: Visitor, place: string, secret: string): void {
    const sealed = sealText(this.#onceKey(), `${session?.id}\0${place}`, secret)
    this.#setOnce(reply, encodeURIComponent(sealed), onceSeconds)
  }

  /** The secret that is kept for a place, which is forgotten now; undefined if there is none. */
  takeSecret(
    request: FastifyRequest,
    reply: FastifyReply,
    { session }: Visitor,
    place: string,
  ): string | undefined {
    const [sealed = ''] = cookieValues(request.headers, this.#onceName())
    if (!onceForm.test(sealed)) return undefined
    const text = decodeURIComponent(sealed)
    const secret = openText(this.#onceKey(), `${session?.id}\0${place}`, text)
    if (secret !== undefined) this.#setOnce(reply, '', 0)
    return secret
  }

  /**
   * Has a browser keep, sealed, what somebody has typed into a form of the page at `place`, for ten
   * minutes: for that person, in that browser. False if it is too long for a cookie, or to unpack.
   */
  keepForm(
    reply: FastifyReply,
    { account }: Pick<Visitor, 'account'>,
    place: string,
    form: KeptForm,
  ): boolean {
    const text = keptText(form, this.#options.nowMs() + pendingSeconds * 1_000)
    if (Buffer.byteLength(text) > formBytesMax) return false
    const sealed = encodeURIComponent(
      sealText(this.#keyFor('kept form'), `${account?.ppid}\0${place}`, packed(text)),
    )
    if (sealed.length > formCookieMax) return false
    this.#setForm(reply, sealed, pendingSeconds)
    return true
  }

  /** The form that is kept for a place, which is forgotten now; undefined if there is none. */
  takeForm(
    request: FastifyRequest,
    reply: FastifyReply,
    { account }: Pick<Visitor, 'account'>,
    place: string,
  ): KeptForm | undefined {
    const [sealed = ''] = cookieValues(request.headers, `${this.#cookie}_form`)
    if (!onceForm.test(sealed)) return undefined
    const about = `${account?.ppid}\0${place}`
    const text = openText(this.#keyFor('kept form'), about, decodeURIComponent(sealed))
    if (text === undefined) return undefined
    this.#setForm(reply, '', 0)
    return readKept(unpacked(text), this.#options.nowMs())
  }

  #setForm(reply: FastifyReply, value: string, seconds: number): void {
    reply.header(
      'set-cookie',
      `${this.#cookie}_form=${value}; ${this.#attributes}; Max-Age=${seconds}`,
    )
  }

  /**
   * Has a browser keep, sealed, that it has shown all of an account but the second factor. It is
   * good in this browser only, for ten minutes, and until the account has another password.
   */
  keepPendingSecondFactor(
    request: FastifyRequest,
    reply: FastifyReply,
    pending: PendingSecondFactor,
  ): void {
    const { account, ...rest } = pending
    const kept: KeptSecondFactor = {
      ...rest,
      ppid: account.ppid,
      credentials: this.#credentialsOf(account),
      expiresMs: this.#options.nowMs() + pendingSeconds * 1_000,
    }
    const sealed = sealText(this.#pendingKey(), this.#tokenOf(request) ?? '', JSON.stringify(kept))
    this.#setPending(reply, encodeURIComponent(sealed), pendingSeconds)
  }

  /** What `keepPendingSecondFactor` has had a browser keep, as long as it is good. */
  readPendingSecondFactor(request: FastifyRequest): PendingSecondFactor | undefined {
    const token = this.#tokenOf(request)
    const [sealed = ''] = cookieValues(request.headers, this.#pendingName())
    if (token === undefined || !onceForm.test(sealed)) return undefined
    const text = openText(this.#pendingKey(), token, decodeURIComponent(sealed))
    if (text === undefined) return undefined
    const { ppid, credentials, expiresMs, ...pending } = JSON.parse(text) as KeptSecondFactor
    const account = this.#options.accounts.find(ppid)
    if (account === undefined || this.#options.nowMs() >= expiresMs) return undefined
    if (credentials !== this.#credentialsOf(account)) return undefined
    return { ...pending, account }
  }

  /** Has a browser forget what it keeps of a sign-in that is over. */
  forgetPendingSecondFactor(reply: FastifyReply): void {
    this.#setPending(reply, '', 0)
  }

  /** Ends the session of a visitor. */
  async signOut(reply: FastifyReply, { session }: Visitor): Promise<void> {
    if (session !== undefined) await this.#options.sessions.end(session.ppid, session.id)
    this.#setCookie(reply, '', 0)
  }

  /**
   * The browser that sends a request, for the identity provider. Signing it out sets its cookie on
   * the reply beneath, because the provider writes the reply itself.
   */
  browserOf(request: FastifyRequest, reply: FastifyReply): Browser {
    const visitor = this.visitorOf(request, reply)
    return {
      ppid: visitor.account?.ppid,
      sessionId: visitor.session?.id,
      authentication: visitor.session && authenticationOf(visitor.session),
      signOut: async () => {
        await this.signOut(reply, visitor)
        const cookie = reply.getHeader('set-cookie')
        if (typeof cookie === 'string') reply.raw.appendHeader('set-cookie', cookie)
      },
    }
  }

  /** Stands for what signs a person in at this time: another password makes another text. */
  #credentialsOf({ password, links }: Account): string {
    const text = JSON.stringify([password, links])
    return createHmac('sha256', this.#pendingKey()).update(text).digest('base64url')
  }

  #pendingName(): string {
    return `${this.#cookie}_half`
  }

  #pendingKey(): Buffer {
    return this.#keyFor('half signed in')
  }

  #setPending(reply: FastifyReply, value: string, seconds: number): void {
    const attributes = `${this.#attributes}; Max-Age=${seconds}`
    reply.header('set-cookie', `${this.#pendingName()}=${value}; ${attributes}`)
  }

  #onceName(): string {
    return `${this.#cookie}_once`
  }

  #onceKey(): Buffer {
    return this.#keyFor('shown once')
  }

  #keyFor(purpose: string): Buffer {
    return createHmac('sha256', this.#options.csrfKey).update(purpose).digest()
  }

  #setOnce(reply: FastifyReply, value: string, seconds: number): void {
    const attributes = `${this.#attributes}; Max-Age=${seconds}`
    reply.header('set-cookie', `${this.#onceName()}=${value}; ${attributes}`)
  }

  #tokenOf(request: FastifyRequest): string | undefined {
    return readCookie(request, this.#cookie)
  }

  #browserCookie(ppid: string): string {
    return `${this.#cookie}_${this.#options.browsers.nameOf(ppid)}`
  }

  #setCookie(reply: FastifyReply, token: string, seconds?: number): void {
    const age = seconds === undefined ? '' : `; Max-Age=${seconds}`
    // A token that the same reply was about to set is replaced.
    reply.removeHeader('set-cookie')
    reply.header('set-cookie', `${this.#cookie}=${token}; ${this.#attributes}${age}`)
  }

  #nameOf(token: string): string {
    return createHmac('sha256', this.#options.csrfKey).update(`name ${token}`).digest('base64url')
  }

  #csrfOf(token: string): string {
    const { csrfKey, random } = this.#options
    return mask(createHmac('sha256', csrfKey).update(token).digest(), random)
  }
}

/** Base64 in a cookie. */
const onceForm = /^(?:[0-9A-Za-z]|%2B|%2F|%3D)+$/

/**
 * A secret as a page has it: other characters each time. So the length of a compressed page, in
 * which a stranger may have a word, tells nothing of it (the attack called BREACH).
 */
function mask(secret: Buffer, random: (bytes: number) => Uint8Array): string {
  const noise = Buffer.from(random(secret.length))
  return Buffer.concat([noise, combine(secret, noise)]).toString('base64url')
}

/** The secret that was masked; other bytes for any other text. */
function unmask(masked: string): Buffer {
  const bytes = Buffer.from(masked, 'base64url')
  const pending = bytes.length >> 1
  return combine(bytes.subarray(pending), bytes.subarray(0, pending))
}

function combine(some: Buffer, others: Buffer): Buffer {
  return Buffer.from(some.map((byte, at) => byte ^ (others[at] ?? 0)))
}

function readCookie({ headers }: FastifyRequest, name: string): string | undefined {
  return cookieValues(headers, name).find(isBrowserToken)
}
