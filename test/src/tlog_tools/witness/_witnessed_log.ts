import { encodeBase64 } from '#log/tlog/encoding.ts'
import { ed25519Keys, noteSigner } from '#log/tlog/ed25519.ts'
import { leafHash } from '#log/tlog/hash.ts'
import { ed25519Type, formatVkey, type Signer, signNote } from '#log/tlog/note.ts'
import { proveConsistency, rootHash } from '#log/tlog/tree.ts'
import { readLeaves } from '#test/log/_trees.ts'

type HistoryOptions = {
  readonly leaves: readonly Uint8Array[]
  /** Name of the key, if it is not the origin. */
  readonly keyName: string
  /** The byte of which the seed of the key is made. */
  readonly seed: number
}

/** A history of a log, as whoever has its key can sign it. */
export class WitnessedHistory {
  readonly origin: string
  readonly vkey: string
  readonly signer: Signer
  readonly leaves: readonly Uint8Array[]
  readonly #options: HistoryOptions

  constructor(origin: string, options: Partial<HistoryOptions> = {}) {
    const { leaves = [], keyName = origin, seed = 9 } = options
    const key = ed25519Keys.fromSeed(Buffer.alloc(32, seed))
    this.origin = origin
    this.vkey = formatVkey(keyName, ed25519Type, key.publicKey)
    this.signer = noteSigner(keyName, key)
    this.leaves = leaves
    this.#options = { leaves, keyName, seed }
  }

  /** The same log with other entries after the first `from`; `name` tells them from others. */
  branch(from: number, to: number, name: string): WitnessedHistory {
    const more = Array.from({ length: to - from }, (_, at) =>
      leafHash(Buffer.from(`${name} ${at}`)),
    )
    const leaves = [...this.leaves.slice(0, from), ...more]
    return new WitnessedHistory(this.origin, { ...this.#options, leaves })
  }

  root(size: number): Uint8Array {
    return rootHash(size, readLeaves(this.leaves.slice(0, size)))
  }

  /** The text of a checkpoint: of the history, unless told another root. */
  text(size: number, root = this.root(size)): string {
    return `${this.origin}\n${size}\n${encodeBase64(root)}\n`
  }

  checkpoint(size: number, signers: readonly Signer[] = [this.signer]): string {
    return signNote(this.text(size), signers)
  }

  proof(from: number, to: number): readonly string[] {
    if (from === 0) return []
    return proveConsistency(from, to, readLeaves(this.leaves.slice(0, to))).map(encodeBase64)
  }

  /** The body of an add-checkpoint request. */
  submission(oldSize: number, size: number): string {
    return submissionOf(oldSize, this.proof(oldSize, size), this.checkpoint(size))
  }
}

/** A body of these parts, right or not. */
export function submissionOf(
  oldSize: number | string,
  proof: readonly string[],
  note: string,
): string {
  return `old ${oldSize}\n${proof.map((line) => `${line}\n`).join('')}\n${note}`
}
