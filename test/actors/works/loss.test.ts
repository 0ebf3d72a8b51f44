import test from 'ava'

import { endedByLoss, goneRefusal } from '#actors/works/events.ts'

const [withdrawnAt, lost_at] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z']

test('a work whose metadata is lost says that, and not that somebody withdrew it', (t) => {
  const lost = { lost_at, updated_at: lost_at }
  t.true(endedByLoss(lost))
  t.deepEqual(goneRefusal(lost), { type: 'gone', withdrawnAt: lost_at, isLost: true })
})

test('a work that had been withdrawn is withdrawn, whether or not more was lost later', (t) => {
  for (const state of [{ updated_at: withdrawnAt }, { updated_at: withdrawnAt, lost_at }]) {
    t.false(endedByLoss(state))
    t.deepEqual(goneRefusal(state), { type: 'gone', withdrawnAt })
  }
})
