import test, { type ExecutionContext } from 'ava'
import { type Environment, environmentLimits } from '#actors/environment.ts'
import type { ContentFetcher, ContentOutcome } from '#actors/fixity.ts'
import { auditRegistry } from '#actors/registry_audit.ts'
import { fetched, hashOf, unavailable } from '#test/actors/_content.ts'
import {
  admin,
  arkOf,
  bodyOf,
  demo,
  makeRegistry,
  metadataOf,
  register,
  type TestRegistry,
} from '#test/actors/_environment.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'

const startMs = Date.UTC(2026, 10, 21, 10)
const dayMs = 86_400_000

/** What lies outside of a registry: what addresses serve, and what time it is. */
class World {
  nowMs = startMs
  /** What addresses serve; those that are not named here all serve the same file. */
  readonly served = new Map<string, ContentOutcome>()
  readonly asked: string[] = []

  readonly fetch: ContentFetcher = async (url) => {
    this.asked.push(url)
    await new Promise((resolve) => setImmediate(resolve))
    return this.served.get(url) ?? fetched('file')
  }
}

async function openWorld(t: ExecutionContext, fetchContent?: ContentFetcher) {
  const world = new World()
  const registry = await makeRegistry(t, {
    systemMs: () => world.nowMs,
    fetchContent: fetchContent ?? world.fetch,
  })
  const environment = await registry.open()
  t.teardown(() => environment.close())
  return { world, registry, environment }
}

const turnsMax = 100_000

/** Waits, turn by turn, until something is so. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let turns = 0; turns < turnsMax; turns += 1) {
    if (await isSo()) return
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error('it never came to be so')
}

/** Waits until all that is due was checked. */
function settle({ fixity }: Environment): Promise<void> {
  return until(async () => {
    const { due, in_flight } = await fixity.overview()
    return due === 0 && in_flight === 0
  })
}

/** Has a work checked again. */
async function recheck(environment: Environment, ark: string): Promise<void> {
  const { type } = await environment.fixity.recheck(ark, admin)
  if (type !== 'queued') throw new Error(`the work is ${type}`)
  await settle(environment)
}

async function auditClosed(environment: Environment, registry: TestRegistry): Promise<unknown> {
  const { events, treeSize } = environment.status()
  const firstReceiptKey = environment.receiptKeys.publicKey
  await environment.close()
  const scratch = openMemoryStore()
  const options = { events, treeSize, firstReceiptKey, scratch, progress: () => {} }
  return (await auditRegistry(openMemoryStore(registry.disk), options)).faults
}

type Json = Readonly<Record<string, unknown>>

async function read(answer: Promise<{ readonly type: string }>): Promise<Json> {
  return bodyOf(await answer) as Json
}

const url = 'https://example.org/work'

test('a version is followed from pending to verified', async (t) => {
  const { world, environment } = await openWorld(t)
  const { catalogue } = environment
  const ark = arkOf(await register(environment, 'Followed'))
  const registeredReceipt = await read(catalogue.receipt(ark, 1))
  t.like(registeredReceipt, { statement: 'registered', content_hash: null })
  await settle(environment)
  t.deepEqual(world.asked, [url, url], 'a first hash takes two fetches')

  const receipt = await read(catalogue.receipt(ark, 1))
  const { receipt_id, metadata_hash } = registeredReceipt
  t.like(receipt, { statement: 'content', content_hash: hashOf('file'), fixity_status: 'verified' })
  t.like(receipt, { receipt_id, metadata_hash })
  const { content } = await read(catalogue.resolve(ark, ark))
  t.deepEqual(content, {
    url,
    hash: hashOf('file'),
    hash_source: 'fetched',
    media_type: 'application/pdf',
    size: fetched('file').bytes,
    fixity_status: 'verified',
    reason: null,
    message: null,
    checked_at: new Date(startMs).toISOString(),
  })
})

