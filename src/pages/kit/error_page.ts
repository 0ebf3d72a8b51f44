import type { FastifyReply, FastifyRequest } from 'fastify'

import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { doiAtEnd } from '#actors/values/identifier.ts'
import { publicStyle } from '#src/pages/kit/assets.ts'
import { errorStatus, HttpError } from '#src/edge/errors.ts'
import type { Page } from '#src/pages/kit/page.ts'
import { prefersHtml } from '#src/edge/accept.ts'
import {
  type AnswerError,
  logFault,
  nothingHere,
  sendError,
  toHttpError,
} from '#src/edge/error_reply.ts'
import { errors, search } from '#src/words/english.ts'
import { inEnglish } from '#src/words/format.ts'
import { english } from '#src/words/language.ts'
import { type Text, type TextWording, Wording } from '#src/words/wording.ts'
import type { PublicSite } from '#src/use_cases/landing_record.ts'
import { type PublicPage, sendPublicPage } from '#src/pages/kit/public_page.ts'

/** A fault whose text is for a reader of pages, and says the same as its message. */
export class PageError extends HttpError {
  readonly text: TextWording

  constructor(code: HttpError['code'], text: TextWording) {
    super(code, text.text(english))
    this.text = text
  }
}

const titles: Partial<Record<HttpError['code'], Text>> = {
  not_found: errors.not_found,
  not_acceptable: errors.not_acceptable,
  forbidden: errors.forbidden,
  suspended: errors.suspended,
  gone: errors.gone,
  conflict: errors.conflict,
  rate_limit_exceeded: errors.rate_limit_exceeded,
  withheld: errors.withheld,
  payload_too_large: errors.payload_too_large,
  unavailable: errors.unavailable,
  timeout: errors.timeout,
  clock_wrong: errors.clock_wrong,
  internal_error: errors.internal_error,
  record_damaged: errors.record_damaged,
}

/** What readers are told of errors whose own message is for programs, or says nothing more. */
const texts: Partial<Record<HttpError['code'], Text>> = {
  timeout: errors.tryLater,
  clock_wrong: errors.noChanges,
  internal_error: errors.failed,
  record_damaged: errors.failed,
}

/** A page in place of the one that was asked for: what is wrong, and what to do. */
function errorPage(error: HttpError, requestId: string): Page {
  const title = titles[error.code] ?? errors.other
  const status = errorStatus[error.code]
  return {
    title,
    status,
    body: html`<h1>${title}</h1>
<p class="lead">${sentence(error)} ${error.code === 'unavailable' ? errors.tryLater : ''}</p>
${suggestion(error)}
${status === 404 || status === 406 ? nothing : report(status, requestId)}`,
  }
}

// Who has mistyped an address, or asked for another format, has nothing to report.
function report(status: number, requestId: string): Html {
  const request = html`<code>${requestId}</code>`
  return html`<p class="aside">${errors.report({ status, request })}</p>`
}

/** The one work that a mistyped ARK is likely to mean. */
function suggestion({ extra: { did_you_mean: ark } }: HttpError): Html {
  return typeof ark === 'string'
    ? html`<p><a href="/${ark}">${errors.goTo({ ark })}</a></p>`
    : nothing
}

function sentence(error: HttpError): Wording {
  if (error instanceof PageError) return error.text
  const { code, message, extra } = error
  const wait = extra['retry_after']
  if (code === 'rate_limit_exceeded' && typeof wait === 'number') return retryText(wait)
  const text = message === nothingHere ? errors.nothingHere : texts[code]
  if (text instanceof Wording) return text
  // The messages of the API are English.
  return inEnglish(/[.!?]$/.test(message) ? message : `${message}.`)
}

function retryText(seconds: number): Wording {
  if (seconds < 60) return errors.waitSeconds({ seconds })
  return errors.waitMinutes({ minutes: Math.ceil(seconds / 60) })
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
<p><label for="sought">${errors.searchInstead}</label></p>
<div class="search-box"><input type="search" id="sought" name="q" maxlength="1000"
value="${sought.slice(0, soughtMax)}" autocomplete="off">
<button class="button" type="submit">${search.search}</button></div></form>`,
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
