import test from 'ava'

import {
  asPerson,
  openPeopleRegistry,
  password,
  publisher,
  type TestPerson,
} from '#test/src/_people.ts'
import { goodWork } from '#test/src/_registry.ts'
import { shared } from '#test/src/_shared_registry.ts'

const registry = shared(() => openPeopleRegistry())

const writing = ['svc:affiliations:write', 'svc:works:write']

/** The path of a link or form of a page whose last part is given. */
function pathIn(body: string, pattern: RegExp): string {
  const [, path] = pattern.exec(body) ?? []
  if (path === undefined) throw new Error(`${pattern} is not in ${body}`)
  return path
}

async function publicProfile({ ppid }: TestPerson) {
  return (await registry.call('GET', `/api/v1/people/${ppid}`)).json()
}

/** Where every work is another one, whatever was registered before. */
const anotherWork = '/api/v1/works?allow_duplicate=true'

test('a person says who they are, and who sees it', async (t) => {
  const person = await registry.person('Ada Profile')
  const { browser } = person
  const first = await browser.get('/auth/account')
  t.is(first.status, 200)
  t.is(first.headers['content-security-policy']?.includes("default-src 'none'"), true)
  t.true(first.body.includes(person.ppid))
  const saved = await browser.postThen('/auth/account', {
    name: 'Ada <b>Lovelace</b>',
    username: 'Ada-Profile',
    bio: 'Writes programs.',
    urls: 'Laboratory https://ada.example/\nhttps://engine.example/',
  })
  t.true(saved.body.includes('Your profile is saved.'))
  t.true(saved.body.includes('Ada &#60;b&#62;Lovelace') || saved.body.includes('Ada &lt;b&gt;'))
  t.like(await publicProfile(person), {
    name: 'Ada <b>Lovelace</b>',
    username: 'ada-profile',
    bio: 'Writes programs.',
    urls: [{ name: 'Laboratory', url: 'https://ada.example/' }, { url: 'https://engine.example/' }],
  })
  const wrong = await browser.post('/auth/account', { name: '', username: '-', urls: 'nowhere' })
  t.is(wrong.status, 422)
  t.true(wrong.body.includes('Each line of the links needs an address'))
  t.true(wrong.body.includes('value="-"'), 'what was typed is still there')
  await browser.postThen('/auth/account/visibility', {
    bio_seen_by: 'private',
    name_seen_by: 'trusted',
  })
  t.false('bio' in (await publicProfile(person)))
  const orcid = await browser.post('/auth/account/orcid', { orcid: '0000-0000' })
  t.is(orcid.status, 422)
  await browser.postThen('/auth/account/orcid', { orcid: '0000-0002-1825-0097' })
  t.like(await publicProfile(person), { orcid: '0000-0002-1825-0097', orcid_authenticated: false })
})

test('a person adds, changes and deletes an affiliation', async (t) => {
  const person = await registry.person('Ada Items')
  const { browser } = person
  const form = await browser.get('/auth/account/affiliations/new')
  t.is(form.status, 200)
  const wrong = await browser.post('/auth/account/affiliations/new', { start_year: 'soon' })
  t.is(wrong.status, 422)
  t.regex(wrong.body, /Please fix 2 fields/)
  const fields = { organization: 'Brown University', role: 'Professor', visibility: 'public' }
  const profile = await browser.postThen('/auth/account/affiliations/new', fields)
  t.true(profile.body.includes('Professor, Brown University'))
  const path = pathIn(profile.body, /href="(\/auth\/account\/affiliations\/affiliation-\d+)"/)
  await browser.get(path)
  await browser.postThen(path, { ...fields, role: '', department: 'Mathematics' })
  const [affiliation] = (await publicProfile(person)).affiliations
  t.is(affiliation.department, 'Mathematics')
  t.false('role' in affiliation)
  const asked = await browser.get(`${path}/delete`)
  t.true(asked.body.includes('Delete this entry?'))
  await browser.postThen(`${path}/delete`)
  t.deepEqual((await publicProfile(person)).affiliations, [])
  t.is((await browser.get(path)).status, 404)
})