test('a version is followed to failed, and back', async (t) => {
  const { world, registry, environment } = await openWorld(t)
  const { catalogue } = environment
  const ark = arkOf(await register(environment, 'Followed'))
  await settle(environment)
  const { sha256, sha512 } = fetched('file')
  world.served.set(url, fetched('other file'))
  world.nowMs += dayMs
  await recheck(environment, ark)
  const receipt = await read(catalogue.receipt(ark, 1))
  t.like(receipt, { statement: 'content', fixity_status: 'failed' })
  const proofs = await read(catalogue.proofs(ark, 1))
  t.like(proofs['content_proofs'], { sha256, sha512 })
  world.served.delete(url)
  await recheck(environment, ark)

  const { content_proofs, signatures } = (await read(catalogue.proofs(ark, 1))) as {
    content_proofs: { fixity_checks: Json[] }
    signatures: Json[]
  }
  t.deepEqual(
    content_proofs.fixity_checks.map((check) => [
      check['status'],
      check['reason'],
      check['sha256'],
    ]),
    [
      ['verified', null, sha256],
      ['failed', 'hash_mismatch', fetched('other file').sha256],
      ['verified', null, sha256],
    ],
  )
  t.deepEqual(
    signatures.map(({ statement }) => statement),
    ['registered', 'content'],
  )
  const { events } = (await read(catalogue.history(ark, { limit: 10 }))) as { events: Json[] }
  t.deepEqual(
    events.map(({ seq, type, fixity_status }) => [seq, type, fixity_status]),
    [
      [6, 'work.fixity_changed', 'verified'],
      [4, 'work.fixity_changed', 'failed'],
      [2, 'work.fixity_changed', 'verified'],
      [1, 'work.registered', undefined],
    ],
  )
  t.like(events[1], {
    by: { type: 'operator', name: 'Fixity', organization: null },
    reason: 'hash_mismatch',
    version: 1,
    receipt_id: receipt['receipt_id'],
  })
  t.like(environment.catalogue.state(ark), { updated_at: new Date(startMs).toISOString() })
  t.deepEqual(await auditClosed(environment, registry), [])
})

test('a check that finds nothing new is shown by no history and no feed', async (t) => {
  const { environment } = await openWorld(t)
  const { catalogue } = environment
  const ark = arkOf(await register(environment, 'Quiet'))
  await settle(environment)
  const feed = async (after: number, waitMs: number) => {
    const bytes = await catalogue.changes({ after, limit: 10, waitMs })
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as { changes: Json[]; next: number }
  }
  const { changes, next } = await feed(0, 0)
  t.deepEqual(
    changes.map(({ type, fixity_status }) => [type, fixity_status]),
    [
      ['work.registered', undefined],
      ['work.fixity_changed', 'verified'],
    ],
  )
  t.like(changes[1], { version: 1, sets: ['demo'], metadata: { work_title: 'Quiet' } })
  const waiting = feed(next, 60_000)
  await recheck(environment, ark)
  const { events } = (await read(catalogue.history(ark, { limit: 10 }))) as { events: Json[] }
  t.deepEqual(
    events.map(({ type }) => type),
    ['work.fixity_changed', 'work.registered'],
  )
  t.is(environment.fixity.read(ark)?.fixity_checks.length, 2)
  t.like(await feed(next, 0), { changes: [], next: 4 })
  await register(environment, 'News')
  t.like(await waiting, { changes: [{ type: 'work.registered' }] })
})

test('a work without stable content says why, and has no content statement', async (t) => {
  const { world, environment } = await openWorld(t)
  const doi = '10.5555/12345678'
  const { work_url: _, ...metadata } = metadataOf('By DOI', { existing_doi: doi })
  world.served.set(`https://doi.org/${doi}`, fetched('page', { mediaType: 'text/html' }))
  const ark = arkOf(await register(environment, metadata))
  await settle(environment)
  const reason = 'no_stable_content'
  const { content } = await read(environment.catalogue.resolve(ark, ark))
  t.like(content, { hash: null, hash_source: null, fixity_status: 'unreachable', reason })
  const { message } = content as { message: string }
  t.is(message, 'the DOI leads to a web page; give the address of the content as work_url')
  t.like(await read(environment.catalogue.receipt(ark, 1)), { statement: 'registered' })
  const record = environment.fixity.read(ark)
  t.like(record, { content_url: `https://doi.org/${doi}`, reason, streak: 1 })
  t.is(record?.next_check_at?.slice(0, 10), '2026-11-22')
})

