import { checkpointIn } from '#log/tlog/checkpoint.ts'
import { leafHash as hashLeaf, nodeHash } from '#log/tlog/hash.ts'
import type { LogReader } from '#log/store/log_reader.ts'
import { checkInclusion } from '#log/tlog/proof.ts'

/** One step up the tree: the sibling, where it stands, which entries it is of, and the parent. */
export type PathStep = {
  readonly side: 'left' | 'right'
  readonly sibling: Uint8Array
  /** The entries below the sibling: from the first up to, not including, the last. */
  readonly from: number
  readonly to: number
  readonly parent: Uint8Array
}

/** How an entry leads to the root of a signed checkpoint. */
export type ProvenEntry = {
  readonly leafIndex: number
  readonly leafHash: Uint8Array
  readonly steps: readonly PathStep[]
  readonly treeSize: number
  readonly rootHash: Uint8Array
  readonly checkpoint: string
}

/**
 * Proves an entry by the newest checkpoint that witnesses have signed, if that covers it, or else
 * by the newest. Errors: LogError `out_of_range`.
 */
export function proveEntry(log: LogReader, leafIndex: number): ProvenEntry {
  const leafHash = hashLeaf(log.entry(leafIndex))
  const { witnessed } = log.cosigned()
  const isCovered = witnessed !== undefined && witnessed.treeSize > leafIndex
  const { checkpoint } = isCovered ? witnessed : log.newestCheckpoint()
  const { treeSize, rootHash } = checkpointIn(checkpoint)
  const proof = log.inclusion(leafIndex, treeSize)
  const steps: PathStep[] = []
  let hash = leafHash
  let covered = { from: leafIndex, to: leafIndex + 1 }
  // The check that every verifier makes knows the sides: it is watched here.
  const nodeOf = (left: Uint8Array, right: Uint8Array) => {
    const parent = nodeHash(left, right)
    const side = right === hash ? 'left' : 'right'
    const range = side === 'left' ? before(covered) : after(covered, treeSize)
    steps.push({ side, sibling: side === 'left' ? left : right, ...range, parent })
    covered = { from: Math.min(covered.from, range.from), to: Math.max(covered.to, range.to) }
    hash = parent
    return parent
  }
  const claim = { leafHash, leafIndex, treeSize, proof, rootHash }
  checkInclusion(claim, { leafHash: hashLeaf, nodeHash: nodeOf })
  return { leafIndex, leafHash, steps, treeSize, rootHash, checkpoint }
}

type Entries = { readonly from: number; readonly to: number }

/** A sibling on the left is a whole tree: as large as the largest power of two that ends there. */
function before({ from }: Entries): Entries {
  let size = 1
  while (from % (2 * size) === 0) size *= 2
  return { from: from - size, to: from }
}

/** A sibling on the right is as large as its neighbour, which is whole, or what there is. */
function after({ from, to }: Entries, treeSize: number): Entries {
  return { from: to, to: Math.min(treeSize, to + (to - from)) }
}
