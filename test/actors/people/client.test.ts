import test from 'ava'
import type { Environment } from '#actors/registry/environment.ts'
import { arkOf, demo, makeRegistry, openRegistry, register } from '#test/actors/_environment.ts'
import {
  ada,
  bob,
  createPerson,
  onPages,
  personOf,
  publisherFor,
  putItem,
  writesOf,
} from '#test/actors/_person.ts'
import { auditClosed } from '#test/actors/_world.ts'

const kind = 'affiliation' as const
const self = onPages(ada)
const publisher = publisherFor(ada)

test('a person is made, read, listed, and found by their username', async (t) => {
  const environment = await openRegistry(t)
  const { people } = environment
  t.is(people.read(ada), undefined)
  const person = await createPerson(environment, ada, { username: 'Ada-L', bio: 'Engines\nand so' })
  t.like(person, { type: 'person', ppid: ada, seq: 1, etag: '"1"', items: [] })
  t.like(person.profile, { name: 'Ada', username: 'ada-l', bio: 'Engines\nand so' })
  t.like(person.profile.visibility, { name: 'public', email: 'private' })
  t.deepEqual(people.read(ada), person)
  t.is(people.findByUsername('ADA-L'), ada)
  t.is(people.findByUsername('not a name'), undefined)
  const again = await people.create({ ppid: ada, body: { name: 'Eve' }, by: self })
  t.deepEqual(again, { type: 'exists' })
  await createPerson(environment, bob)
  t.deepEqual(await people.list({ after: '', limit: 10 }), [ada, bob].sort())
  t.deepEqual(await people.list({ after: '', limit: 1 }), [ada, bob].sort().slice(0, 1))
})

test('all faults of a body are told at once', async (t) => {
  const { people } = await openRegistry(t)
  const body = {
    username: 'a',
    avatar_url: 'ftp://x',
    urls: [{ name: 'x' }],
    visibility: { bio: 'secret' },
    biography: 'x',
  }
  const answer = await people.create({ ppid: ada, body, by: self })
  if (answer.type !== 'invalid') return t.fail(answer.type)
  t.deepEqual(
    answer.faults.map(({ field, code }) => `${field} ${code}`).sort(),
    [
      'avatar_url bad_value',
      'biography unknown_field',
      'name required',
      'urls[0].url required',
      'username bad_value',
      'visibility.bio bad_value',
    ].sort(),
  )
  t.true(answer.faults.some(({ message }) => message.endsWith('did you mean bio?')))
})

test('a command on nobody is not_found, and gets no actor', async (t) => {
  const environment = await openRegistry(t)
  const { people } = environment
  const asked = { ppid: ada, by: self }
  const item = { ...asked, kind, id: 'affiliation-2' }
  for (const answer of await Promise.all([
    people.update({ ...asked, body: { bio: 'x' } }),
    people.putItem({ ...asked, kind, body: { organization: 'x' } }),
    people.changeItem({ ...item, body: {} }),
    people.removeItem(item),
    people.markItem({ ...item, body: {} }),
    people.undo({ ...asked, position: 0 }),
    people.erase(asked),
  ])) {
    t.deepEqual(answer, { type: 'not_found' })
  }
  t.is(environment.status().liveEntities, 0)
  t.deepEqual(await people.writes({ ppid: ada, limit: 10 }), [])
  t.is(await people.export(ada), undefined)
})

test('a username is of one person, free after a change, and comes back by an undo', async (t) => {
  const environment = await openRegistry(t)
  const { people } = environment
  await createPerson(environment, ada, { username: 'ada' })
  const rival = { ppid: bob, body: { name: 'Bob', username: 'ada' }, by: onPages(bob) }
  t.deepEqual(await people.create(rival), { type: 'username_taken' })
  t.is(people.read(bob), undefined)
  const rename = await people.update({ ppid: ada, body: { username: 'countess' }, by: publisher })
  t.like(rename, { type: 'updated', changed_fields: ['username'] })
  t.like(await people.create(rival), { type: 'created' })
  t.is(people.findByUsername('ada'), bob)
  const [write] = await writesOf(environment, ada)
  const undo = { ppid: ada, position: write?.position ?? -1, by: self }
  t.deepEqual(await people.undo(undo), { type: 'username_taken' })
  t.like(await people.update({ ppid: bob, body: { username: null }, by: onPages(bob) }), {
    type: 'updated',
  })
  t.deepEqual(await people.undo(undo), { type: 'undone' })
  t.is(people.findByUsername('ada'), ada)
  t.is(people.findByUsername('countess'), undefined)
})

