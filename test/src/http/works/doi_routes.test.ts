import test from 'ava'

import { asPerson, openPeopleRegistry, type PeopleRegistry } from '#test/src/_people.ts'
import { goodWork as work } from '#test/src/_registry.ts'

let registry: PeopleRegistry
let press: Record<string, string>
let rival: Record<string, string>

test.before(async () => {
  registry = await openPeopleRegistry()
  const scopes = ['works:read', 'works:write'] as const
  const ownerOf = (id: string) => ({ type: 'organization', id, name: `The ${id}` }) as const
  press = await registry.keyOf(ownerOf('press'), scopes)
  rival = await registry.keyOf(ownerOf('rival'), scopes)
})

test.after.always(() => registry.close())

let dois = 0
const newDoi = () => `10.5555/by.doi-${(dois += 1)}`

function put(doi: string, body: unknown, headers = press) {
  return registry.call('PUT', `/v1/works/by-doi/${doi}`, headers, body)
}

function find(doi: string, headers = press) {
  return registry.call('GET', `/v1/works/by-doi/${doi}`, headers)
}

async function arksOf(doi: string): Promise<readonly string[]> {
  const found = await find(doi)
  const { works = [] } = found.json() as { works?: readonly { ark_identifier: string }[] }
  return works.map(({ ark_identifier }) => ark_identifier)
}

test('a work is registered under its DOI, and then replaced as a whole', async (t) => {
  const doi = newDoi()
  const made = await put(doi, { ...work, description: 'First.', volume: '1' })
  t.is(made.status, 201, made.body)
  const { ark_identifier: ark } = made.json()
  t.truthy(made.headers['location'])
  t.like((await registry.call('GET', `/v1/works/${ark}`, press)).json(), { existing_doi: doi })

  const changed = await put(doi, { ...work, existing_doi: doi, volume: '2' })
  t.is(changed.status, 200, changed.body)
  t.like(changed.json(), { ark_identifier: ark, version: 2 })
  t.deepEqual(changed.json().changed_fields, ['description', 'volume'])
  const stands = (await registry.call('GET', `/v1/works/${ark}`, press)).json()
  t.is(stands.description, undefined)
  t.is(stands.volume, '2')
  t.like((await put(doi, { ...work, volume: '2' })).json(), { version: 2, unchanged: true })
  t.deepEqual(await arksOf(doi), [ark])
})

test('a DOI is folded and may be encoded, whatever words it ends with', async (t) => {
  const doi = `${newDoi()}/versions`
  const { ark_identifier: ark } = (await put(doi, work)).json()
  const spellings = [
    doi.toUpperCase(),
    encodeURIComponent(doi),
    `doi:${doi}`,
    encodeURIComponent(`https://doi.org/${doi}`),
  ]
  for (const [index, spelling] of spellings.entries()) {
    const body = { ...work, description: `As ${index}` }
    const answer = await put(spelling, body)
    t.is(answer.json().ark_identifier, ark, `${spelling}: ${answer.body}`)
  }
  t.deepEqual(await arksOf(encodeURIComponent(doi)), [ark])
  t.is((await find('10.5555/nobody-has-this')).status, 404)
  t.is((await find('no-doi')).json().error, 'validation_failed')
  t.is((await find('10.5555%2Fa%ff')).json().error, 'bad_request')
})

test('a body of another DOI, and one that is no work, are refused with their fields', async (t) => {
  const doi = newDoi()
  const other = await put(doi, { ...work, existing_doi: '10.5555/another' })
  t.is(other.status, 422)
  t.is(other.json().details[0].field, 'existing_doi')
  for (const body of [{ ...work, work_title: '' }, [], { ...work, colour: 'red' }]) {
    t.is((await put(doi, body)).status, 422, JSON.stringify(body))
  }
  t.is((await find(doi)).status, 404)
})

test('conditions: only a new one, and only one that is as it was read', async (t) => {
  const doi = newDoi()
  const isNew = { ...press, 'if-none-match': '*' }
  t.is((await put(doi, work, { ...press, 'if-match': '*' })).status, 412)
  const made = await put(doi, work, isNew)
  t.is(made.status, 201)
  const again = await put(doi, { ...work, description: 'Later.' }, isNew)
  t.is(again.status, 412)
  t.is(again.json().existing_ark, made.json().ark_identifier)
  const etag = String(made.headers['etag'])
  const first = await put(doi, { ...work, description: 'A.' }, { ...press, 'if-match': etag })
  t.is(first.status, 200, first.body)
  const stale = await put(doi, { ...work, description: 'B.' }, { ...press, 'if-match': etag })
  t.is(stale.json().error, 'precondition_failed')
  t.is((await put(doi, work, { ...press, 'if-none-match': etag })).json().error, 'bad_request')
})

