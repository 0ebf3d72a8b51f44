import {
  callAs,
  exhaust,
  type Limit,
  limited,
  type Limited,
  remainingOf,
  resetOf,
  textLimits,
} from '#test/interface/_limits.ts'
import { answered, holds, matches, refused, same } from '#test/interface/_expect.ts'
import { type Reply, send } from '#test/interface/_request.ts'
import { filled, row, type Row, type Section } from '#test/interface/_row.ts'
import { leastFields } from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'

/** A reply that is refused for a limit. */
export async function limitedReply(world: World): Promise<Reply> {
  return (await exhaust(world, textLimits.create)).beyond
}

/** All replies that count under a limit. */
async function repliesOf(world: World, limit: Limit): Promise<readonly Reply[]> {
  const { within, beyond } = await exhaust(world, limit)
  return [...within, beyond]
}

/** The rows of one limit. */
function rowsOf(limit: Limit): Row[] {
  const { name, count, seconds, per } = limit
  const window = seconds === 60 ? 'minute' : 'hour'
  return [
    row(`${name}: ${count} per ${window}`, async (world) => {
      const { within, beyond } = await exhaust(world, limit)
      for (const reply of within) answered(reply, 200, 201)
      refused(beyond, 429, 'rate_limit_exceeded')
    }),
    row(`${name}: counted per ${per === 'key' ? 'API key' : 'IP address'}`, async (world) => {
      await exhaust(world, limit)
      answered(await callAs(world, limit, 'other'), 200, 201)
    }),
    ...(limit.behind('').length === 0
      ? []
      : [
          row(`${name}: all that lies there is counted together`, async (world) => {
            const { behind } = await exhaust(world, limit)
            for (const reply of behind) refused(reply, 429, 'rate_limit_exceeded')
          }),
        ]),
    filled('further-limits', `${name}: other spellings are counted with it`, async (world) => {
      const { spelled } = await exhaust(world, limit)
      for (const reply of spelled) refused(reply, 429, 'rate_limit_exceeded')
    }),
    row(`${name}: X-RateLimit-Limit is ${count}`, async (world) => {
      for (const { headers } of await repliesOf(world, limit)) {
        same(headers.get('x-ratelimit-limit'), String(count), 'X-RateLimit-Limit')
      }
    }),
    row(`${name}: X-RateLimit-Remaining counts down`, async (world) => {
      const found = (await exhaust(world, limit)).within.map(remainingOf)
      const expected = Array.from(found, (_, index) => count - 1 - index)
      same(found, expected, 'X-RateLimit-Remaining')
    }),
    row(`${name}: X-RateLimit-Reset is a whole time stamp`, async (world) => {
      for (const reply of await repliesOf(world, limit)) {
        matches(reply.headers.get('x-ratelimit-reset'), /^\d{10}$/, 'X-RateLimit-Reset')
        const leftSeconds = resetOf(reply) - Date.now() / 1_000
        holds(leftSeconds < seconds + 2, `it is in the ${window}`, leftSeconds)
      }
    }),
  ]
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
    ...Object.values(textLimits).flatMap(rowsOf),
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
