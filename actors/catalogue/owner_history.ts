import type { ClaimStatus, ClaimStep } from '#actors/people/events.ts'
import type { OrganizationChange } from '#actors/organizations/port.ts'
import type { Actor, Agent } from '#actors/values/agent.ts'
import type { ErasureReason, WithdrawalReason } from '#actors/works/port.ts'

/** What happened in an owner's history; `organization` is to its description and its members. */
export const historyKinds = [
  'registration',
  'version',
  'withdrawal',
  'claim',
  'organization',
] as const

export type HistoryKind = (typeof historyKinds)[number]

/** Where an entry stands in the journal, when it came, and who did it. */
type EntryFacts = { readonly position: number; readonly at: string; readonly by: Agent }

/** Works that one entry of a history names. */
export const namedWorksMax = 10

/**
 * Works that were registered one after another by the same caller: in one import or bulk request,
 * which `batch` names, or else within a minute of each other. `works` are the newest
 * `namedWorksMax` of them, `naan/name`; `since` and `position` are those of the oldest one. Where a
 * page ends among them, `goesOn` says that older ones may be on the next page, and there
 * `began` that newer ones are on the page before: `count` is of one page.
 */
export type RegistrationEntry = EntryFacts & {
  readonly kind: 'registration'
  readonly works: readonly string[]
  readonly count: number
  readonly since: string
  readonly batch?: string
  readonly goesOn?: true
  readonly began?: true
}

export type HistoryEntry =
  | RegistrationEntry
  | (EntryFacts & {
      readonly kind: 'version'
      readonly ark: string
      readonly version: number
      readonly changed_fields: readonly string[]
      readonly note?: string
    })
  | (EntryFacts & {
      readonly kind: 'withdrawal'
      readonly ark: string
      /** `erased`: its metadata was; `lost`: nobody withdrew it. */
      readonly end: 'withdrawn' | 'erased' | 'lost'
      readonly reason: WithdrawalReason | ErasureReason | 'data_lost'
    })
  | (EntryFacts & {
      readonly kind: 'claim'
      readonly ark: string
      /** Who is said to be an author. */
      readonly ppid: string
      readonly step: ClaimStep | 'review' | 'make'
      readonly status: ClaimStatus
    })
  | (EntryFacts & { readonly kind: 'organization'; readonly change: OrganizationChange })

/** Which part of a history is asked for, newest first. */
export type HistoryQuery = {
  readonly kinds: readonly HistoryKind[]
  readonly by?: Actor
  /** Times in milliseconds since 1970; `until` is the first that does not belong to it. */
  readonly fromMs?: number
  readonly untilMs?: number
  /** The journal position that all must come before. */
  readonly before?: number
  readonly limit: number
}

/**
 * A page of a history. It looks at `historyRowsMax` events at most, so it may have fewer entries
 * than `limit`, or none, and still a `next`: all that follows came before this position, and not
 * after `reachedAt`.
 */
export type HistoryPage = {
  readonly entries: readonly HistoryEntry[]
  readonly next: { readonly before: number; readonly reachedAt: string } | null
}

/** Events that a page of a history looks at. */
export const historyRowsMax = 2_000
