import { mkdtemp, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import anyTest, { type TestFn } from 'ava'

import { receiptKeyId } from '#actors/works/receipts/statement.ts'
import { AdminClient } from '#src/cli/admin_client.ts'
import { buildAdminServer } from '#src/http/admin/command_table.ts'
import { listenOnAdminSocket } from '#src/cli/start/ports.ts'
import { createLogger } from '#src/edge/logger.ts'
import { mint, type ServedRegistry, serveRegistry, work } from '#test/src/_served_registry.ts'

type Context = {
  readonly registry: ServedRegistry
  readonly client: AdminClient
  readonly socket: string
  close(): Promise<void>
}

const test = anyTest as TestFn<Context>

test.before(async (t) => {
  const registry = await serveRegistry()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'arklog-'))
  const socket = path.join(folder, 'admin.sock')
  const logger = createLogger('silent', { write: () => undefined })
  const server = buildAdminServer(registry, { logger, graceMs: 1_000, snapshot })
  await listenOnAdminSocket(server, socket)
  const client = new AdminClient(socket)
  t.context = {
    registry,
    client,
    socket,
    async close() {
      client.close()
      await server.close()
      await registry.close()
      await rm(folder, { recursive: true })
    },
  }
})
test.after.always((t) => t.context.close())

async function* snapshot(): AsyncGenerator<Uint8Array> {
  for (const piece of ['all that ', 'is held']) yield Buffer.from(piece)
}

test('a snapshot is sent as it comes', async (t) => {
  const pieces = await Array.fromAsync(t.context.client.stream('/snapshot'))
  t.is(Buffer.concat(pieces).toString(), 'all that is held')
  const refused = Array.fromAsync(t.context.client.stream('/nothing'))
  await t.throwsAsync(refused, { code: 'not_found' })
})

const scopes = ['works:read', 'works:write']

test('the socket is its owner’s alone', async (t) => {
  t.is((await stat(t.context.socket)).mode & 0o777, 0o600)
})

test('a key that is created works, is listed and can be revoked', async (t) => {
  const { client, registry } = t.context
  const created = await client.call('/keys/create', { owner: 'org:demo', scopes, hours: 48 })
  t.like(created, { owner: 'org:demo', scopes, environment: 'live' })
  t.is(created.expires_at, '2026-01-03T00:00:00.000Z')
  t.is((await registry.call('/v1/changes', { key: created.key })).status, 200)
  const { keys } = await client.call('/keys/list', { owner: 'org:demo' })
  const listed = keys.find(({ id }) => id === created.id)
  t.like(listed, {
    state: 'active',
    owner: { type: 'organization', id: 'demo', name: 'Demo Press' },
  })
  t.false(JSON.stringify(keys).includes(created.key))
  t.is((await client.call('/keys/revoke', { id: created.id })).key.state, 'revoked')
  t.is((await registry.call('/v1/changes', { key: created.key })).status, 401)
})

test('a rotated key works on beside the new one', async (t) => {
  const { client, registry } = t.context
  const old = await client.call('/keys/create', { owner: 'org:demo', scopes })
  const rotated = await client.call('/keys/rotate', { id: old.id })
  t.is(rotated.replaces, old.id)
  t.is(rotated.rotate_until, '2026-01-08T00:00:00.000Z')
  for (const { key } of [old, rotated]) {
    t.is((await registry.call('/v1/changes', { key })).status, 200)
  }
  await t.throwsAsync(client.call('/keys/rotate', { id: old.id }), {
    code: 'conflict',
    message: `The key ${old.id} is not active; create a new one`,
  })
  const { entries } = await client.call('/keys/audit', { owner: 'org:demo', limit: 1000 })
  const changes = entries.filter(({ key_id }) => key_id === old.id).map(({ action }) => action)
  t.deepEqual(changes, ['created', 'rotated', 'used'])
})

test('a code for calls with admin:* is made', async (t) => {
  const { code } = await t.context.client.call('/keys/confirm', {})
  t.true(await t.context.registry.adminCodes.redeem(code))
})

test('a key must have an owner that exists, and scopes that its owner may have', async (t) => {
  const { client } = t.context
  await t.throwsAsync(client.call('/keys/create', { owner: 'org:nobody', scopes }), {
    code: 'validation_failed',
    message: /There is no organization nobody/,
  })
  await t.throwsAsync(client.call('/keys/create', { owner: 'demo', scopes }), {
    code: 'validation_failed',
    message: /An owner is org:<slug>, person:<ppid> or operator/,
  })
  await t.throwsAsync(client.call('/keys/create', { owner: 'org:demo', scopes: ['admin:*'] }), {
    code: 'validation_failed',
    message: /Only a key of the operator can have admin:\*/,
  })
  await t.throwsAsync(client.call('/keys/revoke', { id: '0000000000' }), {
    code: 'not_found',
    message: 'There is no key 0000000000',
  })
})

