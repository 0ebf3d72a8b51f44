import type { Committed, Proposal, ProposalRefused } from '#actors/journal/journal.ts'
import type { Reply } from '#actors/kernel/kernel.ts'

/**
 * A proposal on its way to another node: its entries as Base64, and `replaces` under the name that
 * nodes of older versions read too.
 */
export type SentProposal = Omit<Proposal, 'entries' | 'replaces'> & {
  readonly entries: readonly string[]
  readonly outlived?: string
}

/** Where the events of a committed proposal are; who has asked reads them in its own journal. */
export type SentCommitted = Omit<Committed, 'events'> & {
  readonly first: number
  readonly count: number
}

/** What became of a proposal, and how many events there were then. */
export type ProposalOutcome = {
  readonly position: number
  readonly outcome: SentCommitted | ProposalRefused
}

/** The number of a turn, and how many events there were when it was given. */
export type GivenTurn = { readonly turn: number; readonly position: number }

/** What the nodes of a registry ask the one of them that leads. */
export type LeaderMessage =
  | {
      readonly type: 'propose'
      readonly proposal: SentProposal
      readonly reply: Reply<ProposalOutcome>
    }
  /** Settles what came before a time; the answer is how many events there were then. */
  | { readonly type: 'settle'; readonly before: string; readonly reply: Reply<number> }
  /** How many events there are: all that anybody was told of are among them. */
  | { readonly type: 'tell_position'; readonly reply: Reply<number> }
  /** Waits for the turn to change a stream. */
  | { readonly type: 'take_turn'; readonly stream: string; readonly reply: Reply<GivenTurn> }
  | { readonly type: 'end_turn'; readonly stream: string; readonly turn: number }

/** A proposal as it is sent to another node. */
export function sentProposal({ replaces, ...proposal }: Proposal): SentProposal {
  const entries = proposal.entries.map((entry) => {
    return Buffer.from(entry.buffer, entry.byteOffset, entry.length).toString('base64')
  })
  return { ...proposal, entries, ...(replaces !== undefined && { outlived: replaces }) }
}

/** A proposal that another node has sent. */
export function receivedProposal({ outlived: replaces, ...proposal }: SentProposal): Proposal {
  const entries = proposal.entries.map((entry) => Buffer.from(entry, 'base64'))
  return { ...proposal, entries, ...(replaces !== undefined && { replaces }) }
}

/** What became of a proposal, as another node is told. */
export function sentOutcome(outcome: Committed | ProposalRefused): SentCommitted | ProposalRefused {
  if (outcome.type !== 'committed') return outcome
  const { events, ...committed } = outcome
  return { ...committed, first: events[0]?.position ?? 0, count: events.length }
}
