import { RefusedError, UsageError, VerificationError } from '#src/client/errors.ts'
import {
  type Evidence,
  followRotations,
  parseTrustedKeys,
  type VerifiedReceipt,
  verifyReceipt,
} from '#src/client/receipt_verification.ts'
import { openCheckpoint } from '#src/client/verify/checkpoint.js'
import { decodeHex, encodeHex } from '#src/client/verify/encoding.js'
import { EvidenceError } from '#src/client/verify/evidence_error.js'
import { checkConsistency } from '#src/client/verify/merkle_tree.js'
import type { EnvironmentName, TreeHead, TrustedKeys } from '#src/client/verify/types.ts'

/**
 * Where the client keeps texts from one run to the next: the newest checkpoint it has seen, and the
 * keys it has trusted on first use. A `Map` is one; so is a wrapper of a file or of `localStorage`.
 */
export type Storage = {
  get(name: string): string | null | undefined | Promise<string | null | undefined>
  set(name: string, text: string): unknown
}

/** The keys and the storage of the trust, and its calls of the registry. */
export type TrustOptions = {
  readonly environment: EnvironmentName
  /** The registry's address, by which what is stored is named. */
  readonly baseUrl: string
  /** A saved `/.well-known/svc-keys.json`, as JSON or as its text. */
  readonly keys: unknown
  readonly trustOnFirstUse: boolean
  readonly storage: Storage
  fetchKeys(signal?: AbortSignal): Promise<unknown>
  fetchConsistency(from: number, to: number, signal?: AbortSignal): Promise<readonly string[]>
}

/** Sizes of trees that are remembered as consistent with the newest. */
const provenHeadsMax = 1_000

/**
 * The keys that a client trusts, and the checkpoints it has seen: it verifies receipts, follows
 * rotations of their keys, and holds every checkpoint against the newest one seen, so that a
 * registry cannot show two histories.
 */
