import test, { type ExecutionContext } from 'ava'

import { until } from '#test/_until.ts'
import { openEdge } from '#test/src/edge/_edge.ts'

/** A node whose registry has come so far as `at` says, with a route that writes and one to read. */
async function openNode(t: ExecutionContext) {
  const at = { live: 10, sandbox: 3, identity: 7 }
  let looks = 0
  const look = (position: number) => {
    looks += 1
    return position
  }
  const positions = {
    live: () => look(at.live),
    sandbox: () => at.sandbox,
    identity: () => look(at.identity),
  }
  /** Whoever waits has looked some times by then, and would be answered if nothing kept them. */
  const waited = () => {
    const before = looks
    return until('a request waits', () => looks > before + 3)
  }
  const routes: Parameters<typeof openEdge>[2] = (server, { admit }) => {
    const open = admit({ type: 'public', limit: 'resolve' })
    server.get(
      '/record',
      { ...open, config: { ...open.config, plainRead: () => undefined } },
      (_request, reply) => {
        const { live } = at
        return reply.type('application/json').send(Buffer.from(JSON.stringify({ live })))
      },
    )
    server.post('/record', open, (_request, reply) => {
      at.live += 1
      return reply.code(201).header('set-cookie', 'session=a').send({})
    })
    server.post('/refused', open, (_request, reply) => reply.code(409).send({}))
  }
  const askedAt: number[] = []
  const catchUp = () => void askedAt.push(at.identity)
  const { server, time } = await openEdge(t, {}, routes, { positions, catchUp })
  const read = (headers: Record<string, string> = {}) => server.inject({ url: '/record', headers })
  const write = (url = '/record', headers: Record<string, string> = {}) =>
    server.inject({ method: 'POST', url, headers })
  return { at, askedAt, time, waited, read, write }
}

test('the reply to a change tells how far the registry has come, and no other one', async (t) => {
  const { read, write } = await openNode(t)
  t.is((await write()).headers['x-read-after'], '11.3.7')
  t.is((await write('/refused')).headers['x-read-after'], undefined)
  t.is((await read()).headers['x-read-after'], undefined)
})

test('browsers are told by a cookie, beside those that they get anyway', async (t) => {
  const { write } = await openNode(t)
  t.deepEqual((await write('/record', { cookie: 'session=b' })).headers['set-cookie'], [
    'session=a',
    'svc_read_after=11.3.7; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure',
  ])
  t.is((await write()).headers['set-cookie'], 'session=a')
})

for (const [how, headers] of Object.entries({
  'by its header': { 'x-read-after': '12.3.7' },
  'by its cookie': { cookie: 'session=a; svc_read_after=12.3.7; other=b' },
})) {
  test(`a read waits for what it is to see, as it says ${how}`, async (t) => {
    const { at, waited, read } = await openNode(t)
    t.deepEqual((await read()).json(), { live: 10 })
    let isAnswered = false
    const reading = read(headers).then((reply) => {
      isAnswered = true
      return reply
    })
    at.live = 11
    await waited()
    t.false(isAnswered)
    at.live = 12
    t.deepEqual((await reading).json(), { live: 12 })
  })
}

test('what a node has come to already is answered at once', async (t) => {
  const { read } = await openNode(t)
  t.is((await read({ 'x-read-after': '10.3.7' })).statusCode, 200)
})

test('nobody waits for ever, and who waited in vain is told', async (t) => {
  const { time, waited, read } = await openNode(t)
  const reading = read({ 'x-read-after': '10.4.7' })
  await waited()
  time.elapsedMs += 5_000
  const { statusCode, headers, body } = await reading
  t.is(statusCode, 503, body)
  t.is(headers['retry-after'], '1')
})

test('who is asking is looked up once accounts and keys have come as far', async (t) => {
  const { at, waited, read, askedAt } = await openNode(t)
  const reading = read({ 'x-read-after': '10.3.8' })
  await waited()
  t.deepEqual(askedAt, [])
  at.identity = 8
  t.is((await reading).statusCode, 200)
  t.deepEqual(askedAt, [8])
})

test('who waits in vain for accounts and keys is whom this node knows', async (t) => {
  const { time, waited, read } = await openNode(t)
  const reading = read({ 'x-read-after': '10.3.8' })
  await waited()
  time.elapsedMs += 500
  t.is((await reading).statusCode, 200)
})

test('another text is refused, and a cookie that somebody has altered is none', async (t) => {
  const { read } = await openNode(t)
  for (const text of [
    '12',
    '1.2',
    '1.2.3.4',
    '-1.3.1',
    '1e3.0.1',
    '9999999999999999.0.1',
    'live',
  ]) {
    t.is((await read({ 'x-read-after': text })).statusCode, 400, text)
    t.is((await read({ cookie: `svc_read_after=${text}` })).statusCode, 200, text)
  }
})