test('attack: a work of another registrant is never replaced by its DOI', async (t) => {
  const doi = newDoi()
  const { ark_identifier: ark } = (await put(doi, work)).json()
  const attack = { ...work, work_title: 'Taken over' }
  const refused = await put(doi, attack, rival)
  t.is(refused.status, 409)
  t.like(refused.json(), { error: 'duplicate_work', existing_ark: ark })
  for (const query of ['?allow_duplicate=true', '?allow_duplicate=false']) {
    for (const headers of [{}, { 'if-match': '*' }, { 'if-match': '"1"' }]) {
      await put(`${doi}${query}`, attack, { ...rival, ...headers })
    }
  }
  const stands = (await registry.call('GET', `/v1/works/${ark}`, press)).json()
  t.like(stands, { work_title: work.work_title, version: 1 })
  t.is((await arksOf(doi)).length, 2)
  // Each goes on with their own.
  t.is((await put(doi, { ...work, volume: '9' })).json().ark_identifier, ark)
})

test('attack: works that others give a DOI do not keep its registrant from it', async (t) => {
  const doi = newDoi()
  const { ark_identifier: ark } = (await put(doi, work)).json()
  const works = Array.from({ length: 300 }, (_, index) => {
    return { ...work, work_title: `Squatter ${index}`, existing_doi: doi }
  })
  const bulk = await registry.call('POST', '/v1/works/bulk', rival, { works })
  t.true(bulk.json().results.every(({ status }: { status: number }) => status === 201))
  t.like((await put(doi, { ...work, volume: '3' })).json(), { ark_identifier: ark, version: 2 })
  t.is((await arksOf(doi)).length, 100)
})

test('several works of a registrant with one DOI are named, and none is changed', async (t) => {
  const doi = newDoi()
  const arks: string[] = []
  for (const work_title of ['Volume one', 'Volume two']) {
    const body = { ...work, work_title, existing_doi: doi }
    arks.push((await registry.call('POST', '/v1/works', press, body)).json().ark_identifier)
  }
  const refused = await put(doi, { ...work, work_title: 'Volume three' })
  t.is(refused.status, 409)
  t.is(refused.json().error, 'several_works')
  t.deepEqual(refused.json().works.toSorted(), arks.toSorted())
  t.deepEqual((await arksOf(doi)).toSorted(), arks.toSorted())
})

test('a withdrawn work is told of, and another one registered only when asked', async (t) => {
  const doi = newDoi()
  const { ark_identifier: ark } = (await put(doi, work)).json()
  await registry.call('POST', `/v1/works/${ark}/withdraw`, press, { reason: 'test' })
  const refused = await put(doi, work)
  t.is(refused.status, 410)
  t.is(refused.json().existing_ark, ark)
  t.like((await find(doi)).json().works[0], { ark_identifier: ark, status: 'withdrawn' })
  const again = await put(`${doi}?allow_duplicate=true`, work)
  t.is(again.status, 201)
  t.deepEqual(await arksOf(doi), [again.json().ark_identifier, ark])
})

test('a hundred requests at once register one work', async (t) => {
  const doi = newDoi()
  const bodies = Array.from({ length: 100 }, (_, index) => ({ ...work, work_title: `T ${index}` }))
  const replies = await Promise.all(bodies.map((body) => put(doi, body)))
  t.is(replies.filter(({ status }) => status === 201).length, 1)
  t.is(replies.filter(({ status }) => status === 200).length, 99)
  t.is((await arksOf(doi)).length, 1)
})

test('the rights of the credential hold: to read, to mint, to update', async (t) => {
  const doi = newDoi()
  const owner = { type: 'organization', id: 'press', name: 'The press' } as const
  const reader = await registry.keyOf(owner, ['works:read'])
  t.is((await put(doi, work, reader)).status, 403)
  t.is((await put(doi, work, {})).status, 401)
  const person = await registry.person('Ada Ox')
  const minting = await registry.keyOf(asPerson(person), ['mint'])
  t.is((await put(doi, work, minting)).status, 201)
  const change = await put(doi, { ...work, volume: '4' }, minting)
  t.is(change.status, 403, change.body)
  t.is((await registry.call('GET', `/api/v1/works/by-doi/${doi}`, {})).status, 200)
})
