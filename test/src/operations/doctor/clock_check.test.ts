import test from 'ava'

import type { ClockStatus } from '#actors/journal/clock_guard.ts'
import type { ClockFault } from '#actors/journal/clock_judgement.ts'
import { clockCheck } from '#src/operations/doctor/checks.ts'
import { runChecks } from '#src/operations/doctor/finding.ts'

const right: ClockStatus = { logAheadMs: 0 }
const wallMs = Date.UTC(2026, 10, 21)
const fault: ClockFault = { type: 'behind', by: 'last', wallMs, knownMs: wallMs + 86_400_000 }

async function look(running: readonly ClockStatus[] | undefined, kept?: ClockFault) {
  const check = clockCheck({ running: async () => running, kept: () => kept })
  const [finding] = await runChecks([check])
  return finding
}

test('a registry that runs says how its clock is', async (t) => {
  t.like(await look([right, right], fault), { check: 'clock', state: 'good' })
  const problem = 'This machine’s clock is wrong.'
  t.like(await look([right, { ...right, problem }]), { state: 'bad', message: problem })
  t.like(await look([right, { logAheadMs: 86_400_000 }]), {
    state: 'warning',
    message:
      'The newest entry of the log is 86400 s ahead of it, and an operator has accepted that: ' +
      '"arklog clock status" tells until when all is dated with that time.',
  })
})

test('without one, what it kept speaks of the clock', async (t) => {
  t.like(await look(undefined), { state: 'good' })
  const found = await look(undefined, fault)
  t.is(found?.state, 'bad')
  t.regex(found?.message ?? '', /1 day before .*, the newest time that the registry knows/)
})
