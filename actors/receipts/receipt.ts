import { joinPieces, type Piece } from '#actors/values/pieces.ts'
import { encodeHex } from '#log/encoding.ts'
import type { LogReader } from '#log/log_reader.ts'

export type FixityStatus = 'pending' | 'verified' | 'failed' | 'unreachable'

/** The members of a chain proof that depend on the tree head alone, spelled once per head. */
type HeadText = {
  readonly treeSize: number
  readonly before: string
  readonly after: string
  readonly afterBytes: Uint8Array
}

/**
 * Writes receipts from log entries. A receipt is the entry's own members, `fixity_status`, and
 * `chain_proof` against the oldest witnessed checkpoint that covers it, or else the newest one, so
 * that a verifier needs nothing but the receipt.
 */
export class ReceiptWriter {
  readonly #log: LogReader
  readonly #headTexts = new WeakMap<object, HeadText>()

  constructor(log: LogReader) {
    this.#log = log
  }

  /** The receipt of the statement at a leaf, as JSON; the statement's bytes are as logged. */
  write(leafIndex: number, fixity: FixityStatus): Buffer {
    return joinPieces(this.pieces(leafIndex, fixity))
  }

  /** The same JSON in pieces, for those who put it into a larger one. */
  pieces(leafIndex: number, fixity: FixityStatus): readonly Piece[] {
    const { before, afterBytes, treeSize } = this.#head(leafIndex)
    const proof = `${before}${this.#hashes(leafIndex, treeSize)},"leaf_index":${leafIndex}`
    const statement = this.#log.entry(leafIndex).subarray(0, -1)
    return [statement, `,"fixity_status":"${fixity}","chain_proof":${proof}`, afterBytes, '}']
  }

  /** The signed statement at a leaf and its `chain_proof`, as JSON. */
  proven(leafIndex: number): Buffer {
    const tail = Buffer.from(`,"chain_proof":${this.chainProof(leafIndex)}}`)
    return Buffer.concat([this.#log.entry(leafIndex).subarray(0, -1), tail])
  }

  /** `chain_proof` of a leaf as JSON; `block_height` is the size of the checkpoint's tree. */
  chainProof(leafIndex: number): string {
    const { before, after, treeSize } = this.#head(leafIndex)
    return `${before}${this.#hashes(leafIndex, treeSize)},"leaf_index":${leafIndex}${after}`
  }

  /** Tells the heads of the proofs of leaves: it changes no more once these are witnessed. */
  headTag(leaves: readonly number[]): string {
    const heads = leaves.map((leaf) => this.#log.provingHead(leaf))
    return heads
      .map(({ number, treeSize }) => (number === undefined ? treeSize : `w${number}`))
      .join('.')
  }

  #hashes(leafIndex: number, treeSize: number): string {
    const hashes = this.#log.inclusionTexts(leafIndex, treeSize)
    return hashes.length === 0 ? '[]' : `["${hashes.join('","')}"]`
  }

  #head(leafIndex: number): HeadText {
    const head = this.#log.provingHead(leafIndex)
    const known = this.#headTexts.get(head)
    if (known !== undefined) return known
    const { treeSize, rootHash, checkpoint } = head
    const root = encodeHex(rootHash)
    const after = `,"tree_size":${treeSize},"checkpoint":${JSON.stringify(checkpoint)}}`
    const text = {
      treeSize,
      before: `{"block_height":${treeSize},"merkle_root":"${root}","inclusion_proof":`,
      after,
      afterBytes: Buffer.from(after),
    }
    this.#headTexts.set(head, text)
    return text
  }
}
