// The test vectors of the ARK specification, as a resolver meets them: in addresses.

import test from 'ava'

import { send } from '#test/src/_raw.ts'
import { goodWork, openRegistry, type TestRegistry } from '#test/src/_registry.ts'

let registry: TestRegistry
let port: number
let name: string

test.before(async () => {
  registry = await openRegistry({ RATE_LIMITS: false })
  port = await registry.listen()
  const headers = { authorization: `Bearer ${await registry.createKey(['works:write'])}` }
  const options = { method: 'POST', url: '/v1/works', headers, payload: goodWork } as const
  name = (await registry.server.inject(options)).json().svc_id
})

test.after.always(() => registry.close())

function get(path: string, ...headers: string[]) {
  return send(port, [`GET ${path} HTTP/1.1`, 'Host: x', ...headers])
}

async function locationOf(path: string): Promise<string> {
  const { status, headers } = await get(path)
  return status === 302 ? (headers['location'] ?? '') : String(status)
}

/** What each spelling of `ark:12345/<name>` leads to, after the address of the object. */
const spellings: readonly (readonly [spell: (name: string) => string, rest: string])[] = [
  [(id) => `/ark:/12345/${id}`, ''],
  [(id) => `/ark:12345/${id}`, ''],
  [(id) => `/ARK:/12345/${id}`, ''],
  [(id) => `/ark:12345/${[...id].join('-')}`, ''],
  [(id) => `/ark:12345/${id.slice(0, 4)}%E2%80%93${id.slice(4)}`, ''],
  [(id) => `/ark:12345/${id.slice(0, 4)}%20${id.slice(4)}/%0A%20page2.pdf`, '/page2.pdf'],
  [(id) => `/ark:123-45/${id}`, ''],
  [(id) => `/ark:12345//${id}//page2`, '//page2'],
  [(id) => `/ark:12345/${id}.`, ''],
  [(id) => `/ark:12345/${id}/`, ''],
  [(id) => `/ark:12345/${id}/c3/s5.v7.xsl`, '/c3/s5.v7.xsl'],
  [(id) => `/ark:12345/${id}?content&u=ark:/99999/z`, '?u=ark:/99999/z'],
  [(id) => `/ark:12345/${id}/c3?u=ark:/99999/z`, '/c3?u=ark:/99999/z'],
  [(id) => `/ark:12345/${id}/c3?content`, '/c3?content'],
  [(id) => `/ark:12345/${id}/=~*+@_$`, '/=~*+@_$'],
]

test('every spelling of an ARK leads to its object, with what follows the name', async (t) => {
  for (const [spell, rest] of spellings) {
    const path = spell(name)
    const asked = rest === '' ? `${path}?content` : path
    t.is(await locationOf(asked), `https://press.example/things${rest}`, path)
  }
})

test('the day of the registration may stand in an ARK, another day may not', async (t) => {
  t.is(await locationOf(`/ark:/12345/01012026/${name}?content`), 'https://press.example/things')
  t.is(await locationOf(`/ark:/12345/01012026/${name}/c3`), 'https://press.example/things/c3')
  t.is(await locationOf(`/ark:/12345/02012026/${name}`), '404')
})

test('another case is another name, and no name is made up', async (t) => {
  t.is(await locationOf(`/ark:12345/${name.toUpperCase()}`), '404')
  t.is(await locationOf(`/ark:12345/${name}x`), '404')
})

test('what is no ARK is refused in the words of its fault', async (t) => {
  const faults = {
    '/ark:12a45/x': /NAAN must be/,
    '/ark:12345/x6np,1': /may only have the characters/,
    '/ark:12345/x6np%252': /percent sign after it was decoded once/,
    '/ark:12345/x6np%25zz': /percent sign after it was decoded once/,
    '/ark:12345/x6%acT': /not that of UTF-8/,
    '/ark:12345/x5.v2/c3': /variant \(\.\) must not stand before a component/,
    '/ark:12345/x/../y': /segment "\." or "\.\."/,
  }
  for (const [path, reason] of Object.entries(faults)) {
    const { status, body } = await get(path)
    t.is(status, 400, path)
    t.is(JSON.parse(body).error, 'malformed_ark', path)
    t.regex(JSON.parse(body).message, reason, path)
  }
})

test('the inflections are told apart by the bytes of the address', async (t) => {
  const path = `/ark:/12345/${name}`
  const brief = await get(`${path}?`)
  t.is(brief.headers['thump-status'], '0.6 200 OK')
  t.notRegex(brief.body, /erc-support/)
  for (const ending of ['??', '?info']) {
    const full = await get(path + ending)
    t.true(full.body.startsWith(brief.body), ending)
    t.regex(full.body, /\nerc-support:\n/, ending)
  }
  t.is(JSON.parse((await get(`${path}?json`)).body).version, 1)
  // These only look like inflections: links to the page have such queries.
  for (const query of ['?info=1', '?INFO', '?json&a', '???']) {
    t.is((await get(path + query)).headers['content-type'], 'text/html; charset=utf-8', query)
  }
})
