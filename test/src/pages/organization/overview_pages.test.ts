import test from 'ava'

import { operator } from '#src/identity/store/owner_text.ts'
import { readChanges } from '#test/actors/_organization_changes.ts'
import { admin, openPress, signUp, signUpMember } from '#test/src/pages/_members.ts'

const base = '/auth/organizations/press'

const work = {
  work_title: 'Notes <script>alert(1)</script>',
  work_type: 'article',
  authors: 'Ada Lovelace (0000-0002-1825-0097)\nInstitute, Inc.',
  work_url: 'https://press.example/notes',
}

test('members do what their roles allow, and others are told why not', async (t) => {
  const registry = await openPress(t)
  const stranger = await signUp(t, registry, 'stranger')
  const viewer = await signUpMember(t, registry, 'viewer')
  const editor = await signUpMember(t, registry, 'editor')
  const owner = await signUpMember(t, registry, 'owner')
  const pages: readonly (readonly [path: string, statuses: readonly number[]])[] = [
    ['', [403, 200, 200, 200]],
    ['/works', [403, 200, 200, 200]],
    ['/content', [403, 200, 200, 200]],
    ['/claims', [403, 200, 200, 200]],
    ['/keys', [403, 200, 200, 200]],
    ['/applications', [403, 200, 200, 200]],
    ['/members', [403, 200, 200, 200]],
    ['/edit', [403, 403, 200, 200]],
    ['/works/new', [403, 403, 200, 200]],
    ['/import', [403, 403, 200, 200]],
    ['/history', [403, 403, 403, 200]],
  ]
  for (const [path, statuses] of pages) {
    const found = []
    for (const { browser } of [stranger, viewer, editor, owner]) {
      found.push((await browser.get(base + path)).status)
    }
    t.deepEqual(found, statuses, path)
  }
  const forms: readonly (readonly [path: string, fields: Record<string, string>])[] = [
    ['/works/register', work],
    ['/import/register', { citations: '@misc{a,}' }],
    ['/edit', { name: 'Taken over' }],
    ['/content/recheck', { ark: 'ark:/12345/k2' }],
    ['/claims/any', { step: 'confirm' }],
    ['/keys', { 'works:read': 'on' }],
    ['/members', { person: viewer.ppid, role: 'owner' }],
    ['/members/role', { ppid: viewer.ppid, role: 'owner' }],
    ['/members/remove', { ppid: owner.ppid }],
    ['/applications', { name: 'X', redirect_uris: 'https://x.example/' }],
  ]
  for (const [path, fields] of forms) {
    const refused = await viewer.browser.submit(base, fields, base + path)
    t.is(refused.status, 403, path)
    t.regex(refused.body, /can do this, and you are its viewer/, path)
  }
  const { organizations } = registry.environments.live
  t.is(organizations.read('press')?.name, 'A Press')
  t.deepEqual(
    organizations.members('press')?.map(({ role }) => role),
    ['viewer', 'editor', 'owner'],
  )
  const editorsKey = await editor.browser.submit(base, { 'works:read': 'on' }, `${base}/keys`)
  t.is(editorsKey.status, 403)
  t.regex(editorsKey.body, /Owners of A Press can do this, and you are its editor/)
  const unknown = await owner.browser.get('/auth/organizations/nobody')
  t.is(unknown.status, 404)
})

test('a form from elsewhere changes nothing', async (t) => {
  const registry = await openPress(t)
  const { browser } = await signUpMember(t, registry, 'owner')
  const forged = await browser.post(`${base}/edit`, { name: 'Taken over', csrf: 'guessed' })
  t.is(forged.status, 403)
  const page = (await browser.get(`${base}/edit`)).body
  const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const sent = await browser.post(`${base}/edit`, { name: 'Taken over', csrf }, foreign)
  t.is(sent.status, 403)
  t.is(registry.environments.live.organizations.read('press')?.name, 'A Press')
})

