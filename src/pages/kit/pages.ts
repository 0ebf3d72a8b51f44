import type { Branding } from '#src/use_cases/landing_record.ts'
import { createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import { markSandbox } from '#src/edge/admission.ts'
import { countedAddress } from '#src/edge/caller.ts'
import type { CountRequest } from '#src/edge/request_limits.ts'
import { keepLanguage } from '#src/edge/reader_language.ts'
import type { AccountLimit, AddressLimit } from '#src/edge/limits/limits.ts'
import { type Account, foldEmail } from '#src/identity/accounts/account.ts'
import {
  isFresh,
  type SessionOrigin,
  type SignInMethod,
  type WebSession,
} from '#src/identity/accounts/web_session.ts'
import {
  type AccountPage,
  registerErrorPages,
  sendAccountPage,
  writePage,
} from '#src/pages/kit/account_frame.ts'
import { type Asset, registerAssets } from '#src/pages/kit/assets.ts'
import { registerLanguageRoute } from '#src/pages/kit/language_route.ts'
import type {
  BrowserSessions,
  PendingSecondFactor,
  Visitor,
} from '#src/pages/sessions/browser_sessions.ts'
import { type FormBody, registerFormBody } from '#src/pages/kit/form.ts'
import { keepable, type KeptForm } from '#src/pages/sessions/kept_form.ts'
import type { SignedInReader } from '#src/pages/kit/page.ts'
import {
  confirmPath,
  unsentPath,
  home,
  type LeadBrowser,
  leadToPages,
  readReturnPath,
  secondFactorPath,
  secondStepPath,
} from '#src/pages/kit/page_address.ts'
import { languageOf } from '#src/words/languages.ts'

/** A request for a page: by whom, and where it stands. */
export type Visit = Visitor & {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** The named parts of the path. */
  readonly parameters: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The address or network that the visitor is counted by. */
  readonly from: string
}

/** A visit of somebody who is signed in. */
export type MemberVisit = Visit & { readonly account: Account; readonly session: WebSession }

/**
 * What a handler answers: a page; 303 to a path below the prefix (`/account?done=saved`) or to an
 * absolute URL; `sent` if it has answered by itself (an OpenID Provider, a download).
 */
export type PageReply = AccountPage | { readonly redirect: string } | { readonly sent: true }

/** How somebody has shown who they are, and the path below the prefix that they came for. */
export type SignIn = {
  readonly method: SignInMethod
  /** The name of the provider that has said who it is. */
  readonly issuer?: string
  readonly to: string
}

type ShownSignIn = Pick<SessionOrigin, 'methods' | 'issuer'>

/** How a route of pages is counted and what it takes. */
export type PageOptions = {
  /** `pages` by default. */
  readonly limit?: AddressLimit
  /** Bytes of a form. */
  readonly formBytesMax?: number
}

/**
 * Adds routes of pages below the prefix. A form's handler is called only when its CSRF token and
 * its origin are right; HttpErrors that a handler throws become a page.
 */
export type PageRoutes<V extends Visit> = {
  get(
    path: string,
    handler: (visit: V) => PageReply | Promise<PageReply>,
    options?: PageOptions,
  ): void
  post(
    path: string,
    handler: (visit: V, form: FormBody) => PageReply | Promise<PageReply>,
    options?: PageOptions,
  ): void
}

/**
 * `open` pages are for anybody; `member` pages send others to the sign-in and back again. `fresh`
 * ones are for members who have shown within ten minutes who they are, and send all others of them
 * to the page that asks for it.
 */
export type Pages = {
  /** Path of the auth prefix, such as `/auth`, or empty. */
  readonly prefix: string
  readonly open: PageRoutes<Visit>
  readonly member: PageRoutes<MemberVisit>
  readonly fresh: PageRoutes<MemberVisit>
  /**
   * Signs the browser of a visit in, with a new cookie, and leads to a path below the prefix; or
   * leads to the page that asks for the second factor, if the account has one. A passkey is both:
   * its device has made sure who it is.
   */
  signIn(visit: Visit, account: Account, how: SignIn): Promise<PageReply>
  /** Who has signed in with the browser of a visit just now, but for the second factor. */
  pendingSecondFactor(visit: Visit): PendingSecondFactor | undefined
  /** Signs such a browser in, after its second factor. */
  finishSignIn(visit: Visit, pending: PendingSecondFactor, second: SignInMethod): Promise<PageReply>
  signOut(visit: Visit): Promise<void>
  /**
   * Redirects from a form to a page that shows a secret once (`takeSecret`): loading that page
   * again sends nothing again. `path` is without the prefix.
   */
  redirectWithSecret(visit: MemberVisit, path: string, secret: string): PageReply
  /** The secret that a page is shown now, and not again; undefined if there is none. */
  takeSecret(visit: MemberVisit, path: string): string | undefined
  /** What was typed into a form of this page that was stopped to ask who it is; once. */
  takeForm(visit: MemberVisit): KeptForm | undefined
  /** The form that was sent after its session had ended, from this browser; once. */
  takeUnsent(visit: MemberVisit): KeptForm | undefined
  /** Has the browser of a visit counted apart for an account from now on. */
  remember(visit: Visit, ppid: string): Promise<void>
  /**
   * Counts a visit for the account that a form names, by an address or a ppid, and apart from all
   * others for each browser in which its person has signed in; HttpError `rate_limit_exceeded`
   * beyond.
   */
  countAccount(limit: AccountLimit, visit: Visit, named: string): Promise<void>
  /** The path below the prefix that a `return_to` names; `home` if it leads elsewhere. */
  returnTo(given: string | null | undefined): string
  /** The query that carries a `return_to` on to the next page; empty if it leads elsewhere. */
  returnQuery(given: string | null | undefined): string
}

export type PagesOptions = {
  readonly branding: Branding
  /** Files of this registry that pages load beside those of all. */
  readonly ownAssets: readonly Asset[]
  readonly browserSessions: BrowserSessions
  /** The public address of the pages, without a slash at its end. */
  readonly authUrl: string
  readonly baseUrl: string
  readonly environment: EnvironmentName
  readonly maySignUp: boolean
  /** Whether more than a password is asked of a person. */
  readonly hasSecondFactor: (ppid: string) => boolean
  /** Whether nobody administers without a second step of the sign-in. */
  readonly adminsNeedSecondStep: boolean
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
  readonly csrfKey: Uint8Array
  readonly count: CountRequest
  /** Who somebody is, for the menu of the header. */
  readonly readerOf: (account: Account) => Promise<SignedInReader>
}

/** A visit of a member, with what the pages that they are at are made from. */
export type VisitIn<C> = MemberVisit & { readonly context: C }

/** Routes of members, whose handlers take what `enter` makes of a visit; `base` begins paths. */
export type EnteredRoutes<V extends MemberVisit> = Readonly<
  Record<'member' | 'fresh', PageRoutes<V>>
>

/** The routes of pages that members enter. HttpErrors of `enter` become a page. */
export function enteredRoutes<V extends MemberVisit>(
  pages: Pages,
  enter: (visit: MemberVisit) => V,
  base = '',
): EnteredRoutes<V> {
  const entered = (routes: PageRoutes<MemberVisit>): PageRoutes<V> => ({
    get: (path, handler, options) =>
      routes.get(base + path, (visit) => handler(enter(visit)), options),
    post: (path, handler, options) =>
      routes.post(base + path, (visit, form) => handler(enter(visit), form), options),
  })
  return { member: entered(pages.member), fresh: entered(pages.fresh) }
}

/** The routes of pages that are made from a context. */
export function routesIn<C extends { readonly pages: Pages }>(
  context: C,
): EnteredRoutes<VisitIn<C>> {
  return enteredRoutes(context.pages, (visit) => ({ ...visit, context }))
}

/** Leads back to a page, with what it asks for, after a form; the page says so by its `done`. */
export function redirectDone(
  path: string,
  word: string,
  query: Readonly<Record<string, string>> = {},
): PageReply {
  return { redirect: `${path}?${new URLSearchParams({ done: word, ...query })}` }
}

const formBytesMax = 65_536

/** Where administrators begin who may do nothing as such without a second step. */
const secondStepFirst = `${secondStepPath}?done=required`

/**
 * Registers everything that is a page, in a scope of the server of its own. `addPages` adds the
 * pages; their paths are without the prefix.
 */
export async function registerPages(
  server: FastifyInstance,
  options: PagesOptions,
  addPages: (pages: Pages, scope: FastifyInstance) => void,
): Promise<void> {
  const prefix = new URL(options.authUrl).pathname.replace(/\/$/, '')
  await server.register(
    (scope, _options, done) => {
      registerFormBody(scope)
      if (options.environment === 'sandbox') markAllSandbox(scope)
      registerErrorPages(scope, { ...options, prefix })
      // At the root they are those of the public pages.
      if (prefix !== '') {
        registerAssets(scope, options.ownAssets)
        registerLanguageRoute(scope, {
          count: options.count,
          origin: new URL(options.authUrl).origin,
        })
      }
      addPages(new PageScope(scope, options, prefix), scope)
      done()
    },
    { prefix },
  )
}

function markAllSandbox(scope: FastifyInstance): void {
  scope.addHook('onRequest', (_request, reply, done) => {
    markSandbox(reply)
    done()
  })
}

class PageScope implements Pages {
  readonly prefix: string
  readonly open: PageRoutes<Visit>
  readonly member: PageRoutes<MemberVisit>
  readonly fresh: PageRoutes<MemberVisit>
  readonly #scope: FastifyInstance
  readonly #options: PagesOptions
  readonly #lead: LeadBrowser

  constructor(scope: FastifyInstance, options: PagesOptions, prefix: string) {
    this.prefix = prefix
    this.#scope = scope
    this.#options = options
    this.#lead = leadToPages(options.baseUrl, options.authUrl)
    this.open = this.#routes<Visit>((visit) => visit)
    const admitMember = (visit: Visit, form?: FormBody) => this.#admitMember(visit, form)
    this.member = this.#routes<MemberVisit>(admitMember)
    this.fresh = this.#routes<MemberVisit>((visit, form) => {
      const member = admitMember(visit, form)
      if ('redirect' in member || isFresh(member.session, options.nowMs())) return member
      return { redirect: this.#confirmFirst(visit, form) }
    })
  }

  async signIn(visit: Visit, account: Account, how: SignIn): Promise<PageReply> {
    const { method, to, issuer } = how
    const { browserSessions, hasSecondFactor } = this.#options
    const { request, reply } = visit
    const isPasskey = method === 'device_passkey' || method === 'synced_passkey'
    if (!isPasskey && hasSecondFactor(account.ppid)) {
      browserSessions.keepPendingSecondFactor(request, reply, { ...how, account })
      return { redirect: secondFactorPath }
    }
    const shown = { methods: [method], ...(issuer !== undefined && { issuer }) }
    await this.#signIn(visit, account, shown)
    return { redirect: this.#lacksSecondStep(account) ? secondStepFirst : to }
  }

  pendingSecondFactor({ request }: Visit): PendingSecondFactor | undefined {
    return this.#options.browserSessions.readPendingSecondFactor(request)
  }

  async #signIn({ request, reply }: Visit, account: Account, how: ShownSignIn): Promise<void> {
    const { browserSessions, authUrl } = this.#options
    await browserSessions.signIn(request, reply, account.ppid, how)
    const language = account.language === undefined ? undefined : languageOf(account.language)
    if (language !== undefined) keepLanguage(reply, language, authUrl)
  }

  async finishSignIn(
    visit: Visit,
    { account, method, issuer, to }: PendingSecondFactor,
    second: SignInMethod,
  ): Promise<PageReply> {
    const { browserSessions } = this.#options
    const shown = { methods: [method, second], ...(issuer !== undefined && { issuer }) }
    await this.#signIn(visit, account, shown)
    browserSessions.forgetPendingSecondFactor(visit.reply)
    return { redirect: to }
  }

  signOut(visit: Visit): Promise<void> {
    return this.#options.browserSessions.signOut(visit.reply, visit)
  }

  redirectWithSecret(visit: MemberVisit, path: string, secret: string): PageReply {
    this.#options.browserSessions.keepSecret(visit.reply, visit, path, secret)
    return { redirect: path }
  }

  takeSecret(visit: MemberVisit, path: string): string | undefined {
    const { request, reply } = visit
    return this.#options.browserSessions.takeSecret(request, reply, visit, path)
  }

  takeUnsent({ request, reply }: MemberVisit): KeptForm | undefined {
    const nobody = { account: undefined }
    return this.#options.browserSessions.takeForm(request, reply, nobody, this.prefix + unsentPath)
  }

  takeForm(visit: MemberVisit): KeptForm | undefined {
    const { request, reply } = visit
    return this.#options.browserSessions.takeForm(
      request,
      reply,
      visit,
      pathOf(request.originalUrl),
    )
  }

  remember({ request, reply }: Visit, ppid: string): Promise<void> {
    return this.#options.browserSessions.remember(request, reply, ppid)
  }

  async countAccount(limit: AccountLimit, visit: Visit, named: string): Promise<void> {
    const { csrfKey, count, browserSessions } = this.#options
    const { request, reply } = visit
    const browser = browserSessions.knownBrowser(request, visit, named) ?? ''
    const counted = `${foldEmail(named)}\0${browser}`
    request.countedAccount = createHmac('sha256', csrfKey).update(counted).digest('hex')
    await count(limit, request, reply)
  }

  returnTo(given: string | null | undefined): string {
    return readReturnPath(given ?? '', this.#options.authUrl) ?? home
  }

  returnQuery(given: string | null | undefined): string {
    const path = readReturnPath(given ?? '', this.#options.authUrl)
    return path === undefined ? '' : `?${new URLSearchParams({ return_to: this.prefix + path })}`
  }

  /** A visit of somebody who is signed in, with the rights that they can use now; `suspended`. */
  #admitMember(
    visit: Visit,
    form: FormBody | undefined,
  ): MemberVisit | { readonly redirect: string } {
    const { account, session, request } = visit
    if (account === undefined || session === undefined)
      return { redirect: this.#signInFirst(visit, form) }
    this.#options.browserSessions.checkPerson(account.ppid)
    if (!this.#lacksSecondStep(account)) return { ...visit, account, session }
    if (request.routeOptions.url?.startsWith(`${this.prefix}/admin`) === true) {
      return { redirect: secondStepFirst }
    }
    return { ...visit, account: { ...account, roles: [] }, session }
  }

  #lacksSecondStep({ ppid, roles }: Account): boolean {
    const { adminsNeedSecondStep, hasSecondFactor } = this.#options
    return adminsNeedSecondStep && roles.includes('admin') && !hasSecondFactor(ppid)
  }

  /**
   * The page that asks who it is, and leads back; from a form, to the page that it stands on, which
   * has it as it was typed.
   */
  #confirmFirst(visit: Visit, form: FormBody | undefined): string {
    const { originalUrl, headers } = visit.request
    if (form === undefined) return confirmPath + this.returnQuery(originalUrl)
    const back = readReturnPath(headers.referer ?? '', this.#options.authUrl)
    if (back === undefined) return `${confirmPath}?done=form`
    const kept = keepable(originalUrl, form)
    const place = pathOf(this.prefix + back)
    const isKept =
      kept !== undefined && this.#options.browserSessions.keepForm(visit.reply, visit, place, kept)
    return `${confirmPath}${this.returnQuery(headers.referer)}&done=${isKept ? 'kept' : 'form'}`
  }

  /** The sign-in, which leads back to the page, or to the one that has a form as it was sent. */
  #signInFirst(visit: Visit, form: FormBody | undefined): string {
    const { originalUrl } = visit.request
    if (form === undefined) return `/sign-in?${new URLSearchParams({ return_to: originalUrl })}`
    const kept = keepable(originalUrl, form)
    const place = this.prefix + unsentPath
    const { browserSessions } = this.#options
    const isKept = kept !== undefined && browserSessions.keepForm(visit.reply, visit, place, kept)
    if (!isKept) return '/sign-in?done=expired'
    return `/sign-in?${new URLSearchParams({ return_to: place, done: 'kept' })}`
  }

  #routes<V extends Visit>(
    admit: (visit: Visit, form?: FormBody) => V | { readonly redirect: string },
  ): PageRoutes<V> {
    return {
      get: (path, handler, { limit = 'pages' } = {}) => {
        this.#scope.get(path, this.#route(limit), async (request, reply) => {
          const visit = admit(this.#visit(request, reply))
          return this.#answer(request, reply, 'redirect' in visit ? visit : await handler(visit))
        })
      },
      post: (path, handler, { limit = 'pages', formBytesMax: bodyLimit = formBytesMax } = {}) => {
        const route = { ...this.#route(limit), bodyLimit }
        this.#scope.post(path, route, async (request, reply) => {
          const asked = this.#visit(request, reply)
          const form = (request.body ?? new Map()) as FormBody
          this.#options.browserSessions.checkForm(request, asked, form)
          const visit = admit(asked, form)
          const answer = 'redirect' in visit ? visit : await handler(visit, form)
          return this.#answer(request, reply, answer)
        })
      },
    }
  }

  #route(limit: AddressLimit) {
    const { count } = this.#options
    return {
      schema: { hide: true },
      // The root of the pages has one address, as all of them.
      prefixTrailingSlash: 'no-slash' as const,
      onRequest: [
        this.#lead,
        (request: FastifyRequest, reply: FastifyReply) => count(limit, request, reply),
      ],
    }
  }

  #visit(request: FastifyRequest, reply: FastifyReply): Visit {
    const query = queryOf(request)
    const parameters = request.params as Record<string, string>
    const visitor = this.#options.browserSessions.visitorOf(request, reply)
    return { ...visitor, request, reply, parameters, query, from: countedAddress(request.ip) }
  }

  async #answer(request: FastifyRequest, reply: FastifyReply, answer: PageReply) {
    if ('sent' in answer) return reply
    if ('title' in answer) {
      const page = writePage(answer, queryOf(request))
      return sendAccountPage(page, request, reply, { ...this.#options, prefix: this.prefix })
    }
    const { redirect } = answer
    reply.header('cache-control', 'no-store')
    return reply.redirect(redirect.startsWith('/') ? this.prefix + redirect : redirect, 303)
  }
}

function pathOf(address: string): string {
  return address.split('?')[0] ?? ''
}

function queryOf({ originalUrl }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(originalUrl.split('?')[1] ?? '')
}
