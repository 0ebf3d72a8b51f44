import test from 'ava'
import { until } from '#test/_until.ts'
import {
  claim,
  claimOf,
  linkOrcid,
  otherOrcid,
  say,
  twoAuthors,
} from '#test/actors/people/claims/_claim.ts'
import {
  admin,
  arkOf,
  demo,
  makeRegistry,
  metadataOf,
  openRegistry,
  other,
  register,
} from '#test/actors/_environment.ts'
import { personKeys } from '#test/actors/people/_seal.ts'
import { ada, bob, createPerson, onPages, publisherFor } from '#test/actors/_person.ts'

const registrant = { type: 'organization', id: 'demo' } as const

test('a claim waits for the registrant, who confirms it', async (t) => {
  const environment = await openRegistry(t)
  const { claims, holdings } = environment
  await createPerson(environment, ada)
  const work = await register(environment, 'Claimed')
  const ark = arkOf(work)
  const made = await claim(environment, work.ark_identifier, {
    author_position: 2,
    message: 'It is me',
  })
  t.is(made.type, 'claimed')
  const { claim_id, created_at, ...told } = claimOf(made)
  t.regex(claim_id, /^claim_[0-9bcdfghjkmnpqrstvwxz]{12}$/)
  t.deepEqual(told, {
    ark,
    ark_identifier: work.ark_identifier,
    ppid: ada,
    status: 'pending',
    waits_for: 'registrant',
    author_position: 2,
    message: 'It is me',
    source: onPages(ada),
    updated_at: created_at,
  })
  t.deepEqual(claims.read(ada, ark), claimOf(made))
  t.deepEqual(claims.find(claim_id), claimOf(made))
  t.deepEqual(claims.ofWork(ark), [claimOf(made)])
  t.is(claims.worksCount(ada), 0)
  const waiting = await claims.awaiting(registrant, { limit: 10 })
  t.deepEqual(waiting, { claims: [claimOf(made)], next: null })
  t.is((await claim(environment, ark)).type, 'exists')
  t.is((await say(environment, ark, 'confirm', { by: other })).type, 'forbidden')
  t.is((await say(environment, ark, 'confirm')).type, 'forbidden')
  const confirmed = await say(environment, ark, 'confirm', { by: demo })
  t.like(confirmed, { type: 'changed', claim: { status: 'verified', basis: 'registrant' } })
  t.is((await say(environment, ark, 'confirm', { by: demo })).type, 'unchanged')
  t.deepEqual((await claims.awaiting(registrant, { limit: 10 })).claims, [])
  t.is(claims.worksCount(ada), 1)
  t.is(holdings.counts(registrant).people_count, 1)
})

test('an organization claims for a person who then accepts, or does not', async (t) => {
  const environment = await openRegistry(t)
  await createPerson(environment, ada)
  const arks = []
  for (const title of ['Accepted', 'Declined']) arks.push(arkOf(await register(environment, title)))
  const [accepted = '', declined = ''] = arks
  for (const ark of arks) {
    t.is((await claim(environment, ark, { by: other })).type, 'forbidden')
    const made = await claim(environment, ark, { by: demo })
    t.like(claimOf(made), { status: 'pending', waits_for: 'researcher', source: demo })
  }
  const agreed = await claim(environment, accepted)
  t.like(agreed, { type: 'agreed', claim: { status: 'verified', basis: 'registrant' } })
  t.like(await say(environment, declined, 'reject'), { claim: { status: 'rejected' } })
  t.is((await claim(environment, declined, { by: demo })).type, 'rejected')
  t.is((await claim(environment, declined)).type, 'agreed')
})

test('an ORCID iD that the person has signed in with verifies a claim at once', async (t) => {
  const environment = await openRegistry(t)
  await createPerson(environment, ada)
  await linkOrcid(environment)
  const ark = arkOf(await register(environment, metadataOf('Named', twoAuthors)))
  const made = await claim(environment, ark)
  t.like(claimOf(made), { status: 'verified', basis: 'orcid', author_position: 2 })
})

test('an ORCID iD that was only typed verifies nothing, nor one of another author', async (t) => {
  const environment = await openRegistry(t)
  for (const ppid of [ada, bob]) await createPerson(environment, ppid)
  await linkOrcid(environment, { authenticated: false })
  await linkOrcid(environment, { ppid: bob })
  const ark = arkOf(await register(environment, metadataOf('Named', twoAuthors)))
  t.is(claimOf(await claim(environment, ark)).status, 'pending')
  const elsewhere = await claim(environment, ark, { ppid: bob, author_position: 1 })
  t.is(claimOf(elsewhere).status, 'pending')
})

test('an ORCID iD that is linked later verifies what waits', async (t) => {
  const environment = await openRegistry(t)
  const { claims } = environment
  await createPerson(environment, ada)
  const named = arkOf(await register(environment, metadataOf('Named', twoAuthors)))
  const unnamed = arkOf(await register(environment, 'Not named'))
  for (const ark of [named, unnamed]) await claim(environment, ark)
  await linkOrcid(environment)
  await until('the named claim is verified', () => claims.read(ada, named)?.status === 'verified')
  t.like(claims.read(ada, named), { basis: 'orcid', author_position: 2 })
  t.is(claims.read(ada, unnamed)?.status, 'pending')
})

