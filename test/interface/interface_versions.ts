import { answered, matches, same } from '#test/interface/_expect.ts'
import { keyOf, organization, sandboxKeyOf } from '#test/interface/_keys.ts'
import { newBrowser, registerApplication, researcher } from '#test/interface/_people.ts'
import { ask, exchange, permit, query, type Wanted } from '#test/interface/_permission.ts'
import type { Json } from '#test/interface/_request.ts'
import { filled, row, type Section } from '#test/interface/_row.ts'
import {
  leastFields,
  readingKey,
  register,
  sampleWork,
  workOfTwoVersions,
} from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'

/** A work of the sandbox. */
async function sandboxWork(world: World) {
  return world.once('sandbox work', async () =>
    register(world, leastFields(world), await sandboxKeyOf(world, 'works:write')),
  )
}

/** A person of the sandbox, with what they sign in with. */
function testPerson(world: World): Promise<Json> {
  return world.once('test person', async () => {
    const key = await sandboxKeyOf(world, 'people:write')
    const sent = { key, body: { name: 'Tess Tester' } }
    return answered(await world.call('POST /v1/people', sent), 201).body
  })
}

/** Tokens of an application of the sandbox, which the test person has permitted to write. */
function testTokens(world: World): Promise<Json> {
  return world.once('test tokens', async () => {
    const options = ['--organization', organization, '--environment', 'sandbox']
    const own = await registerApplication(world, ...options)
    const wanted: Wanted = { application: own, scope: 'svc:works:write' }
    const { sign_in: person } = await testPerson(world)
    const browser = newBrowser(world)
    const entrance = await ask(world, browser, query(wanted))
    const { email, password } = person
    const page = await browser.submit(entrance, { email, password }, '/sign-in')
    const code = (await permit(browser, page)).searchParams.get('code') ?? ''
    return answered(await exchange(world, wanted, code), 200).body
  })
}

/** Versions of the interface and of works, and the sandbox. */
export const interfaceVersions: Section = {
  name: 'Versions and the sandbox',
  rows: [
    row('the version of the interface is in the prefixes /v1 and /api/v1', async (world) => {
      answered(await world.call('GET /v1/work-types'), 200)
      answered(await world.call('GET /api/v1/work-types'), 200)
      answered(await world.call('GET /v2/work-types'), 404)
    }),
    filled('versioning-policy', 'nothing of it is marked as deprecated', async (world) => {
      const { text } = answered(await world.call('GET /openapi.json?aliases=true'), 200)
      same(text.includes('"deprecated":true'), false, 'deprecated operations and parameters')
      const { headers } = answered(await world.call('GET /v1/work-types'), 200)
      same(headers.get('deprecation'), null, 'Deprecation')
    }),
    row('each version of a work is at {ark}/v{version}', async (world) => {
      const { ark } = await workOfTwoVersions(world)
      for (const version of [1, 2]) {
        const { body } = answered(await world.call(`GET /v1/resolve/${ark}/v${version}`), 200)
        same(body.version, version, 'version')
      }
      answered(await world.call(`GET /v1/resolve/${ark}/v3`), 404)
    }),
    row('each version of a work has a receipt', async (world) => {
      const { ark } = await workOfTwoVersions(world)
      const key = await readingKey(world)
      for (const version of [1, 2]) {
        answered(await world.call(`GET /v1/receipts/${ark}/v${version}`, { key }), 200)
      }
    }),
    row('keys that begin with svc_test_ reach a sandbox', async (world) => {
      const { ark } = await sandboxWork(world)
      const key = await sandboxKeyOf(world, 'works:read')
      const { headers } = answered(await world.call(`GET /v1/works/${ark}`, { key }), 200)
      same(headers.get('x-svc-environment'), 'sandbox', 'X-SVC-Environment')
    }),
    filled('the-sandbox', 'its works have a NAAN of their own', async (world) => {
      const { ark } = await sandboxWork(world)
      same(ark.split('/')[1], '99999', 'the NAAN')
    }),
    filled('the-sandbox', 'a live key does not see them', async (world) => {
      const { ark } = await sandboxWork(world)
      const key = await keyOf(world, 'works:read')
      answered(await world.call(`GET /v1/works/${ark}`, { key }), 404)
    }),
    filled('the-sandbox', 'a live work is not there', async (world) => {
      const { ark } = await sampleWork(world)
      const key = await sandboxKeyOf(world, 'works:read')
      answered(await world.call(`GET /v1/works/${ark}`, { key }), 404)
    }),
    filled('the-sandbox', 'a test key makes a test person, with keys', async (world) => {
      const { ppid, keys, sign_in } = await testPerson(world)
      matches(ppid, /^p[0-9a-z]+$/, 'ppid')
      matches(keys[1].key, /^svc-/, 'the key for write-back')
      matches(sign_in.url, /\/sandbox\//, 'where the person signs in')
      const { name } = answered(await world.call(`GET /api/v1/people/${ppid}`), 200).body
      same(name, 'Tess Tester', 'name')
    }),
    filled(
      'the-sandbox',
      'permission to write is asked for at the same addresses',
      async (world) => {
        const { access_token: key } = await testTokens(world)
        const { ark } = await register(world, leastFields(world), key)
        same(ark.split('/')[1], '99999', 'the NAAN of what the token registers')
      },
    ),
    filled('the-sandbox', 'a token of the sandbox is good there alone', async (world) => {
      const { access_token: key } = await testTokens(world)
      const { ppid } = await researcher(world)
      const body = { bio: 'No.' }
      answered(await world.call(`PUT /api/v1/people/${ppid}`, { key, body }), 403, 404)
    }),
    filled('the-sandbox', 'everybody resolves them, marked as such', async (world) => {
      const { ark } = await sandboxWork(world)
      const { headers } = answered(await world.call(`GET /v1/resolve/${ark}`), 200)
      same(headers.get('x-svc-environment'), 'sandbox', 'X-SVC-Environment')
    }),
  ],
}
