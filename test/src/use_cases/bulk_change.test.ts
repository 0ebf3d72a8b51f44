import { randomBytes } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'

import type { BulkEdit, BulkSelection } from '#src/use_cases/bulk_edit.ts'
import { applyBulkEdit } from '#src/use_cases/bulk_edit.ts'
import { readWorkList } from '#src/use_cases/bulk_change.ts'
import { BulkChanges, BulkRunner } from '#src/use_cases/bulk_change_jobs.ts'
import type { MemberRole } from '#actors/values/authority.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { admin } from '#test/src/pages/_members.ts'
import { JarBrowser } from '#test/src/_jar_browser.ts'
import { caughtUp } from '#test/src/discovery/search/_caught_up.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'
import { mint, operator, type ServedRegistry, serveRegistry } from '#test/src/_served_registry.ts'
import { operatorAgent } from '#src/identity/store/owner_text.ts'
import { until } from '#test/_until.ts'

type Options = { readonly works?: number; readonly changes?: Record<string, unknown> }

const empty = { ready: [], left: [], leftMore: 0, isCut: false }

/** A registry with works of the organization, and what asks for bulk changes of them. */
async function openPress(t: ExecutionContext, { works = 3, changes = {} }: Options = {}) {
  const registry = await serveRegistry({})
  t.teardown(() => registry.close())
  const key = await registry.key({ scopes: ['works:read', 'works:write', 'works:delete'] })
  const arks: string[] = []
  for (let number = 0; number < works; number += 1) {
    const body = { work_title: `Work ${number}`, work_url: `http://old.example/${number}` }
    const { ark_identifier } = await mint(registry, key, { ...body, ...changes })
    arks.push(ark_identifier)
  }
  const prepare = (edit: BulkEdit, selection: BulkSelection = { filter: {} }) =>
    registry.admin.call('/works/change', { organization: 'demo', edit, selection } as never)
  const read = async (ark: string) => (await registry.call(`/v1/works/${ark}`, { key })).json()
  return { registry, key, arks, prepare, read }
}

function runnerOf(t: ExecutionContext, registry: ServedRegistry, worksPerMinute = 6_000_000) {
  return new BulkRunner({
    changes: registry.bulkChanges,
    environments: registry.environments,
    worksPerMinute,
    isAdministrator: (ppid) => {
      return registry.accounts.accounts.find(ppid)?.roles.includes('admin') === true
    },
    report: (error) => t.log(error),
  })
}

const desk = '/auth/organizations/demo/changes'

/** A person on the pages of the organization, and a member of it with a role. */
async function signIn(registry: ServedRegistry, name: string, role?: MemberRole) {
  const browser = new JarBrowser(registry.port, registry.baseUrl)
  const person = { name, email: `${name}@example.org`, password: 'a long enough sentence' }
  const ppid = await browser.signUp(person)
  const { organizations } = registry.environments.live
  if (role !== undefined) await organizations.addMember({ slug: 'demo', ppid, role, by: admin })
  const preview = async (fields: Record<string, string> = { language: 'fr' }) => {
    await browser.get(desk)
    const { body } = await browser.postThen(desk, fields)
    return /changes\/([0-9a-f]{28})\/start/.exec(body)?.[1] ?? body
  }
  const begin = (id: string) => browser.post(`${desk}/${id}/start`)
  return { browser, ppid, preview, start: begin }
}

/** Begins a change by command. */
function start(registry: ServedRegistry, id: string) {
  return registry.admin.call('/works/change/start', named(id))
}

const named = (id: string) => ({ organization: 'demo', id })

async function finished(registry: ServedRegistry, id: string) {
  const read = () => registry.bulkChanges.find('demo', id)
  await until('the end of a bulk change', () => ['done', 'stopped'].includes(read()?.state ?? ''))
  return read()
}

