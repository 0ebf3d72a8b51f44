import test from 'ava'

import { demo } from '#test/actors/_environment.ts'
import { goodWork, openRegistry } from '#test/src/_registry.ts'
import {
  addressesOf,
  assertMethods,
  fillAddress,
  type SendMethod,
} from '#test/src/edge/_addresses.ts'

// What is no ARK at the root is nowhere, and what is no file below /docs.
const isOfNames = /^\/(?:[:*]|docs\/.*[:*])/

// The router prints `/log*` for these: of what stands before a rest, only addresses of their own.
const isCutOff = /log\*$/
const tiles = ['/log/tile/*', '/log/tile/entries/*'].flatMap((url) => [url, `/sandbox${url}`])

test('every address says which methods it takes, and has HEAD as it has GET', async (t) => {
  t.timeout(300_000)
  const registry = await openRegistry({ RATE_LIMITS: false })
  t.teardown(registry.close)
  const { server, environments } = registry
  const body = { slug: 'press', name: 'A Press' }
  await environments.live.organizations.create({ body, by: demo })
  const scopes = ['works:read', 'works:write', 'receipts:read', 'search:read', 'people:read']
  const headers = { authorization: `Bearer ${await registry.createKey(scopes)}` }
  const options = { method: 'POST', url: '/v1/works', headers, payload: goodWork } as const
  const ark = (await server.inject(options)).json().ark_identifier as string
  const send: SendMethod = async (method, url, sent = {}) => {
    const reply = await server.inject({ method: method as 'GET', url, headers: sent })
    return { status: reply.statusCode, headers: reply.headers, body: reply.body }
  }
  const samples = { ark, slug: 'press', version: '1', n: '1', '*': '0/000.p/1' }
  const printed = addressesOf(server).filter((pattern) => !isCutOff.test(pattern))
  const addresses = [...printed, ...tiles].filter((pattern) => !isOfNames.test(pattern))
  t.true(addresses.length > 150, `${addresses.length} addresses`)
  const statuses = new Map<number | undefined, number>()
  t.is(await assertMethods(t, send, `/${ark}`, { accept: 'application/json' }), 200)
  for (const pattern of addresses) {
    const url = fillAddress(pattern, samples)
    // A page with a form is another text each time, of one length only as long as it is not packed.
    const coding = url.startsWith('/auth') ? 'identity' : 'br'
    const status = await assertMethods(t, send, url, { ...headers, 'accept-encoding': coding })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  t.true((statuses.get(200) ?? 0) > 50, JSON.stringify([...statuses]))
  for (const nowhere of ['/nowhere', '/v1/nowhere', '/auth/nowhere']) {
    t.is((await send('OPTIONS', nowhere)).status, 404, nowhere)
  }
})
