import test from 'ava'

import { countOf } from '#test/long/_full_counts.ts'
import { holdTime, runGrantModel } from '#test/simulation/_grant_model.ts'
import { inOneThread, openOAuthRegistry } from '#test/src/_oauth_registry.ts'

const runs = countOf({ few: 150, full: 1_000 })

test(`${runs} lives of a permission are as the model says`, async (t) => {
  t.timeout(15 * 60_000)
  const time = holdTime(t)
  const registry = await openOAuthRegistry(inOneThread)
  t.teardown(() => registry.close())
  await runGrantModel(t, { registry, person: await registry.person(), time }, runs)
})
