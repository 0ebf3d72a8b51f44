import {
  type CheckpointVerifiers,
  type CosignedCheckpoint,
  openCosigned,
  openWitnessed,
  type SeenByWitness,
} from '#log/tlog/cosigned_checkpoint.ts'
import { formatSeconds } from '#log/tlog/cosignature.ts'
import { LogError } from '#log/tlog/errors.ts'
import { describeQuorum, reachesQuorum } from '#log/tlog/policy.ts'
import { equalBytes } from '#log/tlog/proof.ts'
import { LogAlarm } from '#src/tlog_tools/monitor/alarm.ts'
import { type LogSource, SourceError } from '#src/tlog_tools/monitor/log_source.ts'
import type { TileReader } from '#src/tlog_tools/monitor/tile_reader.ts'

/** Whose cosignatures a monitor demands, and how old they may be, in milliseconds. */
export type DemandedQuorum = {
  readonly verifiers: CheckpointVerifiers
  readonly withinMs: number
}

/** When a quorum had last signed, in milliseconds of 1970, and the checkpoint that proves it. */
export type SeenQuorum = { readonly atMs: number; readonly checkpoint: string }

/**
 * Whether a cosignature is further ahead of the time of day than clocks differ. It would look as if
 * it were of now for as long as it is ahead, so it counts for nothing here.
 */
function isAhead({ timestamp }: SeenByWitness, nowMs: number): boolean {
  return timestamp * 1_000 > nowMs + aheadMsMax
}

const aheadMsMax = 300_000

/** What a quorum is looked for in: what the log served, and a head of it that was verified. */
export type QuorumLook = {
  readonly source: LogSource
  /** The checkpoint as the log served it in this round; undefined if it served none. */
  readonly served: Uint8Array | undefined
  /** Reads the tree of the newest verified head. */
  readonly tiles: TileReader
  /** What was seen before. */
  readonly seen: SeenQuorum | undefined
  readonly nowMs: number
}

/**
 * Looks for a checkpoint with its quorum: the newest one, or the newest that has it, where the log
 * serves that. Returns what is to be remembered; whether it is recent enough, `judgeQuorum` says.
 * Throws LogAlarm `bad_cosignature`, and `fork` if what the witnesses signed is of another history.
 */
export async function lookForQuorum(
  { verifiers }: DemandedQuorum,
  { source, served, tiles, seen, nowMs }: QuorumLook,
): Promise<SeenQuorum | undefined> {
  if (served === undefined) return seen
  const found = quorumIn(served, verifiers, nowMs) ?? (await ofWitnessed(source, verifiers, nowMs))
  if (found === undefined || found.atMs <= (seen?.atMs ?? -1)) return seen
  await compareWithHead(found.cosigned, tiles)
  return { atMs: found.atMs, checkpoint: found.checkpoint }
}

/** Throws LogAlarm `quorum_missed` or `quorum_lapsed` unless a quorum has signed of late. */
export function judgeQuorum(
  { verifiers, withinMs }: DemandedQuorum,
  { served, seen, nowMs }: Pick<QuorumLook, 'served' | 'seen' | 'nowMs'>,
): void {
  if (seen !== undefined && nowMs - seen.atMs <= withinMs) return
  if (seen !== undefined) {
    const since = new Date(seen.atMs).toISOString()
    const most = `more than ${withinMs / 1_000} s ago`
    throw new LogAlarm('quorum_lapsed', `the quorum of witnesses last signed at ${since}, ${most}`)
  }
  if (served === undefined) return
  try {
    openWitnessed(served, verifiers)
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    throw new LogAlarm('quorum_missed', error.message, { cause: error })
  }
  // All of the quorum have signed, and the times of some are none that say how recent that is.
  const { policy } = verifiers
  const ahead = open(served, verifiers).signed.filter((one) => isAhead(one, nowMs))
  const told = ahead.map(({ name, timestamp }) => `${name} at ${formatSeconds(timestamp)}`)
  if (told.length === 0) return
  const message = `but some signed ahead of this clock: ${told.join(', ')}`
  throw new LogAlarm('quorum_missed', `the policy demands ${describeQuorum(policy)}, ${message}`)
}

/** The witnesses of a policy that have cosigned each of two checkpoints, by their names. */
export function cosignersOfBoth(
  left: Uint8Array,
  right: Uint8Array,
  { verifiers }: DemandedQuorum,
): readonly string[] {
  const [ofLeft = [], ofRight = []] = [left, right].map((note) => cosignersOf(note, verifiers))
  return ofLeft.filter((name) => ofRight.includes(name))
}

function cosignersOf(note: Uint8Array, verifiers: CheckpointVerifiers): readonly string[] {
  try {
    return openCosigned(note, verifiers).signed.map(({ name }) => name)
  } catch (error) {
    if (error instanceof LogError) return []
    throw error
  }
}

type FoundQuorum = SeenQuorum & { readonly cosigned: CosignedCheckpoint }

async function ofWitnessed(
  source: LogSource,
  verifiers: CheckpointVerifiers,
  nowMs: number,
): Promise<FoundQuorum | undefined> {
  try {
    const served = await source.witnessed?.()
    return served === undefined ? undefined : quorumIn(served, verifiers, nowMs)
  } catch (error) {
    // An address that only some logs have.
    if (error instanceof SourceError) return undefined
    throw error
  }
}

function quorumIn(
  served: Uint8Array,
  verifiers: CheckpointVerifiers,
  nowMs: number,
): FoundQuorum | undefined {
  const cosigned = open(served, verifiers)
  const { policy } = verifiers
  const checkpoint = Buffer.from(served).toString('utf8')
  if (policy.quorum === undefined) return { atMs: nowMs, checkpoint, cosigned }
  const names = new Set<string>()
  const signed = cosigned.signed.filter((one) => !isAhead(one, nowMs))
  // The newest signatures that are enough: the oldest of these says how old the quorum is.
  for (const { name, timestamp } of signed.toSorted((a, b) => b.timestamp - a.timestamp)) {
    names.add(name)
    if (!reachesQuorum(policy, names)) continue
    return { atMs: Math.min(timestamp * 1_000, nowMs), checkpoint, cosigned }
  }
  return undefined
}

function open(served: Uint8Array, verifiers: CheckpointVerifiers): CosignedCheckpoint {
  try {
    return openCosigned(served, verifiers)
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    throw new LogAlarm('bad_cosignature', error.message, { cause: error })
  }
}

// A checkpoint newer than the head is of the next round.
async function compareWithHead({ checkpoint }: CosignedCheckpoint, tiles: TileReader) {
  const { treeSize, rootHash } = checkpoint
  if (treeSize > tiles.treeSize) return
  if (equalBytes(await tiles.rootAt(treeSize), rootHash)) return
  const sizes = `sizes ${treeSize} and ${tiles.treeSize}`
  const message = `the witnesses signed another history than the log shows: ${sizes}`
  throw new LogAlarm('fork', message)
}
