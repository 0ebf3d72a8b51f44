import { encodeHex } from '#log/encoding.ts'
import type { LogReader } from '#log/log_reader.ts'

export type FixityStatus = 'pending' | 'verified' | 'failed' | 'unreachable'

/** The members of a chain proof that depend on the tree head alone, spelled once per head. */
type HeadText = { readonly treeSize: number; readonly before: string; readonly after: string }

/**
 * Writes receipts from log entries. A receipt is the entry's own members, `fixity_status`, and
 * `chain_proof` against the newest checkpoint, so that a verifier needs nothing but the receipt.
 */
export class ReceiptWriter {
  readonly #log: LogReader
  #headText: HeadText = { treeSize: -1, before: '', after: '' }

  constructor(log: LogReader) {
    this.#log = log
  }

  /** The receipt of the statement at a leaf, as JSON; the statement's bytes are as logged. */
  write(leafIndex: number, fixity: FixityStatus): Buffer {
    return Buffer.concat(this.parts(leafIndex, fixity))
  }

  /** The same JSON in pieces, for those who put it into a larger one. */
  parts(leafIndex: number, fixity: FixityStatus): readonly Uint8Array[] {
    const chain = this.chainProof(leafIndex)
    const tail = `,"fixity_status":"${fixity}","chain_proof":${chain}}`
    return [this.#log.entry(leafIndex).subarray(0, -1), Buffer.from(tail)]
  }

  /** The signed statement at a leaf and its `chain_proof`, as JSON. */
  proven(leafIndex: number): Buffer {
    const tail = Buffer.from(`,"chain_proof":${this.chainProof(leafIndex)}}`)
    return Buffer.concat([this.#log.entry(leafIndex).subarray(0, -1), tail])
  }

  /** `chain_proof` of a leaf as JSON; `block_height` is the size of the checkpoint's tree. */
  chainProof(leafIndex: number): string {
    const head = this.#head()
    const proof = this.#log.inclusion(leafIndex, head.treeSize)
    const hashes = proof.map((hash) => `"${encodeHex(hash)}"`).join(',')
    return `${head.before}[${hashes}],"leaf_index":${leafIndex}${head.after}`
  }

  #head(): HeadText {
    const { treeSize, rootHash, checkpoint } = this.#log.head()
    if (treeSize === this.#headText.treeSize) return this.#headText
    const root = encodeHex(rootHash)
    this.#headText = {
      treeSize,
      before: `{"block_height":${treeSize},"merkle_root":"${root}","inclusion_proof":`,
      after: `,"tree_size":${treeSize},"checkpoint":${JSON.stringify(checkpoint)}}`,
    }
    return this.#headText
  }
}
