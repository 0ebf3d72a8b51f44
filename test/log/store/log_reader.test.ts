import test from 'ava'
import fc from 'fast-check'

import { planCommit } from '#log/store/commit.ts'
import { decodeEntryBundle, levelSize } from '#log/tlog/tile.ts'
import { leafHash } from '#log/tlog/hash.ts'
import { LogReader } from '#log/store/log_reader.ts'
import { checkConsistency, checkInclusion } from '#log/tlog/proof.ts'
import { rootHash } from '#log/tlog/tree.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import { append, del, growLog, makeEntries, put, signer } from '#test/log/_log.ts'
import { makeLeaves, readLeaves } from '#test/log/_trees.ts'
import { toHex } from '#test/log/_vectors.ts'

const treeSize = 66_000
const store = openMemoryStore()
const log = await growLog(store, [65_535, 65_536, treeSize])
const leaves = makeLeaves(treeSize)
const read = readLeaves(leaves)

const sizes = fc.integer({ min: 1, max: treeSize })

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString()
}

test('entries are read one by one and in a row', async (t) => {
  t.is(toText(log.entry(65_999)), 'entry 65999')
  const entries = await Array.fromAsync(log.entries(65_530, 65_540))
  t.deepEqual(entries.map(toText), makeEntries(65_530, 65_540).map(toText))
  t.deepEqual(await Array.fromAsync(log.entries(7, 7)), [])
})

test('what lies beyond the head is out_of_range', async (t) => {
  const beyond = (size: number) => ({
    code: 'out_of_range',
    message: `a size of ${size} was asked of a log of 66000 entries`,
  })
  for (const leafIndex of [treeSize, -1, 0.5, Number.NaN]) {
    t.throws(() => log.entry(leafIndex), {
      code: 'out_of_range',
      message: `entries from ${leafIndex} to ${leafIndex + 1} were asked of a log of 66000`,
    })
  }
  for (const [from, to] of [
    [0, 66_001],
    [-1, 5],
    [5, 4],
  ] as const) {
    await t.throwsAsync(Array.fromAsync(log.entries(from, to)), { code: 'out_of_range' })
  }
  t.throws(() => log.inclusion(0, 66_001), beyond(66_001))
  t.throws(() => log.inclusion(5, 5), { code: 'out_of_range', message: /leaf 5 / })
  t.throws(() => log.consistency(1, 66_001), beyond(66_001))
  t.throws(() => log.consistency(0, 5), { code: 'out_of_range' })
  t.throws(() => log.rootAt(66_001), beyond(66_001))
  t.throws(() => log.checkpointAt(66_001), beyond(66_001))
})

test('tiles of every level are served full and in every width they ever had', (t) => {
  for (const [level, index] of [
    [0, 0],
    [0, 255],
    [0, 257],
    [1, 0],
    [1, 1],
    [2, 0],
  ] as const) {
    const width = Math.min(256, levelSize(level, treeSize) - index * 256)
    for (const part of [1, Math.ceil(width / 2), width]) {
      const hashes = Array.from({ length: part }, (_, at) => read(8 * level, 256 * index + at))
      const tile = log.tile({ level, index, width: part })
      t.is(toHex(tile), toHex(Buffer.concat(hashes)), `${level}/${index}.p/${part}`)
    }
    if (width === 256) continue
    t.throws(() => log.tile({ level, index, width: width + 1 }), {
      code: 'out_of_range',
      message: `a log of 66000 entries has no tile ${level}/${index} of width ${width + 1}`,
    })
  }
  t.throws(() => log.tile({ level: 3, index: 0, width: 1 }), { code: 'out_of_range' })
})

test('entry bundles hold the entries below their tile', async (t) => {
  for (const [index, width] of [
    [0, 256],
    [3, 9],
    [257, 208],
  ] as const) {
    const entries = decodeEntryBundle(await log.entryBundle(index, width), width)
    const expected = makeEntries(256 * index, 256 * index + width)
    t.deepEqual(entries.map(toText), expected.map(toText))
  }
  await t.throwsAsync(log.entryBundle(257, 209), {
    code: 'out_of_range',
    message: 'a log of 66000 entries has no tile 0/257 of width 209',
  })
})

test('every leaf is proven in every tree that has it', (t) => {
  fc.assert(
    fc.property(sizes, fc.nat(), (size, seed) => {
      const leafIndex = seed % size
      const proof = log.inclusion(leafIndex, size)
      const root = rootHash(size, read)
      t.is(toHex(log.rootAt(size)), toHex(root))
      checkInclusion({
        leafHash: read(0, leafIndex),
        leafIndex,
        treeSize: size,
        proof,
        rootHash: root,
      })
    }),
  )
  t.deepEqual(log.inclusion(65_535), log.inclusion(65_535, treeSize))
})

