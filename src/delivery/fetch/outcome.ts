import { errors } from 'undici'

import { LookupError, type RefusedUrl, type UrlRule } from '#src/delivery/fetch/address_rule.ts'

/** What a fetch was waiting for when its time was up; `total` is all of it together. */
type FetchPhase = 'connect' | 'headers' | 'body' | 'total'

/** Hashes of a body as it was served, in lower-case hex, and its length. */
export type Digest = { readonly sha256: string; readonly sha512: string; readonly bytes: number }

/** A whole body of a reply 200: its hashes, and what its server says of it. */
export type Fetched = Digest & {
  readonly type: 'fetched'
  readonly status: 200
  /** Without parameters, lower case; undefined if the server names no well-formed one. */
  readonly mediaType: string | undefined
  readonly etag: string | undefined
  /** The address that answered, and how many redirects led to it. */
  readonly finalUrl: string
  readonly redirects: number
}

/**
 * How a fetch ended. `url` is the address at which it ended: the one asked for, or one it was
 * redirected to. Codes are those of node:dns, the system or the TLS library. `interrupted`: by a
 * defect of ours, which says nothing of the address.
 */
export type FetchOutcome =
  | Fetched
  | RefusedUrl
  | { readonly type: 'http_status'; url: string; status: number; retryAfterMs: number | undefined }
  | { readonly type: 'too_large'; readonly url: string; readonly bytesMax: number }
  | { readonly type: 'timed_out'; readonly url: string; readonly phase: FetchPhase }
  | { readonly type: 'dns_failed'; readonly url: string; readonly code: string }
  | { readonly type: 'connection_failed'; readonly url: string; readonly code: string }
  | { readonly type: 'tls_failed'; readonly url: string; readonly code: string }
  | { readonly type: 'too_many_redirects'; readonly url: string; readonly redirectsMax: number }
  | { readonly type: 'content_encoding'; readonly url: string; readonly encoding: string }
  | { readonly type: 'bad_response'; readonly url: string; readonly reason: string }
  | { readonly type: 'postponed'; readonly url: string; readonly retryAfterMs: number }
  | { readonly type: 'aborted' }
  | { readonly type: 'interrupted' }

const brokenRules: Readonly<Record<UrlRule, string>> = {
  malformed: 'it is no URL',
  too_long: 'it is too long',
  scheme: 'it is neither http nor https',
  downgrade: 'https leads back to http',
  userinfo: 'it holds a user name or password',
  own_host: 'it is an address of this registry itself',
  port: 'its port is neither 80 nor 443',
  host: 'its host is no public name',
}

const lateParts: Readonly<Record<FetchPhase, string>> = {
  connect: 'the connection took too long',
  headers: 'the server took too long to answer',
  body: 'the server stopped in the middle of the content',
  total: 'the whole content took too long',
}

/**
 * An outcome without content as a clause for people, such as `the server answered 404`. Everybody
 * may read it, so it tells no address that the name of a host resolves to in our network.
 */
export function explainOutcome(outcome: Exclude<FetchOutcome, Fetched>): string {
  switch (outcome.type) {
    case 'refused_url':
      return `the address is not fetched: ${brokenRules[outcome.rule]}`
    case 'refused_address':
      return 'the address is not fetched: the address of its host is not public'
    case 'http_status':
      return `the server answered ${outcome.status}`
    case 'too_large':
      return `the content has more than ${outcome.bytesMax} bytes`
    case 'timed_out':
      return lateParts[outcome.phase]
    case 'dns_failed':
      return `the host name could not be resolved (${outcome.code})`
    case 'connection_failed':
      return `the connection failed (${outcome.code})`
    case 'tls_failed':
      return `the server's certificate or encryption was refused (${outcome.code})`
    case 'too_many_redirects':
      return `there were more than ${outcome.redirectsMax} redirects`
    case 'content_encoding':
      return `the server encoded the content (${outcome.encoding}) although asked not to`
    case 'bad_response':
      return `the reply is malformed: ${outcome.reason}`
    case 'postponed':
      return 'the host has as many requests as it may get for now'
    case 'aborted':
      return 'the fetch was called off'
    case 'interrupted':
      return 'the fetch was interrupted'
  }
}

/** Where a request failed: `isAnswered` once the head of a reply has come. */
type FailurePoint = {
  readonly url: string
  readonly isAnswered: boolean
  readonly viaProxy: boolean
}

const timeouts: Readonly<Record<string, FetchPhase>> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect',
  ETIMEDOUT: 'connect',
  UND_ERR_HEADERS_TIMEOUT: 'headers',
  UND_ERR_BODY_TIMEOUT: 'body',
}

const malformed: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_OVERFLOW: 'its header fields are too long',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'its length is not the one it announces',
}

// The TLS library's codes name what was wrong with a certificate.
const refusedTls = /^ERR_TLS_|^ERR_SSL_|^EPROTO$|CERT|SIGNATURE|CRL|^INVALID_|_MISMATCH$/
const refusedByProxy = /^UND_ERR_ABORTED$|^UND_ERR_INVALID_ARG$|^UND_ERR_PRX/

/**
 * The outcome that an error of undici, of node:net or of the look-up stands for. An error without
 * a code is a defect of ours, and thrown again.
 */
export function outcomeOfError(error: unknown, at: FailurePoint): FetchOutcome {
  const { url } = at
  if (error instanceof LookupError) {
    const { code: type, subject } = error
    if (type === 'dns_failed') return { type, url, code: subject }
    return { type, url, address: subject, reason: error.message }
  }
  if (error instanceof errors.HTTPParserError) {
    return { type: 'bad_response', url, reason: 'it is not HTTP/1.1' }
  }
  const { code, message, syscall } = error as NodeJS.ErrnoException
  if (typeof code !== 'string') throw error
  if (syscall === 'getaddrinfo') return { type: 'dns_failed', url, code }
  const phase = timeouts[code]
  if (phase !== undefined) return { type: 'timed_out', url, phase }
  if (code === 'ERR_IP_BLOCKED') {
    return { type: 'refused_address', url, address: new URL(url).hostname, reason: message }
  }
  const reason = malformed[code] ?? (at.isAnswered ? `it broke off (${code})` : undefined)
  if (reason !== undefined) return { type: 'bad_response', url, reason }
  if (at.viaProxy && refusedByProxy.test(code)) {
    return { type: 'connection_failed', url, code: 'proxy_refused' }
  }
  const type = refusedTls.test(code) ? 'tls_failed' : 'connection_failed'
  return { type, url, code }
}
