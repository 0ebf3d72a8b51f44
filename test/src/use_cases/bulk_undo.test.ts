import test, { type ExecutionContext } from 'ava'

import type { MemberRole } from '#actors/values/authority.ts'
import { operatorAgent } from '#src/identity/store/owner_text.ts'
import { BulkRunner } from '#src/use_cases/bulk_change_jobs.ts'
import type { BulkUndo } from '#src/use_cases/bulk_undo.ts'
import { JarBrowser } from '#test/src/_jar_browser.ts'
import { mint, serveRegistry } from '#test/src/_served_registry.ts'
import { until } from '#test/_until.ts'

const scopes = ['works:read', 'works:write', 'works:delete']

/** A registry with works of a key that is trusted and of one that was stolen. */
async function openPress(t: ExecutionContext) {
  const registry = await serveRegistry({})
  t.teardown(() => registry.close())
  const own = await registry.key({ scopes })
  const stolen = await registry.key({ scopes })
  const of = (title: string, key = own) => mint(registry, key, { work_title: title, volume: '1' })
  const put = (ark: string, body: unknown, key = stolen) =>
    registry.call(`/v1/works/${ark}`, { method: 'PUT', key, body })
  const remove = (ark: string, key = stolen) =>
    registry.call(`/v1/works/${ark}`, { method: 'DELETE', key, body: { reason: 'other' } })
  const read = async (ark: string) => (await registry.call(`/v1/works/${ark}`, { key: own })).json()
  const [thief] = registry.keys
    .list({ type: 'organization', id: 'demo' })
    .filter(({ id }) => stolen.includes(id))
  t.truthy(thief)
  const by = `key:${thief?.id ?? ''}`
  const run = async (id: string) => {
    const runner = new BulkRunner({
      changes: registry.bulkChanges,
      environments: registry.environments,
      worksPerMinute: 6_000_000,
      report: (error) => t.log(error),
    })
    await runner.resume()
    const job = () => registry.bulkChanges.find('demo', id)
    await until('the end', () => ['done', 'stopped'].includes(job()?.state ?? ''))
    await runner.close()
    return job()
  }
  const prepare = (undo: Omit<BulkUndo, 'reason'>) =>
    registry.admin.call('/works/change', {
      organization: 'demo',
      edit: { undo: { reason: 'fraud', ...undo } },
      selection: { filter: {} },
    })
  return { registry, own, stolen, of, put, remove, read, by, run, prepare }
}

const start = (id: string) => ({ organization: 'demo', id })