test('a body that is not that of its call is refused with its faults', async (t) => {
  const { client } = t.context
  const wrong = { owner: 'org:demo', scopes: 'works:read', colour: 'red' }
  await t.throwsAsync(client.call('/keys/create', wrong as never), {
    code: 'validation_failed',
    message: /colour is not a field/,
  })
  await t.throwsAsync(client.call('/nowhere' as never, {} as never), { code: 'not_found' })
})

test('works are imported without limits, each on its own', async (t) => {
  const { client, registry } = t.context
  const works = Array.from({ length: 200 }, (_, index) => work({ work_title: `Work ${index}` }))
  works[7] = work({ work_url: 'gopher://example.org' })
  const idempotency_keys = works.map((_, index) => `file/${index}`)
  const call = { owner: 'org:demo', works, idempotency_keys }
  const { results } = await client.call('/works/import', call)
  t.is(results.length, 200)
  t.deepEqual(
    results.filter(({ status }) => status !== 201).map(({ index, status }) => [index, status]),
    [[7, 422]],
  )
  const again = await client.call('/works/import', call)
  t.is(again.results[8]?.['ark_identifier'], results[8]?.['ark_identifier'])
  const ark = String(results[0]?.['ark_identifier'])
  const resolved = (await registry.call(`/v1/resolve/${ark}`)).json()
  t.like(resolved['source'], { type: 'organization', id: 'demo', via: 'cli' })
  const short = { ...call, idempotency_keys: ['one'] }
  await t.throwsAsync(client.call('/works/import', short), {
    message: /There must be one idempotency key for each work/,
  })
})

test('works are changed by their ARKs, and only where a row differs', async (t) => {
  const { client, registry } = t.context
  const works = [work({ work_title: 'To be changed' })]
  const [made] = (await client.call('/works/import', { owner: 'org:demo', works })).results
  const ark = String(made?.['ark_identifier'])
  const row = work({ work_title: 'Changed' })
  const update = (changes: readonly unknown[], more = {}) => {
    const arks = changes.map(() => ark)
    return client.call('/works/import', { owner: 'org:demo', arks, works: [...changes], ...more })
  }
  const wanted = [{ field: 'work_title', before: 'To be changed', after: 'Changed' }]
  const trial = await update([row], { dry_run: true })
  t.like(trial.results[0], { status: 200, version: 2, changes: wanted })
  t.like((await update([row])).results[0], { status: 200, version: 2, changes: wanted })
  t.like((await update([row])).results[0], { status: 200, version: 2, unchanged: true })
  const resolved = (await registry.call(`/v1/resolve/${ark}`)).json()
  t.like(resolved, { version: 2, metadata: { work_title: 'Changed' } })

  const refusals = await client.call('/works/import', {
    owner: 'org:demo',
    arks: ['ark:/12345/k2bcd45g7h3', 'ark:/12345/', ark],
    works: [row, row, { work_url: 'gopher://example.org' }],
  })
  t.deepEqual(
    refusals.results.map(({ status, error }) => [status, error]),
    [
      [404, 'not_found'],
      [400, 'malformed_ark'],
      [422, 'validation_failed'],
    ],
  )
  const others = client.call('/works/import', {
    owner: 'org:demo',
    arks: [ark, ark],
    works: [row],
  })
  await t.throwsAsync(others, { message: /There must be one ARK/ })
})

test('works of a long call are changed by their ARKs, and found by their DOIs', async (t) => {
  const { client } = t.context
  const description = 'Äther und Öl '.repeat(200)
  const works = Array.from({ length: 150 }, (_, index) =>
    work({ work_title: `Found ${index}`, description, existing_doi: `10.5555/found.${index}` }),
  )
  const made = (await client.call('/works/import', { owner: 'org:demo', works })).results
  const changes = works.map((each) => ({ ...each, volume: '2' }))
  const arks = made.map(({ ark_identifier: ark }, index) => (index % 2 === 0 ? String(ark) : null))
  const call = { owner: 'org:demo', arks, updates: 'whole', works: changes } as const
  const { results } = await client.call('/works/import', { ...call, works: [...changes] })
  t.deepEqual(
    results.map((each) => [each['ark_identifier'], each['version']]),
    made.map((each) => [each['ark_identifier'], 2]),
  )
})

