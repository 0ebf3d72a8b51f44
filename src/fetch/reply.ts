import type { Dispatcher } from 'undici'

import { digestBody } from '#src/fetch/digest.ts'
import type { FetchOutcome } from '#src/fetch/outcome.ts'
import { parseRetryAfter } from '#src/fetch/retry_after.ts'

/** The head of a reply and its unread body, as undici gives them. */
type Response = Dispatcher.ResponseData

/** A reply that names another address, not yet checked, or the outcome of the fetch. */
export type Reply = FetchOutcome | { readonly type: 'redirect'; readonly location: string }

/** What a reply is read with; `signal` ends the reading. */
export type ReplyContext = {
  readonly url: URL
  readonly redirects: number
  readonly bytesMax: number
  readonly signal: AbortSignal
  readonly systemMs: () => number
}

/** Bytes of a redirect's body that are read so that its connection can be used again. */
const redirectBytesMax = 16_384

const etagCharactersMax = 256

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

// RFC 9110 §8.3.1, with the lengths of RFC 6838 §4.2.
const mediaType = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/

/** Reads a reply: where it redirects to, or its body if it is 200 and served as it is. */
export async function readReply(response: Response, context: ReplyContext): Promise<Reply> {
  const { statusCode: status, body } = response
  if (redirectStatuses.has(status)) return readRedirect(response, context)
  const refusal = judgeHead(response, context)
  if (refusal === undefined) return readContent(response, context)
  // Whatever is still on its way is not waited for, nor is the end of its connection a failure.
  body.on('error', () => undefined).destroy()
  return refusal
}

async function readRedirect({ headers, body }: Response, context: ReplyContext): Promise<Reply> {
  const { url, signal } = context
  // How the body of a redirect ends does not matter.
  await body.dump({ limit: redirectBytesMax, signal }).catch(() => undefined)
  const { location } = headers
  if (typeof location === 'string') return { type: 'redirect', location }
  return { type: 'bad_response', url: url.href, reason: 'a redirect without one location' }
}

function judgeHead({ statusCode: status, headers }: Response, context: ReplyContext) {
  const { url, bytesMax, systemMs } = context
  const at = { url: url.href }
  if (status !== 200) {
    const retryAfterMs = parseRetryAfter(firstOf(headers['retry-after']), systemMs())
    return { type: 'http_status', ...at, status, retryAfterMs } as const
  }
  // What is hashed are the bytes of the content itself; nothing is ever unpacked.
  const encoding = [headers['content-encoding'], headers['transfer-encoding']]
    .flat()
    .find((value) => value !== undefined && !/^(?:identity|chunked|)$/i.test(value))
  if (encoding !== undefined) return { type: 'content_encoding', ...at, encoding } as const
  if (Number(firstOf(headers['content-length'])) > bytesMax) {
    return { type: 'too_large', ...at, bytesMax } as const
  }
  return undefined
}

async function readContent({ headers, body }: Response, context: ReplyContext): Promise<Reply> {
  const { url, redirects, bytesMax } = context
  const digest = await digestBody(body, bytesMax)
  if (digest === undefined) return { type: 'too_large', url: url.href, bytesMax }
  return {
    type: 'fetched',
    status: 200,
    ...digest,
    mediaType: readMediaType(firstOf(headers['content-type'])),
    etag: readEtag(firstOf(headers['etag'])),
    finalUrl: url.href,
    redirects,
  }
}

function readMediaType(value: string): string | undefined {
  const [type = ''] = value.split(';', 1)
  const folded = type.trim().toLowerCase()
  return mediaType.test(folded) ? folded : undefined
}

function readEtag(value: string): string | undefined {
  return value.length <= etagCharactersMax && /^(?:W\/)?"[!#-~]*"$/.test(value) ? value : undefined
}

/** The first value of a header field, or an empty text. */
function firstOf(value: string | string[] | undefined): string {
  return [value].flat()[0] ?? ''
}
