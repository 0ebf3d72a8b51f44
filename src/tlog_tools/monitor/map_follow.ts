import { assert } from '#log/tlog/errors.ts'
import { tileWidth } from '#log/tlog/tile.ts'
import { checkEntries, readBundle } from '#src/tlog_tools/monitor/entry_check.ts'
import type { LogSource } from '#src/tlog_tools/monitor/log_source.ts'
import type { MapWatch } from '#src/tlog_tools/monitor/map_watch.ts'
import { TileReader, type VerifiedHead } from '#src/tlog_tools/monitor/tile_reader.ts'

/** Whether a tree ends with a right map leaf; `unknown` as long as that is not known. */
export type MapVerdict =
  | { readonly type: 'right' }
  | { readonly type: 'wrong' | 'unknown'; readonly message: string }

/**
 * Brings a map to a verified head of its log, by entries that it has not seen yet, and judges the
 * map leaf with which the tree must end. Throws LogAlarm and SourceError if they cannot be read.
 */
export async function followMap(
  maps: MapWatch,
  source: LogSource,
  head: VerifiedHead,
  nowMs: number,
): Promise<MapVerdict> {
  const { treeSize } = head
  if (treeSize === 0) return wrong('it is empty, and so has no map leaf')
  if (maps.covers > treeSize) return { type: 'unknown', message: 'a later one was looked at' }
  const tiles = new TileReader(head, (tile) => source.tile(tile))
  if (!(await maps.isOf(tiles))) {
    return wrong(`it is of another history than the ${maps.covers} entries that were read before`)
  }
  // A map begins at a map leaf, and reads what is before it by itself.
  const from = maps.covers === 0 ? treeSize - 1 : maps.covers
  const reading = readOn(maps, source, tiles, { from, nowMs })
  for await (const entries of reading)
    assert(entries <= treeSize, 'the tree has what is read of it')
  const unread = maps.faults.find(({ kind }) => kind === 'unread_statement')
  if (unread !== undefined) return wrong(unread.message)
  const { leaf } = maps
  if (leaf?.leafIndex !== treeSize - 1) return wrong('it does not end with a map leaf')
  return leaf.fault === undefined ? { type: 'right' } : wrong(leaf.fault)
}

/**
 * Recomputes the map of a whole tree, and compares each map leaf of it: `maps.faults` has what is
 * wrong. Tells how many entries it has read. Errors as above.
 */
export async function judgeMapLeaves(
  maps: MapWatch,
  source: LogSource,
  tiles: TileReader,
  onProgress: (entries: number, treeSize: number) => void,
): Promise<void> {
  const reading = readOn(maps, source, tiles, { from: maps.covers, nowMs: 0 })
  for await (const entries of reading) onProgress(entries, tiles.treeSize)
}

/** Takes the entries from an index on; yields how many were taken, now and then and at the end. */
async function* readOn(
  maps: MapWatch,
  source: LogSource,
  tiles: TileReader,
  { from, nowMs }: { readonly from: number; readonly nowMs: number },
): AsyncGenerator<number> {
  const tree = {
    rootAt: (size: number) => tiles.rootAt(size),
    bundle: (index: number) => readBundle(source, tiles, index),
  }
  const visitor = {
    onEntry: () => undefined,
    onBundle: (index: number, entries: readonly Uint8Array[]) =>
      maps.see(index * tileWidth, entries, tree),
  }
  for await (const entries of checkEntries(source, tiles, from, visitor)) {
    await maps.settle(nowMs, tree)
    yield entries
  }
}

function wrong(message: string): MapVerdict {
  return { type: 'wrong', message }
}
