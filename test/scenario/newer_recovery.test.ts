import test from 'ava'

import { recoverOverHttp } from '#test/scenario/_newer_recovery.ts'

test('what mirrors and nodes have of both logs is recovered over HTTP', async (t) => {
  t.timeout(600_000)
  await recoverOverHttp(t, { before: 30, after: 20 })
})
