import type { Owner } from '#actors/values/agent.ts'
import type { FixityStatus } from '#actors/works/port.ts'

/** What an owner is known by: `id` is an organization's slug, a ppid, or `operator`. */
export type OwnerRef = Pick<Owner, 'type' | 'id'>

/** How much an owner holds; works that were withdrawn are not counted. */
export type HoldingCounts = {
  readonly works_count: number
  /** Those whose content is not as it should be: `failed` or `unreachable`. */
  readonly failing_count: number
  /** People with a verified claim to one of all its works, or to several. */
  readonly people_count: number
}

/** A work in a list of what an owner holds. */
export type HeldWork = {
  readonly ark_identifier: string
  /** Null once the metadata was erased. */
  readonly work_title: string | null
  readonly version: number
  readonly status: 'registered' | 'withdrawn'
  readonly fixity_status: FixityStatus
  readonly created_at: string
  readonly updated_at: string
}

/** A page of such a list; `next` names the one that follows, null if none does. */
export type HeldPage<Next> = { readonly works: readonly HeldWork[]; readonly next: Next | null }

/** What owners hold: the works they have registered. */
export type Holdings = {
  counts(owner: OwnerRef): HoldingCounts
  /** Newest first, withdrawn ones too; `before` is the `next` of the page before. */
  works(
    owner: OwnerRef,
    page: { readonly before?: number; readonly limit: number },
  ): Promise<HeldPage<number>>
  /** Those that count as failing, by ARK; `after` is the `next` of the page before. */
  failing(
    owner: OwnerRef,
    page: { readonly after?: string; readonly limit: number },
  ): Promise<HeldPage<string>>
}
