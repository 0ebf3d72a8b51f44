import type { ExecutionContext } from 'ava'

import { testIdentityStore } from '#test/contracts/identity_store.ts'
import { testSharedIdentity } from '#test/contracts/shared_identity.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'
import { SimulatedJournal } from '#test/simulation/_simulated_journal.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'
import { IdentityNodes } from '#test/src/identity/_identity_nodes.ts'
import { joinHere } from '#test/src/identity/store/_joined.ts'
import { titled } from '#test/contracts/_titled_test.ts'

async function openThree(t: ExecutionContext) {
  const nodes = await IdentityNodes.begin(t)
  const stream = new SimulatedJournal(seededRandom(1))
  return [
    await nodes.add(stream.of('a')),
    await nodes.add(stream.of('b')),
    await nodes.add(stream.of('c')),
  ] as const
}

testSharedIdentity(titled('threads of one node'), async (t) => {
  const fixture = await identityFixture(t)
  const store = await fixture.open()
  const joined = await joinHere(t, { store, dir: fixture.dir })
  return [
    { store, caughtUp: () => store.caughtUp() },
    { store: joined, caughtUp: async () => joined.catchUp() },
  ]
})

testSharedIdentity(titled('three nodes'), openThree)

testSharedIdentity(titled('threads of three nodes'), async (t) => {
  const nodes = await openThree(t)
  const join = async (node: (typeof nodes)[number]) => {
    const store = await joinHere(t, node)
    const caughtUp = async () => {
      await node.caughtUp()
      store.catchUp()
    }
    return { store, caughtUp }
  }
  return Promise.all(nodes.map(join))
})

testIdentityStore(titled('two threads of one of three nodes'), async (t) => {
  const [node] = await openThree(t)
  return [node.store, await joinHere(t, node)]
})
