import type { Checkpoint } from '#log/tlog/checkpoint.ts'
import type { Verifier } from '#log/tlog/note.ts'
import { equalBytes } from '#log/tlog/proof.ts'
import { edgeTiles, levelSize, tileWidth } from '#log/tlog/tile.ts'
import type { CopyFolder } from '#src/tlog_tools/mirror/copy_folder.ts'
import { LogAlarm } from '#src/tlog_tools/monitor/alarm.ts'
import { readBundle } from '#src/tlog_tools/monitor/entry_check.ts'
import { openHead, TileReader } from '#src/tlog_tools/monitor/tile_reader.ts'
import type { KnownLog } from '#src/tlog_tools/monitor/monitor.ts'
import type { EntryKeeper } from '#src/tlog_tools/monitor/round.ts'

/** What a copy is made from. */
export type LogCopyOptions = {
  readonly folder: CopyFolder
  readonly verifier: Verifier
  /** Whether a checkpoint is shown only with its quorum. */
  readonly isWitnessed: boolean
  /** Told of each checkpoint that is shown. */
  readonly published: (treeSize: number) => void
}

/**
 * A full copy of a log, made by a monitor of what it has verified: so nothing else is ever in it,
 * and the checkpoint that it shows is one all of whose entries and tiles are there.
 */
export class LogCopy implements EntryKeeper {
  readonly #options: LogCopyOptions

  constructor(options: LogCopyOptions) {
    this.#options = options
  }

  /** Keeps a bundle once it is full, and the tiles that it completes. */
  async keep(bundle: number, entries: readonly Uint8Array[], tiles: TileReader): Promise<void> {
    const { folder } = this.#options
    if (entries.length < tileWidth) return
    await folder.writeBundle(bundle, entries)
    const bundles = bundle + 1
    for (let level = 0; bundles % tileWidth ** level === 0; level += 1) {
      const tile = { level, index: bundles / tileWidth ** level - 1, width: tileWidth }
      await folder.writeTile(tile, await tiles.tile(tile))
    }
  }

  settle(): Promise<void> {
    return this.#options.folder.settle()
  }

  /**
   * Shows the newest checkpoint all of whose entries are here, and which has its quorum if that is
   * demanded. Throws LogAlarm `fork` if it is of another history than what was shown before, and
   * SourceError.
   */
  async publish({ source, state, quorum }: KnownLog): Promise<void> {
    const { folder, isWitnessed, published } = this.#options
    const note = isWitnessed ? quorum?.checkpoint : state.checkpoint
    const shown = await folder.checkpoint()
    if (note === undefined || shown?.equals(Buffer.from(note))) return
    const checkpoint = this.#open(note)
    if (checkpoint.treeSize > state.entriesChecked) return
    const before = shown && this.#open(shown)
    const tiles = new TileReader(this.#open(state.checkpoint), (tile) => source.tile(tile))
    if (before !== undefined) await compareShown(before, tiles)
    const { treeSize } = checkpoint
    // Of a policy that was not there before, the quorum may be of an older one.
    if (treeSize < (before?.treeSize ?? 0)) return
    for (const tile of edgeTiles(treeSize)) await folder.writeTile(tile, await tiles.tile(tile))
    const width = treeSize % tileWidth
    const last = levelSize(1, treeSize)
    if (width > 0) {
      const entries = await readBundle(source, tiles, last)
      await folder.writeBundle(last, entries.slice(0, width))
    }
    await folder.writeCheckpoint(note)
    published(treeSize)
    if (before !== undefined) await this.#dropPartials(before.treeSize, treeSize)
  }

  /** Removes the right edge of an older tree where the newer one has full tiles. */
  async #dropPartials(before: number, treeSize: number): Promise<void> {
    for (const { level, index } of edgeTiles(before)) {
      const isFull = levelSize(level + 1, treeSize) > index
      if (isFull) await this.#options.folder.dropPartials({ level, index })
    }
  }

  #open(note: string | Uint8Array): Checkpoint {
    return openHead(note, this.#options.verifier)
  }
}

// A state folder that was lost or replaced must not lead the copy to another history.
async function compareShown(shown: Checkpoint, tiles: TileReader): Promise<void> {
  const { treeSize } = shown
  const isPrefix = treeSize <= tiles.treeSize
  if (isPrefix && equalBytes(await tiles.rootAt(treeSize), shown.rootHash)) return
  const sizes = `sizes ${treeSize} and ${tiles.treeSize}`
  throw new LogAlarm('fork', `the copy shows another history than the log signs now: ${sizes}`)
}
