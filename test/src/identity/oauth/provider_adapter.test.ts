import test from 'ava'

import { openLevelStore } from '#log/level_store.ts'
import { testProviderAdapter } from '#test/contracts/provider_adapter.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

testProviderAdapter(test, async (t) => {
  const store = await openLevelStore(await makeTempDir(t), { create: true })
  t.teardown(() => store.close())
  return store
})
