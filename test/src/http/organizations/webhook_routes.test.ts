import anyTest, { type ExecutionContext, type TestFn } from 'ava'
import { Webhook } from 'standardwebhooks'

import { loadConfig } from '#config/config.ts'
import { createLogger } from '#src/edge/logger.ts'
import { until } from '#test/_until.ts'
import { mint, type ServedRegistry, serveRegistry, work } from '#test/src/_served_registry.ts'
import { serveWhole } from '#test/src/delivery/fetch/_servers.ts'
import { deliverHere } from '#test/src/delivery/webhooks/_subscriber.ts'

type Context = { registry: ServedRegistry; writer: string; manager: string }

/** What arrived somewhere. */
type Arrival = {
  readonly headers: Record<string, string>
  readonly body: string
  /** What was answered. */
  readonly status: number
}

const test = anyTest as TestFn<Context>
const path = '/v1/organizations/demo/webhooks'

test.beforeEach(async (t) => {
  const registry = await serveRegistry()
  const writer = await registry.key({ scopes: ['works:write'] })
  const manager = await registry.key({ scopes: ['webhooks:manage'] })
  Object.assign(t.context, { registry, writer, manager })
})
test.afterEach.always((t) => t.context.registry.close())

/** Delivers until it is ended, to the hosts of the allow list alone among those on the loopback. */
function deliver(t: ExecutionContext<Context>, allow: readonly string[]) {
  const { registry } = t.context
  const config = { ...loadConfig({ FETCH_HOST_INTERVAL_MS: '0' }), FETCH_ALLOW: [...allow] }
  const opened = new AsyncDisposableStack()
  const logger = createLogger('silent', process.stderr)
  deliverHere({ config, baseUrl: registry.baseUrl, logger }, registry, opened)
  return opened
}

/** A subscriber that answers with a status, which can change. */
async function subscriber(t: ExecutionContext<Context>) {
  const arrivals: Arrival[] = []
  const answer = { status: 204 }
  const server = await serveWhole(t, (body, request, response) => {
    const { status } = answer
    arrivals.push({ headers: request.headers as Record<string, string>, body, status })
    response.writeHead(status).end()
  })
  const taken = () => arrivals.filter(({ status }) => status < 300)
  return { ...server, arrivals, taken, answer }
}

async function call(t: ExecutionContext<Context>, tail: string, method = 'GET', body?: unknown) {
  const { registry, manager } = t.context
  const sent = { method, key: manager, ...(body !== undefined && { body }) }
  const answer = await registry.call(path + tail, sent)
  return { status: answer.status, json: answer.json() }
}

async function tries(t: ExecutionContext<Context>, id: string) {
  const { json } = await call(t, `/${id}/deliveries`)
  return json['deliveries'] as readonly Record<string, unknown>[]
}

function idsOf(arrivals: readonly Arrival[]): ReadonlySet<string> {
  return new Set(arrivals.map(({ headers }) => headers['webhook-id'] ?? ''))
}

function sortedIdsOf(arrivals: readonly Arrival[]): readonly string[] {
  return [...idsOf(arrivals)].toSorted((one, other) => one.localeCompare(other))
}

function typesOf(arrivals: readonly Arrival[]): readonly string[] {
  return arrivals.map(({ body }) => (JSON.parse(body) as { type: string }).type)
}

test('an endpoint made over HTTP gets what happens from then on, signed, once each', async (t) => {
  const { registry, writer } = t.context
  await mint(registry, writer, work({ work_title: 'Before' }))
  const { arrivals, hostPort, url } = await subscriber(t)
  const made = await call(t, '', 'POST', { url, description: 'Library' })
  t.is(made.status, 201, JSON.stringify(made.json))
  t.like(made.json, { url, status: 'active', organization: 'demo', failures: 0 })
  const [id, secret] = [String(made.json['id']), String(made.json['secret'])]
  t.regex(secret, /^whsec_/)
  const first = deliver(t, [hostPort])
  const { ark_identifier: ark } = await mint(registry, writer, work({ work_title: 'One' }))
  await until('1 messages have come', () => arrivals.length === 1)
  await until('it is written down', async () => (await tries(t, id)).length === 1)
  await first.disposeAsync()
  await mint(registry, writer, work({ work_title: 'Two' }))
  // Who delivers next goes on where the last one was.
  const second = deliver(t, [hostPort])
  await call(t, `/${id}/ping`, 'POST')
  await until('3 messages have come', () => arrivals.length === 3)
  await until('all is written down', async () => (await tries(t, id)).length === 3)
  await second.disposeAsync()
  const webhook = new Webhook(secret)
  for (const { body, headers } of arrivals) webhook.verify(body, headers)
  // A ping stands in no order with what happens.
  const types = typesOf(arrivals).toSorted((one, other) => one.localeCompare(other))
  t.deepEqual(types, ['ping', 'work.created', 'work.created'])
  const { data } = JSON.parse(arrivals[0]?.body ?? '') as { data: Record<string, unknown> }
  t.like(data, { ark, version: 1, status: 'registered', organization: 'demo' })
  t.false(arrivals[0]?.body.includes('One'))
  const [newest] = await tries(t, id)
  t.like(newest, { delivered: true, answer: { status: 204, text: '' }, problem: null })
  t.false(JSON.stringify((await call(t, `/${id}`)).json).includes('whsec_'))
})

