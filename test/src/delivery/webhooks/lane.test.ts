import { randomBytes } from 'node:crypto'

import test from 'ava'

import { Audience } from '#src/delivery/webhooks/audience.ts'
import { openEndpointStore } from '#src/delivery/webhooks/endpoint_store.ts'
import { Lane } from '#src/delivery/webhooks/lane.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'

test('a lane that is called off is not due again, however much it has to send', async (t) => {
  const { clock, open } = await identityFixture(t)
  const endpoints = await openEndpointStore({ store: await open(), clock, random: randomBytes })
  const made = await endpoints.create({ organization: 'press' }, { url: 'https://a.example' }, 0)
  if (made === undefined) return t.fail('there is room for one')
  const nobody = {
    isOf: () => true,
    isSuspended: () => false,
    permittedBy: () => [],
    mayRead: () => false,
  }
  const fail = () => {
    throw new Error('it does nothing')
  }
  const lane = new Lane(made.endpoint, undefined, 0, {
    endpoints,
    audience: new Audience(endpoints, nobody),
    poster: { post: fail, close: () => Promise.resolve() },
    frame: { baseUrl: 'https://r.example', logUrl: 'https://r.example/log', prefix: 'evt' },
    read: fail,
    seen: () => 10,
    log: () => ({ origin: 'r.example/log', treeSize: 10 }),
    goesOn: () => true,
    keep: fail,
    awaitGrowth: fail,
    count: fail,
    nowMs: () => clock.nowMs(),
    random: () => 0.5,
  })
  t.is(await lane.run(AbortSignal.abort()), undefined)
})
