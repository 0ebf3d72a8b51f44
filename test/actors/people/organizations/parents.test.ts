import test, { type ExecutionContext } from 'ava'

import type { Agent } from '#actors/values/agent.ts'
import { may } from '#actors/values/authority.ts'
import type { ParentStep } from '#actors/people/organizations/events.ts'
import { belowMax, decideParent } from '#actors/people/organizations/rules.ts'
import { rebuildViews } from '#actors/registry/views.ts'
import { admin, makeRegistry } from '#test/actors/_environment.ts'
import { readChanges } from '#test/actors/_organization_changes.ts'
import { ada, bob, createPerson, onPages } from '#test/actors/_person.ts'
import { auditClosed } from '#test/actors/_world.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'

/** A registry with a consortium that Ada owns, a press that Bob owns, and further organizations. */
async function open(t: ExecutionContext) {
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  const { organizations } = environment
  for (const slug of ['lead', 'press', 'part', 'leaf', 'other']) {
    await organizations.create({ body: { slug, name: slug }, by: admin })
  }
  for (const [ppid, slug] of [[ada, 'lead'] as const, [bob, 'press'] as const]) {
    await createPerson(environment, ppid)
    await organizations.addMember({ slug, ppid, role: 'owner', by: admin })
  }
  const step = async (name: ParentStep, slug: string, parent: string, by: Agent = admin) => {
    return (await organizations.changeParent({ slug, parent, step: name, by })).type
  }
  return { registry, environment, organizations, step }
}

test('the one above invites, the one below agrees, and either ends it', async (t) => {
  const { environment, organizations, step, registry } = await open(t)
  const [above, below] = [onPages(ada), onPages(bob)]
  t.is(await step('join', 'press', 'lead', below), 'not_invited')
  t.is(await step('invite', 'press', 'lead', below), 'forbidden')
  t.is(await step('invite', 'press', 'lead', above), 'changed')
  t.is(await step('invite', 'press', 'lead', above), 'unchanged')
  t.deepEqual(organizations.invitationsOf('press'), ['lead'])
  t.deepEqual(organizations.invited('lead'), ['press'])
  t.is(organizations.read('press')?.parent, undefined)
  t.false('invited_by' in (organizations.read('press') ?? {}), 'it is for members alone')
  t.is(await step('end_invitation', 'press', 'lead', below), 'changed')
  t.is(await step('end_invitation', 'press', 'lead', below), 'not_invited')
  await step('invite', 'press', 'lead', above)
  t.is(await step('join', 'press', 'lead', above), 'forbidden', 'nobody joins for others')
  t.is(await step('join', 'press', 'lead', below), 'changed')
  t.is(organizations.read('press')?.parent, 'lead')
  t.deepEqual(organizations.below('lead'), ['press'])
  t.deepEqual(organizations.invited('lead'), [])
  const changed = await organizations.update({ slug: 'press', body: { name: 'P' }, by: admin })
  t.like(changed, { organization: { name: 'P', parent: 'lead' } })
  t.is(await step('leave', 'press', 'other'), 'not_below')
  t.is(await step('leave', 'press', 'lead', above), 'changed')
  t.deepEqual(organizations.below('lead'), [])
  const [left] = await readChanges(environment, 'press', { limit: 1 })
  t.like(left, { type: 'ParentChanged', parent: 'lead', by: { id: ada } })
  t.deepEqual(await auditClosed(environment, registry), [])
})

test('organizations have three levels, one above each, and no circle', async (t) => {
  const { organizations, step, environment, registry } = await open(t)
  t.is(await step('join', 'lead', 'lead'), 'circle')
  t.is(await step('join', 'press', 'none'), 'no_parent')
  t.is(await step('join', 'none', 'lead'), 'not_found')
  t.is(await step('join', 'part', 'press'), 'changed')
  t.is(await step('join', 'press', 'lead'), 'changed')
  t.is(await step('join', 'lead', 'part'), 'circle')
  t.is(await step('join', 'leaf', 'part'), 'too_deep')
  t.is(await step('join', 'lead', 'other'), 'too_deep')
  t.is(await step('join', 'part', 'other'), 'has_parent')
  t.deepEqual(organizations.above('part'), ['press', 'lead'])
  const { events } = environment.status()
  await environment.close()
  await rebuildViews(openMemoryStore(registry.disk), events)
  const again = await registry.open()
  t.deepEqual(again.organizations.above('part'), ['press', 'lead'])
  t.deepEqual(again.organizations.below('lead'), ['press'])
  t.deepEqual(await auditClosed(again, registry), [])
})

test('two changes at one time close no circle', async (t) => {
  const { organizations, step, environment, registry } = await open(t)
  const answers = await Promise.all([
    step('join', 'press', 'lead'),
    step('join', 'lead', 'other'),
    step('join', 'other', 'press'),
  ])
  t.deepEqual(answers.toSorted(), ['changed', 'changed', 'circle'])
  t.deepEqual(
    ['press', 'lead', 'other']
      .map((slug) => organizations.above(slug).length)
      .toSorted((a, b) => a - b),
    [0, 1, 2],
  )
  t.deepEqual(await auditClosed(environment, registry), [])
})

test('an uppermost organization has a limited number below it', (t) => {
  const state = {
    slug: 'press',
    name: 'P',
    aliases: [],
    members: [],
    created_at: '',
    updated_at: '',
  }
  const facts = {
    above: [{ slug: 'lead', members: [] }],
    levelsBelow: 1,
    countBelow: 9,
    countInAll: belowMax - 10,
    change: 1,
  }
  const join = { type: 'change_parent', step: 'join', parent: 'lead', by: admin } as const
  t.is(decideParent(state, join, facts).type, 'accepted')
  t.is(decideParent(state, join, { ...facts, countBelow: 10 }).type, 'too_many')
})

test('an owner above reads and manages keys, and does nothing else', (t) => {
  const members = [{ ppid: bob, role: 'owner' as const }]
  const above = [[{ ppid: ada, role: 'owner' as const }]]
  const lead = onPages(ada)
  for (const action of ['read', 'manage keys'] as const) {
    t.true(may(lead, 'organization', action, { members, above }))
    t.false(may(lead, 'organization', action, { members }))
    const viewers = [[{ ppid: ada, role: 'editor' as const }]]
    t.false(may(lead, 'organization', action, { members, above: viewers }))
  }
  for (const action of [
    'describe',
    'register works',
    'change many works',
    'review claims',
    'manage applications',
    'manage members',
    'read history',
    'invite below',
    'choose parent',
  ] as const) {
    t.false(may(lead, 'organization', action, { members, above }), action)
  }
})