test('a work that names the ORCID iD later verifies what waits', async (t) => {
  const environment = await openRegistry(t)
  const { claims, works } = environment
  await createPerson(environment, ada)
  await linkOrcid(environment)
  const details = [{ family: 'Lovelace' }, { family: 'Babbage', orcid: otherOrcid }]
  const metadata = metadataOf('Named', { ...twoAuthors, author_details: details })
  const ark = arkOf(await register(environment, metadata))
  t.is(claimOf(await claim(environment, ark)).status, 'pending')
  const { author_details } = metadataOf('Named', twoAuthors)
  await works.update({ ark, patch: { author_details: author_details ?? null }, by: demo })
  await until('the claim is verified', () => claims.read(ada, ark)?.status === 'verified')
  t.like(claims.read(ada, ark), { basis: 'orcid', author_position: 2 })
})

test('what became true before a crash is seen at the next start', async (t) => {
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  await createPerson(environment, ada)
  const ark = arkOf(await register(environment, metadataOf('Named', twoAuthors)))
  await claim(environment, ark)
  // The process ends in the moment in which the iD is committed.
  let committed: Map<string, Uint8Array> | undefined
  const linking = linkOrcid(environment).then(() => {
    committed = new Map(registry.disk)
  })
  await linking
  await environment.close()
  const disk = committed ?? new Map()
  const before = [...disk.keys()].filter((key) => key.startsWith('awaiting/'))
  registry.disk.clear()
  for (const [key, value] of disk) registry.disk.set(key, value)
  t.is(before.length, 1, 'nothing was verified in the same commit')
  const reopened = await registry.open()
  t.teardown(() => reopened.close())
  await until('the claim is verified', () => reopened.claims.read(ada, ark)?.status === 'verified')
  t.pass()
})

test('who disclaims a work is never given it again, and may take it themselves', async (t) => {
  const environment = await openRegistry(t)
  const { claims } = environment
  await createPerson(environment, ada)
  const ark = arkOf(await register(environment, 'Given', { by: publisherFor(ada) }))
  const unclaimed = arkOf(await register(environment, 'Unclaimed'))
  t.is((await say(environment, ark, 'disclaim', { by: demo })).type, 'forbidden')
  for (const each of [ark, unclaimed]) {
    const answer = await say(environment, each, 'disclaim')
    t.like(answer, { type: 'changed', claim: { status: 'withdrawn', blocked: true } })
    t.is((await say(environment, each, 'disclaim')).type, 'unchanged')
    for (const by of [demo, publisherFor(ada), admin]) {
      t.is((await claim(environment, each, { by })).type, 'blocked')
    }
    t.is((await say(environment, each, 'confirm', { by: demo })).type, 'wrong_status')
  }
  t.is(claims.worksCount(ada), 0)
  const again = await claim(environment, ark)
  t.like(again, { type: 'claimed', claim: { status: 'pending' } })
  t.false('blocked' in claimOf(again))
})

test('a person takes a work back that was written for them', async (t) => {
  const environment = await openRegistry(t)
  const { claims, people } = environment
  await createPerson(environment, ada)
  const ark = arkOf(await register(environment, 'Written', { by: publisherFor(ada) }))
  const given = arkOf(await register(environment, 'Given'))
  await claim(environment, given, { by: demo })
  const writes = await people.writes({ ppid: ada, limit: 10 })
  t.deepEqual(
    writes.map(({ type }) => type),
    ['ClaimMade', 'WorkRegistered'],
  )
  for (const { position } of writes) {
    const undo = { ppid: ada, position }
    t.is((await people.undo({ ...undo, by: publisherFor(ada) })).type, 'forbidden')
    t.is((await people.undo({ ...undo, by: onPages(ada) })).type, 'undone')
    t.is((await people.undo({ ...undo, by: onPages(ada) })).type, 'already_undone')
  }
  for (const each of [ark, given]) {
    t.like(claims.read(ada, each), { status: 'withdrawn', blocked: true })
  }
  for (const { undone_at } of await people.writes({ ppid: ada, limit: 10 })) t.truthy(undone_at)
})

