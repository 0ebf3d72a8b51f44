import type { Checkpoint } from '#log/tlog/checkpoint.ts'
import { LogError } from '#log/base/errors.ts'
import { emptyRootHash } from '#log/tlog/hash.ts'
import { checkConsistency, equalBytes } from '#log/tlog/proof.ts'

/** The newest head of a log that the witness has cosigned. */
export type CosignedHead = Pick<Checkpoint, 'treeSize' | 'rootHash'> & {
  /** POSIX seconds of that cosignature. */
  readonly timestamp: number
}

/** What a log claims, its signature being verified: this checkpoint follows the old size. */
export type Claim = {
  readonly oldSize: number
  readonly proof: readonly Uint8Array[]
  readonly checkpoint: Pick<Checkpoint, 'treeSize' | 'rootHash'>
}

/**
 * What a witness does with a claim. It cosigns a checkpoint that is proven to continue the last one
 * (`advance`), or that is the last one (`repeat`). All else it refuses, and stays where it is.
 */
export type Decision =
  | { readonly type: 'advance' }
  | { readonly type: 'repeat' }
  /** The old size is above that of the checkpoint. */
  | { readonly type: 'backwards'; readonly message: string }
  /** The old size is not where the witness is: `treeSize` is. */
  | { readonly type: 'stale'; readonly treeSize: number }
  | { readonly type: 'unproven'; readonly message: string }

/**
 * Decides on a claim, given the last head that was cosigned of its log, undefined if none ever was.
 * The order of the checks is that of C2SP tlog-witness; two roots of one size never pass.
 */
export function decide(claim: Claim, last: CosignedHead | undefined): Decision {
  const { oldSize, checkpoint } = claim
  const { treeSize, rootHash } = checkpoint
  if (oldSize > treeSize) {
    const message = `The old size ${oldSize} is above that of the checkpoint, ${treeSize}`
    return { type: 'backwards', message }
  }
  const lastSize = last?.treeSize ?? 0
  if (oldSize !== lastSize) return { type: 'stale', treeSize: lastSize }
  if (treeSize === 0 && !equalBytes(rootHash, emptyRootHash)) {
    return unproven('The root of size 0 is not that of the empty tree')
  }
  if (oldSize === 0 && claim.proof.length > 0) {
    return unproven('From size 0 there is no proof, so it must have no lines')
  }
  if (last === undefined || oldSize === 0) {
    return { type: last?.treeSize === treeSize ? 'repeat' : 'advance' }
  }
  return decideOnProof(claim, last)
}

function decideOnProof({ proof, checkpoint }: Claim, last: CosignedHead): Decision {
  const { treeSize, rootHash } = checkpoint
  if (treeSize === last.treeSize && !equalBytes(rootHash, last.rootHash)) {
    return unproven(`Another root was cosigned for the size ${treeSize}: the log is forked`)
  }
  try {
    const [from, to] = [last.treeSize, treeSize]
    checkConsistency({ from, to, fromRoot: last.rootHash, toRoot: rootHash, proof })
  } catch (error) {
    if (error instanceof LogError) {
      return unproven(`It is not proven from ${last.treeSize} to ${treeSize}: ${error.message}`)
    }
    throw error
  }
  return { type: treeSize === last.treeSize ? 'repeat' : 'advance' }
}

function unproven(message: string): Decision {
  return { type: 'unproven', message }
}
