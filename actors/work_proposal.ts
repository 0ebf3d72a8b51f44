import type { Committed, ProposalRefused } from '#actors/journal.ts'
import { ask, type Ref } from '#actors/kernel.ts'
import type { SequencerMessage } from '#actors/sequencer.ts'
import { type StatementSigner, signStatement } from '#actors/statement.ts'
import { workStream } from '#actors/work_events.ts'
import type { Accepted } from '#actors/work_rules.ts'
import { receiptKey } from '#actors/work_views.ts'

/** What it takes to have a change of a work committed. */
export type Proposer = {
  readonly sequencer: Ref<SequencerMessage>
  readonly signer: StatementSigner
  readonly askTimeoutMs: number
}

/**
 * A change of the work `ark`, `naan/name`, that was decided on its state as of `expectedSeq`.
 * `unique` are rows that must not exist yet.
 */
export type DecidedChange = {
  readonly ark: string
  readonly expectedSeq: number
  readonly decision: Accepted
  readonly unique: readonly string[]
}

/** Signs the statements of a change and asks the sequencer to commit it with them. */
export async function propose(
  { sequencer, signer, askTimeoutMs }: Proposer,
  { ark, expectedSeq, decision, unique }: DecidedChange,
): Promise<Committed | ProposalRefused> {
  const { change, events, statements } = decision
  const isVersion = change.kind !== 'withdrawn'
  const signed = await Promise.all(statements.map((statement) => signStatement(statement, signer)))
  const proposal = {
    stream: workStream(ark),
    expectedSeq,
    at: change.created_at,
    events,
    unique: isVersion ? [receiptKey(change.receipt_id), ...unique] : unique,
    entries: signed.map(({ entry }) => entry),
  }
  return ask(sequencer, { type: 'propose', proposal }, askTimeoutMs)
}
