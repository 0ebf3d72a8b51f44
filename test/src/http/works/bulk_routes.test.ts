import test from 'ava'

import { goodWork, openRegistry, type TestRegistry } from '#test/src/_registry.ts'

let registry: TestRegistry
let press: Record<string, string>
let rival: Record<string, string>

test.before(async () => {
  registry = await openRegistry({ RATE_LIMITS: false })
  const keyOf = async (id: string) => {
    const owner = { type: 'organization', id, name: id } as const
    const key = await registry.createKey(['works:read', 'works:write'], { owner })
    return { authorization: `Bearer ${key}` }
  }
  press = await keyOf('press')
  rival = await keyOf('rival')
})

test.after.always(() => registry.close())

type Result = Readonly<Record<string, unknown>> & { index: number; status: number }

const type = 'application/x-ndjson'

/** Sends lines, and reads the lines that come back. */
async function send(
  lines: readonly unknown[],
  query = '',
  headers: Record<string, string> = press,
): Promise<readonly Result[]> {
  const payload = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  const reply = await registry.server.inject({
    method: 'POST',
    url: `/v1/works/bulk${query}`,
    headers: { ...headers, 'content-type': type },
    payload: `${payload.join('\n')}\n`,
  })
  if (reply.statusCode !== 200) throw new Error(reply.body)
  const texts = reply.body.trimEnd().split('\n')
  return texts.map((text) => JSON.parse(text) as Result)
}

const named = (name: string) => ({ ...goodWork, work_title: name, existing_doi: `10.5555/${name}` })
const statuses = (results: readonly Result[]) => results.map(({ status }) => status)

test('lines register, change by ARK and replace by DOI, each on its own, in order', async (t) => {
  const [first, second] = await send([named('one'), named('two')])
  t.deepEqual([first?.status, second?.status], [201, 201])
  const lines = [
    { ark: first?.['ark_identifier'], volume: '7' },
    { ...named('two'), issue: '3' },
    named('three'),
    { ark: 'ark:/12345/k2bcd45g7h3', volume: '7' },
    { ark: 7 },
    '{"work_title": "One", "work_title": "Two"}',
    'no JSON',
    { ark: first?.['ark_identifier'], colour: 'red' },
  ]
  const trial = await send(lines, '?update=true&dry_run=true')
  t.deepEqual(statuses(trial), [200, 200, 200, 404, 422, 400, 400, 422])
  t.like(trial[0], { valid: true, version: 2, changed_fields: ['volume'] })
  t.false('unchanged' in (trial[0] ?? {}))
  const results = await send(lines, '?update=true')
  t.deepEqual(
    results.map(({ index }) => index),
    lines.map((_, index) => index),
  )
  t.deepEqual(statuses(results), [200, 200, 201, 404, 422, 400, 400, 422])
  t.like(results[0], { version: 2, kind: 'updated', changed_fields: ['volume'] })
  t.like(results[1], { ark_identifier: second?.['ark_identifier'], version: 2 })
  t.is(typeof results[6]?.['message'], 'string')
  // By itself: lines of one request that change one work may do so in any order.
  const [repeated] = await send(lines.slice(0, 1), '?update=true')
  t.like(repeated, { status: 200, version: 2, unchanged: true })
})

test('a request that is sent again under its name does nothing twice', async (t) => {
  const [made] = await send([named('again')])
  const lines = [
    { ...named('again'), volume: '2' },
    named('fresh'),
    { ark: made?.['ark_identifier'], issue: '9' },
  ]
  const keyed = { ...press, 'idempotency-key': 'spring' }
  const first = await send(lines, '?update=true', keyed)
  const second = await send(lines, '?update=true', keyed)
  const facts = (results: readonly Result[]) =>
    results.map(({ status, ark_identifier, version }) => [status, ark_identifier, version])
  t.deepEqual(facts(second), facts(first))
  t.deepEqual(
    second.map(({ replayed }) => replayed),
    [true, true, true],
  )
})

test('a mended file under a new name makes no work twice; a trial tells what is so', async (t) => {
  const works = Array.from({ length: 5 }, (_, nth) => named(`mended${nth}`))
  const first = await send(works, '', { ...press, 'idempotency-key': 'one' })
  const mended = works.map((work, nth) => (nth === 2 ? { ...work, work_title: 'Mended' } : work))
  const keyed = { ...press, 'idempotency-key': 'two' }
  const trial = await send(mended, '?update=true&dry_run=true', keyed)
  t.deepEqual(
    trial.map(({ version, unchanged, changed_fields: fields }) => [version, unchanged, fields]),
    works.map((_, nth) => (nth === 2 ? [2, undefined, ['work_title']] : [1, true, []])),
  )
  const second = await send(mended, '?update=true', keyed)
  t.deepEqual(
    second.map((each) => [each['ark_identifier'], each['version'], each['unchanged'] ?? false]),
    first.map((each, nth) => [each['ark_identifier'], nth === 2 ? 2 : 1, nth !== 2]),
  )
})

