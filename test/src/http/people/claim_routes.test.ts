import test from 'ava'

import { operator } from '#src/identity/store/owner_text.ts'
import { asPerson, openPeopleRegistry, publisher } from '#test/src/_people.ts'
import { goodWork } from '#test/src/_registry.ts'
import { baseUrl } from '#test/src/_served_registry.ts'
import { shared } from '#test/src/_shared_registry.ts'

const registry = shared(() => openPeopleRegistry())

const scopes = ['works:write', 'people:read', 'people:write']

async function registerWork(headers: Record<string, string>): Promise<string> {
  const answer = await registry.call(
    'POST',
    '/api/v1/works?allow_duplicate=true',
    headers,
    goodWork,
  )
  if (answer.status !== 201) throw new Error(answer.body)
  return answer.json().ark_identifier
}

test('a researcher claims a work, and who registered it confirms', async (t) => {
  const person = await registry.person('Ada Ox')
  const press = await registry.keyOf(publisher, scopes)
  const own = await registry.keyOf(asPerson(person), scopes)
  const ark = await registerWork(press)
  const wish = { ark_identifier: ark, author_position: 1, message: 'It is me.' }
  const url = `/v1/people/${person.ppid}/claim`
  const made = await registry.call('POST', url, own, wish)
  t.is(made.status, 201, made.body)
  const { claim_id, created_at, updated_at, ...claim } = made.json()
  t.regex(claim_id, /^claim_/)
  t.is(created_at, updated_at)
  t.deepEqual(claim, {
    ark_identifier: ark,
    ppid: person.ppid,
    status: 'pending',
    waits_for: 'registrant',
    author_position: 1,
    message: 'It is me.',
    source: { type: 'person', id: person.ppid, name: 'Ada Ox', via: 'api_key' },
  })
  t.is((await registry.call('POST', `/api/v1/user/claims`, own, wish)).status, 200)

  const profile = `/api/v1/people/${person.ppid}`
  const before = (await registry.call('GET', profile)).json()
  t.is(before.claims[0].status, 'pending')
  t.false('message' in before.claims[0], 'a message is for who is asked')
  t.is(before.works_count, 0)

  const waiting = (await registry.call('GET', '/v1/claims', press)).json()
  t.true(waiting.claims.some((each: { message: string }) => each.message === 'It is me.'))
  const confirmed = await registry.call('PUT', `/v1/claims/${claim_id}`, press, { step: 'confirm' })
  t.is(confirmed.status, 200, confirmed.body)
  t.like(confirmed.json(), { status: 'verified', basis: 'registrant' })
  t.is((await registry.call('GET', profile)).json().works_count, 1)
  const works = (
    await registry.call('GET', '/api/v1/user/works', {
      ...(await registry.keyOf(asPerson(person), ['works:read'])),
    })
  ).json()
  t.like(works.works[0], { ark_identifier: ark, work_title: goodWork.work_title })
  t.is(works.works[0].claim.claim_id, claim_id)
})

