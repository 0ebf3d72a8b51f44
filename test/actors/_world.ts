import type { ExecutionContext } from 'ava'
import type { Environment } from '#actors/registry/environment.ts'
import { auditRegistry } from '#actors/registry/audit.ts'
import { until } from '#test/_until.ts'
import { fetched } from '#test/actors/_content.ts'
import { admin, makeRegistry, type TestRegistry } from '#test/actors/_environment.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import type { ContentFetcher, ContentOutcome } from '#actors/works/fixity/client.ts'

/** When the tests begin, in milliseconds since 1970; and a day. */
export const startMs = Date.UTC(2026, 10, 21, 10)
export const dayMs = 86_400_000

/** What lies outside of a registry: what addresses serve, and what time it is. */
export class World {
  nowMs = startMs
  /** What addresses serve; those that are not named here all serve the same file. */
  readonly served = new Map<string, ContentOutcome>()
  readonly asked: string[] = []

  readonly fetch: ContentFetcher = async (url, { onStart }) => {
    onStart?.()
    this.asked.push(url)
    await new Promise((resolve) => setImmediate(resolve))
    return this.served.get(url) ?? fetched('file')
  }
}

/** A registry whose content is fetched from a world of the test's own, or through a port given. */
export async function openWorld(t: ExecutionContext, fetchContent?: ContentFetcher) {
  const world = new World()
  const registry = await makeRegistry(t, {
    systemMs: () => world.nowMs,
    fetchContent: fetchContent ?? world.fetch,
  })
  const environment = await registry.open()
  t.teardown(() => environment.close())
  return { world, registry, environment }
}

/** Waits until all that is due was checked. */
export function settle({ fixity }: Environment): Promise<void> {
  return until('all that is due was checked', async () => {
    const { due, in_flight } = await fixity.overview()
    return due === 0 && in_flight === 0
  })
}

/** Has a work checked again. */
export async function recheck(environment: Environment, ark: string): Promise<void> {
  const { type } = await environment.fixity.recheck(ark, admin)
  if (type !== 'queued') throw new Error(`the work is ${type}`)
  await settle(environment)
}

/** Closes a registry and audits it; gives the faults. */
export async function auditClosed(
  environment: Environment,
  registry: TestRegistry,
): Promise<unknown> {
  const { events, treeSize } = environment.status()
  const firstReceiptKey = environment.receiptKeys.publicKey
  await environment.close()
  const scratch = openMemoryStore()
  const options = { events, treeSize, firstReceiptKey, scratch, progress: () => {} }
  return (await auditRegistry(openMemoryStore(registry.disk), options)).faults
}

/** Where the works of tests have their content, if nothing else is said. */
export const url = 'https://example.org/work'