test('an authenticated ORCID iD is of one person', async (t) => {
  const environment = await openRegistry(t)
  const { people } = environment
  await createPerson(environment, ada)
  await createPerson(environment, bob)
  const orcid = 'https://orcid.org/0000-0002-1825-0097'
  const link = { orcid, authenticated: true }
  t.like(await people.linkOrcid({ ppid: bob, orcid, authenticated: false, by: onPages(bob) }), {
    type: 'updated',
  })
  t.is(people.findByOrcid(orcid), undefined)
  t.like(await people.linkOrcid({ ppid: ada, ...link, by: self }), { type: 'updated' })
  t.is(people.findByOrcid('0000000218250097'), ada)
  t.deepEqual(await people.linkOrcid({ ppid: bob, ...link, by: onPages(bob) }), {
    type: 'orcid_taken',
  })
  t.like(await people.unlinkOrcid({ ppid: ada, by: self }), { type: 'updated' })
  t.is(personOf(environment, ada).profile.orcid, undefined)
  t.is(people.findByOrcid(orcid), undefined)
  t.like(
    await people.linkOrcid({
      ppid: ada,
      orcid: '0000-0002-1825-0098',
      authenticated: true,
      by: self,
    }),
    {
      type: 'invalid',
      faults: [{ field: 'orcid', code: 'bad_value' }],
    },
  )
})

test('an item is put, changed, marked and removed', async (t) => {
  const environment = await openRegistry(t)
  const { people } = environment
  await createPerson(environment, ada)
  const item = await putItem(environment, publisher, { organization: 'Brown', start_year: '2021' })
  t.like(item, {
    id: 'affiliation-2',
    kind,
    source: publisher,
    visibility: 'public',
    status: 'active',
    etag: '"2"',
    fields: { organization: 'Brown', start_year: '2021' },
  })
  const asked = { ppid: ada, kind, id: item.id }
  const body = { role: 'Professor', start_year: null }
  const change = await people.changeItem({ ...asked, body, by: publisher, ifMatch: [item.etag] })
  t.like(change, {
    type: 'changed',
    changed_fields: ['role', 'start_year'],
    item: { etag: '"3"', created_at: item.created_at },
  })
  t.deepEqual(personOf(environment, ada).items[0]?.fields, {
    organization: 'Brown',
    role: 'Professor',
  })
  t.like(await people.changeItem({ ...asked, body: { start_date: 'x' }, by: publisher }), {
    type: 'invalid',
    faults: [{ message: 'start_date is not a field here; did you mean start_year?' }],
  })
  const contest = { status: 'contested', reason: 'I was never there.' }
  t.like(await people.markItem({ ...asked, body: contest, by: self }), {
    type: 'marked',
    item: { status: 'contested', contest_reason: 'I was never there.' },
  })
  t.like(await people.markItem({ ...asked, body: { reason: 'x' }, by: self }), {
    type: 'invalid',
    faults: [{ field: 'reason', code: 'bad_value' }],
  })
  t.like(await people.removeItem({ ...asked, by: self }), {
    type: 'removed',
    item: { id: item.id, status: 'deleted' },
  })
  t.deepEqual(await people.removeItem({ ...asked, by: self }), { type: 'not_found' })
})

