import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import { HttpError } from '#src/errors.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import { type AccountFrame, renderAccountPage } from '#src/pages/kit/account_frame.ts'
import type { BrowserSessions } from '#src/pages/kit/browser_sessions.ts'
import { errorPages } from '#src/pages/kit/error_page.ts'
import { type Page, pagePolicy } from '#src/pages/kit/page.ts'
import type { SignedInReader } from '#src/pages/kit/who_menu.ts'

/** What the frame around a page below the auth prefix is made from. */
export type AccountPageReplies = {
  /** Path of the auth prefix, such as `/auth`, or empty. */
  readonly prefix: string
  readonly browserSessions: BrowserSessions
  readonly baseUrl: string
  readonly environment: EnvironmentName
  readonly maySignUp: boolean
  /** Who somebody is, for the menu of the header. */
  readonly readerOf: (account: Account) => Promise<SignedInReader>
}

/** Sends a page in the frame of the person whose browser asks for it, who may be nobody. */
export async function sendAccountPage(
  page: Page,
  request: FastifyRequest,
  reply: FastifyReply,
  options: AccountPageReplies,
): Promise<FastifyReply> {
  const { prefix, browserSessions, baseUrl, environment, maySignUp, readerOf } = options
  const { account, csrf } = browserSessions.visitorOf(request, reply)
  const frame: AccountFrame = {
    prefix,
    baseUrl,
    environment,
    reader: account && (await readerOf(account)),
    maySignUp,
    csrf,
  }
  reply.code(page.status ?? 200)
  reply.header('content-type', 'text/html; charset=utf-8')
  reply.header('content-security-policy', pagePolicy(page))
  // Under `no-referrer`, which data has, browsers send forms with an Origin of null.
  reply.header('referrer-policy', 'same-origin')
  reply.header('cache-control', 'no-store')
  return reply.send(renderAccountPage(page, frame).text)
}

/** Errors below the prefix are pages to browsers, and what they are elsewhere to programs. */
export function registerErrorPages(scope: FastifyInstance, options: AccountPageReplies): void {
  const answer = errorPages(
    (page, request, reply) => void sendAccountPage(page, request, reply, options),
  )
  scope.setErrorHandler((error: FastifyError, request, reply) => answer(error, request, reply))
  // At the root there is one already, for all that is not a page.
  if (options.prefix === '') return
  scope.setNotFoundHandler((request, reply) => {
    answer(new HttpError('not_found', 'There is nothing at this address'), request, reply)
  })
}
