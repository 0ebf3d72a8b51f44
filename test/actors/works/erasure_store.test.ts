import path from 'node:path'
import test, { type ExecutionContext } from 'ava'
import type { Environment } from '#actors/registry/environment.ts'
import { eventPrefix } from '#actors/journal/rows.ts'
import { purgePrefix } from '#actors/works/erasure.ts'
import { startEnvironment } from '#actors/registry/open_environment.ts'
import { auditRegistry } from '#actors/registry/audit.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import type { Store } from '#log/store/store.ts'
import {
  erasureOf,
  foundInFiles,
  type Planted,
  plantedWords,
  registerPlanted,
} from '#test/actors/_erasure.ts'
import { arkOf, makeRegistry, register, type TestRegistry } from '#test/actors/_environment.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import { wrapStore } from '#test/contracts/_wrapped_store.ts'
import { until } from '#test/_until.ts'

/** A registry on LevelDB; whatever it writes lies below `dir`. */
type StoredRegistry = {
  readonly dir: string
  readonly registry: TestRegistry
  /** Opens it, over a store that may be wrapped. */
  open(wrap?: (store: Store) => Store): Promise<Environment>
}

async function makeStored(
  t: ExecutionContext,
  changes: Parameters<typeof makeRegistry>[1] = {},
): Promise<StoredRegistry> {
  const registry = await makeRegistry(t, changes)
  const { storeDir: dir } = registry.options
  let create = true
  return {
    dir,
    registry,
    async open(wrap = (store) => store) {
      const store = await openLevelStore(path.join(dir, 'live'), { create, journal: eventPrefix })
      const options = { ...registry.options, create }
      create = false
      return startEnvironment(wrap(store), options)
    },
  }
}

/** Audits the closed registry: what is wrong, and how many versions are erased. */
async function audit({ dir, registry }: StoredRegistry, environment: Environment) {
  const { events, treeSize } = environment.status()
  const firstReceiptKey = environment.receiptKeys.publicKey
  const store = await openLevelStore(path.join(dir, 'live'), { create: false })
  const scratch = openMemoryStore()
  const options = { events, treeSize, firstReceiptKey, scratch, progress: () => {} }
  const { faults, erasedVersions } = await auditRegistry(store, options)
  await store.close()
  refuseFatal(registry)
  return { faults, erasedVersions }
}

function refuseFatal({ fatal }: TestRegistry): void {
  if (fatal.length > 0) throw fatal[0] as Error
}

const all = ['author', 'description', 'doi', 'note', 'older', 'title', 'url', 'why']

test('no file of the data directory holds what was erased, then and after a restart', async (t) => {
  const stored = await makeStored(t)
  const planted = plantedWords()
  const first = await stored.open()
  const ark = await registerPlanted(first, planted)
  for (let index = 0; index < 300; index += 1) await register(first, `Other work ${index}`)
  t.deepEqual(await foundInFiles(stored.dir, planted), all)
  await first.close()

  // Now it lies in table files, and what comes in between is another process's.
  const second = await stored.open()
  t.deepEqual(await foundInFiles(stored.dir, planted), all)
  t.like(await second.works.erase(erasureOf(ark)), { type: 'changed' })
  t.true(await second.purged())
  t.deepEqual(await foundInFiles(stored.dir, planted), [])
  await second.close()

  const third = await stored.open()
  t.true(await third.purged())
  t.deepEqual(await foundInFiles(stored.dir, planted), [])
  t.like(await third.works.erase(erasureOf(ark)), { type: 'unchanged' })
  await third.close()
  t.deepEqual(await audit(stored, third), { faults: [], erasedVersions: 2 })
  t.deepEqual(await foundInFiles(stored.dir, planted), [])
})

test('what was registered and erased by one process is gone from its files', async (t) => {
  const stored = await makeStored(t)
  const planted = plantedWords()
  const environment = await stored.open()
  const ark = await registerPlanted(environment, planted, { withdraws: false })
  t.like(await environment.works.erase(erasureOf(ark, true)), { type: 'changed' })
  t.true(await environment.purged())
  t.deepEqual(await foundInFiles(stored.dir, planted), [])
  await environment.close()
  t.deepEqual(await audit(stored, environment), { faults: [], erasedVersions: 2 })
})

/** A store whose write with an erasure fails: lost, or kept though nobody is told. */
function failingErasure(below: Store, outcome: 'lost' | 'kept'): Store {
  return wrapStore(below, {
    async commit(operations) {
      const isErasure = operations.some(({ key }) => key.startsWith(purgePrefix))
      if (!isErasure) return below.commit(operations)
      if (outcome === 'kept') await below.commit(operations)
      throw new Error(`the erasure is ${outcome}`)
    },
  })
}

