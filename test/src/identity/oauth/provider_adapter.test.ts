import test, { type ExecutionContext } from 'ava'

import { joinLevelStore, openLevelStore } from '#log/store/level_store.ts'
import { ownRowStore, sharedRowStore } from '#src/identity/oauth/provider_rows.ts'
import { identityPart } from '#src/identity/store/identity_rows.ts'
import { testProviderAdapter } from '#test/contracts/provider_adapter.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'
import { SimulatedJournal } from '#test/simulation/_simulated_journal.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'
import { IdentityNodes } from '#test/src/identity/_identity_nodes.ts'
import { joinHere } from '#test/src/identity/store/_joined.ts'
import { titled } from '#test/contracts/_titled_test.ts'

async function openIn(t: ExecutionContext, dir: string) {
  const store = await openLevelStore(dir, { create: true })
  t.teardown(() => store.close())
  return store
}

async function openIdentity(t: ExecutionContext) {
  return (await identityFixture(t)).open()
}

testProviderAdapter(test, async (t) => {
  const identity = await openIdentity(t)
  return { identity, store: ownRowStore(await openIn(t, await makeTempDir(t)), identity) }
})

testProviderAdapter(titled('a joined store'), async (t) => {
  const identity = await openIdentity(t)
  const dir = await makeTempDir(t)
  await openIn(t, dir)
  const joined = await joinLevelStore(dir)
  t.teardown(() => joined.close())
  return { identity, store: ownRowStore(joined, identity) }
})

async function openNode(t: ExecutionContext) {
  const nodes = await IdentityNodes.begin(t)
  return nodes.add(new SimulatedJournal(seededRandom(1)).of('a'))
}

testProviderAdapter(titled('a part of a shared store'), async (t) => {
  const { store } = await openNode(t)
  const identity = identityPart(store, 'sandbox')
  return { identity, store: sharedRowStore(identity) }
})

testProviderAdapter(titled('a thread of a shared store'), async (t) => {
  const identity = await joinHere(t, await openNode(t))
  return { identity, store: sharedRowStore(identity) }
})
