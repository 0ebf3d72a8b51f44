import { decodeRow, encodeRow, type ReadRow } from '#actors/journal/rows.ts'
import { formatOwner, type OwnerRef } from '#actors/values/agent.ts'
import { foldTitle } from '#actors/values/title.ts'
import { shortHash } from '#actors/works/duplicate_index.ts'
import type { WorkState } from '#actors/works/events.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { Operation } from '#log/base/store.ts'

/** What begins the keys of the rows of works that were registered without a DOI. */
export const recentPrefix = 'recent/'

/** How long a work without a DOI stands in the way of another one like it. */
const recentMs = 24 * 3_600_000

/** The work, `naan/name`, that was registered last by its owner with its title and address. */
type RecentRow = { readonly ark: string; readonly at: string }

type Recognised = Pick<Metadata, 'existing_doi' | 'work_title' | 'work_url'>

/**
 * Key of the row that names the work that an owner has registered last with this folded title and
 * this address, as long as it is that work; undefined for a work with a DOI, by which it is known.
 */
export function recentKeyOf(ref: OwnerRef, metadata: Recognised): string | undefined {
  const { existing_doi: doi, work_title: title, work_url: url } = metadata
  if (doi !== undefined || url === undefined) return undefined
  const owner = formatOwner(ref)
  const known = recentKeys.get(metadata)
  if (known?.owner === owner) return known.key
  const key = recentPrefix + shortHash([owner, foldTitle(title), url].join('\n'))
  recentKeys.set(metadata, { owner, key })
  return key
}

// The key of a work is asked for when it is decided on, and again when its rows are made.
const recentKeys = new WeakMap<object, { readonly owner: string; readonly key: string }>()

/** The work that such a row names, if it was registered less than a day before `at`. */
export function recentWork(row: Uint8Array, at: string): string | undefined {
  const recent = decodeRow<RecentRow>(row)
  const isRecent = recent !== undefined && Date.parse(at) - Date.parse(recent.at) < recentMs
  return isRecent ? recent.ark : undefined
}

/** The row of a work that is being registered. */
export function enterRecentWorks(
  { ark, owner, created_at: at }: WorkState,
  metadata: Recognised | undefined,
): Operation[] {
  const key = metadata && recentKeyOf(owner, metadata)
  if (key === undefined) return []
  const row: RecentRow = { ark, at }
  return [{ type: 'put', key, value: encodeRow(row) }]
}

/** Takes the row of a work away that is withdrawn, or has another title, address or DOI now. */
export function leaveRecentWorks(
  { ark, owner }: WorkState,
  left: Recognised | undefined,
  entered: Recognised | undefined,
  read: ReadRow,
): Operation[] {
  const key = left && recentKeyOf(owner, left)
  if (key === undefined || (entered && recentKeyOf(owner, entered) === key)) return []
  const recent = decodeRow<RecentRow>(read(key))
  return recent?.ark === ark ? [{ type: 'del', key }] : []
}
