import test from 'ava'

import { until } from '#test/_until.ts'
import { asPerson, openPeopleRegistry, password, publisher } from '#test/src/_people.ts'
import { goodWork } from '#test/src/_registry.ts'
import { baseUrl } from '#test/src/_served_registry.ts'
import { shared } from '#test/src/_shared_registry.ts'

const registry = shared(() => openPeopleRegistry())

const writing = ['svc:affiliations:write', 'svc:works:write']

test('a person sees what others wrote, with what it changed, and takes it back', async (t) => {
  const person = await registry.person('Ada Watcher')
  const token = await registry.permit(person, writing)
  const own = await registry.keyOf(asPerson(person), ['people:read', 'people:write'])
  const affiliations = '/api/v1/user/affiliations'
  const added = await registry.call('POST', affiliations, token, { organization: 'Brown' })
  const { id } = added.json()
  await registry.call('PUT', `${affiliations}/${id}`, token, { role: 'Dean' })
  const work = (await registry.call('POST', '/api/v1/works', token, goodWork)).json()

  const { writes, next } = (await registry.call('GET', '/v1/user/writes', own)).json()
  t.is(next, null)
  t.deepEqual(
    writes.map(({ type }: { type: string }) => type),
    ['WorkRegistered', 'ItemChanged', 'ItemAdded'],
  )
  const [registered, changed, first] = writes
  t.is(registered.ark_identifier, work.ark_identifier)
  t.deepEqual(changed.diff, [{ field: 'role', before: null, after: 'Dean' }])
  t.like(changed.by, { type: 'organization', id: 'press', name: 'A Press', via: 'oauth' })
  t.deepEqual(first.item, { id, kind: 'affiliation', status: 'active' })

  const page = (await registry.call('GET', '/v1/user/writes?limit=1', own)).json()
  t.is(page.writes.length, 1)
  const more = await registry.call('GET', `/v1/user/writes?limit=5&before=${page.next}`, own)
  t.is(more.json().writes.length, 2)

  const undo = (position: number, headers = own) =>
    registry.call('POST', `/api/v1/user/writes/${position}/undo`, headers, {})
  t.deepEqual((await undo(changed.position)).json(), { position: changed.position, undone: true })
  t.true((await undo(changed.position)).json().unchanged)
  const item = (await registry.call('GET', `${affiliations}/${id}`, own)).json()
  t.false('role' in item)
  t.is((await undo(registered.position)).status, 200)
  const profile = (await registry.call('GET', `/api/v1/people/${person.ppid}`)).json()
  t.is(profile.works_count, 0, 'a work that was registered for them is theirs no more')
  t.is((await undo(999_999)).status, 404)
  t.is((await undo(first.position, token)).status, 403)
})

test('a person sees all that becomes of the works that were registered for them', async (t) => {
  const person = await registry.person('Ada Registered')
  const token = await registry.permit(person, writing)
  const own = await registry.keyOf(asPerson(person), ['people:read', 'people:write', 'works:write'])
  const press = await registry.keyOf(publisher, ['works:write'])
  const works = '/api/v1/works'
  const add = async (headers: Record<string, string>, work_title: string): Promise<string> => {
    const answer = await registry.call('POST', works, headers, { ...goodWork, work_title })
    t.is(answer.status, 201, answer.body)
    return answer.json().ark_identifier
  }
  const byToken = await add(token, 'By an application')
  const byKey = await add(own, 'By a key')
  await registry.call('PUT', `${works}/${byToken}`, token, { volume: '2' })
  await registry.call('POST', `${works}/${byKey}/versions`, own, { volume: '2' })
  await registry.call('PUT', `${works}/${byToken}`, press, { volume: '3' })
  const reason = { reason: 'author_request' }
  const gone = await registry.call('POST', `${works}/${byToken}/withdraw`, press, reason)
  t.is(gone.status, 200, gone.body)

  type Write = Readonly<Record<string, unknown>> & { by: Record<string, string>; position: number }
  const list = (await registry.call('GET', '/v1/user/writes', own)).json().writes as Write[]
  const { client_id } = registry.application
  t.deepEqual(
    list.map(({ type, ark_identifier, version, by, undoable }) => [
      type,
      ark_identifier,
      version,
      by['client_id'] ?? by['via'],
      undoable,
    ]),
    [
      ['WorkWithdrawn', byToken, undefined, 'api_key', false],
      ['WorkVersioned', byToken, 3, 'api_key', false],
      ['WorkVersioned', byKey, 2, 'api_key', true],
      ['WorkVersioned', byToken, 2, client_id, true],
      ['WorkRegistered', byKey, 1, 'api_key', true],
      ['WorkRegistered', byToken, 1, client_id, true],
    ],
  )
  const [withdrawn, byPress, versioned] = list
  t.is(withdrawn?.['key_id'], undefined, 'keys of others are theirs')
  t.true(own['authorization']?.includes(String(versioned?.['key_id'])), 'one of their own keys')
  t.deepEqual(byPress?.['diff'], [{ field: 'volume', before: '2', after: '3' }])
  t.like(byPress?.by, { type: 'organization', id: 'press' })
  for (const position of [withdrawn, byPress].map((write) => write?.position)) {
    const answer = await registry.call('POST', `/v1/user/writes/${position}/undo`, own, {})
    t.is(answer.status, 409, answer.body)
  }
})