test('works of a long call are imported as those of a short one', async (t) => {
  const { client, registry } = t.context
  const description = 'Äther und Öl '.repeat(200)
  const works = Array.from({ length: 150 }, (_, index) =>
    work({ work_title: `Long Work ${index}`, description }),
  )
  works[7] = work({ work_url: 'gopher://example.org' })
  const idempotency_keys = works.map((_, index) => `long/${index}`)
  const call = { owner: 'org:demo', works, idempotency_keys }
  t.true(JSON.stringify(call).length > 262_144)
  const { results } = await client.call('/works/import', call)
  const failed = results.filter(({ status }) => status !== 201)
  t.deepEqual(
    failed.map(({ index, status, error }) => [index, status, error]),
    [[7, 422, 'validation_failed']],
  )

  // The same requests in short calls are the same requests, and other bodies are other ones.
  const repeat = (index: number, sent: number) =>
    client.call('/works/import', {
      owner: 'org:demo',
      works: [works[sent]],
      idempotency_keys: [`long/${index}`],
    })
  const [again] = (await repeat(8, 8)).results
  t.like(again, { status: 201, replayed: true, ark_identifier: results[8]?.['ark_identifier'] })
  t.is(again?.['metadata_hash'], results[8]?.['metadata_hash'])
  t.like((await repeat(8, 9)).results[0], { status: 422, error: 'validation_failed' })
  const resolved = await registry.call(`/v1/resolve/${String(again?.['ark_identifier'])}`)
  t.is(resolved.status, 200)

  const body = Buffer.from(JSON.stringify(call).replace('"Long Work 3"', '"Long Work 3'))
  await t.throwsAsync(client.callWithBytes('/works/import', body), {
    code: 'bad_request',
    message: /^The body is not strict JSON: /,
  })
})

async function sendLines(
  { client }: { client: AdminClient },
  head: object,
  lines: readonly unknown[],
) {
  const texts = [head, ...lines].map((line) => {
    return typeof line === 'string' ? line : JSON.stringify(line)
  })
  const body = Buffer.from(texts.join('\n'))
  return client.callWithBytes('/works/import', body, 'application/x-ndjson')
}

test('lines of an import are judged one by one, and tell what each may mean', async (t) => {
  const send = async (head: object, ...lines: readonly unknown[]) =>
    (await sendLines(t.context, { owner: 'org:demo', ...head }, lines)).results
  const spelled = work({ work_title: 'On a Line', language: 'English' })
  const own = await send({}, spelled, '{"a":', '{"a":1},{}', 5)
  t.deepEqual(
    own.map(({ index, status, error }) => [index, status, error]),
    [
      [0, 201, undefined],
      [1, 400, 'bad_request'],
      [2, 400, 'bad_request'],
      [3, 422, 'validation_failed'],
    ],
  )
  const told = { field: 'language', kind: 'taken_as', isLoss: false }
  t.like(own[0]?.['notes'], [told])
  const arks = [own[0]?.['ark_identifier']]
  const [changed] = await send({ arks }, { language: 'German', authors: 'A and B, C' })
  t.like(changed?.['notes'], [{ field: 'authors', kind: 'taken_as' }, told])
  const [unchanged] = await send({ arks }, { language: 'German' })
  t.is(unchanged?.['notes'], undefined)
})

test('lines of an import are read as records', async (t) => {
  const send = async (head: object, lines: readonly unknown[]) => sendLines(t.context, head, lines)
  const owner = 'org:demo'
  const record = (title: string, more = {}) => ({
    type: 'article-journal',
    title,
    author: [{ family: 'Ox', given: 'Ada' }],
    URL: `https://press.example/${encodeURIComponent(title)}`,
    ...more,
  })
  const relation = { 'is-supplement-to': [{ 'id-type': 'doi', id: '10.5555/other' }] }
  const lines = [
    record('One', { language: 'no language' }),
    { id: 'x', attributes: { doi: '10.5555/x', state: 'draft', titles: [{ title: 'Draft' }] } },
    [record('Two'), record('Three', { DOI: '10.5555/three', relation })],
    { shelf: 7 },
    '{"title":',
  ]
  const keys = lines.map((_, index) => `record ${index + 1}`)
  const head = { owner, form: 'record', keys, idempotency_keys: keys }
  const { results, carried } = await send(head, lines)
  t.deepEqual(
    results.map(({ index, status }) => [index, status]),
    [
      [0, 201],
      [1, 200],
      [2, 201],
      [2, 201],
      [3, 422],
      [4, 422],
    ],
  )
  t.is(carried['work_title'], 3)
  t.like(results[0], { notes: [{ field: 'language', kind: 'not_read' }] })
  t.like(results[1], { left_out: true, notes: [{ field: 'state', isLoss: false }] })
  t.regex(JSON.stringify(results[4]), /The record 4 has no title and no DOI\./)
  const again = (await send(head, lines)).results
  t.deepEqual(
    again.map((each) => [each['ark_identifier'], each['replayed']]),
    results.map(({ status, ark_identifier: ark }) => [ark, status === 201 ? true : undefined]),
  )
  const related = await send({ ...head, related_only: true, dry_run: true }, lines)
  t.deepEqual(
    related.results.map((each) => each['passed_over'] ?? each.status),
    [true, 200, true, 201, true, true],
  )
  const others = await send({ owner, form: 'record', from: 'datacite' }, [lines[2]])
  t.regex(JSON.stringify(others.results), /one of crossref, not of datacite/)
  await t.throwsAsync(send({ ...head, form: 'marc' }, lines), { code: 'validation_failed' })
  await t.throwsAsync(send([1], lines), { code: 'validation_failed' })
})

