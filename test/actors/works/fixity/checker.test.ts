import { isDeepStrictEqual } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { type Environment, environmentLimits } from '#actors/registry/environment.ts'
import { startEnvironment } from '#actors/registry/open_environment.ts'
import type { Store } from '#log/store/store.ts'
import { until } from '#test/_until.ts'
import { fetched, hashOf, unavailable } from '#test/actors/_content.ts'
import { arkOf, demo, makeRegistry, metadataOf, register } from '#test/actors/_environment.ts'
import { auditClosed, dayMs, openWorld, settle, url, type World } from '#test/actors/_world.ts'
import { replaceCommit } from '#test/contracts/_commit_store.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import { createHostPacing } from '#src/delivery/fetch/host_pacing.ts'
import { testPacing } from '#test/src/delivery/fetch/_fetcher.ts'
import type { ContentFetcher } from '#actors/works/fixity/client.ts'

test('what is under check at the end is checked after the next start', async (t) => {
  const begun = Promise.withResolvers<void>()
  const hanging: ContentFetcher = (_url, { signal, onStart }) => {
    onStart?.()
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
  await until(
    'the well is verified',
    () => environment.fixity.read(well)?.fixity_status === 'verified',
  )
  await until(
    'no check is under way',
    async () => (await environment.fixity.overview()).in_flight === 0,
  )
  t.like(environment.fixity.read(waiting), { fixity_status: 'pending', streak: 0 })
  t.like(await environment.fixity.overview(), { due: 1, outcomes: { postponed: 1, verified: 1 } })
  world.served.delete(tired)
  world.nowMs += 60_000
  // Any news wakes the checks, as their timer would.
  await register(environment, 'News')
  await settle(environment)
  t.like(environment.fixity.read(waiting), { fixity_status: 'verified', streak: 1 })
})

/** Waits until so many checks ended each way. */
function outcomesAre(
  { fixity }: Environment,
  outcomes: Readonly<Record<string, number>>,
): Promise<void> {
  return until('the checks have ended so', async () =>
    isDeepStrictEqual((await fixity.overview()).outcomes, outcomes),
  )
}

/** Lets time pass, and any news wake the checks, as their timer would: none of these is checked. */
async function passTime(world: World, environment: Environment, ms: number): Promise<void> {
  world.nowMs += ms
  const work_url = `https://tired.example/${world.nowMs}`
  world.served.set(work_url, { type: 'postponed', url: work_url, retryAfterMs: 86_400_000 })
  await register(environment, metadataOf('News', { work_url }))
}

test('a host that asks for a moment is waited for, twice before that is a finding', async (t) => {
  const { world, environment } = await openWorld(t)
  world.served.set(url, unavailable(503, 1_500))
  const ark = arkOf(await register(environment, 'Busy'))
  for (const postponed of [1, 2]) {
    await outcomesAre(environment, { postponed: postponed === 1 ? 1 : 3 })
    t.like(environment.fixity.read(ark), { fixity_status: 'pending', streak: 0 })
    await passTime(world, environment, 1_500)
  }
  await outcomesAre(environment, { postponed: 3, http_status: 1 })
  t.like(environment.fixity.read(ark), { fixity_status: 'unreachable', streak: 1 })
})

/** A world whose hosts are paced by its clock, one request at a time, as fetchers pace them. */
async function openPacedWorld(t: ExecutionContext) {
  const limits = { ...testPacing, hostConcurrencyMax: 1 }
  const pacing = createHostPacing(limits, () => opened.world.nowMs)
  const turns = new Set<unknown>()
  t.teardown(() => pacing.close())
  const fetchContent: ContentFetcher = async (address, call) => {
    const { hostname } = new URL(address)
    const ask = async () => {
      const outcome = await opened.world.fetch(address, call)
      const waitMs = outcome.type === 'unavailable' ? outcome.retryAfterMs : undefined
      if (waitMs !== undefined) pacing.pauseHost(hostname, waitMs)
      return outcome
    }
    const turn = pacing.run(hostname, ask, call.signal)
    turns.add(turn)
    const paced = await turn.finally(() => turns.delete(turn))
    return paced.type === 'ran' ? paced.value : { ...paced, url: address }
  }
  const opened = await openWorld(t, fetchContent)
  return { ...opened, hasTurns: () => turns.size > 0 }
}

test('a host is waited for once for all its works, and asked once for each after', async (t) => {
  const { world, environment, hasTurns } = await openPacedWorld(t)
  const arks: string[] = []
  for (const nth of [1, 2, 3, 4]) {
    const work_url = `https://busy.example/${nth}`
    world.served.set(work_url, { ...unavailable(429, 1_000), url: work_url })
    arks.push(arkOf(await register(environment, metadataOf(`Busy ${nth}`, { work_url }))))
  }
  // All are due in the same millisecond, so they are checked in the order of their ARKs.
  arks.sort()
  const asked = () => world.asked.filter((address) => address.startsWith('https://busy.example/'))
  const statuses = () => arks.map((ark) => environment.fixity.read(ark)?.fixity_status)
  const [pending, unreachable] = ['pending', 'unreachable']
  for (const [requests, expected] of [
    [1, [pending, pending, pending, pending]],
    [2, [pending, pending, pending, pending]],
    [3, [unreachable, pending, pending, pending]],
    [4, [unreachable, unreachable, pending, pending]],
    [5, [unreachable, unreachable, unreachable, pending]],
    [6, [unreachable, unreachable, unreachable, unreachable]],
  ] as const) {
    const isSo = () => asked().length === requests && isDeepStrictEqual(statuses(), expected)
    await until('the host has its rest', () => isSo() && !hasTurns())
    await passTime(world, environment, 999)
    t.is(asked().length, requests, 'it has the rest that it asked for')
    await passTime(world, environment, 1)
  }
})

for (const answersMax of [1, 5, 30]) {
  test(`a host that answers ${answersMax} times between two rests is got through`, async (t) => {
    const works = 20
    let answersLeft = answersMax
    let answered = 0
    const { world, environment } = await openWorld(t, async (address, call) => {
      if (!address.startsWith('https://limited.example/')) return world.fetch(address, call)
      answersLeft -= 1
      if (answersLeft < 0) return { ...unavailable(429, 1_000), url: address }
      answered += 1
      return fetched(address, { finalUrl: address })
    })
    const registered = Array.from({ length: works }, (_, nth) => {
      const work_url = `https://limited.example/${nth}`
      return register(environment, metadataOf(`Limited ${nth}`, { work_url }))
    })
    const arks = (await Promise.all(registered)).map(arkOf)
    const isDone = () => arks.every((ark) => environment.fixity.read(ark)?.streak === 1)
    while (!isDone()) {
      await until('the answers are used up', () => answersLeft < 0 || isDone())
      answersLeft = answersMax
      await passTime(world, environment, 1_000)
    }
    t.like((await environment.fixity.overview()).states, { verified: works, unreachable: 0 })
    t.is(answered, 2 * works, 'no answer was asked for twice')
  })
}

test('a check that was interrupted is no finding, and is made again in a minute', async (t) => {
  const { world, environment } = await openWorld(t)
  world.served.set(url, { type: 'interrupted' })
  const ark = arkOf(await register(environment, 'Cut off'))
  await until(
    'a check is interrupted',
    async () => (await environment.fixity.overview()).outcomes['interrupted'] === 1,
  )
  t.like(environment.fixity.read(ark), { fixity_status: 'pending', streak: 0 })
  world.served.delete(url)
  world.nowMs += 60_000
  await register(environment, metadataOf('News', { work_url: 'https://example.org/news' }))
  await settle(environment)
  t.like(environment.fixity.read(ark), { fixity_status: 'verified', streak: 1 })
})

test('a check that waits for the turn of its host is not under way', async (t) => {
  const turn = Promise.withResolvers<void>()
  const reply = Promise.withResolvers<void>()
  const { environment } = await openWorld(t, async (_url, { onStart }) => {
    await turn.promise
    onStart?.()
    await reply.promise
    return fetched('file')
  })
  const ark = arkOf(await register(environment, 'Waiting'))
  const inFlight = async () => (await environment.fixity.overview()).in_flight
  t.is(await inFlight(), 0)
  turn.resolve()
  await until('one check is under way', async () => (await inFlight()) === 1)
  reply.resolve()
  await settle(environment)
  t.is(environment.fixity.read(ark)?.fixity_status, 'verified')
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
  await until('a fault is reported', () => reports.length > 0)
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
  await until('it was checked twice', () => environment.fixity.read(ark)?.streak === 2)
  t.is(world.asked.filter((asked) => asked === url).length, 2)
})

test('a queue that cannot be read is reported, and read again at the next news', async (t) => {
  const reports: unknown[] = []
  const { world, registry } = await openWorld(t)
  const options = { ...registry.options, report: (report: unknown) => reports.push(report) }
  const below = openMemoryStore()
  let isBroken = true
  const scan: Store['scan'] = (range) => {
    if (isBroken && range.gte?.startsWith('due/') === true) throw new Error('it is damaged')
    return below.scan(range)
  }
  const store = { ...replaceCommit(below, (operations) => below.commit(operations)), scan }
  const environment = await startEnvironment(store, {
    ...options,
    headFile: `${options.headFile}2`,
  })
  t.teardown(() => environment.close())
  await until('a fault is reported', () => reports.length > 0)
  t.like(reports[0], { type: 'fault', actor: 'fixity checker', message: 'read' })
  isBroken = false
  await register(environment, 'News')
  await settle(environment)
  t.deepEqual(world.asked, [url, url])
})

test('the receipt has the hash of the file that is the content, and not of a page', async (t) => {
  const { world, registry, environment } = await openWorld(t)
  const { fixity, works, catalogue } = environment
  const at = (name: string) => `https://files.example/${name}`
  world.served.set(at('page'), fetched('page'))
  world.served.set(at('paper'), fetched('paper'))
  const files = [
    { url: at('page'), kind: 'landing_page' },
    { url: at('paper'), kind: 'content' },
  ] as const
  const work_url = at('page')
  const ark = arkOf(await register(environment, metadataOf('A page', { work_url, files })))
  t.like(fixity.read(ark), { content_url: at('paper'), fixity_status: 'pending' })
  await settle(environment)
  const hash = hashOf('paper')
  t.like(fixity.read(ark), { fixity_status: 'verified', content_hash: hash })
  t.like(catalogue.state(ark), { content_file: 1, content_hash: hash })
  const states = () => fixity.files(ark).map((file) => [file.url, file.fixity_status])
  t.deepEqual(states(), [
    [at('paper'), 'verified'],
    [at('page'), null],
  ])
  t.false(world.asked.includes(at('page')))

  // The same file at another place is the same content; without it, the work's own address is.
  const moved = { ark, patch: { files: [files[1]] }, by: demo }
  t.like(await works.update(moved), { type: 'changed' })
  t.like(catalogue.state(ark), { content_file: 0, fixity_status: 'verified', content_hash: hash })
  t.like(await works.update({ ark, patch: { files: null }, by: demo }), { type: 'changed' })
  t.is(catalogue.state(ark)?.content_file, undefined)
  await settle(environment)
  t.like(fixity.read(ark), {
    content_url: at('page'),
    fixity_status: 'verified',
    content_hash: hashOf('page'),
  })
  t.deepEqual(await auditClosed(environment, registry), [])
})

test('each file of a work is checked by itself, as long as it is one of the work', async (t) => {
  const { world, registry, environment } = await openWorld(t)
  const at = (name: string) => `https://files.example/${name}`
  world.served.set(at('data'), fetched('data'))
  world.served.set(at('other'), fetched('other'))
  world.served.set(at('gone'), unavailable(404))
  world.served.set(at('about'), fetched('about'))
  const files = [
    { url: at('data'), kind: 'supplement' },
    { url },
    { url: at('about'), kind: 'landing_page' },
    { url: at('data') },
    { url: at('gone') },
    { url: at('other'), sha256: 'ab'.repeat(32) },
  ]
  const ark = arkOf(await register(environment, metadataOf('Files', { work_url: url, files })))
  await settle(environment)
  const { fixity } = environment
  const states = () =>
    fixity.files(ark).map((file) => [file.url, file.fixity_status, file.checks.length])
  t.deepEqual(states(), [
    [url, 'verified', 1],
    [at('data'), 'verified', 1],
    [at('about'), null, 0],
    [at('data'), null, 0],
    [at('gone'), 'unreachable', 1],
    [at('other'), 'failed', 1],
  ])
  const [content, data] = fixity.files(ark)
  t.like(content, { is_content: true, hash: fixity.read(ark)?.content_hash })
  t.like(data, { is_content: false, kind: 'supplement', hash_source: 'fetched', size: 4 })
  t.like(environment.catalogue.state(ark), { version: 1, leafIndex: 1 })

  world.served.set(at('data'), fetched('changed'))
  world.nowMs += 2 * dayMs
  await register(environment, 'News')
  await settle(environment)
  t.like(fixity.files(ark)[1], {
    fixity_status: 'failed',
    hash: data?.hash,
    reason: 'hash_mismatch',
  })

  // A file that stays is known, wherever it stands; a new one is not.
  const patch = { files: [{ url: at('new') }, { url: at('gone') }] }
  world.served.set(at('new'), { type: 'postponed', url: at('new'), retryAfterMs: 60_000 })
  t.like(await environment.works.update({ ark, patch, by: demo }), { type: 'changed' })
  t.deepEqual(
    fixity.files(ark).map((file) => [file.url, file.fixity_status]),
    [
      [url, 'verified'],
      [at('new'), 'pending'],
      [at('gone'), 'unreachable'],
    ],
  )
  world.served.set(at('new'), fetched('new'))
  world.nowMs += 60_000
  await register(environment, 'Old news')
  await settle(environment)
  t.like(fixity.files(ark)[1], { fixity_status: 'verified' })
  t.like(await environment.works.withdraw({ ark, reason: 'test', by: demo }), { type: 'changed' })
  t.deepEqual(fixity.files(ark), [])
  world.nowMs += 30 * dayMs
  world.asked.length = 0
  await register(environment, 'More news')
  await settle(environment)
  t.false(world.asked.some((asked) => asked.startsWith('https://files.example/')))
  t.deepEqual(await auditClosed(environment, registry), [])
})
