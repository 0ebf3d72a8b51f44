import { formatTimestamp } from '#actors/values/clock.ts'
import type { LogReader } from '#log/store/log_reader.ts'
import { describeQuorum, parsePolicy } from '#log/tlog/policy.ts'

/** Who witnesses a log, and what each has signed last. Times are ISO, by the witness' own clock. */
export type LogWitnesses = {
  /** Who must sign, as C2SP tlog-policy; null if the log has no witnesses. */
  readonly policy: string | null
  /** The same in words, such as `2 of (one, two, three)`. */
  readonly quorum: string | null
  readonly tree_size: number
  /** The newest checkpoint that has its quorum. */
  readonly witnessed: { readonly tree_size: number; readonly checkpoint: string } | null
  readonly witnesses: {
    readonly name: string
    readonly vkey: string
    readonly tree_size: number | null
    readonly signed_at: string | null
  }[]
}

// The last second that a date can be of (ECMA-262, time values).
const secondsMax = 8_640_000_000_000

/** Describes the witnesses of a log. */
export function describeWitnesses(reader: LogReader): LogWitnesses {
  const { policy: text, witnessed, witnesses } = reader.cosigned()
  const policy = text === '' ? undefined : parsePolicy(text)
  const named = policy?.witnesses ?? []
  return {
    policy: text === '' ? null : text,
    quorum: policy === undefined ? null : describeQuorum(policy),
    tree_size: reader.head().treeSize,
    witnessed: witnessed
      ? { tree_size: witnessed.treeSize, checkpoint: witnessed.checkpoint }
      : null,
    witnesses: named.map(({ name, vkey }) => {
      const mark = witnesses.find((one) => one.vkey === vkey)
      return {
        name,
        vkey,
        tree_size: mark?.treeSize ?? null,
        // An older release has kept times of any witness, also those beyond our calendar.
        signed_at:
          mark === undefined || mark.timestamp > secondsMax
            ? null
            : formatTimestamp(mark.timestamp * 1_000),
      }
    }),
  }
}
