// What a registry says of an ARK by its map, as readers get it and prove it.

import test from 'ava'

import { newestText } from '#src/client/arklog.ts'
import type { MapRecord } from '#src/use_cases/map_record.ts'
import { until } from '#test/_until.ts'
import { mint, serveRegistry, type ServedRegistry, work } from '#test/src/_served_registry.ts'
import { runArklog, writeFolder } from '#test/src/cli/_command.ts'
import { newClient } from '#test/src/client/_client.ts'

let registry: ServedRegistry
let key: string

test.before(async () => {
  registry = await serveRegistry({ MAP_INTERVAL_MS: '1' })
  key = await registry.key({ scopes: ['works:write', 'receipts:read'] })
})
test.after.always(() => registry.close())

/** What the map has of an ARK once it covers all that was answered before. */
async function recordOf(ark: string, from = registry): Promise<MapRecord> {
  const { treeSize } = from.environments.live.log.head()
  let record: MapRecord | undefined
  await until('the map covers what was registered', async () => {
    const { status, json } = await from.call(`/v1/map/${ark.replace('ark:/', 'ark:')}`)
    record = status === 200 ? (json() as MapRecord) : undefined
    return Number(record?.map_proof.checkpoint.split('\n')[1] ?? 0) >= treeSize
  })
  if (record === undefined) throw new Error('there is a record')
  return record
}

function factsOf(record: MapRecord) {
  const { map_proof: _proof, ...facts } = record
  return facts
}

test('an answer that is made past the framework is the one of the route', async (t) => {
  const { ark_identifier: ark } = await mint(registry, key)
  await recordOf(ark)
  const unlike = ['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset']
  const lasting = (headers: object) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !unlike.includes(name)))
  for (const name of [ark, 'ark:/12345/k2none']) {
    const path = `/v1/map/${name.replace('ark:/', 'ark:')}`
    const byRoute = () => registry.call(path, { headers: [['if-none-match', '"another"']] })
    let [plain, ofRoute] = [await registry.call(path), await byRoute()]
    // Another test may register a work in between.
    await until('both are by one map leaf', async () => {
      const before = await byRoute()
      plain = await registry.call(path)
      ofRoute = await byRoute()
      return before.body === ofRoute.body
    })
    t.is(plain.status, 200)
    t.is(plain.body, ofRoute.body)
    t.deepEqual(lasting(plain.headers), lasting(ofRoute.headers))
  }
})

test('newest, withdrawn and absent are answers, each with its proof', async (t) => {
  const { ark_identifier: ark } = await mint(registry, key)
  const { ark_identifier: gone } = await mint(registry, key, { work_title: 'Gone' })
  const path = `/v1/works/${ark.replace('ark:/', 'ark:')}`
  await registry.call(path, { method: 'PUT', key, body: work({ work_title: 'Renamed' }) })
  const reason = { reason: 'other' }
  const end = `/v1/works/${gone.replace('ark:/', 'ark:')}/withdraw`
  const ended = await registry.call(end, { method: 'POST', key, body: reason })
  t.is(ended.status, 200, ended.body)
  t.deepEqual(factsOf(await recordOf(ark)), {
    ark_identifier: ark,
    state: 'registered',
    version: 2,
    statements: 2,
  })
  t.deepEqual(factsOf(await recordOf(gone)), {
    ark_identifier: gone,
    state: 'withdrawn',
    version: 1,
    statements: 2,
  })
  const none = 'ark:/12345/k2nothing'
  t.deepEqual(factsOf(await recordOf(none)), {
    ark_identifier: none,
    state: 'absent',
    version: null,
    statements: 0,
  })
  const { receipts } = await newClient(registry)
  const said = await Promise.all([ark, gone, none].map((name) => receipts.newest(name)))
  t.deepEqual(
    said.map((report) => newestText(report)),
    [
      'This is the newest version, as the registry says.',
      'Withdrawn, as the registry says.',
      'No such ARK was ever registered here, as the registry says.',
    ],
  )
  const first = await receipts.get(ark, 1)
  t.is((await receipts.newest(ark, { receipt: first })).standing, 'superseded')
})

