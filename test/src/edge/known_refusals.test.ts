import test, { type ExecutionContext } from 'ava'

import { answerAsHarvestersKnow } from '#src/http/discovery/oai_routes.ts'
import { openEdge } from '#test/src/edge/_edge.ts'
import { type RawReply, send } from '#test/src/_raw.ts'

/** A server that tells what has come to its framework. */
async function openLimited(t: ExecutionContext, settings: Record<string, unknown>) {
  const seen: string[] = []
  const edge = await openEdge(t, { LIMIT_FAILED_CREDENTIALS: 2, ...settings }, (server, own) => {
    server.addHook('onSend', (request, _reply, payload, done) => {
      seen.push(`${request.method} ${request.url}`)
      done(null, payload)
    })
    const { admit } = own
    const reading = {
      type: 'key',
      prefix: '/v1',
      right: 'read works',
      limit: 'works_read',
    } as const
    server.get('/public/:name', admit({ type: 'public', limit: 'resolve' }), async () => 'done')
    server.get('/v1/things/:name', admit(reading), async () => 'done')
    server.post('/v1/things', admit({ type: 'public', limit: 'verify' }), async () => 'done')
    void server.register((scope, _options, done) => {
      answerAsHarvestersKnow(scope)
      scope.get('/oai', admit({ type: 'public', limit: 'oai' }), async () => 'done')
      done()
    })
  })
  const port = await edge.listen()
  const ask = async (line: string, lines: readonly string[] = []) => {
    const before = seen.length
    const reply = await send(port, [`${line} HTTP/1.1`, 'Host: x', ...lines])
    return { reply, came: seen.length - before }
  }
  return { ...edge, ask, port }
}

/** A reply without what tells one request from another. */
function lasting({ status, headers, body }: RawReply) {
  const { date: _date, 'x-request-id': id = '', ...others } = headers
  return { status, others, body: body.replace(id, 'id') }
}

const asked: readonly (readonly [line: string, lines?: readonly string[]])[] = [
  ['GET /public/a'],
  ['GET /public/a?b=c', ['Origin: https://example.org']],
  ['HEAD /public/a'],
  ['GET /v1/things/a', ['Authorization: Bearer reader']],
  ['POST /v1/things', ['Content-Type: application/json', 'Content-Length: 0']],
  ['GET /oai'],
]

for (const [line, lines] of asked) {
  test(`whom a limit has refused is refused again past the framework: ${line}`, async (t) => {
    const limits = { LIMIT_RESOLVE: 1, LIMIT_WORKS_READ: 1, LIMIT_VERIFY: 1, LIMIT_OAI: 1 }
    const { ask, time, metrics, logged } = await openLimited(t, limits)
    const let_in = await ask(line, lines)
    t.true(let_in.reply.status < 429)
    t.is(let_in.came, 1)
    const first = await ask(line, lines)
    t.is(first.came, 1)
    t.is(first.reply.status, line.endsWith('oai') ? 503 : 429)
    const again = await ask(line, lines)
    t.is(again.came, 0)
    t.deepEqual(lasting(again.reply), lasting(first.reply))
    t.not(again.reply.headers['x-request-id'], first.reply.headers['x-request-id'])
    time.elapsedMs += 10_500
    time.nowMs += 10_500
    const later = await ask(line, lines)
    t.is(later.came, 0)
    const waitSeconds = ({ reply }: typeof later) => Number(reply.headers['retry-after'])
    t.is(waitSeconds(later), waitSeconds(first) - 10)
    const [method = ''] = line.split(' ')
    const written = await metrics.registry.metrics()
    const counted = new RegExp(`count\\{method="${method}",route="[^"]*",status="(429|503)"\\} 3`)
    t.regex(written, counted)
    const lines3 = logged.map((text) => JSON.parse(text) as Record<string, unknown>)
    const levels = lines3.filter(({ status }) => status === first.reply.status)
    t.deepEqual(
      levels.map(({ level }) => level),
      [30, 20, 20],
    )
    time.elapsedMs += 3_600_000
    t.true((await ask(line, lines)).reply.status < 429)
  })
}

test('nobody else is refused, and nothing else', async (t) => {
  const { ask } = await openLimited(t, { LIMIT_RESOLVE: 1, LIMIT_WORKS_READ: 1 })
  const reader = ['Authorization: Bearer reader']
  for (let nth = 0; nth < 3; nth += 1) await ask('GET /v1/things/a', reader)
  t.is((await ask('GET /v1/things/a', ['Authorization: Bearer other'])).reply.status, 200)
  t.is((await ask('GET /v1/things/a', ['Authorization: Bearer nobody'])).reply.status, 403)
  t.is((await ask('GET /v1/things/a')).reply.status, 401)
  t.is((await ask('GET /public/a', reader)).reply.status, 200)
  t.is((await ask('GET /nowhere')).reply.status, 404)
  t.is((await ask('GET /v1/things/a', reader)).came, 0)
})

test('wrong credentials beyond their limit are refused past the framework', async (t) => {
  const { ask } = await openLimited(t, {})
  const wrong = ['Authorization: Bearer wrong']
  const statuses: number[] = []
  const came: number[] = []
  for (let nth = 0; nth < 5; nth += 1) {
    const { reply, came: count } = await ask('GET /v1/things/a', wrong)
    statuses.push(reply.status)
    came.push(count)
  }
  t.deepEqual(statuses, [401, 401, 429, 429, 429])
  t.deepEqual(came, [1, 1, 1, 0, 0])
  t.is((await ask('GET /v1/things/a', ['Authorization: Bearer reader'])).reply.status, 200)
})

test('a refusal that says more than others is its route’s', async (t) => {
  const { ask } = await openLimited(t, { LIMIT_RESOLVE: 1 })
  await ask('GET /public/a')
  for (let nth = 0; nth < 2; nth += 1) {
    const inAddress = await ask('GET /public/a?api_key=wrong')
    t.is(inAddress.came, 1)
    t.true('warning' in inAddress.reply.headers)
    t.is((await ask('GET /public/a', ['Cookie: a=b'])).came, 1)
  }
  await ask('GET /public/a')
  const twoHosts = await ask('GET /public/a', ['Host: y'])
  t.is(twoHosts.reply.status, 400)
})
