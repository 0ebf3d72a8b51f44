import test from 'ava'

import { goodWork } from '#test/src/_registry.ts'
import { asPerson, openPeopleRegistry, publisher } from '#test/src/_people.ts'
import { shared } from '#test/src/_shared_registry.ts'

const registry = shared(() => openPeopleRegistry())

test('a profile shows everybody what is public, under every spelling', async (t) => {
  const person = await registry.person('Ada Public')
  const key = await registry.keyOf(publisher, ['people:read'])
  for (const url of ['/api/v1/people', '/api/v1/user', '/v1/people', '/v1/user']) {
    const answer = await registry.call('GET', `${url}/${person.ppid}`, key)
    t.is(answer.status, 200, answer.body)
    t.deepEqual(answer.json(), {
      ppid: person.ppid,
      name: 'Ada Public',
      claims: [],
      affiliations: [],
      education: [],
      works_count: 0,
      links: {
        self: `https://registry.example/api/v1/people/${person.ppid}`,
        page: `https://registry.example/people/${person.ppid}`,
      },
    })
  }
  const open = await registry.call('GET', `/api/v1/people/${person.ppid}`)
  t.is(open.status, 200)
  t.is(open.headers['access-control-allow-origin'], '*')
  const closed = await registry.call('GET', `/v1/people/${person.ppid}`)
  t.is(closed.status, 401)
  t.is(closed.json().message, 'Invalid API key')
  const poor = await registry.keyOf(publisher, ['works:read'])
  const refused = await registry.call('GET', `/v1/people/${person.ppid}`, poor)
  t.is(refused.json().message, 'API key lacks required scope: people:read')
})

test('each field has its visibility: everybody, permitted applications, the person', async (t) => {
  const person = await registry.person('Ada Private')
  const own = await registry.keyOf(asPerson(person), ['people:read', 'people:write'])
  const url = `/v1/people/${person.ppid}`
  const visibility = { name: 'trusted', bio: 'private' }
  const changed = await registry.call('PUT', url, own, { bio: 'Quiet.', visibility })
  t.is(changed.status, 200, changed.body)
  t.like(changed.json(), {
    name: 'Ada Private',
    bio: 'Quiet.',
    email: 'ada.private@people.example',
  })
  t.deepEqual(changed.json().changed_fields.toSorted(), [
    'bio',
    'visibility.bio',
    'visibility.name',
  ])

  const everybody = (await registry.call('GET', `/api${url}`)).json()
  t.deepEqual([everybody.name, everybody.bio, everybody.email], [undefined, undefined, undefined])
  const reader = await registry.permit(person, ['openid', 'profile'])
  const trusted = (await registry.call('GET', `/api${url}`, reader)).json()
  t.deepEqual([trusted.name, trusted.bio, trusted.email], ['Ada Private', undefined, undefined])
  t.deepEqual((await registry.call('GET', '/api/v1/user', reader)).json(), trusted)
  const mailer = await registry.permit(person, ['openid', 'email'])
  const mailed = (await registry.call('GET', '/api/v1/user', mailer)).json()
  t.deepEqual([mailed.name, mailed.email], [undefined, 'ada.private@people.example'])

  const minting = await registry.keyOf(asPerson(person), ['mint', 'update'])
  const minter = (await registry.call('GET', '/api/v1/user', minting)).json()
  t.deepEqual(minter, everybody, 'a key that was not made to read reads what everybody does')

  const another = await registry.person('Bo Other')
  const theirs = await registry.permit(another, ['openid', 'profile'])
  t.is((await registry.call('GET', `/api${url}`, theirs)).json().name, undefined)
})

test('a work that a person registers names them as their profile does', async (t) => {
  const person = await registry.person('Ada Registers')
  const { ppid } = person
  const key = await registry.keyOf(asPerson(person), ['mint'])
  const named = { type: 'person', id: ppid, name: 'Ada Registers', via: 'api_key' }
  const minted = (await registry.call('POST', '/api/v1/works', key, goodWork)).json()
  t.deepEqual(minted.source, named)
  const url = `/api/v1/resolve/${minted.ark_identifier}`
  const shown = await registry.call('GET', url)
  t.deepEqual(shown.json().source, named)

  const own = await registry.keyOf(asPerson(person), ['people:write'])
  await registry.call('PUT', `/api/v1/people/${ppid}`, own, { visibility: { name: 'private' } })
  const hidden = await registry.call('GET', url)
  t.is(hidden.json().source.name, ppid)
  t.not(hidden.headers.etag, shown.headers.etag)
  const work = { ...goodWork, work_title: 'Another one' }
  const other = (await registry.call('POST', '/api/v1/works', key, work)).json()
  t.is(other.source.name, ppid)
})

