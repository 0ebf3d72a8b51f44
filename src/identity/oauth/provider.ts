import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { html } from 'ghtml'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'

import type { AuthenticationContext } from '#src/identity/oauth/authentication_context.ts'
import { type ProviderOptions, providerRoutes } from '#src/identity/oauth/provider_configuration.ts'
import type { KeyRotation } from '#src/identity/oauth/token_keys.ts'

/** A browser that is sent to the provider: its session with the pages is the truth. */
export type Browser = {
  /** The person that it is signed in as. */
  readonly ppid: string | undefined
  /** The name of its session with the pages. */
  readonly sessionId: string | undefined
  /** When and how that person has signed in to it. */
  readonly authentication: AuthenticationContext | undefined
  /** Signs it out of the pages. */
  signOut(): Promise<void>
}

export type IdentityProviderOptions = Omit<ProviderOptions, 'sessionIdOf'> & {
  /** Is told of what failed inside. */
  readonly report: (fault: unknown) => void
}

/** What the provider asks a person, and of which request. */
export type Question = Awaited<ReturnType<Provider['interactionDetails']>>

type Context = KoaContextWithOIDC

type Built = {
  readonly provider: Provider
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>
}

/**
 * What a page of the provider may do: nothing but load our stylesheet. The provider adds the digest
 * of its own script, where one of its pages sends itself on, to `script-src`.
 */
const pagePolicy =
  "default-src 'none'; script-src; style-src 'self'; img-src 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'"

/**
 * The one OpenID Provider, as a handler of requests. The library is a sixth of what a start would
 * load, and no command asks it anything: it is loaded, and the provider built, when first asked.
 */
export class IdentityProvider {
  readonly issuer: string
  readonly #options: IdentityProviderOptions
  readonly #issuerUrl: URL
  readonly #browsers = new WeakMap<IncomingMessage, Browser>()
  #built: Promise<Built> | undefined

  constructor(options: IdentityProviderOptions) {
    this.issuer = options.issuer
    this.#options = options
    this.#issuerUrl = new URL(options.issuer)
  }

