import { formatTimestamp } from '#actors/values/clock.ts'
import type { LogReader } from '#log/log_reader.ts'
import { describeQuorum, parsePolicy } from '#log/policy.ts'

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
        signed_at: mark === undefined ? null : formatTimestamp(mark.timestamp * 1_000),
      }
    }),
  }
}
