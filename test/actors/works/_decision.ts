import { SerializedValue } from '#actors/kernel/remote.ts'
import { digestOf } from '#actors/works/receipts/statement.ts'
import type { WorkState } from '#actors/works/events.ts'
import {
  decide as decideBy,
  type Decision,
  type DecisionFacts,
  type WorkCommand,
} from '#actors/works/rules.ts'

type Facts = Pick<DecisionFacts, 'at'> &
  Partial<DecisionFacts> & { readonly current?: Metadata | undefined }
type Metadata = NonNullable<Parameters<typeof decideBy>[3]>

// Distributes over the union, so that each kind of command keeps its own members.
type With<C extends WorkCommand> = C extends { readonly type: 'register' }
  ? Pick<C, 'type' | 'dated' | 'by' | 'idempotency'> & { readonly metadata: Metadata } & Facts
  : C & Facts

/** A command with what it is decided by; a test says of these what matters to it. */
export type Asked = With<WorkCommand>

/** Decides a command on a work, as `rules.ts` does. */
export function decide(
  state: WorkState | undefined,
  { at, ark = '12345/x6np1wh8k', receiptSuffix = 'bcdfghjkmnpq', current, ...asked }: Asked,
): Decision {
  if (asked.type !== 'register') {
    return decideBy(state, asked, { at, ark, receiptSuffix }, current)
  }
  const { metadata, ...command } = asked
  const { text, hash: metadataHash } = digestOf(metadata)
  const sent = { serialized: new SerializedValue(text, metadata), metadataHash }
  const told = { warnings: [], allowDuplicate: false, allowRepeat: false, ...sent }
  return decideBy(state, { ...told, ...command }, { at, ark, receiptSuffix })
}
