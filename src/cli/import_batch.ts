import type { Line } from '#src/cli/line_reader.ts'

/** Bytes of one line, at most: the largest body the interface takes for one work. */
export const lineBytesMax = 1_048_576

/** Lines of one call, and their bytes at which a call is made with fewer. */
const batchLinesMax = 500
const batchBytesWanted = 2 * 1_048_576

/**
 * A line that is JSON by itself, so that it can be passed on as it stands. `line` is where it
 * stands in its file, if `number` counts something else.
 */
export type WorkLine = { readonly number: number; readonly line?: number; readonly bytes: Buffer }

/** A line that was not registered. `status` and `error` are those of the interface. */
export type ImportFailure = {
  readonly line: number
  readonly status: number
  readonly error: string
  readonly message: string
}

/** Neighbouring lines that go in one call, and those of them that cannot go at all. */
export type Batch = {
  readonly works: readonly WorkLine[]
  readonly failures: readonly ImportFailure[]
  /** Number of the last line the batch answers for. */
  readonly lastLine: number
}

/** Gathers lines after `linesDone` into batches. */
export async function* readBatches(
  groups: AsyncIterable<readonly Line[]>,
  linesDone: number,
): AsyncGenerator<Batch> {
  let draft = new BatchDraft()
  for await (const lines of groups) {
    for (const line of lines) {
      if (line.number <= linesDone) continue
      draft.add(line)
      if (!draft.full) continue
      yield draft.finish()
      draft = new BatchDraft()
    }
  }
  if (!draft.empty) yield draft.finish()
}

class BatchDraft {
  readonly #works: WorkLine[] = []
  readonly #failures: ImportFailure[] = []
  #bytes = 0
  #lastLine = 0

  get full(): boolean {
    return this.#works.length >= batchLinesMax || this.#bytes >= batchBytesWanted
  }

  get empty(): boolean {
    return this.#lastLine === 0
  }

  add({ number, bytes }: Line): void {
    this.#lastLine = number
    if (bytes === undefined) this.#failures.push(tooLong(number))
    else if (!isJson(bytes)) this.#failures.push(notJson(number))
    else {
      this.#works.push({ number, bytes })
      this.#bytes += bytes.length
    }
  }

  finish(): Batch {
    return { works: this.#works, failures: this.#failures, lastLine: this.#lastLine }
  }
}

/** Two lines that are no JSON could make JSON together, so each is looked at by itself. */
function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString())
    return true
  } catch {
    return false
  }
}

function tooLong(line: number): ImportFailure {
  const message = `The line has more than ${lineBytesMax} bytes.`
  return { line, status: 413, error: 'payload_too_large', message }
}

function notJson(line: number): ImportFailure {
  return { line, status: 400, error: 'bad_request', message: 'The line is not one JSON value.' }
}
