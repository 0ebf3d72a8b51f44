import test, { type ExecutionContext } from 'ava'

import { logAuditThreads } from '#actors/registry/audit_threads.ts'
import { audit, type AuditReport } from '#log/store/audit.ts'
import { LogError } from '#log/tlog/errors.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import type { Operation, Store } from '#log/store/store.ts'
import { del, growLog, origin, put, verifier } from '#test/log/_log.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

/** Nine ranges, the last of which ends within a tile, and a full tile of level 1. */
const treeSize = 66_000

/** An audit in three threads, which must find what one in this thread does. */
async function auditBoth(t: ExecutionContext, dir: string, store: Store): Promise<AuditReport> {
  const threads = logAuditThreads(dir, 3)
  const told: number[] = []
  try {
    const report = await audit(store, {
      origin,
      verifier,
      threads,
      onProgress: (part, done) => part === 'tree' && told.push(done),
    })
    t.deepEqual(report, await audit(store, { origin, verifier }))
    t.deepEqual(
      told,
      told.toSorted((a, b) => a - b),
    )
    return report
  } finally {
    await threads.close()
  }
}

const noHashes = Buffer.alloc(511 * 32)

const damages: readonly (readonly [string, readonly Operation[], readonly RegExp[]])[] = [
  ['the last entry is gone', [del('entry/0000000101cf')], [/^tree: entry 65999 is missing/]],
  [
    'tiles of several ranges are wrong, and an entry was replaced',
    [
      put('tile/01/000000000000', noHashes),
      put('tile/00/0000000000c8', noHashes),
      del('tile/00/000000000028'),
      put('tile/00/000000000029', noHashes),
      put('entry/000000004e20', 'another'),
    ],
    [
      /^tile 0\/40: tile 0\/40 is missing/,
      /^tile 0\/41: it has other hashes than its entries$/,
      /^tile 0\/78: it has other hashes/,
      /^tile 0\/200: it has other hashes/,
      /^tile 1\/0: it has other hashes/,
      /^checkpoint 66000: /,
    ],
  ],
  [
    'a tile before a lost entry is wrong, and so is one behind it',
    [
      put('tile/00/000000000020', noHashes),
      del('entry/000000002710'),
      put('tile/00/0000000000c8', noHashes),
    ],
    [/^tile 0\/32: it has other hashes/, /^tree: entry 10000 is missing/],
  ],
]

test('threads find what one finds, in its order', async (t) => {
  const dir = await makeTempDir(t)
  const store = await openLevelStore(dir, { create: true })
  await growLog(store, [treeSize])
  const sound = await auditBoth(t, dir, store)
  t.like(sound, { treeSize, tiles: 258, leafTiles: 258, leafRows: treeSize, problems: [] })
  for (const [what, operations, expected] of damages) {
    const rows = operations.map(({ key }) => [key, store.get(key)] as const)
    await store.commit(operations)
    const { problems } = await auditBoth(t, dir, store)
    for (const [index, problem] of expected.entries()) t.regex(problems[index] ?? '', problem, what)
    await store.commit(rows.map(([key, row]) => (row === undefined ? del(key) : put(key, row))))
  }
  await store.close()
})

test('a store that no thread can open is a failed audit, and no sound one', async (t) => {
  const dir = await makeTempDir(t)
  const store = await openLevelStore(dir, { create: true })
  await growLog(store, [9_000])
  const threads = logAuditThreads(`${dir}/nowhere`, 2)
  const refused = audit(store, { origin, verifier, threads })
  await t.throwsAsync(refused, {
    instanceOf: LogError,
    message: /nowhere cannot be joined/,
  })
  await threads.close()
  await store.close()
})
