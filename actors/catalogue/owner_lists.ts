import type { HistoryPage, HistoryQuery } from '#actors/catalogue/owner_history.ts'
import type { OwnerRef } from '#actors/values/agent.ts'
import type { ContentState, OwnerBreakdown } from '#actors/works/breakdown.ts'
import type { FailingRow } from '#actors/works/failing.ts'
import type { OwnerCounts } from '#actors/works/views.ts'
import type { Page } from '#actors/values/page.ts'
import type { FixityStatus } from '#actors/receipts/receipt.ts'

/** A work in a list of what an owner holds. */
export type OwnerListWork = {
  readonly ark_identifier: string
  /** Null once the metadata was erased. */
  readonly work_title: string | null
  readonly version: number
  readonly status: 'registered' | 'withdrawn'
  readonly fixity_status: FixityStatus
  readonly created_at: string
  readonly updated_at: string
}

/** The same, with what its owner is told beside it; the type is null once it was erased. */
export type HeldWork = OwnerListWork & {
  readonly work_type: string | null
  readonly standing: ContentState
}

/** A page of such a list; `next` is the cursor of the one that follows, null if none does. */
export type OwnerListPage<Next> = {
  readonly works: readonly OwnerListWork[]
  readonly next: Next | null
}

/** Why content is not as it should be: what is known of it, the word for it, its host's tag. */
export type FailureCause = Pick<FailingRow, 'standing' | 'reason' | 'host'>

/** How many works fail for each cause. `isWhole`: all that fail were looked at. */
export type FailureCauses = {
  readonly causes: readonly (FailureCause & {
    readonly count: number
    /** The name of the host, and what a check of one of the works said, for people. */
    readonly hostName: string
    readonly message: string | null
  })[]
  readonly isWhole: boolean
}

/** A work whose content is not as it should be, with the cause and since when. */
export type FailingWork = OwnerListWork &
  Pick<FailingRow, 'standing' | 'since'> & {
    readonly hostName: string
    readonly message: string | null
  }

/** Works of one owner that fail and are looked at, to tell the causes or to find those of one. */
export const failuresReadMax = 5_000

/** Causes that are told, those of most works. */
export const causesMax = 100

/** What owners hold: the works they have registered. */
export type OwnerLists = {
  counts(owner: OwnerRef): OwnerCounts
  /** Those that stand by what is known of their content and by type, and how many do not. */
  breakdown(owner: OwnerRef): OwnerBreakdown
  /** How many works it registered in each of these months, `YYYY-MM` of UTC, withdrawn ones too. */
  registered(owner: OwnerRef, months: readonly string[]): readonly number[]
  /** One of its works, `naan/name`; undefined for that of another, and for one that is damaged. */
  work(owner: OwnerRef, ark: string): HeldWork | undefined
  /** Newest first unless told, withdrawn ones too. */
  works(owner: OwnerRef, page: Page<number>): Promise<OwnerListPage<number>>
  /** Those that were withdrawn, the last one first unless told. */
  withdrawn(owner: OwnerRef, page: Page<number>): Promise<OwnerListPage<number>>
  /**
   * Those that count as failing, by ARK, for one cause if it is given; `after` is the `next` of the
   * page before. A page of one cause looks at `failuresReadMax` works at most: it may have fewer
   * than `limit`, or none, and still a `next`.
   */
  failing(
    owner: OwnerRef,
    page: { readonly after?: string; readonly limit: number; readonly cause?: FailureCause },
  ): Promise<OwnerListPage<string>>
  /** The causes why works of an owner fail, the one of most works first. */
  failureCauses(owner: OwnerRef): Promise<FailureCauses>
  /** Those that began to fail last, the newest first. */
  newestFailures(owner: OwnerRef, limit: number): Promise<readonly FailingWork[]>
  /** What happened to its works, to the claims on them and to an organization itself. */
  history(owner: OwnerRef, query: HistoryQuery): Promise<HistoryPage>
}
