import test from 'ava'

import { audit, type AuditReport, problemsMax } from '#log/store/audit.ts'
import { signCheckpoint } from '#log/tlog/checkpoint.ts'
import { ed25519Keys, noteSigner } from '#log/tlog/ed25519.ts'
import { CorruptRowError } from '#log/store/damage.ts'
import type { Operation } from '#log/store/store.ts'
import { FaultyStore } from '#test/contracts/_faulty_store.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import { wrapStore } from '#test/contracts/_wrapped_store.ts'
import { append, del, growLog, makeEntries, origin, put, signer, verifier } from '#test/log/_log.ts'
import { makeLeaves, naiveRoot } from '#test/log/_trees.ts'
import { toHex } from '#test/log/_vectors.ts'

const trusted = { origin, verifier }

async function auditDamaged(operations: readonly Operation[]): Promise<AuditReport> {
  const store = openMemoryStore()
  await growLog(store, [300, 600])
  await store.commit(operations)
  return audit(store, trusted)
}

test('a sound log is recomputed whole', async (t) => {
  for (const sizes of [[], [1], [256], [257], [1, 2, 3, 255, 256, 300, 511, 512, 700]]) {
    const store = openMemoryStore()
    await growLog(store, sizes)
    const treeSize = sizes.at(-1) ?? 0
    const { rootHash, ...report } = await audit(store, trusted)
    t.is(toHex(rootHash), toHex(naiveRoot(makeLeaves(treeSize))))
    t.deepEqual(report, {
      treeSize,
      tiles: Math.floor(treeSize / 256),
      checkpoints: sizes.length + 1,
      leafRows: treeSize,
      foreignTiles: Math.ceil(treeSize / 256),
      leafTiles: Math.ceil(treeSize / 256),
      problems: [],
    })
  }
})

test('of a large log merkletreejs recomputes a sample of tiles, and the tree above', async (t) => {
  const store = openMemoryStore()
  const log = await growLog(store, [66_000])
  const report = await audit(store, trusted)
  t.is(toHex(report.rootHash), toHex(log.head().rootHash))
  t.deepEqual([report.tiles, report.leafTiles, report.problems], [258, 258, []])
  t.true(report.foreignTiles > 64 && report.foreignTiles < 258)
})

test('progress is told in both parts, up to the end', async (t) => {
  const store = openMemoryStore()
  await growLog(store, [600])
  const told: (readonly [string, number, number])[] = []
  await audit(store, { ...trusted, onProgress: (...step) => told.push(step) })
  t.deepEqual(told.slice(0, 3), [
    ['tree', 256, 600],
    ['tree', 512, 600],
    ['tree', 600, 600],
  ])
  t.deepEqual(told.at(-1), ['leaves', 600, 600])
})

const missing = 'is missing although a signed checkpoint covers it: stop the service and restore'

