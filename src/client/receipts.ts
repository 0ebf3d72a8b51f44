import { VerificationError } from '#src/client/errors.ts'
import type { Evidence, VerifiedReceipt } from '#src/client/receipt_verification.ts'
import type { Answered, CallOptions, Transport } from '#src/client/transport.ts'
import type { Trust } from '#src/client/trust.ts'
import type {
  EvidenceFile,
  Proofs,
  Receipt,
  Resolution,
  VerificationResult,
} from '#src/client/types.ts'
import { checkpointIn } from '#src/client/verify/checkpoint.js'
import { verifyNewest } from '#src/client/verify/newest.js'
import { isObject, readReceipt } from '#src/client/verify/receipt_form.js'
import type { MapProof, NewestReport, WitnessPolicy } from '#src/client/verify/types.ts'

/** A version of a work by its name, and what its receipt must say besides, if that is known. */
export type ReceiptName = {
  readonly ark: string
  readonly version: number
  readonly receiptId?: string | undefined
  readonly metadataHash?: string | undefined
}

/** A receipt with what it is about: with the keys, all that is needed to verify it offline. */
export type ReceiptBundle = { readonly receipt: Receipt; readonly metadata: unknown }

/** How receipts of many versions are read. */
export type ManyOptions = CallOptions & {
  /** Calls under way at one time; by default 4. */
  readonly concurrency?: number
}

/** What is demanded of the proof of how an ARK stands. */
export type NewestOptions = CallOptions & {
  /** A receipt of the ARK, whose standing is told. */
  readonly receipt?: Receipt
  /** The policy of witnesses that must have seen it: `parseWitnessPolicy`. */
  readonly witnesses?: WitnessPolicy
  /** How old their signatures may be, in milliseconds; by default it does not matter. */
  readonly withinMs?: number
}

const concurrencyDefault = 4

/** Receipts and proofs. What is read is verified, unless the client verifies nothing. */
export class Receipts {
  readonly #transport: Transport
  readonly #trust: Trust
  readonly #verifies: boolean

  constructor(transport: Transport, trust: Trust, verifies: boolean) {
    this.#transport = transport
    this.#trust = trust
    this.#verifies = verifies
  }

