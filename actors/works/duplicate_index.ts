import { hash } from 'node:crypto'

import { decodeRow, encodeRow, type ReadRow } from '#actors/journal/rows.ts'
import { formatOwner, type OwnerRef } from '#actors/values/agent.ts'
import { foldTitle } from '#actors/values/text.ts'
import type { WorkState, WorkStep } from '#actors/works/events.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { Operation } from '#log/base/store.ts'

/** What of a work's metadata decides in which lists it stands. */
type Duplicable = { readonly existing_doi?: string; readonly work_title: string }

/**
 * Key of the list of the live works with a DOI. Keys hold hashes: what LevelDB notes of its keys
 * beside the rows must not tell what an erasure has removed.
 */
export function doiKey(doi: string): string {
  return `doi/${shortHash(doi)}`
}

/** Key of the list of the live works with this DOI and this folded title. */
export function editionKey(doi: string, title: string): string {
  return `edition/${shortHash(`${doi}\n${foldTitle(title)}`)}`
}

/** Key of the list of the withdrawn works with a DOI, but for those whose metadata was erased. */
export function withdrawnKey(doi: string): string {
  return `withdrawn_doi/${shortHash(doi)}`
}

/** What stands for a text in keys: 128 bits of its hash, in hex. */
function shortHash(text: string): string {
  return hash('sha256', text).slice(0, 32)
}

/** The ARK, `naan/name`, of the work that entered a list last; `row` is the row of the list. */
export function newestOf(row: Uint8Array): string {
  return decodeRow<string>(row) ?? ''
}

/** What an event changes of what is looked at here. */
type Moved = {
  readonly event: Pick<WorkStep['event'], 'type'>
  readonly state: Pick<WorkState, 'ark'>
  readonly left: Duplicable | undefined
  readonly entered: Duplicable | undefined
}

/** The rows of the lists of live works with a DOI which a work leaves or enters. */
export function indexDuplicates({ state, left, entered }: Moved, read: ReadRow): Operation[] {
  return move(state.ark, listsOf(left), listsOf(entered), read)
}

/**
 * The rows of the list of withdrawn works with a DOI, which a work enters when it is withdrawn, and
 * leaves when its metadata is erased.
 */
export function indexWithdrawnDoi({ event, state, left }: Moved, read: ReadRow): Operation[] {
  const list = withdrawnListOf(left)
  return event.type === 'WorkErased'
    ? move(state.ark, list, [], read)
    : move(state.ark, [], list, read)
}

function move(
  ark: string,
  from: readonly string[],
  to: readonly string[],
  read: ReadRow,
): Operation[] {
  return [
    ...from.filter((list) => !to.includes(list)).flatMap((list) => leaveList(list, ark, read)),
    ...to.filter((list) => !from.includes(list)).flatMap((list) => enterList(list, ark, read)),
  ]
}

function listsOf(work: Duplicable | undefined): readonly string[] {
  const lists = work && duplicateListsOf(work)
  return lists === undefined ? [] : [lists.doi, lists.edition]
}

function withdrawnListOf(work: Duplicable | undefined): readonly string[] {
  const doi = work?.existing_doi
  return doi === undefined ? [] : [withdrawnKey(doi)]
}

/** Keys of the list of the live works with one's DOI, and of those with its folded title too. */
type DuplicateLists = { readonly doi: string; readonly edition: string }

// The keys of a work are asked for when it is decided on, and again when its rows are made.
const knownLists = new WeakMap<object, DuplicateLists>()

/** The lists of the works that are, or may be, the same as this one; undefined without a DOI. */
export function duplicateListsOf(work: Duplicable): DuplicateLists | undefined {
  const { existing_doi: doi, work_title: title } = work
  if (doi === undefined) return undefined
  const known = knownLists.get(work)
  if (known !== undefined) return known
  const lists = { doi: doiKey(doi), edition: editionKey(doi, title) }
  knownLists.set(work, lists)
  return lists
}

// A list is linked both ways, so that entering and leaving take a few rows whatever its length, and
// so that one that a work has left is as if the work had never been in it: the views of a journal
// whose metadata was erased must be those that were there before.
type Neighbours = { readonly older?: string; readonly newer?: string }

function enterList(list: string, ark: string, read: ReadRow): Operation[] {
  const row = read(list)
  const head: Operation = { type: 'put', key: list, value: encodeRow(ark) }
  if (row === undefined) return [head]
  const older = newestOf(row)
  return [head, link(list, older, { newer: ark }, read), link(list, ark, { older }, read)]
}

function leaveList(list: string, ark: string, read: ReadRow): Operation[] {
  const { older, newer } = neighboursOf(list, ark, read)
  const operations = [link(list, ark, { older: undefined, newer: undefined }, read)]
  if (older !== undefined) operations.push(link(list, older, { newer }, read))
  if (newer !== undefined) operations.push(link(list, newer, { older }, read))
  else if (older !== undefined) {
    operations.push({ type: 'put', key: list, value: encodeRow(older) })
  } else operations.push({ type: 'del', key: list })
  return operations
}

/** The row of a work's neighbours after a change of one or both; a work without any has none. */
function link(
  list: string,
  ark: string,
  change: { readonly older?: string | undefined; readonly newer?: string | undefined },
  read: ReadRow,
): Operation {
  const { older, newer } = { ...neighboursOf(list, ark, read), ...change }
  const key = neighboursKey(list, ark)
  if (older === undefined && newer === undefined) return { type: 'del', key }
  const row = { ...(older !== undefined && { older }), ...(newer !== undefined && { newer }) }
  return { type: 'put', key, value: encodeRow(row) }
}

function neighboursOf(list: string, ark: string, read: ReadRow): Neighbours {
  return decodeRow<Neighbours>(read(neighboursKey(list, ark))) ?? {}
}

function neighboursKey(list: string, ark: string): string {
  return `${list}/${ark}`
}

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

/**
 * The row of a work that is registered, which goes when it is withdrawn, or has another title,
 * address or DOI.
 */
export function indexRecent({ was, state, left, entered }: WorkStep, read: ReadRow): Operation[] {
  const { ark, owner, created_at: at } = state
  const key = left && recentKeyOf(owner, left)
  const next = entered && recentKeyOf(owner, entered)
  if (was === undefined) {
    return next === undefined ? [] : [{ type: 'put', key: next, value: encodeRow({ ark, at }) }]
  }
  if (key === undefined || key === next) return []
  const recent = decodeRow<RecentRow>(read(key))
  return recent?.ark === ark ? [{ type: 'del', key }] : []
}
