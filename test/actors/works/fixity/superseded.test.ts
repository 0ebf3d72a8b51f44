import test, { type ExecutionContext } from 'ava'
import type { Environment } from '#actors/registry/environment.ts'
import { encodeRow } from '#actors/journal/rows.ts'
import { parseEntry } from '#actors/works/receipts/statement.ts'
import type { ContentFetcher } from '#actors/works/fixity/client.ts'
import { fetched, hashOf, unavailable } from '#test/actors/_content.ts'
import {
  arkOf,
  demo,
  makeRegistry,
  metadataOf,
  register,
  type TestRegistry,
} from '#test/actors/_environment.ts'
import { auditClosed, dayMs, openWorld, settle, World } from '#test/actors/_world.ts'
import { until } from '#test/_until.ts'

const [first, second, third] = [1, 2, 3].map((nth) => `https://host${nth}.example/file`)

/** Registers a work at each of these addresses, one after the other: a version for each. */
async function registerAt(environment: Environment, ...urls: readonly (string | undefined)[]) {
  const [work_url = '', ...later] = urls
  const metadata = metadataOf('Hastily changed', { work_url })
  const ark = arkOf(await register(environment, metadata))
  for (const [index, url = ''] of later.entries()) {
    const patch = { work_url: url, description: `Version ${index + 2}` }
    const { type } = await environment.works.update({ ark, patch, by: demo })
    if (type !== 'changed') throw new Error(`the update is ${type}`)
  }
  return ark
}

async function read(answer: Promise<unknown>): Promise<Record<string, unknown>> {
  const { body } = (await answer) as { readonly body: Uint8Array }
  return JSON.parse(Buffer.from(body).toString('utf8')) as Record<string, unknown>
}

/** What is said of each version of a work in its list of versions. */
async function contentOf({ catalogue }: Environment, ark: string): Promise<unknown> {
  const { versions } = await read(catalogue.versions(ark, { cursor: 0, limit: 100 }))
  return (versions as { content_hash: string | null; fixity_status: string }[]).map(
    ({ content_hash, fixity_status }) => [fixity_status, content_hash],
  )
}

/** A registry whose fetches wait until the test lets them go. */
async function openHeld(t: ExecutionContext) {
  const gate = Promise.withResolvers<void>()
  const world = new World()
  for (const [index, url = ''] of [first, second, third].entries()) {
    world.served.set(url, fetched(`file ${index + 1}`, { finalUrl: url }))
  }
  const opened = await openWorld(t, async (url, call) => {
    await gate.promise
    return world.fetch(url, call)
  })
  return { ...opened, web: world, release: () => gate.resolve() }
}

test('each version that was superseded before its check is checked at its own', async (t) => {
  const { registry, environment, release } = await openHeld(t)
  const ark = await registerAt(environment, first, second, third)
  release()
  await settle(environment)
  const hashes = [1, 2, 3].map((nth) => hashOf(`file ${nth}`))
  t.deepEqual(
    await contentOf(environment, ark),
    hashes.map((hash) => ['verified', hash]),
  )
  for (const version of [1, 2, 3]) {
    const receipt = await read(environment.catalogue.receipt(ark, version))
    const content_hash = hashes[version - 1]
    t.like(receipt, { statement: 'content', version, content_hash, fixity_status: 'verified' })
    const proofs = await read(environment.catalogue.proofs(ark, version))
    const sha256 = content_hash?.slice('sha256:'.length)
    t.like(proofs, {
      content_proofs: { sha256, reason: null, fixity_checks: [{ version, sha256 }] },
      signatures: [{ statement: 'registered' }, { statement: 'content' }],
    })
    const resolution = await read(environment.catalogue.resolve(ark, ark, version))
    const hash = content_hash
    t.like(resolution, { content: { hash, hash_source: 'fetched', fixity_status: 'verified' } })
  }
  t.deepEqual(await auditClosed(environment, registry), [])
})

