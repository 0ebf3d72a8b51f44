import test from 'ava'

import { asPerson, openPeopleRegistry, publisher } from '#test/src/_people.ts'
import { baseUrl } from '#test/src/_served_registry.ts'
import { shared } from '#test/src/_shared_registry.ts'

const registry = shared(() => openPeopleRegistry())

const professor = {
  organization: 'Brown University',
  role: 'Professor',
  department: 'Mathematics',
  start_year: '2021',
}

const writing = ['openid', 'svc:affiliations:read', 'svc:affiliations:write']

test('a publisher adds an affiliation that the person permitted, and changes it', async (t) => {
  const person = await registry.person('Ada One')
  const token = await registry.permit(person, writing)
  const url = '/api/v1/user/affiliations'
  const added = await registry.call('POST', url, token, professor)
  t.is(added.status, 201, added.body)
  const { id, created_at, updated_at, ...item } = added.json()
  t.is(added.headers['location'], `https://registry.example${url}/${id}`)
  t.is(created_at, updated_at)
  t.deepEqual(item, {
    ...professor,
    source: {
      type: 'organization',
      id: 'press',
      name: 'A Press',
      via: 'oauth',
      client_id: registry.application.client_id,
    },
    visibility: 'public',
    status: 'active',
  })
  const again = await registry.call('POST', url, token, { ...professor, end_year: '2024' })
  t.is(again.status, 200)
  t.is(again.json().id, id)
  const changed = await registry.call('PUT', `${url}/${id}`, token, {
    end_year: null,
    role: 'Dean',
  })
  t.is(changed.status, 200)
  t.like(changed.json(), { role: 'Dean', organization: 'Brown University' })
  t.false('end_year' in changed.json())
  const list = await registry.call('GET', '/v1/user/affiliations', token)
  const links = { self: `${baseUrl}/v1/user/affiliations`, next: null }
  t.deepEqual(list.json(), { affiliations: [changed.json()], next: null, links })
  t.is(list.headers['cache-control'], 'private, no-store')
})

test('all that is wrong with a body is told at once', async (t) => {
  const person = await registry.person('Ada Two')
  const token = await registry.permit(person, writing)
  const wrong = { role: 7, start_year: '21', colour: 'red' }
  const answer = await registry.call('POST', '/api/v1/user/affiliations', token, wrong)
  t.is(answer.status, 422)
  const summary = 'The affiliation cannot be written like this'
  const { message } = answer.json().details[0]
  t.is(answer.json().message, `${summary}: ${message} (details has 3 more)`)
  const fields = answer.json().details.map(({ field }: { field: string }) => field)
  t.deepEqual(fields.toSorted(), ['colour', 'organization', 'role', 'start_year'])
})

test('only the source changes an item; the person hides, contests and deletes it', async (t) => {
  const person = await registry.person('Ada Three')
  const token = await registry.permit(person, writing)
  const own = await registry.keyOf(asPerson(person), ['people:read', 'people:write'])
  const url = '/api/v1/user/education'
  const degree = { degree: 'PhD', institution: 'University of London', year: '1841' }
  const { id } = (await registry.call('POST', url, token, degree)).json()

  const edited = await registry.call('PUT', `${url}/${id}`, own, { degree: 'MSc' })
  t.is(edited.status, 403)
  t.is(edited.json().message, 'You are not the source: only A Press changes this record')
  const hidden = await registry.call('PUT', `${url}/${id}`, own, { status: 'hidden' })
  t.like(hidden.json(), { status: 'hidden', degree: 'PhD' })
  const profile = `/api/v1/people/${person.ppid}`
  t.deepEqual((await registry.call('GET', profile)).json().education, [])
  t.is((await registry.call('GET', url, token)).json().education.length, 1, 'the source sees it')

  const mark = { status: 'contested', reason: 'I was never there.' }
  const contested = await registry.call('PUT', `${url}/${id}`, own, mark)
  t.like(contested.json(), { status: 'contested', contest_reason: 'I was never there.' })
  const seen = (await registry.call('GET', profile)).json().education[0]
  t.is(seen.status, 'contested')
  t.false('contest_reason' in seen)
  t.is((await registry.call('GET', `${url}/${id}`, token)).json().contest_reason, mark.reason)

  const stranger = await registry.call('PUT', `${url}/${id}`, token, { status: 'active' })
  t.is(stranger.status, 403)
  t.is(stranger.json().message, 'Only the person hides, shows or contests one education record')

  const removed = await registry.call('DELETE', `${url}/${id}`, own)
  t.is(removed.status, 200)
  t.is(removed.json().status, 'deleted')
  const gone = await registry.call('GET', `${url}/${id}`, own)
  t.is(gone.status, 404)
  t.is(gone.json().message, 'The person has no such education record')
})

test('a change is bound to what the client has seen', async (t) => {
  const person = await registry.person('Ada Four')
  const token = await registry.permit(person, writing)
  const url = '/v1/user/affiliations'
  const added = await registry.call('POST', url, token, professor)
  const path = `${url}/${added.json().id}`
  const etag = String(added.headers['etag'])
  const first = await registry.call('PUT', path, { ...token, 'if-match': etag }, { role: 'Dean' })
  t.is(first.status, 200)
  const late = await registry.call('PUT', path, { ...token, 'if-match': etag }, { role: 'Rector' })
  t.is(late.status, 412)
  t.is(late.headers['etag'], first.headers['etag'])
})

