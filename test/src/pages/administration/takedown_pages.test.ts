import test, { type ExecutionContext } from 'ava'

import type { ServedEnvironment } from '#actors/registry/environment.ts'
import type { Ark } from '#actors/values/ark.ts'
import type { EraseCommand, WithdrawCommand } from '#actors/works/port.ts'
import { NewsWatch } from '#src/delivery/mail/newsroom.ts'
import { operator } from '#src/identity/store/owner_text.ts'
import { actingOperator, eraseWork, isMadeOf, takeDown } from '#src/use_cases/takedown.ts'
import { TestClock } from '#test/src/identity/_identity.ts'
import { goodWork, type TestRegistry } from '#test/src/_registry.ts'
import { openPress, signUp } from '#test/src/pages/_members.ts'

const path = '/auth/admin/takedowns'

/** Registers a work of a person; gives its ARK. */
async function register(t: ExecutionContext, registry: TestRegistry, ppid: string) {
  const answer = await registry.environments.live.works.register({
    metadata: { ...goodWork, work_type: 'article', work_title: 'On <b>others' },
    by: { type: 'person', id: ppid, name: ppid, via: 'ui' },
    warnings: [],
    allowDuplicate: false,
    allowRepeat: true,
    dryRun: false,
  })
  if (answer.type === 'registered') return answer.work.ark_identifier
  t.fail(answer.type)
  return ''
}

test('an administrator takes down the work of a person, in the name of the operator', async (t) => {
  const registry = await openPress(t)
  const root = await signUp(t, registry, 'root')
  const ada = await signUp(t, registry, 'ada')
  t.is((await root.browser.get(path)).status, 403)
  await registry.accounts.accounts.setAdmin(root.ppid, true, operator)
  const owner = { type: 'person', id: ada.ppid, name: ada.ppid } as const
  const { catalogue } = registry.environments.live
  const work = await register(t, registry, ada.ppid)
  t.regex((await root.browser.get(`${path}?work=ark:/12345/none`)).body, /There is no work/)
  const page = `${path}?work=${encodeURIComponent(work)}`
  const shown = (await root.browser.get(page)).body
  t.regex(shown, /<dd>On others<\/dd>/)
  t.true(shown.includes(`/admin/accounts/${ada.ppid}`))
  const wish = { work, reason: 'personal_data', note: '  ' }
  const refused = await root.browser.submit(page, { ...wish, reason: 'spite' }, path)
  t.regex(refused.body, /The reason must be one of court_order/)
  const preview = await root.browser.submit(page, wish, path)
  t.regex(preview.body, /Nobody can undo it[^]*On others[^]*Personal data[^]*Take down permanently/)
  t.is(catalogue.state(work.slice('ark:/'.length))?.status, 'registered')
  const done = await root.browser.submit(page, { ...wish, confirmed: 'yes' }, path)
  t.is(done.status, 303)
  t.regex((await root.browser.get(String(done.headers.location))).body, /is taken down/)
  t.is(catalogue.state(work.slice('ark:/'.length))?.status, 'withdrawn')
  const twice = await root.browser.get(page)
  t.false(twice.body.includes('Take down</button>'))

  const own = (await ada.browser.get('/auth/account/audit')).body
  t.regex(own, /Work ark:\/12345[^]*taken down by the operator[^]*Personal data/)
  const tombstone = await registry.server.inject({ url: `/api/v1/resolve/${work}` })
  t.false(tombstone.body.includes(root.ppid))

  // It was a mistake: the work of the person is there again, once.
  t.regex(twice.body, /Register again<\/button>/)
  const again = await root.browser.submit(page, { work }, `${path}/again`)
  t.is(again.status, 303, again.body)
  const { searchParams } = new URL(String(again.headers.location), 'http://x')
  const newArk = searchParams.get('work') ?? ''
  t.like(catalogue.state(newArk.slice('ark:/'.length)), { status: 'registered', owner })
  const old = await registry.server.inject({ url: `/${work}`, headers: { accept: 'text/html' } })
  t.true(old.body.includes(`/${newArk}"`), 'the page of the old ARK leads to the new one')
  const list = (await ada.browser.get('/auth/account/audit')).body
  t.regex(list, /registered again by the operator/)
  t.true(list.includes(newArk))
  t.is((await root.browser.submit(page, { work }, `${path}/again`)).status, 409)
})

