import test, { type ExecutionContext } from 'ava'

import { until } from '#test/_until.ts'
import {
  asPerson,
  openPeopleRegistry,
  type PeopleRegistry,
  publisher,
  type TestPerson,
} from '#test/src/_people.ts'
import { goodWork } from '#test/src/_registry.ts'
import { baseUrl } from '#test/src/_served_registry.ts'
import { operator } from '#src/identity/store/owner_text.ts'
import { deliver, subscriber, type ReceivedEvent } from '#test/src/delivery/webhooks/_subscriber.ts'
import type { EventKind } from '#src/delivery/webhooks/event.ts'

const keyScopes = ['works:write', 'people:read', 'people:write']
const organization = publisher.id

/** A registry that delivers to a webhook of the organization and to one of its application. */
async function openHeard(t: ExecutionContext, events: readonly EventKind[]) {
  const registry = await openPeopleRegistry()
  t.teardown(() => registry.close())
  const { webhooks, environments, application, time } = registry
  const [ofPress, ofDesk] = [await subscriber(t), await subscriber(t)]
  const { events: after } = environments.live.records
  const forAll = events.filter((kind) => kind !== 'profile.updated')
  await webhooks.create({ organization }, { url: ofPress.url, events: forAll }, after)
  const owner = { organization, application: application.client_id }
  await webhooks.create(owner, { url: ofDesk.url, events }, after)
  const allow = [ofPress.hostPort, ofDesk.hostPort]
  const { deliverers } = deliver(t, registry, { allow, nowMs: () => time.nowMs })
  const press = await registry.keyOf(publisher, keyScopes)
  const register = async (work_title: string): Promise<string> => {
    const body = { ...goodWork, work_title }
    const made = await registry.call('POST', '/api/v1/works', press, body)
    t.is(made.status, 201, made.body)
    return made.json().ark_identifier
  }
  return { registry, deliverers, press, register, ofPress, ofDesk }
}

/** A person says something of themselves, first as private, and claims a work; gives the claim. */
async function claim(
  t: ExecutionContext,
  registry: PeopleRegistry,
  person: TestPerson,
  wish: { readonly ark_identifier: string; readonly author_position: number },
): Promise<string> {
  const own = await registry.keyOf(asPerson(person), keyScopes)
  for (const visibility of ['private', 'public']) {
    const body = { bio: `Of ${visibility} life`, visibility: { bio: visibility } }
    const changed = await registry.call('PUT', `/api/v1/people/${person.ppid}`, own, body)
    t.is(changed.status, 200, changed.body)
  }
  const made = await registry.call('POST', '/api/v1/user/claims', own, wish)
  t.is(made.status, 201, made.body)
  return made.json().claim_id
}

/** What is told of a claim. */
function receivedOf(told: readonly ReceivedEvent[], id: string) {
  return told
    .filter(({ data }) => data['claim_id'] === id)
    .map(({ type, data }) => [type, data['status'], data['ppid'], data['ark']])
}

test('claims and changes of a profile are told to who may read them', async (t) => {
  const kinds = ['profile.updated', 'claim.requested', 'claim.verified'] as const
  const { registry, press, register, ofPress, ofDesk } = await openHeard(t, kinds)
  const people = [await registry.person('Ada Ox'), await registry.person('Bo Pen')] as const
  const [ada, bo] = people
  // Bo permits nothing.
  await registry.permit(ada, ['openid', 'profile', 'svc:author:read'])
  const ark = await register('On claims')
  const claims: string[] = []
  for (const [place, person] of people.entries()) {
    const wish = { ark_identifier: ark, author_position: place + 1 }
    claims.push(await claim(t, registry, person, wish))
  }
  for (const id of claims) {
    const confirmed = await registry.call('PUT', `/v1/claims/${id}`, press, { step: 'confirm' })
    t.is(confirmed.status, 200, confirmed.body)
  }
  const claimsOf = ({ told }: { readonly told: readonly ReceivedEvent[] }) =>
    told.filter(({ type }) => type.startsWith('claim.'))
  await until('the organization hears of both claims', () => claimsOf(ofPress).length === 4)
  await until('the application hears of hers', () => claimsOf(ofDesk).length === 2)
  for (const [place, { ppid }] of people.entries()) {
    t.deepEqual(receivedOf(ofPress.told, claims[place] ?? ''), [
      ['claim.requested', 'pending', ppid, ark],
      ['claim.verified', 'verified', ppid, ark],
    ])
  }
  t.deepEqual(receivedOf(ofDesk.told, claims[0] ?? ''), receivedOf(ofPress.told, claims[0] ?? ''))
  const changes = ofDesk.told.filter(({ type }) => type === 'profile.updated')
  t.true(changes.length > 0)
  for (const { data } of changes) t.is(data['ppid'], ada.ppid)
  t.false(JSON.stringify([ofDesk.told, ofPress.told]).includes('life'))
  t.false(JSON.stringify(ofDesk.told).includes(bo.ppid))
})