test('a reviewer sees whom a claim is about, and says why it is right all the same', async (t) => {
  const person = await registry.person('Mallory Mole')
  const press = await registry.keyOf(publisher, scopes)
  const own = await registry.keyOf(asPerson(person), scopes)
  const ark_identifier = await registerWork(press)
  const wish = { ark_identifier, author_position: 2, message: 'Trust me.' }
  const { claim_id } = (await registry.call('POST', '/api/v1/user/claims', own, wish)).json()
  const { claims } = (await registry.call('GET', '/v1/claims?limit=200', press)).json()
  const waiting = claims.find((each: { claim_id: string }) => each.claim_id === claim_id)
  const message = 'The author at this place is “Pen, Bo”, and the person is “Mallory Mole”'
  const mismatches = [{ code: 'name_differs', message }]
  t.deepEqual(waiting.review, {
    work_title: goodWork.work_title,
    authors: ['Ox, Ada', 'Pen, Bo'],
    authors_count: 2,
    author_position: 2,
    author: { name: 'Pen, Bo' },
    claimant: { name: 'Mallory Mole' },
    mismatches,
  })
  t.like(waiting, { message: 'Trust me.', links: { profile: `${baseUrl}/people/${person.ppid}` } })
  const at = `/v1/claims/${claim_id}`
  const refused = await registry.call('PUT', at, press, { step: 'confirm' })
  t.is(refused.status, 409)
  t.like(refused.json(), { error: 'conflict', mismatches })
  for (const confirm_mismatch of [true, '', ' ']) {
    const answer = await registry.call('PUT', at, press, { step: 'confirm', confirm_mismatch })
    t.is(answer.status, 422, JSON.stringify(confirm_mismatch))
  }
  const wordy = await registry.call('PUT', at, press, { step: 'reject', confirm_mismatch: 'x' })
  t.is(wordy.status, 422, 'only what is confirmed has such words')
  const words = { step: 'confirm', confirm_mismatch: 'Mallory Mole is a pen name of Bo Pen.' }
  const confirmed = await registry.call('PUT', at, press, words)
  t.like(confirmed.json(), { status: 'verified', basis: 'registrant' })
  t.false(JSON.stringify(confirmed.json()).includes('pen name'))
})

test('what an administrator decides is shown as theirs', async (t) => {
  const person = await registry.person('Bo Pen')
  const own = await registry.keyOf(asPerson(person), scopes)
  const ark_identifier = await registerWork(await registry.keyOf(publisher, scopes))
  const wish = { ark_identifier, author_position: 2 }
  const { claim_id } = (await registry.call('POST', '/api/v1/user/claims', own, wish)).json()
  const { claims } = registry.environments.live
  const { ppid } = person
  const [, ark = ''] = /^ark:\/?(.*)$/.exec(ark_identifier) ?? []
  const by = { ...operator, via: 'cli', admin: true } as const
  t.is((await claims.change({ ppid, ark, step: 'confirm', by })).type, 'changed')
  const listed = (await registry.call('GET', '/api/v1/user/claims', own)).json().claims
  t.like(
    listed.find((each: { claim_id: string }) => each.claim_id === claim_id),
    { status: 'verified', basis: 'admin' },
  )
  const resolved = (await registry.call('GET', `/api/v1/resolve/${ark_identifier}`)).json()
  const confirmed_by = ['admin', 'person']
  const shown = { ppid, status: 'verified', basis: 'admin', confirmed_by }
  t.deepEqual(resolved.authors[1].claims, [shown])
  const page = (await registry.call('GET', `/${ark_identifier}`, { accept: 'text/html' })).body
  t.true(page.includes('confirmed by an administrator'))
  t.false(page.includes('the publisher and the person'))
})

test('a publisher attaches a work of its own, and the researcher decides', async (t) => {
  const person = await registry.person('Ada Attached')
  const press = await registry.keyOf(publisher, scopes)
  const own = await registry.keyOf(asPerson(person), scopes)
  const ark_identifier = await registerWork(press)
  const url = `/api/v1/user/${person.ppid}/claim`
  const made = await registry.call('POST', url, press, { ark_identifier, author_position: 1 })
  t.is(made.status, 201, made.body)
  t.like(made.json(), { status: 'pending', waits_for: 'researcher' })
  const profile = `/api/v1/people/${person.ppid}`
  t.deepEqual((await registry.call('GET', profile)).json().claims, [], 'not before they agree')
  const claim = `/api/v1/user/claims/${made.json().claim_id}`
  const refused = await registry.call('PUT', claim, press, { step: 'confirm' })
  t.is(refused.status, 403, refused.body)
  const disclaimed = await registry.call('PUT', claim, own, { step: 'disclaim' })
  t.like(disclaimed.json(), { blocked: true })
  const again = await registry.call('POST', url, press, { ark_identifier, author_position: 1 })
  t.is(again.status, 409)
  t.is(again.json().message, 'The person has said that this work is not theirs')
})

