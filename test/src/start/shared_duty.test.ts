import test from 'ava'

import type { Environments } from '#actors/registry/environment.ts'
import { elapsedMs } from '#src/start/elapsed.ts'
import { dutiesIn, shareDuty } from '#src/start/shared_duty.ts'
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
  const duties = dutiesIn(shareDuty(cluster, environments, opened))
  t.false(duties.live.isDue(), 'it has no lease')
  cluster.leadsUntilMs = elapsedMs() + 3_600_000
  await until('it leads', () => duties.live.isDue())
  t.false(duties.sandbox.isDue(), 'this journal is not carried out to its end')
  sandbox.leads = true
  await until('both are its duty', () => duties.sandbox.isDue())
  t.true(duties.live.isDue())
  live.leads = false
  await until('another node sequences', () => !duties.live.isDue())
  t.true(duties.sandbox.isDue())
  cluster.leadsUntilMs = elapsedMs() - 1
  await until('its lease is over', () => !duties.sandbox.isDue())
  const terms = new Set([duties.live.drawTerm(), duties.live.drawTerm(), duties.sandbox.drawTerm()])
  t.is(terms.size, 3)
})

test('a duty ends where nobody looks any more whether it is one', async (t) => {
  const opened = new AsyncDisposableStack()
  const environments = {
    live: { part: { member: { leads: true } } },
    sandbox: {},
  } as unknown as Environments
  const cluster = { leadsUntilMs: elapsedMs() + 3_600_000 }
  const { live, sandbox } = dutiesIn(shareDuty(cluster, environments, opened))
  t.true(live.isDue())
  t.false(sandbox.isDue(), 'it has no part in this journal')
  await opened.disposeAsync()
  await until('it is over', () => !live.isDue(), { pauseMs: 50 })
})
