import test from 'ava'

import { elapsedMs } from '#actors/values/clock.ts'
import type { Environments } from '#actors/registry/environment.ts'
import { deliveryTurnsIn, shareDeliveryTurns } from '#src/cli/start/delivery_turn.ts'
import { until } from '#test/_until.ts'

test('a node delivers while it leads, and each journal is carried out', async (t) => {
  const opened = new AsyncDisposableStack()
  t.teardown(() => opened.disposeAsync())
  const cluster = { leadsUntilMs: 0 }
  const live = { leads: true }
  const sandbox = { leads: false }
  // Of an environment nothing is looked at but whether its journal is sequenced here.
  const environments = {
    live: { part: { member: live } },
    sandbox: { part: { member: sandbox } },
  } as unknown as Environments
  const deliveryTurns = deliveryTurnsIn(shareDeliveryTurns(cluster, environments, opened))
  t.false(deliveryTurns.live.isDue(), 'it has no lease')
  cluster.leadsUntilMs = elapsedMs() + 3_600_000
  await until('it leads', () => deliveryTurns.live.isDue())
  t.false(deliveryTurns.sandbox.isDue(), 'this journal is not carried out to its end')
  sandbox.leads = true
  await until('both are its turn', () => deliveryTurns.sandbox.isDue())
  t.true(deliveryTurns.live.isDue())
  live.leads = false
  await until('another node sequences', () => !deliveryTurns.live.isDue())
  t.true(deliveryTurns.sandbox.isDue())
  cluster.leadsUntilMs = elapsedMs() - 1
  await until('its lease is over', () => !deliveryTurns.sandbox.isDue())
  const terms = new Set([
    deliveryTurns.live.drawTerm(),
    deliveryTurns.live.drawTerm(),
    deliveryTurns.sandbox.drawTerm(),
  ])
  t.is(terms.size, 3)
})

test('a delivery turn ends where nobody looks any more whether it is one', async (t) => {
  const opened = new AsyncDisposableStack()
  const environments = {
    live: { part: { member: { leads: true } } },
    sandbox: {},
  } as unknown as Environments
  const cluster = { leadsUntilMs: elapsedMs() + 3_600_000 }
  const { live, sandbox } = deliveryTurnsIn(shareDeliveryTurns(cluster, environments, opened))
  t.true(live.isDue())
  t.false(sandbox.isDue(), 'it has no part in this journal')
  await opened.disposeAsync()
  await until('it is over', () => !live.isDue(), { pauseMs: 50 })
})
