import { execFileSync } from 'node:child_process'
import test, { type ExecutionContext } from 'ava'

import { goodWork, openRegistry, type TestRegistry } from '#test/src/_registry.ts'

type Report = {
  total: Record<string, number>
  periods: ({ period: string } & Record<string, number | string>)[]
}

async function openWith(t: ExecutionContext, works: number) {
  const settings = { TRUST_PROXY: ['127.0.0.0/8'], RATE_LIMITS: false }
  const registry = await openRegistry(settings)
  t.teardown(() => registry.close())
  const key = await registry.createKey(['works:write', 'receipts:verify'])
  const arks: string[] = []
  for (let count = 0; count < works; count += 1) {
    const reply = await registry.server.inject({
      method: 'POST',
      url: '/v1/works',
      headers: { authorization: `Bearer ${key}` },
      payload: { ...goodWork, work_title: `Of order, part ${count}` },
    })
    t.is(reply.statusCode, 201, reply.body)
    arks.push(reply.json<{ ark_identifier: string }>().ark_identifier)
  }
  return { ...registry, key, arks }
}

async function usageOf(
  { server }: Pick<TestRegistry, 'server'>,
  ark: string,
  query = '',
): Promise<Report> {
  const reply = await server.inject(`/v1/works/${encodeURIComponent(ark)}/usage${query}`)
  return reply.json<Report>()
}

const reader = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const other = `${reader} Other/1`
const robot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

test('a resolve is counted, again from the fast way, and is not for a robot', async (t) => {
  const registry = await openWith(t, 1)
  const { arks, time } = registry
  const [ark = ''] = arks
  const port = await registry.listen()
  const get = (agent: string, forwarded: string) =>
    fetch(`http://127.0.0.1:${port}/v1/resolve/${encodeURIComponent(ark)}`, {
      headers: { 'user-agent': agent, 'x-forwarded-for': forwarded },
    }).then((reply) => reply.arrayBuffer())
  // One and the same twice, one later, another one, and a robot: the later ones are hot.
  await get(reader, '192.0.2.1')
  await get(reader, '192.0.2.1')
  time.nowMs += 30_001
  await get(reader, '192.0.2.1')
  await get(reader, '192.0.2.2')
  await get(robot, '192.0.2.3')
  const { total, periods } = await usageOf(registry, ark)
  t.deepEqual(total, { resolutions: 3, landings: 0, verifications: 0, harvests: 0 })
  t.is(periods.length, 30)
  t.like(periods.at(-1), { period: '2026-01-01', resolutions: 3 })
})

test('the counts of a recorded run are those that a foreign script finds in its log', async (t) => {
  const registry = await openWith(t, 3)
  const { arks, time, server, key } = registry
  const log: string[] = []
  let seed = 7
  const draw = <T>(choices: readonly T[]): T => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return choices[Math.floor((seed / 2_147_483_648) * choices.length)] as T
  }
  const oai = '/api/v1/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier='
  for (let count = 0; count < 1_500; count += 1) {
    time.nowMs += draw([0, 500, 4_000, 20_000, 30_000, 30_001, 400_000])
    const ark = draw(arks)
    const name = encodeURIComponent(ark)
    const [method, url, accept] = draw([
      ['GET', `/v1/resolve/${name}`, '*/*'],
      ['GET', `/v1/resolve/${name}/v1`, '*/*'],
      ['HEAD', `/v1/resolve/${name}`, '*/*'],
      ['GET', `/v1/resolve/${name}/v9`, '*/*'],
      ['GET', `/${ark}`, '*/*'],
      ['GET', `/${ark}`, 'text/html'],
      ['GET', `/${ark}?content`, '*/*'],
      ['GET', `/${ark}?info`, '*/*'],
      ['GET', `/v1/works/${name}/usage`, '*/*'],
      ['POST', `/v1/receipts/${name}/v1/verify`, '*/*'],
      ['GET', `${oai}${name}`, '*/*'],
    ] as const)
    const address = draw(['192.0.2.1', '192.0.2.2', '2001:db8::1'])
    const agent = draw([reader, robot, other])
    const { statusCode } = await server.inject({
      method,
      url,
      headers: {
        accept,
        'user-agent': agent,
        'x-forwarded-for': address,
        ...(method === 'POST' && { authorization: `Bearer ${key}` }),
      },
      ...(method === 'POST' && { payload: { content_hash: `sha256:${'a'.repeat(64)}` } }),
    })
    log.push([time.nowMs, address, method, url, accept, statusCode, agent].join('\t'))
  }
  const script = new URL('../../../foreign/usage_count.py', import.meta.url).pathname
  const input = `${log.join('\n')}\n`
  const said = execFileSync('python3', [script], { input, encoding: 'utf8' })
  const expected = JSON.parse(said) as Record<string, Record<string, Record<string, number>>>
  const kinds = new Set<string>()
  for (const ark of arks) {
    const found: Record<string, Record<string, number>> = {}
    for (const { period, ...counts } of (await usageOf(registry, ark)).periods) {
      const counted = Object.entries(counts).filter(([, count]) => count !== 0)
      for (const [kind] of counted) kinds.add(kind)
      if (counted.length > 0) found[period] = Object.fromEntries(counted) as Record<string, number>
    }
    t.deepEqual(found, expected[ark.replace('ark:/', '')] ?? {})
  }
  t.is(kinds.size, 4, 'every kind of use was in the run')
})