test('a profile is changed by its person, an application that may, or nobody', async (t) => {
  const person = await registry.person('Ada Changed')
  const another = await registry.person('Bo Changed')
  const other = await registry.keyOf(asPerson(another), ['people:write'])
  const url = `/api/v1/people/${person.ppid}`
  const refused = await registry.call('PUT', url, other, { bio: 'Mine.' })
  t.is(refused.status, 403)
  t.regex(refused.json().message, /^This profile belongs to another person/)
  const token = await registry.permit(person, ['openid', 'svc:author:write'])
  const written = await registry.call('PUT', url, token, { bio: 'Written for me.' })
  t.is(written.status, 200, written.body)
  const nosy = await registry.call('PUT', url, token, { visibility: { email: 'public' } })
  t.is(nosy.status, 403)
  const own = await registry.keyOf(asPerson(person), ['people:write'])
  const faulty = await registry.call('PUT', url, own, { bio: 7, ppid: 'p', username: '-' })
  t.is(faulty.status, 422)
  const [{ message }] = faulty.json().details
  const summary = 'The profile cannot be changed like this'
  t.is(faulty.json().message, `${summary}: ${message} (details has 2 more)`)
  t.is(faulty.json().details.length, 3)
  const stale = await registry.call('PUT', url, { ...own, 'if-match': '"1"' }, { bio: 'Late.' })
  t.is(stale.status, 412)
  const same = await registry.call('PUT', '/v1/user', own, { name: 'Ada Changed' })
  t.is(same.json().unchanged, true)
  await registry.call('PUT', '/v1/user', own, { username: 'ada' })
  const taken = await registry.call('PUT', '/v1/user', other, { username: 'ada' })
  t.is(taken.status, 409)
  t.is(taken.json().message, 'Somebody else has this username')
})

test('a whole profile that was read before another edit is refused', async (t) => {
  const person = await registry.person('Ada Whole')
  const own = await registry.keyOf(asPerson(person), ['people:read', 'people:write'])
  const token = await registry.permit(person, ['openid', 'profile', 'svc:author:write'])
  const url = `/api/v1/people/${person.ppid}`
  await registry.call('PUT', url, own, { bio: 'First.' })
  for (const reader of [own, token]) {
    const read = (await registry.call('GET', url, reader)).json()
    registry.time.nowMs += 1_000
    const item = { organization: `Brown ${read.affiliations.length}` }
    await registry.call('POST', '/api/v1/user/affiliations', own, item)
    const beside = await registry.call('PUT', url, reader, { ...read, name: 'Ada Beside' })
    t.is(beside.status, 200, beside.body)
    t.deepEqual(beside.json().changed_fields ?? [], reader === own ? ['name'] : [])

    registry.time.nowMs += 1_000
    const now = (await registry.call('GET', url, reader)).json()
    await registry.call('PUT', url, own, { bio: `Second, after ${now.bio}` })
    const stale = await registry.call('PUT', url, reader, { ...now, name: 'Ada Stale' })
    t.is(stale.status, 412, stale.body)
    const named = ['bio', 'name'].map((field) => ({ field, code: 'differs' }))
    t.like(stale.json(), { error: 'precondition_failed', details: named })
    const after = (await registry.call('GET', url, own)).json()
    t.is(after.bio, `Second, after ${now.bio}`)
    t.is(stale.headers['etag'], (await registry.call('GET', url, own)).headers['etag'])
    const again = await registry.call('PUT', url, own, { ...after, name: 'Ada Beside' })
    t.true(again.json().unchanged)
  }
})

test('a person is found by an ORCID iD that they have signed in with, and show', async (t) => {
  const person = await registry.person('Josiah Carberry')
  const { people } = registry.environments.live
  const by = { ...asPerson(person), via: 'ui' } as const
  const orcid = '0000-0002-1825-0097'
  const stated = { ppid: person.ppid, by, orcid, authenticated: false }
  await people.linkOrcid(stated)
  t.is((await registry.call('GET', `/api/v1/people/${orcid}`)).status, 404)
  await people.linkOrcid({ ...stated, authenticated: true })
  for (const name of [orcid, encodeURIComponent(`https://orcid.org/${orcid}`)]) {
    const found = await registry.call('GET', `/api/v1/people/${name}`)
    t.like(found.json(), { ppid: person.ppid, orcid, orcid_authenticated: true })
  }
  await people.update({ ppid: person.ppid, by, body: { visibility: { orcid: 'private' } } })
  const hidden = await registry.call('GET', `/api/v1/people/${orcid}`)
  t.is(hidden.status, 404)
  t.is(hidden.json().message, 'There is no person with this identifier')
})

test('of a person who has left, nothing is shown but when', async (t) => {
  const person = await registry.person('Ada Leaving')
  await registry.accounts.accounts.remove(person.ppid)
  const gone = await registry.call('GET', `/api/v1/people/${person.ppid}`)
  t.is(gone.status, 410)
  t.regex(gone.json().message, /^The account of this person was deleted on 2026-01-01T/)
  const nobody = await registry.call('GET', '/api/v1/people/p00000000000')
  t.is(nobody.status, 404)
})

test('an application without any right of a person learns who they are, and no more', async (t) => {
  const person = await registry.person('Ada Token')
  const token = await registry.permit(person, ['svc:affiliations:write'])
  const { json } = await registry.call('GET', '/api/v1/user', token)
  t.is(json().ppid, person.ppid)
  t.is((await registry.call('GET', '/api/v1/user')).status, 401)
  const key = await registry.keyOf(publisher, ['people:read'])
  t.is((await registry.call('GET', '/api/v1/user', key)).status, 403)
})
