// Plain requests that come over a connection go past the framework; the same body in chunks does
// not. Nobody can tell by their replies.

import type { AddressInfo } from 'node:net'
import test from 'ava'

import { type RawReply, send } from '#test/src/_raw.ts'
import { goodWork, openRegistry, type TestRegistry } from '#test/src/_registry.ts'

let registry: TestRegistry
let port: number
let keys: Record<'writer' | 'reader' | 'trier', string>

test.before(async () => {
  registry = await openRegistry({ LIMIT_WORKS_CREATE: 1_000 })
  const scopes = ['works:read', 'works:write']
  keys = {
    writer: await registry.createKey(scopes),
    reader: await registry.createKey(['works:read']),
    trier: await registry.createKey(scopes, { environment: 'sandbox' }),
  }
  await registry.server.listen({ host: '127.0.0.1', port: 0 })
  port = (registry.server.server.address() as AddressInfo).port
})

test.after.always(() => registry.close())

type Asked = { readonly key?: string; readonly path?: string }

function lines({ key = keys.writer, path = '/v1/works' }: Asked): string[] {
  const type = 'Content-Type: application/json'
  return [`POST ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`, type]
}

function post(body: string, asked: Asked = {}): Promise<RawReply> {
  return send(port, [...lines(asked), `Content-Length: ${Buffer.byteLength(body)}`], body)
}

function postChunked(body: string, asked: Asked = {}): Promise<RawReply> {
  const chunks = `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`
  return send(port, [...lines(asked), 'Transfer-Encoding: chunked'], chunks)
}

/** What two replies to the same request have in common. */
function common({ status, headers, body }: RawReply) {
  const own = /^(?:date|etag|location|x-request-id|x-ratelimit-remaining)$/
  const shared = Object.entries(headers).filter(([name]) => !own.test(name))
  const { error, message, details, ...members } = JSON.parse(body) as Record<string, unknown>
  return { status, headers: Object.fromEntries(shared), error, message, details, members }
}

const titled = (work_title: string) => JSON.stringify({ ...goodWork, work_title })

for (const path of ['/v1/works', '/api/v1/works']) {
  test(`${path} registers a work by either way`, async (t) => {
    for (const key of [keys.writer, keys.trier]) {
      const replies = [
        await post(titled(`Über ${path} ${key.slice(0, 8)}`), { key, path }),
        await postChunked(titled(`Ueber ${path} ${key.slice(0, 8)}`), { key, path }),
      ].map(common)
      const [one, other] = replies.map(({ members, ...rest }) => [rest, Object.keys(members)])
      t.is(replies[0]?.status, 201)
      t.deepEqual(one, other)
    }
  })
}

test('a work that was registered by a plain request is read at once', async (t) => {
  const created = await post(titled('Read at once — 山田'))
  const { links, ark_identifier: ark } = JSON.parse(created.body)
  t.is(created.headers['location'], links.self)
  const url = `/v1/works/${ark}`
  const read = await registry.server.inject({
    url,
    headers: { authorization: `Bearer ${keys.writer}` },
  })
  t.is(read.json().work_title, 'Read at once — 山田')
  t.is(read.headers.etag, created.headers['etag'])
})

test('refusals are the same by either way', async (t) => {
  t.is((await post(titled('Here already'))).status, 201)
  const refused: readonly (readonly [status: number, body: string, asked?: Asked])[] = [
    [409, titled('Here already')],
    [422, titled('')],
    [422, '[]'],
    [422, JSON.stringify({ ...goodWork, unknown: 1 })],
    [400, '{"work_title":'],
    [401, titled('x'), { key: `${keys.writer.slice(0, -1)}_` }],
    [403, titled('x'), { key: keys.reader }],
  ]
  for (const [status, body, asked] of refused) {
    const [one, other] = [await post(body, asked), await postChunked(body, asked)]
    t.is(one.status, status, body)
    const { members: ofOne, ...restOfOne } = common(one)
    const { members: ofOther, ...restOfOther } = common(other)
    t.deepEqual(restOfOne, restOfOther)
    t.deepEqual(Object.keys(ofOne), Object.keys(ofOther))
  }
})
