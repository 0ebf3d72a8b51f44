import fs from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { loadAdapterConfig } from '#config/oai_adapter.ts'
import { openAdapter } from '#src/cli/start/adapter_service.ts'
import type { FeedPage } from '#src/cli/oai_adapter/change_source.ts'
import { assertMethods, sendTo } from '#test/src/edge/_addresses.ts'
import { organized, pageOf, registered, withdrawn } from '#test/src/cli/oai_adapter/_feed.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { answering } from '#test/src/cli/_answering.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

const history = [
  organized(1, 'demo', 'Demonstration'),
  registered(2, '12345/k2a'),
  registered(3, '12345/k2b', { sets: ['other'] }),
  withdrawn(4, '12345/k2c', { sets: ['other'] }),
]

/** A registry whose feed has these changes, `pageSize` at a time, and no news after them. */
async function serveFeed(t: ExecutionContext, changes: FeedPage['changes'], stopAt = Infinity) {
  const { url } = await serve(t, (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://registry')
    const after = Number(searchParams.get('after'))
    if (after >= stopAt) return
    const rest = changes.filter(({ seq }) => seq > after).slice(0, 2)
    // News that is waited for never comes.
    if (rest.length === 0 && searchParams.get('wait') !== '0') return
    const next = rest.at(-1)?.seq ?? after
    response.end(JSON.stringify({ ...pageOf(rest, changes.at(-1)?.seq), next }))
  })
  return url
}

async function newFolder(t: ExecutionContext): Promise<string> {
  return path.join(await makeTempDir(t), 'data')
}

/** An adapter of a registry, and its replies to queries. */
async function open(t: ExecutionContext, svcUrl: string, more: Record<string, string> = {}) {
  const { promise: copied, resolve } = Promise.withResolvers<void>()
  const config = loadAdapterConfig({
    SVC_URL: svcUrl,
    SVC_API_KEY: 'svc_live_key',
    SVC_PUBLIC_URL: 'https://ark.example.org',
    REPOSITORY_NAME: 'Works of Example',
    ADMIN_EMAIL: 'oai@example.org',
    BASE_URL: 'https://oai.example.org/harvest/',
    DATA_DIR: await newFolder(t),
    PORT: '0',
    LOG_LEVEL: 'silent',
    ...more,
  })
  const adapter = await openAdapter(config, {
    onStep() {},
    onProgress(next, end) {
      if (next >= end) resolve()
    },
  })
  t.teardown(() => adapter.close())
  const { localUrl } = adapter.facts.address
  return {
    ...adapter,
    copied,
    get: (target: string) => fetch(`${localUrl}${target}`),
    ask: async (query: string) => (await fetch(`${localUrl}/harvest/oai?${query}`)).text(),
  }
}

const listAll = 'verb=ListRecords&metadataPrefix=oai_dc'

function identifiers(xml: string): string[] {
  return Array.from(xml.matchAll(/<identifier>([^<]*)</g), ([, ark = '']) => ark)
}

test('it serves what a registry tells, under its own address', async (t) => {
  const { ask, copied, facts } = await open(t, await serveFeed(t, history))
  await copied
  t.is(facts.oaiUrl, 'https://oai.example.org/harvest/oai')
  const identify = await ask('verb=Identify')
  t.regex(identify, /<baseURL>https:\/\/oai\.example\.org\/harvest\/oai<\/baseURL>/)
  t.regex(identify, /<repositoryName>Works of Example</)
  const xml = await ask(listAll)
  t.deepEqual(identifiers(xml), ['ark:/12345/k2a', 'ark:/12345/k2b', 'ark:/12345/k2c'])
  t.regex(xml, /<dc:identifier>https:\/\/ark\.example\.org\/ark:\/12345\/k2a</)
  t.regex(xml, /<header status="deleted"><identifier>ark:\/12345\/k2c</)
  t.regex(await ask('verb=ListSets'), /<setSpec>org:demo<\/setSpec><setName>Demonstration</)
})

test('every address of it says which methods it takes, and has HEAD as it has GET', async (t) => {
  const { copied, facts } = await open(t, await serveFeed(t, history))
  await copied
  const send = sendTo(facts.address.localUrl)
  // Long enough to be compressed.
  const list = `/harvest/oai?${listAll}`
  const coding = { 'accept-encoding': 'br' }
  for (const url of [list, '/harvest/oai?verb=Identify', '/healthz', '/readyz']) {
    t.is(await assertMethods(t, send, url, coding), 200, url)
  }
  t.is((await send('GET', list, coding)).headers['content-encoding'], 'br')
  t.is((await send('OPTIONS', '/nowhere')).status, 404)
})

