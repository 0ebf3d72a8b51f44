import type { Committed, ProposalRefused } from '#actors/journal/journal.ts'
import { ask, type Ref } from '#actors/kernel/kernel.ts'
import type { SequencerMessage } from '#actors/journal/sequencer.ts'
import { signStatement, type Statement, type StatementSigner } from '#actors/receipts/statement.ts'
import { type WorkEvent, workStream } from '#actors/works/events.ts'
import { receiptKey } from '#actors/works/views.ts'
import type { ProposalOrder } from '#actors/journal/proposal_order.ts'

/** What it takes to have a change of a work committed. */
export type Proposer = {
  readonly sequencer: Ref<SequencerMessage>
  readonly signer: StatementSigner
  readonly order: ProposalOrder
  readonly askTimeoutMs: number
}

/**
 * A change of the work `ark`, `naan/name`, that was decided on its state as of `expectedSeq`.
 * `unique` are rows that must not exist yet; the receipts of new versions are among them anyway.
 */
export type DecidedChange = {
  readonly ark: string
  readonly expectedSeq: number
  readonly at: string
  readonly decision: SignableDecision
  readonly unique: readonly string[]
}

/** What was decided: the events to commit, and the statements to sign and log with them. */
export type SignableDecision = {
  readonly events: readonly WorkEvent[]
  readonly statements: readonly Statement[]
}

/** Signs the statements of a change and asks the sequencer to commit it with them. */
export async function propose(
  { sequencer, signer, order, askTimeoutMs }: Proposer,
  { ark, expectedSeq, at, decision, unique }: DecidedChange,
): Promise<Committed | ProposalRefused> {
  const { events, statements } = decision
  const signing = statements.map((statement) => signStatement(statement, signer))
  const signed = await order.follow(Promise.all(signing))
  const proposal = {
    stream: workStream(ark),
    expectedSeq,
    at,
    events,
    unique: [...events.flatMap(receiptOf), ...unique],
    entries: signed.map(({ entry }) => entry),
  }
  return ask(sequencer, { type: 'propose', proposal }, askTimeoutMs)
}

function receiptOf(event: WorkEvent): string[] {
  const isVersion = event.type === 'WorkRegistered' || event.type === 'WorkVersioned'
  return isVersion ? [receiptKey(event.data.receipt_id)] : []
}
