import { answered, holds, matches, Mismatch, refused, same } from '#test/interface/_expect.ts'
import { startLimitedRegistry } from '#test/interface/_registry.ts'
import { type Reply, send, type Sent } from '#test/interface/_request.ts'
import { filled, row, type Row, type Section } from '#test/interface/_row.ts'
import { leastFields } from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'
import { runArklog } from '#test/scenario/_process.ts'

/** A registry with all its limits, two keys of it, and a work that lies there. */
type Limited = {
  readonly url: string
  readonly key: string
  readonly otherKey: string
  readonly ark: string
}

const scopes = 'works:read,works:write,receipts:read,people:read,search:read'

/** The registry on which the limits are used up. */
function limited(world: World): Promise<Limited> {
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
type Limit = {
  readonly name: string
  readonly request: (registry: Limited) => string
  readonly count: number
  readonly seconds: number
  readonly per: 'key' | 'address'
  readonly body?: (world: World) => unknown
}

const limits = {
  resolve: {
    name: 'GET /v1/resolve/*',
    request: ({ ark }) => `GET /v1/resolve/${ark}`,
    count: 1_000,
    seconds: 3_600,
    per: 'address',
  },
  works: {
    name: 'GET /v1/works/*',
    request: ({ ark }) => `GET /v1/works/${ark}`,
    count: 100,
    seconds: 60,
    per: 'key',
  },
  create: {
    name: 'POST /v1/works',
    request: () => 'POST /v1/works',
    count: 50,
    seconds: 60,
    per: 'key',
    body: (world) => leastFields(world),
  },
  search: {
    name: 'GET /v1/search/*',
    request: () => 'GET /v1/search/organizations?limit=1',
    count: 200,
    seconds: 60,
    per: 'key',
  },
} as const satisfies Record<string, Limit>

/** Client addresses: the registry believes the proxy that says them. */
const addresses = { own: '192.0.2.1', other: '192.0.2.2' } as const

/** Sends the request of a limit as one of two callers. */
async function callAs(world: World, limit: Limit, who: 'own' | 'other'): Promise<Reply> {
  const registry = await limited(world)
  const request = limit.request(registry)
  const at = request.indexOf('/')
  const key = who === 'own' ? registry.key : registry.otherKey
  const sent: Sent = {
    limited: true,
    headers: { 'x-forwarded-for': addresses[who] },
    ...(limit.per === 'key' && { key }),
    ...(limit.body !== undefined && { body: limit.body(world) }),
  }
  return send(request.slice(0, at) + registry.url + request.slice(at), sent)
}

/** The replies to as many requests as a limit allows and one more, in the order of their counts. */
function exhaust(world: World, limit: Limit): Promise<readonly Reply[]> {
  return world.once(`exhausted ${limit.name}`, async () => {
    const replies: Reply[] = []
    const left = Array.from({ length: limit.count }, (_, index) => index)
    const worker = async () => {
      while (left.pop() !== undefined) replies.push(await callAs(world, limit, 'own'))
    }
    await Promise.all([worker(), worker(), worker(), worker()])
    const rank = ({ headers }: Reply) => -Number(headers.get('x-ratelimit-remaining'))
    return [...replies.toSorted((a, b) => rank(a) - rank(b)), await callAs(world, limit, 'own')]
  })
}

/** A reply that is refused for a limit. */
export async function limitedReply(world: World): Promise<Reply> {
  const last = (await exhaust(world, limits.create)).at(-1)
  if (last === undefined) throw new Mismatch('nothing was sent')
  return last
}

/** The rows of one limit. */
function rowsOf(limit: Limit): Row[] {
  const { name, count, seconds, per } = limit
  const window = seconds === 60 ? 'minute' : 'hour'
  return [
    row(`${name}: ${count} per ${window}`, async (world) => {
      const replies = await exhaust(world, limit)
      for (const reply of replies.slice(0, count)) answered(reply, 200, 201)
      refused(replies[count] as Reply, 429, 'rate_limit_exceeded')
    }),
    row(`${name}: counted per ${per === 'key' ? 'API key' : 'IP address'}`, async (world) => {
      await exhaust(world, limit)
      answered(await callAs(world, limit, 'other'), 200, 201)
    }),
    row(`${name}: X-RateLimit-Limit is ${count}`, async (world) => {
      for (const { headers } of await exhaust(world, limit)) {
        same(headers.get('x-ratelimit-limit'), String(count), 'X-RateLimit-Limit')
      }
    }),
    row(`${name}: X-RateLimit-Remaining counts down`, async (world) => {
      const counted = (await exhaust(world, limit)).slice(0, count)
      const found = counted.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
      same(
        found,
        Array.from(found, (_, index) => count - 1 - index),
        'X-RateLimit-Remaining',
      )
    }),
    row(`${name}: X-RateLimit-Reset is a whole time stamp`, async (world) => {
      for (const { headers } of await exhaust(world, limit)) {
        matches(headers.get('x-ratelimit-reset'), /^\d{10}$/, 'X-RateLimit-Reset')
        const leftSeconds = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1_000
        holds(leftSeconds < seconds + 2, `it is in the ${window}`, leftSeconds)
      }
    }),
  ]
}

/** The row that says that all addresses below a path are counted together. */
function behind(limit: Limit, paths: (registry: Limited) => readonly string[]): Row {
  const claim = `${limit.name}: all that lies there is counted together`
  return row(claim, async (world) => {
    await exhaust(world, limit)
    for (const path of paths(await limited(world))) {
      const other = { ...limit, request: () => `GET ${path}` }
      refused(await callAs(world, other, 'own'), 429, 'rate_limit_exceeded')
    }
  })
}

/** A limit that the text does not name, as a first reply tells it. */
function told(claim: string, path: (registry: Limited) => string, count: number): Row {
  return filled('further-limits', `${claim}: ${count} per minute`, async (world) => {
    const registry = await limited(world)
    const { otherKey: key } = registry
    const reply = await send(`GET ${registry.url}${path(registry)}`, { key, limited: true })
    same(reply.headers.get('x-ratelimit-limit'), String(count), 'X-RateLimit-Limit')
  })
}

/** Limits. */
export const rateLimits: Section = {
  name: 'Limits',
  rows: [
    ...Object.values(limits).flatMap(rowsOf),
    behind(limits.resolve, ({ ark }) => [`/v1/resolve/${ark}/v1`, `/v1/resolve/${ark}/history`]),
    behind(limits.works, ({ ark }) => [`/v1/works/${ark}/versions`]),
    behind(limits.search, () => ['/v1/search/works', '/v1/search/people']),
    filled('further-limits', 'other spellings of a path are counted with it', async (world) => {
      await exhaust(world, limits.works)
      const { ark } = await limited(world)
      for (const path of [`/v1/work/${ark}`, `/api/v1/works/${ark}`]) {
        const other = { ...limits.works, request: () => `GET ${path}` }
        refused(await callAs(world, other, 'own'), 429, 'rate_limit_exceeded')
      }
    }),
    told('receipts', ({ ark }) => `/v1/receipts/${ark}/v1`, 200),
    told('proofs', ({ ark }) => `/v1/proofs/${ark}/v1`, 200),
    told('people', () => '/v1/people/p0', 200),
    filled('further-limits', 'write-back: 60 per minute', async (world) => {
      const { url, otherKey: key } = await limited(world)
      const body = { organization: 'Institute' }
      const reply = await send(`POST ${url}/api/v1/user/affiliations`, { key, body, limited: true })
      same(reply.headers.get('x-ratelimit-limit'), '60', 'X-RateLimit-Limit')
    }),
    filled('sizes', 'a body has a mebibyte at most', async (world) => {
      const { url, otherKey: key } = await limited(world)
      const body = { ...leastFields(world), description: 'x'.repeat(1_048_577) }
      const reply = await send(`POST ${url}/v1/works`, { key, body, limited: true })
      refused(reply, 413, 'payload_too_large')
    }),
    filled('sizes', 'a title has 2,000 characters at most, other fields theirs', async (world) => {
      const { url, otherKey: key } = await limited(world)
      const long = { work_title: 2_001, description: 50_001, keywords: 5_001 }
      const texts = Object.entries(long).map(([field, length]) => [field, 'x'.repeat(length)])
      const body = { ...leastFields(world), ...Object.fromEntries(texts) }
      const reply = await send(`POST ${url}/v1/works`, { key, body, limited: true })
      const { details } = refused(reply, 422, 'validation_failed').body
      const found = details.map((fault: Readonly<Record<string, string>>) => fault['code'])
      same(found, ['too_long', 'too_long', 'too_long'], 'what is wrong')
    }),
    filled('sizes', 'a page of a list has its largest size', async (world) => {
      const { url, otherKey: key } = await limited(world)
      const sizes = { '/v1/search/works': 200, '/v1/changes': 1_000 }
      for (const [path, most] of Object.entries(sizes)) {
        answered(await send(`GET ${url}${path}?limit=${most}`, { key }), 200)
        const reply = await send(`GET ${url}${path}?limit=${most + 1}`, { key })
        refused(reply, 400, 'bad_request')
      }
    }),
  ],
}