test('what is held of a person is one file, without secrets', async (t) => {
  const person = await registry.person('Ada Exporter')
  const token = await registry.permit(person, writing)
  await registry.call('POST', '/api/v1/user/education', token, { institution: 'London' })
  const own = await registry.keyOf(asPerson(person), ['people:read'])
  const answer = await registry.call('GET', '/api/v1/user/export', own)
  t.is(answer.status, 200, answer.body)
  t.is(answer.headers['content-disposition'], `attachment; filename="${person.ppid}.json"`)
  const held = answer.json()
  t.like(held.account, { email: 'ada.exporter@people.example', has_password: true })
  t.is(held.profile.name, 'Ada Exporter')
  t.is(held.education[0].fields.institution, 'London')
  t.is(held.writes.length, 1)
  t.is(held.permissions[0].client_id, registry.application.client_id)
  t.is(held.keys.length, 1)
  for (const secret of [password, '$argon2', own['authorization'] ?? '', 'digest']) {
    t.false(answer.body.includes(secret.replace('Bearer ', '')), secret)
  }
})

test('what happened to keys and permissions is listed, for the person alone', async (t) => {
  const person = await registry.person('Ada Auditor')
  const token = await registry.permit(person, ['openid', 'profile'])
  const own = await registry.keyOf(asPerson(person), ['people:read'])
  const list = async () => (await registry.call('GET', '/v1/user/audit', own)).json().entries
  // The first use of the key is noted after its answer.
  await until('the use of the key is noted', async () =>
    (await list()).some(({ action }: { action: string }) => action === 'used'),
  )
  const entries = await list()
  const actions = entries.map(({ action }: { action: string }) => action)
  t.true(actions.includes('granted') && actions.includes('created'), actions.join())
  const { client_id } = registry.application
  t.true(entries.some((entry: { client_id?: string }) => entry.client_id === client_id))
  const page = (await registry.call('GET', '/v1/user/audit?limit=1', own)).json()
  const { seq } = entries[0]
  const address = `${baseUrl}/v1/user/audit`
  t.deepEqual(page, {
    entries: entries.slice(0, 1),
    next: seq,
    links: { self: `${address}?limit=1`, next: `${address}?limit=1&cursor=${seq}` },
  })
  const more = await registry.call('GET', `/v1/user/audit?before=${page.next}`, own)
  const links = { self: `${address}?before=${seq}`, next: null }
  t.deepEqual(more.json(), { entries: entries.slice(1), next: null, links })
  for (const url of ['/v1/user/audit', '/v1/user/writes', '/v1/user/export']) {
    const refused = await registry.call('GET', url, token)
    t.is(refused.status, 403)
    t.is(refused.json().message, 'API key lacks required scope: people:read')
  }
})
