import path from 'node:path'

import test from 'ava'

import { eventPrefix } from '#actors/journal/rows.ts'
import { auditRegistry } from '#actors/registry/audit.ts'
import { startEnvironment } from '#actors/registry/open_environment.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import { checkpointPrefix, entryPrefix, keysWith } from '#log/store/log_rows.ts'
import type { ReadStore } from '#log/store/store.ts'
import { erasureOf, foundInFiles, plantedWords, registerPlanted } from '#test/actors/_erasure.ts'
import { makeRegistry, register } from '#test/actors/_environment.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'

/** The entries and the signed heads of a log, as they are stored. */
async function logOf(store: ReadStore): Promise<string[]> {
  const rows: string[] = []
  for (const prefix of [entryPrefix, checkpointPrefix]) {
    for await (const [key, value] of store.scan(keysWith(prefix))) {
      rows.push(`${key} ${Buffer.from(value).toString('base64')}`)
    }
  }
  return rows
}

test('a registry of one database goes on with a journal, and its log is the same', async (t) => {
  const registry = await makeRegistry(t)
  const { storeDir: dir } = registry.options
  const folder = path.join(dir, 'live')
  const words = [plantedWords(), plantedWords()] as const
  const before = await startEnvironment(await openLevelStore(folder, { create: true }), {
    ...registry.options,
    create: true,
  })
  for (let index = 0; index < 60; index += 1) await register(before, `Of before ${index}`)
  const old = await registerPlanted(before, words[0])
  await before.close()
  const plain = await openLevelStore(folder, { create: false })
  const log = await logOf(plain)
  await plain.close()

  const options = { ...registry.options, create: false }
  const open = () => openLevelStore(folder, { create: false, journal: eventPrefix })
  const after = await startEnvironment(await open(), options)
  for (let index = 0; index < 60; index += 1) await register(after, `Of after ${index}`)
  const young = await registerPlanted(after, words[1])
  for (const ark of [old, young])
    t.like(await after.works.erase(erasureOf(ark)), { type: 'changed' })
  t.true(await after.purged())
  for (const planted of words) t.deepEqual(await foundInFiles(dir, planted), [])
  const { events, treeSize } = after.status()
  const firstReceiptKey = after.receiptKeys.publicKey
  await after.close()

  const store = await open()
  const now = await logOf(store)
  t.deepEqual(
    log.filter((row) => !now.includes(row)),
    [],
  )
  const scratch = openMemoryStore()
  const auditing = { events, treeSize, firstReceiptKey, scratch, progress: () => {} }
  t.like(await auditRegistry(store, auditing), { faults: [], erasedVersions: 4 })
  await store.close()
  for (const planted of words) t.deepEqual(await foundInFiles(dir, planted), [])
  t.deepEqual(registry.fatal, [])
})
