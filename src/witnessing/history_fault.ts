import { LogError } from '#log/errors.ts'

/** What a witness has said of its last checkpoint that cannot be, if the log is what it was. */
export type HistoryFinding = {
  readonly type: 'ahead' | 'forked'
  /** The size of the tree that the witness has signed. */
  readonly treeSize: number
}

const whatToDo =
  'Keep DATA_DIR as it is, and put the newest copy of it in its place; going on would sign a ' +
  'second history of the log, which anybody can prove. If there is no newer copy, or somebody ' +
  'else has the key of the log, begin a new log with a new key and origin. Only if it is certain ' +
  'that the witness errs, take it out of the policy (WITNESS_POLICY)'

/**
 * The fault of a log of `treeSize` entries that a witness remembers otherwise: `log_rolled_back` if
 * the witness is ahead of it, `log_inconsistent` if it has signed another history.
 */
export function historyFault(witness: string, finding: HistoryFinding, treeSize: number): LogError {
  const seen = `the witness ${witness} has cosigned a checkpoint of ${finding.treeSize} entries`
  if (finding.type === 'ahead') {
    const found = `${seen} of this log, but the store holds ${treeSize}: it is an older copy`
    return new LogError('log_rolled_back', `${found}, or has lost writes. ${whatToDo}`)
  }
  const found =
    `${seen}, signed with the key of this log, that is no beginning of the ${treeSize} entries ` +
    'in the store: the log was set back and has grown since, or has shown two histories'
  return new LogError('log_inconsistent', `${found}. ${whatToDo}`)
}
