import { readLines } from '#src/cli/line_reader.ts'

/** One receipt of a file: parsed JSON, or undefined if it is not JSON. `line` counts from 1. */
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
      const value = spread.length === 0 ? parseJson(bytes) : undefined
      if (value === undefined && (first || spread.length > 0)) spread.push(bytes)
      else yield { line: number, value }
      first = false
    }
    if (spread.reduce((sum, part) => sum + part.length, 0) > receiptBytesMax) break
  }
  if (spread.length > 0) yield { line: 1, value: parseJson(Buffer.concat(spread)) }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}
