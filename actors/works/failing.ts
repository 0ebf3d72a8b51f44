import type { JournalEvent } from '#actors/journal/journal.ts'
import { decodeRow, encodeRow, positionPart, present, type ReadRow } from '#actors/journal/rows.ts'
import { formatOwner, type OwnerRef } from '#actors/values/agent.ts'
import { type ContentState, contentState } from '#actors/works/breakdown.ts'
import { contentUrl, hostTag } from '#actors/works/content.ts'
import { metadataAt, type WorkEvent, type WorkState } from '#actors/works/events.ts'
import type { Operation } from '#log/base/store.ts'

/**
 * Why the content of a work is not as it should be, and since when. `host` is the tag of where it
 * should be (`hostTag`): what is left of the row must not tell where erased content was.
 */
export type FailingRow = {
  /** The journal position and the time of the check that found it first. */
  readonly position: number
  readonly since: string
  readonly standing: Exclude<ContentState, 'verified' | 'pending'>
  /** A word for programs, such as `http_status`. */
  readonly reason: string
  readonly host: string
}

/** What begins the keys that name an owner's works whose content is not as it should be, by ARK. */
export function failingPrefix(owner: OwnerRef): string {
  return `failing/${formatOwner(owner)}/`
}

/** What begins the keys that name the same works by the position of the check that found it. */
export function failedPrefix(owner: OwnerRef): string {
  return `failed/${formatOwner(owner)}/`
}

/** Whether the content of a work that stands is not as it should be. */
export function fails({ status, fixity_status: fixity }: WorkState): boolean {
  return status === 'registered' && (fixity === 'failed' || fixity === 'unreachable')
}

/** What a row of `failingPrefix` says. */
export function decodeFailing(row: Uint8Array): FailingRow {
  return present(decodeRow<FailingRow>(row), 'why content fails')
}

/** The rows of works that fail which an event of a work adds, changes or removes. */
export function indexFailing(
  was: WorkState | undefined,
  state: WorkState,
  event: JournalEvent & WorkEvent,
  read: ReadRow,
): readonly Operation[] {
  const failed = was !== undefined && fails(was)
  if (!failed && !fails(state)) return []
  const { owner, ark, checked } = state
  const key = failingPrefix(owner) + ark
  const before = failed ? decodeRow<FailingRow>(read(key)) : undefined
  if (!fails(state)) {
    const found = failedPrefix(owner) + positionPart(before?.position ?? 0)
    return [
      { type: 'del', key },
      { type: 'del', key: found },
    ]
  }
  const standing = contentState(state) as FailingRow['standing']
  const reason = checked?.reason ?? ''
  if (before?.standing === standing && before.reason === reason) return []
  const { position, at: since } = event
  const row: FailingRow = before
    ? { ...before, standing, reason }
    : { position, since, standing, reason, host: tagOf(state, read) }
  const put: Operation = { type: 'put', key, value: encodeRow(row) }
  if (before !== undefined) return [put]
  const found = failedPrefix(owner) + positionPart(position)
  return [put, { type: 'put', key: found, value: Buffer.from(ark) }]
}

function tagOf({ position }: WorkState, read: ReadRow): string {
  const metadata = metadataAt(position, read)
  return metadata === undefined ? '' : hostTag(contentUrl(metadata))
}
