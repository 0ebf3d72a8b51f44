import test from 'ava'
import fc from 'fast-check'

import { hashBytes } from '#log/tlog/hash.ts'
import {
  checkEntry,
  decodeEntryBundle,
  encodeEntryBundle,
  entryBytesMax,
  expandTile,
  formatEntriesPath,
  formatTilePath,
  levelSize,
  parseEntriesPath,
  parseTilePath,
  partialWidth,
  type Tile,
  tileExists,
  tileHeight,
  tileLevelMax,
  tileNode,
  tileNodes,
  tileWidth,
} from '#log/tlog/tile.ts'
import { rootHash } from '#log/tlog/tree.ts'
import { makeLeaves, naiveRoot, readLeaves } from '#test/log/_trees.ts'
import { toHex } from '#test/log/_vectors.ts'

const tilePaths: readonly (readonly [Tile, string])[] = [
  [{ level: 0, index: 0, width: 256 }, 'tile/0/000'],
  [{ level: 0, index: 0, width: 1 }, 'tile/0/000.p/1'],
  [{ level: 0, index: 273, width: 112 }, 'tile/0/273.p/112'],
  [{ level: 1, index: 1, width: 17 }, 'tile/1/001.p/17'],
  [{ level: 3, index: 999, width: 255 }, 'tile/3/999.p/255'],
  [{ level: 3, index: 1_000, width: 256 }, 'tile/3/x001/000'],
  [{ level: 0, index: 1_234_067, width: 256 }, 'tile/0/x001/x234/067'],
  [{ level: 0, index: 1_000_000, width: 8 }, 'tile/0/x001/x000/000.p/8'],
  [{ level: 63, index: 2 ** 53 - 1, width: 2 }, 'tile/63/x009/x007/x199/x254/x740/991.p/2'],
]

for (const [tile, path] of tilePaths) {
  test(`the path of a tile is written and read: ${path}`, (t) => {
    t.is(formatTilePath(tile), path)
    t.deepEqual(parseTilePath(path), tile)
  })
}

test('the path of an entry bundle is written and read', (t) => {
  t.is(formatEntriesPath({ index: 0, width: 3 }), 'tile/entries/000.p/3')
  t.is(formatEntriesPath({ index: 1_234_067, width: 256 }), 'tile/entries/x001/x234/067')
  t.deepEqual(parseEntriesPath('tile/entries/000.p/3'), { index: 0, width: 3 })
  t.deepEqual(parseEntriesPath('tile/entries/x001/x234/067'), { index: 1_234_067, width: 256 })
})

const tiles = fc.record({
  level: fc.nat(tileLevelMax),
  index: fc.oneof(fc.maxSafeNat(), fc.nat(100_000)),
  width: fc.integer({ min: 1, max: tileWidth }),
})

test('every path leads back to its tile and its bundle', (t) => {
  fc.assert(
    fc.property(tiles, (tile) => {
      t.deepEqual(parseTilePath(formatTilePath(tile)), tile)
      const { index, width } = tile
      t.deepEqual(parseEntriesPath(formatEntriesPath(tile)), { index, width })
    }),
  )
})

test('a path that is read is the only spelling of its tile', (t) => {
  const part = fc.constantFrom(
    '0',
    '1',
    '000',
    '001',
    '067',
    'x000',
    'x001',
    '.p',
    '.p/8',
    '/',
    'x',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const path = `tile/0/${parts.join('')}`
      try {
        t.is(formatTilePath(parseTilePath(path)), path)
      } catch (error) {
        t.like(error, { code: 'malformed_tile_path' })
      }
    }),
    { numRuns: 2_000 },
  )
})

const malformedPlaces = [
  '',
  '0',
  '00',
  '0000',
  '1000',
  'x000/000',
  'x000/001',
  'x001/0',
  'x1/000',
  'x001',
  'x001/',
  'x001/x234',
  '001/000',
  'X001/000',
  '/000',
  '000/',
  '//000',
  '-01',
  '+01',
  '1e3',
  '0x0',
  '000 ',
  '000\n',
  '０００',
  '%30%30%30',
  '../000',
  '000.p',
  '000.p/',
  '000.p/0',
  '000.p/00',
  '000.p/08',
  '000.p/256',
  '000.p/257',
  '000.p/1000',
  '000.p/-1',
  '000.p/1.5',
  '000.p/1/2',
  '000.p/1\n',
  '000.P/1',
  '000p/1',
  'x009/x007/x199/x254/x740/992',
  'x001/x000/x000/x000/x000/x000/000',
]

for (const place of malformedPlaces) {
  test(`a path is refused: ${JSON.stringify(place)}`, (t) => {
    for (const path of [`tile/0/${place}`, `tile/entries/${place}`]) {
      const parse = path.startsWith('tile/0') ? parseTilePath : parseEntriesPath
      t.throws(() => parse(path), {
        code: 'malformed_tile_path',
        message: `${JSON.stringify(path)} is not the path of a tile`,
      })
    }
  })
}

