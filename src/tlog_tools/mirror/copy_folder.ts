import { mkdir, open, opendir, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'

import type { Checkpoint } from '#log/tlog/checkpoint.ts'
import { hashBytes } from '#log/tlog/hash.ts'
import type { Verifier } from '#log/tlog/note.ts'
import { equalBytes } from '#log/tlog/proof.ts'
import {
  type Bundle,
  decodeEntryBundle,
  encodeEntryBundle,
  formatEntriesPath,
  formatTilePath,
  type Tile,
  tileWidth,
  edgeTiles,
  levelSize,
} from '#log/tlog/tile.ts'
import { syncFolder } from '#src/keeping/data_dir/secret_file.ts'
import { LogAlarm } from '#src/tlog_tools/monitor/alarm.ts'
import { readBundle } from '#src/tlog_tools/monitor/entry_check.ts'
import { type LogSource, SourceError } from '#src/tlog_tools/monitor/log_source.ts'
import type { KnownLog } from '#src/tlog_tools/monitor/monitor.ts'
import type { EntryKeeper } from '#src/tlog_tools/monitor/round.ts'
import { openHead, TileReader } from '#src/tlog_tools/monitor/tile_reader.ts'

/** Files and folders that are synced at one time. */
const syncsAtOnce = 16

const checkpointName = 'checkpoint'

/**
 * The files of a copy of a log, laid out as C2SP tlog-tiles has their addresses, so that any web
 * server can serve the folder. What is written is whole or not there; it is durable after `settle`.
 * It owns the folder.
 */
export class CopyFolder {
  readonly #root: string
  #unsynced = new Set<string>()

  constructor(root: string) {
    this.#root = root
  }

  /** The hashes of a tile, 32 bytes each, or the first of a wider one; undefined if it has none. */
  async tile(tile: Tile): Promise<Uint8Array | undefined> {
    const found = await this.#readWidest(tile, (width) => formatTilePath({ ...tile, width }))
    return found?.bytes.subarray(0, tile.width * hashBytes)
  }

  /** The bytes of an entry bundle, or the first entries of a wider one; undefined if none. */
  async bundle(bundle: Bundle): Promise<Uint8Array | undefined> {
    const { index, width } = bundle
    const found = await this.#readWidest(bundle, (at) => formatEntriesPath({ index, width: at }))
    if (found === undefined || found.width === width) return found?.bytes
    return encodeEntryBundle(decodeEntryBundle(found.bytes, found.width).slice(0, width))
  }

  /** The newest checkpoint of which all is here; undefined before there is one. */
  checkpoint(): Promise<Buffer | undefined> {
    return this.#read(checkpointName)
  }

  async writeTile(tile: Tile, hashes: Uint8Array): Promise<void> {
    await this.#write(formatTilePath(tile), hashes)
  }

  async writeBundle(index: number, entries: readonly Uint8Array[]): Promise<void> {
    const file = formatEntriesPath({ index, width: entries.length })
    await this.#write(file, encodeEntryBundle(entries))
  }

  /** Replaces the checkpoint, once all that was written before is durable. */
  async writeCheckpoint(note: string): Promise<void> {
    await this.settle()
    await this.#write(checkpointName, Buffer.from(note))
    await this.settle()
  }

  /** Writes a file of the map (`map_files.ts`). */
  async writeMapFile(file: string, bytes: Uint8Array): Promise<void> {
    await this.#write(file, bytes)
  }

  /** The map leaves of which there are files. */
  async mapLeaves(): Promise<number[]> {
    return (await namesIn(this.#at('map'))).map(Number).filter(Number.isSafeInteger)
  }

  /** Removes the files of a map leaf. */
  async dropMap(leafIndex: number): Promise<void> {
    await rm(this.#at(`map/${leafIndex}`), { recursive: true, force: true })
  }

  /** Resolves when all that was written is durable. */
  async settle(): Promise<void> {
    const files = [...this.#unsynced]
    const folders = new Set(files.flatMap((file) => foldersOf(this.#root, file)))
    for (const some of chunks(files)) await Promise.all(some.map(syncFile))
    // The deepest first: what a folder names is durable before the folder is.
    for (const some of chunks([...folders].toReversed())) await Promise.all(some.map(syncFolder))
    this.#unsynced = new Set()
  }

  /** Removes the partial tiles of a place, and the bundles below them. */
  async dropPartials(place: Pick<Tile, 'level' | 'index'>): Promise<void> {
    const { level, index } = place
    const full = { index, width: tileWidth }
    const paths = [formatTilePath({ level, ...full }), formatEntriesPath(full)]
    for (const file of level === 0 ? paths : paths.slice(0, 1)) {
      await rm(this.#at(`${file}.p`), { recursive: true, force: true })
    }
  }

  /** The paths of all files, relative, `/` between parts; in no order. */
  async *paths(): AsyncGenerator<string> {
    for await (const entry of await opendir(this.#root, { recursive: true })) {
      if (entry.isDirectory()) continue
      yield path.relative(this.#root, path.join(entry.parentPath, entry.name))
    }
  }

  /** The bytes of a file by its path; undefined if there is none. */
  file(name: string): Promise<Buffer | undefined> {
    return this.#read(name)
  }

  async #readWidest(
    { width }: Pick<Tile, 'width'>,
    pathOf: (width: number) => string,
  ): Promise<{ readonly bytes: Uint8Array; readonly width: number } | undefined> {
    for (const at of [width, tileWidth]) {
      const bytes = await this.#read(pathOf(at))
      if (bytes !== undefined) return { bytes, width: at }
    }
    const partials = path.dirname(pathOf(width === tileWidth ? 1 : width))
    const widths = (await namesIn(this.#at(partials))).map(Number)
    const wider = widths.filter((at) => at > width).toSorted((a, b) => a - b)[0]
    if (wider === undefined || width === tileWidth) return undefined
    const bytes = await this.#read(pathOf(wider))
    return bytes && { bytes, width: wider }
  }

  async #read(file: string): Promise<Buffer | undefined> {
    try {
      return await readFile(this.#at(file))
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  async #write(file: string, bytes: Uint8Array): Promise<void> {
    const target = this.#at(file)
    const draft = `${target}.new`
    await mkdir(path.dirname(target), { recursive: true })
    const handle = await open(draft, 'w', 0o644)
    try {
      await handle.writeFile(bytes)
    } finally {
      await handle.close()
    }
    await rename(draft, target)
    this.#unsynced.add(target)
  }

  #at(file: string): string {
    return path.join(this.#root, file)
  }
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The folders from the root to a file's own. */
function foldersOf(root: string, file: string): string[] {
  const folders = [root]
  for (const part of path.relative(root, path.dirname(file)).split(path.sep)) {
    if (part !== '') folders.push(path.join(folders.at(-1) ?? root, part))
  }
  return folders
}

function chunks(items: readonly string[]): string[][] {
  const count = Math.ceil(items.length / syncsAtOnce)
  return Array.from({ length: count }, (_, nth) =>
    items.slice(nth * syncsAtOnce, (nth + 1) * syncsAtOnce),
  )
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ENOTDIR'
}

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
