import { formatEntriesPath, formatTilePath } from '#log/tlog/tile.ts'
import type { CopyFolder } from '#src/tlog_tools/mirror/copy_folder.ts'
import { type LogSource, SourceError } from '#src/tlog_tools/monitor/log_source.ts'

/**
 * A copy as a log that is read, and trusted as little. SourceError `missing` has the path of the
 * file that is not there as its message.
 */
export function folderSource(folder: CopyFolder): LogSource {
  return {
    checkpoint: async () => given('checkpoint', await folder.checkpoint()),
    tile: async (tile) => given(formatTilePath(tile), await folder.tile(tile)),
    entryBundle: async (index, width) => {
      const bytes = given(
        formatEntriesPath({ index, width }),
        await folder.bundle({ index, width }),
      )
      return { bytes, width }
    },
  }
}

function given(file: string, bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) throw new SourceError('missing', file)
  return bytes
}
