import test from 'ava'
import fc from 'fast-check'
import type { Agent } from '#actors/values/agent.ts'
import {
  type OrganizationState,
  organizationStream,
  publicOrganization,
  streamSlug,
} from '#actors/people/organizations/events.ts'
import {
  checkOrganization,
  checkOrganizationPatch,
  decideOrganization,
  evolveOrganization,
  isSlug,
} from '#actors/people/organizations/rules.ts'
import type { MemberRole } from '#actors/values/authority.ts'

const by: Agent = { type: 'operator', id: 'operator', name: 'Operator', via: 'cli', admin: true }
const profile = { aliases: [], name: 'Brown University', slug: 'brown' }
const at = '2026-11-21T10:00:00.000Z'

test('takes slugs', (t) => {
  for (const slug of ['ab', 'demo', 'brown-university', '1a', 'a-1-b', 'x'.repeat(63)]) {
    t.true(isSlug(slug), slug)
  }
  for (const slug of [
    '',
    'a',
    'Demo',
    '-a',
    'a-',
    'a--b',
    'a_b',
    'a.b',
    'é1',
    'a b',
    'x'.repeat(64),
  ]) {
    t.false(isSlug(slug), slug)
  }
})

test('property: a slug fits a path, a set and a host name as it is', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab1-_.:/%A é'), maxLength: 8 }), (text) => {
      if (!isSlug(text)) return
      t.is(encodeURIComponent(text), text)
      t.regex(text, /^[A-Za-z0-9\-_.!~*'()]+$/)
      t.is(new URL(`https://${text}.example/`).hostname, `${text}.example`)
    }),
    { numRuns: 500 },
  )
})

test('stores an organization in its form', (t) => {
  const body = {
    slug: 'brown',
    name: ' Brown  University ',
    aliases: ['Brown', 'ブラウン大学'],
    ror: '05GQ02987',
    country: 'us',
    url: 'https://www.brown.edu/',
  }
  t.deepEqual(checkOrganization(body), {
    type: 'ok',
    profile: {
      ...body,
      name: 'Brown  University',
      ror: 'https://ror.org/05gq02987',
      country: 'US',
    },
  })
  t.deepEqual(checkOrganization({ slug: 'brown', name: 'Brown University', ror: null }), {
    type: 'ok',
    profile,
  })
})

test('tells all faults of an organization at once', (t) => {
  const checked = checkOrganization({
    slug: 'Brown',
    aliases: ['x', ''],
    ror: '05gq02986',
    country: 'XX',
    homepage: 'https://www.brown.edu/',
  })
  t.deepEqual(checked.type === 'invalid' && checked.faults, [
    {
      field: 'homepage',
      code: 'unknown_field',
      message: 'homepage is not a field here; did you mean url?',
    },
    {
      field: 'aliases[1]',
      code: 'empty',
      message: 'aliases[1] must not be empty; leave it out if there is none',
    },
    {
      field: 'country',
      code: 'bad_value',
      message: 'country must be a two-letter country code of ISO 3166-1 such as US',
    },
    { field: 'name', code: 'required', message: 'name is required' },
    {
      field: 'ror',
      code: 'bad_value',
      message: 'ror must be a ROR ID such as https://ror.org/05gq02987, with the right checksum',
    },
    {
      field: 'slug',
      code: 'bad_value',
      message: 'slug must be 2 to 63 lower-case letters and digits, with single hyphens between',
    },
  ])
})

test('an organization is created once', (t) => {
  const { event, state } = created()
  t.deepEqual(event, { type: 'OrganizationCreated', schema: 1, by, data: profile })
  t.deepEqual(state, { ...profile, created_at: at, updated_at: at, members: [] })
  const again = decideOrganization(state, { type: 'create', profile, by })
  t.deepEqual(again, { type: 'taken' })
  t.throws(() => evolveOrganization(state, event, { at }), {
    message: 'assertion failed: an organization is created once',
  })
})

const later = '2026-11-21T11:00:00.000Z'

/** The organization of the tests, and the event that made it. */
function created() {
  const decision = decideOrganization(undefined, { type: 'create', profile, by })
  if (!('event' in decision)) throw new Error(decision.type)
  const { event } = decision
  return { event, state: evolveOrganization(undefined, event, { at }) }
}

/** What an update of the body leads to. */
function update(state: OrganizationState, body: unknown, agent = by) {
  const checked = checkOrganizationPatch(body)
  if (checked.type === 'invalid') return checked
  return decideOrganization(state, { type: 'update', patch: checked.patch, by: agent })
}

test('an update merges, and null removes', (t) => {
  const { state } = created()
  const body = { name: 'Brown', aliases: ['BU'], ror: '05gq02987', country: 'us' }
  const decision = update(state, body)
  if (!('event' in decision)) return t.fail(decision.type)
  const { event } = decision
  t.like(event, { type: 'OrganizationUpdated', schema: 1, by })
  t.deepEqual(event.data, {
    changed_fields: ['aliases', 'country', 'name', 'ror'],
    profile: {
      slug: 'brown',
      name: 'Brown',
      aliases: ['BU'],
      ror: 'https://ror.org/05gq02987',
      country: 'US',
    },
  })
  const changed = evolveOrganization(state, event, { at: later })
  t.like(changed, { slug: 'brown', name: 'Brown', created_at: at, updated_at: later, members: [] })
  t.deepEqual(update(changed, { country: 'US', url: null }), { type: 'unchanged' })
  const removed = update(changed, { aliases: null, ror: null })
  if (!('event' in removed)) return t.fail(removed.type)
  const left = evolveOrganization(changed, removed.event, { at: later })
  t.deepEqual(left.aliases, [])
  t.false('ror' in left)
  t.is(left.country, 'US')
})

test('a slug never changes, and a name is never missing', (t) => {
  const checked = update(created().state, { slug: 'other', name: null })
  t.deepEqual('faults' in checked && checked.faults, [
    {
      field: 'slug',
      code: 'unknown_field',
      message: 'slug is not a field here; the fields are name, aliases, ror, country, url',
    },
    { field: 'name', code: 'required', message: 'name cannot be removed' },
  ])
})

test('describing an organization is for its owners and editors, and for administrators', (t) => {
  const member = (ppid: string, role: MemberRole) => ({ ppid, role, since: at })
  const members = [member('pown', 'owner'), member('pedit', 'editor'), member('pview', 'viewer')]
  const state = { ...created().state, members }
  const body = { name: 'Brown' }
  for (const [id, type] of [
    ['pown', 'accepted'],
    ['pedit', 'accepted'],
    ['pview', 'forbidden'],
    ['pelse', 'forbidden'],
  ] as const) {
    const person: Agent = { type: 'person', id, name: id, via: 'ui' }
    t.is(update(state, body, person).type, type, id)
  }
  const key: Agent = { type: 'organization', id: 'brown', name: 'Brown', via: 'api_key' }
  t.is(update(state, body, key).type, 'forbidden')
  t.is(update(state, body, { ...key, admin: true }).type, 'accepted')
  t.deepEqual(decideOrganization(undefined, { type: 'update', patch: body, by }), {
    type: 'not_found',
  })
})

test('what everybody may know of an organization leaves out its members', (t) => {
  t.deepEqual(publicOrganization(created().state), { ...profile, created_at: at, updated_at: at })
})

test('a stream is named by the slug', (t) => {
  t.is(organizationStream('brown'), 'organization/brown')
  t.is(streamSlug('organization/brown'), 'brown')
})