test('a level is 0 to 63, in its one spelling', (t) => {
  for (const level of ['', '00', '01', '64', '100', '-1', '1.0', '1e1', 'x01', ' 1', 'entries']) {
    const path = `tile/${level}/000`
    t.throws(() => parseTilePath(path), {
      code: 'malformed_tile_path',
      message: `${JSON.stringify(path)} is not the path of a tile`,
    })
  }
})

test('what stands around a path is refused', (t) => {
  const paths = ['/tile/0/000', 'log/tile/0/000', 'tiles/0/000', 'TILE/0/000', 'tile/0/000?x']
  for (const path of paths) {
    const error = {
      code: 'malformed_tile_path',
      message: `${JSON.stringify(path)} is not the path of a tile`,
    }
    t.throws(() => parseTilePath(path), error)
    t.throws(() => parseEntriesPath(path.replace('/0/', '/entries/')), {
      ...error,
      message: error.message.replace('/0/', '/entries/'),
    })
  }
})

test('a tile is no bundle, and a bundle no tile', (t) => {
  t.throws(() => parseEntriesPath('tile/0/000'), {
    code: 'malformed_tile_path',
    message: '"tile/0/000" is not the path of a tile',
  })
  t.throws(() => parseTilePath('tile/entries/000'), {
    code: 'malformed_tile_path',
    message: '"tile/entries/000" is not the path of a tile',
  })
})

test('a tile that no path can name is our own mistake', (t) => {
  const width = { message: 'assertion failed: a width is 1 to 256' }
  t.throws(() => formatTilePath({ level: 0, index: 0, width: 0 }), width)
  t.throws(() => formatTilePath({ level: 0, index: 0, width: 257 }), width)
  t.throws(() => formatTilePath({ level: 0, index: 0, width: 1.5 }), width)
  const index = { message: 'assertion failed: a tile index is a count' }
  t.throws(() => formatTilePath({ level: 0, index: -1, width: 1 }), index)
  t.throws(() => formatTilePath({ level: 0, index: 2 ** 53, width: 1 }), index)
  const level = { message: 'assertion failed: a tile level is 0 to 63' }
  t.throws(() => formatTilePath({ level: 64, index: 0, width: 1 }), level)
  t.throws(() => formatTilePath({ level: -1, index: 0, width: 1 }), level)
})

test('the widths of 70,000 leaves are 112, 17 and 1', (t) => {
  const widths = [0, 1, 2, 3, 63].map((level) => partialWidth(level, 70_000))
  t.deepEqual(widths, [112, 17, 1, 0, 0])
  t.deepEqual(
    [0, 1, 2].map((level) => levelSize(level, 70_000)),
    [70_000, 273, 1],
  )
  t.deepEqual(
    [0, 1].map((level) => partialWidth(level, 256)),
    [0, 1],
  )
})

test('sizes beyond 32 bits have exact widths', (t) => {
  t.is(partialWidth(0, 2 ** 53 - 1), 255)
  t.is(partialWidth(0, 2 ** 40 + 3), 3)
  t.is(partialWidth(4, 2 ** 40 + 3), 0)
  t.is(levelSize(4, 2 ** 40 + 3), 256)
  t.is(levelSize(5, 2 ** 40 + 3), 1)
})

test('a log serves the tiles of all sizes it has had, and no wider one', (t) => {
  const sizeMax = 1_030
  const served = new Set<string>()
  for (let treeSize = 0; treeSize <= sizeMax; treeSize += 1) {
    for (const level of [0, 1]) {
      const [index, width] = [
        Math.floor(levelSize(level, treeSize) / 256),
        partialWidth(level, treeSize),
      ]
      if (width > 0) served.add(formatTilePath({ level, index, width }))
      if (width === 0 && index > 0) {
        served.add(formatTilePath({ level, index: index - 1, width: tileWidth }))
      }
    }
    if (treeSize % 103 > 1) continue
    for (let index = 0; index < 6; index += 1) {
      for (let width = 1; width <= tileWidth; width += 1) {
        for (const level of [0, 1]) {
          const tile = { level, index, width }
          t.is(tileExists(tile, treeSize), served.has(formatTilePath(tile)))
        }
      }
    }
  }
  t.false(tileExists({ level: 63, index: 0, width: 1 }, Number.MAX_SAFE_INTEGER))
  t.false(tileExists({ level: 0, index: 2 ** 53 - 1, width: 1 }, Number.MAX_SAFE_INTEGER))
})

const leaves = makeLeaves(tileWidth)
const nodes = expandTile(Buffer.concat(leaves))

test('an expanded tile has every node of its subtree', (t) => {
  const read = readLeaves(leaves)
  t.is(nodes.length, tileNodes * hashBytes)
  for (let height = 0; height <= tileHeight; height += 1) {
    for (let index = 0; index < tileWidth / 2 ** height; index += 1) {
      t.is(toHex(tileNode(nodes, height, index)), toHex(read(height, index)))
    }
  }
  t.is(toHex(tileNode(nodes, tileHeight, 0)), toHex(naiveRoot(leaves)))
})