test('what was previewed is done once to each work, and told in one entry', async (t) => {
  const { registry, arks, prepare, read } = await openPress(t, { works: 30 })
  const edit = {
    license: 'cc-by-4.0',
    work_url: { from: 'http://old.example/', to: 'https://new.example/works/' },
  }
  const draft = await prepare(edit)
  t.like(draft, { state: 'draft', ready: 30, left: 0, edit: { license: 'CC-BY-4.0' } })
  const page = await registry.admin.call('/works/change/part', { ...named(draft.id), part: 1 })
  t.is(page.works.length, 5)
  t.deepEqual(page.works.at(-1)?.changes, [
    { field: 'work_url', before: 'http://old.example/0', after: 'https://new.example/works/0' },
    { field: 'license', before: null, after: 'CC-BY-4.0' },
  ])
  t.is((await read(arks[0] ?? ''))['version'], 1)
  const runner = runnerOf(t, registry)
  await registry.admin.call('/works/change/start', named(draft.id))
  t.like(await finished(registry, draft.id), { state: 'done', done: 30, changed: 30 })
  await runner.close()
  for (const ark of arks) {
    const work = await read(ark)
    t.like(work, { version: 2, license: 'CC-BY-4.0' })
    t.regex(String(work['work_url']), /^https:\/\/new\.example\/works\/\d+$/)
    t.truthy(registry.environments.live.catalogue.findReceipt(String(work['receipt_id'])))
  }
  const owner = { type: 'organization', id: 'demo' } as const
  const { entries } = await registry.environments.live.holdings.history(owner, {
    kinds: ['version'],
    limit: 50,
  })
  t.deepEqual(entries, [])
  const audit = await registry.oauth.audit.read(owner, { limit: 50 })
  const told = audit.filter(({ action }) => action === 'works_changed')
  t.like(told, { length: 1, 0: { works_count: 30, changed: 'the license and the address' } })
  // What is told to begin again stays at its end.
  t.like(await start(registry, draft.id), { state: 'done', changed: 30 })
})

test('a runner that ends in the middle is followed by one that does no work twice', async (t) => {
  const { registry, arks, prepare, read } = await openPress(t, { works: 60 })
  const { id } = await prepare({ publisher_name: 'Another Press' })
  const first = runnerOf(t, registry, 1_500)
  await start(registry, id)
  await until('a first part', () => (registry.bulkChanges.find('demo', id)?.done ?? 0) > 0)
  await first.close()
  t.true((registry.bulkChanges.find('demo', id)?.done ?? 60) < 60)
  const second = runnerOf(t, registry)
  await second.resume()
  t.like(await finished(registry, id), { state: 'done', changed: 60 })
  await second.close()
  for (const ark of arks) t.is((await read(ark))['version'], 2)
})

test('a part that was done and not noted is done again without a second version', async (t) => {
  const { registry, arks, prepare, read } = await openPress(t, { works: 2 })
  const { id } = await prepare({
    work_url: { from: 'http://old.example/', to: 'http://old.example/x/' },
  })
  const changes = registry.bulkChanges
  const note = changes.note.bind(changes)
  let isFirst = true
  changes.note = async (...given) => {
    if (!isFirst) return note(...given)
    isFirst = false
    throw new Error('the process ends here')
  }
  const crashed = runnerOf(t, registry)
  await start(registry, id)
  await until('the end of the process', () => !isFirst)
  await crashed.close()
  t.is(changes.find('demo', id)?.done, 0)
  t.is((await read(arks[0] ?? ''))['version'], 2)
  const second = runnerOf(t, registry)
  await second.resume()
  t.like(await finished(registry, id), { state: 'done', changed: 2 })
  await second.close()
  t.like(await read(arks[1] ?? ''), { version: 2, work_url: 'http://old.example/x/1' })
})

