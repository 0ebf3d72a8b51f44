import test, { type ExecutionContext } from 'ava'

import type { BulkEdit, BulkSelection } from '#src/use_cases/bulk_edit.ts'
import { applyBulkEdit } from '#src/use_cases/bulk_edit.ts'
import { readWorkList } from '#src/use_cases/bulk_change.ts'
import { BulkRunner } from '#src/use_cases/bulk_change_jobs.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { admin } from '#test/src/pages/_members.ts'
import { JarBrowser } from '#test/src/_jar_browser.ts'
import { mint, type ServedRegistry, serveRegistry } from '#test/src/_served_registry.ts'
import { until } from '#test/_until.ts'

type Options = { readonly works?: number; readonly changes?: Record<string, unknown> }

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
    report: (error) => t.log(error),
  })
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
  t.like(told, { length: 1, 0: { works_count: 30, changed: 'the licence and the address' } })
  // What is told to begin again stays at its end.
  t.like(await registry.bulkChanges.start('demo', draft.id), { state: 'done', changed: 30 })
})

test('a runner that ends in the middle is followed by one that does no work twice', async (t) => {
  const { registry, arks, prepare, read } = await openPress(t, { works: 60 })
  const { id } = await prepare({ publisher_name: 'Another Press' })
  const first = runnerOf(t, registry, 1_500)
  await registry.bulkChanges.start('demo', id)
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
  await changes.start('demo', id)
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
  const { left } = await registry.admin.call('/works/change/part', { ...named(draft.id), part: 0 })
  t.deepEqual(
    left.map(({ work, reason }) => [work, reason]),
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
  await registry.bulkChanges.start('demo', draft.id)
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
  const filter = { year: 'last', type: 'thing' }
  t.regex((await refusal({ language: 'de' }, { filter })).message ?? '', /details has 1 more/)
})

test('one is under way at a time, and ends if stopped, or its member may no more', async (t) => {
  const { registry, prepare } = await openPress(t, { works: 30 })
  const [one, two] = [await prepare({ language: 'de' }), await prepare({ language: 'fr' })]
  await registry.bulkChanges.start('demo', one.id)
  const second = registry.bulkChanges.start('demo', two.id)
  t.regex((await t.throwsAsync(second))?.message ?? '', /Another bulk change is under way/)
  await registry.bulkChanges.stop('demo', one.id)
  const runner = runnerOf(t, registry)
  await runner.resume()
  t.like(await finished(registry, one.id), { state: 'stopped', changed: 0 })
  const browser = new JarBrowser(registry.port, registry.baseUrl)
  const person = { name: 'Ed', email: 'ed@example.org', password: 'a long enough sentence' }
  const ppid = await browser.signUp(person)
  const { organizations } = registry.environments.live
  await organizations.addMember({ slug: 'demo', ppid, role: 'editor', by: admin })
  const desk = '/auth/organizations/demo/changes'
  await browser.get(desk)
  const preview = await browser.postThen(desk, { language: 'fr' })
  const [, id = ''] = /changes\/([0-9a-f]{28})\/start/.exec(preview.body) ?? []
  await organizations.removeMember({ slug: 'demo', ppid, by: admin })
  await registry.bulkChanges.start('demo', id)
  t.like(await finished(registry, id), { state: 'stopped', changed: 0 })
  await runner.close()
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

test('a list is read from lines, and from a column of CSV with quotes and notes', (t) => {
  t.deepEqual(readWorkList('\ufeffark:/1/a \r\n\n# note\n10.1/x'), ['ark:/1/a', '10.1/x'])
  const csv = 'title,ark,url\r\n"A, ""quoted""\nline",ark:/1/a,u\r\n,ark:/1/b,\r\n# The rest,,\r\n'
  t.deepEqual(readWorkList(csv), ['ark:/1/a', 'ark:/1/b'])
  t.deepEqual(readWorkList('ark\nark:/1/a'), ['ark:/1/a'])
})
