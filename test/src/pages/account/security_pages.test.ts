import test from 'ava'

import { openRegistry } from '#test/src/_registry.ts'
import { until } from '#test/_until.ts'
import { Browser } from '#test/src/pages/_browser.ts'

const ada = { name: 'Ada', email: 'ada@example.org', password: 'a long enough sentence' }
const page = '/auth/account/sign-ins'
const stranger = '/auth/account/sign-ins/not-mine'

test('who finds a sign-in of somebody else shuts them out in one step', async (t) => {
  const registry = await openRegistry({ RATE_LIMITS: false })
  t.teardown(() => registry.close())
  const { server, accounts, time } = registry
  const owner = new Browser(server)
  await owner.submit('/auth/sign-up', ada)
  const { ppid = '' } = accounts.accounts.findByEmail(ada.email) ?? {}
  time.nowMs += 60_000
  const thief = new Browser(server)
  for (const password of ['wrong', 'wrong again']) {
    await thief.submit('/auth/sign-in', { email: ada.email, password })
  }
  await until('both are counted', () => {
    return accounts.sessions.history.read(ppid).failures?.passwords === 2
  })
  t.regex((await owner.get(page)).body, /2 wrong passwords since then/)
  time.nowMs += 60_000
  await thief.submit('/auth/sign-in', { email: ada.email, password: ada.password })
  const { body } = await owner.get(page)
  t.regex(body, /<td role="cell" data-label="Failed attempts before">2 wrong passwords</)
  t.regex(body, /Password</)
  const fields = { current_password: ada.password, new_password: 'another long sentence' }
  const refused = await owner.submit(stranger, { ...fields, current_password: 'wrong' })
  t.is(refused.status, 422)
  t.is((await thief.get('/auth/account')).status, 200)
  const done = await owner.submit(stranger, fields)
  t.is(done.headers.location, '/auth/account/access?done=stranger')
  t.is((await thief.get('/auth/account')).status, 303)
  t.is((await owner.get('/auth/account')).status, 200)
  await accounts.accounts.remove(ppid)
  t.deepEqual(accounts.sessions.history.read(ppid), { signIns: [] })
})
