import type { MemberOptions } from '#actors/journal/member.ts'
import { ownJournal } from '#actors/journal/port.ts'
import { Sequencer } from '#actors/journal/sequencer.ts'
import { type SharedRegistry, SharedSequencer } from '#actors/journal/shared_sequencer.ts'
import { assert } from '#log/errors.ts'

/** What whoever orders the changes of a registry is made from; `vkey` is that of its log. */
export type SequencingOptions = Omit<MemberOptions, 'log' | 'shared' | 'halted'> & {
  readonly vkey: string
  readonly shared: SharedRegistry | undefined
  readonly askTimeoutMs: number
}

/** Whoever orders the changes of a registry: the one who does, or a node's part in that. */
export type Sequencing =
  | { readonly sequencer: Sequencer; readonly part: undefined }
  | { readonly sequencer: SharedSequencer; readonly part: SharedSequencer }

/** Makes what orders the changes of a registry. */
export function makeSequencing(options: SequencingOptions): Sequencing {
  const { shared, vkey, store } = options
  if (shared !== undefined) {
    const sequencer = new SharedSequencer({ ...options, ...shared, log: vkey })
    return { sequencer, part: sequencer }
  }
  const outrun = () => assert(false, 'nobody else writes the store')
  const sequencer = new Sequencer({ ...options, journal: ownJournal(store), outrun })
  return { sequencer, part: undefined }
}
