import { mapInOrder, type ReceiptName, type Receipts } from '#src/client/receipts.ts'
import { RefusedError, UsageError } from '#src/client/errors.ts'
import type { VerifiedReceipt } from '#src/client/receipt_verification.ts'
import type { CallOptions, Transport } from '#src/client/transport.ts'
import type { Storage } from '#src/client/trust.ts'
import type { BulkReply, FieldFault } from '#src/client/types.ts'
import {
  type Batch,
  batchBytesMax,
  batchItemsMax,
  cutBatches,
  type WorkLine,
  type WorkSource,
} from '#src/client/work_lines.ts'

/** How far an upload has come. */
export type UploadProgress = {
  /** Works, or lines that are none, that have their result. */
  readonly done: number
  readonly registered: number
  /** Works of yours that were changed, or are as they should be already. */
  readonly changed: number
  readonly refused: number
  /** Of these: those that an earlier run had registered or changed. */
  readonly replayed: number
  /** Bytes of JSON that were sent, those of repeated calls counted once. */
  readonly bytes: number
}

export type UploadOptions = CallOptions & {
  /**
   * Names the upload, 1 to 100 visible ASCII characters. Begun again under its name, with the same
   * works in the same order and the same `batchItems`, it goes on and registers none twice.
   */
  readonly run?: string
  /** Works in one call; by default 500, 1,000 at most. */
  readonly batchItems?: number
  /** Calls under way at one time; by default 2. */
  readonly concurrency?: number
  /** Register works even if others have their DOI and title. */
  readonly allowDuplicate?: boolean
  /**
   * Replace the works of yours that have the DOIs of works. A work with a member `ark` changes the
   * one of this ARK in any case.
   */
  readonly update?: boolean
  /** Whether each receipt is read and verified before the result is given; else do it later. */
  readonly verify?: boolean
  readonly onProgress?: (progress: UploadProgress) => void
}

/** Where a result belongs: `index` counts works from 0, `line` lines of a file from 1. */
type Place = { readonly index: number; readonly line?: number }

/** A work that is registered: by this upload, or before and changed, or so already. */
export type UploadedWork = Place & {
  readonly type: 'registered'
  readonly outcome: 'registered' | 'changed' | 'unchanged'
  readonly ark: string
  readonly version: number
  readonly receiptId: string
  readonly metadataHash: string
  /** Whether an earlier run had registered it. */
  readonly replayed: boolean
  /** Null if it was not verified, or if an earlier run has done so. */
  readonly receipt: VerifiedReceipt | null
}

/** A work that is not registered, and why. */
export type RefusedWork = Place & {
  readonly type: 'refused'
  readonly status: number
  readonly error: string
  readonly message: string
  readonly details: readonly FieldFault[]
}

export type UploadResult = UploadedWork | RefusedWork

type Parts = {
  readonly transport: Transport
  readonly receipts: Receipts
  readonly storage: Storage
  readonly verifies: boolean
}

const itemsDefault = 500
const concurrencyDefault = 2
const receiptsAtATime = 4

// A thousand works take a busy registry longer than any other call.
const answerMs = 120_000

/**
 * Registers and changes the works of a source. A work that is refused is a result like any other;
 * a fault of the registry or of the network ends the upload, which can be begun again under its
 * name.
 */
export async function* uploadWorks(
  parts: Parts,
  source: WorkSource,
  options: UploadOptions,
): AsyncGenerator<UploadResult> {
  const { batchItems = itemsDefault, concurrency = concurrencyDefault } = options
  const { run = parts.transport.newId(), onProgress } = options
  if (!/^[\x21-\x7e]{1,100}$/.test(run)) {
    throw new UsageError('bad_argument', 'run must have 1 to 100 visible ASCII characters')
  }
  if (!Number.isInteger(batchItems) || batchItems < 1 || batchItems > batchItemsMax) {
    throw new UsageError('bad_argument', `batchItems must be 1 to ${batchItemsMax}`)
  }
  const upload = new Upload(parts, { ...options, run })
  const batches = cutBatches(source, { itemsMax: batchItems, bytesMax: batchBytesMax })
  const nothing = { done: 0, registered: 0, changed: 0, refused: 0, replayed: 0, bytes: 0 }
  let progress: UploadProgress = nothing
  const send = async (batch: Batch, signal: AbortSignal) => ({
    batch,
    results: await upload.send(batch, signal),
  })
  const answered = mapInOrder(batches, concurrency, send, options.signal)
  for await (const { batch, results } of answered) {
    progress = advance(progress, batch, results)
    onProgress?.(progress)
    yield* results
  }
}