test('a keyed request is carried out once', async (t) => {
  const environment = await openRegistry(t)
  const { people } = environment
  await createPerson(environment, ada)
  await createPerson(environment, bob)
  const idempotency = { key: 'k-1', bodyHash: 'a'.repeat(64) }
  const put = { kind, body: { organization: 'Brown' }, idempotency } as const
  const asked = { ppid: ada, by: publisher, ...put }
  const answers = await Promise.all([people.putItem(asked), people.putItem(asked)])
  t.like(answers[0], { type: 'put', created: true, replayed: false })
  t.like(answers[1], { type: 'put', created: true, replayed: true })
  t.like(await people.putItem({ ...asked, idempotency: { key: 'k-1', bodyHash: 'b' } }), {
    type: 'idempotency_mismatch',
  })
  t.like(await people.putItem({ ...put, ppid: bob, by: publisherFor(bob) }), { replayed: false })
  const { id } = personOf(environment, ada).items[0] ?? { id: '' }
  await people.removeItem({ ppid: ada, kind, id, by: self })
  t.deepEqual(await people.putItem(asked), { type: 'removed_since' })
})

test('what others write is listed with what it changed, newest first, and undone', async (t) => {
  const environment = await openRegistry(t)
  const { people } = environment
  await createPerson(environment, ada)
  await putItem(environment, self, { organization: 'Home' })
  const { id } = await putItem(environment, publisher, { organization: 'Brown' })
  await people.changeItem({ ppid: ada, kind, id, body: { role: 'Dean' }, by: publisher })
  await people.update({ ppid: ada, body: { bio: 'x' }, by: { ...self, via: 'api_key' } })
  await people.removeItem({ ppid: ada, kind, id, by: publisher })
  const writes = await writesOf(environment, ada)
  const gone = { item: { id, kind, status: 'deleted' } }
  t.deepEqual(
    writes.map(({ by, type, item, diff }) => ({ id: by.id, type, ...(item && { item }), diff })),
    [
      {
        id: 'demo',
        type: 'ItemRemoved',
        ...gone,
        diff: [
          { field: 'organization', before: 'Brown', after: null },
          { field: 'role', before: 'Dean', after: null },
        ],
      },
      { id: ada, type: 'ProfileUpdated', diff: [{ field: 'bio', before: null, after: 'x' }] },
      {
        id: 'demo',
        type: 'ItemChanged',
        ...gone,
        diff: [{ field: 'role', before: null, after: 'Dean' }],
      },
      {
        id: 'demo',
        type: 'ItemAdded',
        ...gone,
        diff: [{ field: 'organization', before: null, after: 'Brown' }],
      },
    ] as unknown[],
  )
  const [removed, , changed] = writes
  if (removed === undefined || changed === undefined) return t.fail()
  const undo = (position: number) => people.undo({ ppid: ada, position, by: self })
  t.deepEqual(await undo(changed.position), { type: 'changed_since', position: -1 })
  t.deepEqual(await undo(removed.position), { type: 'undone' })
  t.deepEqual(await undo(removed.position), { type: 'already_undone' })
  t.deepEqual(await undo(changed.position), { type: 'undone' })
  t.deepEqual(await undo(0), { type: 'not_found' })
  t.deepEqual(await undo(999), { type: 'not_found' })
  t.deepEqual(personOf(environment, ada).items[1]?.fields, { organization: 'Brown' })
  const [newest] = await people.writes({ ppid: ada, limit: 1 })
  t.is(newest?.position, removed.position)
  t.is(typeof newest?.undone_at, 'string')
  const rest = await people.writes({ ppid: ada, limit: 10, cursor: removed.position })
  t.deepEqual(
    rest.map(({ position }) => position),
    writes.slice(1).map(({ position }) => position),
  )
})

/** A work that the publisher has registered for the researcher, and changed. */
async function updatedWork(environment: Environment): Promise<string> {
  const ark = arkOf(await register(environment, 'One', { by: publisher }))
  const patch = { work_title: 'Two', keywords: 'new' }
  await environment.works.update({ ark, patch, by: publisher })
  return ark
}