test('the uses of its works are those of an organization, in days, months and years', async (t) => {
  const registry = await openWith(t, 2)
  const { arks, server, time, environments, key } = registry
  const by = { type: 'operator', id: 'operator', name: 'Operator', via: 'cli' } as const
  await environments.live.organizations.create({ body: { slug: 'press', name: 'A Press' }, by })
  const [ark = ''] = arks
  const name = encodeURIComponent(ark)
  await server.inject({
    method: 'POST',
    url: `/v1/receipts/${name}/v1/verify`,
    headers: { authorization: `Bearer ${key}`, 'user-agent': reader },
    payload: { content_hash: `sha256:${'a'.repeat(64)}` },
  })
  for (const days of [0, 10, 40, 400]) {
    time.nowMs = Date.parse('2026-01-01T00:00:00.000Z') + days * 86_400_000
    for (const each of arks) {
      const url = `/v1/resolve/${encodeURIComponent(each)}`
      await server.inject({ url, headers: { 'user-agent': reader } })
    }
  }
  const ofAll = await server.inject('/v1/organizations/press/usage?granularity=month')
  t.is(ofAll.json<Report>().total['resolutions'], 2)
  const ever = await server.inject('/v1/organizations/press/usage?granularity=year')
  t.like(ever.json<Report>().total, { resolutions: 8, verifications: 1 })
  await server.inject(`/api/v1/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=${name}`)
  await server.inject({ url: `/${ark}`, headers: { accept: 'text/html', 'user-agent': reader } })
  const today = await server.inject('/v1/organizations/press/usage?granularity=month')
  const once = { resolutions: 2, landings: 1, verifications: 0, harvests: 1 }
  t.deepEqual(today.json<Report>().total, once)
  const years = await usageOf(registry, ark, '?granularity=year&from=2026-05-05&to=2027-01-01')
  t.deepEqual(
    years.periods.map(({ period, resolutions }) => [period, resolutions]),
    [
      ['2026', 3],
      ['2027', 1],
    ],
  )
  const months = await usageOf(registry, ark, '?granularity=month&from=2026-01-31&to=2026-02-01')
  t.deepEqual(
    months.periods.map(({ period, resolutions }) => [period, resolutions]),
    [
      ['2026-01', 2],
      ['2026-02', 1],
    ],
  )
})

test('a table comes as CSV, by Accept or by format', async (t) => {
  const { server, arks } = await openWith(t, 1)
  const url = `/v1/works/${encodeURIComponent(arks[0] ?? '')}/usage?from=2026-01-01`
  const byAccept = await server.inject({ url, headers: { accept: 'text/csv' } })
  const byFormat = await server.inject(`${url}&format=csv`)
  t.is(byAccept.headers['content-type'], 'text/csv; charset=utf-8; header=present')
  const text = 'period,resolutions,landings,verifications,harvests\r\n2026-01-01,0,0,0,0\r\n'
  t.is(byAccept.body, text)
  t.is(byFormat.body, text)
})

test('a question that has no answer is refused with what is wrong', async (t) => {
  const { server, arks } = await openWith(t, 1)
  const url = `/v1/works/${encodeURIComponent(arks[0] ?? '')}/usage`
  const refused: readonly (readonly [string, string])[] = [
    ['from=2026', 'The query parameter from must be a day as YYYY-MM-DD'],
    ['from=2025-02-31', 'There is no day 2025-02-31'],
    ['from=2026-01-02&to=2026-01-01', 'The day `from` must not be after `to`'],
    ['granularity=week', 'The query parameter granularity must be day or month or year'],
    [
      'from=2024-01-01&to=2024-01-02',
      'Days are kept since 2024-11-28; of older ones ask for granularity=month',
    ],
    [
      'from=2024-01-01',
      'From `from` to `to` there may be 400 days; ask for fewer, or for longer ones',
    ],
    [
      'since=2024-01-01',
      'Unknown query parameter "since": known are from, to, granularity, format',
    ],
  ]
  for (const [query, message] of refused) {
    const reply = await server.inject(`${url}?${query}`)
    t.is(reply.statusCode, 400)
    t.like(reply.json(), { error: 'bad_request', message })
  }
  const none = await server.inject('/v1/organizations/nobody/usage')
  t.is(none.statusCode, 404)
})
