import test, { type ExecutionContext, type TestFn } from 'ava'

import { joinLevelStore, openLevelStore } from '#log/level_store.ts'
import { testProviderAdapter } from '#test/contracts/provider_adapter.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

async function openIn(t: ExecutionContext, dir: string) {
  const store = await openLevelStore(dir, { create: true })
  t.teardown(() => store.close())
  return store
}

testProviderAdapter(test, async (t) => openIn(t, await makeTempDir(t)))

const joinedTest = (title: string, ...rest: [never]) => test(`a joined store: ${title}`, ...rest)

testProviderAdapter(joinedTest as TestFn, async (t) => {
  const dir = await makeTempDir(t)
  await openIn(t, dir)
  const joined = await joinLevelStore(dir)
  t.teardown(() => joined.close())
  return joined
})
