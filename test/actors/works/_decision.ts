import type { WorkState } from '#actors/works/events.ts'
import {
  decide as decideBy,
  type Decision,
  type DecisionFacts,
  type WorkCommand,
} from '#actors/works/rules.ts'

type Facts = Pick<DecisionFacts, 'at'> & Partial<DecisionFacts>

// Distributes over the union, so that each kind of command keeps its own members.
type With<C extends WorkCommand> = C extends { readonly type: 'register' }
  ? Omit<C, 'warnings' | 'allowDuplicate' | 'allowRepeat'> & Facts
  : C & Facts

/** A command with what it is decided by; a test says of these what matters to it. */
export type Asked = With<WorkCommand>

/** Decides a command on a work, as `rules.ts` does. */
export function decide(
  state: WorkState | undefined,
  { at, ark = '12345/x6np1wh8k', receiptSuffix = 'bcdfghjkmnpq', current, ...asked }: Asked,
): Decision {
  const told = { warnings: [], allowDuplicate: false, allowRepeat: false }
  const command = { ...told, ...asked } as WorkCommand
  return decideBy(state, command, { at, ark, receiptSuffix, current })
}
