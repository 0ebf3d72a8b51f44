import { openCheckpoint } from '#log/tlog/checkpoint.ts'
import { LogError } from '#log/base/errors.ts'
import type { LogReader } from '#log/store/log_reader.ts'
import type { Verifier } from '#log/tlog/note.ts'
import { equalBytes } from '#log/tlog/proof.ts'

/** How a checkpoint that the log's own key has signed contradicts the log. */
export type Contradiction = {
  /** It is larger than the log; or of another root than the log had at that size. */
  readonly type: 'ahead' | 'forked'
  /** The size of its tree. */
  readonly treeSize: number
}

/** How a note contradicts a log; `none` if it does not, with what it is in place of that. */
type Verdict = Contradiction | { readonly type: 'none'; readonly found: string }

/**
 * Judges a note that is said to contradict a log. It does if the log's own key, that of `verifier`,
 * has signed it: nobody else can make such a note.
 */
export function judgeNote(log: LogReader, note: string, verifier: Verifier): Verdict {
  try {
    const { treeSize, rootHash } = openCheckpoint(note, verifier.keyName, [verifier])
    if (treeSize > log.head().treeSize) return { type: 'ahead', treeSize }
    if (!equalBytes(log.rootAt(treeSize), rootHash)) return { type: 'forked', treeSize }
    return { type: 'none', found: `a checkpoint of ${treeSize} entries that this log has signed` }
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    const found = `no checkpoint that the key of this log has signed (${error.message})`
    return { type: 'none', found }
  }
}

/** Where a checkpoint that contradicts a log was found. */
export type Evidence = {
  /** Such as `the witness w1 shows`. */
  readonly source: string
  /** The file in which it is kept. */
  readonly file: string
}

/**
 * The fault of a log of `treeSize` entries that a checkpoint of its own key contradicts:
 * `log_rolled_back` if that is larger, `log_inconsistent` if it is of another history.
 */
export function historyFault(
  { type, treeSize: shown }: Contradiction,
  treeSize: number,
  { source, file }: Evidence,
): LogError {
  const seen = `${source} a checkpoint of ${shown} entries, signed with the key of this log`
  const whatToDo =
    `That checkpoint is kept in ${file}. Do not go on with this data: it would sign a second ` +
    'history of the log, which anybody can prove. Keep DATA_DIR as it is, and put the newest ' +
    'copy of it in its place. If there is no newer copy, or somebody else has the key of the ' +
    'log, begin a new log with a new key and origin, in another DATA_DIR'
  if (type === 'ahead') {
    const found = `but the store holds ${treeSize}: it is an older copy, or has lost writes`
    return new LogError('log_rolled_back', `${seen}, ${found}. ${whatToDo}`)
  }
  const found =
    `that is no beginning of the ${treeSize} entries in the store: the log was set back and has ` +
    'grown since, or has shown two histories'
  return new LogError('log_inconsistent', `${seen}, ${found}. ${whatToDo}`)
}
