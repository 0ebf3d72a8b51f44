import { setImmediate as nextTurn } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import fastify, { type FastifyInstance } from 'fastify'

import type { Caller } from '#src/edge/caller.ts'
import { registerErrorReplies, sendError } from '#src/edge/error_reply.ts'
import { type KeptReplies, RepliesInMemory } from '#src/edge/kept_replies.ts'
import { registerKeyedWrites } from '#src/edge/keyed_writes.ts'
import { until } from '#test/_until.ts'
import { testKeptReplies } from '#test/contracts/kept_replies.ts'

testKeptReplies(test, async () => {
  let nowMs = 1
  const replies = new RepliesInMemory(() => nowMs)
  return { pair: [replies, replies], forward: (ms) => void (nowMs += ms) }
})

/** The same replies as another thread has them: all that goes there and comes back is copied. */
function fromAfar(replies: KeptReplies): KeptReplies {
  const ask = async <A, B>(question: A, answer: (copy: A) => Promise<B>): Promise<B> => {
    await nextTurn()
    const answered = structuredClone(await answer(structuredClone(question)))
    await nextTurn()
    return answered
  }
  return {
    begin: (write) => ask(write, (copy) => replies.begin(copy)),
    finish: (write, reply) => ask([write, reply] as const, (copy) => replies.finish(...copy)),
    abandon: (write) => ask(write, (copy) => replies.abandon(copy)),
  }
}

const caller: Caller = {
  kind: 'key',
  agent: { type: 'organization', id: 'demo', name: 'Demo', via: 'api_key', key_id: 'k' },
  scopes: new Set(['people:write']),
  environment: 'live',
  keyId: 'k',
  ip: '192.0.2.7',
}

/** A server of one route, which writes what it is sent. */
async function serve(
  t: ExecutionContext,
  replies: KeptReplies,
  write: (body: object) => Promise<unknown>,
): Promise<FastifyInstance> {
  const server = fastify()
  registerErrorReplies(server, sendError)
  server.decorateRequest('caller')
  server.addHook('onRequest', async (request) => void (request.caller = caller))
  registerKeyedWrites(server, replies)
  server.post('/v1/things', { config: { right: 'write people' } }, async (request, reply) => {
    const made = await write(request.body as object)
    return reply.code(201).header('etag', '"a"').send(made)
  })
  t.teardown(() => server.close())
  return server
}

test('servers that share the replies carry a named write out once between them', async (t) => {
  const shared = new RepliesInMemory(() => performance.now())
  let written = 0
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>()
  const write = async (body: object) => {
    written += 1
    await goesOn
    return 'bytes' in body ? Buffer.from([0, 255, written]) : { written, body }
  }
  const servers = [
    await serve(t, fromAfar(shared), write),
    await serve(t, fromAfar(shared), write),
  ] as const
  const send = (nth: number, key: string, payload: object) =>
    servers[nth % 2 === 0 ? 0 : 1].inject({
      method: 'POST',
      url: '/v1/things',
      headers: { 'idempotency-key': key },
      payload,
    })
  const bodies = { text: { a: 'Öl' }, bytes: { bytes: true } }
  const first = Object.entries(bodies).map(([key, body]) => {
    return Array.from({ length: 6 }, (_, nth) => send(nth, key, body))
  })
  let answered = 0
  for (const sent of first.flat()) void sent.then(() => (answered += 1))
  await until('all but the first of each are answered', () => answered === 10)
  goOn()
  for (const [nth, [key, body]] of Object.entries(bodies).entries()) {
    const replies = await Promise.all(first[nth] ?? [])
    const [made, ...others] = replies.filter(({ statusCode }) => statusCode === 201)
    t.deepEqual(others, [])
    t.is(replies.filter(({ statusCode }) => statusCode === 409).length, 5)
    for (const each of [0, 1]) {
      const again = await send(each, key, body)
      t.is(again.statusCode, 201)
      t.is(again.headers['idempotent-replayed'], 'true')
      t.deepEqual(again.rawPayload, made?.rawPayload)
      for (const name of ['content-type', 'etag']) {
        t.is(again.headers[name], made?.headers[name])
      }
      t.is((await send(each, key, { other: true })).statusCode, 422)
    }
  }
  t.is(written, 2)
})

test('a write that has failed on one server is carried out by another', async (t) => {
  const shared = new RepliesInMemory(() => performance.now())
  const failing = await serve(t, fromAfar(shared), () => Promise.reject(new Error('broken')))
  const sound = await serve(t, fromAfar(shared), async () => ({ made: true }))
  const headers = { 'idempotency-key': 'write' }
  const request = { method: 'POST', url: '/v1/things', headers, payload: {} } as const
  t.is((await failing.inject(request)).statusCode, 500)
  const made = await sound.inject(request)
  t.is(made.statusCode, 201)
  t.is(made.headers['idempotent-replayed'], undefined)
  t.is((await failing.inject(request)).headers['idempotent-replayed'], 'true')
})
