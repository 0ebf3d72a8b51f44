import type { Checkpoint } from '#log/tlog/checkpoint.ts'
import type { Verifier } from '#log/tlog/note.ts'
import { equalBytes } from '#log/tlog/proof.ts'
import type { Alarm } from '#src/tlog_tools/monitor/alarm.ts'
import { LogAlarm } from '#src/tlog_tools/monitor/alarm.ts'
import { checkEntries, type EntryVisitor } from '#src/tlog_tools/monitor/entry_check.ts'
import { openHead } from '#src/tlog_tools/monitor/head.ts'
import { type FollowedRotation, KeyWatch } from '#src/tlog_tools/monitor/key_watch.ts'
import type { LogSource } from '#src/tlog_tools/monitor/log_source.ts'
import { SourceError } from '#src/tlog_tools/monitor/log_source.ts'
import type { MonitorState } from '#src/tlog_tools/monitor/monitor_state.ts'
import { readMonitorState, writeMonitorState } from '#src/tlog_tools/monitor/monitor_state.ts'
import { recordReplies } from '#src/tlog_tools/monitor/recorded_source.ts'
import { TileReader } from '#src/tlog_tools/monitor/tile_reader.ts'

/** A followed log: where it is read, the key it must sign with, and the folder of its state. */
export type Followed = {
  readonly source: LogSource
  readonly vkey: string
  /** The verifier of `vkey`; its key name is the log's origin. */
  readonly verifier: Verifier
  readonly folder: string
  /** Receipt keys that are trusted, oldest first; without them no rotation is followed. */
  readonly receiptKeys?: readonly string[]
  /** A head older than this raises `stale`, in milliseconds. */
  readonly staleAfterMs: number
  /** Keeps a copy of what was found in the tree. */
  readonly keeper?: EntryKeeper
  /** Told now and then how many entries of the tree have been checked. */
  onProgress(entriesChecked: number, treeSize: number): void
  /** Told of each rotation of receipt keys that leads on from the trusted ones. */
  onRotation?(rotation: FollowedRotation): void
}

/** Keeps what a monitor finds in the tree of a log. Methods throw errors of the file system. */
export type EntryKeeper = {
  /** Keeps a bundle; `tiles` has the verified hashes of its tree. */
  keep(index: number, entries: readonly Uint8Array[], tiles: TileReader): Promise<void>
  /** Resolves when all that was kept is durable. */
  settle(): Promise<void>
}

/** What one look at a log found. `unreachable` says nothing about the log's honesty. */
export type RoundOutcome =
  | { readonly type: 'started'; readonly treeSize: number }
  | { readonly type: 'advanced'; readonly from: number; readonly treeSize: number }
  | { readonly type: 'unchanged'; readonly treeSize: number }
  | { readonly type: 'unreachable'; readonly message: string }
  | Alarm

/**
 * Looks at the log once: its head must be signed and extend the head remembered, and every entry
 * since must be in the tree. What was verified is remembered, also when the round ends early.
 * Throws MonitorStateError, and errors of the file system.
 */
export async function runRound(log: Followed, nowMs: number): Promise<RoundOutcome> {
  const state = await readMonitorState(log.folder, log.vkey)
  const source = recordReplies(log.source)
  try {
    const outcome = await follow({ ...log, source }, state, nowMs).catch((error: unknown) =>
      asUnreachable(error, state),
    )
    const quiet = outcome.type === 'unchanged' || outcome.type === 'unreachable'
    if (quiet && state !== undefined) checkFreshness(state, log.staleAfterMs, nowMs)
    return outcome
  } catch (error) {
    if (!(error instanceof LogAlarm)) throw error
    const evidence = new Map(source.replies)
    if (state !== undefined) evidence.set('old-checkpoint', Buffer.from(state.checkpoint))
    return { type: 'alarm', kind: error.code, message: error.message, evidence }
  }
}