test('what cannot be changed is named with the reason, before and afterwards', async (t) => {
  const { registry, key, arks, prepare } = await openPress(t, { works: 4 })
  const [one = '', two = '', three = '', four = ''] = arks
  const owner = { type: 'operator', id: 'operator', name: 'Operator' } as const
  const other = await registry.key({ scopes: ['works:write'], owner })
  const theirs = await mint(registry, other, { work_title: 'Theirs' })
  await registry.call(`/v1/works/${one}`, { method: 'DELETE', key, body: { reason: 'test' } })
  const put = (ark: string, body: unknown) =>
    registry.call(`/v1/works/${ark}`, { method: 'PUT', key, body })
  await put(two, { license: 'CC0-1.0' })
  const works = [one, two, three, four, three, theirs.ark_identifier, 'ark:/12345/none', 'nothing']
  const draft = await prepare({ license: 'CC0-1.0' }, { works })
  const { left_out } = await registry.admin.call('/works/change/part', {
    ...named(draft.id),
    part: 0,
  })
  t.deepEqual(
    left_out.map(({ work, reason }) => [work, reason]),
    [
      [one, 'withdrawn'],
      [two, 'unchanged'],
      [theirs.ark_identifier, 'not_yours'],
      ['ark:/12345/none', 'not_found'],
      ['nothing', 'not_found'],
    ],
  )
  t.is(draft.ready, 2)
  await put(three, { volume: '7' })
  const runner = runnerOf(t, registry)
  await start(registry, draft.id)
  t.like(await finished(registry, draft.id), { state: 'done', done: 2, changed: 1 })
  await runner.close()
  const outcomes = registry.bulkChanges.readyPart(draft.id, 0).map(({ outcome }) => outcome)
  t.deepEqual(outcomes, [{ reason: 'changed_since' }, { version: 2 }])
})

test('what is asked wrongly is refused with all that is wrong', async (t) => {
  const { prepare } = await openPress(t, { works: 0 })
  const refusal = async (edit: BulkEdit, selection?: BulkSelection) => {
    const error = await t.throwsAsync(prepare(edit, selection))
    return { ...error, message: error?.message }
  }
  t.regex((await refusal({})).message ?? '', /: Say what is to change$/)
  t.regex(
    (await refusal({ license: 'my own', work_url: { from: 'old', to: 'https://b/' } })).message ??
      '',
    /These works cannot be changed like this/,
  )
  const filter = { year: 'last', type: 'nonsense' }
  t.regex((await refusal({ language: 'de' }, { filter })).message ?? '', /details has 1 more/)
})

test('one is under way at a time, and ends if stopped, or its member may no more', async (t) => {
  const { registry, prepare } = await openPress(t, { works: 30 })
  const [one, two] = [await prepare({ language: 'de' }), await prepare({ language: 'fr' })]
  await start(registry, one.id)
  const second = await t.throwsAsync(start(registry, two.id))
  t.true(second?.message.startsWith(`The bulk change ${one.id} is under way`), second?.message)
  await registry.bulkChanges.stop('demo', one.id)
  const runner = runnerOf(t, registry)
  await runner.resume()
  t.like(await finished(registry, one.id), { state: 'stopped', changed: 0 })
  await runner.close()
  const ed = await signIn(registry, 'ed', 'editor')
  const begun = await ed.preview()
  t.is((await ed.start(begun)).status, 303)
  const { organizations } = registry.environments.live
  await organizations.removeMember({ slug: 'demo', ppid: ed.ppid, by: admin })
  t.like(registry.bulkChanges.find('demo', begun), { state: 'running' })
  const next = runnerOf(t, registry)
  await next.resume()
  t.like(await finished(registry, begun), { state: 'stopped', changed: 0 })
  await next.close()
})

test('who begins a change has made it, whoever has looked for the works', async (t) => {
  const { registry } = await openPress(t, { works: 1 })
  const [ed, eve] = [
    await signIn(registry, 'ed', 'editor'),
    await signIn(registry, 'eve', 'editor'),
  ]
  const id = await ed.preview()
  await eve.browser.get(`${desk}/${id}`)
  t.is((await eve.start(id)).status, 303)
  const runner = runnerOf(t, registry)
  await runner.resume()
  t.like(await finished(registry, id), { state: 'done', changed: 1, by: { member: eve.ppid } })
  await runner.close()
  const owner = { type: 'organization', id: 'demo' } as const
  const audit = await registry.oauth.audit.read(owner, { limit: 50 })
  t.like(
    audit.find(({ action }) => action === 'works_changed'),
    { action: 'works_changed', by: { id: eve.ppid } },
  )
})