test('a person hides and contests what a publisher wrote, and cannot change it', async (t) => {
  const person = await registry.person('Ada Contests')
  const { browser } = person
  const token = await registry.permit(person, writing)
  const wish = { degree: 'PhD', institution: 'London' }
  const { id } = (await registry.call('POST', '/api/v1/user/education', token, wish)).json()
  const path = `/auth/account/education/${id}`
  const page = await browser.get(path)
  t.true(page.body.includes('A Press, through Press Desk'))
  t.false(page.body.includes('<h2>Edit</h2>'))
  t.is((await browser.post(path, { institution: 'Paris' })).status, 403)
  await browser.postThen(`${path}/mark`, { status: 'hidden' })
  t.deepEqual((await publicProfile(person)).education, [])
  await browser.get(path)
  await browser.postThen(`${path}/mark`, { status: 'contested', reason: 'Never.' })
  t.is((await publicProfile(person)).education[0].status, 'contested')
  t.true((await browser.get(path)).body.includes('Never.'))
  await browser.postThen(`${path}/mark`, { visibility: 'private' })
  t.deepEqual((await publicProfile(person)).education, [])
})

test('a person sees who wrote what, and undoes it in one step', async (t) => {
  const person = await registry.person('Ada Undoes')
  const { browser } = person
  const empty = await browser.get('/auth/account/writes')
  t.true(empty.body.includes('No changes yet'))
  const token = await registry.permit(person, writing)
  await registry.call('POST', '/api/v1/user/affiliations', token, { organization: 'Brown' })
  await registry.call('POST', anotherWork, token, goodWork)
  const { body } = await browser.get('/auth/account/writes')
  t.true(body.includes('An affiliation was added'))
  t.true(body.includes('A work was registered for you'))
  t.true(body.includes('Brown'))
  const undoes = [...body.matchAll(/action="(\/auth\/account\/writes\/\d+\/undo)"/g)]
  t.is(undoes.length, 2)
  for (const [, path = ''] of undoes) {
    const done = await browser.postThen(path)
    t.true(done.body.includes('The change is undone'), done.body)
  }
  const after = await browser.get('/auth/account/writes')
  t.false(after.body.includes('/undo"'))
  t.is(after.body.split('undone</span>').length, 3, 'the history stays')
  const profile = await publicProfile(person)
  t.deepEqual([profile.affiliations, profile.works_count], [[], 0])
})

test('what the registrant of their work makes of it a person sees, and cannot undo', async (t) => {
  const person = await registry.person('Ada Follows')
  const token = await registry.permit(person, writing)
  const work = { ...goodWork, work_title: 'Followed' }
  const { ark_identifier: ark } = (await registry.call('POST', '/api/v1/works', token, work)).json()
  const press = await registry.keyOf(publisher, ['works:write'])
  await registry.call('PUT', `/api/v1/works/${ark}`, press, { volume: 'Forty' })
  await registry.call('DELETE', `/api/v1/works/${ark}`, press, { reason: 'other' })
  const { body } = await person.browser.get('/auth/account/writes')
  t.true(body.includes('A work of yours was changed'))
  t.true(body.includes(`${ark}</bdi></a>, version 2`))
  t.true(body.includes('Forty'))
  t.true(body.includes('A work of yours was withdrawn'))
  t.is(body.split('/undo"').length, 2, 'the registration alone is theirs to undo')
})

test('a person takes a permission back, and the next request is refused', async (t) => {
  const person = await registry.person('Ada Revokes')
  const { browser } = person
  t.true((await browser.get('/auth/account/applications')).body.includes('No application'))
  const token = await registry.permit(person, writing)
  const added = { organization: 'Brown' }
  t.is((await registry.call('POST', '/api/v1/user/affiliations', token, added)).status, 201)
  const { body } = await browser.get('/auth/account/applications')
  t.true(body.includes('Press Desk'))
  t.true(body.includes('not verified'))
  t.true(body.includes('Add affiliations and education'))
  t.false(body.includes('Last used</dt><dd>never'))
  const revoke = pathIn(body, /action="(\/auth\/account\/applications\/[^"]+\/revoke)"/)
  const other = await registry.person('Ada Elsewhere')
  await other.browser.get('/auth/account')
  t.is((await other.browser.post(revoke)).status, 404, 'not for somebody else')
  await browser.postThen(revoke)
  t.is((await registry.call('POST', '/api/v1/user/affiliations', token, added)).status, 401)
})

