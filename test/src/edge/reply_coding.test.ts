import { setImmediate as nextTurn } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import test from 'ava'

import { isNotModified } from '#src/edge/conditional.ts'
import { encodeContent } from '#src/edge/content_coding.ts'
import { ReplyCoder } from '#src/edge/reply_coding.ts'
import { openEdge } from '#test/src/edge/_edge.ts'

const unpackers = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  deflate: inflateSync,
} as const

const codings = Object.keys(unpackers) as (keyof typeof unpackers)[]

const long = 'Order, things, and é. '.repeat(100)
const huge = Buffer.from(`"${'Many names; '.repeat(100_000)}"`)

/** A server with texts of many kinds, and bodies that are none. */
async function openTexts(t: Parameters<typeof openEdge>[0]) {
  const { server } = await openEdge(t, {}, (routes) => {
    const serve = (url: string, type: string, body: string | Buffer, headers = {}) => {
      routes.get(url, (_request, reply) => reply.type(type).headers(headers).send(body))
    }
    serve('/json', 'application/json; charset=utf-8', JSON.stringify({ long }))
    serve('/xml', 'application/xml', `<a>${long}</a>`, { vary: 'Accept' })
    serve('/atom', 'application/atom+xml; charset=utf-8', `<a>${long}</a>`)
    serve('/html', 'text/html; charset=utf-8', Buffer.from(long))
    serve('/huge', 'application/json', huge)
    serve('/short', 'application/json', '{}')
    serve('/bytes', 'application/octet-stream', Buffer.alloc(4_096))
    serve('/coded', 'text/plain', Buffer.alloc(4_096), { 'content-encoding': 'gzip' })
    routes.get('/tagged', (request, reply) => {
      reply.type('application/json').header('etag', '"7"')
      if (isNotModified(request, '"7"')) return reply.code(304).send()
      return reply.send(JSON.stringify({ long }))
    })
    serve('/weak', 'application/json', JSON.stringify({ long }), { etag: 'W/"7"' })
    routes.post('/tagged', (_request, reply) =>
      reply.code(201).type('application/json').header('etag', '"8"').send(JSON.stringify({ long })),
    )
    routes.get('/missing', (_request, reply) =>
      reply.code(404).type('application/json').send(JSON.stringify({ long })),
    )
  })
  const get = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers })
  return { server, get }
}

test('every text over 1 kB comes in the coding that its reader wants most', async (t) => {
  const { server, get } = await openTexts(t)
  for (const url of ['/json', '/xml', '/atom', '/html', '/huge', '/missing']) {
    const plain = await get(url)
    t.is(plain.headers['content-encoding'], undefined, url)
    t.regex(String(plain.headers['vary']), /\bAccept-Encoding$/, url)
    for (const coding of codings) {
      const headers = { 'accept-encoding': `${coding}, other` }
      const reply = await get(url, headers)
      t.is(reply.statusCode, plain.statusCode)
      t.is(reply.headers['content-encoding'], coding, url)
      t.is(reply.headers['vary'], plain.headers['vary'])
      t.is(reply.headers['content-type'], plain.headers['content-type'])
      t.is(reply.headers['content-length'], String(reply.rawPayload.length))
      t.true(reply.rawPayload.length < plain.rawPayload.length)
      t.is(unpackers[coding](reply.rawPayload).toString(), plain.body)
      const head = await server.inject({ method: 'HEAD', url, headers })
      t.is(head.body, '')
      const { date: _, ...headHeaders } = head.headers
      const { date: __, ...getHeaders } = reply.headers
      for (const ours of [headHeaders, getHeaders]) delete ours['x-request-id']
      t.deepEqual(headHeaders, getHeaders, url)
    }
  }
  t.is((await get('/xml')).headers['vary'], 'Accept, Accept-Encoding')
})

test('what is short, packed or no text is sent as it is', async (t) => {
  const { get } = await openTexts(t)
  const all = { 'accept-encoding': 'br, gzip' }
  t.is((await get('/short', all)).headers['content-encoding'], undefined)
  const bytes = await get('/bytes', all)
  t.is(bytes.headers['content-encoding'], undefined)
  t.is(bytes.headers['vary'], undefined)
  t.is((await get('/coded', all)).rawPayload.length, 4_096)
  for (const refused of ['identity', 'br;q=0, gzip;q=0', '', 'zstd']) {
    const reply = await get('/json', { 'accept-encoding': refused })
    t.is(reply.headers['content-encoding'], undefined, refused)
  }
})

