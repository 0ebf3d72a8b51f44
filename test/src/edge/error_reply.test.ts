import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import test from 'ava'
import { Type } from 'typebox'

import { ActorError } from '#actors/kernel/actor_error.ts'
import { QueueError } from '#actors/kernel/fair_queue.ts'
import { LogError } from '#log/tlog/errors.ts'
import { CorruptRowError } from '#log/store/damage.ts'
import { toHttpError } from '#src/edge/error_reply.ts'
import { errorStatus, HttpError, RenderingError } from '#src/edge/errors.ts'
import { send } from '#test/src/_raw.ts'
import { openEdge } from '#test/src/edge/_edge.ts'

const requestId = 'request-1'
const headers = { 'x-request-id': requestId }

test('each failure of an actor has its answer', (t) => {
  const answers = {
    overloaded: ['unavailable', 503, 1],
    stopped: ['unavailable', 503, 1],
    timeout: ['timeout', 504, undefined],
    fault: ['internal_error', 500, undefined],
  } as const
  for (const [code, [error, status, retryAfter]] of Object.entries(answers)) {
    const answer = toHttpError(new ActorError(code as keyof typeof answers, 'the mailbox of x'))
    t.is(answer.code, error)
    t.is(errorStatus[answer.code], status)
    t.is(answer.extra['retry_after'], retryAfter)
    t.false(answer.message.includes('mailbox'))
  }
})

test('of the failures of the log, only what is not there is told', (t) => {
  const missing = toHttpError(new LogError('out_of_range', 'a log of 3 entries has no tile'))
  t.is(missing.code, 'not_found')
  t.is(missing.message, 'a log of 3 entries has no tile')
  t.is(toHttpError(new LogError('malformed_tile_path', 'x')).code, 'not_found')
  t.is(toHttpError(new LogError('store_full', 'x')).code, 'unavailable')
  t.is(toHttpError(new LogError('store_closed', 'x')).code, 'unavailable')
  const corrupt = toHttpError(new LogError('store_corrupt', 'row entry/1 of /srv/data'))
  t.is(corrupt.code, 'record_damaged')
  t.is(corrupt.message, 'What is stored of this is damaged; the operator has been told')
  const passedOn = new ActorError('fault', 'work/x failed', { cause: new CorruptRowError('x') })
  t.is(toHttpError(passedOn).code, 'record_damaged')
})

test('who is not given a turn is told when to come again', (t) => {
  const answers = {
    queue_full_for_caller: ['rate_limit_exceeded', 429, 1],
    queue_full: ['unavailable', 503, 1],
    queue_left: ['request_timeout', 408, undefined],
  } as const
  for (const [code, [error, status, retryAfter]] of Object.entries(answers)) {
    const answer = toHttpError(new QueueError(code as keyof typeof answers))
    t.is(answer.code, error)
    t.is(errorStatus[answer.code], status)
    t.is(answer.extra['retry_after'], retryAfter)
  }
})