function advance(
  progress: UploadProgress,
  { bytes }: Batch,
  results: readonly UploadResult[],
): UploadProgress {
  const written = results.filter((result) => result.type === 'registered')
  // Results that older versions of this client have stored say no more than their type.
  const isNew = ({ outcome }: UploadedWork) => outcome !== 'changed' && outcome !== 'unchanged'
  const registered = written.filter(isNew).length
  return {
    done: progress.done + results.length,
    registered: progress.registered + registered,
    changed: progress.changed + written.length - registered,
    refused: progress.refused + results.length - written.length,
    replayed: progress.replayed + written.filter(({ replayed }) => replayed).length,
    bytes: progress.bytes + bytes,
  }
}

type Answer = BulkReply['results'][number] & Readonly<Record<string, unknown>>

/** One run of an upload. */
class Upload {
  readonly #parts: Parts
  readonly #options: UploadOptions & { readonly run: string }

  constructor(parts: Parts, options: UploadOptions & { readonly run: string }) {
    this.#parts = parts
    this.#options = options
  }

  /** The results of a batch: remembered, or made now, verified and remembered. */
  async send(batch: Batch, signal: AbortSignal): Promise<readonly UploadResult[]> {
    const { storage } = this.#parts
    const name = `arklog upload ${this.#options.run} ${batch.name}`
    const known = await storage.get(name)
    if (typeof known === 'string') return (JSON.parse(known) as UploadResult[]).map(asReplayed)
    const results = [...(await this.#register(batch, signal)), ...batch.bad.map(refusedLine)]
    results.sort((left, right) => left.index - right.index)
    const proven = await this.#verify(results, signal)
    const kept = proven.map((result) => ({ ...result, receipt: null }))
    await storage.set(name, JSON.stringify(kept))
    return proven
  }

  async #register({ works, body, name }: Batch, signal: AbortSignal): Promise<UploadResult[]> {
    if (works.length === 0) return []
    const { run, allowDuplicate, update, timeoutMs = answerMs } = this.#options
    const { transport } = this.#parts
    for (let attempt = 0; ; attempt++) {
      const { results } = await transport.send<BulkReply>({
        method: 'POST',
        path: '/v1/works/bulk',
        query: { allow_duplicate: allowDuplicate, update },
        body,
        limit: 'bulk_works',
        idempotencyKey: `${run}.${name}`,
        signal,
        timeoutMs,
      })
      const answers = results as readonly Answer[]
      const failed = answers.find(mayPassLater)
      if (failed === undefined) return works.map((work, at) => resultOf(work, answers[at]))
      if (attempt >= transport.maxRetries) throw refusalOf(failed)
      // Works that are registered by now are told again, under the name of the call.
      await transport.pause(attempt, signal)
    }
  }

  async #verify(
    results: readonly UploadResult[],
    signal: AbortSignal,
  ): Promise<readonly UploadResult[]> {
    const { receipts, verifies } = this.#parts
    const { verify = verifies, timeoutMs } = this.#options
    if (!verify) return results
    const registered = results.filter((result) => result.type === 'registered')
    const read = (name: ReceiptName, stop: AbortSignal) =>
      receipts.verified(name, { signal: stop, timeoutMs })
    const proven = new Map<number, VerifiedReceipt>()
    for await (const receipt of mapInOrder(registered, receiptsAtATime, read, signal)) {
      proven.set(registered[proven.size]?.index ?? -1, receipt)
    }
    return results.map((result) =>
      result.type === 'registered'
        ? { ...result, receipt: proven.get(result.index) ?? null }
        : result,
    )
  }
}

function asReplayed(result: UploadResult): UploadResult {
  return result.type === 'registered' ? { ...result, replayed: true } : result
}

/** Refusals that pass: the registry is busy, or an interrupted call is still at work. */
function mayPassLater({ status, error }: Answer): boolean {
  return status === 408 || status === 429 || status >= 500 || error === 'conflict'
}

function resultOf({ index, line }: WorkLine, answer: Answer | undefined): UploadResult {
  if (answer === undefined) {
    throw new UsageError('malformed_reply', `The registry gave no result for work ${index}`)
  }
  const place = { index, ...(line !== undefined && { line }) }
  if (answer.status >= 300) {
    const { status, code, message, details } = refusalOf(answer)
    return { ...place, type: 'refused', status, error: code, message, details }
  }
  return {
    ...place,
    type: 'registered',
    outcome: outcomeOf(answer),
    ark: String(answer['ark_identifier']),
    version: Number(answer['version']),
    receiptId: String(answer['receipt_id']),
    metadataHash: String(answer['metadata_hash']),
    replayed: answer['replayed'] === true,
    receipt: null,
  }
}

function outcomeOf(answer: Answer): UploadedWork['outcome'] {
  if (answer.status === 201) return 'registered'
  return answer['unchanged'] === true ? 'unchanged' : 'changed'
}

function refusalOf(answer: Answer): RefusedError {
  const { status } = answer
  return new RefusedError({ status, body: answer, requestId: undefined, retryAfterMs: undefined })
}

function refusedLine({ message, ...place }: Batch['bad'][number]): RefusedWork {
  return { ...place, type: 'refused', status: 400, error: 'bad_request', message, details: [] }
}