test('a coded body has a strong tag of its own, and both are what a reader may hold', async (t) => {
  const { server, get } = await openTexts(t)
  t.is((await get('/tagged')).headers.etag, '"7"')
  const coded = await get('/tagged', { 'accept-encoding': 'br' })
  t.is(coded.headers.etag, '"7-br"')
  t.is((await get('/tagged', { 'accept-encoding': 'gzip' })).headers.etag, '"7-gzip"')
  t.is((await get('/weak', { 'accept-encoding': 'br' })).headers.etag, 'W/"7"')
  for (const [held, etag] of [
    ['"7"', '"7"'],
    ['"7-br"', '"7-br"'],
    ['W/"7-gzip"', '"7-gzip"'],
    ['"7-br", "7"', '"7"'],
    ['*', '"7"'],
  ] as const) {
    const reply = await get('/tagged', { 'accept-encoding': 'br', 'if-none-match': held })
    t.is(reply.statusCode, 304, held)
    t.is(reply.headers.etag, etag, held)
    t.is(reply.headers['content-encoding'], undefined)
    t.is(reply.headers['vary'], 'Accept-Encoding')
  }
  for (const other of ['"8"', '"8-br"', '"7-zstd"', '"7-"', '"-br"']) {
    t.is((await get('/tagged', { 'if-none-match': other })).statusCode, 200, other)
  }
  const headers = { 'accept-encoding': 'br' }
  const made = await server.inject({ method: 'POST', url: '/tagged', headers })
  t.is(made.headers['content-encoding'], 'br')
  t.is(made.headers.etag, '"8"', 'the tag of the record, not of the reply')
})

test('a long body comes whole over a connection, in every coding', async (t) => {
  const { server } = await openTexts(t)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as { readonly port: number }
  for (const coding of [...codings, 'identity']) {
    const headers = { 'accept-encoding': coding }
    const reply = await fetch(`http://127.0.0.1:${port}/huge`, { headers })
    t.is(reply.headers.get('content-encoding'), coding === 'identity' ? null : coding)
    t.true(huge.equals(Buffer.from(await reply.arrayBuffer())), coding)
  }
})

/** A coder whose work ends when it is let go; `begun` is what it has begun. */
function gatedCoder() {
  const begun: Uint8Array[] = []
  const gate = Promise.withResolvers<void>()
  const coder = new ReplyCoder(async (body, coding) => {
    begun.push(Buffer.from(body))
    await gate.promise
    return encodeContent(body, coding)
  })
  return { coder, begun, open: () => gate.resolve() }
}

function bodyOf(nth: number, bytes = 2_048): Buffer {
  return Buffer.alloc(bytes, `body ${nth} `)
}

test('what many ask for at once, and later, is coded once', async (t) => {
  const { coder, begun, open } = gatedCoder()
  const ask = (caller: string, isShared = true) =>
    coder.code({ body: bodyOf(1), coding: 'br', caller, isShared })
  const asked = Array.from({ length: 50 }, (_, nth) => ask(`192.0.2.${nth}`))
  open()
  const made = await Promise.all([...asked, ask('later')])
  t.is(begun.length, 1)
  for (const body of made) t.deepEqual(brotliDecompressSync(body ?? Buffer.alloc(0)), bodyOf(1))
  await ask('private', false)
  await ask('private', false)
  t.is(begun.length, 3, 'what is one person’s is kept for nobody')
})

test('a flood keeps two at work, one for each client, and the rest is sent as it is', async (t) => {
  const { coder, begun, open } = gatedCoder()
  const ask = (nth: number, caller: string) =>
    coder.code({ body: bodyOf(nth), coding: 'gzip', caller, isShared: false })
  const flood = Array.from({ length: 1_000 }, (_, nth) => ask(nth, 'flooder'))
  const others = [ask(2_000, 'other'), ask(2_001, 'another')]
  await nextTurn()
  t.is(begun.length, 2)
  t.deepEqual(begun[1], bodyOf(2_000), 'another client has its turn at once')
  open()
  const coded = (await Promise.all(flood)).filter((body) => body !== undefined)
  t.is(coded.length, 33, 'one at work, and those that may wait')
  t.true((await Promise.all(others)).every((body) => body !== undefined))
  t.not(await ask(3_000, 'flooder'), undefined, 'later there is room again')
})

test('bodies that wait to be coded are bounded by their bytes, too', async (t) => {
  const { coder, open } = gatedCoder()
  const mebibytes = (nth: number) =>
    coder.code({
      body: bodyOf(nth, 6 * 1_048_576),
      coding: 'gzip',
      caller: `192.0.2.${nth}`,
      isShared: false,
    })
  const asked = Array.from({ length: 5 }, (_, nth) => mebibytes(nth))
  open()
  const coded = (await Promise.all(asked)).filter((body) => body !== undefined)
  t.is(coded.length, 2)
})

test('what is kept of a coded body holds no more memory than its bytes', async (t) => {
  const coder = new ReplyCoder()
  for (const coding of codings) {
    const wanted = { body: Buffer.from(long), coding, caller: 'any', isShared: true }
    const made = await coder.code(wanted)
    const kept = await coder.code(wanted)
    t.deepEqual(kept, made, coding)
    t.is(kept?.buffer.byteLength, kept?.length, coding)
  }
})
