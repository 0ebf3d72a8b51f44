import { html } from 'ghtml'

import type { HttpError } from '#src/errors.ts'
import { errorStatus } from '#src/errors.ts'
import type { Html, Page } from '#src/web/kit/page.ts'

/** What an error is called on a page. */
const titles: Partial<Record<HttpError['code'], string>> = {
  not_found: 'There is no such page',
  forbidden: 'This cannot be done here',
  gone: 'This is no longer good',
  rate_limit_exceeded: 'Too many attempts',
  payload_too_large: 'That is too much at once',
  unavailable: 'Busy at this moment',
  timeout: 'That took too long',
  internal_error: 'Something failed here',
  record_damaged: 'This cannot be read here',
}

/** A page in place of the one that was asked for: what is wrong, and what to do. */
export function errorPage(error: HttpError, requestId: string): Page {
  const title = titles[error.code] ?? 'This request cannot be understood'
  const status = errorStatus[error.code]
  return {
    title,
    status,
    body: html`<h1>${title}</h1>
<p class="lead">${sentence(error)}</p>
!${suggestion(error)}
<p class="aside">If it goes on, tell the operator of this registry: error ${status}, request
<code>${requestId}</code>.</p>`,
  }
}

/** The one work that a mistyped ARK is likely to mean. */
function suggestion({ extra: { did_you_mean: ark } }: HttpError): Html {
  return typeof ark === 'string' ? html`<p><a href="/${ark}">Go to ${ark}</a></p>` : ''
}

function sentence({ code, message, extra }: HttpError): string {
  const wait = extra['retry_after']
  if (code === 'rate_limit_exceeded' && typeof wait === 'number') return inWords(wait)
  return /[.!?]$/.test(message) ? message : `${message}.`
}

function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (seconds < 60) return `Try again in ${seconds} seconds.`
  return `Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
}