test('a key is shown once, replaced and revoked', async (t) => {
  const person = await registry.person('Ada Keys')
  const { browser } = person
  t.true((await browser.get('/auth/account/keys')).body.includes('No keys yet'))
  const wrong = await browser.post('/auth/account/keys', { days: '0', ip_allow: 'home' })
  t.is(wrong.status, 422)
  t.true(wrong.body.includes('Select at least one permission.'))
  t.true(wrong.body.includes('A key is valid for 1 to 366 days.'))
  const mixed = await browser.post('/auth/account/keys', { mint: 'on', 'people:write': 'on' })
  t.true(mixed.body.includes('cannot change your profile as well'))
  const wish = { label: 'Script', mint: 'on', update: 'on', days: '30' }
  const sent = await browser.post('/auth/account/keys', wish)
  t.is(sent.status, 303)
  const made = await browser.get(String(sent.headers.location))
  const key = pathIn(made.body, /(svc-[0-9A-Za-z]{48})/)
  t.is(made.headers['cache-control'], 'no-store')
  const headers = { authorization: `Bearer ${key}` }
  t.is((await registry.call('POST', '/api/v1/works', headers, goodWork)).status, 201)
  t.true(made.body.includes(`authorization: Bearer ${key}`), 'a command to try it with')
  const again = await browser.get(String(sent.headers.location))
  t.false(again.body.includes(key), 'loading the page again shows no key')
  const list = await browser.get('/auth/account/keys')
  t.is(list.body.match(/Script/g)?.length, 1, 'and makes none')
  t.false(list.body.includes(key))
  t.true(list.body.includes('Script'))
  const rotate = pathIn(list.body, /action="(\/auth\/account\/keys\/[^"]+\/rotate)"/)
  const rotated = await browser.postThen(rotate)
  t.true(rotated.body.includes('The old key works until'))
  const revoke = rotate.replace('/rotate', '/revoke')
  t.true((await browser.get(revoke)).body.includes('Revoke this key?'))
  await browser.postThen(revoke)
  t.is((await registry.call('POST', '/api/v1/works', headers, goodWork)).status, 401)
  const stranger = await registry.person('Ada Stranger')
  t.is((await stranger.browser.get(revoke)).status, 404)
})

test('a password is changed by who knows it, and other browsers are signed out', async (t) => {
  const { browser } = await registry.person('Ada Secure')
  const page = await browser.get('/auth/account/security')
  t.true(page.body.includes('this browser'))
  const elsewhere = registry.browser()
  const entered = await elsewhere.signIn('ada.secure@people.example', password)
  t.is(entered.status, 200)
  t.true(page.body.includes('This registry sends no mail'))
  const next = 'another sentence to remember well'
  const change = (current_password: string) =>
    browser.post('/auth/account/security/password', { current_password, new_password: next })
  const wrong = await change('not my password')
  t.is(wrong.status, 422)
  t.true(wrong.body.includes('This is not your current password.'))
  const changed = await change(password)
  t.is(changed.headers.location, '/auth/account/security?done=password')
  t.is((await elsewhere.get('/auth/account')).status, 303)
  const held = await browser.get('/auth/account/export')
  t.is(JSON.parse(held.body).account.email, 'ada.secure@people.example')
  t.is((await browser.get('/auth/account/audit')).status, 200)
})