test('what is refused holds up its work alone, is tried again, and can be replayed', async (t) => {
  const { registry, writer } = t.context
  const { arrivals, taken, answer, hostPort, url } = await subscriber(t)
  const { json } = await call(t, '', 'POST', { url, events: ['work.created'] })
  const id = String(json['id'])
  answer.status = 500
  const deliveries = deliver(t, [hostPort])
  t.teardown(() => deliveries.disposeAsync())
  for (const work_title of ['One', 'Two']) await mint(registry, writer, work({ work_title }))
  await until('both were tried', () => idsOf(arrivals).size === 2)
  await until('both are held', async () => {
    return ((await call(t, `/${id}`)).json['held'] as unknown[]).length === 2
  })
  answer.status = 200
  t.is((await call(t, `/${id}/pause`, 'POST')).json['status'], 'paused')
  t.is((await call(t, `/${id}/resume`, 'POST')).json['status'], 'active')
  await until('both are taken', () => taken().length === 2)
  const ids = sortedIdsOf(arrivals)
  await until('nothing waits', async () => (await call(t, `/${id}`)).json['failures'] === 0)
  const rotated = await call(t, `/${id}/rotate`, 'POST')
  t.is((await call(t, `/${id}/replay`, 'POST', { after: 0 })).status, 200)
  await until('both are taken again', () => taken().length === 4)
  const [last] = arrivals.slice(-1)
  for (const secret of [json['secret'], rotated.json['secret']]) {
    t.notThrows(() => new Webhook(String(secret)).verify(last?.body ?? '', last?.headers ?? {}))
  }
  t.deepEqual(sortedIdsOf(taken().slice(2)), ids)
  // Works are told beside each other: which of the two is written down last is open.
  await until('all is written down', async () => (await tries(t, id)).length === arrivals.length)
  const of = (await tries(t, id)).find(({ message }) => message === ids[1])
  const { number, seq } = of ?? { number: 0, seq: 0 }
  const again = await call(t, `/${id}/deliveries/${String(number)}/replay`, 'POST')
  t.is(again.status, 202, JSON.stringify(again.json))
  await until('one is taken again', () => taken().length === 5)
  t.is(taken().at(-1)?.headers['webhook-id'], ids[1])
  const range = { after: Number(seq) - 2, until: Number(seq) - 1 }
  t.is((await call(t, `/${id}/replay`, 'POST', range)).status, 200)
  await until('the other is taken again', () => taken().length === 6)
  t.is(taken().at(-1)?.headers['webhook-id'], ids[0])
  await until('all is written down', async () => (await tries(t, id)).length === arrivals.length)
  const { json: page } = await call(t, `/${id}/deliveries?limit=3`)
  t.is((page['deliveries'] as unknown[]).length, 3)
  const { json: rest } = await call(t, `/${id}/deliveries?cursor=${String(page['next'])}`)
  t.is((rest['deliveries'] as unknown[]).length, arrivals.length - 3)
  t.is(rest['next'], null)
  t.deepEqual((await call(t, `/${id}`, 'DELETE')).json, { id, removed: true })
  t.is((await call(t, `/${id}`)).status, 404)
})

test('an endpoint that answers 410 gets nothing more, a private address none', async (t) => {
  const { registry, writer } = t.context
  const [gone, inside, sound] = [await subscriber(t), await subscriber(t), await subscriber(t)]
  gone.answer.status = 410
  const ids: string[] = []
  for (const { url } of [gone, inside, sound]) {
    ids.push(String((await call(t, '', 'POST', { url })).json['id']))
  }
  const deliveries = deliver(t, [gone.hostPort, sound.hostPort])
  t.teardown(() => deliveries.disposeAsync())
  // One by one: works are told beside each other.
  await mint(registry, writer, work({ work_title: 'One' }))
  await until(
    'it stands there',
    async () => (await call(t, `/${ids[0]}`)).json['status'] === 'failed',
  )
  await mint(registry, writer, work({ work_title: 'Two' }))
  await until('both are told to who takes them', () => sound.taken().length === 2)
  await until(
    'it has failed',
    async () => Number((await call(t, `/${ids[1]}`)).json['failures']) > 0,
  )
  t.is(gone.arrivals.length, 1)
  t.is(inside.connections(), 0)
})

test('webhooks are for keys of their organization, and wrong ones are refused', async (t) => {
  const { registry, writer } = t.context
  const refused = await registry.call(path, { key: writer })
  t.is(refused.status, 403)
  const owner = { type: 'organization', id: 'moon', name: 'Moon' } as const
  const key = await registry.key({ owner, scopes: ['webhooks:manage'] })
  t.is((await registry.call(path, { key })).status, 403)
  for (const body of [
    {},
    [],
    { url: 'ftp://a.example' },
    { url: 'https://a.example', events: [] },
  ]) {
    t.is((await call(t, '', 'POST', body)).status, 422, JSON.stringify(body))
  }
  t.is((await call(t, '/we_nobody')).status, 404)
  t.is((await call(t, '/we_nobody/replay', 'POST', { after: -1 })).status, 422)
  for (let count = 0; count < 20; count += 1) {
    t.is((await call(t, '', 'POST', { url: `https://a.example/${count}` })).status, 201)
  }
  t.is((await call(t, '', 'POST', { url: 'https://a.example/' })).status, 409)
  t.is(((await call(t, '')).json['webhooks'] as unknown[]).length, 20)
})