test('an editor describes the organization, in both environments', async (t) => {
  const registry = await openPress(t)
  const { browser, ppid } = await signUpMember(t, registry, 'editor')
  const wrong = await browser.submit(`${base}/edit`, { name: '', url: 'javascript:alert(1)' })
  t.is(wrong.status, 422)
  t.regex(wrong.body, /[Uu]rl must be an http or https address/)
  t.notRegex(wrong.body, /href="javascript:/)
  const described = { name: 'The <b>Press', url: 'https://press.example/', aliases: 'P\nPress' }
  const saved = await browser.submit(`${base}/edit`, described)
  t.is(saved.headers.location, `${base}?done=saved`)
  for (const { organizations } of Object.values(registry.environments)) {
    t.like(organizations.read('press'), { name: 'The <b>Press', aliases: ['P', 'Press'] })
  }
  const [change] = await readChanges(registry.environments.live, 'press', { limit: 1 })
  t.deepEqual(change?.by, { type: 'person', id: ppid, name: ppid, via: 'ui' })
  const overview = await browser.get(base)
  t.true(overview.body.includes('The &#60;b&#62;Press') || overview.body.includes('&lt;b&gt;'))
  t.notRegex(overview.body, /The <b>Press/)
})

test('a work is looked at, registered once, and shown', async (t) => {
  const registry = await openPress(t)
  const { browser, ppid } = await signUpMember(t, registry, 'editor')
  const wrong = await browser.submit(`${base}/works/new`, { ...work, work_url: 'javascript:x' })
  t.is(wrong.status, 422)
  t.regex(wrong.body, /Address of the work must be an http or https address/)
  t.regex(wrong.body, /value="javascript:x"/, 'what was typed is kept')
  t.notRegex(wrong.body, /<script>|href="javascript:/)
  const empty = await browser.submit(`${base}/works/new`, { work_title: ' ' })
  t.regex(empty.body, /This field is required: Title/)
  t.regex(empty.body, /Enter the address of the work, or its DOI/)

  const preview = await browser.submit(`${base}/works/new`, work)
  t.is(preview.status, 200)
  t.regex(preview.body, /ark:\/12345\/k2…/)
  t.notRegex(preview.body, /<script>/)
  const hidden = [...preview.body.matchAll(/name="(csrf|once)" value="([^"]*)"/g)]
  const carried = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]))
  const register = () => browser.post(`${base}/works/register`, { ...work, ...carried })
  const registered = await register()
  t.is(registered.status, 200)
  t.regex(registered.body, /rcpt_\d{4}_/)
  const ark = /ark:\/12345\/k2\w+/.exec(registered.body)?.[0] ?? ''
  t.true((await register()).body.includes(ark), 'sent again it is the same work')

  const { live } = registry.environments
  t.is(live.holdings.counts({ type: 'organization', id: 'press' }).works_count, 1)
  const state = live.catalogue.state(ark.replace('ark:/', ''))
  t.like(state, { owner: { type: 'organization', id: 'press', name: 'A Press' } })
  const stored = await live.catalogue.work(ark.replace('ark:/', ''))
  const body = stored.type === 'found' ? Buffer.from(stored.body).toString('utf8') : ''
  t.like(JSON.parse(body), {
    authors: 'Ada Lovelace; Institute, Inc.',
    author_details: [
      { name: 'Ada Lovelace', orcid: '0000-0002-1825-0097' },
      { name: 'Institute, Inc.' },
    ],
    source: { type: 'organization', id: 'press', name: 'A Press', via: 'ui' },
  })
  t.false(body.includes(ppid), 'who of the members it was is not for everybody')
  const list = await browser.get(`${base}/works`)
  t.true(list.body.includes(ark))
  t.notRegex(list.body, /<script>/)
})

