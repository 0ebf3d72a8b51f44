import { readLogged } from '#src/use_cases/logged_statement.ts'
import { checkpointIn } from '#log/tlog/checkpoint.ts'
import type { LogReader } from '#log/store/log_reader.ts'

/** A signed checkpoint of a log, with what came with it. */
export type PastCheckpoint = {
  readonly treeSize: number
  readonly rootHash: Uint8Array
  readonly checkpoint: string
  /** When the newest of its entries was signed, as receipts spell it. */
  readonly signedAt: string
}

/** A checkpoint of a list, and how many entries came since the one before it. */
export type ListedCheckpoint = PastCheckpoint & { readonly added: number }

/** A page of checkpoints, the newest first; `next` is where the next page begins. */
export type CheckpointList = {
  readonly checkpoints: readonly ListedCheckpoint[]
  readonly next: number | null
}

/**
 * Two checkpoints and the proof that the larger tree begins with the smaller; or why they are not
 * compared: a size that the log has not signed, with those nearby that it has, or sizes of which
 * nothing is proven, in a sentence.
 */
export type Comparison =
  | {
      readonly type: 'compared'
      readonly older: PastCheckpoint
      readonly newer: PastCheckpoint
      readonly proof: readonly Uint8Array[]
    }
  | { readonly type: 'unsigned'; readonly treeSize: number; readonly nearby: readonly number[] }
  | { readonly type: 'refused'; readonly reason: string }

/** Lists checkpoints of sizes below `before`, `limit` of them at most. */
export async function listCheckpoints(
  log: LogReader,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<CheckpointList> {
  // One more tells how many entries the last of the page has added.
  const heads = await log.checkpointsBefore({ before, limit: limit + 1 })
  const checkpoints = heads.slice(0, limit).map(({ treeSize, checkpoint }, index) => {
    const earlier = heads[index + 1]?.treeSize ?? 0
    return { ...pastCheckpoint(log, treeSize, checkpoint), added: treeSize - earlier }
  })
  const next = heads.length > limit ? (checkpoints.at(-1)?.treeSize ?? null) : null
  return { checkpoints, next }
}

/** Compares the checkpoints of two sizes. */
export async function compareCheckpoints(
  log: LogReader,
  from: number,
  to: number,
): Promise<Comparison> {
  const { treeSize: newest } = log.head()
  if (from > to) {
    return {
      type: 'refused',
      reason: `${from} entries are more than ${to}: the older comes first.`,
    }
  }
  if (from === 0) {
    return { type: 'refused', reason: 'Every log continues the empty one; that proves nothing.' }
  }
  const signed = (treeSize: number) => (treeSize > newest ? undefined : log.checkpointAt(treeSize))
  const [older, newer] = [signed(from), signed(to)]
  if (older === undefined || newer === undefined) {
    const treeSize = older === undefined ? from : to
    return { type: 'unsigned', treeSize, nearby: await signedNearby(log, treeSize) }
  }
  return {
    type: 'compared',
    older: pastCheckpoint(log, from, older),
    newer: pastCheckpoint(log, to, newer),
    proof: log.consistency(from, to),
  }
}

async function signedNearby(log: LogReader, treeSize: number): Promise<number[]> {
  const [before, after] = await Promise.all([
    log.checkpointsBefore({ before: treeSize, limit: 1 }),
    log.checkpoints({ after: treeSize, limit: 1 }),
  ])
  return [...before, ...after].map((head) => head.treeSize)
}

/** With its cosignatures, where those of its size are at hand. */
function pastCheckpoint(log: LogReader, treeSize: number, checkpoint: string): PastCheckpoint {
  const { rootHash } = checkpointIn(checkpoint)
  const signedAt = readLogged(log, treeSize - 1).statement.timestamp
  const known = [log.newestCheckpoint(), log.cosigned().witnessed]
  const cosigned = known.find((head) => head?.treeSize === treeSize)
  return { treeSize, rootHash, checkpoint: cosigned?.checkpoint ?? checkpoint, signedAt }
}
