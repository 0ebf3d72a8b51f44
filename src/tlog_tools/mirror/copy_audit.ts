import type { Checkpoint } from '#log/tlog/checkpoint.ts'
import { type CheckpointVerifiers, openWitnessed } from '#log/tlog/cosigned_checkpoint.ts'
import { LogError, unlessRefused } from '#log/tlog/errors.ts'
import { leafHash } from '#log/tlog/hash.ts'
import type { Verifier } from '#log/tlog/note.ts'
import { equalBytes } from '#log/tlog/proof.ts'
import {
  decodeEntryBundle,
  edgeTiles,
  encodeEntryBundle,
  formatEntriesPath,
  formatTilePath,
  levelSize,
  parseEntriesPath,
  parseTilePath,
  type Tile,
  tileWidth,
} from '#log/tlog/tile.ts'
import { type CopyFolder, folderSource } from '#src/tlog_tools/mirror/copy_folder.ts'
import { isMapFile } from '#src/tlog_tools/mirror/map_files.ts'
import { judgeMapLeaves } from '#src/tlog_tools/monitor/map_follow.ts'
import type { MapWatch } from '#src/tlog_tools/monitor/map_watch.ts'
import { LogAlarm } from '#src/tlog_tools/monitor/alarm.ts'
import { readBundle } from '#src/tlog_tools/monitor/entry_check.ts'
import { openHead, subtreeRoot, TileReader } from '#src/tlog_tools/monitor/tile_reader.ts'
import { SourceError } from '#src/tlog_tools/monitor/log_source.ts'

/** A file of a copy that is not as it must be; the path is below the copy. */
export type CopyProblem = { readonly file: string; readonly message: string }

/** What an audit of a copy found: of so many entries all is right but what `problems` names. */
export type CopyAudit = {
  readonly treeSize: number
  readonly problems: readonly CopyProblem[]
  /** Files of entries after the checkpoint that is shown, which nothing proves yet. */
  readonly ahead: number
}

/** What a copy is held against. */
export type CopyAuditOptions = {
  readonly folder: CopyFolder
  readonly verifier: Verifier
  /** Whose cosignatures the checkpoint must have; undefined: nobody's. */
  readonly witnesses?: CheckpointVerifiers
  /** Recomputes the map of the copy, from an empty folder on; undefined: it is not looked at. */
  readonly maps?: MapWatch
  readonly onProgress: (entries: number, treeSize: number) => void
}

/** Problems that are named, at most: after so many the copy is made anew. */
const problemsMax = 100

/**
 * Checks a whole copy offline: its checkpoint against the key, every tile against the checkpoint,
 * every entry against its tile, and that there is no other file. Throws errors of the file system.
 */
export async function auditCopy(options: CopyAuditOptions): Promise<CopyAudit> {
  const { folder } = options
  const problems: CopyProblem[] = []
  const checkpoint = await openShown(options, problems)
  if (checkpoint === undefined) return { treeSize: 0, problems, ahead: 0 }
  const { treeSize } = checkpoint
  const source = folderSource(folder)
  const tiles = new TileReader(checkpoint, (tile) => source.tile(tile))
  const audit: Audit = { ...options, source, tiles, problems, bad: new Set() }
  if (!(await checkEdge(audit, checkpoint))) return { treeSize, problems, ahead: 0 }
  for (let level = topLevel(treeSize); level >= 0; level -= 1) await checkLevel(audit, level)
  await checkMap(audit)
  const ahead = await checkNames(audit)
  return { treeSize, problems, ahead }
}

type Audit = CopyAuditOptions & {
  readonly source: ReturnType<typeof folderSource>
  readonly tiles: TileReader
  readonly problems: CopyProblem[]
  /** Tiles that are wrong, or that nothing proves because the one above them is. */
  readonly bad: Set<string>
}

async function openShown(
  { folder, verifier, witnesses }: CopyAuditOptions,
  problems: CopyProblem[],
): Promise<Checkpoint | undefined> {
  const note = await folder.checkpoint()
  const file = 'checkpoint'
  if (note === undefined) {
    problems.push({ file, message: 'is not there: nothing has been copied to its end yet' })
    return undefined
  }
  try {
    if (witnesses !== undefined) openWitnessed(note, witnesses)
    return openHead(note, verifier)
  } catch (error) {
    if (!(error instanceof LogAlarm) && !(error instanceof LogError)) throw error
    problems.push({ file, message: error.message })
    return undefined
  }
}

function topLevel(treeSize: number): number {
  let level = 0
  while (levelSize(level + 1, treeSize) > 0) level += 1
  return level
}

/** Whether the right edge leads to the checkpoint; if not, names the file that is to blame. */
async function checkEdge(audit: Audit, { treeSize }: Checkpoint): Promise<boolean> {
  const { tiles, problems, source } = audit
  try {
    await tiles.rootAt(treeSize)
    return true
  } catch (error) {
    if (error instanceof SourceError) {
      problems.push({ file: error.message, message: 'is not there' })
      return false
    }
    if (!(error instanceof LogAlarm)) throw error
  }
  for (const tile of edgeTiles(treeSize)) {
    const below = await hashesBelow(source, tile)
    if (below !== undefined && equalBytes(await source.tile(tile), below)) continue
    const message = 'is not what lies below it, and leads to another tree than the checkpoint'
    problems.push({ file: formatTilePath(tile), message })
    return false
  }
  problems.push({ file: 'checkpoint', message: 'is of another tree than the tiles' })
  return false
}

