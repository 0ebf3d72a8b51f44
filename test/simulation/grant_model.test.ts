import test from 'ava'

import { holdTime, runGrantModel } from '#test/simulation/_grant_model.ts'
import { inOneThread, openOAuthRegistry } from '#test/src/_oauth_registry.ts'

test('whatever is done with codes and tokens, a permission is as the model says', async (t) => {
  const time = holdTime(t)
  const registry = await openOAuthRegistry(inOneThread)
  t.teardown(() => registry.close())
  await runGrantModel(t, { registry, person: await registry.person(), time }, 20)
})
