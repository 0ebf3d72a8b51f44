import test from 'ava'

import { ownRowStore } from '#src/identity/oauth/provider_rows.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import { testProviderAdapter } from '#test/contracts/provider_adapter.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'

testProviderAdapter(test, async (t) => {
  const identity = await (await identityFixture(t)).open()
  return { identity, store: ownRowStore(openMemoryStore(), identity) }
})
