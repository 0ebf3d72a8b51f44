import test from 'ava'
import fc from 'fast-check'
import { type Environment, environmentLimits } from '#actors/registry/environment.ts'
import { openEnvironment } from '#actors/registry/open_environment.ts'
import { rebuildViews } from '#actors/registry/views.ts'
import { claim, say } from '#test/actors/people/claims/_claim.ts'
import { admin, arkOf, demo, makeRegistry, register } from '#test/actors/_environment.ts'
import { ada, bob, createPerson, onPages, publisherFor } from '#test/actors/_person.ts'
import { auditClosed } from '#test/actors/_world.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'

const registrant = { type: 'organization', id: 'demo' } as const

test('a work that is registered for a person is theirs', async (t) => {
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  const { claims, holdings } = environment
  await createPerson(environment, ada)
  await createPerson(environment, bob)
  const publisher = publisherFor(ada)
  const first = arkOf(await register(environment, 'First', { by: publisher }))
  const second = arkOf(await register(environment, 'Second', { by: publisher }))
  const own = arkOf(await register(environment, 'Own', { by: onPages(ada) }))
  await register(environment, 'Of nobody', { by: publisherFor('p-nobody') })
  t.like(claims.read(ada, first), {
    status: 'verified',
    basis: 'registrant',
    source: publisher,
  })
  t.deepEqual(claims.find(claims.read(ada, first)?.claim_id ?? ''), claims.read(ada, first))
  t.is(claims.worksCount(ada), 3)
  t.is(holdings.counts(registrant).people_count, 1)
  t.like(holdings.counts(registrant), { works_count: 3, people_count: 1 })
  t.is(holdings.counts({ type: 'person', id: ada }).people_count, 1)
  const page = claims.ofPerson(ada, { limit: 2 })
  t.deepEqual(
    page.claims.map(({ ark }) => ark),
    [own, second],
  )
  const rest = claims.ofPerson(ada, { limit: 2, cursor: page.next ?? '' })
  t.deepEqual(
    rest.claims.map(({ ark }) => ark),
    [first],
  )
  t.is(rest.next, null)
  await environment.works.withdraw({ ark: first, reason: 'test', by: publisher })
  t.is(claims.worksCount(ada), 2)
  t.is(holdings.counts(registrant).people_count, 1)
  await environment.works.withdraw({ ark: second, reason: 'test', by: demo })
  t.is(claims.worksCount(ada), 1)
  t.is(holdings.counts(registrant).people_count, 0)
  t.deepEqual(await auditClosed(environment, registry), [])
})