test('only editors, owners and administrators change many works, each of their own', async (t) => {
  const { registry, prepare, key } = await openPress(t, { works: 1 })
  const { id } = await prepare({ language: 'de' })
  await registry.admin.call('/organizations/create', {
    organization: { slug: 'other', name: 'Other Press' },
  })
  const people = [await signIn(registry, 'vi', 'viewer'), await signIn(registry, 'nobody')]
  for (const { browser } of people) {
    await browser.get('/auth/account')
    for (const path of [desk, `${desk}/${id}`, `${desk}/${id}/left`]) {
      t.is((await browser.get(path)).status, 403, path)
    }
    for (const path of [desk, `${desk}/${id}/start`, `${desk}/${id}/stop`]) {
      t.is((await browser.post(path, { language: 'fr' })).status, 403, path)
    }
  }
  const ed = await signIn(registry, 'ed', 'editor')
  await registry.environments.live.organizations.addMember({
    slug: 'other',
    ppid: ed.ppid,
    role: 'owner',
    by: admin,
  })
  await ed.browser.get(desk)
  const theirs = desk.replace('demo', 'other')
  for (const path of [`${theirs}/${id}`, `${theirs}/${id}/left`, `${theirs}/demo%2F${id}`]) {
    t.is((await ed.browser.get(path)).status, 404, path)
  }
  await ed.browser.get(theirs)
  for (const path of [
    `${theirs}/${id}/start`,
    `${theirs}/${id}/stop`,
    `${theirs}/..%2F${id}/start`,
  ]) {
    t.is((await ed.browser.post(path)).status, 404, path)
  }
  for (const path of [desk, `${desk}/${id}/start`, `${desk}/${id}/stop`]) {
    t.is((await ed.browser.post(path, { csrf: 'forged', language: 'fr' })).status, 403, path)
    const byKey = await registry.call(path, { method: 'POST', key, body: {} })
    t.true([303, 401, 403, 415].includes(byKey.status), `${path} ${byKey.status}`)
  }
  t.like(registry.bulkChanges.find('demo', id), { state: 'draft' })
  t.is((await registry.bulkChanges.list('demo', 10)).length, 1)
})

test('a change ends with the rights of the administrator who has begun it', async (t) => {
  const { registry } = await openPress(t, { works: 1 })
  const chief = await signIn(registry, 'chief')
  const { accounts } = registry.accounts
  await accounts.setAdmin(chief.ppid, true, operator)
  const [one, two] = [await chief.preview(), await chief.preview()]
  t.is((await chief.start(one)).status, 303)
  const runner = runnerOf(t, registry)
  await runner.resume()
  t.like(await finished(registry, one), { state: 'done', changed: 1, by: { type: 'operator' } })
  await runner.close()
  await chief.browser.get(desk)
  t.is((await chief.start(two)).status, 303)
  await accounts.setAdmin(chief.ppid, false, operator)
  const next = runnerOf(t, registry)
  await next.resume()
  t.like(await finished(registry, two), { state: 'stopped', done: 0 })
  await next.close()
})

test('a request of the organization by the same name keeps no change from its end', async (t) => {
  const { registry, key, arks, prepare } = await openPress(t, { works: 2 })
  const { id } = await prepare({ language: 'de' })
  const [ark = ''] = arks
  const answer = await registry.call(`/v1/works/${ark}`, {
    method: 'PUT',
    key,
    body: { volume: '7' },
    headers: [['idempotency-key', `bulk-${id}`]],
  })
  t.is(answer.status, 200)
  const runner = runnerOf(t, registry)
  await start(registry, id)
  t.like(await finished(registry, id), { state: 'done', done: 2, changed: 1 })
  await runner.close()
})

test('previews are kept for a day, and outcomes as long as they have room', async (t) => {
  const { registry, prepare } = await openPress(t, { works: 3 })
  const old = await prepare({ language: 'de' })
  registry.clock.forward(25 * 3_600_000)
  t.is(registry.bulkChanges.find('demo', old.id), undefined)
  t.deepEqual(await registry.bulkChanges.list('demo', 10), [])
  await t.throwsAsync(start(registry, old.id), { message: /no such bulk change/ })
  t.is(registry.bulkChanges.readyPart(old.id, 0).length, 3)
  await registry.bulkChanges.sweep()
  t.is(registry.bulkChanges.readyPart(old.id, 0).length, 0)
})

