import test from 'ava'

import { type MemoryDisk, openMemoryStore } from '#test/contracts/_memory_store.ts'
import { testStore } from '#test/contracts/store.ts'

testStore(test, async () => {
  const disk: MemoryDisk = new Map()
  return async () => openMemoryStore(disk)
})
