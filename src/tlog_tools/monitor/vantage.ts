import { readFile } from 'node:fs/promises'

import type { Checkpoint } from '#log/tlog/checkpoint.ts'
import type { Verifier } from '#log/tlog/note.ts'
import { equalBytes } from '#log/tlog/proof.ts'
import { LogAlarm } from '#src/tlog_tools/monitor/alarm.ts'
import { openHead, TileReader } from '#src/tlog_tools/monitor/tile_reader.ts'
import {
  getBytes,
  httpLogSource,
  isHttpAddress,
  type LogSource,
  SourceError,
} from '#src/tlog_tools/monitor/log_source.ts'

/**
 * Another place from which the same log is seen: a proxy or mirror that serves it, or what another
 * monitor has seen last, which serves a checkpoint alone.
 */
export type Vantage = {
  readonly name: string
  readonly type: 'mirror' | 'monitor'
  readonly source: Pick<LogSource, 'checkpoint'> & Partial<LogSource>
}

/**
 * The newest checkpoint of a vantage point and, in milliseconds of 1970: since when it is known,
 * when the vantage point was last read, and since when it stands still at another size than ours.
 */
export type SeenVantage = {
  readonly checkpoint: string
  readonly sinceMs: number
  readonly reachedMs: number
  readonly apartMs?: number
}

/** The head and tree that a vantage point is compared with. */
export type VantageLook = {
  readonly verifier: Verifier
  /** The newest head that was verified here. */
  readonly head: Checkpoint
  readonly tiles: TileReader
  readonly seen: SeenVantage | undefined
  readonly staleAfterMs: number
  readonly nowMs: number
}

/**
 * Reads the checkpoint of a vantage point and proves by tiles that it and the head seen here lie on
 * one chain; gives what is to be remembered. What is ahead of us at another monitor is compared
 * once we have come as far. Throws LogAlarm (`split_view`, `rollback`, `stale`, and what
 * checkpoints and tiles can be wrong with) and SourceError.
 */
export async function lookFrom(vantage: Vantage, look: VantageLook): Promise<SeenVantage> {
  const { verifier, seen, nowMs } = look
  const message = await vantage.source.checkpoint().catch((error: unknown) => {
    throw isGoneForLong(error, look) ? unreached(vantage, look) : error
  })
  const theirs = openHead(message, verifier)
  const before = seen && openHead(seen.checkpoint, verifier)
  await compare(vantage, theirs, look)
  // It may be a copy that was set back; that it does not contradict us is known by now.
  if (before !== undefined && theirs.treeSize < before.treeSize) {
    const sizes = `${theirs.treeSize} entries after one of ${before.treeSize}`
    throw new LogAlarm('rollback', `${vantage.name} shows a head of ${sizes}`)
  }
  const isNew = seen === undefined || theirs.treeSize > (before?.treeSize ?? 0)
  if (isNew) {
    return { checkpoint: Buffer.from(message).toString('utf8'), sinceMs: nowMs, reachedMs: nowMs }
  }
  const { apartMs = nowMs, ...rest } = seen
  const isApart = theirs.treeSize !== look.head.treeSize
  if (isApart) checkPace(vantage, theirs, look, apartMs)
  return { ...rest, reachedMs: nowMs, ...(isApart && { apartMs }) }
}

function isGoneForLong(error: unknown, { seen, staleAfterMs, nowMs }: VantageLook): boolean {
  const isUnread = error instanceof SourceError
  return isUnread && seen !== undefined && nowMs - seen.reachedMs > staleAfterMs
}

function unreached({ name }: Vantage, { seen }: VantageLook): LogAlarm {
  const since = new Date(seen?.reachedMs ?? 0).toISOString()
  return new LogAlarm('stale', `${name} could not be read since ${since}`)
}

async function compare(
  { name, source }: Vantage,
  theirs: Checkpoint,
  { head, tiles }: VantageLook,
): Promise<void> {
  if (theirs.treeSize <= head.treeSize) {
    agree(name, theirs, head, await tiles.rootAt(theirs.treeSize), theirs.rootHash)
  } else if (source.tile !== undefined) {
    const read = source.tile
    const further = new TileReader(theirs, (tile) => read(tile))
    agree(name, theirs, head, await further.rootAt(head.treeSize), head.rootHash)
  }
}

function agree(
  name: string,
  theirs: Checkpoint,
  head: Checkpoint,
  left: Uint8Array,
  right: Uint8Array,
): void {
  if (equalBytes(left, right)) return
  const sizes = `sizes ${head.treeSize} here and ${theirs.treeSize} there`
  const message = `${name} is shown another history of the log than we are: ${sizes}`
  throw new LogAlarm('split_view', message)
}

// Either of two that do not see the newest for long is shown a frozen log, ourselves included.
function checkPace(
  { name }: Vantage,
  theirs: Checkpoint,
  { head, staleAfterMs, nowMs }: VantageLook,
  apartMs: number,
): void {
  if (nowMs - apartMs <= staleAfterMs) return
  const since = new Date(apartMs).toISOString()
  const sizes = `${theirs.treeSize} entries there and ${head.treeSize} here`
  throw new LogAlarm('stale', `${name} and we see different sizes since ${since}: ${sizes}`)
}

const checkpointBytesMax = 1_000_000

/** A vantage point that serves the log itself: a proxy or mirror at an http or https address. */
export function mirrorAt(url: string, signal: AbortSignal): Vantage {
  return { name: url, type: 'mirror', source: httpLogSource(url, signal) }
}

/**
 * Another monitor as a vantage point: the address of its service, or the file in which it keeps its
 * state (`state.json`, or the checkpoint alone).
 */
export function peerAt(place: string, signal: AbortSignal): Vantage {
  const checkpoint = isHttpAddress(place)
    ? () => getBytes(`${place.replace(/\/+$/, '')}/checkpoint`, checkpointBytesMax, signal)
    : () => readCheckpointFile(place)
  return { name: place, type: 'monitor', source: { checkpoint } }
}

async function readCheckpointFile(file: string): Promise<Uint8Array> {
  try {
    const text = await readFile(file, 'utf8')
    return Buffer.from(text.startsWith('{') ? checkpointIn(text) : text)
  } catch (error) {
    const { message } = error as Error
    throw new SourceError('unreachable', `${file} cannot be read: ${message}`, { cause: error })
  }
}

function checkpointIn(text: string): string {
  const { checkpoint } = JSON.parse(text) as { readonly checkpoint?: unknown }
  if (typeof checkpoint === 'string') return checkpoint
  throw new Error('it has no checkpoint')
}
