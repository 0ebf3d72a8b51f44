import test from 'ava'

import { operator } from '#src/identity/store/owner_text.ts'
import { openPress, signUp, signUpMember } from '#test/src/pages/_members.ts'
import { Browser } from '#test/src/pages/_browser.ts'

const path = '/auth/admin/suspensions'

test('members of a suspended organization read its pages, and change nothing', async (t) => {
  const registry = await openPress(t)
  const owner = await signUpMember(t, registry, 'owner')
  const root = await signUp(t, registry, 'root')
  t.is((await owner.browser.get(path)).status, 403)
  await registry.accounts.accounts.setAdmin(root.ppid, true, operator)
  t.regex((await root.browser.get(path)).body, /Nothing is suspended/)
  const wrong = await root.browser.submit(path, {
    type: 'organization',
    id: 'none',
    reason: 'Why.',
  })
  t.is(wrong.status, 422)
  t.regex(wrong.body, /There is no organization none/)
  const empty = await root.browser.submit(path, { type: 'organization', id: 'press', reason: '' })
  t.regex(empty.body, /A reason is one line/)
  const wish = { type: 'organization', id: 'press', reason: 'Rights <b>disputed' }
  const done = await root.browser.submit(path, wish)
  t.is(done.headers.location, `${path}?done=suspended`)
  t.regex((await root.browser.get(path)).body, /press<\/code><\/a>[^]*Rights &#60;b&#62;disputed/)

  const desk = await owner.browser.get('/auth/organizations/press')
  t.is(desk.status, 200)
  t.regex(desk.body, /organization press is suspended since .*Rights &#60;b&#62;disputed/)
  const edit = '/auth/organizations/press/edit'
  const refused = await owner.browser.submit(edit, { name: 'Another' })
  t.is(refused.status, 403)
  t.regex(refused.body, /press is suspended/)
  t.is((await root.browser.submit(edit, { name: 'By the operator' })).status, 303)
  const ended = await root.browser.submit(
    path,
    { type: 'organization', id: 'press' },
    `${path}/resume`,
  )
  t.is(ended.headers.location, `${path}?done=resumed`)
  t.is((await owner.browser.submit(edit, { name: 'Another' })).status, 303)
  const audit = (await root.browser.get('/auth/admin/audit?subject=org:press')).body
  t.regex(audit, /suspended \(Rights &#60;b&#62;disputed/)
})

test('a person who is suspended is refused in every session, and at the sign-in', async (t) => {
  const registry = await openPress(t)
  const ada = await signUp(t, registry, 'ada')
  const root = await signUp(t, registry, 'root')
  await registry.accounts.accounts.setAdmin(root.ppid, true, operator)
  const own = { type: 'person', id: ada.ppid, name: ada.ppid } as const
  const key = await registry.createKey(['people:read'], { owner: own })
  const headers = { authorization: `Bearer ${key}` }
  const account = async () =>
    (await registry.server.inject({ url: '/v1/user', headers: headers })).statusCode
  t.is(await account(), 200)
  const wish = { type: 'account', id: 'ada@example.org', reason: 'Spam.' }
  t.is((await root.browser.submit(path, wish)).status, 303)
  t.is(await account(), 403)
  const page = await ada.browser.get('/auth/account')
  t.is(page.status, 403)
  t.regex(page.body, /is suspended since .*Spam/)
  const elsewhere = new Browser(registry.server)
  const entry = { email: 'ada@example.org', password: 'a long enough sentence' }
  const entered = await elsewhere.submit('/auth/sign-in', entry)
  t.is(entered.status, 403)
  t.regex(entered.body, /is suspended since .*Spam/)
  t.is((await elsewhere.submit('/auth/sign-in', { ...entry, password: 'wrong' })).status, 422)
  const self = { type: 'account', id: root.ppid, reason: 'Why not.' }
  t.regex((await root.browser.submit(path, self)).body, /cannot suspend your own account/)
  await root.browser.submit(path, { type: 'account', id: ada.ppid }, `${path}/resume`)
  t.is((await ada.browser.get('/auth/account')).status, 200)
  await root.browser.submit(path, wish)
  await registry.accounts.accounts.remove(ada.ppid)
  t.deepEqual(registry.suspensions.list(), [])
})
