import test, { type ExecutionContext } from 'ava'

import { JarBrowser } from '#test/src/_jar_browser.ts'
import { mint, serveRegistry } from '#test/src/_served_registry.ts'
import { operator } from '#src/identity/store/owner_text.ts'
import { admin } from '#test/src/pages/_members.ts'
import { openPage } from '#test/src/pages/_reader.ts'

const form = {
  work_title: 'Tides of the North',
  work_type: 'article',
  work_url: 'https://press.example/tides.pdf',
  authors: 'Gibbs, Josiah Willard (0000-0002-1825-0097)\nAda Lovelace',
  description: 'How tides are made.',
}

/** A work of the organization, and somebody who is this in it; the administrator is no member. */
async function openDesk(
  t: ExecutionContext,
  role: 'editor' | 'viewer' | 'administrator' = 'editor',
) {
  const registry = await serveRegistry({})
  t.teardown(() => registry.close())
  const key = await registry.key({ scopes: ['works:read', 'works:write'] })
  const browser = new JarBrowser(registry.port, registry.baseUrl)
  const person = { name: 'Ed', email: 'ed@example.org', password: 'a long enough sentence' }
  const ppid = await browser.signUp(person)
  const { live } = registry.environments
  if (role === 'administrator') await registry.accounts.accounts.setAdmin(ppid, true, operator)
  else await live.organizations.addMember({ slug: 'demo', ppid, role, by: admin })
  const { ark_identifier } = await mint(registry, key, {
    ...form,
    authors: 'Gibbs, Josiah Willard; Ada Lovelace',
    author_details: [
      { family: 'Gibbs', given: 'Josiah Willard', orcid: '0000-0002-1825-0097' },
      { name: 'Ada Lovelace', affiliation: 'Analytical Society' },
    ],
    funding: [{ funder: 'A Fund' }],
  })
  const ark = ark_identifier.replace('ark:/', '')
  const base = `/auth/organizations/demo/works/${ark.split('/')[1]}`
  const read = async () => (await registry.call(`/v1/works/ark:/${ark}`, { key })).json()
  return { registry, ppid, browser, base, ark, read, state: () => live.catalogue.state(ark) }
}

function hidden(body: string): Record<string, string> {
  const found = body.matchAll(/type="hidden" name="(once|etag)" value="([^"]*)"/g)
  return Object.fromEntries(
    [...found].map(([, name = '', value = '']) => [name, value.replaceAll('&#34;', '"')]),
  )
}

test('an edit shows the words that differ, and is registered once if sent twice', async (t) => {
  const { browser, base, read, state } = await openDesk(t)
  const page = (await browser.get(`${base}/edit`)).body
  t.regex(page, /name="author_1_family"[^>]*value="Gibbs"/)
  t.regex(page, /name="author_2_affiliation"[^>]*value="Analytical Society"/)
  const changed = { ...form, work_title: 'Tides of the South', authors: `${form.authors}\nNew One` }
  const seen = (await browser.post(`${base}/edit`, changed)).body
  t.regex(seen, /Tides of the <del>North<\/del><ins>South<\/ins>/)
  t.is(state()?.version, 1)
  const sent = { ...changed, version_note: '', ...hidden(seen) }
  for (let times = 0; times < 2; times += 1) {
    t.regex((await browser.post(`${base}/edit/register`, sent)).body, /Version 2 is registered/)
    t.is(state()?.version, 2)
  }
  const work = await read()
  t.is(work['work_title'], 'Tides of the South')
  t.deepEqual(work['funding'], [{ funder: 'A Fund' }])
  t.like((work['author_details'] as unknown[])[0], { family: 'Gibbs', given: 'Josiah Willard' })
  t.like((work['author_details'] as unknown[])[1], { affiliation: 'Analytical Society' })
})

test('a form that is wrong, or that came too late, keeps what was typed', async (t) => {
  const { browser, base, state } = await openDesk(t)
  const wrong = { ...form, work_title: '', description: 'Typed for an hour' }
  const refused = (await browser.post(`${base}/edit`, wrong)).body
  t.regex(refused, /This field is required: Title/)
  t.regex(refused, /Typed for an hour/)
  t.regex((await browser.post(`${base}/edit`, form)).body, /Nothing differs/)
  const mine = { ...form, description: 'My words' }
  const early = hidden((await browser.post(`${base}/edit`, mine)).body)
  const theirs = { ...form, description: 'Their words', version_note: 'Theirs' }
  const others = hidden((await browser.post(`${base}/new-version`, theirs)).body)
  await browser.post(`${base}/new-version/register`, { ...theirs, ...others })
  t.is(state()?.version, 2)
  const late = (await browser.post(`${base}/edit/register`, { ...mine, ...early })).body
  t.regex(late, /Somebody changed the work/)
  t.regex(late, /My words/)
  t.is(state()?.version, 2)
})

