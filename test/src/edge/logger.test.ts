import test from 'ava'

import { createLogger, maskedUrl } from '#src/edge/logger.ts'

const key = `svc_live_${'a1'.repeat(24)}`

test('secrets in a URL are masked, however they are spelled', (t) => {
  t.is(maskedUrl(`/v1/works?api_key=${key}&limit=1`), '/v1/works?api_key=[redacted]&limit=1')
  t.is(maskedUrl('/v1/works?api%5Fkey=secret'), '/v1/works?api%5Fkey=[redacted]')
  t.is(maskedUrl('/cb?code=abc&state=s'), '/cb?code=[redacted]&state=s')
  for (const name of ['access_token', 'refresh_token', 'client_secret', 'code_verifier']) {
    t.is(maskedUrl(`/x?${name}=abc`), `/x?${name}=[redacted]`)
  }
})

test('whatever reads as a key is masked where no key belongs', (t) => {
  t.is(maskedUrl(`/v1/works/${key}`), '/v1/works/[redacted]')
  t.is(maskedUrl(`/v1/works?x=${key}`), '/v1/works?x=[redacted]')
  t.is(maskedUrl(`/v1/works?%zz=1`), '/v1/works?%zz=1')
})

test('credentials in logged headers are masked', (t) => {
  const lines: string[] = []
  const logger = createLogger('info', { write: (line) => void lines.push(line) })
  const headers = { authorization: `Bearer ${key}`, 'x-api-key': key, cookie: key, accept: 'x' }
  logger.info({ headers }, 'request')
  t.is(lines.length, 1)
  t.false(lines[0]?.includes(key))
  t.true(lines[0]?.includes('"accept":"x"'))
})
