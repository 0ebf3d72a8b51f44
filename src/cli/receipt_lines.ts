import { readLines } from '#src/cli/line_reader.ts'
import { HttpError } from '#src/errors.ts'
import { parseStrictJson } from '#src/edge/json_body.ts'

/** One receipt of a file: parsed, or undefined if it is not strict JSON. `line` counts from 1. */
export type ReceiptLine = { readonly line: number; readonly value: unknown }

// A receipt has a few kilobytes; its checkpoint may carry many cosignatures.
const receiptBytesMax = 1_048_576

/**
 * The receipts of a stream: JSON lines with one receipt each or, if the first line is not JSON by
 * itself, one receipt spread over all lines.
 */
export async function* readReceipts(chunks: AsyncIterable<Buffer>): AsyncGenerator<ReceiptLine> {
  const spread: Buffer[] = []
  let first = true
  for await (const lines of readLines(chunks, receiptBytesMax)) {
    for (const { number, bytes = Buffer.of() } of lines) {
      if (spread.length > 0 || (first && !isJson(bytes))) spread.push(bytes)
      else yield { line: number, value: readJson(bytes) }
      first = false
    }
    if (spread.reduce((sum, part) => sum + part.length, 0) > receiptBytesMax) break
  }
  if (spread.length > 0) yield { line: 1, value: readJson(Buffer.concat(spread)) }
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString('utf8'))
    return true
  } catch {
    return false
  }
}

// Strict, so that the receipt proven here is the receipt that any other program reads.
function readJson(bytes: Buffer): unknown {
  try {
    return parseStrictJson(bytes)
  } catch (error) {
    if (error instanceof HttpError) return undefined
    throw error
  }
}
