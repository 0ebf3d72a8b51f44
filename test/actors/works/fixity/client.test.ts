import test from 'ava'
import { fetched, hashOf, unavailable } from '#test/actors/_content.ts'
import { admin, arkOf, bodyOf, demo, metadataOf, register } from '#test/actors/_environment.ts'
import {
  auditClosed,
  dayMs,
  openWorld,
  recheck,
  settle,
  startMs,
  url,
} from '#test/actors/_world.ts'

type Json = Readonly<Record<string, unknown>>

async function read(answer: Promise<{ readonly type: string }>): Promise<Json> {
  return bodyOf(await answer) as Json
}

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
    await catalogue.news(after, waitMs)
    const { body: bytes } = await catalogue.changes({ cursor: after, limit: 10 })
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
  const reason = 'landing_page'
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
