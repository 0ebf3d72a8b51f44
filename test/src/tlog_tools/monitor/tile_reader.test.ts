import test from 'ava'
import fc from 'fast-check'

import { checkInclusion } from '#log/tlog/proof.ts'
import type { Tile } from '#log/tlog/tile.ts'
import { TileReader } from '#src/tlog_tools/monitor/tile_reader.ts'
import { merkleTreeHash } from '#test/scenario/_tlog_client.ts'
import { makeEntries } from '#test/src/tlog_tools/monitor/_served_log.ts'
import { leafHashOf } from '#test/src/client/verify/_registry.ts'

const leaves = makeEntries(2_000).map(leafHashOf)

// Hash i of a level covers 256^level leaves from i·256^level; no tree is so large as to have more.
const levels = [leaves, hashesAbove(leaves)]

function hashesAbove(hashes: readonly Buffer[]): Buffer[] {
  return Array.from({ length: Math.floor(hashes.length / 256) }, (_, index) =>
    merkleTreeHash(hashes.slice(index * 256, (index + 1) * 256)),
  )
}

function tileOf({ level, index, width }: Tile): Buffer {
  return Buffer.concat(levels[level]?.slice(index * 256, index * 256 + width) ?? [])
}

function readerOf(treeSize: number) {
  const fetched: string[] = []
  const head = { treeSize, rootHash: merkleTreeHash(leaves.slice(0, treeSize)) }
  const reader = new TileReader(head, async (tile) => {
    fetched.push(`${tile.level}/${tile.index}.p/${tile.width}`)
    return tileOf(tile)
  })
  return { reader, fetched }
}

const sizes = fc.integer({ min: 1, max: leaves.length })

test('the root of every smaller size follows from the tiles of a head', async (t) => {
  await fc.assert(
    fc.asyncProperty(sizes, sizes, async (left, right) => {
      const [from, to] = [Math.min(left, right), Math.max(left, right)]
      const root = await readerOf(to).reader.rootAt(from)
      t.deepEqual(Buffer.from(root), merkleTreeHash(leaves.slice(0, from)))
    }),
    { numRuns: 50 },
  )
})

test('the inclusion proof of every leaf leads to the head', async (t) => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(), async (treeSize, drawn) => {
      const leafIndex = drawn % treeSize
      const proof = await readerOf(treeSize).reader.inclusionProof(leafIndex)
      const rootHash = merkleTreeHash(leaves.slice(0, treeSize))
      const leafHash = leaves[leafIndex] ?? Buffer.of()
      t.notThrows(() => checkInclusion({ leafHash, leafIndex, treeSize, proof, rootHash }))
    }),
    { numRuns: 100 },
  )
})

test('every tile that a tree has is read, at its whole width and below', async (t) => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.double({ min: 0, max: 1, noNaN: true }), async (treeSize, share) => {
      const index = Math.floor(((treeSize - 1) / 256) * share)
      const width = Math.min(256, treeSize - index * 256)
      const tile = { level: 0, index, width: Math.max(1, Math.floor(width * share)) }
      const bytes = await readerOf(treeSize).reader.tile(tile)
      t.deepEqual(Buffer.from(bytes), tileOf(tile))
    }),
    { numRuns: 50 },
  )
})

test('a tile is fetched once, and only at widths that the head commits to', async (t) => {
  const { reader, fetched } = readerOf(700)
  await reader.tile({ level: 0, index: 0, width: 256 })
  await reader.tile({ level: 0, index: 0, width: 3 })
  await reader.tile({ level: 0, index: 2, width: 1 })
  t.deepEqual(fetched, ['0/2.p/188', '1/0.p/2', '0/0.p/256'])
})

// Clients have trusted tiles that nothing had checked (CVE-2026-56865, golang/go#80744).
test('no fetched tile goes unchecked: any changed bit is refused', async (t) => {
  const treeSize = 1_100
  const head = { treeSize, rootHash: merkleTreeHash(leaves.slice(0, treeSize)) }
  const { reader, fetched } = readerOf(treeSize)
  for (let index = 0; index < 5; index += 1) await reader.tile({ level: 0, index, width: 1 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...fetched), fc.nat(), fc.nat(7), async (name, at, bit) => {
      const spoilt = new TileReader(head, async (tile) => {
        const bytes = tileOf(tile)
        const byte = at % bytes.length
        const isSpoilt = `${tile.level}/${tile.index}.p/${tile.width}` === name
        if (isSpoilt) bytes.writeUInt8(bytes.readUInt8(byte) ^ (1 << bit), byte)
        return bytes
      })
      const index = Number(name.split(/[/.]/)[1])
      const tile = name.startsWith('0/') ? { level: 0, index, width: 1 } : undefined
      await t.throwsAsync(() => spoilt.tile(tile ?? { level: 1, index: 0, width: 1 }), {
        name: 'LogAlarm',
        code: 'bad_tile',
      })
    }),
  )
})