test('outcomes of what ended are kept as they have room, the newest always', async (t) => {
  const identity = await identityFixture(t)
  const store = await identity.open()
  const { clock } = identity
  const changes = new BulkChanges({ store, clock, random: randomBytes, endedWorksMax: 60 })
  const actors = { by: operatorAgent, asked_by: operatorAgent }
  const keep = (works: number) => {
    clock.forward(1_000)
    const ready = Array.from({ length: works }, (_, at) => ({ ark: `1/${at}`, etag: `"${at}"` }))
    const plan = { ...empty, ready }
    const edit = { language: 'de' }
    const chosen = { listed: works }
    return changes.keep({ slug: 'demo', environment: 'live', edit, chosen, ...actors, plan })
  }
  const end = async (works: number) => {
    const { id } = await keep(works)
    await changes.end(await changes.start('demo', id, actors), 'done')
    return id
  }
  const ids = [await end(30), await end(30)]
  await keep(1)
  t.is((await changes.list('demo', 10)).length, 3)
  ids.push(await end(90))
  await keep(1)
  t.deepEqual(
    ids.map((id) => [changes.find('demo', id)?.state, changes.readyPart(id, 0).length]),
    [
      [undefined, 0],
      [undefined, 0],
      ['done', 25],
    ],
  )
  for (let count = 0; count < 12; count += 1) await keep(1)
  const drafts = (await changes.list('demo', 50)).filter(({ state }) => state === 'draft')
  t.is(drafts.length, 10)
})

test('what is too long is refused, or cut where it is told', async (t) => {
  const { registry, prepare } = await openPress(t, { works: 1 })
  const long = 'x'.repeat(5_000)
  const ed = await signIn(registry, 'ed', 'editor')
  await ed.browser.get(desk)
  for (const fields of [
    { author_from: long, author_to: 'B' },
    { work_url_from: `https://${long}`, work_url_to: 'https://b/' },
    { language: 'de', in_publisher: long },
    { language: 'de', in_license: 'my own' },
    { publisher_name: long },
    { language: 'de', works: 'ark\n"ark:/1/a' },
  ]) {
    const { status, body } = await ed.browser.post(desk, fields)
    t.is(status, 422)
    const [name = ''] = Object.keys(fields).slice(-1)
    const shown = name.replace(/_to$/, '_from')
    t.regex(body, new RegExp(`name="${shown}"[^>]*aria-invalid="true"`), shown)
  }
  const { id } = await prepare({ language: 'de' }, { works: [long.slice(0, 2_048)] })
  t.is(registry.bulkChanges.leftPart(id, 0)[0]?.work.length, 500)
  const listed = await ed.browser.post(desk, { language: 'de', works: long })
  t.is(listed.status, 303)
})

test('works are chosen by their words, and by their DOIs in any spelling', async (t) => {
  const { key, registry, prepare } = await openPress(t, { works: 0 })
  const other = await registry.key({ scopes: ['works:write'], owner: operator })
  const dois = { one: '10.1000/One', two: '10.1000/two' }
  const whale = { work_title: 'The white whale', existing_doi: dois.one }
  const { ark_identifier: ark } = await mint(registry, key, whale)
  await mint(registry, key, { work_title: 'A whale of a time', existing_doi: dois.two })
  await mint(registry, key, { work_title: 'The white rabbit', license: 'CC0-1.0' })
  const theirs = { work_title: 'The whale of others', existing_doi: '10.1000/theirs' }
  await mint(registry, other, theirs)
  registry.search.live.start()
  await caughtUp(registry.search.live)
  const found = async (selection: BulkSelection) => {
    const { id, ready } = await prepare({ language: 'de' }, selection)
    const left = registry.bulkChanges.leftPart(id, 0).map(({ work, reason }) => [work, reason])
    return { ready, left, arks: registry.bulkChanges.readyPart(id, 0).map((work) => work.ark) }
  }
  t.like(await found({ filter: { q: 'whale' } }), { ready: 2, left: [] })
  t.like(await found({ filter: { q: 'white', license: 'CC0-1.0' } }), { ready: 1, left: [] })
  t.like(await found({ filter: { q: 'nothing-of-this' } }), { ready: 0, left: [] })
  const works = ['https://doi.org/10.1000/ONE', 'doi:10.1000/one', ark, '10.1000/theirs', '10.1/x']
  t.deepEqual(await found({ works }), {
    ready: 1,
    left: [
      ['10.1000/theirs', 'not_yours'],
      ['10.1/x', 'not_found'],
    ],
    arks: [ark.replace('ark:/', '')],
  })
})

