import test from 'ava'

import { identityPart, putRow } from '#src/identity/store/identity_rows.ts'
import { testIdentityStore } from '#test/contracts/identity_store.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'
import { lateView } from '#test/src/identity/_late_view.ts'

testIdentityStore(test, async (t) => {
  const store = identityPart(await (await identityFixture(t)).open(), 'sandbox')
  return [lateView(store), lateView(store)]
})

test('who does not catch up is not told of what the other has committed', async (t) => {
  const store = await (await identityFixture(t)).open()
  const [one, other] = [lateView(store), lateView(store)]
  const told: unknown[] = []
  other.follow('row/', (key) => void told.push(key))
  await one.inTurn(() => one.commit([putRow('row/a', 1)]))
  t.deepEqual(told, [])
  await other.inTurn(async () => t.deepEqual(told, ['row/a']))
})