const damages: readonly (readonly [string, readonly Operation[], RegExp])[] = [
  ['an entry is gone', [del('entry/000000000007')], new RegExp(`^tree: entry 7 ${missing}`)],
  [
    'the last entry is gone',
    [del('entry/000000000257')],
    new RegExp(`^tree: entry 599 ${missing}`),
  ],
  ['a tile is gone', [del('tile/00/000000000001')], new RegExp(`^tile 0/1: tile 0/1 ${missing}`)],
  [
    'a tile has other hashes',
    [put('tile/00/000000000001', Buffer.alloc(511 * 32))],
    /^tile 0\/1: it has other hashes than its entries$/,
  ],
  [
    'an old checkpoint is signed by another key',
    [
      put(
        'checkpoint/00000000012c',
        signCheckpoint(
          { origin, treeSize: 300, rootHash: new Uint8Array(32) },
          noteSigner(origin, ed25519Keys.generate()),
        ),
      ),
    ],
    /^checkpoint 300: .*sign/,
  ],
  [
    'an old checkpoint is of another root',
    [
      put(
        'checkpoint/00000000012c',
        signCheckpoint({ origin, treeSize: 300, rootHash: new Uint8Array(32) }, signer),
      ),
    ],
    /^checkpoint 300: it is signed, but for another tree than that of its entries$/,
  ],
  [
    'a checkpoint lies at another size',
    [
      put(
        'checkpoint/00000000012d',
        signCheckpoint({ origin, treeSize: 300, rootHash: new Uint8Array(32) }, signer),
      ),
    ],
    /^checkpoint 301: it is signed, but for another tree/,
  ],
  [
    'a leaf row is gone',
    [del(`leaf/${toHex(makeLeaves(6)[5] ?? Buffer.of()).slice(0, 32)}/000000000005`)],
    /^leaf rows: 599 rows do not match the hashes of 600 entries$/,
  ],
  [
    'a leaf row is of another index',
    [
      del(`leaf/${toHex(makeLeaves(6)[5] ?? Buffer.of()).slice(0, 32)}/000000000005`),
      put(`leaf/${toHex(makeLeaves(6)[5] ?? Buffer.of()).slice(0, 32)}/000000000006`, ''),
    ],
    /^leaf rows: 600 rows do not match the hashes of 600 entries$/,
  ],
  [
    'an entry follows the newest checkpoint',
    [put('entry/000000000258', 'entry 600')],
    /^entry 600: it follows the newest checkpoint, of 600 entries$/,
  ],
  [
    'the newest checkpoint is gone',
    [del('checkpoint/000000000258')],
    /^entry 599: it follows the newest checkpoint, of 300 entries$/,
  ],
  [
    'the row of the log is gone',
    [del('log')],
    /^log: the row that says what log this is is missing/,
  ],
]

for (const [what, operations, problem] of damages) {
  test(`an audit finds it when ${what}`, async (t) => {
    const { problems } = await auditDamaged(operations)
    t.regex(problems[0] ?? '', problem)
    t.true(problems.length <= 3, problems.join('\n'))
  })
}

test('an entry that was altered contradicts its tile, its row and every later root', async (t) => {
  const { problems } = await auditDamaged([put('entry/000000000007', 'entry 8')])
  t.deepEqual(
    problems.map((problem) => problem.slice(0, problem.indexOf(':'))),
    ['tile 0/0', 'checkpoint 300', 'checkpoint 600', 'leaf rows'],
  )
})

test('a log without checkpoints, or another log than is trusted, is a problem', async (t) => {
  const gone = ['000', '12c', '258'].map((size) => del(`checkpoint/000000000${size}`))
  t.regex((await auditDamaged(gone)).problems[0] ?? '', /^log: every checkpoint is missing/)
  const store = openMemoryStore()
  await growLog(store, [3])
  const { problems } = await audit(store, { ...trusted, origin: 'log.example/other' })
  t.is(problems[0], 'log: the store holds the log log.example/test')
  t.is(problems.length, 3, 'and no checkpoint is of that origin')
})

test('a report lists so many problems and no more', async (t) => {
  const store = openMemoryStore()
  await growLog(
    store,
    Array.from({ length: problemsMax + 20 }, (_, i) => i + 1),
  )
  await store.commit([put('entry/000000000000', 'another')])
  t.is((await audit(store, trusted)).problems.length, problemsMax)
})

test('what is committed during an audit is not looked at', async (t) => {
  const store = openMemoryStore()
  const log = await growLog(store, [600])
  let head = log.head()
  const growing = wrapStore(store, {
    async *scanBatches(range) {
      head = await append(store, head, makeEntries(head.treeSize, head.treeSize + 1))
      yield* store.scanBatches(range)
    },
  })
  const report = await audit(growing, trusted)
  t.deepEqual([report.treeSize, report.leafRows, report.problems], [600, 600, []])
  t.true(head.treeSize > 600)
})

test('a corrupt row is a problem, a store that cannot be read is an error', async (t) => {
  const store = openMemoryStore()
  await growLog(store, [300])
  const corrupt = wrapStore(store, {
    async *scanBatches() {
      yield []
      throw new CorruptRowError('entry/000000000000')
    },
  })
  const { problems } = await audit(corrupt, trusted)
  t.regex(problems[0] ?? '', /^tree: the row "entry\/000000000000" fails its checksum/)
  const unreadable = new FaultyStore(store, { operation: 'scan', nth: 3, outcome: 'lost' })
  await t.throwsAsync(audit(unreadable, trusted), { code: 'store_failed' })
})
