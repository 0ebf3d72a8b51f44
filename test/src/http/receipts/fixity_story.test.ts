import { createHash } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'

import { parseKeyList } from '#src/client/verify/trusted_keys.js'
import { verifyReceipt } from '#src/client/verify/receipt.js'
import { until } from '#test/_until.ts'
import { type CountedServer, serve } from '#test/src/delivery/fetch/_servers.ts'
import { mint, type ServedRegistry, serveRegistry } from '#test/src/_served_registry.ts'

type Json = Record<string, unknown>

/** What an address serves, as the test changes it. Nobody reads it before it is opened. */
type Address = { body: string; status: number; open(): void }

/** A registry that checks content, and the one address from which it reads it. */
type Story = ServedRegistry & {
  readonly writer: string
  readonly server: CountedServer
  readonly address: Address
  /** Where the change feed has been read to. */
  readonly feed: { after: number }
}

const first = 'the first edition'
const other = 'quite another text'

async function open(t: ExecutionContext): Promise<Story> {
  const opened = Promise.withResolvers<void>()
  const address: Address = { body: first, status: 200, open: opened.resolve }
  const server = await serve(t, (_request, response) => {
    response.writeHead(address.status, { 'content-type': 'text/plain; charset=utf-8' })
    response.end(address.body)
  })
  const settings = { FETCH_ALLOW: server.hostPort }
  const registry = await serveRegistry(settings, { checksContent: opened.promise })
  t.teardown(() => registry.close())
  const scopes = ['works:read', 'works:write', 'receipts:verify']
  const writer = await registry.key({ scopes })
  return { ...registry, writer, server, address, feed: { after: 0 } }
}

function hash(algorithm: string, text: string): string {
  return createHash(algorithm).update(text).digest('hex')
}

/** The next change of a fixity status in the feed, which is waited for. */
async function nextChange({ call, writer: key, feed }: Story): Promise<Json> {
  for (;;) {
    const page = (await call(`/v1/changes?after=${feed.after}&limit=1&wait=30`, { key })).json()
    feed.after = page['next'] as number
    const [change] = page['changes'] as Json[]
    if (change?.['type'] === 'work.fixity_changed') return change
  }
}

/** All that a reader without a key can see of version 1. */
async function readAll({ call, metrics }: Story, ark: string) {
  const read = async (path: string) => (await call(`/api/v1/${path}`)).json()
  const proofs = await read(`proofs/${ark}/v1`)
  return {
    content: (await read(`resolve/${ark}`))['content'] as Json,
    receipt: await read(`receipts/${ark}/v1`),
    proofs: proofs['content_proofs'] as Json & { fixity_checks: Json[] },
    statements: (proofs['signatures'] as Json[]).map(({ statement }) => statement),
    history: (await read(`resolve/${ark}/history`))['events'] as Json[],
    metrics: await metrics(),
  }
}

async function verify({ call, writer: key }: Story, ark: string): Promise<Json> {
  return (await call(`/v1/receipts/${ark}/v1/verify`, { method: 'POST', key })).json()
}

/** Asks for a check as an operator does, and waits for the change that it finds. */
async function recheck(story: Story, ark: string): Promise<Json> {
  await story.admin.call('/fixity/recheck', { ark })
  return nextChange(story)
}

const firstHash = `sha256:${hash('sha256', first)}`
const otherHash = `sha256:${hash('sha256', other)}`

/** Nobody has looked at the content yet. */
async function seesPending(t: ExecutionContext, story: Story, ark: string): Promise<void> {
  const pending = await readAll(story, ark)
  t.like(pending.content, { hash: null, hash_source: null, checked_at: null })
  t.like(pending.receipt, { statement: 'registered', content_hash: null, fixity_status: 'pending' })
  t.like(pending.proofs, { sha256: null, sha512: null, fixity_checks: [] })
  t.true(pending.metrics.includes('arklog_fixity_works{environment="live",status="pending"} 1'))
  t.deepEqual((await verify(story, ark))['not_checked'], ['content_match'])
}

/** The content was found stable, is stated, and is what the address serves. */
async function seesVerified(
  t: ExecutionContext,
  story: Story,
  ark: string,
  receipt_id: string,
): Promise<void> {
  const verified = await readAll(story, ark)
  t.like(verified.content, {
    hash: firstHash,
    hash_source: 'fetched',
    media_type: 'text/plain',
    size: first.length,
    fixity_status: 'verified',
    reason: null,
  })
  t.like(verified.receipt, {
    statement: 'content',
    receipt_id,
    content_hash: firstHash,
    fixity_status: 'verified',
  })
  t.deepEqual(verified.statements, ['registered', 'content'])
  const [check] = verified.proofs.fixity_checks
  t.like(verified.proofs, { sha256: hash('sha256', first), sha512: hash('sha512', first) })
  t.deepEqual(check, {
    timestamp: verified.content['checked_at'],
    status: 'verified',
    method: 'remote_fetch',
    version: 1,
    final_url: verified.content['url'],
    http_status: 200,
    bytes: first.length,
    media_type: 'text/plain',
    sha256: hash('sha256', first),
    sha512: hash('sha512', first),
    reason: null,
    message: null,
  })
  t.true(verified.metrics.includes('arklog_fixity_works{environment="live",status="verified"} 1'))
  const outcome = 'arklog_fixity_checks_total{environment="live",outcome="verified"} 1'
  t.true(verified.metrics.includes(outcome))
  const keys = (await parseKeyList((await story.call('/.well-known/svc-keys.json')).body)).live
  const offline = await verifyReceipt(verified.receipt, keys, { contentHash: firstHash })
  t.true(offline.valid, JSON.stringify(offline.steps))
  t.like(await verify(story, ark), { valid: true, not_checked: [], reason: null })
}