test('all that a key did since a time is undone, and nothing else', async (t) => {
  const { registry, own, stolen, of, put, remove, read, by, run, prepare } = await openPress(t)
  const names = ['changed', 'twice', 'mixed', 'trusted', 'gone'] as const
  const [changed, twice, mixed, trusted, gone] = await Promise.all(names.map((name) => of(name)))
  const early = await of('early', stolen)
  const works = { changed, twice, mixed, trusted, gone, early }
  const ark = Object.fromEntries(
    Object.entries(works).map(([name, work]) => [name, work?.ark_identifier ?? '']),
  ) as Record<keyof typeof works, string>
  // What follows is later than what was registered before, which `early` was.
  const { created_at: at } = await of('between')
  await until('a later time', () => Date.now() > Date.parse(at))
  const since = new Date(Date.parse(at) + 1).toISOString()
  await put(ark.changed, { volume: '2', license: 'CC0-1.0' })
  await put(ark.twice, { volume: '2' })
  await put(ark.twice, { work_title: 'Bought' })
  await put(ark.mixed, { volume: '2' })
  await put(ark.mixed, { issue: '9' }, own)
  await put(ark.trusted, { volume: '3' }, own)
  await remove(ark.gone)
  const forged = await of('Forged', stolen)
  await put(forged.ark_identifier, { volume: '5' })

  const draft = await prepare({ by, since, note: 'Done with a stolen key.' })
  t.like(draft, { state: 'draft', ready: 4, withdrawals: 1, registrations: 1, left: 1 })
  const part = await registry.admin.call('/works/change/part', { ...start(draft.id), part: 0 })
  const shown = new Map(part.works.map((work) => [work.ark_identifier, work]))
  t.deepEqual(
    shown.get(ark.changed)?.changes.toSorted((a, b) => (a.field < b.field ? -1 : 1)),
    [
      { field: 'license', before: 'CC0-1.0', after: null },
      { field: 'volume', before: '2', after: '1' },
    ],
  )
  t.like(shown.get(forged.ark_identifier), { withdraws: true, changes: [] })
  t.like(shown.get(ark.gone), { registers: true, changes: [] })
  t.deepEqual(Object.fromEntries(part.left_out.map(({ work, reason }) => [work, reason])), {
    [ark.mixed]: 'changed_by_others',
  })
  t.like(await read(ark.changed), { version: 2 })

  await registry.admin.call('/works/change/start', start(draft.id))
  t.like(await run(draft.id), { state: 'done', done: 4, changed: 4 })
  const restored = await read(ark.changed)
  t.like(restored, { version: 3, volume: '1' })
  t.false('license' in restored)
  t.truthy(registry.environments.live.catalogue.findReceipt(String(restored['receipt_id'])))
  t.like(await read(ark.twice), { version: 4, volume: '1', work_title: 'twice' })
  t.like(await read(ark.mixed), { version: 3, volume: '2', issue: '9' })
  t.like(await read(ark.trusted), { version: 2, volume: '3' })
  t.like(await read(ark.early), { version: 1 })
  const tombstone = await registry.call(`/v1/works/${forged.ark_identifier}`, { key: own })
  t.is(tombstone.status, 410)
  t.regex(tombstone.body, /Done with a stolen key\./)
  t.regex(tombstone.body, /Operator of the registry/)

  const owner = { type: 'organization', id: 'demo' } as const
  const audit = await registry.oauth.audit.read(owner, { limit: 50 })
  t.like(
    audit.filter(({ action }) => action === 'works_undone'),
    {
      length: 1,
      0: { works_count: 4, because: 'Done with a stolen key.', by: { type: 'operator' } },
    },
  )
  // What was undone is not undone again.
  t.like(await prepare({ by, since }), { ready: 0 })
})

test('works that a key withdrew are registered again for their owner, once', async (t) => {
  const { registry, own, of, put, remove, read, by, run, prepare } = await openPress(t)
  const names = ['spoilt', 'gone', 'erased', 'trusted'] as const
  const works = await Promise.all(names.map((name) => of(name)))
  const [spoilt = '', gone = '', erased = '', trusted = ''] = works.map(
    ({ ark_identifier: ark }) => ark,
  )
  await put(spoilt, { volume: '2' })
  for (const ark of [spoilt, gone, erased]) await remove(ark)
  await remove(trusted, own)
  await registry.admin.call('/works/erase', { ark: erased, withdraw: false })
  const undo = { by, since: '2020-01-01' }
  const [draft, same] = [await prepare(undo), await prepare(undo)]
  t.like(draft, { ready: 2, withdrawals: 0, registrations: 2, left: 0 })
  for (const { id } of [draft, same]) {
    await registry.admin.call('/works/change/start', start(id))
    await run(id)
  }
  const outcomes = registry.bulkChanges.readyPart(draft.id, 0)
  const again = new Map(
    outcomes.map(({ ark, outcome }) => [
      `ark:/${ark}`,
      outcome && 'new_ark' in outcome ? (outcome.new_ark ?? '') : '',
    ]),
  )
  const made = await read(again.get(spoilt) ?? '')
  t.like(made, { version: 1, work_title: 'spoilt', volume: '1' }, 'as before it was changed')
  t.like(made['related_identifiers'], [
    { relation: 'IsIdenticalTo', identifier: spoilt.replace('ark:/', 'ark:'), scheme: 'ARK' },
  ])
  const state = registry.environments.live.catalogue.state(
    (again.get(gone) ?? '').slice('ark:/'.length),
  )
  t.like(state?.owner, { type: 'organization', id: 'demo' })
  const page = await registry.call(`/${gone}`, { headers: [['accept', 'text/html']] })
  t.true(page.body.includes(`/${again.get(gone) ?? '-'}"`), 'it leads to the new one')
  t.deepEqual(registry.bulkChanges.readyPart(same.id, 0), outcomes, 'not a second time')
  t.like(await prepare(undo), { ready: 0, left: 2 })
})