test('a client that leaves in the middle of its body is no fault of the server', async (t) => {
  const body = Readable.from(['{"a":'])
  const broken = t.throwsAsync(text(Readable.from(body)), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
  body.destroy()
  t.is(toHttpError(await broken).code, 'bad_request')
})

test('a rendering that is given up is no fault of the server', (t) => {
  t.is(toHttpError(new RenderingError('too_slow')).code, 'timeout')
  t.is(toHttpError(new RenderingError('too_large')).code, 'unavailable')
  const failed = toHttpError(new RenderingError('thread_failed'))
  t.is(errorStatus[failed.code], 503)
  t.is(failed.extra['retry_after'], 1)
})

test('errors of handlers have one shape, and 5xx tell the id of the request alone', async (t) => {
  const { server, logged } = await openEdge(t, {}, (routes) => {
    routes.get('/fault', async () => {
      throw new Error('secret of the house')
    })
    routes.get('/refusal', async () => {
      const details = [{ field: 'a', code: 'b', message: 'c' }]
      throw new HttpError('validation_failed', 'No', { details, extra: { hint: 1 } })
    })
  })
  const fault = await server.inject({ url: '/fault', headers })
  t.is(fault.statusCode, 500)
  t.deepEqual(fault.json(), {
    error: 'internal_error',
    message: 'The server failed',
    request_id: requestId,
  })
  t.is(fault.headers['x-request-id'], requestId)
  t.is(fault.headers['cache-control'], 'no-store')
  t.true(logged.some((line) => line.includes('secret of the house') && line.includes(requestId)))
  const refusal = await server.inject({ url: '/refusal', headers })
  t.is(refusal.statusCode, 422)
  t.deepEqual(refusal.json(), {
    error: 'validation_failed',
    message: 'No',
    details: [{ field: 'a', code: 'b', message: 'c' }],
    hint: 1,
    request_id: requestId,
  })
})

test('an unknown address, a bad path and a long one have it too', async (t) => {
  const { server } = await openEdge(t, {}, (routes) => {
    routes.get('/v1/works/:ark', async () => 'work')
  })
  const errors = {
    '/nowhere': [404, 'not_found', 'There is nothing at this address'],
    '/%ff': [400, 'bad_request', 'The percent-encoding of the path is not that of UTF-8 text'],
    [`/v1/works/${'x'.repeat(9_000)}`]: [414, 'uri_too_long', 'A segment of the path is too long'],
  } as const
  for (const [url, [status, error, message]] of Object.entries(errors)) {
    const reply = await server.inject({ url, headers })
    t.is(reply.statusCode, status)
    t.deepEqual(reply.json(), { error, message, request_id: requestId })
    t.is(reply.headers['content-type'], 'application/json; charset=utf-8')
    t.is(reply.headers['x-content-type-options'], 'nosniff')
    t.is(reply.headers['x-request-id'], requestId)
  }
})

test('what a schema has against a body is told field by field, all at once', async (t) => {
  const body = Type.Object(
    { a: Type.String(), b: Type.Object({ c: Type.String({ enum: ['x', 'y'] }) }) },
    { additionalProperties: false },
  )
  const { server } = await openEdge(t, {}, (routes) => {
    routes.post('/strict', { schema: { body } }, async () => 'done')
  })
  const payload = { b: { c: 'z' }, d: 1 }
  const reply = await server.inject({ method: 'POST', url: '/strict', payload })
  t.is(reply.statusCode, 422)
  t.deepEqual(reply.json().details, [
    { field: 'a', code: 'required', message: 'a is required' },
    { field: 'd', code: 'unknown_field', message: 'd is not a field' },
    {
      field: 'b.c',
      code: 'bad_value',
      message: 'b.c must be equal to one of the allowed values: x, y',
    },
  ])
  const wrong = await server.inject({ method: 'POST', url: '/strict', payload: { a: 5, b: null } })
  t.deepEqual(wrong.json().details, [
    { field: 'a', code: 'bad_value', message: 'a must be string' },
    { field: 'b', code: 'bad_value', message: 'b must be object' },
  ])
})

test('what the parser of HTTP refuses is answered in the same shape', async (t) => {
  const edge = await openEdge(t, {}, () => undefined)
  const port = await edge.listen()
  const refused = {
    bad_request: [400, ['GET / HTTP/1.1', 'Host: x', 'bad header']],
    headers_too_large: [431, ['GET / HTTP/1.1', 'Host: x', `A: ${'x'.repeat(20_000)}`]],
  } as const
  for (const [error, [status, lines]] of Object.entries(refused)) {
    const reply = await send(port, lines)
    t.is(reply.status, status)
    const body = JSON.parse(reply.body)
    t.is(body.error, error)
    t.regex(body.request_id, /^[0-9a-f-]{36}$/)
    t.is(reply.headers['connection'], 'close')
    t.is(Number(reply.headers['content-length']), Buffer.byteLength(reply.body))
  }
})
