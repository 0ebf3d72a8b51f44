import { answered, forms, holds, matches, refused, same } from '#test/interface/_expect.ts'
import { keyOf, newKey, sandboxKeyOf } from '#test/interface/_keys.ts'
import { researcher, researcherKey } from '#test/interface/_people.ts'
import type { Sent } from '#test/interface/_request.ts'
import { filled, row, type Section } from '#test/interface/_row.ts'
import { leastFields, register, sampleWork } from '#test/interface/_works.ts'
import { NotTried, type World } from '#test/interface/_world.ts'
import { newDataDir, runArklog } from '#test/scenario/_process.ts'

/** Reads the sample with a key that is sent in some way. */
async function readWith(world: World, sent: Sent, query = '') {
  const { ark } = await sampleWork(world)
  return world.call(`GET /v1/works/${ark}${query}`, sent)
}

/** Reads the sample with a key in the address. */
async function readInAddress(world: World) {
  const key = await keyOf(world, 'works:read')
  return { key, reply: await readWith(world, {}, `?api_key=${key}`) }
}

/** API keys. */
export const apiKeys: Section = {
  name: 'API keys',
  rows: [
    row('Authorization: Bearer <API_KEY>', async (world) => {
      answered(await readWith(world, { key: await keyOf(world, 'works:read') }), 200)
    }),
    row('X-API-Key: <API_KEY>', async (world) => {
      const headers = { 'x-api-key': await keyOf(world, 'works:read') }
      answered(await readWith(world, { headers }), 200)
    }),
    row('?api_key=<API_KEY>', async (world) => {
      answered((await readInAddress(world)).reply, 200)
    }),
    row('the key in the address is warned of', async (world) => {
      const { headers } = (await readInAddress(world)).reply
      matches(headers.get('warning'), /^299 /, 'Warning')
    }),
    filled('keys', 'two different keys in one request are refused', async (world) => {
      const headers = { 'x-api-key': await keyOf(world, 'works:write') }
      const reply = await readWith(world, { key: await keyOf(world, 'works:read'), headers })
      refused(reply, 400, 'bad_request')
    }),
    row('keys of production begin with svc_live_', async (world) => {
      matches(await keyOf(world, 'works:read'), /^svc_live_[0-9A-Za-z]+$/, 'the key')
    }),
    row('keys of the sandbox begin with svc_test_', async (world) => {
      matches(await sandboxKeyOf(world, 'works:read'), /^svc_test_[0-9A-Za-z]+$/, 'the key')
    }),
    row('keys of researchers for write-back begin with svc-', async (world) => {
      matches(await researcherKey(world, 'mint'), /^svc-[0-9A-Za-z]+$/, 'the key')
    }),
    row('a key is shown once, when it is made', async (world) => {
      const { key } = await newKey(world, ['works:read'])
      const listed = JSON.stringify(await world.command('key', 'list'))
      holds(!listed.includes(key), 'the list of keys has it not')
      const own = await researcherKey(world, 'mint')
      const { browser } = await researcher(world)
      const page = await browser.go(`${world.place.authUrl}/account/keys`)
      holds(!page.body.includes(own), 'the page of keys has it not')
    }),
    row('a researcher can make a key with the right mint', async (world) => {
      await register(world, leastFields(world), await researcherKey(world, 'mint'))
    }),
    row('a researcher can make a key with the right update', async (world) => {
      const { ark } = await register(world, undefined, await researcherKey(world, 'mint'))
      const sent = { key: await researcherKey(world, 'update'), body: { description: 'Other.' } }
      answered(await world.call(`PUT /api/v1/works/${ark}`, sent), 200)
    }),
    row('update changes affiliations and education that were added so', async (world) => {
      const lists = { affiliations: 'organization', education: 'institution' }
      for (const [list, field] of Object.entries(lists)) {
        const added = {
          key: await researcherKey(world, 'mint'),
          body: { [field]: world.name('A') },
        }
        const { body } = answered(await world.call(`POST /api/v1/user/${list}`, added), 201)
        const year = list === 'affiliations' ? 'start_year' : 'year'
        const sent = { key: await researcherKey(world, 'update'), body: { [year]: '2020' } }
        answered(await world.call(`PUT /api/v1/user/${list}/${body.id}`, sent), 200)
      }
    }),
    row('one key can have both', async (world) => {
      const key = await researcherKey(world, 'mint', 'update')
      const { ark } = await register(world, undefined, key)
      const sent = { key, body: { description: 'Other.' } }
      answered(await world.call(`PUT /api/v1/works/${ark}`, sent), 200)
    }),
    row('such a key writes without asking for permission', async (world) => {
      const key = await researcherKey(world, 'mint')
      const body = { organization: world.name('Institute') }
      answered(await world.call('POST /api/v1/user/affiliations', { key, body }), 201)
      const { ppid } = await researcher(world)
      const profile = await world.call(`GET /api/v1/people/${ppid}`)
      holds(profile.text.includes(body.organization), 'it is on the profile')
    }),
    row('HTTPS only: a registry for others does not start without', async (world) => {
      const DATA_DIR = await newDataDir(world.owner)
      const settings = { DATA_DIR, BASE_URL: 'http://registry.example.org' }
      const { code, stdout, stderr } = await runArklog(world.owner, ['serve', '--json'], settings)
      holds(code !== 0, 'it ends', code)
      matches(stdout + stderr, /BASE_URL/, 'what it says')
    }),
    row('rotation about every 90 days: unless told, a key ends then', async (world) => {
      const { expires_at } = await newKey(world, ['works:read'])
      const days = (Date.parse(expires_at) - Date.now()) / 86_400_000
      holds(days > 89 && days < 91, 'it ends after 90 days', expires_at)
    }),
    filled('keys', 'a key is rotated, and the old one works on for a while', async (world) => {
      const old = await newKey(world, ['works:read'])
      const next = await world.command<{ key: string; rotate_until: string }>(
        'key',
        'rotate',
        old.id,
      )
      matches(next.rotate_until, forms.time, 'rotate_until')
      for (const key of [old.key, next.key]) answered(await readWith(world, { key }), 200)
    }),
    row('keys are apart by environment', async (world) => {
      const key = await sandboxKeyOf(world, 'works:read')
      answered(await readWith(world, { key }), 404)
    }),
    row('lists of IP addresses', async (world) => {
      const here = await newKey(world, ['works:read'], '--ip', '127.0.0.1,::1')
      answered(await readWith(world, { key: here.key }), 200)
      const elsewhere = await newKey(world, ['works:read'], '--ip', '192.0.2.0/24')
      const { body } = refused(await readWith(world, { key: elsewhere.key }), 401, 'unauthorized')
      same(body.message, 'Invalid API key', 'message')
    }),
    row('no keys in logs', async (world) => {
      const { logged } = world.place
      if (logged === undefined) throw new NotTried('the log of the registry is not at hand')
      const { key } = await readInAddress(world)
      await readWith(world, { key })
      holds(logged().includes('/v1/works/'), 'requests are logged')
      holds(!logged().includes(key), 'the key is not')
    }),
    filled('keys', 'a key that was revoked opens nothing', async (world) => {
      const { id, key } = await newKey(world, ['works:read'])
      answered(await readWith(world, { key }), 200)
      await world.command('key', 'revoke', id)
      refused(await readWith(world, { key }), 401, 'unauthorized')
    }),
  ],
}