/** The hashes of a tile, computed from what lies below it; undefined where that is damaged. */
async function hashesBelow(
  source: Audit['source'],
  { level, index, width }: Tile,
): Promise<Uint8Array | undefined> {
  try {
    if (level === 0) {
      const { bytes } = await source.entryBundle(index, width)
      return Buffer.concat(decodeEntryBundle(bytes, width).map(leafHash))
    }
    const roots: Uint8Array[] = []
    for (let at = 0; at < width; at += 1) {
      const below = { level: level - 1, index: index * tileWidth + at, width: tileWidth }
      roots.push(subtreeRoot(await source.tile(below)))
    }
    return Buffer.concat(roots)
  } catch (error) {
    if (error instanceof LogError || error instanceof SourceError) return undefined
    throw error
  }
}

/** Names the map leaves of sound entries that these do not lead to: the first of each kind. */
async function checkMap(audit: Audit): Promise<void> {
  const { maps, source, tiles, problems } = audit
  if (maps === undefined || problems.length > 0) return
  await judgeMapLeaves(maps, source, tiles, audit.onProgress)
  for (const { leafIndex, message } of maps.faults) {
    const index = Math.floor(leafIndex / tileWidth)
    const width = Math.min(tileWidth, tiles.treeSize - index * tileWidth)
    problems.push({ file: formatEntriesPath({ index, width }), message })
  }
}

async function checkLevel(audit: Audit, level: number): Promise<void> {
  const { tiles, problems, onProgress } = audit
  const { treeSize } = tiles
  const hashes = levelSize(level, treeSize)
  for (let index = 0; index * tileWidth < hashes; index += 1) {
    if (problems.length >= problemsMax) return
    const width = Math.min(tileWidth, hashes - index * tileWidth)
    const tile = { level, index, width }
    const parent = `${level + 1}/${Math.floor(index / tileWidth)}`
    const isRight =
      !audit.bad.has(parent) &&
      (await finds(problems, formatTilePath(tile), () => tiles.tile(tile)))
    if (!isRight) audit.bad.add(`${level}/${index}`)
    else if (level === 0) {
      const file = formatEntriesPath({ index, width })
      await finds(problems, file, () => readBundle(audit.source, tiles, index))
    }
    if (level === 0) onProgress(Math.min((index + 1) * tileWidth, treeSize), treeSize)
  }
}

/** Whether a file is found to be right; if not, it is named. */
async function finds(
  problems: CopyProblem[],
  file: string,
  check: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await check()
    return true
  } catch (error) {
    if (!(error instanceof LogAlarm) && !(error instanceof SourceError)) throw error
    const message = error instanceof SourceError ? 'is not there' : error.message
    problems.push({ file, message })
    return false
  }
}

/** Looks at each file by its name; gives how many there are of later entries. */
async function checkNames({ folder, tiles, problems, bad }: Audit): Promise<number> {
  let ahead = 0
  for await (const file of folder.paths()) {
    if (problems.length >= problemsMax) return ahead
    // What a map proves is seen by whoever reads it.
    if (file === 'checkpoint' || isMapFile(file)) continue
    // A draft of a file was cut off by the end of its process.
    if (file.endsWith('.new') && isOfCopy(file.slice(0, -'.new'.length))) continue
    const place = placeOf(file)
    if (place === undefined) problems.push({ file, message: 'is no file of a log' })
    else if (place.index * tileWidth + place.width > levelSize(place.level, tiles.treeSize)) {
      ahead += 1
    } else if (place.width < tileWidth && !bad.has(`${place.level}/${place.index}`)) {
      const expected = place.isBundle
        ? await beginningOf(folder, place, tiles.treeSize)
        : await tiles.tile(place)
      const found = await folder.file(file)
      if (expected === undefined || found === undefined || found.equals(expected)) continue
      problems.push({ file, message: 'is not the beginning of the tile that has been checked' })
    }
  }
  return ahead
}

/** The first entries of the bundle that the tree has at a place; undefined if that is damaged. */
async function beginningOf(folder: CopyFolder, { index, width }: Tile, treeSize: number) {
  const whole = Math.min(tileWidth, treeSize - index * tileWidth)
  const bundle = await folder.bundle({ index, width: whole })
  if (bundle === undefined) return undefined
  // What is damaged has been named by then.
  return unlessRefused(() => encodeEntryBundle(decodeEntryBundle(bundle, whole).slice(0, width)))
}

function isOfCopy(file: string): boolean {
  return isMapFile(file) || placeOf(file) !== undefined
}

function placeOf(file: string): (Tile & { readonly isBundle: boolean }) | undefined {
  return unlessRefused(() => {
    if (!file.startsWith('tile/entries/')) return { ...parseTilePath(file), isBundle: false }
    return { level: 0, ...parseEntriesPath(file), isBundle: true }
  })
}