test('a partial tile is the beginning of the full one', (t) => {
  const hashes = nodes.subarray(0, 100 * hashBytes)
  t.is(toHex(hashes), toHex(Buffer.concat(leaves.slice(0, 100))))
  const read = (level: number, index: number) => tileNode(nodes, level, index)
  t.is(toHex(rootHash(100, read)), toHex(naiveRoot(leaves.slice(0, 100))))
})

test('a short tile is never taken for a full one', (t) => {
  const error = { message: 'assertion failed: only a full tile is expanded' }
  t.throws(() => expandTile(nodes.subarray(0, 255 * hashBytes)), error)
  t.throws(() => expandTile(nodes), error)
  t.throws(() => expandTile(new Uint8Array(0)), error)
})

test('a node outside its tile is our own mistake', (t) => {
  const heights = { message: 'assertion failed: a tile has heights 0 to 8' }
  t.throws(() => tileNode(nodes, 9, 0), heights)
  t.throws(() => tileNode(nodes, -1, 0), heights)
  const place = { message: 'assertion failed: the node is in the tile' }
  t.throws(() => tileNode(nodes, 8, 1), place)
  t.throws(() => tileNode(nodes, 0, 256), place)
  t.throws(() => tileNode(nodes, 0, -1), place)
})

test('an entry is its length in two bytes, big-endian, and its bytes', (t) => {
  const long = Buffer.alloc(258, 0xee)
  const bundle = encodeEntryBundle([Buffer.from('ab'), new Uint8Array(0), long])
  t.is(toHex(bundle), ['00026162', '0000', '0102', toHex(long)].join(''))
})

test('what is encoded is decoded to the same entries', (t) => {
  const entries = fc.array(fc.uint8Array({ maxLength: 600 }), { minLength: 1, maxLength: 256 })
  fc.assert(
    fc.property(entries, (list) => {
      const decoded = decodeEntryBundle(encodeEntryBundle(list), list.length)
      t.deepEqual(decoded.map(toHex), list.map(toHex))
    }),
    { numRuns: 50 },
  )
})

test('a bundle of 256 of the longest entries is kept', (t) => {
  const entries = Array.from({ length: 256 }, (_, index) => Buffer.alloc(entryBytesMax, index))
  const bundle = encodeEntryBundle(entries)
  t.is(bundle.length, 256 * (2 + 65_535))
  t.true(decodeEntryBundle(bundle, 256).every((entry, index) => entries[index]?.equals(entry)))
})

test('the entries are found in a view of a larger buffer', (t) => {
  const bundle = encodeEntryBundle([Buffer.from('ab')])
  const larger = Buffer.concat([Buffer.from('before'), bundle, Buffer.from('after')])
  const [entry] = decodeEntryBundle(larger.subarray(6, 6 + bundle.length), 1)
  t.is(Buffer.from(entry ?? []).toString(), 'ab')
})

const malformed = (width: number) => ({
  code: 'malformed_entry_bundle',
  message: `the bundle does not hold exactly ${width} entries`,
})

test('every bundle that is cut or has bytes left over is refused', (t) => {
  const bundle = encodeEntryBundle([Buffer.from('abc'), Buffer.from('de')])
  for (let length = 0; length < bundle.length; length += 1) {
    t.throws(() => decodeEntryBundle(bundle.subarray(0, length), 2), malformed(2))
  }
  t.throws(() => decodeEntryBundle(Buffer.concat([bundle, Buffer.of(0)]), 2), malformed(2))
  t.throws(() => decodeEntryBundle(Buffer.concat([bundle, Buffer.of(0, 0)]), 2), malformed(2))
})

test('a bundle of another width is refused', (t) => {
  const bundle = encodeEntryBundle([Buffer.from('abc'), Buffer.from('de')])
  t.throws(() => decodeEntryBundle(bundle, 1), malformed(1))
  t.throws(() => decodeEntryBundle(bundle, 3), malformed(3))
  t.throws(() => decodeEntryBundle(bundle, 0), malformed(0))
})

test('a length that points behind the bundle is refused', (t) => {
  t.throws(() => decodeEntryBundle(Buffer.from('ffff00', 'hex'), 1), malformed(1))
})

test('an entry longer than 65,535 bytes is too large', (t) => {
  t.notThrows(() => checkEntry(Buffer.alloc(entryBytesMax)))
  t.throws(() => checkEntry(Buffer.alloc(entryBytesMax + 1)), {
    code: 'entry_too_large',
    message: 'an entry has at most 65535 bytes, this one has 65536',
  })
  t.throws(() => encodeEntryBundle([Buffer.alloc(entryBytesMax + 1)]), {
    message: 'assertion failed: an entry that was accepted fits a bundle',
  })
})
