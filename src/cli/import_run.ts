import { setTimeout as sleep } from 'node:timers/promises'
import { type AdminClient, AdminError } from '#src/cli/admin_client.ts'
import type { Batch, ImportFailure, WorkLine } from '#src/cli/import_batch.ts'
import type { ImportProgress } from '#src/cli/import_progress.ts'
import type { ImportResult } from '#src/admin/command_table.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

/** Calls under way at one time: enough that the next pool is full when a commit returns. */
const callsMax = 4

/** How often, and after how long, a call is made again while the registry is overloaded. */
const overloadRetriesMax = 60
const overloadPauseMs = 500

/** Failures that are kept for the report; further ones are only counted. */
const failuresKeptMax = 10_000

export type ImportRunOptions = {
  readonly client: AdminClient
  readonly owner: string
  readonly environment: 'live' | 'sandbox'
  readonly allowDuplicate: boolean
  /** How far earlier runs came. */
  readonly earlier: ImportProgress
}

type AnsweredBatch = {
  readonly lastLine: number
  readonly registered: number
  readonly failed: number
}

/** One run of an import. It owns the counts and which batches are answered. */
export class ImportRun {
  readonly #options: ImportRunOptions
  readonly #failures: ImportFailure[] = []
  /** Answered batches that wait for an earlier one, by their number. */
  readonly #answered = new Map<number, AnsweredBatch>()
  #nextToSettle = 0
  #progress: ImportProgress

  constructor(options: ImportRunOptions) {
    this.#options = options
    this.#progress = options.earlier
  }

  /** How far the import has come: all lines up to one, so that it can go on after it. */
  get progress(): ImportProgress {
    return this.#progress
  }

  /** Failures of this run in the order of their lines. */
  get failures(): readonly ImportFailure[] {
    return this.#failures.toSorted((a, b) => a.line - b.line)
  }

  /** Sends all batches; throws the first fault once the calls under way have ended. */
  async send(batches: AsyncGenerator<Batch>): Promise<void> {
    let number = 0
    let stopped = false
    const sender = async (): Promise<void> => {
      while (!stopped) {
        const next = await batches.next()
        if (next.done === true) return
        await this.#answer(number++, next.value)
      }
    }
    const senders = Array.from({ length: callsMax }, () =>
      sender().catch((error: unknown) => {
        stopped = true
        throw error
      }),
    )
    const failed = (await Promise.allSettled(senders)).find((end) => end.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    this.#progress = { ...this.#progress, complete: true }
  }

  async #answer(number: number, { works, failures: refused, lastLine }: Batch): Promise<void> {
    const failures = [...refused, ...(await this.#register(works))]
    this.#failures.push(...failures.slice(0, failuresKeptMax - this.#failures.length))
    const registered = works.length + refused.length - failures.length
    this.#answered.set(number, { lastLine, registered, failed: failures.length })
    this.#settle()
  }

  /** Counts the answered batches up to the first that is still waited for. */
  #settle(): void {
    for (;;) {
      const batch = this.#answered.get(this.#nextToSettle)
      if (batch === undefined) return
      this.#answered.delete(this.#nextToSettle++)
      const { registered, failed } = this.#progress
      this.#progress = {
        ...this.#progress,
        lines_done: batch.lastLine,
        registered: registered + batch.registered,
        failed: failed + batch.failed,
      }
    }
  }

  /**
   * Registers works; gives those that failed. A call that is refused as a whole, because one line
   * is not the strict JSON of the interface, is made again in halves until that line is alone.
   */
  async #register(works: readonly WorkLine[]): Promise<ImportFailure[]> {
    if (works.length === 0) return []
    try {
      const results = await this.#callPatiently(works)
      return works.flatMap((work, index) => failureOf(work, results[index]))
    } catch (error) {
      if (!(error instanceof AdminError) || error.code !== 'bad_request') throw error
      const [work] = works
      if (works.length === 1 && work !== undefined) {
        const { status, code, message } = error
        return [{ line: work.line ?? work.number, status, error: code, message }]
      }
      const middle = works.length >> 1
      const first = await this.#register(works.slice(0, middle))
      return [...first, ...(await this.#register(works.slice(middle)))]
    }
  }

  async #callPatiently(works: readonly WorkLine[]): Promise<readonly ImportResult[]> {
    const body = this.#body(works)
    for (let retries = 0; ; retries++) {
      try {
        const { results } = await this.#options.client.callWithBytes('/works/import', body)
        if (retries >= overloadRetriesMax || !results.some(mayPassLater)) return results
      } catch (error) {
        const overloaded = error instanceof AdminError && error.status === 503
        if (!overloaded || retries >= overloadRetriesMax) throw error
      }
      await sleep(overloadPauseMs)
    }
  }

  /** The JSON of a call. The lines are passed on as they stand: that is half of its speed. */
  #body(works: readonly WorkLine[]): Buffer {
    const { owner, environment, allowDuplicate: allow_duplicate } = this.#options
    const { run } = this.#progress
    const idempotency_keys = works.map(({ number }) => `import-${run}-${number}`)
    const head = JSON.stringify({
      owner,
      environment,
      allow_duplicate,
      idempotency_keys,
      batch: run,
    })
    const parts: Buffer[] = [Buffer.from(`${head.slice(0, -1)},"works":[`)]
    for (const { bytes } of works) parts.push(bytes, comma)
    parts[parts.length - 1] = Buffer.from(']}')
    return Buffer.concat(parts)
  }
}

const comma = Buffer.from(',')

/** Refusals that pass: the registry is busy, or an interrupted run's call is still at work. */
function mayPassLater({ status, error }: ImportResult & { readonly error?: unknown }): boolean {
  return status === 503 || error === 'conflict'
}

/** What failed of a line; a fault of the registry ends the import, which can go on later. */
function failureOf(
  { number, line = number }: WorkLine,
  result: ImportResult | undefined,
): ImportFailure[] {
  if (result === undefined) throw noAnswer(line)
  const { status, error, message, details } = result as ImportResult & Partial<ErrorBody>
  if (status < 300) return []
  const body: ErrorBody = { error: String(error), message: String(message), details: details ?? [] }
  if (status >= 500) throw new AdminError(status, body)
  const faults = body.details.map((fault) => fault.message).join('; ')
  // The message says the first of the faults, and these are all.
  return [{ line, status, error: body.error, message: faults || body.message }]
}

type ErrorBody = {
  readonly error: string
  readonly message: string
  readonly details: readonly FieldFault[]
}

function noAnswer(line: number): AdminError {
  const message = `The registry gave no answer for line ${line}.`
  return new AdminError(500, { error: 'internal_error', message })
}
