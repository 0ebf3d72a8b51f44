import { CodedError } from '#log/errors.ts'

/**
 * What a monitor raises an alarm for.
 * `bad_checkpoint`: not a checkpoint of this log signed by its key.
 * `rollback`: a signed head smaller than one seen before.
 * `fork`: two signed heads that no append-only log can have.
 * `bad_tile`: tiles that do not hash to the signed head. `bad_entries`: entries that do not hash to
 * the tiles. `bad_reply`: the log denies, or answers with nonsense, what its head commits it to.
 * `bad_rotation`: a receipt key that the one before it has not announced.
 * `stale`: no newer head for too long.
 */
export type AlarmKind =
  | 'bad_checkpoint'
  | 'rollback'
  | 'fork'
  | 'bad_tile'
  | 'bad_entries'
  | 'bad_reply'
  | 'bad_rotation'
  | 'stale'

/** The log misbehaved, and its replies prove it. */
export class LogAlarm extends CodedError<AlarmKind> {
  override readonly name: string = 'LogAlarm'
}