test('a filter finds works by what they say', async (t) => {
  const { key, registry, prepare } = await openPress(t, { works: 0 })
  await mint(registry, key, { publisher_name: 'Old Press', published_date: '2019-03' })
  await mint(registry, key, { publisher_name: 'OLD PRESS', container_title: 'Acta' })
  await mint(registry, key, { publisher_name: 'New Press', license: 'CC-BY-4.0' })
  const ready = async (filter: Record<string, string>) =>
    (await prepare({ language: 'de' }, { filter })).ready
  t.is(await ready({ publisher: 'old press' }), 2)
  t.is(await ready({ publisher: 'old press', year: '2018-2020' }), 1)
  t.is(await ready({ container: 'Acta' }), 1)
  t.is(await ready({ license: 'CC-BY-4.0', type: 'article' }), 1)
  t.is(await ready({ address: 'https://example.org/' }), 3)
  t.is(await ready({ registered_from: '2999-01-01' }), 0)
})

const authored: Metadata = {
  work_title: 'T',
  work_type: 'article',
  authors: 'Ann Smith, Bob Beta',
  existing_doi: '10.1/x',
  author_details: [
    { family: 'Smith', given: 'Ann', orcid: '0000-0002-1825-0097' },
    { name: 'Bob Beta', affiliation: 'A University' },
  ],
}

const beta = { name: 'Bob Beta', affiliation: 'A University' }

test('an author’s new name stands in both fields, and the ORCID iD stays', (t) => {
  const renamed = (metadata: Metadata, from: string, to: string) => {
    const edited = applyBulkEdit({ author: { from, to } }, metadata)
    return edited.type === 'changed' ? edited.after : edited.type
  }
  t.like(renamed(authored, 'Smith, Ann', 'Jones, Ann'), {
    authors: 'Ann Jones, Bob Beta',
    author_details: [
      { family: 'Jones', given: 'Ann', orcid: '0000-0002-1825-0097' },
      { name: 'Bob Beta', affiliation: 'A University' },
    ],
  })
  const inverted = { ...authored, authors: 'Smith, Ann; Beta, Bob' }
  t.like(renamed(inverted, 'bob beta', 'Beta, Robert'), {
    authors: 'Smith, Ann; Beta, Robert',
    author_details: [{ family: 'Smith' }, { name: 'Robert Beta', affiliation: 'A University' }],
  })
  t.like(renamed(authored, 'Ann Smith', 'Ann of Avonlea'), {
    authors: 'Ann of Avonlea, Bob Beta',
    author_details: [
      { name: 'Ann of Avonlea', orcid: '0000-0002-1825-0097' },
      authored.author_details?.[1],
    ],
  })
  t.is(renamed(authored, 'Cy Young', 'C. Young'), 'unchanged')
})