  /** The receipt of a version. Throws VerificationError as well. */
  async get(ark: string, version: number, options: CallOptions = {}): Promise<Answered<Receipt>> {
    const receipt = await this.#read<Receipt>('receipts', { ark, version }, options)
    if (this.#verifies) await this.#trust.verify(receipt, { ark, version }, options.signal)
    return receipt
  }

  /**
   * All that proves a version: hashes of its content, checks, its history, every signature. The
   * client verifies none of it here: `get` has what is proven.
   */
  proofs(ark: string, version: number, options: CallOptions = {}): Promise<Answered<Proofs>> {
    return this.#read('proofs', { ark, version }, options)
  }

  /**
   * All that proves a version, in one file that can be checked without the registry. It is verified
   * by `verifyEvidence`, by keys that were saved.
   */
  evidence(
    ark: string,
    version: number,
    options: CallOptions = {},
  ): Promise<Answered<EvidenceFile>> {
    return this.#read('evidence', { ark, version }, options)
  }

  /**
   * Reads the receipt of a version and verifies it, whatever the client does by default: it must be
   * about that version, and say what is known of it.
   */
  async verified(name: ReceiptName, options: CallOptions = {}): Promise<VerifiedReceipt> {
    const receipt = await this.#read<Receipt>('receipts', name, options)
    return this.#trust.verify(receipt, name, options.signal)
  }

  /** The receipt of what an answer has told; a VerificationError has that answer in `evidence`. */
  async verifiedAnswer(
    name: ReceiptName,
    answer: object,
    signal: AbortSignal | undefined,
  ): Promise<VerifiedReceipt> {
    try {
      return await this.verified(name, { signal })
    } catch (error) {
      if (!(error instanceof VerificationError)) throw error
      const { step, message, evidence } = error
      const known = { cause: error, evidence: { ...evidence, answer } }
      throw new VerificationError(step, message, known)
    }
  }

  /** Reads and verifies the receipts of many versions, in their order. */
  async *verifiedAll(
    names: Iterable<ReceiptName> | AsyncIterable<ReceiptName>,
    { concurrency = concurrencyDefault, ...options }: ManyOptions = {},
  ): AsyncGenerator<VerifiedReceipt> {
    const verify = (name: ReceiptName, signal: AbortSignal) =>
      this.verified(name, { ...options, signal })
    yield* mapInOrder(names, concurrency, verify, options.signal)
  }

  /**
   * Verifies a receipt that is at hand, or a bundle, with the client's keys and the checkpoint it
   * has seen last. It calls the registry only to follow a rotation of keys, or to hold a checkpoint
   * of another size against the one seen; `verifyReceipt` never does.
   */
  verify(
    receipt: Receipt | ReceiptBundle,
    evidence: Evidence = {},
    { signal }: CallOptions = {},
  ): Promise<VerifiedReceipt> {
    if (!isBundle(receipt)) return this.#trust.verify(receipt, evidence, signal)
    return this.#trust.verify(receipt.receipt, { metadata: receipt.metadata, ...evidence }, signal)
  }

  /**
   * Proves how an ARK, or a receipt of it, stands: the newest version, superseded, withdrawn, never
   * registered or, of a receipt that no map covers yet, `not_yet`. The report says as of when, and
   * seen by how many witnesses; `newestText` puts it into a sentence. The ARK is spelled as the
   * registry shows it. Throws VerificationError `newest`, and what a receipt can be wrong with.
   */
  async newest(ark: string, options: NewestOptions = {}): Promise<NewestReport> {
    const { receipt: value, witnesses, withinMs, ...call } = options
    const name = `ark:/${ark.replace(/^ark:\/?/, '')}`
    // Of another spelling an absence can be proven: it is not the one that was registered.
    if (!ownSpelling.test(name)) {
      const message = `spell the ARK as the registry shows it, ark:/NAAN/name, and not ${ark}`
      throw new VerificationError('newest', message, { evidence: { ark } })
    }
    const path = `/v1/map/${encodeURIComponent(name)}`
    const answer = await this.#transport.send<{ readonly map_proof: MapProof }>({
      method: 'GET',
      path,
      limit,
      ...call,
    })
    if (value !== undefined) await this.#trust.verify(value, { ark: name }, call.signal)
    const form = value === undefined ? undefined : readReceipt(value)
    const keys = await this.#trust.keys(call.signal)
    const report = await verifyNewest(answer.map_proof, witnesses ? { ...keys, witnesses } : keys, {
      ark: name,
      nowMs: this.#transport.nowMs(),
      ...(withinMs !== undefined && { withinMs }),
      ...(form?.type === 'receipt' && { receipt: form.receipt }),
    })
    const failed = report.steps.find(({ status }) => status === 'failed')
    if (failed !== undefined) {
      const evidence = { answer, receipt: value }
      throw new VerificationError('newest', failed.reason, { evidence })
    }
    const { checkpoint } = answer.map_proof
    await this.#trust.see(checkpoint, checkpointIn(checkpoint), call.signal)
    return report
  }

  /** The receipt of a version and its metadata in one, to be kept and verified offline. */
  async bundle(ark: string, version: number, options: CallOptions = {}): Promise<ReceiptBundle> {
    const { receipt, metadata } = await this.#transport.send<Resolution>({
      method: 'GET',
      path: `/api/v1/resolve/${encodeURIComponent(ark)}/v${version}`,
      limit: 'resolve',
      ...options,
    })
    if (this.#verifies)
      await this.#trust.verify(receipt, { ark, version, metadata }, options.signal)
    return { receipt, metadata }
  }

  /** Has the registry itself verify a receipt, by the id of it and a content hash. */
  ask(
    receiptId: string,
    contentHash: string,
    options: CallOptions = {},
  ): Promise<Answered<VerificationResult>> {
    const body = { receipt_id: receiptId, content_hash: contentHash }
    const path = '/api/v1/receipts/verify'
    return this.#transport.send({ method: 'POST', path, body, limit: 'verify', ...options })
  }

  #read<T extends object>(
    what: 'receipts' | 'proofs' | 'evidence',
    { ark, version }: ReceiptName,
    options: CallOptions,
  ): Promise<Answered<T>> {
    const path = `/api/v1/${what}/${encodeURIComponent(ark)}/v${version}`
    return this.#transport.send({ method: 'GET', path, limit, ...options })
  }
}

const limit = 'receipts'

// Everybody may read them below this prefix, so a key needs no right for it.
const ownSpelling = /^ark:\/[0-9a-z]{1,16}\/[0-9a-z]+$/

function isBundle(value: Receipt | ReceiptBundle): value is ReceiptBundle {
  return 'receipt' in value && isObject(value.receipt)
}

/**
 * Does work on each item of a source, so many at a time, and gives the results in the order of the
 * items. A caller that stops early, or a work that fails, aborts what is under way.
 */
export async function* mapInOrder<T, R>(
  source: Iterable<T> | AsyncIterable<T>,
  concurrency: number,
  work: (item: T, signal: AbortSignal) => Promise<R>,
  outer?: AbortSignal,
): AsyncGenerator<R> {
  const stop = new AbortController()
  const signal = outer === undefined ? stop.signal : AbortSignal.any([outer, stop.signal])
  const underWay: Promise<R>[] = []
  try {
    for await (const item of source) {
      outer?.throwIfAborted()
      const result = work(item, signal)
      // It is awaited in its turn, which an earlier failure may keep from coming.
      result.catch(() => undefined)
      underWay.push(result)
      const first = underWay.length >= concurrency ? underWay.shift() : undefined
      if (first !== undefined) yield await first
    }
    while (underWay.length > 0) yield await (underWay.shift() as Promise<R>)
  } finally {
    stop.abort()
  }
}