test('a work that is there already is registered again only if it is meant', async (t) => {
  const registry = await openPress(t)
  const { browser } = await signUpMember(t, registry, 'editor')
  const same = { ...work, existing_doi: '10.1234/same' }
  const send = async (more: Record<string, string> = {}) => {
    const { body } = await browser.submit(`${base}/works/new`, same)
    const once = /name="once" value="([^"]*)"/.exec(body)?.[1] ?? ''
    const answer = await browser.submit(base, { ...same, once, ...more }, `${base}/works/register`)
    return { preview: body, answer }
  }
  t.regex((await send()).answer.body, /The work is registered/)
  const second = await send()
  t.regex(second.preview, /has the same DOI and title/)
  t.regex(second.answer.body, /has the same DOI and title/)
  t.regex((await send({ allow_duplicate: 'on' })).answer.body, /The work is registered/)
  const owner = { type: 'organization', id: 'press' } as const
  t.is(registry.environments.live.holdings.counts(owner).works_count, 2)
})

test('a work that was registered of late is registered again only if it is meant', async (t) => {
  const registry = await openPress(t)
  const { browser } = await signUpMember(t, registry, 'editor')
  const send = async (more: Record<string, string> = {}) => {
    const { body } = await browser.submit(`${base}/works/new`, work)
    const once = /name="once" value="([^"]*)"/.exec(body)?.[1] ?? ''
    const answer = await browser.submit(base, { ...work, once, ...more }, `${base}/works/register`)
    return { preview: body, answer }
  }
  t.regex((await send()).answer.body, /The work is registered/)
  const second = await send()
  t.regex(second.preview, /was registered with the same title and address less than a day ago/)
  t.regex(second.answer.body, /register it anyway/)
  t.regex((await send({ allow_duplicate: 'on' })).answer.body, /The work is registered/)
  const owner = { type: 'organization', id: 'press' } as const
  t.is(registry.environments.live.holdings.counts(owner).works_count, 2)
})

const bibtex = `@article{good, title={A <script>alert(1)</script> title}, author={Doe, Jane},
  doi={10.1234/good}}
@misc{bad, title={No place}, author={Doe, Jane}}
@article{broken, title={Never closed, author={Doe, Jane}
@book{other, title={Other}, author={Doe, Jane}, url={https://press.example/o}, note={left out}}`

test('BibTeX is looked at, and what can be registered is, once', async (t) => {
  const registry = await openPress(t)
  const { browser } = await signUpMember(t, registry, 'editor')
  const nothing = await browser.submit(`${base}/import`, { citations: 'nothing <script>' })
  t.is(nothing.status, 422)
  t.regex(nothing.body, /There is no entry of BibTeX/)
  const preview = await browser.submit(`${base}/import`, { citations: bibtex })
  t.is(preview.status, 200)
  t.regex(preview.body, /You can register 2 of 4 entries\. The others have errors/)
  t.regex(preview.body, /The entry has no url or doi: give it one\./)
  t.regex(preview.body, /The braces that begin on line 4 are not closed/)
  t.regex(preview.body, /note is left out: no field fits\./)
  t.notRegex(preview.body, /<script>/)
  const fine = '@book{u, title={T}, author={Jane Doe}, doi={10.1000/a_b}}'
  const other = await browser.submit(`${base}/import`, { citations: fine })
  t.notRegex(other.body, /others have errors/)
  t.regex(other.body, /You can register 1 of 1 entry\.[^]*Book · 10\.1000\/a_b/)
  const once = /name="once" value="([^"]*)"/.exec(preview.body)?.[1] ?? ''
  const send = () => browser.submit(base, { citations: bibtex, once }, `${base}/import/register`)
  const imported = await send()
  t.regex(imported.body, /2 works were registered. 2 entries were not registered/)
  const arks = imported.body.match(/<code>ark:\/12345\/k2\w+<\/code>/g)
  t.is(arks?.length, 2)
  t.deepEqual((await send()).body.match(/<code>ark:\/12345\/k2\w+<\/code>/g), arks)
  const again = await browser.submit(`${base}/import`, { citations: bibtex })
  t.regex(again.body, /looks like a duplicate/)
  const owner = { type: 'organization', id: 'press' } as const
  t.is(registry.environments.live.holdings.counts(owner).works_count, 2)
})

