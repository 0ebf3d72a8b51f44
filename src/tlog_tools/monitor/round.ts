import type { Checkpoint } from '#log/tlog/checkpoint.ts'
import { verify } from '#log/tlog/ed25519.ts'
import { isStrictPublicKey } from '#log/tlog/key_form.ts'
import type { Verifier } from '#log/tlog/note.ts'
import { tileWidth } from '#log/tlog/tile.ts'
import { equalBytes } from '#log/tlog/proof.ts'
import {
  parseEntry,
  receiptKeyId,
  signedBytes,
  type SignedStatement,
} from '#actors/works/receipts/statement.ts'
import { type Alarm, LogAlarm } from '#src/tlog_tools/monitor/alarm.ts'
import { checkEntries, type EntryVisitor, readBundle } from '#src/tlog_tools/monitor/entry_check.ts'
import { type LogSource, recordReplies, SourceError } from '#src/tlog_tools/monitor/log_source.ts'
import type { MapWatch, TreeReader } from '#src/tlog_tools/monitor/map_watch.ts'
import {
  type MonitorState,
  readMonitorState,
  writeMonitorState,
} from '#src/tlog_tools/monitor/monitor_state.ts'
import { openHead, TileReader } from '#src/tlog_tools/monitor/tile_reader.ts'

/** A followed log: where it is read, the key it must sign with, and the folder of its state. */
export type Followed = {
  readonly source: LogSource
  readonly vkey: string
  /** The verifier of `vkey`, which knows the log's origin. */
  readonly verifier: Verifier
  readonly folder: string
  /** Receipt keys that are trusted, oldest first; without them no rotation is followed. */
  readonly receiptKeys?: readonly string[]
  /** A head older than this raises `stale`, in milliseconds. */
  readonly staleAfterMs: number
  /** Keeps a copy of what was found in the tree. */
  readonly keeper?: EntryKeeper
  /** Recomputes the map of the log; what it finds is the caller's to tell. */
  readonly map?: MapWatch
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

/** The outcome of one look at a log. `unreachable` says nothing about the log's honesty. */
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
    await remember(log, tiles, newHeadState(log, message, nowMs), nowMs)
    return { type: 'started', treeSize: head.treeSize }
  }
  const known = openHead(state.checkpoint, log.verifier)
  await compareHeads(known, head, tiles)
  if (head.treeSize === known.treeSize) {
    await remember(log, tiles, state, nowMs)
    return { type: 'unchanged', treeSize: head.treeSize }
  }
  await remember(log, tiles, newHeadState(log, message, nowMs, state), nowMs)
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
async function remember(
  log: Followed,
  tiles: TileReader,
  state: MonitorState,
  nowMs: number,
): Promise<void> {
  const receiptKeys = knownReceiptKeys(log, state)
  // A monitor without receipt keys has looked at no rotation among the entries.
  const isNew = receiptKeys !== undefined && state.receiptKeys === undefined
  const from = isNew ? 0 : state.entriesChecked
  const watch = receiptKeys && new KeyWatch(receiptKeys, (rotation) => log.onRotation?.(rotation))
  const stateAt = (entriesChecked: number): MonitorState => {
    return { ...state, entriesChecked, ...(watch && { receiptKeys: [...watch.keys] }) }
  }
  await writeMonitorState(log.folder, stateAt(from))
  const { keeper, map } = log
  const tree = treeReader(log, tiles)
  const visitor: EntryVisitor = {
    onEntry: (leaf, entry) => watch?.see(leaf, entry),
    async onBundle(index, entries) {
      await map?.see(index * tileWidth, entries, tree)
      await keeper?.keep(index, entries, tiles)
    },
  }
  for await (const entriesChecked of checkEntries(log.source, tiles, from, visitor)) {
    await keeper?.settle()
    await map?.settle(nowMs, tree)
    await writeMonitorState(log.folder, stateAt(entriesChecked))
    log.onProgress(entriesChecked, tiles.treeSize)
  }
}

/** Reads older entries again, for a map that begins later than the monitor. */
function treeReader(log: Followed, tiles: TileReader): TreeReader {
  return {
    rootAt: (treeSize) => tiles.rootAt(treeSize),
    bundle(index) {
      log.onProgress(index * tileWidth, tiles.treeSize)
      return readBundle(log.source, tiles, index)
    },
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

/** A rotation of receipt keys that a monitor has followed; keys are 64 hex digits. */
export type FollowedRotation = {
  readonly leafIndex: number
  readonly oldPublicKey: string
  readonly newPublicKey: string
  readonly timestamp: string
}

const rotationMark = Buffer.from('"statement":"key_rotated"')

/**
 * Follows the receipt keys of a log by its own entries, from those that are trusted. A rotation
 * that the key before it has not signed, or that contradicts one before, is an alarm. It owns the
 * list of keys, oldest first.
 */
export class KeyWatch {
  readonly #keys: string[]
  readonly #onRotation: (rotation: FollowedRotation) => void

  /** `keys` are trusted, oldest first; `onRotation` is told of each key that follows from them. */
  constructor(keys: readonly string[], onRotation: (rotation: FollowedRotation) => void) {
    this.#keys = [...keys]
    this.#onRotation = onRotation
  }

  get keys(): readonly string[] {
    return this.#keys
  }

  /** Looks at an entry that was found in the tree. Throws LogAlarm `bad_rotation`. */
  see(leafIndex: number, entry: Uint8Array): void {
    if (!Buffer.from(entry.buffer, entry.byteOffset, entry.length).includes(rotationMark)) return
    const signed = parseEntry(entry)
    if ('type' in signed) throw alarm(leafIndex, `is malformed: ${signed.reason}`)
    const { statement, signature } = signed
    if (statement.statement !== 'key_rotated') return
    const place = this.#keys.indexOf(signature.public_key)
    const fault = place < 0 ? 'is signed by a key that is not known' : faultOf(signed)
    if (fault !== undefined) throw alarm(leafIndex, fault)
    const next = this.#keys[place + 1]
    if (next === undefined) this.#follow(leafIndex, signed)
    else if (receiptKeyId(next) !== statement.new_key_id) {
      throw alarm(leafIndex, `announces ${statement.new_key_id} after a key that another followed`)
    }
  }

  #follow(leafIndex: number, { statement, signature }: SignedStatement): void {
    if (statement.statement !== 'key_rotated') return
    const { new_public_key: newPublicKey, timestamp } = statement
    if (newPublicKey === undefined) {
      throw alarm(leafIndex, 'names the new key by its id alone: save the key file anew')
    }
    this.#keys.push(newPublicKey)
    const oldPublicKey = signature.public_key
    this.#onRotation({ leafIndex, oldPublicKey, newPublicKey, timestamp })
  }
}

function faultOf({ statement, signature }: SignedStatement): string | undefined {
  if (statement.statement !== 'key_rotated') return undefined
  const { old_key_id, new_key_id, new_public_key: next } = statement
  const bytes = Buffer.from(signature.signature, 'hex')
  if (!verify(signedBytes(statement), bytes, Buffer.from(signature.public_key, 'hex'))) {
    return 'has a wrong signature'
  }
  if (old_key_id !== receiptKeyId(signature.public_key)) return 'names another key than its signer'
  if (next === undefined) return undefined
  if (!isStrictPublicKey(Buffer.from(next, 'hex'))) return 'announces a key that is not a valid one'
  return new_key_id === receiptKeyId(next) ? undefined : 'announces a key with the id of another'
}

function alarm(leafIndex: number, what: string): LogAlarm {
  return new LogAlarm('bad_rotation', `entry ${leafIndex}, a rotation of receipt keys, ${what}`)
}
