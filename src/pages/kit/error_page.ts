import type { FastifyReply, FastifyRequest } from 'fastify'

import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { doiAtEnd } from '#actors/values/identifier.ts'
import { publicStyle } from '#src/pages/kit/assets.ts'
import { errorStatus, type HttpError } from '#src/edge/errors.ts'
import type { Page } from '#src/pages/kit/page.ts'
import { prefersHtml } from '#src/edge/accept.ts'
import { type AnswerError, logFault, sendError, toHttpError } from '#src/edge/error_reply.ts'
import type { PublicSite } from '#src/use_cases/landing_record.ts'
import { type PublicPage, sendPublicPage } from '#src/pages/kit/public_page.ts'

const titles: Partial<Record<HttpError['code'], string>> = {
  not_found: 'There is no such page',
  not_acceptable: 'This is not to be had in this format',
  forbidden: 'This cannot be done here',
  gone: 'This is no longer good',
  rate_limit_exceeded: 'Too many attempts',
  withheld: 'This work is withheld',
  payload_too_large: 'That is too much at once',
  unavailable: 'Busy at this moment',
  timeout: 'That took too long',
  clock_wrong: 'Nothing can be written at this moment',
  internal_error: 'Something failed here',
  record_damaged: 'This cannot be read here',
}

/** A page in place of the one that was asked for: what is wrong, and what to do. */
function errorPage(error: HttpError, requestId: string): Page {
  const title = titles[error.code] ?? 'This request cannot be understood'
  const status = errorStatus[error.code]
  return {
    title,
    status,
    body: html`<h1>${title}</h1>
<p class="lead">${sentence(error)}</p>
${suggestion(error)}
${status === 404 || status === 406 ? nothing : report(status, requestId)}`,
  }
}

// Who has mistyped an address, or asked for another format, has nothing to report.
function report(status: number, requestId: string): Html {
  return html`<p class="aside">If it goes on, tell the operator of this registry: error ${status},
request <code>${requestId}</code>.</p>`
}

/** The one work that a mistyped ARK is likely to mean. */
function suggestion({ extra: { did_you_mean: ark } }: HttpError): Html {
  return typeof ark === 'string' ? html`<p><a href="/${ark}">Go to ${ark}</a></p>` : nothing
}

function sentence({ code, message, extra }: HttpError): string {
  const wait = extra['retry_after']
  if (code === 'rate_limit_exceeded' && typeof wait === 'number') return retryText(wait)
  return /[.!?]$/.test(message) ? message : `${message}.`
}

function retryText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (seconds < 60) return `Try again in ${seconds} seconds.`
  return `Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
}

/** Sends a page in the frame of those around it. */
type SendPage = (page: Page, request: FastifyRequest, reply: FastifyReply) => void

/** Addresses for programs, where errors are always JSON. */
const forPrograms =
  /^\/(?:v1|api|log|sandbox|openapi\.json|\.well-known|livez|readyz|healthz)(?:[/?]|$)/

/** Pages for people among them. */
const logPages = /^(?:\/sandbox)?\/log(?:\/(?:entries|checkpoints|compare)(?:\/[^?]*)?)?(?:\?|$)/

/** Whether the error of a request is shown as a page, at an address that is not for programs. */
export function showsErrorPage(request: Pick<FastifyRequest, 'originalUrl' | 'headers'>): boolean {
  const { originalUrl: url } = request
  return prefersHtml(request) && (!forPrograms.test(url) || logPages.test(url))
}

/** Answers errors with pages to browsers, and to programs with JSON. */
export function errorPages(send: SendPage): AnswerError {
  return (failure, request, reply) => {
    if (prefersHtml(request)) sendErrorPage(failure, { request, reply, send })
    else sendError(failure, request, reply)
  }
}

function sendErrorPage(
  failure: unknown,
  { request, reply, send }: { request: FastifyRequest; reply: FastifyReply; send: SendPage },
): void {
  const error = toHttpError(failure)
  const page = errorPage(error, request.id)
  if ((page.status ?? 200) >= 500) logFault(error, request)
  const retryAfter = error.extra['retry_after']
  if (typeof retryAfter === 'number') reply.header('retry-after', retryAfter)
  reply.header('cache-control', 'no-store')
  send(page, request, reply)
}

/** Characters of an address that are offered as words to look for. */
const soughtMax = 100

/** The page of what is not there, with a search for what its address says. */
function withSearch(page: Page, url: string): PublicPage {
  const sought = soughtIn(url)
  return {
    ...page,
    searches: true,
    styles: [publicStyle],
    body: html`${page.body}
<form class="search-form" role="search" action="/search">
<p><label for="sought">Search the registry instead</label></p>
<div class="search-box"><input type="search" id="sought" name="q" maxlength="1000"
value="${sought.slice(0, soughtMax)}" autocomplete="off">
<button class="button" type="submit">Search</button></div></form>`,
  }
}

/** The DOI that an address holds, or else the words of it. */
function soughtIn(url: string): string {
  const [path = ''] = url.split('?')
  const doi = doiAtEnd(readable(path))
  if (doi !== undefined && doi.length <= soughtMax) return doi
  const words = path.split(/[^\p{L}\p{N}%]+/u).map(readable)
  return words.filter((word) => /\p{L}{3}/u.test(word)).join(' ')
}

function readable(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return ''
  }
}

/** The answers to errors at the address of the registry, but for addresses of programs. */
export function publicErrorPages(site: PublicSite): AnswerError {
  const send: SendPage = (page, request, reply) => {
    const shown = page.status === 404 ? withSearch(page, request.url) : page
    sendPublicPage(shown, reply, site)
  }
  return (failure, request, reply) => {
    if (showsErrorPage(request)) sendErrorPage(failure, { request, reply, send })
    else sendError(failure, request, reply)
  }
}