test('a version is followed from pending to verified to failed, and back', async (t) => {
  const story = await open(t)
  const { writer: key, address, server } = story
  const work_url = `${server.url}/paper.txt`
  const { ark_identifier: ark, receipt_id } = await mint(story, key, { work_url })

  await seesPending(t, story, ark)
  address.open()
  t.like(await nextChange(story), { ark, version: 1, fixity_status: 'verified', reason: null })
  await seesVerified(t, story, ark, receipt_id)
  address.body = other
  t.like(await recheck(story, ark), { fixity_status: 'failed', reason: 'hash_mismatch' })
  const failed = await readAll(story, ark)
  t.like(failed.content, { hash: firstHash, fixity_status: 'failed', reason: 'hash_mismatch' })
  t.like(failed.receipt, { content_hash: firstHash, fixity_status: 'failed' })
  t.like(failed.proofs.fixity_checks[1], { status: 'failed', sha256: hash('sha256', other) })
  t.true(failed.metrics.includes('arklog_fixity_works{environment="live",status="failed"} 1'))
  t.like(await verify(story, ark), {
    valid: false,
    signature_valid: true,
    content_match: false,
    reason: `the content has ${otherHash}, the statement ${firstHash}`,
  })

  address.body = first
  t.like(await recheck(story, ark), { fixity_status: 'verified', reason: null })
  const again = await readAll(story, ark)
  t.deepEqual(again.statements, ['registered', 'content'], 'content is stated once')
  t.deepEqual(
    again.history.map(({ type, fixity_status: status }) => [type, status]),
    [
      ['work.fixity_changed', 'verified'],
      ['work.fixity_changed', 'failed'],
      ['work.fixity_changed', 'verified'],
      ['work.registered', undefined],
    ],
  )
  t.deepEqual(
    again.proofs.fixity_checks.map(({ status }) => status),
    ['verified', 'failed', 'verified'],
  )
  t.like(await verify(story, ark), { valid: true })
})

test('content that is not there, or not what was declared, is told with the reason', async (t) => {
  const story = await open(t)
  const { writer: key, address, server } = story
  const work_url = `${server.url}/paper.txt`
  address.open()
  address.status = 404
  const declared = { work_url, content_hash: otherHash }
  const { ark_identifier: ark } = await mint(story, key, declared)
  t.like(await nextChange(story), { fixity_status: 'unreachable', reason: 'http_status' })
  const absent = await readAll(story, ark)
  const message = 'the server answered 404'
  t.like(absent.content, { hash: otherHash, hash_source: 'declared', message })
  t.like(absent.proofs.fixity_checks[0], { http_status: 404, bytes: null, sha256: null, message })
  t.is((await verify(story, ark))['reason'], `the content was not read: ${message}`)
  address.status = 200
  t.like(await recheck(story, ark), { fixity_status: 'failed', reason: 'hash_mismatch' })
  const failed = await readAll(story, ark)
  t.deepEqual(failed.statements, ['registered'], 'nothing is stated of other content')
  address.body = other
  t.like(await recheck(story, ark), { fixity_status: 'verified' })
  const verified = await readAll(story, ark)
  t.deepEqual(verified.statements, ['registered', 'content'])
  t.like(verified.receipt, { statement: 'content', content_hash: otherHash })
})

test('files beside the content are told of by themselves, and on the page', async (t) => {
  const story = await open(t)
  const { call, writer: key, server, address } = story
  const at = (name: string) => `${server.url}/${name}`
  const files = [
    { url: at('data.csv'), name: 'Data' },
    { url: at('about'), kind: 'landing_page' },
  ]
  const work = { work_url: at('paper.txt'), files }
  const { ark_identifier: ark } = await mint(story, key, work)
  const read = async () => (await call(`/v1/works/${ark}/files`)).json()['files'] as Json[]
  const [content, data, about] = await read()
  t.like(content, { url: at('paper.txt'), is_content: true, fixity_status: 'pending' })
  t.like(data, {
    name: 'Data',
    is_content: false,
    fixity_status: 'pending',
    hash: null,
    checks: [],
  })
  t.like(about, { kind: 'landing_page', fixity_status: null, next_check_at: null })
  address.open()
  await until('both are read', async () => {
    const states = (await read()).map(({ fixity_status: status }) => status)
    return states.slice(0, 2).every((status) => status === 'verified')
  })
  const [, checked] = await read()
  t.like(checked, { hash: firstHash, hash_source: 'fetched', size: first.length })
  t.like(checked?.['checks'], { length: 1 })
  const page = await call(`/${ark}`, { headers: [['accept', 'text/html']] })
  t.regex(page.body, /<bdi>Data<\/bdi><\/a> <span class="[^"]*">Content unchanged</)
  t.is((await call('/v1/works/ark:/12345/zzzzzzzzzzz/files')).status, 404)
})
