import { JournalError } from '#actors/journal/journal.ts'
import { LogError } from '#log/tlog/errors.ts'
import { ClusterError } from '#src/cluster/cluster_error.ts'

/** How long requests in flight may still get their answer before the process ends. */
const lastWordsMs = 2_000

/**
 * What a single writer calls when the outcome of a write is unknown, or the log is not the one that
 * others have seen: says so, closes, and ends the process with code 1. The next start reads what
 * was kept; going on could sign two histories. What else fails meanwhile says nothing more.
 */
export function exitOnUncertainWrite(close: () => Promise<void>): (error: unknown) => void {
  return exitOnce(close, (error) => (isHistoryFault(error) ? '' : whyItEnds))
}

/** Says what went wrong, closes, and ends the process with code 1, for what cannot go on. */
export function exitOnFault(close: () => Promise<void>): (error: unknown) => void {
  return exitOnce(close, () => '')
}

const whyItEnds =
  'arklog: the process ends, because only a new start can find out whether the write was stored. ' +
  'Nothing that was acknowledged is lost.\n'

function exitOnce(
  close: () => Promise<void>,
  explain: (error: unknown) => string,
): (error: unknown) => void {
  let isEnding = false
  return (error) => {
    if (isEnding) return
    isEnding = true
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`arklog: ${message}\n${explain(error)}`)
    const end = () => process.exit(1)
    setTimeout(end, lastWordsMs)
    // A start that is not over has nothing to close yet, and throws when it is asked to.
    Promise.try(close).then(end, end)
  }
}

/** Whether an error says itself what to do: a new start would find the same. */
function isHistoryFault(error: unknown): boolean {
  if (error instanceof JournalError || error instanceof ClusterError) return true
  if (!(error instanceof LogError)) return false
  return error.code === 'log_rolled_back' || error.code === 'log_inconsistent'
}
