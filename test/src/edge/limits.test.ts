import test, { type ExecutionContext } from 'ava'

import { openEdge } from '#test/src/edge/_edge.ts'

const settings = { LIMIT_WORKS_READ: 2, LIMIT_PUBLIC_READ: 2, LIMIT_FAILED_CREDENTIALS: 2 }
const reader = { authorization: 'Bearer reader' }

function openLimited(t: ExecutionContext, more: Record<string, unknown> = {}) {
  return openEdge(t, { ...settings, ...more }, (server, { admit }) => {
    const byKey = { type: 'key', prefix: '/v1', right: 'read works', limit: 'works_read' } as const
    const open = { type: 'public', limit: 'public_read', keyLimit: 'works_read' } as const
    server.get('/one', admit(byKey), async () => 'one')
    server.get('/other', admit(byKey), async () => 'other')
    server.get('/open', admit(open), async () => 'open')
  })
}

test('every reply says how many calls are left, and 429 when to come back', async (t) => {
  const { server, time } = await openLimited(t)
  const first = await server.inject({ url: '/one', headers: reader })
  t.is(first.statusCode, 200)
  t.is(first.headers['x-ratelimit-limit'], '2')
  t.is(first.headers['x-ratelimit-remaining'], '1')
  t.is(first.headers['x-ratelimit-reset'], String(Date.parse('2026-01-01T00:01:00Z') / 1_000))
  time.nowMs += 20_500
  time.elapsedMs += 20_500
  t.is(
    (await server.inject({ url: '/one', headers: reader })).headers['x-ratelimit-remaining'],
    '0',
  )
  const refused = await server.inject({
    url: '/one',
    headers: { ...reader, 'x-request-id': 'request-1' },
  })
  t.is(refused.statusCode, 429)
  t.deepEqual(refused.json(), {
    error: 'rate_limit_exceeded',
    message: 'Retry after 40 seconds',
    retry_after: 40,
    request_id: 'request-1',
  })
  t.is(refused.headers['retry-after'], '40')
  t.is(refused.headers['x-ratelimit-limit'], '2')
  t.is(refused.headers['x-ratelimit-remaining'], '0')
  t.is(refused.headers['x-ratelimit-reset'], String(Date.parse('2026-01-01T00:01:00Z') / 1_000))
  t.is(refused.headers['cache-control'], 'no-store')
})

test('a window ends, and the next one starts with the next call', async (t) => {
  const { server, time } = await openLimited(t)
  for (let calls = 0; calls < 3; calls += 1) await server.inject({ url: '/one', headers: reader })
  time.elapsedMs += 59_999
  t.is((await server.inject({ url: '/one', headers: reader })).statusCode, 429)
  time.elapsedMs += 1
  const next = await server.inject({ url: '/one', headers: reader })
  t.is(next.statusCode, 200)
  t.is(next.headers['x-ratelimit-remaining'], '1')
})

test('routes of one limit share its counts, keys do not, and HEAD counts as GET', async (t) => {
  const { server } = await openLimited(t)
  await server.inject({ url: '/one', headers: reader })
  await server.inject({ method: 'HEAD', url: '/other', headers: reader })
  t.is((await server.inject({ url: '/open', headers: reader })).statusCode, 429)
  const other = { authorization: 'Bearer other' }
  t.is((await server.inject({ url: '/one', headers: other })).statusCode, 200)
})

test('OPTIONS and a wrong method count nothing', async (t) => {
  const { server } = await openLimited(t)
  for (const method of ['OPTIONS', 'DELETE', 'OPTIONS', 'DELETE'] as const) {
    const reply = await server.inject({ method, url: '/one', headers: reader })
    t.is(reply.headers['x-ratelimit-limit'], undefined)
  }
  t.is(
    (await server.inject({ url: '/one', headers: reader })).headers['x-ratelimit-remaining'],
    '1',
  )
})

test('refusals for want of a scope are counted', async (t) => {
  const { server } = await openLimited(t)
  const nobody = { authorization: 'Bearer nobody' }
  const reply = await server.inject({ url: '/one', headers: nobody })
  t.is(reply.statusCode, 403)
  t.is(reply.json().message, 'API key lacks required scope: works:read')
  t.is(reply.headers['x-ratelimit-remaining'], '1')
})

test('addresses are counted apart, IPv6 by its /64, mapped IPv4 as IPv4', async (t) => {
  const { server } = await openLimited(t)
  const left = async (remoteAddress: string) => {
    const reply = await server.inject({ url: '/open', remoteAddress })
    return reply.headers['x-ratelimit-remaining']
  }
  t.is(await left('192.0.2.1'), '1')
  t.is(await left('192.0.2.2'), '1')
  t.is(await left('::ffff:192.0.2.1'), '0')
  t.is(await left('2001:db8:0:1::1'), '1')
  t.is(await left('2001:db8:0:1:ffff::2'), '0')
  t.is(await left('2001:db8:0:2::1'), '1')
})

test('X-Forwarded-For is believed from a trusted proxy only', async (t) => {
  const leftBehind = async (trusted: readonly string[]) => {
    const { server } = await openLimited(t, { TRUST_PROXY: trusted })
    const call = (forwarded: string) =>
      server.inject({
        url: '/open',
        remoteAddress: '10.0.0.1',
        headers: { 'x-forwarded-for': forwarded },
      })
    await call('203.0.113.1')
    return (await call('203.0.113.2')).headers['x-ratelimit-remaining']
  }
  t.is(await leftBehind([]), '0')
  t.is(await leftBehind(['192.0.2.0/24']), '0')
  t.is(await leftBehind(['10.0.0.0/8']), '1')
})

test('unusable credentials are counted by address, and beyond the limit are 429', async (t) => {
  const { server } = await openLimited(t)
  const call = (authorization: string) =>
    server.inject({ url: '/open', headers: { authorization } })
  t.is((await call('Bearer wrong')).statusCode, 401)
  t.is((await call('Bearer wronger')).statusCode, 401)
  t.is((await call('Bearer wrongest')).statusCode, 429)
  t.is((await call('Bearer reader')).statusCode, 200)
})

test('a limit that is off counts nothing, and so do all when limits are off', async (t) => {
  for (const off of [{ LIMIT_WORKS_READ: 'off' }, { RATE_LIMITS: false }]) {
    const { server } = await openLimited(t, off)
    for (let calls = 0; calls < 4; calls += 1) {
      const reply = await server.inject({ url: '/one', headers: reader })
      t.is(reply.statusCode, 200)
      t.is(reply.headers['x-ratelimit-limit'], undefined)
    }
  }
})

test('a clock that is set back locks nobody out and frees nobody', async (t) => {
  const { server, time } = await openLimited(t)
  await server.inject({ url: '/one', headers: reader })
  await server.inject({ url: '/one', headers: reader })
  time.nowMs -= 86_400_000
  const refused = await server.inject({ url: '/one', headers: reader })
  t.is(refused.statusCode, 429)
  t.is(refused.json().retry_after, 60)
  time.elapsedMs += 60_000
  t.is((await server.inject({ url: '/one', headers: reader })).statusCode, 200)
})
