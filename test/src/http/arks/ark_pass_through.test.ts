// What is put behind an ARK never leads away from the site of its object, whatever it is.

import test from 'ava'
import fc from 'fast-check'

import { HttpError } from '#src/edge/errors.ts'
import { passThrough, readArkRequest } from '#src/http/arks/ark_request.ts'
import { anyCharacter } from '#test/_any_character.ts'
import { send } from '#test/src/_raw.ts'
import { goodWork, openRegistry, type TestRegistry } from '#test/src/_registry.ts'

let registry: TestRegistry
let port: number
const arks: Record<string, string> = {}

const objects = {
  bare: 'https://press.example',
  folder: 'https://press.example/a/b/',
  file: 'https://press.example/a/b.pdf',
  query: 'https://press.example/get?id=3',
  fragment: 'https://press.example/a#part',
}

test.before(async () => {
  registry = await openRegistry({ RATE_LIMITS: false })
  port = await registry.listen()
  const headers = { authorization: `Bearer ${await registry.createKey(['works:write'])}` }
  for (const [kind, work_url] of Object.entries(objects)) {
    const payload = { ...goodWork, work_url }
    const options = { method: 'POST', url: '/v1/works', headers, payload } as const
    arks[kind] = (await registry.server.inject(options)).json().ark_identifier
  }
})

test.after.always(() => registry.close())

function get(path: string) {
  return send(port, [`GET ${path} HTTP/1.1`, 'Host: x'])
}

const hostile = [
  '//evil.example',
  '///evil.example/',
  '/%2F%2Fevil.example',
  '/\\evil.example',
  '/%5Cevil.example',
  '%5C%5Cevil.example',
  '@evil.example',
  '/@evil.example',
  '%40evil.example/',
  '.evil.example',
  '../=',
  './..\\=',
  ':80@evil.example',
  '%3A80',
  '/..%2f..%2fetc',
  '/%2e%2e/etc',
  '/.%20./etc',
  '/.%09./.%0A./etc',
  '/%2e%09%2e/etc',
  '/..;/etc',
  '/a%0d%0aSet-Cookie:%20x=1',
  '/a%0D%0ALocation=evil',
  '/a%E2%80%A8b',
  '/a%00b',
  '/%250d%250a',
  '/a%23b',
  '/a%3Fb',
  '?content&x=%0d%0aSet-Cookie:%20y',
  '?content&//evil.example',
  '?content&@evil.example',
  '/doc?a=1#b',
]

test('hostile endings are refused, or stay below the object', async (t) => {
  for (const [kind, ark] of Object.entries(arks)) {
    for (const ending of hostile) {
      const reply = await get(`/${ark}${ending}`)
      const what = `${kind} ${ending}`
      t.true([302, 400, 404].includes(reply.status), `${what}: ${reply.status}`)
      t.is(reply.headers['set-cookie'], undefined, what)
      if (reply.status !== 302) continue
      const location = new URL(reply.headers['location'] ?? '')
      t.is(location.origin, 'https://press.example', what)
      const object = new URL(objects[kind as keyof typeof objects])
      t.true(location.pathname.startsWith(object.pathname.replace(/\/$/, '')), what)
      t.regex(reply.headers['location'] ?? '', /^[\x21-\x7e]+$/, what)
    }
  }
})

test('dot segments are refused, however they are hidden', async (t) => {
  const endings = [
    '/../x',
    '/./x',
    '/%2e/x',
    '/%2E%2e/x',
    '/.%20./x',
    '/%20../x',
    '/..%0A',
    '/..',
    '../=',
  ]
  for (const ending of endings) {
    const reply = await get(`/${arks['folder']}${ending}`)
    t.is(reply.status, 400, ending)
    t.is(JSON.parse(reply.body).error, 'malformed_ark', ending)
  }
})

test('endings that are too long are refused', async (t) => {
  t.is((await get(`/${arks['folder']}/${'x'.repeat(3_000)}`)).status, 400)
  t.is((await get(`/${arks['folder']}/${'x'.repeat(9_000)}`)).status, 414)
  const long = await get(`/${arks['folder']}/${'x'.repeat(1_900)}`)
  t.is(long.headers['location'], `${objects.folder}${'x'.repeat(1_900)}`)
})

test('a suffix and a query go where the site of the object expects them', async (t) => {
  const locations = {
    bare: 'https://press.example/doc8/chap7?a=1',
    folder: 'https://press.example/a/b/doc8/chap7?a=1',
    file: 'https://press.example/a/b.pdf/doc8/chap7?a=1',
    query: 'https://press.example/get?id=3/doc8/chap7&a=1',
    fragment: 'https://press.example/a/doc8/chap7?a=1#part',
  }
  for (const [kind, location] of Object.entries(locations)) {
    const reply = await get(`/${arks[kind]}/doc8/chap7?a=1`)
    t.is(reply.headers['location'], location)
  }
})

/** What the endings above are put together from. */
const hostilePieces = [
  ...'/ . .. : @ - ? # \\ % & = ; é v2 evil.example api_key=s'.split(' '),
  ...'%2e %2f %5c %20 %09 %0d%0a %25 %E2%80%90'.split(' '),
]

test('no ending whatsoever leads to another origin, climbs, or breaks a header', (t) => {
  const pieces = fc.constantFrom(...hostilePieces)
  const anything = fc.string({ unit: anyCharacter }).map((text) => text.toWellFormed())
  const ending = fc.array(fc.oneof(pieces, pieces, anything), { maxLength: 12 })
  const object = fc.constantFrom(...Object.values(objects), 'http://h.example:8080/x%2Fy?q#f')
  fc.assert(
    fc.property(object, ending, (objectUrl, parts) => {
      let asked: ReturnType<typeof readArkRequest>
      try {
        asked = readArkRequest(`/ark:/12345/k2bcd${parts.join('')}`)
      } catch (error) {
        t.true(error instanceof HttpError && error.code === 'malformed_ark')
        return
      }
      const location = passThrough(objectUrl, asked.suffix, asked.query)
      t.regex(location, /^[\x21-\x7e]+$/)
      const [from, to] = [new URL(objectUrl), new URL(location)]
      t.is(to.origin, from.origin)
      t.is(to.username + to.password, '')
      t.true(to.pathname.startsWith(from.pathname.replace(/\/$/, '')))
      t.true(to.search.startsWith(from.search))
      t.is(to.hash, from.hash)
    }),
    { numRuns: 2_000, examples: [[objects.folder, ['..', '/', '=']]] },
  )
})
