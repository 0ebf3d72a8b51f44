import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'

import { OrganizationRequests } from '#src/identity/accounts/organization_requests.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'

const profile = { slug: 'ada-press', name: 'Ada Press', aliases: [] }
const admin = { id: 'p0chief' }

test('a request goes from waiting to its end, once', async (t) => {
  const fixture = await identityFixture(t)
  const { clock } = fixture
  const requests = new OrganizationRequests({ store: await fixture.open(), clock })
  t.is(await requests.make({ ppid: 'p0ada', profile, message: 'I own it' }), 'made')
  t.is(await requests.make({ ppid: 'p0ada', profile, message: 'Again' }), 'waits_already')
  clock.forward(1_000)
  t.is(await requests.make({ ppid: 'p0bo', profile, message: '' }), 'made')
  t.deepEqual(
    (await requests.open()).map(({ ppid }) => ppid),
    ['p0ada', 'p0bo'],
  )
  const both = await Promise.all([
    requests.decide('p0ada', ['waiting'], { state: 'refused', reason: 'No' }, admin),
    requests.decide('p0ada', ['waiting'], { state: 'approving' }, admin),
  ])
  t.like(both[0], { state: 'refused', decided_by: 'p0chief' })
  t.is(both[1], undefined)
  t.is(await requests.decide('p0none', ['waiting'], { state: 'approving' }, admin), undefined)
  t.is(await requests.make({ ppid: 'p0ada', profile, message: 'Once more' }), 'made')
  t.like(requests.find('p0ada'), { state: 'waiting', message: 'Once more' })
  t.is(requests.find('p0ada')?.reason, undefined)
})

test('what a request says is sealed, and forgotten with its person', async (t) => {
  const fixture = await identityFixture(t)
  const store = await fixture.open()
  const requests = new OrganizationRequests({ store, clock: fixture.clock })
  const planted = 'A-PLANTED-MESSAGE'
  await requests.make({ ppid: 'p0ada', profile, message: planted })
  await store.close()
  for (const file of await readdir(fixture.dir)) {
    const bytes = await readFile(path.join(fixture.dir, file))
    t.false(bytes.includes(planted) || bytes.includes('p0ada'), file)
  }
  const again = new OrganizationRequests({ store: await fixture.open(), clock: fixture.clock })
  t.is(again.find('p0ada')?.message, planted)
  await again.forget('p0ada')
  t.is(again.find('p0ada'), undefined)
  t.deepEqual(await again.open(), [])
})
