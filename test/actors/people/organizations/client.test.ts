import test from 'ava'
import type { Agent } from '#actors/values/agent.ts'
import { rebuildViews } from '#actors/registry/views.ts'
import { admin, demo, makeRegistry, openRegistry } from '#test/actors/_environment.ts'
import { readChanges } from '#test/actors/_organization_changes.ts'
import { ada, bob, createPerson, onPages } from '#test/actors/_person.ts'
import { auditClosed } from '#test/actors/_world.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import type { MemberRole } from '#actors/values/authority.ts'

const body = { slug: 'press', name: 'A Press' }

test('an organization is changed, and followers of the feed see it', async (t) => {
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  const { organizations, catalogue } = environment
  const created = await organizations.create({ body, by: admin })
  t.is(created.type, 'created')
  const changes = { name: 'The Press', url: 'https://press.example/' }
  const changed = await organizations.update({ slug: 'press', body: changes, by: admin })
  t.like(changed, { type: 'changed', organization: { slug: 'press', ...changes } })
  t.deepEqual(
    'organization' in changed ? changed.organization : undefined,
    organizations.read('press'),
  )
  const again = await organizations.update({ slug: 'press', body: changes, by: admin })
  t.is(again.type, 'unchanged')
  const refused = await organizations.update({ slug: 'press', body: changes, by: demo })
  t.deepEqual(refused, { type: 'forbidden' })
  const unknown = await organizations.update({ slug: 'nobody', body: changes, by: admin })
  t.deepEqual(unknown, { type: 'not_found' })
  const wrong = await organizations.update({ slug: 'press', body: { name: '' }, by: admin })
  t.is(wrong.type, 'invalid')

  const { body: feed } = await catalogue.changes({ cursor: 0, limit: 10 })
  const { changes: news } = JSON.parse(Buffer.from(feed).toString('utf8')) as {
    changes: Record<string, unknown>[]
  }
  t.deepEqual(
    news.map(({ type }) => type),
    ['organization.created', 'organization.updated'],
  )
  t.like(news[1], { changed_fields: ['name', 'url'], organization: { slug: 'press', ...changes } })
  t.deepEqual(await auditClosed(environment, registry), [])
})

test('changes at one time all count', async (t) => {
  const { organizations } = await openRegistry(t)
  await organizations.create({ body, by: admin })
  const update = (changes: unknown) =>
    organizations.update({ slug: 'press', body: changes, by: admin })
  const answers = await Promise.all([
    update({ name: 'One' }),
    update({ country: 'DE' }),
    update({ url: 'https://press.example/' }),
  ])
  t.deepEqual(
    answers.map(({ type }) => type),
    ['changed', 'changed', 'changed'],
  )
  t.like(organizations.read('press'), { name: 'One', country: 'DE', url: 'https://press.example/' })
})

test('views of organizations are rebuilt as they were', async (t) => {
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  const { organizations } = environment
  await organizations.create({ body, by: admin })
  await organizations.update({ slug: 'press', body: { name: 'The Press' }, by: admin })
  const before = organizations.read('press')
  const { events } = environment.status()
  await environment.close()
  await rebuildViews(openMemoryStore(registry.disk), events)
  const reopened = await registry.open()
  t.deepEqual(reopened.organizations.read('press'), before)
  t.deepEqual(await auditClosed(reopened, registry), [])
})

test('what happened to an organization is listed, newest first', async (t) => {
  const environment = await openRegistry(t)
  const { organizations } = environment
  await organizations.create({ body, by: admin })
  await organizations.create({ body: { slug: 'press-two', name: 'Another' }, by: admin })
  await organizations.update({
    slug: 'press',
    body: { name: 'The Press', country: 'DE' },
    by: admin,
  })
  await organizations.update({ slug: 'press', body: { country: null }, by: admin })
  const changes = await readChanges(environment, 'press', { limit: 2 })
  t.deepEqual(
    changes.map(({ type, changed_fields: fields }) => [type, fields]),
    [
      ['OrganizationUpdated', ['country']],
      ['OrganizationUpdated', ['country', 'name']],
    ],
  )
  t.deepEqual(changes[0]?.by, admin)
  const before = changes[1]?.position ?? 0
  t.like(await readChanges(environment, 'press', { before, limit: 2 }), [
    { type: 'OrganizationCreated' },
  ])
  t.deepEqual(await readChanges(environment, 'nobody', { limit: 2 }), [])
})

test('people are members, and find their organizations', async (t) => {
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  const { organizations } = environment
  for (const ppid of [ada, bob]) await createPerson(environment, ppid)
  for (const slug of ['press', 'lab']) {
    await organizations.create({ body: { slug, name: slug }, by: admin })
  }
  const add = (slug: string, ppid: string, role: MemberRole, by: Agent = admin) =>
    organizations.addMember({ slug, ppid, role, by })
  t.is((await add('press', 'p-nobody', 'owner')).type, 'no_person')
  t.is((await add('nowhere', ada, 'owner')).type, 'not_found')
  t.is((await add('press', ada, 'owner')).type, 'changed')
  t.is((await add('lab', ada, 'viewer')).type, 'changed')
  const added = await add('press', bob, 'viewer', onPages(ada))
  const members = [
    { ppid: ada, role: 'owner' },
    { ppid: bob, role: 'viewer' },
  ]
  t.like(added, { type: 'changed', members })
  t.like(organizations.members('press'), members)
  t.is(organizations.members('nowhere'), undefined)
  t.deepEqual(await organizations.organizationsOf(ada), [
    { slug: 'lab', role: 'viewer' },
    { slug: 'press', role: 'owner' },
  ])
  t.is(organizations.roleOf('press', bob), 'viewer')
  t.is(organizations.roleOf('lab', bob), undefined)
  const editor = await organizations.changeRole({
    slug: 'press',
    ppid: bob,
    role: 'editor',
    by: onPages(ada),
  })
  t.is(editor.type, 'changed')
  t.is(organizations.roleOf('press', bob), 'editor')
  const described = await organizations.update({
    slug: 'press',
    body: { name: 'Press' },
    by: onPages(bob),
  })
  t.is(described.type, 'changed')
  t.is(
    (await organizations.removeMember({ slug: 'press', ppid: ada, by: admin })).type,
    'last_owner',
  )
  await organizations.leaveAll(ada)
  t.deepEqual(await organizations.organizationsOf(ada), [])
  t.like(organizations.members('press'), [{ ppid: bob }])
  const { body: feed } = await environment.catalogue.changes({ cursor: 0, limit: 100 })
  t.notRegex(Buffer.from(feed).toString('utf8'), /member/i, 'who is a member is no news')
  t.deepEqual(await auditClosed(environment, registry), [])
})