test('a withdrawal needs a reason and a confirmation, and is told again', async (t) => {
  const { browser, base, state } = await openDesk(t)
  const page = hidden((await browser.get(`${base}/withdraw`)).body)
  const unsure = (await browser.post(`${base}/withdraw`, { note: 'A note', ...page })).body
  t.regex(unsure, /Choose a reason/)
  t.regex(unsure, /Select the box to confirm/)
  t.regex(unsure, /A note/)
  const sure = { reason: 'author_request', note: 'A note', confirmed: 'on', ...page }
  t.regex((await browser.post(`${base}/withdraw`, sure)).body, /The work is withdrawn/)
  t.regex((await browser.post(`${base}/withdraw`, sure)).body, /The work is withdrawn/)
  t.is(state()?.status, 'withdrawn')
  t.regex((await browser.get(`${base}/edit`)).body, /This work was withdrawn/)
})

test('who only reads is offered no change and can make none', async (t) => {
  const { browser, base } = await openDesk(t, 'viewer')
  t.notRegex((await browser.get('/auth/organizations/demo/works')).body, />Edit</)
  t.regex((await browser.get(`${base}/edit`)).body, /Owners and editors/)
})

test('what an administrator does to works is published as done by the operator', async (t) => {
  const { registry, ppid, browser, base, ark, state } = await openDesk(t, 'administrator')
  const changed = { ...form, work_title: 'Tides of the South' }
  const edit = (await browser.post(`${base}/edit`, changed)).body
  const sent = { ...changed, version_note: '', ...hidden(edit) }
  t.regex((await browser.post(`${base}/edit/register`, sent)).body, /Version 2 is registered/)
  const page = (await browser.get(`${base}/withdraw`)).body
  t.regex(page, /You are not a member of Demo Press\. You do this as an\s+administrator/)
  const sure = { reason: 'legal', confirmed: 'on', ...hidden(page) }
  t.regex((await browser.post(`${base}/withdraw`, sure)).body, /The work is withdrawn/)
  t.like(state(), { status: 'withdrawn', owner: { type: 'organization', id: 'demo' } })

  const source = { type: 'operator', id: 'operator', name: 'Operator of the registry', via: 'ui' }
  const tombstone = await registry.call(`/api/v1/resolve/ark:/${ark}`)
  t.deepEqual(tombstone.json()['source'], source)
  const told = (await registry.call(`/api/v1/resolve/ark:/${ark}/history`)).json()
  const by = { type: 'operator', name: 'Operator of the registry', organization: null }
  t.like(told, {
    events: [{ by }, { by }, { type: 'work.registered', by: { name: 'Demo Press' } }],
  })
  const { read } = await openPage(registry, `/ark:/${ark}`)
  t.regex(read, /withdrawn<\/strong> on <time[^>]+>[^<]+<\/time> by the operator of this registry,/)
  t.regex(read, /<\/time> Withdrawn, by the operator of this registry/)
  t.false(`${tombstone.body}${JSON.stringify(told)}${read}`.includes(ppid))

  // Members of the press are told which administrator it was.
  const owner = new JarBrowser(registry.port, registry.baseUrl)
  const person = { name: 'Ow', email: 'ow@example.org', password: 'a long enough sentence' }
  const member = {
    slug: 'demo',
    ppid: await owner.signUp(person),
    role: 'owner',
    by: admin,
  } as const
  await registry.environments.live.organizations.addMember(member)
  const history = (await owner.get('/auth/organizations/demo/history')).body
  t.regex(history, /Withdrawn <[^]*?>Ed, as an administrator</)
})

test('a tombstone names the operator who withdrew the work of a person', async (t) => {
  const { registry, ppid } = await openDesk(t)
  const owner = { type: 'person', id: ppid, name: ppid } as const
  const key = await registry.key({ owner, scopes: ['works:write'] })
  const { ark_identifier: ark } = await mint(registry, key, { work_title: 'Notes of my own' })
  const chief = await registry.key({ owner: operator, scopes: ['works:delete'] })
  const path = `/v1/works/${ark}`
  const body = { reason: 'fraud' }
  t.is((await registry.call(path, { method: 'DELETE', key: chief, body })).status, 200)
  const { read } = await openPage(registry, `/${ark}`)
  t.regex(read, /withdrawn<\/strong> on <time[^>]+>[^<]+<\/time> by the operator of this registry,/)
})
