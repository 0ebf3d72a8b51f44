import { bytesOf, type ByteText, encodeText, readBytes } from '#actors/values/byte_text.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import type { LogReader } from '#log/store/log_reader.ts'

export type FixityStatus = 'pending' | 'verified' | 'failed' | 'unreachable'

/** The members of a chain proof that depend on the tree head alone, spelled once per head. */
type HeadText = {
  readonly treeSize: number
  readonly before: ByteText
  readonly after: ByteText
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
    return bytesOf(this.text(leafIndex, fixity))
  }

  /** The same JSON as a text, for those who put it into a larger one. */
  text(leafIndex: number, fixity: FixityStatus): ByteText {
    const [statement, proof] = [this.#statement(leafIndex), this.chainProof(leafIndex)]
    return `${statement},"fixity_status":"${fixity}","chain_proof":${proof}}` as ByteText
  }

  /** The signed statement at a leaf and its `chain_proof`, as JSON. */
  proven(leafIndex: number): Buffer {
    const [statement, proof] = [this.#statement(leafIndex), this.chainProof(leafIndex)]
    return bytesOf(`${statement},"chain_proof":${proof}}` as ByteText)
  }

  /** `chain_proof` of a leaf as JSON; `block_height` is the size of the checkpoint's tree. */
  chainProof(leafIndex: number): ByteText {
    const { before, after, treeSize } = this.#head(leafIndex)
    const proof = this.#hashes(leafIndex, treeSize)
    return `${before}${proof},"leaf_index":${leafIndex}${after}` as ByteText
  }

  /** Tells the heads of the proofs of leaves: it changes no more once these are witnessed. */
  headTag(leaves: readonly number[]): string {
    const heads = leaves.map((leaf) => this.#log.provingHead(leaf))
    return heads
      .map(({ number, treeSize }) => (number === undefined ? treeSize : `w${number}`))
      .join('.')
  }

  /** The signed statement at a leaf, still open at its end. */
  #statement(leafIndex: number): ByteText {
    return readBytes(this.#log.entry(leafIndex).subarray(0, -1))
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
    const before = `{"block_height":${treeSize},"merkle_root":"${root}","inclusion_proof":`
    const after = `,"tree_size":${treeSize},"checkpoint":${JSON.stringify(checkpoint)}}`
    const text = { treeSize, before: encodeText(before), after: encodeText(after) }
    this.#headTexts.set(head, text)
    return text
  }
}
