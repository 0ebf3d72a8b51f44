import { CodedError } from '#log/base/errors.ts'

/** What is read as a copy of a registry is none, or not a whole one. */
export class SnapshotError extends CodedError<'snapshot_malformed'> {
  override readonly name: string = 'SnapshotError'
}

/** A copy that no registry makes, or that was cut off or changed on its way. */
export function malformed(why: string): SnapshotError {
  return new SnapshotError('snapshot_malformed', `The copy cannot be used: ${why}.`)
}
