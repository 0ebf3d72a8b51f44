import test from 'ava'

import { signCheckpoint } from '#log/tlog/checkpoint.ts'
import { ed25519Keys, noteSigner } from '#log/tlog/ed25519.ts'
import type { LogErrorCode } from '#log/tlog/errors.ts'
import { openLog } from '#log/store/open_log.ts'
import type { Operation, Store } from '#log/store/store.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import {
  append,
  del,
  existing,
  growLog,
  logOptions,
  makeEntries,
  origin,
  put,
  signer,
} from '#test/log/_log.ts'

async function storeOf(...sizes: readonly number[]): Promise<Store> {
  const store = openMemoryStore()
  await growLog(store, sizes)
  return store
}

test('an empty store becomes a new log, once', async (t) => {
  const store = openMemoryStore()
  const head = await openLog(store, logOptions)
  t.is(head.treeSize, 0)
  t.deepEqual(JSON.parse(Buffer.from(store.get('log') ?? '').toString()), {
    schema: 1,
    kind: 'log',
    origin,
    vkey: logOptions.vkey,
    created_at: '2026-03-04T05:06:07.089Z',
  })
  // A first start that was cut short is begun again, with what it had made.
  const again = await openLog(store, { ...logOptions, createdAt: '2027-01-01T00:00:00.000Z' })
  t.is(again.checkpoint, head.checkpoint)
  t.is((await openLog(store, existing)).checkpoint, head.checkpoint)
})

test('a log opens with the head that was committed, at any size', async (t) => {
  const store = openMemoryStore()
  let head = await openLog(store, logOptions)
  for (const size of [1, 2, 255, 256, 257, 511, 512, 1_000, 65_535, 65_536, 65_800]) {
    head = await append(store, head, makeEntries(head.treeSize, size))
    const opened = await openLog(store, existing)
    const next = makeEntries(size, size + 300)
    t.is(opened.checkpoint, head.checkpoint, `${size}`)
    t.deepEqual(await planned(opened, next), await planned(head, next), `${size}`)
  }
})

async function planned(head: Awaited<ReturnType<typeof openLog>>, entries: Uint8Array[]) {
  const grown = openMemoryStore()
  const { checkpoint } = await append(grown, head, entries)
  const rows = await Array.fromAsync(grown.scan({}))
  return { checkpoint, keys: rows.map(([key]) => key) }
}

type Damage = {
  readonly what: string
  readonly operations: readonly Operation[]
  readonly code: LogErrorCode
  readonly message: RegExp
}

const stranger = noteSigner(origin, ed25519Keys.generate())
const otherTree = { origin, treeSize: 600, rootHash: new Uint8Array(32) }

const damages: readonly Damage[] = [
  {
    what: 'an entry after the last tile is gone',
    operations: [del('entry/000000000257')],
    code: 'store_corrupt',
    message: /^entry 599 is missing although a signed checkpoint covers it: stop the service/,
  },
  {
    what: 'an entry in the middle is gone',
    operations: [del('entry/000000000007')],
    code: 'store_corrupt',
    message: /^entry 7 is missing although/,
  },
  {
    what: 'the first entry is gone',
    operations: [del('entry/000000000000')],
    code: 'store_corrupt',
    message: /^entry 0 is missing although/,
  },
  {
    what: 'a tile of the right edge is gone',
    operations: [del('tile/00/000000000001')],
    code: 'store_corrupt',
    message: /^tile 0\/1 is missing although/,
  },
  {
    what: 'an entry of the right edge is another',
    operations: [put('entry/000000000257', 'entry 598')],
    code: 'log_inconsistent',
    message:
      /^the tree of 600 entries has not the root that was signed for it: the store is damaged/,
  },
  {
    what: 'the newest checkpoint is gone',
    operations: [del('checkpoint/000000000258')],
    code: 'log_inconsistent',
    message: /^entry 599 follows the newest checkpoint, of size 300: the store is damaged/,
  },
  {
    what: 'all checkpoints are gone',
    operations: ['000', '12c', '258'].map((size) => del(`checkpoint/000000000${size}`)),
    code: 'store_corrupt',
    message: /^every checkpoint is missing/,
  },
  {
    what: 'the row of the log is gone',
    operations: [del('log')],
    code: 'store_corrupt',
    message: /^the row that says what log this is is missing/,
  },
  {
    what: 'the newest checkpoint is signed by another key',
    operations: [put('checkpoint/000000000258', signCheckpoint(otherTree, stranger))],
    code: 'log_inconsistent',
    message: /^the checkpoint of 600 entries cannot be verified: the store is damaged/,
  },
  {
    what: 'the newest checkpoint is of another root',
    operations: [put('checkpoint/000000000258', signCheckpoint(otherTree, signer))],
    code: 'log_inconsistent',
    message: /^the tree of 600 entries has not the root/,
  },
  {
    what: 'the newest checkpoint is of another size',
    operations: [
      put('checkpoint/000000000258', signCheckpoint({ ...otherTree, treeSize: 601 }, signer)),
    ],
    code: 'log_inconsistent',
    message: /^the checkpoint of 600 entries is of 601: the store is damaged/,
  },
]

for (const { what, operations, code, message } of damages) {
  test(`a log does not open when ${what}`, async (t) => {
    const store = await storeOf(300, 600)
    await store.commit(operations)
    await t.throwsAsync(openLog(store, existing), { code, message })
    await t.throwsAsync(openLog(store, logOptions), { code, message }, 'nor is it made anew')
  })
}

test('an empty store is not a log where none may be made', async (t) => {
  await t.throwsAsync(openLog(openMemoryStore(), existing), {
    code: 'store_missing',
    message: /^the store is empty, it has lost its log: restore it from a backup/,
  })
})

test('a store is opened as the log it is, and as no other', async (t) => {
  const store = await storeOf(5)
  const others = [
    ['kind', { kind: 'registry' }],
    ['origin', { origin: 'log.example/other' }],
    ['vkey', { vkey: 'log.example/test+00000000+AAAA' }],
  ] as const
  for (const [name, other] of others) {
    const error = await t.throwsAsync(openLog(store, { ...existing, ...other }), {
      code: 'log_inconsistent',
    })
    const [value] = Object.values(other)
    const difference = `${name} is ${existing[name]}, not ${value}: start it with`
    t.true(error?.message.startsWith(`the store holds a log whose ${difference}`), error?.message)
  }
})

test('only so many of the newest entries are read back as a lost .log can have held', async (t) => {
  const store = await storeOf(2_000)
  await store.commit([del('entry/000000000007')])
  const tail = { ...existing, writeBufferBytes: 20_000 }
  t.is((await openLog(store, tail)).treeSize, 2_000)
  await store.commit([del(`entry/${(1_850).toString(16).padStart(12, '0')}`)])
  await t.throwsAsync(openLog(store, tail), { code: 'store_corrupt', message: /^entry 1850 is/ })
})