test('a line that is no JSON object is refused alone', async (t) => {
  const head = { owner: 'org:demo', form: 'bibtex' }
  const body = Buffer.from([JSON.stringify(head), 'null', '"a"', '[]'].join('\n'))
  const type = 'application/x-ndjson'
  const { results } = await t.context.client.callWithBytes('/works/import', body, type)
  t.deepEqual(
    results.map(({ status }) => status),
    [422, 422, 422],
  )
})

test('an organization is created in both environments, once', async (t) => {
  const { client, registry } = t.context
  const organization = { slug: 'press', name: 'A Press' }
  const created = await client.call('/organizations/create', { organization })
  t.like(created.organization, organization)
  for (const environment of ['live', 'sandbox'] as const) {
    t.like(registry.environments[environment].organizations.read('press'), organization)
    const { organizations } = await client.call('/organizations/list', { environment })
    t.true(organizations.some(({ slug }) => slug === 'press'))
  }
  await t.throwsAsync(client.call('/organizations/create', { organization }), {
    code: 'conflict',
    message: 'There is an organization press already',
  })
  await t.throwsAsync(client.call('/organizations/create', { organization: { slug: 'x' } }), {
    code: 'validation_failed',
  })
})

test('an organization that only one environment has is completed', async (t) => {
  const { client, registry } = t.context
  const organization = { slug: 'half', name: 'Half' }
  const by = { type: 'operator', id: 'operator', name: 'Operator', via: 'cli' } as const
  await registry.environments.live.organizations.create({ body: organization, by })
  const { organization: completed } = await client.call('/organizations/create', { organization })
  t.is(completed.slug, 'half')
  t.like(registry.environments.sandbox.organizations.read('half'), organization)
})

test('an organization is changed in both environments', async (t) => {
  const { client, registry } = t.context
  await client.call('/organizations/create', { organization: { slug: 'lab', name: 'A Lab' } })
  const changes = { name: 'The Lab', country: 'DE' }
  const { organization, unchanged } = await client.call('/organizations/update', {
    slug: 'lab',
    changes,
  })
  t.false(unchanged)
  t.like(organization, { slug: 'lab', ...changes })
  for (const environment of ['live', 'sandbox'] as const) {
    t.like(registry.environments[environment].organizations.read('lab'), changes)
  }
  t.true((await client.call('/organizations/update', { slug: 'lab', changes })).unchanged)
  await t.throwsAsync(client.call('/organizations/update', { slug: 'lab', changes: { a: 1 } }), {
    code: 'validation_failed',
  })
  await t.throwsAsync(client.call('/organizations/update', { slug: 'no', changes }), {
    code: 'not_found',
    message: 'There is no organization no',
  })
})

test('only people become members', async (t) => {
  const { client } = t.context
  const slug = 'demo'
  t.deepEqual(await client.call('/organizations/members', { slug }), { members: [] })
  await t.throwsAsync(
    client.call('/organizations/add-member', { slug, ppid: 'pnobody', role: 'owner' }),
    { code: 'not_found', message: 'There is no person pnobody' },
  )
  await t.throwsAsync(client.call('/organizations/remove-member', { slug, ppid: 'pnobody' }), {
    code: 'not_found',
    message: 'pnobody is no member of demo',
  })
  await t.throwsAsync(client.call('/organizations/members', { slug: 'no' }), {
    code: 'not_found',
    message: 'There is no organization no',
  })
})

