// What an application does for a researcher, and what everybody reads, through the client.

import test from 'ava'

import { Arklog, RefusedError } from '#src/client/arklog.ts'
import { OAuthFlow } from '#test/src/_oauth_flow.ts'
import { type OAuthRegistry, openOAuthRegistry } from '#test/src/_oauth_registry.ts'

let registry: OAuthRegistry
let publisher: Arklog

test.before(async () => {
  registry = await openOAuthRegistry({ SEARCH: 'on' })
  const { key } = await registry.admin.call('/keys/create', {
    owner: 'org:demo',
    environment: 'live',
    scopes: ['works:read', 'works:write', 'people:read', 'search:read'],
  })
  publisher = new Arklog({ baseUrl: registry.baseUrl, key, trustOnFirstUse: true })
})
test.after.always(() => registry.close())

/** A researcher, and a client with a token of theirs that may do all. */
async function newResearcher(name: string) {
  const scopes = [
    'openid',
    'profile',
    'svc:works:read',
    'svc:works:write',
    'svc:author:read',
    'svc:author:write',
    'svc:affiliations:read',
    'svc:affiliations:write',
    'svc:receipts:read',
  ]
  const person = await registry.person(name)
  const application = await registry.application({ scopes, organization: 'demo' })
  const flow = new OAuthFlow(registry, application, person)
  const { access } = await flow.tokens(scopes.join(' '))
  const options = { baseUrl: registry.baseUrl, token: access, trustOnFirstUse: true }
  return { person, client: new Arklog(options), researcher: new Arklog(options).researcher }
}

test('records of a profile are added, read, changed and taken away', async (t) => {
  const { researcher } = await newResearcher('Ada Records')
  const degree = { degree: 'Mathematics', institution: 'University of London', year: '1841' }
  const created = await researcher.education.create(degree)
  t.is(created.response.status, 201)
  const changed = await researcher.education.update(created.id, { year: '1842' })
  t.is(changed.year, '1842')
  t.is((await researcher.education.get(created.id)).year, '1842')
  t.deepEqual(
    (await researcher.education.list()).map(({ id }) => id),
    [created.id],
  )
  t.is((await researcher.education.delete(created.id)).status, 'deleted')
  t.deepEqual(await researcher.education.list(), [])
  const gone = researcher.education.get(created.id)
  t.is((await t.throwsAsync(gone, { instanceOf: RefusedError }))?.status, 404)
  const { affiliations } = researcher
  const affiliation = await affiliations.create({ organization: 'Brown University' })
  t.is((await affiliations.list())[0]?.organization, affiliation.organization)
})

test('a work is registered for a researcher, claimed by one and followed', async (t) => {
  const { client, researcher, person } = await newResearcher('Ada Works')
  const work = {
    work_title: 'Sketch of the Analytical Engine',
    work_type: 'article',
    authors: 'Luigi Menabrea; Ada Works',
    work_url: 'https://press.example/sketch',
  } as const
  const { ark_identifier: own } = await client.works.create(work)
  t.deepEqual(
    (await researcher.works().take(10)).map((each) => each.ark_identifier),
    [own],
  )
  await client.works.create({ ...work, work_title: 'Another sketch' })
  t.is((await researcher.works({ limit: 1 }).take(10)).length, 2)
  t.is((await researcher.receipts({ limit: 1 }).take(10)).length, 2)
  t.is((await researcher.profile()).ppid, person.ppid)

  const other = { ...work, work_title: 'Notes by the translator' }
  const { ark_identifier: ark } = await publisher.works.create(other)
  const claim = await researcher.claims.create({ ark_identifier: ark, author_position: 2 })
  t.is(claim.ppid, person.ppid)
  const claims = await researcher.claims.list().take(10)
  t.true(claims.some(({ claim_id }) => claim_id === claim.claim_id))
  t.is((await researcher.claims.withdraw(claim.claim_id)).status, 'withdrawn')
  t.is((await publisher.people.get(person.ppid)).ppid, person.ppid)
})

test('organizations and their works are read by everybody', async (t) => {
  const reader = new Arklog({ baseUrl: registry.baseUrl, trustOnFirstUse: true })
  const work_url = 'https://press.example/public'
  const work = { work_title: 'P', work_type: 'book', authors: 'Ox', work_url } as const
  const { ark_identifier: ark } = await publisher.works.create(work)
  t.is((await reader.organizations.get('demo')).slug, 'demo')
  await publisher.works.create({ ...work, work_title: 'Q' })
  const works = await reader.organizations.works('demo', { limit: 1 }).take(100)
  t.true(works.length > 1)
  t.true(works.some((each) => each.ark_identifier === ark))
})

test('changes are waited for, until the loop is left or its signal ends it', async (t) => {
  const { seq } = (await lastChange()) ?? { seq: 0 }
  const stop = new AbortController()
  const live = publisher.changes.follow({ after: seq, live: true, signal: stop.signal })
  const news = live.next()
  const work_url = 'https://press.example/news'
  const work = { work_title: 'News', work_type: 'book', authors: 'Ox', work_url } as const
  await publisher.works.create(work)
  t.true(((await news).value as { readonly seq: number }).seq > seq)
  const reason = new Error('enough')
  const rest = (async () => {
    for await (const change of live) t.true(change.seq > seq)
  })()
  stop.abort(reason)
  t.is(await t.throwsAsync(rest), reason)
})

async function lastChange() {
  let last: { readonly seq: number } | undefined
  for await (const change of publisher.changes.follow()) last = change
  return last
}
