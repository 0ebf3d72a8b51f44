import { answered, holds, refused, same } from '#test/interface/_expect.ts'
import { adminCode, adminKey, keyOf, keyOfOthers } from '#test/interface/_keys.ts'
import { attempt, isLacking, mayDoOnly, type Operation } from '#test/interface/_operation.ts'
import { researcherKey } from '#test/interface/_people.ts'
import { differs, filled, row, type Row, type Section } from '#test/interface/_row.ts'
import { register, sampleWork, writingKey } from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'

/** What the text says that a scope grants, and all that it grants here. */
type Grant = {
  readonly scope: string
  readonly says: string
  readonly granted: readonly Operation[]
  readonly more?: readonly Operation[]
}

const grants: readonly Grant[] = [
  {
    scope: 'works:read',
    says: 'works and their versions are read',
    granted: ['read works', 'list versions'],
    more: ['follow changes', 'list own works'],
  },
  {
    scope: 'works:write',
    says: 'works are created and updated',
    granted: ['create works', 'update works', 'add versions'],
    more: ['delete works'],
  },
  {
    scope: 'receipts:read',
    says: 'receipts are read',
    granted: ['read receipts', 'read proofs'],
    more: ['list own receipts'],
  },
  { scope: 'receipts:verify', says: 'receipts are verified', granted: ['verify receipts'] },
  {
    scope: 'people:read',
    says: 'profiles of authors are read',
    granted: ['read people'],
    more: ['read claims', 'read affiliations', 'read education', 'read the whole account'],
  },
  {
    scope: 'people:write',
    says: 'profiles of authors are updated',
    granted: ['update people'],
    more: [
      'claim works',
      'add affiliations',
      'add education',
      'change affiliations',
      'change education',
      'undo writes',
    ],
  },
  {
    scope: 'search:read',
    says: 'works and people are searched',
    granted: ['search works', 'search people'],
    more: ['search organizations'],
  },
]

/** The rows of a scope: that it grants what it says, and nothing else. */
function rowsOf({ scope, says, granted, more = [] }: Grant): Row[] {
  return [
    row(`${scope}: ${says}`, async (world) => {
      const key = await keyOf(world, scope)
      for (const operation of granted) {
        const reply = await attempt(world, operation, key)
        holds(!isLacking(reply), `it may ${operation}`, reply.text)
      }
    }),
    filled('scopes-of-keys', `${scope}: nothing but what the documents name`, async (world) => {
      await mayDoOnly(world, await keyOf(world, scope), [...granted, ...more])
    }),
  ]
}

/** Withdraws a new work of the organization, with a key; gives the status. */
async function withdraw(world: World, key: string): Promise<number> {
  const { ark } = await register(world)
  const sent = { key, body: { reason: 'test' } }
  return (await world.call(`DELETE /v1/works/${ark}`, sent)).status
}

/** Scopes of keys. */
export const keyScopes: Section = {
  name: 'Scopes of keys',
  rows: [
    ...grants.flatMap(rowsOf),
    row('works:delete: works are deleted', async (world) => {
      same(await withdraw(world, await keyOf(world, 'works:delete')), 200, 'the status')
    }),
    differs('withdrawal', 'works:delete: for own works, by any owner of them', async (world) => {
      same(await withdraw(world, await keyOfOthers(world, 'works:delete')), 403, 'the status')
      await mayDoOnly(world, await keyOf(world, 'works:delete'), ['delete works'])
    }),
    differs('withdrawal', 'a deleted work leaves a tombstone, and its receipts', async (world) => {
      const { ark } = await register(world)
      const sent = { key: await writingKey(world), body: { reason: 'test' } }
      answered(await world.call(`DELETE /v1/works/${ark}`, sent), 200)
      answered(await world.call(`GET /v1/resolve/${ark}`), 410)
      answered(await world.call(`GET /api/v1/receipts/${ark}/v1`), 200)
    }),
    row('admin:*: full access', async (world) => {
      const key = await adminKey(world)
      // Each code is good for one call.
      for (const operation of ['change organizations', 'delete works', 'search works'] as const) {
        const headers = { 'x-admin-code': await adminCode(world) }
        const reply = await attempt(world, operation, key, headers)
        holds(!isLacking(reply), `it may ${operation}`, reply.text)
      }
    }),
    row('admin:* needs another proof', async (world) => {
      const key = await adminKey(world)
      refused(await attempt(world, 'change organizations', key), 403, 'forbidden')
      const headers = { 'x-admin-code': '123456' }
      refused(await attempt(world, 'change organizations', key, headers), 401, 'unauthorized')
    }),
    filled('admin', 'a code is good for one call', async (world) => {
      const key = await adminKey(world)
      const headers = { 'x-admin-code': await adminCode(world) }
      const first = await attempt(world, 'change organizations', key, headers)
      holds(!isLacking(first), 'the first call is let in', first.text)
      refused(await attempt(world, 'change organizations', key, headers), 401, 'unauthorized')
    }),
    filled('admin', 'admin:* alone grants nothing', async (world) => {
      await mayDoOnly(world, await adminKey(world), [])
    }),
    filled('admin', 'admin:* is for keys of the operator', async (world) => {
      const create = ['key', 'create', '--owner', 'org:demo', '--scopes', 'admin:*']
      const { code } = await world.runCommand([...create, '--ip', '127.0.0.1', '--json'])
      same(code, 1, 'the exit code')
    }),
    filled(
      'keys-of-researchers',
      'mint: works, affiliations and education are added',
      async (world) => {
        const key = await researcherKey(world, 'mint')
        await mayDoOnly(world, key, ['create works', 'add affiliations', 'add education'])
      },
    ),
    filled('keys-of-researchers', 'update: what was added so is changed', async (world) => {
      const key = await researcherKey(world, 'update')
      await mayDoOnly(world, key, [
        'update works',
        'add versions',
        'change affiliations',
        'change education',
      ])
    }),
    filled('scopes-of-keys', 'no scope implies another', async (world) => {
      const { ark } = await sampleWork(world)
      const key = await writingKey(world)
      refused(await world.call(`GET /v1/works/${ark}`, { key }), 403, 'forbidden')
    }),
  ],
}
