// Harvesting of a registry over HTTP: what the registry adds to the rules of the protocol.

import test from 'ava'

import { goodWork, openRegistry, type TestRegistry } from '#test/src/_registry.ts'
import { errorCodes, identifiersIn } from '#test/src/discovery/oai/_reply.ts'
import { child, children, readXml, texts } from '#test/src/_xml.ts'

type Settings = Parameters<typeof openRegistry>[0]

async function open(t: { teardown(close: () => unknown): void }, settings: Settings = {}) {
  const registry = await openRegistry(settings)
  t.teardown(registry.close)
  const key = await registry.createKey(['works:write'])
  return { ...registry, headers: { authorization: `Bearer ${key}` } }
}

type Opened = TestRegistry & { readonly headers: Record<string, string> }

async function register({ server, headers }: Opened, work_title: string): Promise<string> {
  const payload = { ...goodWork, work_title }
  const reply = await server.inject({ method: 'POST', url: '/v1/works', headers, payload })
  return reply.json().ark_identifier
}

async function ask({ server }: TestRegistry, query: string) {
  const { body } = await server.inject(`/api/v1/oai?${query}`)
  return readXml(body)
}

const records = 'verb=ListRecords&metadataPrefix=oai_dc'

test('a work is harvested at once, without credentials, until it is withdrawn', async (t) => {
  const registry = await open(t)
  const ark = await register(registry, 'News & <views>')
  const list = child(await ask(registry, records), 'ListRecords')
  t.deepEqual(identifiersIn(list), [ark])
  const dc = child(list, 'record', 'metadata', 'oai_dc:dc')
  t.deepEqual(texts(dc, 'dc:title'), ['News & <views>'])
  t.deepEqual(texts(dc, 'dc:identifier'), [
    ark,
    `https://registry.example/${ark}`,
    goodWork.work_url,
  ])
  const { server, headers } = registry
  const url = `/v1/works/${ark}/withdraw`
  await server.inject({ method: 'POST', url, headers, payload: { reason: 'test' } })
  const after = child(await ask(registry, records), 'ListRecords', 'record')
  t.is(child(after, 'header').attributes['status'], 'deleted')
  t.is(after.children.length, 1)
})

test('the metadata of our own format are the bytes that a receipt is about', async (t) => {
  const registry = await open(t)
  const ark = await register(registry, 'Proven')
  const query = `verb=GetRecord&metadataPrefix=svc&identifier=${ark}`
  const native = child(await ask(registry, query), 'GetRecord', 'record', 'metadata', 'work')
  const { pathname } = new URL(child(native, 'receipt_url').text)
  const receipt = (await registry.server.inject(pathname)).json()
  t.is(child(native, 'metadata_hash').text, receipt.metadata_hash)
  t.is(child(native, 'receipt_id').text, receipt.receipt_id)
})

test('works of the sandbox are not harvested', async (t) => {
  const registry = await open(t)
  const key = await registry.createKey(['works:write'], { environment: 'sandbox' })
  const headers = { authorization: `Bearer ${key}` }
  const ark = await register({ ...registry, headers }, 'A try')
  t.deepEqual(errorCodes(await ask(registry, records)), ['noRecordsMatch'])
  const query = `verb=GetRecord&metadataPrefix=oai_dc&identifier=${ark}`
  t.deepEqual(errorCodes(await ask(registry, query)), ['idDoesNotExist'])
})

test('the repository takes its name and address from the configuration alone', async (t) => {
  const registry = await open(t, {
    REPOSITORY_NAME: 'Works of the north',
    ADMIN_EMAIL: 'oai@north.example',
  })
  const { body } = await registry.server.inject({
    url: '/api/v1/oai?verb=Identify',
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  })
  const identify = child(readXml(body), 'Identify')
  t.is(child(identify, 'repositoryName').text, 'Works of the north')
  t.is(child(identify, 'baseURL').text, 'https://registry.example/api/v1/oai')
  t.is(child(identify, 'adminEmail').text, 'oai@north.example')
  t.false(body.includes('evil.example'))
})

test('without an address of its own, it tells one that validators accept', async (t) => {
  const emailOf = async (settings: Settings) => {
    const reply = await ask(await open(t, settings), 'verb=Identify')
    return child(reply, 'Identify', 'adminEmail').text
  }
  t.is(await emailOf({}), 'webmaster@registry.example')
  t.is(await emailOf({ MAIL_FROM: 'Registry <mail@north.example>' }), 'mail@north.example')
  t.is(await emailOf({ MAIL_FROM: 'root@localhost' }), 'webmaster@registry.example')
})

test('page size, time of tokens and sets are configuration', async (t) => {
  const registry = await open(t, { MAX_RECORDS_PER_REQUEST: 2, RESUMPTION_TOKEN_TTL: 60 })
  for (const title of ['1', '2', '3']) await register(registry, title)
  const list = child(await ask(registry, records), 'ListRecords')
  t.is(children(list, 'record').length, 2)
  const token = child(list, 'resumptionToken')
  t.is(token.attributes['expirationDate'], '2026-01-01T00:01:00Z')
  const next = `verb=ListRecords&resumptionToken=${token.text}`
  t.is(children(child(await ask(registry, next), 'ListRecords'), 'record').length, 1)
  registry.time.nowMs += 60_000
  t.deepEqual(errorCodes(await ask(registry, next)), ['badResumptionToken'])
  const without = await open(t, { ENABLE_SETS: false })
  t.deepEqual(errorCodes(await ask(without, 'verb=ListSets')), ['noSetHierarchy'])
})

test('beyond the limit, harvesters are told when to come again', async (t) => {
  const registry = await open(t, { LIMIT_OAI: 2 })
  const url = '/api/v1/oai?verb=Identify'
  for (const remaining of ['1', '0']) {
    const { statusCode, headers } = await registry.server.inject(url)
    t.is(statusCode, 200)
    t.is(String(headers['x-ratelimit-remaining']), remaining)
  }
  const { statusCode, headers } = await registry.server.inject(url)
  t.is(statusCode, 503)
  t.regex(String(headers['retry-after']), /^\d+$/)
  t.true(Number(headers['retry-after']) <= 60)
  registry.time.elapsedMs += 60_000
  t.is((await registry.server.inject(url)).statusCode, 200)
})

test('HEAD and OPTIONS do no harm, and other methods are told what there is', async (t) => {
  const { server } = await open(t)
  const url = '/api/v1/oai?verb=Identify'
  const head = await server.inject({ method: 'HEAD', url })
  t.is(head.statusCode, 200)
  const options = await server.inject({ method: 'OPTIONS', url })
  t.is(options.statusCode, 204)
  t.is(options.headers['allow'], 'GET, HEAD, OPTIONS, POST')
  t.is((await server.inject({ method: 'DELETE', url })).statusCode, 405)
})
