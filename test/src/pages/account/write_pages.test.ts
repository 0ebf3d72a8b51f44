import test from 'ava'

import type { Agent } from '#actors/values/agent.ts'
import { openRegistry } from '#test/src/_registry.ts'
import { Browser } from '#test/src/pages/_browser.ts'

const ada = { name: 'Ada', email: 'ada@example.org', password: 'a long enough sentence' }
const page = '/auth/account/notices'
const reading = `${page}/read`

test('what others wrote and what happened to the account is in one place', async (t) => {
  const registry = await openRegistry({ RATE_LIMITS: false })
  t.teardown(() => registry.close())
  const { server, accounts, environments, time } = registry
  const browser = new Browser(server)
  await browser.submit('/auth/sign-up', ada)
  const { ppid = '' } = accounts.accounts.findByEmail(ada.email) ?? {}
  t.regex((await browser.get(page)).body, /No new notices\.[^]*No notices yet/)

  const press = { type: 'organization', id: 'press', name: 'A Press' } as const
  const by: Agent = { ...press, via: 'oauth', client_id: 'desk', on_behalf_of: ppid }
  const { people } = environments.live
  const item = { ppid, kind: 'affiliation', by } as const
  await people.putItem({ ...item, body: { organization: 'University of London' } })
  time.nowMs += 1_000
  await accounts.accounts.setAdmin(ppid, true, { type: 'operator', id: 'o', name: 'Operator' })
  const { body } = await browser.get(page)
  t.regex(body, /2 new notices/)
  t.regex(body, /Account: became an administrator[^]*An affiliation was added[^]*A Press/)
  t.regex(body, /Notices \(2 new\)/)
  const newWord = /<summary><bdi>Ada<\/bdi> <span[^>]*>2<span class="new-word"> new<\/span><\/span>/
  t.regex((await browser.get('/')).body, newWord)

  const [, until = ''] = /name="until" value="([^"]+)"/.exec(body) ?? []
  time.nowMs += 1_000
  await accounts.accounts.endSessions('nobody', { type: 'operator', id: 'o', name: 'Operator' })
  await people.putItem({ ...item, body: { organization: 'Royal Society' } })
  t.is((await browser.submit(page, { until }, reading)).headers.location, `${page}?done=read`)
  t.regex((await browser.get(page)).body, /1 new notice\./, 'what came meanwhile is still new')
  await browser.submit(page, { until: 'then' }, reading)
  t.regex((await browser.get(page)).body, /Notices \(1 new\)/)
  await browser.submit(page, {}, reading)
  t.regex((await browser.get(page)).body, /No new notices\./)
  for (let count = 0; count < 60; count += 1) {
    time.nowMs += 1_000
    await people.putItem({ ...item, body: { organization: `Society ${count}` } })
  }
  const many = (await browser.get(page)).body
  t.regex(many, /50 new notices/)
  t.regex(many, /Notices \(10\+ new\)/)
  await accounts.accounts.remove(ppid)
  t.is(accounts.readNotices.readUntil(ppid), '')
})