test('an older version keeps its last state and its proofs', async (t) => {
  const { world, registry, environment } = await openWorld(t)
  const { catalogue, works } = environment
  const ark = arkOf(await register(environment, 'First'))
  await settle(environment)
  await works.update({ ark, patch: { volume: '2' }, by: demo })
  world.served.set(url, fetched('other file'))
  await recheck(environment, ark)
  const other = 'https://example.org/other'
  world.served.set(other, unavailable(404))
  await works.update({ ark, patch: { work_url: other }, by: demo })
  await settle(environment)
  const content = async (version: number) => {
    return (await read(catalogue.resolve(ark, ark, version)))['content']
  }
  t.like(await content(1), { fixity_status: 'verified', hash: hashOf('file') })
  t.like(await content(2), { fixity_status: 'failed', hash: hashOf('file') })
  t.like(await content(3), { fixity_status: 'unreachable', hash: null, reason: 'http_status' })
  const statements = async (version: number) => {
    const { signatures, content_proofs } = (await read(catalogue.proofs(ark, version))) as {
      signatures: Json[]
      content_proofs: { fixity_checks: Json[] }
    }
    const checks = content_proofs.fixity_checks.map(({ status }) => status)
    return [signatures.map(({ statement }) => statement), checks]
  }
  t.deepEqual(await statements(1), [['registered', 'content'], ['verified']])
  t.deepEqual(await statements(2), [['registered'], ['verified', 'failed']])
  t.deepEqual(await statements(3), [['registered'], ['unreachable']])
  t.deepEqual(await auditClosed(environment, registry), [])
})

test('a withdrawn work keeps all its statements, and is checked no more', async (t) => {
  const { world, registry, environment } = await openWorld(t)
  const ark = arkOf(await register(environment, 'Gone'))
  await settle(environment)
  await environment.works.withdraw({ ark, reason: 'test', by: demo })
  const { signatures } = (await read(environment.catalogue.proofs(ark, 1))) as {
    signatures: Json[]
  }
  t.deepEqual(
    signatures.map(({ statement }) => statement),
    ['registered', 'content', 'tombstoned'],
  )
  world.nowMs += 30 * dayMs
  t.like(await environment.fixity.recheck(ark, admin), { type: 'gone' })
  t.deepEqual(await environment.fixity.recheck('12345/k2none', admin), { type: 'not_found' })
  await register(environment, 'Another')
  await settle(environment)
  t.is(world.asked.length, 4)
  t.like(await environment.fixity.overview(), {
    queue_depth: 1,
    states: { pending: 0, verified: 1, failed: 0, unreachable: 0 },
    outcomes: { verified: 2 },
  })
  t.deepEqual(await auditClosed(environment, registry), [])
})

test('what is under check at the end is checked after the next start', async (t) => {
  const begun = Promise.withResolvers<void>()
  const hanging: ContentFetcher = (_url, signal) => {
    begun.resolve()
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({ type: 'aborted' }))
    })
  }
  const { registry, environment } = await openWorld(t, hanging)
  const ark = arkOf(await register(environment, 'Interrupted'))
  await begun.promise
  t.like(await environment.fixity.overview(), { in_flight: 1, due: 1, fetching: true })
  await environment.close()
  const { fetchContent: _, ...withoutFetching } = registry.options
  const quiet = await makeRegistry(t, withoutFetching)
  for (const [key, value] of registry.disk) quiet.disk.set(key, value)
  const reopened = await quiet.open()
  t.like(await reopened.fixity.overview(), { in_flight: 0, due: 1, fetching: false })
  t.is(reopened.fixity.read(ark)?.fixity_status, 'pending')
  await reopened.close()
})