test('a version that tells of a retraction says so', async (t) => {
  const kinds = ['work.created', 'work.updated'] as const
  const { registry, press, register, ofPress } = await openHeard(t, kinds)
  const ark = await register('On mice')
  const update_notices = [{ kind: 'retraction', direction: 'of_this', doi: '10.5555/r1' }]
  const path = `/api/v1/works/${ark}`
  const changed = await registry.call('PUT', path, press, { update_notices })
  t.is(changed.status, 200, changed.body)
  await until('both are told', () => ofPress.told.length === 2)
  t.deepEqual(
    ofPress.told.map(({ type, data }) => [type, data['notice']]),
    [
      ['work.created', undefined],
      ['work.updated', 'retraction'],
    ],
  )
})

test('the newest checkpoint is told of at once, and once a minute at most', async (t) => {
  const { registry, deliverers, register, ofPress } = await openHeard(t, ['log.checkpoint'])
  const { webhooks, environments, time } = registry
  const [pressOwn] = webhooks.list({ organization })
  const checkpoints = () => ofPress.told.filter(({ type }) => type === 'log.checkpoint')
  // A ping has its webhook look at all that is due.
  const lookAfterAMinute = async () => {
    time.nowMs += 60_000
    await webhooks.ping(pressOwn?.id ?? '')
    const { treeSize } = environments.live.log.head()
    const isTold = () => checkpoints().at(-1)?.data['tree_size'] === treeSize
    await until('the newest is told', isTold)
  }
  await register('One')
  await lookAfterAMinute()
  const [first] = checkpoints()
  t.like(first?.data, { origin: 'registry.example/log' })
  t.deepEqual(first?.data['links'], { self: `${baseUrl}/log/checkpoint` })
  const before = checkpoints().length
  time.nowMs += 60_000
  await register('Two')
  await until('it is told of without being asked', () => checkpoints().length === before + 1)
  await register('Three')
  const { delivered } = deliverers.live.status()
  await webhooks.ping(pressOwn?.id ?? '')
  await until('the ping has come', () => deliverers.live.status().delivered > delivered)
  await until('nothing is sent any more', () => deliverers.live.status().underWay === 0)
  t.is(checkpoints().length, before + 1)
  await lookAfterAMinute()
  t.is(checkpoints().length, before + 2)
})

test('what the operator does to a work is told as the operator’s', async (t) => {
  const { registry, register, ofPress } = await openHeard(t, ['work.created', 'work.withdrawn'])
  const ark = await register('Taken down')
  const chief = await registry.keyOf(operator, ['works:delete'])
  const withdrawn = await registry.call('DELETE', `/v1/works/${ark}`, chief, { reason: 'legal' })
  t.is(withdrawn.status, 200, withdrawn.body)
  await until('both were told', () => ofPress.told.length === 2)
  t.deepEqual(
    ofPress.told.map(({ type, data }) => [type, data['organization'], data['by']]),
    [
      ['work.created', 'press', { type: 'organization', name: 'A Press', organization: 'press' }],
      ['work.withdrawn', 'press', { type: 'operator', name: 'Operator', organization: null }],
    ],
  )
})