for (const outcome of ['lost', 'kept'] as const) {
  test(`an erasure whose commit fails and is ${outcome} is whole or not at all`, async (t) => {
    const stored = await makeStored(t)
    const planted = plantedWords()
    const before = await stored.open((store) => failingErasure(store, outcome))
    const ark = await registerPlanted(before, planted)
    await t.throwsAsync(before.works.erase(erasureOf(ark)), { code: 'lost' })
    t.is(stored.registry.fatal.splice(0).length, 1)
    await before.close()

    const after = await stored.open()
    t.true(await after.purged())
    const isErased = after.catalogue.state(ark)?.erased_at !== undefined
    t.is(isErased, outcome === 'kept')
    t.deepEqual(await foundInFiles(stored.dir, planted), isErased ? [] : all)
    const answer = await after.works.erase(erasureOf(ark))
    t.is(answer.type, isErased ? 'unchanged' : 'changed')
    t.true(await after.purged())
    t.deepEqual(await foundInFiles(stored.dir, planted), [])
    await after.close()
    t.deepEqual(await audit(stored, after), { faults: [], erasedVersions: 2 })
  })
}

test('copies for everybody are gone before the files are rid of what was erased', async (t) => {
  let removed = 0
  const removeCopies = async () => void (removed += 1)
  const stored = await makeStored(t, { removeCopies })
  const scans = Promise.withResolvers<void>()
  const environment = await stored.open((store) =>
    wrapStore(store, {
      async purge(keys) {
        await scans.promise
        return store.purge(keys)
      },
    }),
  )
  const ark = await registerPlanted(environment, plantedWords())
  await environment.works.erase(erasureOf(ark))
  await until('copies are removed', () => removed === 1)
  scans.resolve()
  t.true(await environment.purged())
  t.is(removed, 2, 'what was made of them meanwhile is gone, too')
  await environment.close()
})

/** Erases a work of planted words in a registry whose store purges as told; gives its end. */
async function eraseWith(stored: StoredRegistry, planted: Planted, purge: Store['purge']) {
  const environment = await stored.open((store) => wrapStore(store, { purge }))
  const ark = await registerPlanted(environment, planted)
  refuseFatal(stored.registry)
  await environment.works.erase(erasureOf(ark))
  return { environment, ark }
}

test('a purge that fails is told, and made at the next start', async (t) => {
  const stored = await makeStored(t)
  const planted = plantedWords()
  const { environment } = await eraseWith(stored, planted, () =>
    Promise.reject(new Error('the disk is gone')),
  )
  t.false(await environment.purged())
  t.like(environment.status(), {
    healthy: true,
    damage: { found: 1, first: 'erased metadata could not be purged: Error: the disk is gone' },
  })
  await environment.close()
  t.deepEqual(await foundInFiles(stored.dir, planted), all)
  const next = await stored.open()
  t.true(await next.purged())
  t.deepEqual(await foundInFiles(stored.dir, planted), [])
  await next.close()
})

test('a purge that failed is made when it is asked for again, and is no damage then', async (t) => {
  const stored = await makeStored(t)
  const planted = plantedWords()
  let isBroken = true
  const environment = await stored.open((store) =>
    wrapStore(store, {
      purge: (keys) =>
        isBroken ? Promise.reject(new Error('the disk is gone')) : store.purge(keys),
    }),
  )
  const ark = await registerPlanted(environment, planted)
  await environment.works.erase(erasureOf(ark))
  t.false(await environment.purged())
  t.is(environment.status().damage.found, 1)
  isBroken = false
  t.true(await environment.purged())
  t.is(environment.status().damage.found, 0)
  t.deepEqual(await foundInFiles(stored.dir, planted), [])
  await environment.close()
})

test('a purge ends with the environment, after the step that is under way', async (t) => {
  const stored = await makeStored(t)
  const planted = plantedWords()
  const step = Promise.withResolvers<void>()
  let steps = 0
  const { environment } = await eraseWith(stored, planted, () => {
    steps += 1
    return step.promise
  })
  const settled = environment.purged()
  const closed = environment.close()
  step.resolve()
  await closed
  t.false(await settled)
  t.is(steps, 1)
  const next = await stored.open()
  t.true(await next.purged())
  t.deepEqual(await foundInFiles(stored.dir, planted), [])
  await next.close()
})

test('erasures at one time are all purged, while works are registered', async (t) => {
  const stored = await makeStored(t)
  const words = Array.from({ length: 4 }, () => plantedWords())
  const environment = await stored.open()
  const arks = await Promise.all(words.map((planted) => registerPlanted(environment, planted)))
  const [others] = await Promise.all([
    Promise.all(
      Array.from({ length: 50 }, (_, index) => register(environment, `At once ${index}`)),
    ),
    ...arks.map((ark) => environment.works.erase(erasureOf(ark))),
  ])
  t.true(await environment.purged())
  for (const planted of words) t.deepEqual(await foundInFiles(stored.dir, planted), [])
  for (const work of others) t.is(environment.catalogue.state(arkOf(work))?.version, 1)
  await environment.close()
  t.deepEqual(await audit(stored, environment), { faults: [], erasedVersions: 8 })
})