test('with a person their claims go, and nobody counts them', async (t) => {
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  const { claims, holdings, people } = environment
  for (const ppid of [ada, bob]) await createPerson(environment, ppid)
  const ark = arkOf(await register(environment, 'Both', { by: publisherFor(ada) }))
  const waiting = arkOf(await register(environment, 'Waiting'))
  for (const each of [ark, waiting]) await claim(environment, each, { ppid: bob })
  await claim(environment, waiting, { message: 'a word' })
  await say(environment, ark, 'confirm', { ppid: bob, by: demo })
  const id = claims.read(ada, ark)?.claim_id ?? ''
  t.is(holdings.counts(registrant).people_count, 2)
  await people.erase({ ppid: ada, by: onPages(ada) })
  t.is(holdings.counts(registrant).people_count, 1)
  t.is(claims.read(ada, ark), undefined)
  t.is(claims.find(id), undefined)
  t.deepEqual(claims.ofPerson(ada, { limit: 10 }), { claims: [], next: null })
  t.deepEqual(
    claims.ofWork(ark).map(({ ppid }) => ppid),
    [bob],
  )
  const { claims: left } = await claims.awaiting(registrant, { limit: 10 })
  t.deepEqual(
    left.map(({ ppid }) => ppid),
    [bob],
  )
  t.is((await claim(environment, ark)).type, 'no_person')
  t.is((await say(environment, ark, 'confirm', { by: demo })).type, 'no_person')
  for (const key of registry.disk.keys()) {
    t.false(/^(?:claim|claimant|claimed|awaiting|disputed)\//.test(key) && key.includes(ada), key)
  }
  t.deepEqual(await auditClosed(environment, registry), [])
})

test('on a real disk claims outlast a restart', async (t) => {
  const registry = await makeRegistry(t)
  const limits = { ...environmentLimits, diskReserveBytes: 0, writeBufferBytes: 1_048_576 }
  const options = { ...registry.options, limits }
  const environment = await openEnvironment(options)
  for (const ppid of [ada, bob]) await createPerson(environment, ppid)
  const arks: string[] = []
  for (const title of ['a', 'b', 'c']) {
    arks.push(arkOf(await register(environment, title, { by: publisherFor(ada) })))
  }
  const [first = '', second = ''] = arks
  await claim(environment, first, { ppid: bob, message: 'me too' })
  await claim(environment, second, { ppid: bob, by: demo })
  await say(environment, second, 'confirm', { ppid: bob })
  await say(environment, first, 'disclaim')
  const told = (claims: typeof environment.claims) => ({
    ofWorks: arks.map((ark) => claims.ofWork(ark)),
    ada: claims.ofPerson(ada, { limit: 10 }),
    counts: [ada, bob].map((ppid) => claims.worksCount(ppid)),
  })
  const before = told(environment.claims)
  t.is(before.ada.claims.length, 3)
  await environment.close()
  const reopened = await openEnvironment({ ...options, create: false })
  t.deepEqual(told(reopened.claims), before)
  t.like(reopened.holdings.counts(registrant), { works_count: 3, people_count: 2 })
  await reopened.close()
})

test('views of claims are rebuilt as they were', async (t) => {
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  for (const ppid of [ada, bob]) await createPerson(environment, ppid)
  const ark = arkOf(await register(environment, 'a', { by: publisherFor(ada) }))
  const gone = arkOf(await register(environment, 'b', { by: publisherFor(ada) }))
  await claim(environment, ark, { ppid: bob, message: 'me too' })
  await environment.works.withdraw({ ark: gone, reason: 'test', by: demo })
  await say(environment, ark, 'contest', { by: demo })
  const rows = () => [...registry.disk].sort(([a], [b]) => (a < b ? -1 : 1))
  const before = rows()
  const { events } = environment.status()
  await environment.close()
  await rebuildViews(openMemoryStore(registry.disk), events)
  t.deepEqual(rows(), before)
})

const people = [ada, bob]
const steps = ['confirm', 'reject', 'contest', 'withdraw', 'disclaim'] as const
const acts = ['make', 'register', 'end work', 'erase', ...steps] as const

/** Does one thing of a random history; most of them are refused at some time. */
async function act(
  environment: Environment,
  arks: string[],
  { what, who, which, by }: { what: (typeof acts)[number]; who: number; which: number; by: number },
): Promise<void> {
  const ppid = people[who % people.length] ?? ada
  const ark = arks[which % arks.length] ?? ''
  const agent = [onPages(ppid), demo, admin, publisherFor(ppid)][by % 4] ?? admin
  if (what === 'register') {
    arks.push(arkOf(await register(environment, `Work ${arks.length}`, { by: agent })))
  } else if (what === 'end work') {
    await environment.works.withdraw({ ark, reason: 'test', by: admin })
  } else if (what === 'erase') {
    await environment.people.erase({ ppid, by: onPages(ppid) })
  } else if (what === 'make') await claim(environment, ark, { ppid, by: agent })
  else await say(environment, ark, what, { ppid, by: agent })
}

/** Counted from the claims themselves, work by work. */
function recount({ claims, catalogue }: Environment, arks: readonly string[]) {
  const standing = arks.filter((ark) => catalogue.state(ark)?.status === 'registered')
  const verified = standing.flatMap((ark) =>
    claims
      .ofWork(ark)
      .filter(({ status }) => status === 'verified')
      .map(({ ppid }) => ({ ppid, owner: catalogue.state(ark)?.owner.id })),
  )
  const ofDemo = verified.filter(({ owner }) => owner === 'demo').map(({ ppid }) => ppid)
  const waiting = arks.flatMap((ark) =>
    claims.ofWork(ark).filter((one) => {
      const isOpen = one.status === 'pending' && one.waits_for === 'registrant'
      return isOpen && catalogue.state(ark)?.owner.id === 'demo'
    }),
  )
  return {
    works: people.map((ppid) => verified.filter((one) => one.ppid === ppid).length),
    peopleOfDemo: new Set(ofDemo).size,
    waiting: waiting.map(({ claim_id }) => claim_id).sort(),
  }
}

test('property: what is counted and listed is what claims say, whatever happened', async (t) => {
  const step = fc.record({
    what: fc.constantFrom(...acts.filter((what) => what !== 'erase')),
    who: fc.nat(1),
    which: fc.nat(9),
    by: fc.nat(3),
  })
  const ending = fc.record({
    what: fc.constant('erase' as const),
    who: fc.nat(1),
    which: fc.constant(0),
    by: fc.constant(0),
  })
  const history = fc.tuple(
    fc.array(step, { minLength: 10, maxLength: 40 }),
    fc.option(ending, { nil: undefined }),
    fc.array(step, { maxLength: 10 }),
  )
  await fc.assert(
    fc.asyncProperty(history, async ([before, end, after]) => {
      const registry = await makeRegistry(t)
      const environment = await registry.open()
      for (const ppid of people) await createPerson(environment, ppid)
      const arks = [arkOf(await register(environment, 'First'))]
      for (const one of [...before, ...(end ? [end] : []), ...after]) {
        await act(environment, arks, one)
      }
      const { claims, holdings } = environment
      const counted = recount(environment, arks)
      t.deepEqual(
        people.map((ppid) => claims.worksCount(ppid)),
        counted.works,
      )
      t.is(holdings.counts(registrant).people_count, counted.peopleOfDemo)
      const { claims: waiting } = await claims.awaiting(registrant, { limit: 1_000 })
      t.deepEqual(waiting.map(({ claim_id }) => claim_id).sort(), counted.waiting)
      for (const ppid of people) {
        const listed = claims.ofPerson(ppid, { limit: 1_000 }).claims.map(({ ark }) => ark)
        const claimed = arks.filter((ark) => claims.read(ppid, ark) !== undefined)
        t.deepEqual(listed.toSorted(), claimed.toSorted())
      }
      t.deepEqual(await auditClosed(environment, registry), [])
    }),
    { numRuns: 15 },
  )
})