test('an undo that ended before its outcome was noted withdraws and restores once', async (t) => {
  const { registry, stolen, of, put, read, by, run, prepare } = await openPress(t)
  const kept = await of('kept')
  await put(kept.ark_identifier, { volume: '2' })
  const forged = await of('forged', stolen)
  const { id } = await prepare({ by, since: '2020-01-01' })
  const changes = registry.bulkChanges
  const note = changes.note.bind(changes)
  let isFirst = true
  changes.note = async (...given) => {
    if (!isFirst) return note(...given)
    isFirst = false
    throw new Error('the process ends here')
  }
  await registry.admin.call('/works/change/start', start(id))
  const crashed = new BulkRunner({
    changes,
    environments: registry.environments,
    report: () => undefined,
  })
  await crashed.resume()
  await until('the end of the process', () => !isFirst)
  await crashed.close()
  t.is(changes.find('demo', id)?.done, 0)
  t.like(await run(id), { state: 'done', done: 2, changed: 2 })
  const outcomes = changes.readyPart(id, 0).map(({ outcome }) => outcome)
  const noted = outcomes.map((each) => JSON.stringify(each)).toSorted()
  t.deepEqual(noted, ['{"version":1,"withdrawn":true}', '{"version":3}'])
  t.like(await read(kept.ark_identifier), { version: 3, volume: '1' })
  t.is((await registry.call(`/v1/works/${forged.ark_identifier}`, { key: stolen })).status, 410)
})

test('owners and administrators undo; editors and keys of the organization cannot', async (t) => {
  const { registry, own, of, put, read, by, run } = await openPress(t)
  const work = await of('kept')
  await put(work.ark_identifier, { volume: '2' })
  const undo = { by, since: '2020-01-01', reason: 'fraud' }
  const body = { edit: { undo }, selection: { filter: {} } }
  const path = '/v1/organizations/demo/bulk-changes'
  const byKey = await registry.call(path, { method: 'POST', key: own, body })
  t.is(byKey.status, 403)
  t.regex(byKey.body, /Only owners of the organization/)

  const desk = '/auth/organizations/demo/changes'
  const signIn = async (name: string, role: MemberRole) => {
    const browser = new JarBrowser(registry.port, registry.baseUrl)
    const email = `${name}@example.org`
    const ppid = await browser.signUp({ name, email, password: 'a long enough sentence' })
    const { organizations } = registry.environments.live
    await organizations.addMember({ slug: 'demo', ppid, role, by: operatorAgent })
    return browser
  }
  const editor = await signIn('ed', 'editor')
  t.is((await editor.get(`${desk}/undo`)).status, 403)
  const owner = await signIn('ona', 'owner')
  t.regex((await owner.get(`${desk}/undo?by=${by}`)).body, /selected>/)
  const wrong = await owner.post(`${desk}/undo`, { by, since: 'yesterday', reason: '' })
  t.regex(wrong.body, /is not a time: write 2026-11-28/)
  const { body: preview } = await owner.postThen(`${desk}/undo`, undo)
  t.regex(preview, /Undo changes to 1 work\?/)
  const id = /changes\/([0-9a-f]{28})\/start/.exec(preview)?.[1] ?? ''
  await editor.get('/auth/account')
  t.is((await editor.post(`${desk}/${id}/start`)).status, 403)
  await owner.get(desk)
  t.is((await owner.post(`${desk}/${id}/start`)).status, 303)
  t.like(await run(id), { state: 'done', changed: 1 })
  t.like(await read(work.ark_identifier), { version: 3, volume: '1' })
  t.regex(
    (await owner.get('/auth/organizations/demo/history')).body,
    /Undid all changes since 1 Jan 2020, 00:00 UTC \(Key /,
  )
})

test('what cannot be undone like this is refused with all that is wrong', async (t) => {
  const { registry, by } = await openPress(t)
  const refused = async (edit: object, filter: object = {}) => {
    const body = { organization: 'demo', edit, selection: { filter } }
    const call = registry.admin.call('/works/change', body as never)
    return (await t.throwsAsync(call))?.message ?? ''
  }
  const undo = { by, since: '2026-11-28', reason: 'fraud' }
  t.regex(await refused({ undo: { ...undo, by: 'somebody' } }), /Write key:ID/)
  t.regex(await refused({ undo: { ...undo, since: '2026-13-45' } }), /is not a time/)
  t.regex(await refused({ undo, language: 'de' }), /An undo changes nothing else/)
  t.regex(await refused({ undo }, { q: 'words' }), /leave out the words/)
})