test('the limit of bulk requests counts works, or their length, and not requests', async (t) => {
  const limited = await openRegistry({ LIMIT_BULK_WORKS: 10 })
  t.teardown(() => limited.close())
  const key = await limited.createKey(['works:read', 'works:write'])
  const post = async (works: readonly unknown[]) => {
    const reply = await limited.server.inject({
      method: 'POST',
      url: '/v1/works/bulk?dry_run=true',
      headers: { authorization: `Bearer ${key}`, 'content-type': type },
      payload: works.map((work) => JSON.stringify(work)).join('\n'),
    })
    return [reply.statusCode, reply.headers['x-ratelimit-remaining']]
  }
  const works = Array.from({ length: 3 }, (_, nth) => named(`counted${nth}`))
  t.deepEqual(await post(works), [200, '7'])
  t.deepEqual(await post(works.slice(0, 1)), [200, '6'])
  t.deepEqual(await post([{ ...named('long'), description: 'x'.repeat(20_000) }]), [200, '3'])
  t.deepEqual(await post([...works, named('fourth')]), [429, '0'])

  const fresh = await openRegistry({ LIMIT_BULK_WORKS: 2 })
  t.teardown(() => fresh.close())
  const other = await fresh.createKey(['works:read', 'works:write'])
  const reply = await fresh.server.inject({
    method: 'POST',
    url: '/v1/works/bulk?dry_run=true',
    headers: { authorization: `Bearer ${other}` },
    payload: { works },
  })
  // More than all of the limit takes all of it.
  t.deepEqual([reply.statusCode, reply.headers['x-ratelimit-remaining']], [200, '0'])
})

test('attack: a line changes no work of another registrant, by ARK or by DOI', async (t) => {
  const [made] = await send([named('mine')])
  const ark = made?.['ark_identifier']
  const lines = [
    { ark, work_title: 'Taken' },
    { ...named('mine'), work_title: 'Taken' },
  ]
  for (const query of ['?update=true', '?update=true&dry_run=true']) {
    const results = await send(lines, query, rival)
    t.deepEqual(statuses(results), [403, 409], query)
  }
  const read = await registry.server.inject({ url: `/v1/works/${String(ark)}`, headers: press })
  t.like(read.json(), { work_title: 'mine', version: 1 })
})

test('a long body of JSON is read by its threads and says the same', async (t) => {
  const description = 'Words of a description. '.repeat(60)
  const works = Array.from({ length: 300 }, (_, index) => {
    return { ...named(`long${index}`), description }
  })
  const post = async (payload: object) => {
    const url = '/v1/works/bulk?update=true'
    return (await registry.server.inject({ method: 'POST', url, headers: press, payload })).json()
  }
  const { results: made } = (await post({ works })) as { results: readonly Result[] }
  t.true(made.every(({ status }) => status === 201))
  const changes = works.map((work, index) => {
    const ark = made[index]?.['ark_identifier']
    return index % 2 === 0 ? { ark, description: null, volume: '1' } : { ...work, volume: '1' }
  })
  const padded = [...changes, { ...named('padding'), description: 'x'.repeat(4_000) }]
  const { results } = (await post({ works: padded })) as { results: readonly Result[] }
  t.deepEqual(new Set(statuses(results.slice(0, 300))), new Set([200]))
  t.true(results.slice(0, 300).every(({ version }) => version === 2))
})

test('works without DOIs are known by what their registrant calls them', async (t) => {
  const own = (id: string, more: object = {}) => ({ ...goodWork, external_id: id, ...more })
  const first = await send([own('a-1'), own('a-2')], '', { ...press, 'idempotency-key': 'own-1' })
  t.deepEqual(statuses(first), [201, 201])
  const mended = [own('a-1', { work_title: 'Mended' }), own('a-2'), own('a-3'), own('a-3')]
  const refused = await send(mended.slice(0, 2), '?allow_duplicate=true')
  t.deepEqual(statuses(refused), [409, 409])
  t.is(refused[0]?.['existing_ark'], first[0]?.['ark_identifier'])
  t.deepEqual(statuses(await send(mended, '?update=true&dry_run=true')), [200, 200, 200, 200])
  const key = { ...press, 'idempotency-key': 'own-2' }
  const results = await send(mended, '?update=true', key)
  t.deepEqual(new Set(statuses(results)), new Set([200, 201]))
  t.like(results[0], { ark_identifier: first[0]?.['ark_identifier'], version: 2 })
  t.like(results[1], { ark_identifier: first[1]?.['ark_identifier'], unchanged: true })
  const third = results.slice(2).map((result) => result['ark_identifier'])
  t.is(new Set(third).size, 1)
  const again = await send(mended, '?update=true', key)
  t.deepEqual(
    again.map((result) => result['ark_identifier']),
    results.map((result) => result['ark_identifier']),
  )
  // It is a name of each registrant's own, and of one work that stands.
  t.deepEqual(statuses(await send([own('a-1')], '', rival)), [201])
  const ark = first[1]?.['ark_identifier']
  // One after the other: lines of one request begin in their order, and end in any.
  const [taken, renamed] = await send([
    { ark, external_id: 'a-1' },
    { ark, external_id: 'a-4' },
  ])
  t.like(taken, { status: 422, details: [{ field: 'external_id' }] })
  t.like(renamed, { status: 200 })
  t.deepEqual(statuses(await send([{ ark: third[0], external_id: 'a-4' }])), [422])
  const withdrawal = {
    method: 'POST',
    url: `/v1/works/${String(ark)}/withdraw`,
    headers: press,
  } as const
  await registry.server.inject({ ...withdrawal, payload: { reason: 'test' } })
  t.deepEqual(statuses(await send([own('a-4')])), [201])
})

test('a DOI that a work gets later does not make another one of it', async (t) => {
  const [first] = await send([{ ...goodWork, external_id: 'b-1' }])
  const [second] = await send([{ ...named('b'), external_id: 'b-1' }], '?update=true')
  t.is(second?.['ark_identifier'], first?.['ark_identifier'])
  const [third] = await send([named('b')], '?update=true')
  t.is(third?.['ark_identifier'], first?.['ark_identifier'])
})
