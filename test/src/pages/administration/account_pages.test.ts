import test from 'ava'

import { operator } from '#src/identity/store/owner_text.ts'
import { createPerson, bob } from '#test/actors/_person.ts'
import { makeReady, openPress, signUp } from '#test/src/pages/_members.ts'

const path = '/auth/admin/accounts'

test('administrators find accounts, and do to them what the commands do', async (t) => {
  const registry = await openPress(t)
  const { accounts, sessions } = registry.accounts
  const root = await signUp(t, registry, 'root')
  const ada = await signUp(t, registry, 'ada')
  const own = `${path}/${ada.ppid}`
  t.is((await root.browser.get(path)).status, 403)
  t.is((await root.browser.get('/auth/admin')).status, 403)
  await accounts.setAdmin(root.ppid, true, operator)

  const start = (await root.browser.get('/auth/admin')).body
  t.regex(start, /Requests for organizations/)
  t.regex(start, /href="\/auth\/admin\/claims">0<\/a>/)
  for (const text of ['ADA@example.org', 'ada', '@ada', ada.ppid]) {
    const found = await root.browser.get(`${path}?q=${encodeURIComponent(text)}`)
    t.is(found.headers.location, own)
  }
  t.regex(
    (await root.browser.get(`${path}?q=<b>`)).body,
    /No name and no address has “&#60;b&#62;”/,
  )
  t.regex((await root.browser.get(`${path}?q=ROO`)).body, new RegExp(`accounts/${root.ppid}"`))
  t.regex((await root.browser.get(path)).body, new RegExp(ada.ppid))

  const push = async (step: string, fields: Record<string, string> = {}) => {
    const { headers, status } = await root.browser.submit(`${own}/${step}`, fields)
    return headers.location ?? status
  }
  t.is(await push('make-administrator', { ppid: ada.ppid }), 409)
  const lacking = (await root.browser.get(`${own}/make-administrator`)).body
  t.regex(lacking, /must verify their e-mail address first/)
  await makeReady(t, registry, ada)
  t.is(await push('make-administrator', { ppid: root.ppid }), 422)
  const named = await push('make-administrator', { ppid: ada.ppid })
  t.is(named, `${own}?done=make-administrator`)
  t.deepEqual(accounts.find(ada.ppid)?.roles, ['admin'])
  t.is((await root.browser.get(`${own}/make-administrator`)).status, 409)
  await push('end-administrator')
  t.deepEqual(accounts.find(ada.ppid)?.roles, [])
  t.regex((await ada.browser.get('/auth/account/audit')).body, /an administrator/)
  await push('end-sessions')
  t.is(sessions.list(ada.ppid).length, 0)
  await registry.accounts.secondFactors.end(ada.ppid, operator)
  t.is((await root.browser.get(`${own}/end-second-step`)).status, 409)
  t.is((await root.browser.get(`${own}/anything`)).status, 404)

  const about = { type: 'person', id: ada.ppid } as const
  const entries = await registry.oauth.audit.read(about, { limit: 10 })
  const byRoot = entries.filter(({ by }) => by?.id === root.ppid).map(({ action }) => action)
  t.deepEqual(byRoot.toSorted(), ['admin_ended', 'made_admin', 'sessions_ended'])

  t.is(await push('remove', { ppid: root.ppid }), 422)
  t.not(accounts.find(ada.ppid), undefined)
  t.is(await push('remove', { ppid: ada.ppid }), `${path}?done=remove`)
  t.is(accounts.find(ada.ppid), undefined)
  t.is((await root.browser.get(own)).status, 404)
})

test('nobody changes their own account there, so an administrator is always left', async (t) => {
  const registry = await openPress(t)
  const root = await signUp(t, registry, 'root')
  await registry.accounts.accounts.setAdmin(root.ppid, true, operator)
  const own = `${path}/${root.ppid}`
  t.regex((await root.browser.get(own)).body, /This is your own account/)
  for (const step of ['end-administrator', 'end-sessions', 'remove']) {
    t.is((await root.browser.get(`${own}/${step}`)).status, 409)
  }
})

test('an invitation is shown once, and makes one account', async (t) => {
  const registry = await openPress(t)
  const root = await signUp(t, registry, 'root')
  await registry.accounts.accounts.setAdmin(root.ppid, true, operator)
  const sent = await root.browser.submit(path, {}, `${path}/invite`)
  t.is(sent.headers.location, path)
  const link = /\/auth\/sign-up\?invite&#61;[\w-]+/
  t.regex((await root.browser.get(path)).body, link)
  t.notRegex((await root.browser.get(path)).body, link)
})

test('whose account is lost is found by their identifier, and given another', async (t) => {
  const registry = await openPress(t)
  const { accounts } = registry.accounts
  const root = await signUp(t, registry, 'root')
  const ada = await signUp(t, registry, 'ada')
  await accounts.setAdmin(root.ppid, true, operator)
  await createPerson(registry.environments.live, bob, { name: 'Bob' })
  const page = `/auth/admin/people/${bob}/account`
  t.is((await root.browser.get(`${path}?q=${bob}`)).headers.location, page)
  t.is((await ada.browser.get(page)).status, 403)
  t.is((await root.browser.get(page.replace(bob, ada.ppid))).status, 404)
  const taken = await root.browser.submit(page, { email: 'ADA@example.org' })
  t.is(taken.status, 422)
  t.regex(taken.body, /an account has it/)
  t.is(accounts.find(bob), undefined)
  const made = await root.browser.submit(page, { email: 'bob@example.org' })
  t.is(made.headers.location, `${path}/${bob}`)
  t.regex((await root.browser.get(`${path}/${bob}`)).body, /\/auth\/reset\/[\w-]+/)
  t.like(accounts.find(bob), { email: 'bob@example.org', email_verified: false, roles: [] })
  const about = { type: 'person', id: bob } as const
  const entries = await registry.oauth.audit.read(about, { limit: 10 })
  t.true(entries.some(({ by }) => by?.id === root.ppid))
  t.is((await root.browser.get(page)).status, 404)
})

test('an administrator changes the address of an account with what was proved', async (t) => {
  const registry = await openPress(t)
  const { accounts, sessions } = registry.accounts
  const root = await signUp(t, registry, 'root')
  const ada = await signUp(t, registry, 'ada')
  await accounts.setAdmin(root.ppid, true, operator)
  const page = `${path}/${ada.ppid}/change-address`
  const push = (email: string, proof: string) => root.browser.submit(page, { email, proof })
  t.regex((await push('new@example.org', ' ')).body, /Say how the person proved who they are/)
  t.is((await push('root@example.org', 'Seen.')).status, 422)
  t.is(accounts.find(ada.ppid)?.email, 'ada@example.org')
  const { headers } = await push('new@example.org', 'Called back.')
  t.like(accounts.find(ada.ppid), { email: 'new@example.org', email_verified: false })
  t.is(sessions.list(ada.ppid).length, 0)
  t.regex((await root.browser.get(String(headers.location))).body, /\/auth\/reset\/once_/)
  const about = { type: 'person', id: ada.ppid } as const
  const entries = await registry.oauth.audit.read(about, { limit: 10 })
  const changed = entries.find(({ action }) => action === 'address_changed')
  t.like(changed, { because: 'Called back.', by: { id: root.ppid } })
  t.is((await root.browser.get(`${path}/${root.ppid}/change-address`)).status, 409)
})
