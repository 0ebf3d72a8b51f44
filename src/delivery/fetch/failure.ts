import { errors } from 'undici'

import { LookupError } from '#src/delivery/fetch/checked_lookup.ts'
import type { FetchOutcome, FetchPhase } from '#src/delivery/fetch/outcome.ts'

/** Where a request failed: `isAnswered` once the head of a reply has come. */
export type FailurePoint = {
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
