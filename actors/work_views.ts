import { eventKey, eventMetadata } from '#actors/event_row.ts'
import { indexFixity } from '#actors/fixity_views.ts'
import type { JournalEvent } from '#actors/journal.ts'
import type { Metadata } from '#actors/metadata.ts'
import { foldTitle } from '#actors/title.ts'
import { decodeRow, encodeRow, type ReadRow, type View } from '#actors/view_row.ts'
import type { ContentState, WorkEvent, WorkState } from '#actors/work_events.ts'
import { evolve } from '#actors/work_rules.ts'
import { assert } from '#log/errors.ts'
import { sha256 } from '#log/hash.ts'
import type { Operation } from '#log/store.ts'

/** Key of the row of a version that has a newer one; fixed width, so that versions sort. */
export function versionKey(ark: string, version: number): string {
  return `version/${ark}/${version.toString(16).padStart(8, '0')}`
}

/**
 * Where a version stands: its event in the journal, and its newest statement in the log; and what
 * was known of its content when the next one came. Of the newest version the state says so itself;
 * most works have no other.
 */
export type VersionRow = ContentState & { readonly position: number; readonly leaf_index: number }

/** Key of the row that finds a version by its receipt's id. */
export function receiptKey(receiptId: string): string {
  return `receipt/${receiptId}`
}

/** The version that a receipt belongs to; `ark` is `naan/name`. */
export type ReceiptRow = { readonly ark: string; readonly version: number }

/** Key of the row that names the work registered last with this DOI. */
export function doiKey(doi: string): string {
  return `doi/${doi}`
}

/** How many works an edition's row names at most: the newest, so that the row stays small. */
const editionArksMax = 16

/** Key of the row that names the live works, newest last, with this DOI and this folded title. */
export function editionKey(doi: string, title: string): string {
  const folded = Buffer.from(sha256(Buffer.from(foldTitle(title)))).toString('hex', 0, 16)
  return `edition/${doi}/${folded}`
}

/** The state and the index rows that an event of a work leads to. */
export function indexWork(before: unknown, event: JournalEvent, read: ReadRow): View {
  const was = before as WorkState | undefined
  const work = event as JournalEvent & WorkEvent
  const state = evolve(was, work, event)
  const fixity = indexFixity(was, state, work, read)
  if (work.type === 'FixityChecked' || work.type === 'FixityRequested') {
    return { state, operations: fixity }
  }
  const left = was === undefined ? undefined : metadataAt(was.position, read)
  if (work.type === 'WorkWithdrawn') {
    return { state, operations: [...moveEdition(state.ark, left, undefined, read), ...fixity] }
  }
  const { ark, version, receipt_id } = state
  const receipt: ReceiptRow = { ark, version }
  const operations = [put(receiptKey(receipt_id), receipt)]
  if (was !== undefined) operations.push(supersede(was))
  operations.push(...moveEdition(ark, left, work.data.metadata, read), ...fixity)
  return { state, operations }
}

/** The row of the version that was the newest until now. */
function supersede(state: WorkState): Operation {
  const { ark, version, position, leafIndex, fixity_status, content_hash, checked } = state
  const content = { fixity_status, content_hash, ...(checked && { checked }) }
  const place: VersionRow = { position, leaf_index: leafIndex, ...content }
  return put(versionKey(ark, version), place)
}

/** The metadata held by the event at a position. */
export function metadataAt(position: number, read: ReadRow): Metadata {
  const row = read(eventKey(position))
  assert(row !== undefined, `the event at position ${position} exists`)
  return JSON.parse(Buffer.from(eventMetadata(row)).toString('utf8')) as Metadata
}

/** Takes a work from the edition it had and puts it into the one it has now. */
function moveEdition(
  ark: string,
  left: Metadata | undefined,
  entered: Metadata | undefined,
  read: ReadRow,
): Operation[] {
  const from = left?.existing_doi && editionKey(left.existing_doi, left.work_title)
  const to = entered?.existing_doi && editionKey(entered.existing_doi, entered.work_title)
  const operations: Operation[] = []
  if (from === to) return operations
  if (from) {
    const others = decodeRow<string[]>(read(from))?.filter((other) => other !== ark) ?? []
    operations.push(others.length > 0 ? put(from, others) : { type: 'del', key: from })
  }
  if (to && entered?.existing_doi) {
    operations.push(put(to, [...(decodeRow<string[]>(read(to)) ?? []), ark].slice(-editionArksMax)))
    operations.push(put(doiKey(entered.existing_doi), ark))
  }
  return operations
}

function put(key: string, value: unknown): Operation {
  return { type: 'put', key, value: encodeRow(value) }
}