test('what is contested an administrator settles', async (t) => {
  const environment = await openRegistry(t)
  await createPerson(environment, ada)
  await linkOrcid(environment)
  const ark = arkOf(await register(environment, metadataOf('Named', twoAuthors)))
  await claim(environment, ark)
  const wordless = await say(environment, ark, 'contest', { by: demo, body: {} })
  t.like(wordless, { type: 'invalid', faults: [{ field: 'reason', code: 'required' }] })
  const contested = await say(environment, ark, 'contest', { by: demo })
  t.like(contested, { claim: { status: 'disputed', reason: 'It is not so' } })
  const disputed = async () => (await environment.claims.disputed({ limit: 1 })).claims
  t.deepEqual(await disputed(), [claimOf(contested)])
  t.is((await say(environment, ark, 'reject', { by: demo })).type, 'wrong_status')
  t.is((await say(environment, ark, 'confirm')).type, 'forbidden')
  const rejected = await say(environment, ark, 'reject', { by: admin })
  t.like(rejected, { claim: { status: 'rejected', basis: 'admin' } })
  t.deepEqual(await disputed(), [])
  t.is((await say(environment, ark, 'confirm', { by: demo })).type, 'forbidden')
  t.is((await claim(environment, ark)).type, 'rejected')
  t.like(await say(environment, ark, 'contest'), { claim: { status: 'disputed' } })
  t.is((await disputed()).length, 1)
  const settled = await say(environment, ark, 'confirm', { by: admin })
  t.like(settled, { claim: { status: 'verified', basis: 'admin' } })
})

test('a work that there is not, or not any more, and a wrong author are refused', async (t) => {
  const environment = await openRegistry(t)
  const { claims } = environment
  await createPerson(environment, ada)
  const ark = arkOf(await register(environment, 'Claimed'))
  t.is((await claim(environment, ark, { ppid: bob })).type, 'no_person')
  t.is((await claim(environment, '12345/k2nowork')).type, 'no_work')
  const third = await claim(environment, ark, { author_position: 3 })
  t.deepEqual('faults' in third && third.faults, [
    {
      field: 'author_position',
      code: 'bad_value',
      message: 'author_position must be 1 to 2, as many authors as the work has',
    },
  ])
  for (const author_position of [0, 1.5, '1']) {
    t.is((await claim(environment, ark, { author_position })).type, 'invalid')
  }
  t.is((await claim(environment, 'ark:/')).type, 'invalid')
  t.is((await claims.make({ ppid: ada, body: {}, by: onPages(ada) })).type, 'invalid')
  t.is((await say(environment, ark, 'confirm')).type, 'not_found')
  t.is((await say(environment, ark, 'withdraw', { body: { reason: 'x' } })).type, 'invalid')
  await environment.works.withdraw({ ark, reason: 'test', by: demo })
  t.is((await claim(environment, ark)).type, 'work_gone')
  t.is((await say(environment, ark, 'disclaim')).type, 'changed')
})

test('of claims at one time for one work there is one', async (t) => {
  const environment = await openRegistry(t)
  await createPerson(environment, ada, { name: 'Charles Babbage' })
  const ark = arkOf(await register(environment, 'Claimed'))
  const agents = [onPages(ada), demo, onPages(ada), demo]
  const answers = await Promise.all(agents.map((by) => claim(environment, ark, { by })))
  t.deepEqual(answers.map(({ type }) => type).sort(), ['agreed', 'claimed', 'exists', 'exists'])
  t.is(environment.claims.ofWork(ark).length, 1)
})

test('a person and their claims have one entity, and a claim opens the profile once', async (t) => {
  const { personSeal, personIndexKey } = personKeys()
  let opened = 0
  const counting = {
    seal: (ppid: string, value: unknown) => personSeal.seal(ppid, value),
    open: (ppid: string, sealed: string) => {
      opened += 1
      return personSeal.open(ppid, sealed)
    },
  }
  const environment = await openRegistry(t, { personSeal: counting, personIndexKey })
  await createPerson(environment, ada)
  const work = await register(environment, 'Claimed')
  opened = 0
  t.is((await claim(environment, arkOf(work), { author_position: 1 })).type, 'claimed')
  t.is(opened, 1)
  const disclaiming = say(environment, arkOf(work), 'disclaim')
  const updating = environment.people.update({ ppid: ada, body: { bio: 'b' }, by: onPages(ada) })
  await new Promise((resolve) => setImmediate(resolve))
  t.is(environment.status().liveEntities, 1)
  t.is((await disclaiming).type, 'changed')
  t.is((await updating).type, 'updated')
})

test('a claim whose row is lost is damage of the lists that name it alone', async (t) => {
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  t.teardown(() => environment.close())
  const { claims } = environment
  for (const ppid of [ada, bob]) await createPerson(environment, ppid)
  const ark = arkOf(await register(environment, 'Claimed by two'))
  await claim(environment, ark, { author_position: 1 })
  const sound = arkOf(await register(environment, 'Claimed by one'))
  await claim(environment, sound, { author_position: 1 })
  t.true(registry.disk.delete(`claim/${ada}/${ark}`))
  const error = t.throws(() => claims.ofWork(ark))
  t.like(error, { code: 'store_corrupt' })
  t.regex(String(error), /the claim of .* on .* is missing; restore the store from a copy/)
  t.throws(() => claims.ofPerson(ada, { limit: 10 }), { message: /is missing/ })
  await t.throwsAsync(claims.awaiting(registrant, { limit: 10 }), { message: /is missing/ })
  t.is(claims.ofWork(sound).length, 1)
})