test('an organization is asked for, approved once, and owned', async (t) => {
  const registry = await openPress(t)
  const { browser, ppid } = await signUp(t, registry, 'ada')
  const chief = await signUp(t, registry, 'chief')
  await registry.accounts.accounts.setAdmin(chief.ppid, true, operator)
  const none = await browser.get('/auth/organizations')
  t.regex(none.body, /You are not a member of an organization/)
  const ask = (fields: Record<string, string>) =>
    browser.submit('/auth/organizations', fields, '/auth/organizations/request')
  t.regex((await ask({ slug: 'press', name: 'P' })).body, /There already is an organization press/)
  t.is((await ask({ slug: 'Not a slug', name: '' })).status, 422)
  const wish = { slug: 'ada-press', name: 'Ada <i>Press', country: 'gb', message: 'I own it.' }
  const asked = await ask(wish)
  t.is(asked.headers.location, '/auth/organizations?done=requested', asked.body)
  t.is((await ask({ ...wish, slug: 'second' })).status, 409)

  const path = '/auth/admin/organizations'
  t.is((await browser.get(path)).status, 403)
  t.is((await browser.submit('/auth/organizations', {}, `${path}/${ppid}/approve`)).status, 403)
  const waiting = await chief.browser.get(path)
  t.regex(waiting.body, /I own it\./)
  t.notRegex(waiting.body, /<i>Press/)
  const approve = () => chief.browser.submit(path, {}, `${path}/${ppid}/approve`)
  t.is((await approve()).headers.location, `${path}?done=approved`)
  t.is((await approve()).status, 404)
  const { live, sandbox } = registry.environments
  t.like(live.organizations.read('ada-press'), { name: 'Ada <i>Press', country: 'GB' })
  t.like(sandbox.organizations.read('ada-press'), { name: 'Ada <i>Press', country: 'GB' })
  t.is(live.organizations.roleOf('ada-press', ppid), 'owner')
  const [added] = await readChanges(live, 'ada-press', { limit: 1 })
  t.like(added, { type: 'MemberAdded', by: { type: 'person', id: chief.ppid, admin: true } })
  t.regex((await browser.get('/auth/organizations')).body, /organizations\/ada-press"/)
})

test('an approval that was cut off is gone on with, and a refusal says why', async (t) => {
  const registry = await openPress(t)
  const ada = await signUp(t, registry, 'ada')
  const chief = await signUp(t, registry, 'chief')
  await registry.accounts.accounts.setAdmin(chief.ppid, true, operator)
  const { requests } = registry.accounts
  const profile = { slug: 'ada-press', name: 'Ada Press', aliases: [] }
  t.is(await requests.make({ ppid: ada.ppid, profile, message: '' }), 'made')
  await requests.decide(ada.ppid, ['waiting'], { state: 'approving' }, admin)
  await registry.environments.live.organizations.create({ body: profile, by: admin })
  const path = '/auth/admin/organizations'
  const done = await chief.browser.submit(path, {}, `${path}/${ada.ppid}/approve`)
  t.is(done.headers.location, `${path}?done=approved`)
  t.is(registry.environments.live.organizations.roleOf('ada-press', ada.ppid), 'owner')

  const bo = await signUp(t, registry, 'bob')
  await requests.make({ ppid: bo.ppid, profile: { ...profile, slug: 'bo-press' }, message: '' })
  const refusal = { reason: 'We could not reach you.' }
  await chief.browser.submit(path, refusal, `${path}/${bo.ppid}/refuse`)
  t.regex((await bo.browser.get('/auth/organizations')).body, /We could not reach you\./)
  await registry.environments.live.organizations.create({
    body: { slug: 'bo-press', name: 'Bo' },
    by: admin,
  })
  await requests.make({ ppid: bo.ppid, profile: { ...profile, slug: 'bo-press' }, message: '' })
  const taken = await chief.browser.submit(path, {}, `${path}/${bo.ppid}/approve`)
  t.is(taken.status, 409, 'an organization of others is not given away')
})