test('a whole item that was read before another edit is refused', async (t) => {
  const person = await registry.person('Ada Whole')
  const token = await registry.permit(person, writing)
  const own = await registry.keyOf(asPerson(person), ['people:read', 'people:write'])
  const added = await registry.call('POST', '/v1/user/affiliations', token, professor)
  const path = `/v1/user/affiliations/${added.json().id}`
  const read = added.json()
  const first = await registry.call('PUT', path, token, { ...read, role: 'Dean' })
  t.is(first.status, 200, first.body)
  registry.time.nowMs += 1_000
  await registry.call('PUT', path, token, { ...first.json(), department: 'Physics' })
  const late = await registry.call('PUT', path, token, { ...first.json(), role: 'Rector' })
  t.is(late.status, 412, late.body)
  t.like(late.json().details, [
    { field: 'department', code: 'differs' },
    { field: 'role', code: 'differs' },
  ])
  const now = (await registry.call('GET', path, token)).json()
  t.like(now, { role: 'Dean', department: 'Physics' })
  registry.time.nowMs += 1_000
  const mark = { status: 'contested', reason: 'I was never there.' }
  await registry.call('PUT', path, own, mark)
  const unaware = await registry.call('PUT', path, token, { ...now, role: 'Rector' })
  t.is(unaware.status, 412, unaware.body)
  const marked = (await registry.call('GET', path, token)).json()
  const wish = await registry.call('PUT', path, token, { ...marked, status: 'active' })
  t.like(wish.json().details, [{ field: 'status', code: 'read_only' }])
})

test('a request with an Idempotency-Key is carried out once', async (t) => {
  const person = await registry.person('Ada Five')
  const token = await registry.permit(person, writing)
  const url = '/api/v1/user/affiliations'
  const named = { ...token, 'idempotency-key': 'one' }
  const first = await registry.call('POST', url, named, professor)
  const second = await registry.call('POST', url, named, professor)
  t.is(second.headers['idempotent-replayed'], 'true')
  t.is(second.json().id, first.json().id)
  const other = await registry.call('POST', url, named, { ...professor, role: 'Dean' })
  t.is(other.status, 422)
  t.is(other.json().message, 'This Idempotency-Key was sent before with another body')
  const unfit = await registry.call('POST', url, { ...token, 'idempotency-key': '' }, professor)
  t.is(unfit.status, 400)
})

test('a key of the researcher adds with mint, and changes with update', async (t) => {
  const person = await registry.person('Ada Six')
  const mint = await registry.keyOf(asPerson(person), ['mint'])
  const update = await registry.keyOf(asPerson(person), ['update'])
  const url = '/api/v1/user/affiliations'
  const added = await registry.call('POST', url, mint, professor)
  t.is(added.status, 201)
  t.like(added.json().source, { type: 'person', id: person.ppid, name: 'Ada Six', via: 'api_key' })
  const path = `${url}/${added.json().id}`
  t.is((await registry.call('PUT', path, update, { role: 'Dean' })).json().role, 'Dean')
  const refused = await registry.call('PUT', path, mint, { role: 'Rector' })
  t.is(refused.status, 403)
  t.is(refused.json().message, 'API key lacks required scope: svc:affiliations:write')
  t.is((await registry.call('POST', url, update, professor)).status, 403)
})

test('items are those of a person: keys of others and the sandbox have none', async (t) => {
  const key = await registry.keyOf(publisher, ['people:read', 'people:write'])
  const refused = await registry.call('POST', '/v1/user/affiliations', key, professor)
  t.is(refused.status, 403)
  t.regex(refused.json().message, /^This key acts for no person/)
  const person = await registry.person('Ada Seven')
  const options = { environment: 'sandbox', owner: asPerson(person) } as const
  const sandbox = await registry.createKey(['people:read'], options)
  const asked = await registry.call('GET', '/v1/user/affiliations', {
    authorization: `Bearer ${sandbox}`,
  })
  t.is(asked.status, 404)
  t.is(asked.headers['x-svc-environment'], 'sandbox')
})

test('writes are counted together for each application and person', async (t) => {
  const limited = await openPeopleRegistry({ RATE_LIMITS: true, LIMIT_WRITE_BACK: 2 })
  t.teardown(() => limited.close())
  const one = await limited.permit(await limited.person('Ada Eight'), writing)
  const other = await limited.permit(await limited.person('Ada Nine'), writing)
  const write = (headers: Record<string, string>, url: string) =>
    limited.call('POST', url, headers, { organization: 'Brown', institution: 'Brown' })
  t.is((await write(one, '/api/v1/user/affiliations')).headers['x-ratelimit-remaining'], '1')
  t.is((await write(one, '/v1/user/education')).headers['x-ratelimit-remaining'], '0')
  const over = await write(one, '/v1/user/affiliations')
  t.is(over.status, 429)
  t.is(over.json().message, 'Retry after 60 seconds')
  t.is((await write(other, '/v1/user/affiliations')).headers['x-ratelimit-remaining'], '1')
  const read = await limited.call('GET', '/v1/user/affiliations', one)
  t.is(read.headers['x-ratelimit-limit'], '200')
})
