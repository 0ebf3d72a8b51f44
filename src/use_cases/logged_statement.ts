import { parseEntry, type SignedStatement } from '#actors/receipts/statement.ts'
import { assert } from '#log/base/errors.ts'
import type { LogReader } from '#log/store/log_reader.ts'

/** An entry of a registry's log: its bytes, and what they say. */
export type LoggedStatement = SignedStatement & {
  readonly leafIndex: number
  readonly entry: Uint8Array
}

/** Reads the statement at a leaf. Errors: LogError `out_of_range` beyond the newest head. */
export function readLogged(log: LogReader, leafIndex: number): LoggedStatement {
  return logged(leafIndex, log.entry(leafIndex))
}

/** Reads the statements from one leaf index up to, not including, another. Errors as above. */
export async function readLoggedRange(
  log: LogReader,
  from: number,
  to: number,
): Promise<LoggedStatement[]> {
  const entries = await Array.fromAsync(log.entries(from, to))
  return entries.map((entry, place) => logged(from + place, entry))
}

function logged(leafIndex: number, entry: Uint8Array): LoggedStatement {
  const parsed = parseEntry(entry)
  assert(!('type' in parsed), 'the log has entries of its own making only')
  return { leafIndex, entry, ...parsed }
}
