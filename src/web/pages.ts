import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Account } from '#src/identity/account.ts'
import type { AddressLimit } from '#src/http/limits.ts'
import type { WebSession } from '#src/identity/web_session.ts'
import type { FormBody } from '#src/web/form_body.ts'
import type { Page } from '#src/web/page.ts'

/** A request for a page: by whom, and where it stands. */
export type Visit = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** The named parts of the path. */
  readonly parameters: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Who is signed in, if anybody. */
  readonly account: Account | undefined
  readonly session: WebSession | undefined
  /** The token that every form of this visit carries: see `form` in form_field.ts. */
  readonly csrf: string
}

/** A visit of somebody who is signed in. */
export type MemberVisit = Visit & { readonly account: Account; readonly session: WebSession }

/**
 * What a handler answers: a page, or 303 to a path below the prefix (`/account?done=saved`) or to
 * an absolute URL. `sent`: the handler has answered by itself (an OpenID Provider, a download).
 */
export type PageReply = Page | { readonly redirect: string } | { readonly sent: true }

/** How a route of pages is counted and what it takes. */
export type PageOptions = {
  /** `pages` unless told. */
  readonly limit?: AddressLimit
  /** Bytes of a form: 64 KiB unless told. */
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

/** `open` pages are for anybody; `member` pages send others to the sign-in and back again. */
export type Pages = {
  /** Path of the auth prefix, such as `/auth`, or empty. */
  readonly prefix: string
  readonly open: PageRoutes<Visit>
  readonly member: PageRoutes<MemberVisit>
  /** Signs the browser of a visit in, with a new cookie. */
  signIn(visit: Visit, ppid: string): Promise<void>
}
