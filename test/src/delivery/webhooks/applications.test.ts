import test from 'ava'

import { until } from '#test/_until.ts'
import { openPress, signUp, signUpMember } from '#test/src/pages/_members.ts'
import { deliver, subscriber } from '#test/src/delivery/webhooks/_subscriber.ts'

test('an application hears of what it may read, and of the end of a permission', async (t) => {
  const registry = await openPress(t)
  const { oauth, webhooks, environments } = registry
  const { browser } = await signUpMember(t, registry, 'owner')
  const [ada, bob] = [await signUp(t, registry, 'ada'), await signUp(t, registry, 'bob')]
  await browser.submit('/auth/organizations/press/applications', {
    name: 'Desk',
    kind: 'public',
    redirect_uris: 'https://press.example/back',
    openid: 'on',
  })
  const client_id = (await oauth.applications.list())[0]?.client_id ?? ''
  const exp = registry.time.nowMs / 1_000 + 3_600
  const save = (id: string, accountId: string, scope: string) =>
    oauth.grants.save(id, { clientId: client_id, accountId, openid: { scope }, exp })
  await save('of-ada', ada.ppid, 'openid profile svc:affiliations:read')
  await save('of-bob', bob.ppid, 'openid')
  const { told, hostPort, url } = await subscriber(t)
  const after = environments.live.records.events
  await webhooks.create({ organization: 'press', application: client_id }, { url }, after)
  deliver(t, registry, { allow: [hostPort] })
  const { people } = environments.live
  // Bob permits nothing of this, and of Ada what is private is nobody's.
  for (const visibility of ['private', 'public'] as const) {
    for (const { ppid } of [bob, ada]) {
      const by = { type: 'person', id: ppid, name: ppid, via: 'ui' } as const
      const body = { organization: `Moon ${visibility}`, visibility }
      const added = await people.putItem({ ppid, kind: 'affiliation', body, by })
      t.is(added.type, 'put', JSON.stringify(added))
    }
  }
  await until('the affiliation is told', () => told.length === 1)
  t.like(told[0], { type: 'affiliation.added', data: { ppid: ada.ppid } })
  for (const id of ['of-bob', 'of-ada']) {
    t.deepEqual(await oauth.grants.end(id, 'by_application'), { type: 'ended' })
  }
  await until('both ends are told', () => told.length === 3)
  const ended = told.slice(1).map(({ type, data }) => [type, data['application'], data['ppid']])
  const ends = ended.map(([, , ppid]) => ppid)
  t.is(ends.length, 2)
  for (const { ppid } of [ada, bob]) t.true(ends.includes(ppid))
  t.true(ended.every(([type, id]) => type === 'permission.revoked' && id === client_id))
  t.false(JSON.stringify(told).includes('Moon'))
})
