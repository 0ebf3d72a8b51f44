import test from 'ava'
import fc from 'fast-check'
import type { Agent } from '#actors/agent.ts'
import { organizationStream } from '#actors/organization_events.ts'
import { isSlug } from '#actors/organization_fields.ts'
import {
  checkOrganization,
  decideOrganization,
  evolveOrganization,
} from '#actors/organization_rules.ts'

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
  const decision = decideOrganization(undefined, { type: 'create', profile, by })
  if (decision.type !== 'accepted') return t.fail()
  const { event } = decision
  t.deepEqual(event, { type: 'OrganizationCreated', schema: 1, by, data: profile })
  const organization = evolveOrganization(undefined, event, { at })
  t.deepEqual(organization, { ...profile, created_at: at, updated_at: at })
  const taken = { type: 'taken', organization } as const
  t.deepEqual(decideOrganization(organization, { type: 'create', profile, by }), taken)
  t.throws(() => evolveOrganization(organization, event, { at }), {
    message: 'assertion failed: an organization is created once',
  })
})

test('a stream is named by the slug', (t) => {
  t.is(organizationStream('brown'), 'organization/brown')
})