test('a host that is left alone counts no attempt, and a host that is well goes on', async (t) => {
  const { world, environment } = await openWorld(t)
  const tired = 'https://tired.example/a'
  world.served.set(tired, { type: 'postponed', url: tired, retryAfterMs: 60_000 })
  const waiting = arkOf(await register(environment, metadataOf('Tired', { work_url: tired })))
  const well = arkOf(await register(environment, 'Well'))
  await until(() => environment.fixity.read(well)?.fixity_status === 'verified')
  await until(async () => (await environment.fixity.overview()).in_flight === 0)
  t.like(environment.fixity.read(waiting), { fixity_status: 'pending', streak: 0 })
  t.like(await environment.fixity.overview(), { due: 1, outcomes: { postponed: 1, verified: 1 } })
  world.served.delete(tired)
  world.nowMs += 60_000
  // Any news wakes the checks, as their timer would.
  await register(environment, 'News')
  await settle(environment)
  t.like(environment.fixity.read(waiting), { fixity_status: 'verified', streak: 1 })
})

test('a fetcher that is broken loses no work', async (t) => {
  const reports: string[] = []
  let isBroken = true
  const registry = await makeRegistry(t, {
    fetchContent: async () => {
      if (isBroken) throw new Error('broken')
      return fetched('file')
    },
    report: ({ type }) => reports.push(type),
  })
  const environment = await registry.open()
  t.teardown(() => environment.close())
  const ark = arkOf(await register(environment, 'Unlucky'))
  await until(() => reports.length > 0)
  t.like(await environment.fixity.overview(), { due: 1, outcomes: { unrecorded: 1 } })
  isBroken = false
  await environment.close()
  const reopened = await registry.open()
  t.teardown(() => reopened.close())
  await settle(reopened)
  t.is(reopened.fixity.read(ark)?.fixity_status, 'verified')
  t.deepEqual(reports, ['fault'])
})

test('never more checks than there may be, nor of one host, and each work once', async (t) => {
  const busy = new Map<string, number>()
  let most = 0
  let all = 0
  const fetchContent: ContentFetcher = async (address) => {
    const { hostname } = new URL(address)
    const now = (busy.get(hostname) ?? 0) + 1
    busy.set(hostname, now)
    all += 1
    most = Math.max(most, now)
    for (let turns = 0; turns < 3; turns += 1) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    busy.set(hostname, (busy.get(hostname) ?? 0) - 1)
    return fetched(address)
  }
  const { registry, environment } = await openWorld(t, fetchContent)
  const works = Array.from({ length: 300 }, (_, index) => {
    const work_url = `https://h${index % 3}.example/${index}`
    return register(environment, metadataOf(`Work ${index}`, { work_url }))
  })
  await Promise.all(works)
  await settle(environment)
  t.is(all, 600)
  t.is(most, environmentLimits.hostChecksMax)
  t.like(await environment.fixity.overview(), { states: { verified: 300, pending: 0 } })
  t.deepEqual(await auditClosed(environment, registry), [])
})

test('a timer wakes the checks when the next one is due', async (t) => {
  const { world, environment } = await openWorld(t)
  world.served.set(url, unavailable(404))
  const ark = arkOf(await register(environment, 'Away'))
  await settle(environment)
  const next = environment.fixity.read(ark)?.next_check_at ?? ''
  // News, so that the timer is set anew, to a millisecond.
  world.nowMs = Date.parse(next) - 1
  await register(environment, metadataOf('News', { work_url: 'https://example.org/news' }))
  await settle(environment)
  t.like(environment.fixity.read(ark), { streak: 1 })
  world.nowMs += 1
  await until(() => environment.fixity.read(ark)?.streak === 2)
  t.is(world.asked.filter((asked) => asked === url).length, 2)
})
