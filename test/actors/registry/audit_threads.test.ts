import test, { type ExecutionContext } from 'ava'

import { eventKey } from '#actors/journal/rows.ts'
import {
  auditRegistry,
  type RegistryAuditOptions,
  type RegistryAuditReport,
} from '#actors/registry/audit.ts'
import { journalAuditThreads } from '#actors/registry/audit_threads.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import { entryKey } from '#log/store/log_rows.ts'
import type { Operation, Store } from '#log/store/store.ts'
import {
  admin,
  arkOf,
  demo,
  makeRegistry,
  metadataOf,
  register,
  tickSigner,
} from '#test/actors/_environment.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

type Disk = ReadonlyMap<string, Uint8Array>

type Filled = {
  readonly disk: Disk
  readonly events: number
  readonly treeSize: number
  readonly firstReceiptKey: string
}

/** A registry of 24 works, one of which was erased, whose receipt key was replaced halfway. */
async function fill(t: ExecutionContext): Promise<Filled> {
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  const firstReceiptKey = environment.receiptKeys.publicKey
  await environment.organizations.create({ body: { slug: 'demo', name: 'Demo' }, by: demo })
  const arks: string[] = []
  for (let n = 0; n < 24; n += 1) {
    if (n === 12) await environment.receiptKeys.rotate(tickSigner(3), admin)
    arks.push(arkOf(await register(environment, metadataOf(`Work ${n}`))))
  }
  const [changed = '', withdrawn = '', erased = ''] = arks
  await environment.works.update({ ark: changed, patch: { work_title: 'Renamed' }, by: demo })
  await environment.works.withdraw({ ark: withdrawn, reason: 'test', by: demo })
  await environment.works.withdraw({ ark: erased, reason: 'test', by: demo })
  await environment.works.erase({ ark: erased, reason: 'legal', withdraws: false, by: admin })
  const { events, treeSize } = environment.status()
  await environment.close()
  return { disk: registry.disk, events, treeSize, firstReceiptKey }
}

const del = (key: string): Operation => ({ type: 'del', key })

/** Writes the row of one key as that of another. */
function moveRow(disk: Disk, from: string, to: string): Operation {
  return { type: 'put', key: to, value: disk.get(from) ?? Buffer.alloc(0) }
}

function replaceIn(disk: Disk, key: string, what: RegExp | string, by: string): Operation {
  const text = Buffer.from(disk.get(key) ?? '').toString()
  return { type: 'put', key, value: Buffer.from(text.replace(what, by)) }
}

type Damage = readonly [what: string, damage: (disk: Disk) => readonly Operation[], first?: RegExp]

const at = /"at":"[^"]+"/

const damages: readonly Damage[] = [
  ['nothing is wrong', () => []],
  [
    'events are gone across the ends of ranges',
    () => [8, 9, 10, 11].map((n) => del(eventKey(n))),
    /^event.*missing/,
  ],
  ['the last events are gone', () => [28, 29].map((n) => del(eventKey(n))), /should hold|follow/],
  [
    'all events are gone',
    () => Array.from({ length: 40 }, (_, n) => del(eventKey(n))),
    /should hold/,
  ],
  ['the rotation is gone', () => [del(eventKey(13))], /the event is missing/],
  ['an entry is another one', (disk) => [moveRow(disk, entryKey(3), entryKey(4))], /contradicts/],
  [
    'an entry is none',
    () => [{ type: 'put', key: entryKey(9), value: Buffer.from('{}') }],
    /no signed/,
  ],
  [
    'an event is dated after those behind it',
    (disk) => [replaceIn(disk, eventKey(9), at, '"at":"2999-01-01T00:00:00.000Z"')],
    /./,
  ],
  [
    'an event names other leaves',
    (disk) => [replaceIn(disk, eventKey(9), '"leafIndex":8', '"leafIndex":7')],
    /first entry should be leaf 8/,
  ],
  [
    'an event has an entry less than it had',
    (disk) => [replaceIn(disk, eventKey(9), '"entryCount":1', '"entryCount":0')],
    /first entry should be leaf 8/,
  ],
  [
    'the rotation names another key',
    (disk) => [
      replaceIn(
        disk,
        eventKey(13),
        /"new_public_key":"[^"]+"/,
        `"new_public_key":"${'ab'.repeat(32)}"`,
      ),
    ],
    /contradicts/,
  ],
  [
    'metadata is gone that nobody erased',
    (disk) => [replaceIn(disk, eventKey(9), /"metadata":.*$/, '"metadata":null}}')],
    /no event erased it/,
  ],
  [
    'a row of a view is planted',
    () => [{ type: 'put', key: 'receipt/x', value: Buffer.from('{}') }],
    /no event made/,
  ],
]

test('threads find what one finds, in the same order, and tell how far they are', async (t) => {
  const filled = await fill(t)
  const dir = await makeTempDir(t)
  const store = await openLevelStore(dir, { create: true })
  const threads = journalAuditThreads(dir, 2)
  try {
    await store.commit([...filled.disk].map(([key, value]) => ({ type: 'put', key, value })))
    for (const [what, damage, first] of damages) {
      const operations = damage(filled.disk)
      await store.commit(operations)
      const whole = await attempt(t, store, { ...filled, rangeEvents: 1_000 })
      const inThreads = await attempt(t, store, { ...filled, rangeEvents: 5, threads })
      t.deepEqual(inThreads, whole, what)
      if (first === undefined) t.deepEqual(whole.faults, [], what)
      else t.regex(whole.faults.map((f) => `${f.where}: ${f.message}`).join('\n'), first, what)
      await store.commit(operations.map(({ key }) => soundRow(filled.disk, key)))
    }
  } finally {
    await threads.close()
    await store.close()
  }
})

type Ways = Omit<Filled, 'disk'> &
  Pick<RegistryAuditOptions, 'threads'> & { readonly rangeEvents: number }

type Found = Partial<RegistryAuditReport> & Pick<RegistryAuditReport, 'faults'>

/** What is found; where the views cannot be made at all, that error as the one fault. */
async function attempt(t: ExecutionContext, store: Store, ways: Ways): Promise<Found> {
  const { events, rangeEvents } = ways
  const read: number[] = []
  const progress = (step: string, done: number) => step === 'journal' && read.push(done)
  const scratch = openMemoryStore()
  const found = await auditRegistry(store, { ...ways, scratch, progress }).catch(
    (error: unknown) => ({ faults: [{ where: 'views', message: (error as Error).message }] }),
  )
  t.is(read.at(-1), events)
  t.is(read.length, Math.ceil(events / rangeEvents))
  return found
}

function soundRow(disk: Disk, key: string): Operation {
  const value = disk.get(key)
  return value === undefined ? del(key) : { type: 'put', key, value }
}