test('a claim that cannot be made says why', async (t) => {
  const person = await registry.person('Ada Refused')
  const own = await registry.keyOf(asPerson(person), scopes)
  const url = '/api/v1/user/claims'
  const faulty = await registry.call('POST', url, own, { ark: 1, author_position: 0 })
  t.is(faulty.status, 422)
  t.deepEqual(
    faulty
      .json()
      .details.map(({ field }: { field: string }) => field)
      .toSorted(),
    ['ark', 'ark_identifier', 'author_position'],
  )
  const unknown = await registry.call('POST', url, own, { ark_identifier: 'ark:/12345/k2nothing' })
  t.is(unknown.status, 404)
  const press = await registry.keyOf(publisher, scopes)
  const ark_identifier = await registerWork(press)
  const stranger = await registry.keyOf({ type: 'organization', id: 'other', name: 'O' }, scopes)
  const claim = `/v1/people/${person.ppid}/claim`
  t.is((await registry.call('POST', claim, stranger, { ark_identifier })).status, 403)
  const placeless = await registry.call('POST', url, own, { ark_identifier })
  t.is(placeless.status, 422)
  t.like(placeless.json().details[0], { field: 'author_position', code: 'required' })
  const placed = { ark_identifier, author_position: 2 }
  const { claim_id } = (await registry.call('POST', url, own, placed)).json()
  const step = await registry.call('PUT', `/v1/claims/${claim_id}`, own, { step: 'jump' })
  t.is(step.status, 422)
  t.is(
    step.json().details[0].message,
    'step must be one of confirm, reject, contest, withdraw, disclaim',
  )
  t.is((await registry.call('PUT', '/v1/claims/claim_none', own, { step: 'reject' })).status, 404)
  const removed = await registry.call('DELETE', `${url}/${claim_id}`, own)
  t.like(removed.json(), { status: 'withdrawn' })
})

test('a work registered for a person counts as theirs, and is the publisher’s', async (t) => {
  const person = await registry.person('Ada Author')
  const all = ['svc:works:write', 'svc:works:read', 'svc:author:read', 'svc:receipts:read']
  const token = await registry.permit(person, all)
  const ark = await registerWork(token)
  const claims = (await registry.call('GET', '/api/v1/user/claims', token)).json().claims
  t.like(claims[0], { ark_identifier: ark, status: 'verified', basis: 'registrant' })
  t.like(claims[0].source, { type: 'organization', id: 'press', via: 'oauth' })
  const receipts = (await registry.call('GET', '/api/v1/user/receipts', token)).json().receipts
  t.like(receipts[0], { ark_identifier: ark, version: 1 })
  // The organization owns it: another key of it may change it, and one of the person may not.
  const press = await registry.keyOf(publisher, ['works:write'])
  t.is((await registry.call('PUT', `/v1/works/${ark}`, press, { language: 'en' })).status, 200)
  const own = await registry.keyOf(asPerson(person), ['update'])
  const refused = await registry.call('PUT', `/api/v1/works/${ark}`, own, { language: 'fr' })
  t.is(refused.json().message, 'This work belongs to another registrant')
})

test('a work that a researcher’s key registers is theirs, and counts as theirs', async (t) => {
  const person = await registry.person('Ada Minter')
  const ark = await registerWork(await registry.keyOf(asPerson(person), ['mint']))
  const profile = (await registry.call('GET', `/api/v1/people/${person.ppid}`)).json()
  t.like(profile, { works_count: 1, claims: [{ ark_identifier: ark, status: 'verified' }] })
  const update = await registry.keyOf(asPerson(person), ['update'])
  const changed = await registry.call('PUT', `/api/v1/works/${ark}`, update, { language: 'en' })
  t.is(changed.status, 200, changed.body)
})