test('an administrator erases a work after a look at what goes; its owner is told', async (t) => {
  const registry = await openPress(t)
  const root = await signUp(t, registry, 'root')
  const ada = await signUp(t, registry, 'ada')
  const work = await register(t, registry, ada.ppid)
  const page = `${path}/erase?work=${encodeURIComponent(work)}`
  t.is((await root.browser.get(page)).status, 403, 'for administrators alone')
  await registry.accounts.accounts.setAdmin(root.ppid, true, operator)
  registry.time.nowMs += 11 * 60_000
  const stale = await root.browser.get(page)
  t.regex(String(stale.headers.location), /^\/auth\/account\/confirm\?/, 'who is it still?')
  registry.time.nowMs -= 11 * 60_000

  const found = (await root.browser.get(`${path}?work=${encodeURIComponent(work)}`)).body
  t.true(found.includes(`${path}/erase?work`))
  const shown = (await root.browser.get(page)).body
  t.regex(shown, /<dd>On others<\/dd>[^]*<dd>Ox, Ada; Pen, Bo<\/dd>[^]*press\.example\/things/)
  t.regex(shown, /not withdrawn yet/)
  const wish = { work, reason: 'court_order', note: 'Court of X, 4 O 12/26.' }
  const { catalogue } = registry.environments.live
  const state = () => catalogue.state(work.slice('ark:/'.length))
  const slip = await root.browser.submit(page, { ...wish, ark: 'ark:/12345/k2' }, `${path}/erase`)
  t.regex(slip.body, /This is not the ARK of the work/)
  const long = { ...wish, ark: work, note: 'a'.repeat(2_001) }
  t.is((await root.browser.submit(page, long, `${path}/erase`)).status, 422, 'no note is cut')
  t.is(state()?.status, 'registered')
  const done = await root.browser.submit(page, { ...wish, ark: work }, `${path}/erase`)
  t.is(done.status, 303, done.body)
  t.like(state(), { status: 'withdrawn' })
  t.truthy(state()?.erased_at)
  const after = (await root.browser.get(String(done.headers.location))).body
  t.regex(after, /We erased the metadata[^]*The metadata of this work was erased on/)
  t.false(after.includes('On others'))
  t.is((await root.browser.get(page)).status, 410)

  const byNetwork = await root.browser.get('/auth/admin/audit?address=127.0.0&action=work_erased')
  t.true(byNetwork.body.includes(work), 'it is found by the network it was done from')
  const own = (await ada.browser.get('/auth/account/audit')).body
  t.regex(own, /Work ark:\/12345[^]*metadata erased[^]*Court of X, 4 O 12\/26\./)
  const tombstone = await registry.server.inject({ url: `/api/v1/resolve/${work}` })
  t.like(tombstone.json(), {
    metadata_erased: true,
    reason: 'court_order',
    source: { type: 'operator', name: 'Operator of the registry' },
  })
  t.false(tombstone.body.includes('Court of X'), 'readers see no note')
  t.false(tombstone.body.includes(root.ppid))
})

test('what a crash cut off before its audit entry is told once by the next look', async (t) => {
  const registry = await openPress(t)
  const { ppid } = await signUp(t, registry, 'ada')
  const { environments, oauth, keys } = registry
  const { live } = environments
  const [down, gone, standing] = [
    await register(t, registry, ppid),
    await register(t, registry, ppid),
    await register(t, registry, ppid),
  ]
  const cut = () => Promise.reject(new Error('the process ended'))
  const works = {
    withdraw: (command: WithdrawCommand) =>
      `ark:/${command.ark}` === standing ? cut() : live.works.withdraw(command).then(cut),
    erase: (command: EraseCommand) => live.works.erase(command).then(cut),
  }
  const { naan, catalogue } = live
  const environment = { naan, catalogue, works } as unknown as ServedEnvironment
  const served = { oauth, environments: { ...environments, live: environment } }
  const hand = { by: operator, via: 'cli', nowMs: registry.time.nowMs } as const
  for (const work of [down, standing]) {
    const asked = { work, reason: 'fraud', note: 'Made up.' }
    await t.throwsAsync(takeDown(served, asked, hand), { message: 'the process ended' })
  }
  const erasure = { reason: 'legal', withdraws: true, by: actingOperator(operator, 'cli') } as const
  const work = { environment, ark: gone.slice(5) as Ark }
  await t.throwsAsync(eraseWork(served, work, erasure, hand), { message: 'the process ended' })
  const told = async () =>
    (await oauth.audit.read({ type: 'person', id: ppid }, { limit: 100 })).filter(({ ark }) => ark)
  t.deepEqual(await told(), [])

  const clock = new TestClock(new Date(registry.time.nowMs).toISOString())
  const watch = new NewsWatch({
    audit: oauth.audit,
    isMade: (entry) => isMadeOf(entry, (ark) => catalogue.state(ark)),
    keys,
    organizations: { list: () => Promise.resolve([]) },
    holdings: live.holdings,
    clock,
    report: (fault) => t.fail(String(fault)),
  })
  t.teardown(() => watch.close())
  await watch.look()
  t.deepEqual(await told(), [], 'who began it may still be at it')
  clock.forward(61_000)
  await watch.look()
  await watch.look()
  const because = ['Made up.', 'Another legal reason']
  t.deepEqual((await told()).map((entry) => entry.because ?? '').toSorted(), because.toSorted())
  t.deepEqual((await told()).map(({ ark }) => `ark:/${ark}`).toSorted(), [down, gone].toSorted())

  // What was not made is forgotten after a day.
  clock.forward(25 * 3_600_000)
  await watch.look()
  await oauth.audit.settle(() => true, clock.nowMs())
  t.is((await told()).length, 2)
})
