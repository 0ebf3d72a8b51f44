// Hostile request bodies.

import { once } from 'node:events'
import net from 'node:net'
import test from 'ava'

import { until } from '#test/_until.ts'
import { goodWork, openRegistry, type TestRegistry } from '#test/src/_registry.ts'

let registry: TestRegistry
let authorization: string

test.before(async () => {
  registry = await openRegistry({ RATE_LIMITS: false })
  authorization = `Bearer ${await registry.createKey(['works:write'])}`
})

test.after.always(() => registry.close())

type Headers = Record<string, string>

const json: Headers = { 'content-type': 'application/json' }

async function post(payload: string | Buffer, headers: Headers = json) {
  const options = { method: 'POST', url: '/v1/works', payload } as const
  const reply = await registry.server.inject({ ...options, headers: { authorization, ...headers } })
  const { error, message, details = [] } = reply.json()
  return { status: reply.statusCode, error, message, details }
}

test('12: no body reaches a prototype', async (t) => {
  const body = JSON.stringify(goodWork)
  const reply = await post(body.replace('{', '{"__proto__":{"is_admin":true},'))
  t.is(reply.status, 400)
  t.regex(reply.message, /a member is named __proto__/)
  const constructed = await post(
    body.replace('{', '{"constructor":{"prototype":{"is_admin":true}},'),
  )
  t.is(constructed.status, 422)
  t.deepEqual(
    constructed.details.map(({ field }: { field: string }) => field),
    ['constructor'],
  )
  t.false('is_admin' in {})
})

test('13: numbers, null, lists and objects are not taken for text', async (t) => {
  for (const value of [5, true, null, ['A'], { a: 'A' }]) {
    const reply = await post(JSON.stringify({ ...goodWork, authors: value }))
    t.is(reply.status, 422, JSON.stringify(value))
    t.is(reply.details[0].field, 'authors')
  }
})

test('14: an unknown field is refused, not dropped', async (t) => {
  const reply = await post(JSON.stringify({ ...goodWork, is_admin: true }))
  t.is(reply.status, 422)
  t.is(reply.error, 'validation_failed')
  t.deepEqual(
    reply.details.map(({ field }: { field: string }) => field),
    ['is_admin'],
  )
})

test('15: a body of another type, charset or encoding is refused', async (t) => {
  const body = JSON.stringify(goodWork)
  const refused: Headers[] = [
    {},
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json;charset=utf-16' },
    { ...json, 'content-encoding': 'gzip' },
  ]
  for (const headers of refused) {
    const reply = await post(body, headers)
    t.is(reply.status, 415, JSON.stringify(headers))
    t.is(reply.error, 'unsupported_media_type')
  }
  const utf16 = await post(Buffer.from(body, 'utf16le'))
  t.is(utf16.status, 400)
})

test('16: no body, and JSON that is no object, is refused', async (t) => {
  const empty = await post('')
  t.is(empty.status, 400)
  t.is(empty.message, 'The body is not strict JSON: it is empty')
  const types = { null: 'null', '"x"': 'a string', '[]': 'an array', '5': 'a number' }
  for (const [body, type] of Object.entries(types)) {
    const reply = await post(body)
    t.is(reply.status, 422, body)
    t.is(reply.details[0].message, `the body must be a JSON object, not ${type}`)
  }
  const none = await post('', {})
  t.is(none.status, 422)
})

test('a body above the bound is refused before it is parsed', async (t) => {
  const reply = await post(JSON.stringify({ ...goodWork, description: 'x'.repeat(1_048_576) }))
  t.is(reply.status, 413)
  t.is(reply.error, 'payload_too_large')
})

test('a client that writes far more than a limit still reads that it is too much', async (t) => {
  const port = await registry.listen()
  const bytes = 10_000_000
  for (const path of ['/v1/works/bulk', '/v1/works', '/v1/receipts/verify']) {
    const socket = net.connect(port, '127.0.0.1').setEncoding('latin1')
    let read = ''
    socket.on('data', (text: string) => (read += text))
    const head = [`POST ${path} HTTP/1.1`, 'Host: registry.example', `Content-Length: ${bytes}`]
    const sent = [...head, 'Content-Type: application/json', `Authorization: ${authorization}`]
    socket.write(`${sent.join('\r\n')}\r\n\r\n`)
    await until('the refusal is there', () => read.includes('payload_too_large'))
    t.regex(read, /^HTTP\/1\.1 413 /, path)
    // It had not written yet, and goes on.
    socket.write(Buffer.alloc(bytes, ' '))
    read = ''
    socket.end('GET /healthz HTTP/1.1\r\nHost: registry.example\r\nConnection: close\r\n\r\n')
    await once(socket, 'close')
    t.regex(read, /^HTTP\/1\.1 200 /, path)
  }
})
