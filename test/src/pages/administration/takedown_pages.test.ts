import test from 'ava'

import { operator } from '#src/identity/store/owner_text.ts'
import { goodWork } from '#test/src/_registry.ts'
import { openPress, signUp } from '#test/src/pages/_members.ts'

const path = '/auth/admin/takedowns'

test('an administrator takes down the work of a person, in the name of the operator', async (t) => {
  const registry = await openPress(t)
  const root = await signUp(t, registry, 'root')
  const ada = await signUp(t, registry, 'ada')
  t.is((await root.browser.get(path)).status, 403)
  await registry.accounts.accounts.setAdmin(root.ppid, true, operator)
  const owner = { type: 'person', id: ada.ppid, name: ada.ppid } as const
  const { works, catalogue } = registry.environments.live
  const answer = await works.register({
    metadata: { ...goodWork, work_type: 'article', work_title: 'On <b>others' },
    by: { ...owner, via: 'ui' },
    warnings: [],
    allowDuplicate: false,
    allowRepeat: false,
    dryRun: false,
  })
  if (answer.type !== 'registered') return t.fail(answer.type)
  const { ark_identifier: work } = answer.work
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