test('a suffix goes with the name that it is of', (t) => {
  const renamed = (metadata: Partial<Metadata>, from: string, to: string) => {
    const edited = applyBulkEdit({ author: { from, to } }, { ...authored, ...metadata })
    return edited.type === 'changed'
      ? { authors: edited.after.authors, details: edited.after.author_details }
      : edited
  }
  const king = { family: 'King', given: 'Martin Luther', suffix: 'Jr.' }
  const works = { authors: 'Martin Luther King Jr., Bob Beta', author_details: [king, beta] }
  const spellings = [
    'Martin Luther King Jr.',
    'King, Martin Luther, Jr.',
    'King, Jr., Martin Luther',
  ]
  for (const from of spellings) {
    t.deepEqual(renamed(works, from, 'Queen, Martha'), {
      authors: 'Martha Queen, Bob Beta',
      details: [{ family: 'Queen', given: 'Martha' }, beta],
    })
    t.deepEqual(renamed(works, from, 'King, Martin L., III'), {
      authors: 'Martin L. King III, Bob Beta',
      details: [{ family: 'King', given: 'Martin L.', suffix: 'III' }, beta],
    })
    t.deepEqual(renamed(works, from, 'Martin Luther King, Sr.'), {
      authors: 'Martin Luther King Sr., Bob Beta',
      details: [{ name: 'Martin Luther King Sr.' }, beta],
    })
  }
  const inverted = { ...works, authors: 'King, Martin Luther, Jr.; Beta, Bob' }
  t.deepEqual(renamed(inverted, 'Martin Luther King Jr.', 'King, Martin, Sr.'), {
    authors: 'King, Martin, Sr.; Beta, Bob',
    details: [{ family: 'King', given: 'Martin', suffix: 'Sr.' }, beta],
  })
  // The father is another person.
  t.deepEqual(renamed(works, 'Martin Luther King', 'Queen, Martha'), { type: 'unchanged' })
})

test('a list is read from lines, and from a column of CSV with quotes and notes', (t) => {
  t.deepEqual(readWorkList('\ufeffark:/1/a \r\n\n# note\n10.1/x'), ['ark:/1/a', '10.1/x'])
  const csv = 'title,ark,url\r\n"A, ""quoted""\nline",ark:/1/a,u\r\n,ark:/1/b,\r\n# The rest,,\r\n'
  t.deepEqual(readWorkList(csv), ['ark:/1/a', 'ark:/1/b'])
  t.deepEqual(readWorkList('ark\nark:/1/a'), ['ark:/1/a'])
  const excel = '\ufeffTitle;DOI;Ark identifier\r"A; B";10.1/x;\r;10.1/y;ark:/1/b\r'
  t.deepEqual(readWorkList(excel), ['10.1/x', 'ark:/1/b'])
  t.deepEqual(readWorkList('title,url\na,b'), ['title,url', 'a,b'])
  t.deepEqual(readWorkList('"10.1/a'), ['"10.1/a'])
  t.deepEqual(readWorkList(''), [])
  const broken = t.throws(() => readWorkList('ark,title\nark:/1/a,x\nark:/1/b,"y\n'))
  t.regex(broken?.message ?? '', /quotation mark in the row that begins on line 3 is not closed/)
})

test('values that are read differently now are changed only where that is asked for', async (t) => {
  const { registry, arks, prepare, read } = await openPress(t, { works: 3 })
  const [old = '', refused = ''] = arks
  const by = operatorAgent
  const { works } = registry.environments.live
  // As works were stored before the tables: no check stands before this port.
  const before = { language: 'eng', license: 'CC BY 4.0', work_type: 'journal-article' }
  const update = (ark: string, patch: object) =>
    works.update({ ark: ark.replace(/^ark:\/?/, ''), by, patch })
  t.like(await update(old, before), { type: 'changed' })
  t.like(await update(refused, { language: 'xx' }), { type: 'changed' })
  const draft = await prepare({ reread: true })
  t.like(draft, { ready: 1, left: 2, edit: { reread: true } })
  const page = await registry.admin.call('/works/change/part', { ...named(draft.id), part: 0 })
  t.deepEqual(
    page.works[0]?.changes.map(({ field, before: was, after }) => [field, was, after]),
    [
      ['work_type', 'journal-article', 'article'],
      ['language', 'eng', 'en'],
      ['license', 'CC BY 4.0', 'CC-BY-4.0'],
    ],
  )
  const [left] = page.left_out.filter(({ reason }) => reason === 'invalid')
  t.regex(left?.message ?? '', /^language must be a two-letter ISO 639-1 code/)
  t.like(await read(old), { version: 2 })
  const runner = runnerOf(t, registry)
  t.teardown(() => runner.close())
  await start(registry, draft.id)
  await runner.resume()
  t.like(await finished(registry, draft.id), { state: 'done', changed: 1 })
  const values = { language: 'en', license: 'CC-BY-4.0', work_type: 'article' }
  t.like(await read(old), { version: 3, ...values })
  t.like(await prepare({ reread: true }), { ready: 0 })
})