test('an update of a work for the person is undone by a version as it was before', async (t) => {
  const environment = await openRegistry(t)
  const { people, catalogue } = environment
  await createPerson(environment, ada)
  const ark = await updatedWork(environment)
  const [updated, registered] = await writesOf(environment, ada)
  t.like(updated, { type: 'WorkVersioned', ark })
  t.deepEqual(updated?.diff, [
    { field: 'keywords', before: null, after: 'new' },
    { field: 'work_title', before: 'One', after: 'Two' },
  ])
  t.like(registered, { type: 'WorkRegistered', ark })
  const undo = { ppid: ada, position: updated?.position ?? -1, by: self }
  t.deepEqual(await people.undo({ ...undo, by: publisher }), { type: 'forbidden' })
  t.deepEqual(await people.undo({ ...undo, ppid: bob, by: onPages(bob) }), { type: 'not_found' })
  t.deepEqual(await people.undo(undo), { type: 'undone' })
  t.deepEqual(await people.undo(undo), { type: 'already_undone' })
  t.is(catalogue.state(ark)?.version, 3)
  const [first] = await writesOf(environment, ada)
  t.is(typeof first?.undone_at, 'string')
  t.is(first?.position, updated?.position)
})

test('an update of a work that was changed since is not undone', async (t) => {
  const environment = await openRegistry(t)
  await createPerson(environment, ada)
  const ark = await updatedWork(environment)
  const [updated] = await writesOf(environment, ada)
  await environment.works.update({ ark, patch: { volume: '1' }, by: demo })
  const undo = { ppid: ada, position: updated?.position ?? -1, by: self }
  t.like(await environment.people.undo(undo), { type: 'changed_since' })
})

test('an erased person is gone for all, and their names are free', async (t) => {
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  const { people } = environment
  await createPerson(environment, ada, { username: 'ada' })
  await putItem(environment, publisher, { organization: 'Brown' })
  t.deepEqual(await people.erase({ ppid: ada, by: publisher }), { type: 'forbidden' })
  const erased = await people.erase({ ppid: ada, by: self })
  if (erased.type !== 'erased') return t.fail(erased.type)
  const { erased_at } = erased
  t.deepEqual(people.read(ada), { type: 'erased', ppid: ada, erased_at })
  t.deepEqual(await people.update({ ppid: ada, body: { bio: 'x' }, by: self }), {
    type: 'gone',
    erased_at,
  })
  t.deepEqual(await people.create({ ppid: ada, body: { name: 'Ada' }, by: self }), {
    type: 'gone',
    erased_at,
  })
  t.deepEqual(await writesOf(environment, ada), [])
  t.is(await people.export(ada), undefined)
  t.is(people.findByUsername('ada'), undefined)
  await createPerson(environment, bob, { username: 'ada' })
  t.deepEqual(await auditClosed(environment, registry), [])
})

test('an export has everything, opened', async (t) => {
  const environment = await openRegistry(t)
  await createPerson(environment, ada, { bio: 'Engines' })
  await putItem(environment, publisher, { organization: 'Brown' })
  const found = await environment.people.export(ada)
  t.deepEqual(found?.person, personOf(environment, ada))
  t.deepEqual(found?.writes, await writesOf(environment, ada))
  t.deepEqual(
    found?.events.map(({ type, personal }) => [type, personal]),
    [
      ['PersonCreated', { before: {}, after: found?.person.profile }],
      ['ItemAdded', { before: {}, after: { organization: 'Brown' } }],
    ],
  )
  t.false(JSON.stringify(found).includes('sealed'))
})

test('many writers of one person get in one after the other', async (t) => {
  const environment = await openRegistry(t)
  await createPerson(environment, ada)
  await Promise.all([
    ...Array.from({ length: 20 }, (_, index) =>
      putItem(environment, publisher, { organization: `No ${index}` }),
    ),
    ...Array.from({ length: 20 }, (_, index) => register(environment, `Work ${index}`)),
  ])
  t.is(personOf(environment, ada).items.length, 20)
})