async function follow(
  log: Followed,
  state: MonitorState | undefined,
  nowMs: number,
): Promise<RoundOutcome> {
  const message = Buffer.from(await log.source.checkpoint())
  const head = openHead(message, log.verifier)
  const tiles = new TileReader(head, (tile) => log.source.tile(tile))
  if (state === undefined) {
    await remember(log, tiles, newHeadState(log, message, nowMs))
    return { type: 'started', treeSize: head.treeSize }
  }
  const known = openHead(state.checkpoint, log.verifier)
  await compareHeads(known, head, tiles)
  if (head.treeSize === known.treeSize) {
    await remember(log, tiles, state)
    return { type: 'unchanged', treeSize: head.treeSize }
  }
  await remember(log, tiles, newHeadState(log, message, nowMs, state))
  return { type: 'advanced', from: known.treeSize, treeSize: head.treeSize }
}

async function compareHeads(known: Checkpoint, head: Checkpoint, tiles: TileReader): Promise<void> {
  if (head.treeSize < known.treeSize) {
    throw new LogAlarm(
      'rollback',
      `the log signs a head of ${head.treeSize} entries after one of ${known.treeSize}`,
    )
  }
  const oldRoot = await tiles.rootAt(known.treeSize)
  if (equalBytes(oldRoot, known.rootHash)) return
  const heads = `sizes ${known.treeSize} and ${head.treeSize}`
  throw new LogAlarm('fork', `the log has signed two heads that contradict each other: ${heads}`)
}

function newHeadState(
  log: Followed,
  message: Buffer,
  headSinceMs: number,
  before?: MonitorState,
): MonitorState {
  const checkpoint = message.toString('utf8')
  const entriesChecked = before?.entriesChecked ?? 0
  return { ...before, schema: 1, vkey: log.vkey, checkpoint, headSinceMs, entriesChecked }
}

// The head is remembered before its entries are read: a fork is then seen even if reading stops.
async function remember(log: Followed, tiles: TileReader, state: MonitorState): Promise<void> {
  const receiptKeys = knownReceiptKeys(log, state)
  // Who was given no receipt keys before has looked at no rotation among the entries.
  const isNew = receiptKeys !== undefined && state.receiptKeys === undefined
  const from = isNew ? 0 : state.entriesChecked
  const watch = receiptKeys && new KeyWatch(receiptKeys, (rotation) => log.onRotation?.(rotation))
  const stateAt = (entriesChecked: number): MonitorState => {
    return { ...state, entriesChecked, ...(watch && { receiptKeys: [...watch.keys] }) }
  }
  await writeMonitorState(log.folder, stateAt(from))
  const { keeper } = log
  const visitor: EntryVisitor = {
    onEntry: (leaf, entry) => watch?.see(leaf, entry),
    ...(keeper && { onBundle: (index, entries) => keeper.keep(index, entries, tiles) }),
  }
  for await (const entriesChecked of checkEntries(log.source, tiles, from, visitor)) {
    await keeper?.settle()
    await writeMonitorState(log.folder, stateAt(entriesChecked))
    log.onProgress(entriesChecked, tiles.treeSize)
  }
}

// Of the keys given now and those followed before, the longer list has the other's newest key.
function knownReceiptKeys(
  { receiptKeys: given }: Followed,
  { receiptKeys: followed }: MonitorState,
): readonly string[] | undefined {
  if (given === undefined || followed === undefined) return given ?? followed
  if (given.includes(followed.at(-1) ?? '')) return given
  if (followed.includes(given.at(-1) ?? '')) return followed
  const message = 'the receipt keys given are not those that the log has led to; look into this'
  throw new LogAlarm('bad_rotation', message)
}

// An address where there never was a log accuses nobody.
function asUnreachable(error: unknown, state: MonitorState | undefined): RoundOutcome {
  if (!(error instanceof SourceError)) throw error
  const { code, message } = error
  const isQuiet = code === 'unreachable' || (code === 'no_log' && state === undefined)
  if (isQuiet) return { type: 'unreachable', message }
  throw new LogAlarm('bad_reply', error.message, { cause: error })
}

function checkFreshness(state: MonitorState, staleAfterMs: number, nowMs: number): void {
  if (nowMs - state.headSinceMs <= staleAfterMs) return
  const since = new Date(state.headSinceMs).toISOString()
  throw new LogAlarm('stale', `the log has shown no newer head since ${since}`)
}