test('its history tells of such a check, and the feed of changes does not', async (t) => {
  const { environment, release } = await openHeld(t)
  const ark = await registerAt(environment, first, second)
  release()
  await settle(environment)
  const { events } = await read(environment.catalogue.history(ark, { limit: 10 }))
  const told = (events as { type: string; version: number }[]).map(({ type, version }) => [
    type,
    version,
  ])
  // Which of the two is checked first depends on whether a check was under way.
  const checks = told.slice(0, 2)
  t.true(checks.every(([type]) => type === 'work.fixity_changed'))
  const checked = checks.map(([, version]) => Number(version))
  t.deepEqual(
    checked.toSorted((a, b) => a - b),
    [1, 2],
  )
  t.deepEqual(told.slice(2), [
    ['work.versioned', 2],
    ['work.registered', 1],
  ])
  const { body } = await environment.catalogue.changes({ cursor: 0, limit: 10 })
  const { changes } = JSON.parse(Buffer.from(body).toString('utf8')) as {
    changes: { type: string; version: number }[]
  }
  t.deepEqual(
    changes.map(({ type, version }) => [type, version]),
    [
      ['work.registered', 1],
      ['work.versioned', 2],
      ['work.fixity_changed', 2],
    ],
  )
})

test('versions at one address are each settled, and stated once', async (t) => {
  const { registry, environment, release } = await openHeld(t)
  const ark = await registerAt(environment, first, first, first)
  release()
  await settle(environment)
  const verified = ['verified', hashOf('file 1')]
  t.deepEqual(await contentOf(environment, ark), [verified, verified, verified])
  const stated: number[] = []
  for (const [key, value] of registry.disk) {
    const parsed = key.startsWith('entry/') ? parseEntry(value) : undefined
    if (parsed === undefined || 'type' in parsed) continue
    const { statement } = parsed
    if (statement.statement === 'content') stated.push(statement.version)
  }
  t.deepEqual(
    stated.toSorted((a, b) => a - b),
    [1, 2, 3],
  )
})

test('content that cannot be read then is unreachable for good, with the reason', async (t) => {
  const { world, web, environment, release } = await openHeld(t)
  web.served.set(first ?? '', { ...unavailable(404), url: first ?? '' })
  const ark = await registerAt(environment, first, second)
  release()
  await settle(environment)
  const expected = [
    ['unreachable', null],
    ['verified', hashOf('file 2')],
  ]
  t.deepEqual(await contentOf(environment, ark), expected)
  const resolution = await read(environment.catalogue.resolve(ark, ark, 1))
  const reason = 'http_status'
  t.like(resolution, { content: { fixity_status: 'unreachable', reason, hash: null } })
  web.served.delete(first ?? '')
  world.nowMs += 2 * dayMs
  await register(environment, 'News')
  await settle(environment)
  t.deepEqual(await contentOf(environment, ark), expected)
  t.is(web.asked.filter((url) => url === first).length, 1)
})

test('a declared hash of an older version is compared with what its address serves', async (t) => {
  const { web, environment, release } = await openHeld(t)
  web.served.set(second ?? '', fetched('another file'))
  const [work_url = '', later = ''] = [first, second]
  const declared = { work_url, content_hash: hashOf('file 1') }
  const ark = arkOf(await register(environment, metadataOf('Declared', declared)))
  for (const patch of [
    { work_url: later, content_hash: hashOf('file 2') },
    { work_url: third ?? '', content_hash: null },
  ]) {
    await environment.works.update({ ark, patch, by: demo })
  }
  release()
  await settle(environment)
  t.deepEqual(await contentOf(environment, ark), [
    ['verified', hashOf('file 1')],
    ['failed', hashOf('file 2')],
    ['verified', hashOf('file 3')],
  ])
})

test('what was never read of a work that is withdrawn says so for good', async (t) => {
  const { registry, environment, web, release } = await openHeld(t)
  const ark = await registerAt(environment, first, second, third)
  const answer = await environment.works.withdraw({ ark, reason: 'test', by: demo })
  t.like(answer, { change: { fixity_status: 'unreachable', content_hash: null } })
  release()
  await settle(environment)
  const unread = ['unreachable', null]
  t.deepEqual(await contentOf(environment, ark), [unread, unread, unread])
  for (const version of [1, 2, 3]) {
    const receipt = await read(environment.catalogue.receipt(ark, version))
    t.is(receipt['fixity_status'], 'unreachable')
    const message = 'the work was withdrawn before its content was read'
    const proofs = await read(environment.catalogue.proofs(ark, version))
    t.like(proofs, { content_proofs: { fixity_checks: [], reason: 'withdrawn', message } })
  }
  // The one check that was under way at the withdrawal is dropped.
  t.true(web.asked.every((url) => url === first))
  t.deepEqual(await auditClosed(environment, registry), [])
})

