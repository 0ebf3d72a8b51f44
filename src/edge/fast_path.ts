import type { IncomingHttpHeaders } from 'node:http'

/** Headers that change nothing of how any request is answered. */
const neutral: ReadonlySet<string> = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'baggage',
  'cache-control',
  'cdn-loop',
  'connection',
  'date',
  'dnt',
  'forwarded',
  'from',
  'host',
  'keep-alive',
  'origin',
  'pragma',
  'priority',
  'purpose',
  'referer',
  'save-data',
  'te',
  'traceparent',
  'tracestate',
  'upgrade-insecure-requests',
  'user-agent',
  'via',
  'x-amzn-trace-id',
  'x-real-ip',
  'x-request-id',
  'x-requested-with',
])

/** What browsers and front servers add begins like this. */
const neutralPrefix = /^(?:sec-|x-forwarded-|cf-)/

/**
 * Whether a request has only headers that change nothing, and those of `own`, which its fast path
 * takes into account. Any other request is its route's, so that a header which no fast path knows
 * costs time and nothing else.
 */
export function hasOnlyHeaders(headers: IncomingHttpHeaders, own: ReadonlySet<string>): boolean {
  for (const name in headers) {
    if (!neutral.has(name) && !own.has(name) && !neutralPrefix.test(name)) return false
  }
  return true
}