  /**
   * Answers a request. `path` is that below the issuer, with the query, such as `/oauth/jwks`. The
   * address in every answer is the configured one, whatever the request calls the host.
   */
  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    browser?: Browser,
  ): Promise<void> {
    const { host, protocol, pathname } = this.#issuerUrl
    const prefix = pathname.replace(/\/$/, '')
    // The provider takes its mount point for what stands in the one before the other.
    Object.assign(request, { originalUrl: prefix + path, url: path })
    Object.assign(request.headers, { host, 'x-forwarded-proto': protocol.slice(0, -1) })
    delete request.headers['x-forwarded-host']
    delete request.headers['x-forwarded-for']
    response.setHeader('content-security-policy', pagePolicy)
    if (browser !== undefined) this.#browsers.set(request, browser)
    const { handle } = await this.#open()
    await handle(request, response)
  }

  /** What the provider asks of a browser; undefined if it asks it nothing, or no longer. */
  async question(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Question | undefined> {
    const { provider } = await this.#open()
    const { errors } = await import('oidc-provider')
    try {
      return await provider.interactionDetails(request, response)
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return undefined
      throw error
    }
  }

  /** The provider itself, for the answers to the questions that it asks a person. */
  async interactions(): Promise<Pick<Provider, 'interactionResult' | 'Grant'>> {
    const { provider } = await this.#open()
    return provider
  }

  /** Takes the next step of a rotation of the keys that sign ID tokens. */
  async rotateKeys(): Promise<KeyRotation> {
    const rotation = await this.#options.tokenKeys.rotate()
    if (rotation.step !== 'too_early') {
      // It reads its keys once. All else that it knows lies in its records.
      this.#built = undefined
    }
    return rotation
  }

  async #open(): Promise<Built> {
    // Another thread may have taken the next step of a rotation.
    if (await this.#options.tokenKeys.refresh()) this.#built = undefined
    this.#built ??= this.#build()
    return this.#built
  }

  async #build(): Promise<Built> {
    const { Provider } = await import('oidc-provider')
    const { providerConfiguration } = await import('#src/identity/oauth/provider_configuration.ts')
    const { issuer, report, records } = this.#options
    const sessionIdOf = (request: IncomingMessage) => this.#browsers.get(request)?.sessionId
    const configuration = providerConfiguration({ ...this.#options, sessionIdOf })
    const provider = new Provider(issuer, configuration)
    // The headers that this trusts are ours: `answer` sets them.
    provider.proxy = true
    provider.on('server_error', (_context, error) => report(error))
    const failures: EventEmitter = provider
    failures.on('error', report)
    Object.assign(provider.Client.prototype, {
      // Secrets are kept as digests.
      compareClientSecret(this: { clientId: string }, presented: string): boolean {
        return records.applications.isSecret(this.clientId, presented)
      },
      // Answers come in the query. The mode of a type that is not supported says nothing: the
      // client is told of the type (RFC 6749 §4.1.2.1).
      responseModeAllowed(mode: string, responseType: string): boolean {
        return mode === 'query' || responseType !== 'code'
      },
    })
    provider.use(async (context, next) => {
      const browser = this.#browsers.get(context.req)
      if (browser !== undefined) await followBrowser(provider, context as Context, browser)
      try {
        await next()
        this.#tellNewestToken(context as Context)
      } finally {
        records.redemptions.leave(context)
      }
      addMessage(context as Context)
      if (browser === undefined) return
      this.#askToSignOut(context as Context, browser)
      await this.#signOut(context as Context, browser)
    })
    return { provider, handle: provider.callback() }
  }

  /** Who redeems again what was redeemed just now is told the refresh token that came of it. */
  #tellNewestToken(context: Context): void {
    const turn = this.#options.records.redemptions.heldBy(context)?.turn
    const { body } = context
    if (turn?.type !== 'again' || typeof body !== 'object' || body === null) return
    if (!('access_token' in body)) return
    context.body = { ...body, refresh_token: turn.refreshToken }
  }

  /** Who is signed in to the pages alone is asked too: the provider asks its own people only. */
  #askToSignOut(context: Context, { ppid }: Browser): void {
    if (context.path !== providerRoutes.end_session || context.status !== 200) return
    const { session } = context.oidc
    const secret: unknown = session?.state?.['secret']
    if (ppid === undefined || session?.accountId !== undefined || typeof secret !== 'string') return
    const action = `${this.issuer}${providerRoutes.end_session}/confirm`
    const form = html`<form id="op.logoutForm" method="post" action="${action}">
<input type="hidden" name="xsrf" value="${secret}"></form>`
    context.set('content-security-policy', pagePolicy)
    context.body = this.#options.pages.signOut(context, form)
  }

  /** After a sign-out here the pages are signed out too; and the answer to a form stays with us. */
  async #signOut(context: Context, browser: Browser): Promise<void> {
    if (context.path !== `${providerRoutes.end_session}/confirm` || context.status !== 303) return
    const isOver = context.oidc.params?.['logout'] !== undefined
    if (isOver) await browser.signOut()
    const location = context.response.get('location')
    const saysSo = new URL(location).pathname.endsWith(`${providerRoutes.end_session}/success`)
    // The provider would tell those who stay that they are signed out.
    const url = saysSo && !isOver ? `${this.issuer}/account` : location
    context.remove('location')
    context.status = 200
    context.type = 'html'
    context.body = this.#options.pages.goOn(context, url)
  }
}

/**
 * Lets the provider's own session be that of the pages, before the provider looks at it: one of a
 * person that the browser is no longer signed in as is ended, and one of a person who has signed in
 * anew since tells when and how they last did.
 */
async function followBrowser(
  provider: Provider,
  context: Context,
  { ppid, authentication }: Browser,
): Promise<void> {
  const session = await provider.Session.get(context)
  if (session.accountId === undefined) return
  if (session.accountId !== ppid || authentication === undefined) return session.destroy()
  const { ts: loginTs, acr, amr } = authentication
  const known = [session.loginTs, session.acr, session.amr]
  if (JSON.stringify(known) === JSON.stringify([loginTs, acr, amr])) return
  session.loginAccount({ accountId: ppid, loginTs, acr, amr })
  await session.persist()
}

/** Lets an error speak to the readers of OAuth and to those of this interface alike. */
function addMessage(context: Context): void {
  const { body } = context
  if (typeof body !== 'object' || body === null || !('error' in body)) return
  const { error, error_description } = body as { error: string; error_description?: string }
  const request_id = context.response.get('x-request-id')
  context.body = { ...body, message: error_description ?? error, request_id }
}
