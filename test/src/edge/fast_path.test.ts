import test from 'ava'

import { hasOnlyHeaders } from '#src/edge/fast_path.ts'

const own = new Set(['authorization'])

test('what browsers, clients and front servers add changes nothing', (t) => {
  const headers = {
    host: 'registry.example',
    'user-agent': 'curl/8',
    accept: '*/*',
    'accept-encoding': 'gzip',
    connection: 'keep-alive',
    'sec-fetch-mode': 'navigate',
    'x-forwarded-for': '192.0.2.1',
    'x-request-id': 'one',
    authorization: 'Bearer key',
  }
  t.true(hasOnlyHeaders(headers, own))
  t.false(hasOnlyHeaders(headers, new Set()))
})

test('a header that no fast path knows is its route’s', (t) => {
  const names = ['expect', 'x-admin-code', 'idempotency-key', 'x-read-after', 'range', 'x-new']
  for (const name of names) t.false(hasOnlyHeaders({ host: 'x', [name]: '1' }, own), name)
})
