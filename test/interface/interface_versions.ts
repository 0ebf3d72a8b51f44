import { answered, same } from '#test/interface/_expect.ts'
import { keyOf, sandboxKeyOf } from '#test/interface/_keys.ts'
import { filled, row, type Section } from '#test/interface/_row.ts'
import { leastFields, readingKey, register, workOfTwoVersions } from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'

/** A work of the sandbox. */
async function sandboxWork(world: World) {
  return world.once('sandbox work', async () =>
    register(world, leastFields(world), await sandboxKeyOf(world, 'works:write')),
  )
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
    filled('the-sandbox', 'everybody resolves them, marked as such', async (world) => {
      const { ark } = await sandboxWork(world)
      const { headers } = answered(await world.call(`GET /v1/resolve/${ark}`), 200)
      same(headers.get('x-svc-environment'), 'sandbox', 'X-SVC-Environment')
    }),
  ],
}
