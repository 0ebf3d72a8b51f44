import type { OwnerRef } from '#actors/values/agent.ts'
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

/** A page of such a list; `next` is the cursor of the one that follows, null if none does. */
export type OwnerListPage<Next> = {
  readonly works: readonly OwnerListWork[]
  readonly next: Next | null
}

/** What owners hold: the works they have registered. */
export type OwnerLists = {
  counts(owner: OwnerRef): OwnerCounts
  /** Newest first unless told, withdrawn ones too. */
  works(owner: OwnerRef, page: Page<number>): Promise<OwnerListPage<number>>
  /** Those that count as failing, by ARK; `after` is the `next` of the page before. */
  failing(
    owner: OwnerRef,
    page: { readonly after?: string; readonly limit: number },
  ): Promise<OwnerListPage<string>>
}