/** The same rows in a registry that fetches nothing, or that does. */
async function reopen(t: ExecutionContext, registry: TestRegistry, fetchContent?: ContentFetcher) {
  const { fetchContent: _, ...options } = registry.options
  const next = await makeRegistry(t, { ...options, ...(fetchContent && { fetchContent }) })
  for (const [key, value] of registry.disk) next.disk.set(key, value)
  const environment = await next.open()
  t.teardown(() => environment.close())
  return { registry: next, environment }
}

test('where nothing is fetched, versions wait until something is', async (t) => {
  const { registry } = await openWorld(t)
  const quiet = await reopen(t, registry)
  const ark = await registerAt(quiet.environment, first, second, third)
  t.deepEqual(
    await contentOf(quiet.environment, ark),
    [1, 2, 3].map(() => ['pending', null]),
  )
  await quiet.environment.close()
  const { environment } = await reopen(t, quiet.registry, new World().fetch)
  await settle(environment)
  const verified = ['verified', hashOf('file')]
  t.deepEqual(await contentOf(environment, ark), [verified, verified, verified])
})

test('versions that an older registry left pending are checked after the upgrade', async (t) => {
  const { registry } = await openWorld(t)
  const quiet = await reopen(t, registry)
  const ark = await registerAt(quiet.environment, first, second, third)
  await quiet.environment.close()
  // The views of the schema before knew of no older version that waits.
  const { disk } = quiet.registry
  const row = (key: string) => JSON.parse(Buffer.from(disk.get(key) ?? '{}').toString('utf8'))
  const { waiting: _, ...superseded } = row(`version/${ark}/00000002`) as { waiting: number }
  const stream = row(`work/${ark}`) as { state: { unsettled?: unknown } }
  const { unsettled: __, ...state } = stream.state
  disk.set(`version/${ark}/00000002`, encodeRow(superseded))
  disk.set(`work/${ark}`, encodeRow({ ...stream, state }))
  disk.set('views', encodeRow({ schema: 11, complete: true }))
  const { registry: upgraded, environment } = await reopen(t, quiet.registry, new World().fetch)
  await settle(environment)
  const verified = ['verified', hashOf('file')]
  t.deepEqual(await contentOf(environment, ark), [verified, verified, verified])
  t.deepEqual(await auditClosed(environment, upgraded), [])
})

test('a check that was under way when the next version came settles its own', async (t) => {
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const asked: string[] = []
  const { environment } = await openWorld(t, async (url) => {
    asked.push(url)
    begun.resolve()
    if (url === first) await gate.promise
    return fetched(url, { finalUrl: url })
  })
  const ark = await registerAt(environment, first)
  await begun.promise
  await environment.works.update({ ark, patch: { work_url: second ?? '' }, by: demo })
  gate.resolve()
  await settle(environment)
  t.deepEqual(await contentOf(environment, ark), [
    ['verified', hashOf(first ?? '')],
    ['verified', hashOf(second ?? '')],
  ])
  t.deepEqual(asked, [first, first, second, second])
})

test('an end in the midst of it loses no version', async (t) => {
  const begun = Promise.withResolvers<void>()
  const { registry, environment } = await openWorld(t, async (url, { signal }) => {
    if (url === third) return fetched(url, { finalUrl: url })
    begun.resolve()
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({ type: 'aborted' }))
    })
  })
  const ark = await registerAt(environment, third, third)
  await until('it is settled', async () => (await environment.fixity.overview()).due === 0)
  await environment.works.update({ ark, patch: { work_url: first ?? '' }, by: demo })
  await environment.works.update({ ark, patch: { work_url: second ?? '' }, by: demo })
  await begun.promise
  await environment.close()
  const { environment: next } = await reopen(t, registry, new World().fetch)
  await settle(next)
  const hashes = [hashOf(third ?? ''), hashOf(third ?? ''), hashOf('file'), hashOf('file')]
  t.deepEqual(
    await contentOf(next, ark),
    hashes.map((hash) => ['verified', hash]),
  )
})
