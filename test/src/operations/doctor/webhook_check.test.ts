import { randomBytes } from 'node:crypto'

import test from 'ava'

import { runChecks } from '#src/operations/doctor/finding.ts'
import { webhookCheck } from '#src/operations/doctor/checks.ts'
import { endpointHealth, farBehindMin } from '#src/delivery/webhooks/endpoint_store.ts'
import { openEndpointStore } from '#src/delivery/webhooks/endpoint_store.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'

const organization = 'press'

test('webhooks are counted by how they are, and what is ill of them is told', async (t) => {
  const { clock, open } = await identityFixture(t)
  const endpoints = await openEndpointStore({ store: await open(), clock, random: randomBytes })
  const make = async () => {
    const made = await endpoints.create({ organization }, { url: 'https://a.example' }, 0)
    return made?.endpoint.id ?? ''
  }
  const look = async () => {
    const live = endpointHealth(endpoints, farBehindMin)
    const findings = await runChecks([webhookCheck(async () => ({ live }))])
    return findings.map(({ state, message }) => `${state}: ${message}`)
  }
  t.deepEqual(await look(), ['unused: There are no webhooks.'])
  const [paused, failed, failing, behind] = [await make(), await make(), await make(), await make()]
  await endpoints.pause(paused)
  t.deepEqual(await look(), ['good: 4 webhooks, of which 1 are paused.'])
  await endpoints.giveUp(failed, 'it answered 410')
  const progress = {
    starts: 1,
    after: farBehindMin,
    isBehind: false,
    pings: 0,
    replays: 0,
    failures: 0,
    held: [],
    deliveries: { first: 1, next: 1 },
  }
  const kept = { deliveries: [], forgotten: [], sentRevocations: [] }
  const written = new Map([
    [failing, { progress: { ...progress, failures: 2 }, ...kept }],
    [behind, { progress: { ...progress, after: 0, isBehind: true }, ...kept }],
  ])
  await endpoints.deliveries.keep(written, () => true, { term: undefined })
  const counts = { total: 4, paused: 1, failed: 1, failing: 1, farBehind: 1 }
  t.deepEqual(endpointHealth(endpoints, farBehindMin), counts)
  const told = await look()
  t.is(told.length, 3)
  t.regex(told[0] ?? '', /^warning: 1 webhooks of live were given up.*arklog webhook resume/)
  t.regex(told[1] ?? '', /^warning: 1 webhooks of live take no messages/)
  t.regex(told[2] ?? '', /^warning: 1 webhooks of live are far behind/)
})

test('without a server nothing is known of webhooks', async (t) => {
  const [found] = await runChecks([webhookCheck(async () => undefined)])
  t.is(found?.state, 'unused')
})