test('proofs in hex are those of the newest tree, also as it grows', async (t) => {
  const memory = openMemoryStore()
  const reader = await growLog(memory, [1])
  for (const newest of [1, 255, 256, 257, 700, 66_000]) {
    const head = reader.head()
    reader.publish(await append(memory, head, makeEntries(head.treeSize, newest)))
    const equal = (leafIndex: number) =>
      t.deepEqual(reader.inclusionTexts(leafIndex), reader.inclusion(leafIndex).map(toHex))
    for (const leafIndex of [0, newest >> 1, newest - 1]) equal(leafIndex)
    // Each is asked for again, and some at least have been kept.
    fc.assert(fc.property(fc.nat(newest - 1), equal))
  }
})

test('every tree is proven to be a prefix of every larger one', (t) => {
  fc.assert(
    fc.property(sizes, sizes, (a, b) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)]
      const proof = log.consistency(from, to)
      const [fromRoot, toRoot] = [rootHash(from, read), rootHash(to, read)]
      t.notThrows(() => checkConsistency({ from, to, fromRoot, toRoot, proof }))
    }),
  )
})

test('a leaf is found by its hash; the first one where entries are equal', async (t) => {
  const small = openMemoryStore()
  const twice = await growLog(small, [5])
  const entries = [Buffer.from('entry 3'), Buffer.from('new')]
  const head = await append(small, twice.head(), entries)
  t.is(await twice.findLeaf(leafHash(Buffer.from('entry 3'))), 3)
  t.is(await twice.findLeaf(leafHash(Buffer.from('new'))), undefined, 'it is not published yet')
  twice.publish(head)
  t.is(await twice.findLeaf(leafHash(Buffer.from('entry 3'))), 3)
  t.is(await twice.findLeaf(leafHash(Buffer.from('new'))), 6)
  t.is(await log.findLeaf(leafHash(Buffer.from('entry 65999'))), 65_999)
  t.is(await log.findLeaf(leafHash(Buffer.from('unknown'))), undefined)
})

test('a hash that begins as a leaf hash does is not found', async (t) => {
  const similar = Buffer.from(leafHash(Buffer.from('entry 3')))
  similar.writeUInt8(similar.readUInt8(31) ^ 1, 31)
  t.is(await log.findLeaf(similar), undefined)
})

test('the history has the checkpoint of each commit', async (t) => {
  const head = log.head()
  t.is(log.checkpointAt(treeSize), head.checkpoint)
  t.is(log.checkpointAt(65_000), undefined)
  const all = await log.checkpoints({ after: 0, limit: 10 })
  t.deepEqual(
    all.map((signed) => signed.treeSize),
    [65_535, 65_536, treeSize],
  )
  const page = await log.checkpoints({ after: 65_535, limit: 1 })
  t.deepEqual(page, [{ treeSize: 65_536, checkpoint: log.checkpointAt(65_536) ?? '' }])
  for (const after of [treeSize, 2 ** 52]) {
    t.deepEqual(await log.checkpoints({ after, limit: 10 }), [])
  }
  const sizesBefore = async (before: number, limit: number) => {
    const heads = await log.checkpointsBefore({ before, limit })
    return heads.map((signed) => signed.treeSize)
  }
  t.deepEqual(await sizesBefore(2 ** 47, 10), [treeSize, 65_536, 65_535])
  t.deepEqual(await sizesBefore(treeSize, 1), [65_536])
  t.deepEqual(await sizesBefore(65_535, 10), [])
})

test('a commit is seen once it is published, whole', async (t) => {
  const small = openMemoryStore()
  const reader = await growLog(small, [255])
  const plan = planCommit(reader.head(), makeEntries(255, 300), signer)
  await small.commit(plan.operations)
  t.is(reader.head().treeSize, 255)
  t.throws(() => reader.entry(255), { code: 'out_of_range' })
  t.throws(() => reader.tile({ level: 0, index: 0, width: 256 }), { code: 'out_of_range' })
  t.deepEqual((await reader.checkpoints({ after: 0, limit: 9 })).length, 1)
  t.deepEqual((await reader.checkpointsBefore({ before: 2 ** 40, limit: 9 })).length, 1)
  reader.publish(plan.next)
  t.is(
    toHex(reader.tile({ level: 0, index: 0, width: 256 })),
    toHex(Buffer.concat(leaves.slice(0, 256))),
  )
  t.is(toText(reader.entry(299)), 'entry 299')
  t.throws(() => reader.publish({ ...plan.next, treeSize: 299 }), { message: /a log only grows/ })
})

test('a row that must be there and is not, is store_corrupt', async (t) => {
  const damaged = openMemoryStore()
  const { next } = planCommit((await growLog(damaged, [600])).head(), [], signer)
  await damaged.commit([del('entry/000000000007'), del('tile/00/000000000001')])
  const reader = new LogReader(damaged, next)
  const missing = (what: string) => ({
    code: 'store_corrupt',
    message: new RegExp(`^${what} is missing although .*: stop the service and restore`),
  })
  t.throws(() => reader.entry(7), missing('entry 7'))
  await t.throwsAsync(Array.fromAsync(reader.entries(0, 20)), missing('entry 7'))
  await t.throwsAsync(reader.entryBundle(0, 8), missing('entry 7'))
  t.throws(() => reader.inclusion(300), missing('tile 0/1'))
  await damaged.commit([put('entry/000000000007', 'back')])
  t.is(toText(reader.entry(7)), 'back')
})
