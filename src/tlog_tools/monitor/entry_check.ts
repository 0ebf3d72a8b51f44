import { decodeEntryBundle, tileWidth } from '#log/tlog/tile.ts'
import { LogError } from '#log/tlog/errors.ts'
import { hashBytes, leafHash } from '#log/tlog/hash.ts'
import { equalBytes } from '#log/tlog/proof.ts'
import { LogAlarm } from '#src/tlog_tools/monitor/alarm.ts'
import { bundlesAhead, type LogSource } from '#src/tlog_tools/monitor/log_source.ts'
import type { TileReader } from '#src/tlog_tools/monitor/tile_reader.ts'

// How often progress is told (and made durable): after about 16,000 entries.
const bundlesPerStep = 64

/** The receivers of the entries that were found in the tree, in its order. */
export type EntryVisitor = {
  /** Each entry, once. */
  readonly onEntry: (leafIndex: number, entry: Uint8Array) => void
  /** All entries of a bundle that the tree has, also those that were told before. */
  readonly onBundle?: (index: number, entries: readonly Uint8Array[]) => Promise<void>
}

/**
 * Reads the entries from index `from` to the end of the verified tree, and checks that each hashes
 * to its leaf in a verified tile. Tells the visitor of each that does. Yields, now and then and at
 * the end, how many entries of the tree are right. Throws LogAlarm (`bad_entries`, `bad_tile`) and
 * SourceError.
 */
export async function* checkEntries(
  source: LogSource,
  tiles: TileReader,
  from: number,
  { onEntry, onBundle }: EntryVisitor,
): AsyncGenerator<number> {
  const { treeSize } = tiles
  if (from === treeSize) return
  const bundles = Math.ceil(treeSize / tileWidth)
  for await (const [index, entries] of readBundles(source, tiles, Math.floor(from / tileWidth))) {
    const start = index * tileWidth
    // The beginning of a bundle may have been read before.
    for (const [offset, entry] of entries.entries()) {
      if (start + offset >= from) onEntry(start + offset, entry)
    }
    await onBundle?.(index, entries)
    const isStep = index % bundlesPerStep === bundlesPerStep - 1
    if (isStep || index === bundles - 1) yield start + entries.length
  }
}

/** The bundles of a tree from one on, in their order, some of which are read ahead. */
async function* readBundles(source: LogSource, tiles: TileReader, from: number) {
  const bundles = Math.ceil(tiles.treeSize / tileWidth)
  const ahead: Promise<readonly Uint8Array[]>[] = []
  for (let index = from; index < bundles; index += 1) {
    while (ahead.length < bundlesAhead && index + ahead.length < bundles) {
      const reading = readBundle(source, tiles, index + ahead.length)
      // The next reader hears of its failure; there may be none.
      reading.catch(() => undefined)
      ahead.push(reading)
    }
    yield [index, (await ahead.shift()) ?? []] as const
  }
}

/**
 * The entries of bundle `index`, as many as the tree has, each of which hashes to its leaf. Errors
 * as above.
 */
export async function readBundle(
  source: LogSource,
  tiles: TileReader,
  index: number,
): Promise<readonly Uint8Array[]> {
  const width = Math.min(tileWidth, tiles.treeSize - index * tileWidth)
  const [tile, bundle] = await Promise.all([
    tiles.tile({ level: 0, index, width }),
    source.entryBundle(index, width),
  ])
  const entries = decode(bundle.bytes, bundle.width)
  compareBundle(index, tile, entries)
  return entries.slice(0, width)
}

function decode(bytes: Uint8Array, width: number): Uint8Array[] {
  try {
    return decodeEntryBundle(bytes, width)
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    throw new LogAlarm('bad_entries', error.message, { cause: error })
  }
}

function compareBundle(index: number, tile: Uint8Array, entries: readonly Uint8Array[]): void {
  for (let offset = 0; offset < tile.length / hashBytes; offset += 1) {
    const entry = entries[offset]
    const expected = tile.subarray(offset * hashBytes, (offset + 1) * hashBytes)
    if (entry !== undefined && equalBytes(leafHash(entry), expected)) continue
    const leafIndex = index * tileWidth + offset
    throw new LogAlarm('bad_entries', `entry ${leafIndex} does not hash to its leaf in the tree`)
  }
}
