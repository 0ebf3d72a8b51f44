import type { FastifyReply, FastifyRequest } from 'fastify'

import { prefersHtml } from '#src/edge/accept.ts'
import { type AnswerError, logFault, sendError, toHttpError } from '#src/edge/error_reply.ts'
import { errorPage } from '#src/web/kit/error_page.ts'
import type { Page } from '#src/web/kit/page.ts'
import type { PublicSite } from '#src/api/public_site.ts'
import { sendPublicPage } from '#src/web/kit/public_page.ts'

/** Sends a page in the frame of those around it. */
type SendPage = (page: Page, request: FastifyRequest, reply: FastifyReply) => void

/** Addresses that are for programs: whoever asks there reads JSON. */
const forPrograms =
  /^\/(?:v1|api|log|sandbox|docs|openapi\.json|\.well-known|livez|readyz|healthz)(?:[/?]|$)/

/** Answers errors with pages to browsers, and to programs with JSON. */
export function errorPages(send: SendPage): AnswerError {
  return (failure, request, reply) => {
    if (!prefersHtml(request)) {
      sendError(failure, request, reply)
      return
    }
    const error = toHttpError(failure)
    const page = errorPage(error, request.id)
    if ((page.status ?? 200) >= 500) logFault(error, request)
    const retryAfter = error.extra['retry_after']
    if (typeof retryAfter === 'number') reply.header('retry-after', retryAfter)
    reply.header('cache-control', 'no-store')
    send(page, request, reply)
  }
}

/** The answers to errors at the address of the registry, but for addresses of programs. */
export function publicErrorPages(site: PublicSite): AnswerError {
  const answer = errorPages((page, _request, reply) => void sendPublicPage(page, reply, site))
  return (failure, request, reply) => {
    const isForPrograms = forPrograms.test(request.originalUrl)
    if (isForPrograms) sendError(failure, request, reply)
    else answer(failure, request, reply)
  }
}