test('until the first copy is complete it answers nothing', async (t) => {
  const { get, ask } = await open(t, await serveFeed(t, history, 2))
  const reply = await get(`/harvest/oai?${listAll}`)
  t.is(reply.status, 503)
  t.is(reply.headers.get('retry-after'), '60')
  t.notRegex(await ask('verb=Identify'), /OAI-PMH/)
  t.is((await get('/healthz')).status, 200)
  const ready = await get('/readyz')
  t.is(ready.status, 503)
  const reason = 'The records of the registry are copied, for the first time'
  t.deepEqual(await ready.json(), { ready: false, reason })
})

test('why nothing can be copied is told at the start, and by /readyz', async (t) => {
  const svcUrl = await answering(
    t,
    401,
    JSON.stringify({ error: 'unauthorized', message: 'Invalid API key' }),
  )
  const { facts, get } = await open(t, svcUrl)
  const problem = `The registry cannot be read: ${svcUrl} answers 401: Invalid API key.`
  t.true(facts.warnings.includes(problem), facts.warnings.join())
  const refused = { ready: false, reason: 'The registry answers 401: Invalid API key' }
  t.deepEqual(await (await get('/readyz')).json(), refused)
  const nowhere = await open(t, 'http://127.0.0.1:1')
  const unreachable = { ready: false, reason: 'The registry cannot be reached' }
  t.deepEqual(await (await nowhere.get('/readyz')).json(), unreachable)
})

test('an organization that the registry does not have is refused, with what to do', async (t) => {
  const more = { ORGANIZATION_FILTER: 'nobody' }
  const svcUrl = await answering(t, 404, JSON.stringify({ error: 'not_found', message: 'None.' }))
  const refused = await t.throwsAsync(open(t, svcUrl, more), { code: 'organization_unknown' })
  t.regex(refused?.message ?? '', /has no organization nobody\. Set ORGANIZATION_FILTER to/)
  const { get } = await open(t, 'http://127.0.0.1:1', more)
  t.is((await get('/healthz')).status, 200, 'who does not answer is no reason')
})

test('one organization and one format are all there is, if so configured', async (t) => {
  const more = { ORGANIZATION_FILTER: 'other', METADATA_PREFIX: 'svc', ENABLE_SETS: 'false' }
  const { ask, copied } = await open(t, await serveFeed(t, history), more)
  await copied
  const xml = await ask('verb=ListRecords&metadataPrefix=svc')
  t.deepEqual(identifiers(xml), ['ark:/12345/k2b', 'ark:/12345/k2c'])
  t.regex(await ask(listAll), /cannotDisseminateFormat/)
  t.regex(await ask('verb=ListSets'), /noSetHierarchy/)
  const query = 'verb=GetRecord&metadataPrefix=svc&identifier=ark:/12345/k2a'
  t.regex(await ask(query), /idDoesNotExist/)
})

test('a harvester that asks too often is told 503', async (t) => {
  const { get, copied } = await open(t, await serveFeed(t, history), { LIMIT_OAI: '2' })
  await copied
  const statuses: number[] = []
  for (let n = 0; n < 3; n += 1) {
    const reply = await get('/harvest/oai?verb=Identify')
    statuses.push(reply.status)
    t.is(reply.headers.has('retry-after'), n === 2)
  }
  t.deepEqual(statuses, [200, 200, 503])
})

test('a list is gone on with after a restart, and without the registry', async (t) => {
  const svcUrl = await serveFeed(t, history)
  const more = { DATA_DIR: await newFolder(t), MAX_RECORDS_PER_REQUEST: '2' }
  const first = await open(t, svcUrl, more)
  await first.copied
  const [, token = ''] = /<resumptionToken[^>]*>([^<]+)</.exec(await first.ask(listAll)) ?? []
  await first.close()
  const second = await open(t, 'http://127.0.0.1:1', more)
  const xml = await second.ask(`verb=ListRecords&resumptionToken=${token}`)
  t.deepEqual(identifiers(xml), ['ark:/12345/k2c'])
  t.is((await second.get('/readyz')).status, 200)
})

test('the folder of a registry, and a key that others can read, are refused', async (t) => {
  const svcUrl = await serveFeed(t, history)
  const registry = await newFolder(t)
  await fs.mkdir(registry)
  const instance = { schema: 1, kind: 'registry', created_at: '2026-01-01T00:00:00.000Z' }
  const pinned = { origin: 'a/log', log_public_key: '0'.repeat(64) }
  const text = JSON.stringify({ ...instance, stores: 'created', logs: { live: pinned } })
  await fs.writeFile(path.join(registry, 'instance.json'), text)
  await t.throwsAsync(open(t, svcUrl, { DATA_DIR: registry }), {
    message: `${registry} holds a registry. Set DATA_DIR to a folder of its own.`,
  })
  const file = path.join(registry, 'key')
  await fs.writeFile(file, 'svc_live_key\n', { mode: 0o644 })
  const keyed = { SVC_API_KEY: '', SVC_API_KEY_FILE: file }
  await t.throwsAsync(open(t, svcUrl, keyed), { code: 'secret_exposed' })
  await fs.chmod(file, 0o600)
  await (await open(t, svcUrl, keyed)).copied
  t.pass()
})