test('the command proves it by a saved key file', async (t) => {
  const { ark_identifier: ark } = await mint(registry, key, { work_title: 'By command' })
  await recordOf(ark)
  const list = (await registry.call('/.well-known/svc-keys.json')).body
  const at = await writeFolder(t, { 'keys.json': list })
  const url = `http://127.0.0.1:${registry.port}`
  const args = ['verify', '--newest', ark, '--keys', at('keys.json'), '--registry', url]
  const { code, stdout, stderr } = await runArklog(args)
  t.is(code, 0, stderr)
  t.regex(stdout, /proven: This is the newest version/)
})

test('every spelling of an ARK is asked for, below both prefixes, without a key', async (t) => {
  const { ark_identifier: ark } = await mint(registry, key, { work_title: 'Spelled' })
  await recordOf(ark)
  const name = ark.replace('ark:/', '')
  for (const path of [
    `/v1/map/${ark}`,
    `/api/v1/map/ark:${name}`,
    `/v1/map/${encodeURIComponent(ark)}`,
    `/v1/map/${name}`,
  ]) {
    const answer = await registry.call(path)
    t.is(answer.status, 200, path)
    t.is(answer.json()['ark_identifier'], ark, path)
    t.is(answer.headers['cache-control'], 'no-cache')
  }
  t.is((await registry.call('/v1/map/ark:12345')).status, 400)
  t.is((await registry.call(`/v1/map/${ark}?more=1`)).status, 400)
})

test.serial('a resolution has the proof if it is asked for', async (t) => {
  const { ark_identifier: ark } = await mint(registry, key, { work_title: 'Resolved' })
  const { map_proof } = await recordOf(ark)
  const name = ark.replace('ark:/', 'ark:')
  for (const path of [`/v1/resolve/${name}`, `/api/v1/resolve/${name}/v1`]) {
    const plain = await registry.call(path)
    const proven = await registry.call(`${path}?proof=newest`)
    t.is(proven.status, 200, proven.body)
    t.deepEqual(proven.json(), { ...plain.json(), map_proof })
    t.not(proven.headers.etag, plain.headers.etag)
    t.is((await registry.call(`${path}?proof=oldest`)).status, 400)
  }
  const end = `/v1/works/${name}/withdraw`
  await registry.call(end, { method: 'POST', key, body: { reason: 'other' } })
  await recordOf(ark)
  const tombstone = await registry.call(`/v1/resolve/${name}?proof=newest`)
  t.is(tombstone.status, 410)
  const { receipts } = await newClient(registry)
  t.is((await receipts.newest(ark)).standing, 'withdrawn')
  t.deepEqual(tombstone.json()['map_proof'], (await recordOf(ark)).map_proof)
})

test.serial(
  'proofs of a version have it if it is asked for, and evidence has it always',
  async (t) => {
    const { ark_identifier: ark } = await mint(registry, key, { work_title: 'Evident' })
    const { map_proof } = await recordOf(ark)
    const path = `/v1/proofs/${ark.replace('ark:/', 'ark:')}/v1`
    const plain = await registry.call(path, { key })
    t.deepEqual((await registry.call(`${path}?proof=newest`, { key })).json(), {
      ...plain.json(),
      map_proof,
    })
    t.is((await registry.call(`${path}?proof=oldest`, { key })).status, 400)
    t.is((await registry.call(path.replace('proofs', 'receipts'), { key })).status, 200)
    const url = `http://127.0.0.1:${registry.port}`
    const fetched = await runArklog(['evidence', ark, '--registry', url])
    t.is(fetched.code, 0, fetched.stderr)
    const { checkpoint, consistency_proof, map } = JSON.parse(fetched.stdout).newest
    t.deepEqual({ ...map, checkpoint }, map_proof)
    t.true(Array.isArray(consistency_proof))
    const list = (await registry.call('/.well-known/svc-keys.json')).body
    const at = await writeFolder(t, { 'keys.json': list, 'evidence.json': fetched.stdout })
    const { code, stdout } = await runArklog([
      'verify',
      at('evidence.json'),
      '--keys',
      at('keys.json'),
    ])
    t.is(code, 0, stdout)
    t.regex(stdout, /done +map_proof +This is the newest version, as the registry says\n/)
  },
)

test('a log without a map has none to show', async (t) => {
  const plain = await serveRegistry()
  t.teardown(() => plain.close())
  const answer = await plain.call('/v1/map/ark:12345/k2nothing')
  t.is(answer.status, 404)
  t.is(answer.json()['error'], 'not_found')
})