export class Trust {
  readonly #options: TrustOptions
  #keys: Promise<TrustedKeys> | undefined
  #newest: TreeHead | undefined
  readonly #proven = new Map<number, string>()
  /** Checkpoints are compared one after the other. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: TrustOptions) {
    this.#options = options
  }

  /** The keys that are trusted. Throws VerificationError `keys`. */
  keys(signal?: AbortSignal): Promise<TrustedKeys> {
    this.#keys ??= this.#readKeys(signal).catch((error: unknown) => {
      this.#keys = undefined
      throw error
    })
    return this.#keys
  }

  /**
   * Verifies a receipt, and that its checkpoint goes with all that were seen. Throws
   * VerificationError; and the errors of a request, if one more was needed and failed.
   */
  async verify(
    receipt: unknown,
    evidence: Evidence,
    signal?: AbortSignal,
  ): Promise<VerifiedReceipt> {
    const verified = await this.#verifyAlone(receipt, evidence, signal)
    await this.see(verified.checkpoint, verified.head, signal)
    return verified
  }

  /** Compares a head whose signature was verified with the newest seen, and keeps the newer one. */
  see(checkpoint: string, head: TreeHead, signal?: AbortSignal): Promise<void> {
    const seen = this.#turn.then(() => this.#see(checkpoint, head, signal))
    this.#turn = seen.catch(() => undefined)
    return seen
  }

  async #readKeys(signal: AbortSignal | undefined): Promise<TrustedKeys> {
    const { environment, storage, trustOnFirstUse } = this.#options
    if (this.#options.keys !== undefined) return parseTrustedKeys(this.#options.keys, environment)
    if (!trustOnFirstUse) {
      const message = 'Nothing can be verified without `keys`, or `trustOnFirstUse: true`'
      throw new UsageError('no_trusted_keys', message)
    }
    const name = this.#nameOf('keys')
    const stored = await storage.get(name)
    if (typeof stored === 'string') return parseTrustedKeys(stored, environment)
    const list = await this.#options.fetchKeys(signal)
    const keys = await parseTrustedKeys(list, environment)
    await storage.set(name, JSON.stringify(list))
    return keys
  }

  async #verifyAlone(
    receipt: unknown,
    evidence: Evidence,
    signal: AbortSignal | undefined,
  ): Promise<VerifiedReceipt> {
    const keys = await this.keys(signal)
    try {
      return await verifyReceipt(receipt, keys, evidence)
    } catch (error) {
      const isOfKey = error instanceof VerificationError && error.step === 'receipt_key'
      if (!isOfKey) throw error
      const followed = await followRotations(keys, await this.#options.fetchKeys(signal))
      if (followed.receiptKeys.length === keys.receiptKeys.length) throw error
      this.#keys = Promise.resolve(followed)
      return verifyReceipt(receipt, followed, evidence)
    }
  }

  async #see(checkpoint: string, head: TreeHead, signal: AbortSignal | undefined): Promise<void> {
    const root = encodeHex(head.rootHash)
    if (this.#proven.get(head.treeSize) === root) return
    const known = (this.#newest ??= await this.#readNewest())
    if (known !== undefined) await this.#compare(known, head, checkpoint, signal)
    if (this.#proven.size >= provenHeadsMax) this.#proven.clear()
    this.#proven.set(head.treeSize, root)
    if (known !== undefined && head.treeSize <= known.treeSize) return
    this.#newest = head
    await this.#options.storage.set(this.#nameOf('checkpoint'), checkpoint)
  }

  async #readNewest(): Promise<TreeHead | undefined> {
    const stored = await this.#options.storage.get(this.#nameOf('checkpoint'))
    if (typeof stored !== 'string') return undefined
    const { log } = await this.keys()
    try {
      return await openCheckpoint(stored, log)
    } catch (cause) {
      if (!isWrong(cause)) throw cause
      const message = `The checkpoint that was remembered is not one of the log ${log.name}`
      const evidence = { remembered: stored }
      throw new VerificationError('consistency', message, { cause, evidence })
    }
  }

  async #compare(
    known: TreeHead,
    shown: TreeHead,
    checkpoint: string,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const [older, newer] = known.treeSize <= shown.treeSize ? [known, shown] : [shown, known]
    const { treeSize: from, rootHash: fromRoot } = older
    const { treeSize: to, rootHash: toRoot } = newer
    const proof = from === to ? [] : await this.#fetchProof(from, to, signal)
    try {
      await checkConsistency({ from, to, fromRoot, toRoot, proof: proof.map(decodeHex) })
    } catch (cause) {
      if (!isWrong(cause)) throw cause
      const trees = `trees of ${from} and ${to} entries`
      const message = `The log has shown two histories: ${trees} do not agree`
      const seen = { tree_size: known.treeSize, root_hash: encodeHex(known.rootHash) }
      throw new VerificationError('consistency', message, {
        cause,
        evidence: { seen, shown: checkpoint, proof },
      })
    }
  }

  async #fetchProof(
    from: number,
    to: number,
    signal: AbortSignal | undefined,
  ): Promise<readonly string[]> {
    try {
      const proof = await this.#options.fetchConsistency(from, to, signal)
      if (proof.every((hash) => /^[0-9a-f]{64}$/.test(hash))) return proof
      throw new VerificationError(
        'consistency',
        'A consistency proof has something else than hashes',
      )
    } catch (cause) {
      if (!(cause instanceof RefusedError && cause.status === 404)) throw cause
      const trees = `a tree of ${to} entries begins with one of ${from}`
      const message = `The registry cannot prove that ${trees}: it has lost entries`
      throw new VerificationError('consistency', message, { cause, evidence: { from, to } })
    }
  }

  #nameOf(what: 'keys' | 'checkpoint'): string {
    return `arklog ${what} ${this.#options.environment} ${this.#options.baseUrl}`
  }
}

function isWrong(error: unknown): boolean {
  return error instanceof EvidenceError && error.code !== 'crypto_unavailable'
}