test('the status tells how the environments are', async (t) => {
  const { client, registry } = t.context
  // Other tests make keys at the same time.
  const keysBefore = (await registry.keys.listAll()).length
  const status = await client.call('/status', {})
  t.true(status.live.healthy)
  t.true(status.sandbox.healthy)
  t.true(status.keys >= keysBefore)
  t.true(status.keys <= (await registry.keys.listAll()).length)
})

test('the receipt key is rotated in one environment at a time, and once at a time', async (t) => {
  const { client, registry } = t.context
  const { live, sandbox } = registry.environments
  const before = { live: live.receiptKeys.publicKey, sandbox: sandbox.receiptKeys.publicKey }
  const environment = 'sandbox'
  const first = registry.admin.call('/receipt-keys/rotate', { environment })
  await t.throwsAsync(registry.admin.call('/receipt-keys/rotate', { environment }), {
    code: 'conflict',
    message: 'Another rotation is under way, or needs a restart to end',
  })
  t.like(await first, { environment, old_key_id: receiptKeyId(before.sandbox) })
  const second = await client.call('/receipt-keys/rotate', { environment })
  t.is(second.old_key_id, (await first).new_key_id)
  t.is(second.new_key_id, receiptKeyId(sandbox.receiptKeys.publicKey))
  t.is(live.receiptKeys.publicKey, before.live)
})

test('the checking of content is told, and a check can be asked for', async (t) => {
  const { client, registry } = t.context
  const { ark_identifier: ark } = await mint(registry, await registry.key({ scopes }))
  const { live, sandbox } = await client.call('/fixity/status', {})
  t.like(live, { fetching: false, in_flight: 0, outcomes: {} })
  t.true(live.states.pending > 0)
  t.is(sandbox.states.pending, 0)
  const expected = {
    environment: 'live',
    ark_identifier: ark,
    version: 1,
    content_url: 'https://example.org/notes',
    fixity_status: 'pending',
    content_hash: null,
    checked_at: null,
    fixity_checks: [],
  } as const
  t.like(await client.call('/fixity/read', { ark }), expected)
  const spellings = [ark.replace('ark:/', 'ark:'), ark.slice('ark:/12345/'.length)]
  for (const spelling of spellings) {
    t.like(await client.call('/fixity/recheck', { ark: spelling }), expected)
  }
})

test('a check of what is no work, or none any more, is refused', async (t) => {
  const { client, registry } = t.context
  const key = await registry.key({ scopes })
  const { ark_identifier: ark } = await mint(registry, key)
  await t.throwsAsync(client.call('/fixity/recheck', { ark: `${ark}/v1` }), { code: 'not_found' })
  await t.throwsAsync(client.call('/fixity/read', { ark: 'ark:/12345/k2nothing' }), {
    code: 'not_found',
    message: 'There is no work ark:/12345/k2nothing',
  })
  await t.throwsAsync(client.call('/fixity/recheck', { ark: 'ark:/?' }), { code: 'malformed_ark' })
  const body = { reason: 'test' }
  await registry.call(`/v1/works/${ark}/withdraw`, { method: 'POST', key, body })
  t.like(await client.call('/fixity/read', { ark }), { next_check_at: null })
  await t.throwsAsync(client.call('/fixity/recheck', { ark }), {
    code: 'gone',
    message: /was withdrawn at .*: its content is not checked any more$/,
  })
})

test('works that name an author in two ways are listed, with both names', async (t) => {
  const { registry, client } = t.context
  const key = await registry.key({ scopes: ['works:write'] })
  const named = { work_type: 'article', work_url: 'https://example.org/named' } as const
  const [, wrong] = [
    await mint(registry, key, {
      ...named,
      work_title: 'Named once',
      authors: 'Ada Byron;',
      author_details: [{ name: 'Byron, A.' }],
    }),
    await mint(registry, key, {
      ...named,
      work_title: 'Named twice',
      authors: 'Bo Pen; Ada Byron',
      author_details: [{ name: 'Bo Pen' }, { family: 'Lovelace', given: 'Ada' }],
    }),
  ]
  const found = await client.call('/works/conflicts', {})
  t.deepEqual(found.works, [
    {
      ark_identifier: wrong.ark_identifier,
      version: 1,
      conflicts: [{ place: 2, name: 'Ada Byron', shown: 'Ada Lovelace' }],
    },
  ])
  t.is(found.next, null)
  t.true(found.looked_at >= 2)
  t.deepEqual((await client.call('/works/conflicts', { environment: 'sandbox' })).works, [])
})
