import type { MemberOptions } from '#actors/journal/member.ts'
import { ownJournal } from '#actors/journal/sequencer.ts'
import { Sequencer } from '#actors/journal/sequencer.ts'
import { type SharedRegistry, SharedSequencer } from '#actors/journal/shared_sequencer.ts'
import { assert } from '#log/base/errors.ts'

/** What whoever orders the changes of a registry is made from; `vkey` is that of its log. */
export type SequencingOptions = Omit<
  MemberOptions,
  'log' | 'shared' | 'holdsLead' | 'stopped' | 'appended'
> & {
  readonly vkey: string
  readonly shared: SharedRegistry | undefined
  readonly askTimeoutMs: number
}

/** Batches that became certain by this process, and how long that took together. */
export type CommitCounts = { readonly count: number; readonly ms: number }

/** Whoever orders the changes of a registry: the one who does, or a node's part in that. */
export type Sequencing = { readonly commits: CommitCounts } & (
  | { readonly sequencer: Sequencer; readonly part: undefined }
  | { readonly sequencer: SharedSequencer; readonly part: SharedSequencer }
)

/** Makes what orders the changes of a registry, and counts its commits from then on. */
export function makeSequencing(options: SequencingOptions): Sequencing {
  const { shared, vkey, store } = options
  const commits = { count: 0, ms: 0 }
  const appended = (tookMs: number) => {
    commits.count += 1
    commits.ms += tookMs
  }
  const counted = { ...options, appended }
  if (shared !== undefined) {
    const sequencer = new SharedSequencer({ ...counted, ...shared, log: vkey })
    return { sequencer, part: sequencer, commits }
  }
  const superseded = () => assert(false, 'nobody else writes the store')
  const sequencer = new Sequencer({ ...counted, journal: ownJournal(store), superseded })
  return { sequencer, part: undefined, commits }
}
