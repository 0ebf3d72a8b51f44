import test from 'ava'

import { explainOutcome } from '#src/delivery/fetch/outcome.ts'

const url = 'https://example.org/'

test('an outcome is told to people without the address it ended at', (t) => {
  const clauses = [
    explainOutcome({ type: 'refused_url', url, rule: 'port' }),
    explainOutcome({
      type: 'refused_address',
      url,
      address: '10.0.0.1',
      reason: '10.0.0.1 is private',
    }),
    explainOutcome({ type: 'http_status', url, status: 404, retryAfterMs: undefined }),
    explainOutcome({ type: 'too_large', url, bytesMax: 7 }),
    explainOutcome({ type: 'timed_out', url, phase: 'body' }),
    explainOutcome({ type: 'dns_failed', url, code: 'ENOTFOUND' }),
    explainOutcome({ type: 'connection_failed', url, code: 'ECONNREFUSED' }),
    explainOutcome({ type: 'tls_failed', url, code: 'CERT_HAS_EXPIRED' }),
    explainOutcome({ type: 'too_many_redirects', url, redirectsMax: 5 }),
    explainOutcome({ type: 'content_encoding', url, encoding: 'gzip' }),
    explainOutcome({ type: 'bad_response', url, reason: 'it is not HTTP/1.1' }),
    explainOutcome({ type: 'postponed', url, retryAfterMs: 1 }),
    explainOutcome({ type: 'aborted' }),
  ]
  t.deepEqual(clauses, [
    'the address is not fetched: its port is neither 80 nor 443',
    'the address is not fetched: the address of its host is not public',
    'the server answered 404',
    'the content has more than 7 bytes',
    'the server stopped in the middle of the content',
    'the host name could not be resolved (ENOTFOUND)',
    'the connection failed (ECONNREFUSED)',
    "the server's certificate or encryption was refused (CERT_HAS_EXPIRED)",
    'there were more than 5 redirects',
    'the server encoded the content (gzip) although asked not to',
    'the reply is malformed: it is not HTTP/1.1',
    'the host has as many requests as it may get for now',
    'the fetch was called off',
  ])
})