test('a claim is made, answered and disclaimed on pages', async (t) => {
  const person = await registry.person('Ada Claims')
  const { browser } = person
  const press = await registry.keyOf(publisher, ['works:write', 'people:write'])
  const register = async () =>
    (await registry.call('POST', anotherWork, press, goodWork)).json().ark_identifier as string
  const path = '/auth/account/works'
  t.true((await browser.get(path)).body.includes('No works yet'))
  const wrong = await browser.post(path, { ark_identifier: 'ark:/12345/k2none' })
  t.is(wrong.status, 422)
  t.true(wrong.body.includes('There is no work with this ARK.'))
  const placeless = await browser.post(path, { ark_identifier: await register() })
  t.is(placeless.status, 422)
  t.true(placeless.body.includes('Choose which author you are.'))
  const asked = await browser.get(`${path}/claim?ark=${await register()}`)
  t.regex(asked.body, /Is this your work\?[\s\S]*No author has your name/)
  const wish = { ark_identifier: await register(), author_position: '1' }
  const mine = await browser.postThen(path, wish)
  t.true(mine.body.includes('waiting for the publisher'))

  const ark_identifier = await register()
  await registry.call('POST', `/v1/people/${person.ppid}/claim`, press, {
    ark_identifier,
    author_position: 1,
  })
  const list = await browser.get(path)
  t.true(list.body.includes('waiting for you'))
  const claim = pathIn(list.body, /href="(\/auth\/account\/works\/claim_[^"]+)">Answer/)
  await browser.get(claim)
  const agreed = await browser.postThen(claim, { step: 'confirm' })
  t.true(agreed.body.includes('counts as mine'))
  t.is((await publicProfile(person)).works_count, 1)
  const page = await registry.call('GET', `/people/${person.ppid}`)
  t.is(page.status, 200)
  t.true(page.body.includes(goodWork.work_title))
  t.true((await browser.get(`${claim}/disclaim`)).body.includes('Not your work?'))
  const gone = await browser.postThen(claim, { step: 'disclaim' })
  t.true(gone.body.includes('not mine'))
  t.is((await publicProfile(person)).works_count, 0)
})

test('an account is deleted by who knows its password, and nothing of it is shown', async (t) => {
  const person = await registry.person('Ada Deletes')
  const { browser } = person
  const key = await registry.keyOf(asPerson(person), ['people:read'])
  await browser.get('/auth/account/delete')
  const wrong = await browser.post('/auth/account/delete', { password: 'not my password' })
  t.is(wrong.status, 422)
  const done = await browser.postThen('/auth/account/delete', { password })
  t.true(done.body.includes('Your account is deleted'))
  t.is((await browser.get('/auth/account')).status, 303)
  const page = await registry.call('GET', `/people/${person.ppid}`)
  t.is(page.status, 410)
  t.false(page.body.includes('Ada Deletes'))
  t.is((await registry.call('GET', '/api/v1/user', key)).status, 401)
})

test('the page of a person shows readers what is public', async (t) => {
  const person = await registry.person('Ada Readers')
  const body = { bio: 'Quiet.', visibility: { bio: 'private', name: 'public' } }
  const by = { ...asPerson(person), via: 'ui' } as const
  await registry.environments.live.people.update({ ppid: person.ppid, by, body })
  const page = await registry.call('GET', `/people/${person.ppid}`)
  t.is(page.status, 200)
  t.regex(String(page.headers['content-type']), /^text\/html/)
  t.true(page.body.includes('<h1>Ada Readers</h1>'))
  t.false(page.body.includes('Quiet.'))
  const nobody = await registry.call('GET', '/people/p00000000000', { accept: 'text/html' })
  t.is(nobody.status, 404)
  t.true(nobody.body.includes('<h1>'))
})

test('who has registered a work is asked on a page whether another is its author', async (t) => {
  const registrant = await registry.person('Ada Registers')
  const author = await registry.person('Bo Pen')
  const mint = await registry.keyOf(asPerson(registrant), ['mint'])
  const wishes = [goodWork, { ...goodWork, work_title: 'Another' }]
  for (const work of wishes) {
    const { ark_identifier } = (await registry.call('POST', '/v1/works', mint, work)).json()
    await author.browser.get('/auth/account/works')
    await author.browser.postThen('/auth/account/works', {
      ark_identifier,
      author_position: '2',
      message: 'It is me.',
    })
  }
  const { browser } = registrant
  const asked = await browser.get('/auth/account/works')
  t.true(asked.body.includes('You are asked'))
  t.true(asked.body.includes('Bo Pen'))
  const links = asked.body.matchAll(/href="(\/auth\/account\/works\/asked\/claim_\w+)"/g)
  const [first = '', second = ''] = [...links].map(([, path]) => path)
  t.is((await author.browser.get(first)).status, 404)
  t.is((await author.browser.post(first, { step: 'confirm' })).status, 404)
  t.true((await browser.get(first)).body.includes('It is me.'))
  const yes = await browser.postThen(first, { step: 'confirm' })
  t.true(yes.body.includes('counts as an author'))
  await browser.get(`${second}/refuse`)
  const no = await browser.postThen(second, { step: 'reject' })
  t.false(no.body.includes('You are asked'))
  t.is((await publicProfile(author)).works_count, 1)
})
