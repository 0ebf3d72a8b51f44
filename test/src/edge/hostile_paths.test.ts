// Hostile ARKs and versions in paths, sent as bytes: a client library would tidy them up.

import { randomBytes } from 'node:crypto'
import test from 'ava'

import { mintName } from '#actors/works/actor.ts'
import { routedUrl } from '#src/edge/request_path.ts'
import { type RawReply, send } from '#test/src/_raw.ts'
import { goodWork, openRegistry, type TestRegistry } from '#test/src/_registry.ts'

let registry: TestRegistry
let port: number
let key: string
let ark: string

test.before(async () => {
  registry = await openRegistry({ RATE_LIMITS: false })
  port = await registry.listen()
  key = await registry.createKey(['works:read', 'works:write'])
  const headers = { authorization: `Bearer ${key}` }
  const options = { method: 'POST', url: '/v1/works', headers, payload: goodWork } as const
  ark = (await registry.server.inject(options)).json().ark_identifier
})

test.after.always(() => registry.close())

function get(path: string): Promise<RawReply> {
  return send(port, [`GET ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`])
}

const families = ['/v1/works', '/v1/work', '/api/v1/works', '/v1/resolve', '/api/v1/resolve']

test('1: dot segments, raw or encoded, are a malformed ARK', async (t) => {
  const paths = ['../../etc/passwd', '..%2f..%2fetc', '%2e%2e/%2e%2e/etc', '%2E%2E%2Fx', './x']
  for (const family of families) {
    for (const path of paths) {
      const reply = await get(`${family}/ark:/1/${path}`)
      t.is(reply.status, 400, `${family} ${path}`)
      t.is(JSON.parse(reply.body).error, 'malformed_ark')
    }
  }
})

test('1b: so they are where a name is missing, and behind what means nothing', async (t) => {
  const labels = ['/ark:', '/ark:/', '/ARK:/', '/ark%3A%2F', 'http://x/ark:/', '/feeds/works/ark:/']
  const roots = [...labels, ...families.map((family) => `${family}/ark:/`)]
  const tails = ['..', '.', '../', './', '%2e%2e', '.%2E/', '%2F..', '-..', '.-.']
  const odd = ['%20.%20.', '%E2%80%90..', '..%0A', '..%09/x', `${ark.split('/')[2]}/..`]
  for (const root of roots) {
    for (const path of [...tails, ...odd]) {
      const end = root.startsWith('/feeds') ? '/.atom' : ''
      const reply = await get(`${root}12345/${path}${end}`)
      t.is(reply.status, 400, `${root} ${path}`)
      t.is(JSON.parse(reply.body).error, 'malformed_ark', `${root} ${path}`)
    }
  }
  const queries = ['?', '??', '?info', '?json', '?format=bibtex'].map(
    (query) => `/ark:/12345/..${query}`,
  )
  const versions = ['/v1/resolve/ark:/12345/../v1', '/v1/works/ark:/12345/../versions']
  for (const path of [...queries, ...versions]) t.is((await get(path)).status, 400, path)
})

test('2: an ARK that is encoded twice is malformed', async (t) => {
  const once = encodeURIComponent(ark)
  for (const family of families) {
    t.is((await get(`${family}/${once}`)).status, 200)
    const twice = await get(`${family}/${encodeURIComponent(once)}`)
    t.is(twice.status, 400)
    t.is(JSON.parse(twice.body).error, 'malformed_ark')
  }
})

test('3: NUL, bytes that are not UTF-8 and broken escapes are refused in our words', async (t) => {
  for (const path of ['x%00', 'x%ff', 'x%zz', 'x%', 'x%e2%82', 'x%c0%80']) {
    for (const family of families) {
      const reply = await get(`${family}/ark:/12345/${path}`)
      t.is(reply.status, 400, path)
      t.is(JSON.parse(reply.body).error, 'malformed_ark')
    }
    const elsewhere = await get(`/v1/${path}`)
    t.true([400, 404].includes(elsewhere.status), `${path} ${elsewhere.status}`)
    t.is(typeof JSON.parse(elsewhere.body).request_id, 'string')
  }
})

test('4: an ARK of 10 KB is refused', async (t) => {
  for (const family of families) {
    const reply = await get(`${family}/ark:/12345/${'x'.repeat(10_240)}`)
    t.is(reply.status, 414)
    t.is(JSON.parse(reply.body).error, 'uri_too_long')
    const shorter = await get(`${family}/ark:/12345/${'x'.repeat(3_000)}`)
    t.is(shorter.status, 400)
    t.is(JSON.parse(shorter.body).error, 'malformed_ark')
  }
})

test('5: hyphens, a label in capitals and the form without a slash name one record', async (t) => {
  const [, naan = '', id = ''] = ark.split('/')
  const hyphens = [...id].join('-')
  for (const spelling of [`ARK:/${naan}/${id}`, `ark:${naan}/${id}`, `Ark:${naan}/${hyphens}`]) {
    const reply = await get(`/v1/works/${spelling}`)
    t.is(reply.status, 200, spelling)
    t.is(JSON.parse(reply.body).ark_identifier, ark)
  }
  t.is((await get(`/v1/works/ark:/${naan}/${id.toUpperCase()}`)).status, 404)
})

test('6: no name is minted that reads as a tail', (t) => {
  const random = (count: number) => randomBytes(count)
  for (let names = 0; names < 2_000; names += 1) {
    // The one shoulder with which a name could.
    const name = mintName({ naan: '12345', shoulder: 'v2', random })
    const url = routedUrl(`/v1/resolve/ark:/12345/${name}`)
    t.is(url, `/v1/resolve/${encodeURIComponent(`ark:/12345/${name}`)}`)
  }
})

test('7: a version that is no plain number from 1 on is not there', async (t) => {
  t.is((await get(`/v1/resolve/${ark}/v1`)).status, 200)
  const statuses = {
    [`v${encodeURIComponent('２')}`]: 400,
    v0: 404,
    'v-1': 404,
    v1e3: 404,
    v99999999999: 404,
    v99999999999999999999999: 404,
    v01: 404,
    'v+1': 404,
    v: 404,
    v2: 404,
  }
  for (const [version, status] of Object.entries(statuses)) {
    t.is((await get(`/v1/resolve/${ark}/${version}`)).status, status, version)
  }
})
