import * as path from 'node:path'

import test from 'ava'

import { openLevelStore } from '#log/store/level_store.ts'
import { testStore } from '#test/contracts/store.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

// What is read past the blocks in memory is the same.
testStore(test, async (t) => {
  const dir = path.join(await makeTempDir(t), 'store')
  let create = true
  return async () => {
    const store = await openLevelStore(dir, { create, bypassesBlockCache: () => true })
    create = false
    return store
  }
})
