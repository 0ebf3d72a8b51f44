import { setTimeout as sleep } from 'node:timers/promises'

import { answered, Mismatch } from '#test/interface/_expect.ts'
import { startLimitedRegistry } from '#test/interface/_registry.ts'
import { type Reply, send, type Sent } from '#test/interface/_request.ts'
import { leastFields } from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'
import { runArklog } from '#test/scenario/_process.ts'

/** A registry with all its limits, two keys of it, and a work that lies there. */
export type Limited = {
  readonly url: string
  readonly key: string
  readonly otherKey: string
  readonly ark: string
}

const scopes = 'works:read,works:write,receipts:read,people:read,search:read'

/** The registry on which the limits are used up. */
export function limited(world: World): Promise<Limited> {
  return world.once('limited registry', async () => {
    const server = await startLimitedRegistry(world.owner)
    const { local_url: url, data_dir: DATA_DIR } = server.started
    const newKey = async () => {
      const create = ['key', 'create', '--owner', 'org:demo', '--scopes', scopes, '--json']
      const { code, stdout, stderr } = await runArklog(world.owner, create, { DATA_DIR })
      if (code !== 0) throw new Mismatch(stderr)
      return (JSON.parse(stdout) as { key: string }).key
    }
    const [key, otherKey] = [await newKey(), await newKey()]
    const sent = { key: otherKey, body: leastFields(world) }
    const { body } = answered(await send(`POST ${url}/v1/works`, sent), 201)
    return { url, key, otherKey, ark: body.ark_identifier }
  })
}

/** A limit, and a request that it counts. */
export type Limit = {
  readonly name: string
  readonly count: number
  readonly seconds: 60 | 3_600
  readonly per: 'key' | 'address'
  readonly method: 'GET' | 'POST'
  readonly path: (ark: string) => string
  readonly body?: (world: World) => unknown
  /** Other addresses that the text has it count. */
  readonly behind: (ark: string) => readonly string[]
  /** Other spellings of the address. */
  readonly spelled: (ark: string) => readonly string[]
}

/** The four limits of the text. */
export const textLimits = {
  resolve: {
    name: 'GET /v1/resolve/*',
    count: 1_000,
    seconds: 3_600,
    per: 'address',
    method: 'GET',
    path: (ark) => `/v1/resolve/${ark}`,
    behind: (ark) => [`/v1/resolve/${ark}/v1`, `/v1/resolve/${ark}/history`],
    spelled: (ark) => [`/api/v1/resolve/${ark}`],
  },
  works: {
    name: 'GET /v1/works/*',
    count: 100,
    seconds: 60,
    per: 'key',
    method: 'GET',
    path: (ark) => `/v1/works/${ark}`,
    behind: (ark) => [`/v1/works/${ark}/versions`],
    spelled: (ark) => [`/v1/work/${ark}`, `/api/v1/works/${ark}`],
  },
  create: {
    name: 'POST /v1/works',
    count: 50,
    seconds: 60,
    per: 'key',
    method: 'POST',
    path: () => '/v1/works',
    body: (world) => leastFields(world),
    behind: () => [],
    spelled: () => ['/v1/work', '/api/v1/works'],
  },
  search: {
    name: 'GET /v1/search/*',
    count: 200,
    seconds: 60,
    per: 'key',
    method: 'GET',
    path: () => '/v1/search/organizations?limit=1',
    behind: () => ['/v1/search/works', '/v1/search/people'],
    spelled: () => ['/api/v1/search/organizations'],
  },
} as const satisfies Record<string, Limit>

/** Client addresses: the registry believes the proxy that says them. */
const addresses = { own: '192.0.2.1', other: '192.0.2.2' } as const

/** Sends a request that a limit counts, as one of two callers. */
export async function callAs(
  world: World,
  limit: Limit,
  who: 'own' | 'other',
  path?: string,
): Promise<Reply> {
  const { url, ark, key: ownKey, otherKey } = await limited(world)
  const sent: Sent = {
    limited: true,
    headers: { 'x-forwarded-for': addresses[who] },
    ...(limit.per === 'key' && { key: who === 'own' ? ownKey : otherKey }),
    ...(limit.body !== undefined && { body: limit.body(world) }),
  }
  return send(`${limit.method} ${url}${path ?? limit.path(ark)}`, sent)
}

/** The replies to as many requests as a limit allows, in the order of their counts, and to more. */
export type Exhausted = {
  readonly within: readonly Reply[]
  readonly beyond: Reply
  readonly behind: readonly Reply[]
  readonly spelled: readonly Reply[]
}

/** How often a limit is used up anew because its window ended meanwhile. */
const attemptsMax = 5

/** Uses a limit up, within one window of it: on a slow machine one may end on the way. */
export function exhaust(world: World, limit: Limit): Promise<Exhausted> {
  return world.once(`exhausted ${limit.name}`, async () => {
    for (let tried = 0; tried < attemptsMax; tried += 1) {
      const { within, beyond, behind, spelled } = await exhaustOnce(world, limit)
      const resets = [...within, beyond, ...behind, ...spelled].map(resetOf)
      // The end of a window is told in whole seconds, and so may be told as either of two.
      if (Math.max(...resets) - Math.min(...resets) <= 1) return { within, beyond, behind, spelled }
      await sleep(Math.max(0, Math.max(...resets) * 1_000 - Date.now()) + 1_000)
    }
    throw new Mismatch(`${limit.name} cannot be used up: its windows end before`)
  })
}

async function exhaustOnce(world: World, limit: Limit): Promise<Exhausted> {
  const { ark } = await limited(world)
  const within: Reply[] = []
  let left = limit.count
  const worker = async () => {
    for (; left > 0; ) {
      left -= 1
      within.push(await callAs(world, limit, 'own'))
    }
  }
  await Promise.all([worker(), worker(), worker(), worker()])
  const beyond = await callAs(world, limit, 'own')
  const callAll = (paths: readonly string[]) =>
    Promise.all(paths.map((path) => callAs(world, limit, 'own', path)))
  return {
    within: within.toSorted((a, b) => remainingOf(b) - remainingOf(a)),
    beyond,
    behind: await callAll(limit.behind(ark)),
    spelled: await callAll(limit.spelled(ark)),
  }
}

/** What a reply says that is left. */
export function remainingOf({ headers }: Reply): number {
  return Number(headers.get('x-ratelimit-remaining'))
}

/** When a reply says that the count begins anew, in seconds since 1970. */
export function resetOf({ headers }: Reply): number {
  return Number(headers.get('x-ratelimit-reset'))
}
