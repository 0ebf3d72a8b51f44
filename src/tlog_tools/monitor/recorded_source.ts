import { formatEntriesPath, formatTilePath } from '#log/tlog/tile.ts'
import { bundlesAhead, type LogSource } from '#src/tlog_tools/monitor/log_source.ts'

/** A log source that remembers its newest replies by file name, as evidence. */
export type RecordedSource = LogSource & { readonly replies: ReadonlyMap<string, Uint8Array> }

// A head is judged by the right edges of two trees and the tiles above them: 8 levels each.
const tilesKept = 64

/** Wraps a source so that the checkpoint, the newest tiles and the newest bundles are kept. */
export function recordReplies(source: LogSource): RecordedSource {
  const replies = new Map<string, Uint8Array>()
  const tilePaths: string[] = []
  const bundlePaths: string[] = []
  return {
    replies,
    ...(source.witnessed && { witnessed: () => source.witnessed?.() ?? source.checkpoint() }),
    async checkpoint() {
      const bytes = await source.checkpoint()
      replies.set('new-checkpoint', bytes)
      return bytes
    },
    async tile(tile) {
      const bytes = await source.tile(tile)
      const path = formatTilePath(tile)
      if (!replies.has(path)) tilePaths.push(path)
      replies.set(path, bytes)
      if (tilePaths.length > tilesKept) replies.delete(tilePaths.shift() ?? '')
      return bytes
    },
    async entryBundle(index, width) {
      const bundle = await source.entryBundle(index, width)
      const path = formatEntriesPath({ index, width: bundle.width })
      if (!replies.has(path)) bundlePaths.push(path)
      replies.set(path, bundle.bytes)
      if (bundlePaths.length > bundlesAhead) replies.delete(bundlePaths.shift() ?? '')
      return bundle
    },
  }
}
