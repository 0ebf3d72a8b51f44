import { hash } from 'node:crypto'

import type { JournalEvent } from '#actors/journal/journal.ts'
import {
  decodeRow,
  encodeRow,
  type Index,
  positionPart,
  putKept,
  readKept,
  type ReadRow,
  type StreamRow,
  versionPart,
} from '#actors/journal/rows.ts'
import { formatOwner, type OwnerRef } from '#actors/values/agent.ts'
import { foldTitle } from '#actors/values/text.ts'
import { contentUrl, hostTag } from '#actors/works/content.ts'
import {
  indexChecks,
  indexDue,
  indexTally,
  indexVersions,
  mintedKey,
  workInRow,
} from '#actors/works/record.ts'
import {
  isHistoryEvent,
  isPublicEvent,
  metadataAt,
  type WorkEvent,
  type WorkState,
  type WorkStep,
} from '#actors/works/events.ts'
import { indexFiles } from '#actors/works/file_fixity.ts'
import { isFixityEvent } from '#actors/works/fixity_rules.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { relationFields, type RelationTarget, relationTargets } from '#actors/works/relations.ts'
import { evolve } from '#actors/works/rules.ts'
import type { Operation } from '#log/store/store.ts'

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

/** Key of the list of an owner's live works with a DOI: others' works do not make it longer. */
export function ownDoiKey(owner: OwnerRef, doi: string): string {
  return `own_doi/${shortHash(`${formatOwner(owner)}\n${doi}`)}`
}

/** Key of the row that names the live work that its owner calls so themselves. */
export function externalKey(owner: OwnerRef, externalId: string): string {
  return `external/${shortHash(`${formatOwner(owner)}\n${externalId}`)}`
}

/** The rows of the names that owners have for their live works. */
function indexExternal({ state: { ark, owner }, left, entered }: WorkStep): Operation[] {
  const [from, to] = [left?.external_id, entered?.external_id]
  if (from === to) return []
  const operations: Operation[] = []
  if (from !== undefined) operations.push({ type: 'del', key: externalKey(owner, from) })
  if (to !== undefined) {
    operations.push({ type: 'put', key: externalKey(owner, to), value: encodeRow(ark) })
  }
  return operations
}

/** Key of the list of an owner's withdrawn works with a DOI, as `withdrawnKey`. */
export function ownWithdrawnKey(owner: OwnerRef, doi: string): string {
  return `own_withdrawn_doi/${shortHash(`${formatOwner(owner)}\n${doi}`)}`
}

/** What stands for a text in keys: 128 bits of its hash, in hex. */
function shortHash(text: string): string {
  return hash('sha256', text).slice(0, 32)
}

/** The ARK, `naan/name`, of the work that entered a list last; `row` is the row of the list. */
export function newestOf(row: Uint8Array): string {
  return decodeRow<string>(row) ?? ''
}

/** The ARKs, `naan/name`, of the works of a list, the one that entered it last first. */
export function* worksOf(list: string, read: ReadRow): Generator<string> {
  const row = read(list)
  for (
    let ark = row && newestOf(row);
    ark !== undefined;
    ark = neighboursOf(list, ark, read).older
  ) {
    yield ark
  }
}

/** The rows of the lists of live works with a DOI which a work leaves or enters. */
export function indexDuplicates({ state, left, entered }: WorkStep, read: ReadRow): Operation[] {
  return move(state.ark, listsOf(state.owner, left), listsOf(state.owner, entered), read)
}

/**
 * The rows of the lists of withdrawn works with a DOI: a work enters them when it is withdrawn, and
 * leaves them when its metadata is erased.
 */
export function indexWithdrawnDoi({ event, state, left }: WorkStep, read: ReadRow): Operation[] {
  const lists = withdrawnListsOf(state.owner, left)
  return event.type === 'WorkErased'
    ? move(state.ark, lists, [], read)
    : move(state.ark, [], lists, read)
}

function move(
  ark: string,
  from: readonly string[],
  to: readonly string[],
  read: ReadRow,
): Operation[] {
  const operations: Operation[] = []
  for (const list of from) {
    if (!to.includes(list)) operations.push(...leaveList(list, ark, read))
  }
  for (const list of to) {
    if (!from.includes(list)) operations.push(...enterList(list, ark, read))
  }
  return operations
}

function listsOf(owner: OwnerRef, work: Duplicable | undefined): readonly string[] {
  const lists = work && duplicateListsOf(work)
  if (lists === undefined) return []
  return [lists.doi, lists.edition, ownDoiKey(owner, work?.existing_doi ?? '')]
}

function withdrawnListsOf(owner: OwnerRef, work: Duplicable | undefined): readonly string[] {
  const doi = work?.existing_doi
  return doi === undefined ? [] : [withdrawnKey(doi), ownWithdrawnKey(owner, doi)]
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

const recentPrefix = 'recent/'

/** How long a work without a DOI stands in the way of another one like it. */
const recentMs = 24 * 3_600_000

/** The work, `naan/name`, that was registered last by its owner with its title and address. */
type RecentRow = { readonly ark: string; readonly at: string }

type Recognised = Pick<Metadata, 'existing_doi' | 'external_id' | 'work_title' | 'work_url'>

/**
 * Key of the row that names the work that an owner has registered last with this folded title and
 * this address, as long as it is that work; undefined for a work with a DOI or a name of its
 * owner's, by which it is known.
 */
export function recentKeyOf(ref: OwnerRef, metadata: Recognised): string | undefined {
  const { existing_doi: doi, external_id: own, work_title: title, work_url: url } = metadata
  if (doi !== undefined || own !== undefined || url === undefined) return undefined
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
function indexRecent({ was, state, left, entered }: WorkStep, read: ReadRow): Operation[] {
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

/** How much an owner holds; works that were withdrawn are not counted. */
export type OwnerCounts = {
  readonly works_count: number
  /** Those whose content is not as it should be: `failed` or `unreachable`. */
  readonly failing_count: number
  /** People with a verified claim to one of all its works, or to several. */
  readonly people_count: number
}

function countsKey(owner: OwnerRef): string {
  return `holding/${formatOwner(owner)}`
}

/** How much an owner holds, as the views say. */
export function readCounts(owner: OwnerRef, read: ReadRow): OwnerCounts {
  return readKept<OwnerCounts>(countsKey(owner), read) ?? noCounts
}

const noCounts: OwnerCounts = { works_count: 0, failing_count: 0, people_count: 0 }

/** The row of an owner's counts after a change of some of them. */
export function moveCounts(owner: OwnerRef, by: Partial<OwnerCounts>, read: ReadRow): Operation {
  const { works_count, failing_count, people_count } = readCounts(owner, read)
  const counts: OwnerCounts = {
    works_count: works_count + (by.works_count ?? 0),
    failing_count: failing_count + (by.failing_count ?? 0),
    people_count: people_count + (by.people_count ?? 0),
  }
  return putKept(countsKey(owner), counts)
}

function indexCounts({ was, state }: WorkStep, read: ReadRow): Operation[] {
  const works = Number(stands(state)) - Number(was !== undefined && stands(was))
  const failing = Number(fails(state)) - Number(was !== undefined && fails(was))
  if (works === 0 && failing === 0) return []
  return [moveCounts(state.owner, { works_count: works, failing_count: failing }, read)]
}

function stands({ status }: WorkState): boolean {
  return status === 'registered'
}

/** What an owner's works go through after their registration. */
type ActivityKind = 'version' | 'withdrawal' | 'claim'

/** What begins the keys that name events of one kind of an owner's works, by position. */
export function activityPrefix(owner: OwnerRef, kind: ActivityKind): string {
  return `activity/${formatOwner(owner)}/${kind}/`
}

/** The row that names an event among those of its kind of an owner's works. */
export function activityRow(
  owner: OwnerRef,
  kind: ActivityKind,
  { position }: Pick<JournalEvent, 'position'>,
): Operation {
  const key = activityPrefix(owner, kind) + positionPart(position)
  return { type: 'put', key, value: new Uint8Array(0) }
}

// A bulk change is one entry of a history, which the job that carries it out writes.
function indexActivity({ state, event }: WorkStep): readonly Operation[] {
  if (event.idempotency?.bulk === true) return []
  const kind = event.type === 'WorkVersioned' ? 'version' : 'withdrawal'
  return [activityRow(state.owner, kind, event)]
}

/**
 * What is known of the content of a work that stands, as its owner is told: `pending` was not
 * looked at yet, `changed` is not what was registered, `unreachable` was read before and cannot be
 * now, `never_read` could not be read at any time.
 */
export const contentStates = [
  'verified',
  'pending',
  'changed',
  'unreachable',
  'never_read',
] as const

export type ContentState = (typeof contentStates)[number]

/** What is known of the content of a work that stands. */
export function contentState({
  fixity_status: fixity,
  checked,
}: Pick<WorkState, 'fixity_status' | 'checked'>): ContentState {
  if (fixity === 'failed') return 'changed'
  if (fixity !== 'unreachable') return fixity
  return checked?.stable === undefined ? 'never_read' : 'unreachable'
}

/** An owner's works that stand by what is known of their content and by type, and the others. */
export type OwnerBreakdown = {
  readonly content: Readonly<Partial<Record<ContentState, number>>>
  /** By the `work_type` of their newest version. */
  readonly types: Readonly<Record<string, number>>
  readonly withdrawn: number
}

const nothing: OwnerBreakdown = { content: {}, types: {}, withdrawn: 0 }

function breakdownKey(owner: OwnerRef): string {
  return `breakdown/${formatOwner(owner)}`
}

function monthKey(owner: OwnerRef, month: string): string {
  return `registered/${formatOwner(owner)}/${month}`
}

/** What begins the keys that name an owner's withdrawn works, in the order of their withdrawal. */
export function withdrawnPrefix(owner: OwnerRef): string {
  return `withdrawn/${formatOwner(owner)}/`
}

/** An owner's works by content and type, as the views say. */
export function readBreakdown(owner: OwnerRef, read: ReadRow): OwnerBreakdown {
  return readKept<OwnerBreakdown>(breakdownKey(owner), read) ?? nothing
}

/** How many works an owner registered in a month `YYYY-MM` of UTC, withdrawn ones too. */
export function readRegistered(owner: OwnerRef, month: string, read: ReadRow): number {
  return readKept<number>(monthKey(owner, month), read) ?? 0
}

function indexMonth({ state: { owner, created_at } }: WorkStep, read: ReadRow): Operation[] {
  const month = created_at.slice(0, 7)
  const count = readRegistered(owner, month, read) + 1
  return [putKept(monthKey(owner, month), count)]
}

function withdraws({ was, state }: WorkStep): boolean {
  return state.status === 'withdrawn' && was?.status !== 'withdrawn'
}

function indexWithdrawn(step: WorkStep): Operation[] {
  if (!withdraws(step)) return []
  const { owner, ark } = step.state
  const key = withdrawnPrefix(owner) + positionPart(step.event.position)
  return [{ type: 'put', key, value: Buffer.from(ark) }]
}

/**
 * The row of an owner's breakdown. What was erased has no type, before and after: the counts are
 * the same where the journal is projected anew.
 */
function indexBreakdown(step: WorkStep, read: ReadRow): Operation[] {
  const { was, state, left, entered } = step
  const [from, to] = [stateOf(was), stateOf(state)]
  const [typeFrom, typeTo] = [left?.work_type, entered?.work_type]
  if (from === to && typeFrom === typeTo && !withdraws(step)) return []
  const before = readBreakdown(state.owner, read)
  const after: OwnerBreakdown = {
    content: moved(before.content, from, to),
    types: moved(before.types, typeFrom, typeTo),
    withdrawn: before.withdrawn + Number(withdraws(step)),
  }
  return [putKept(breakdownKey(state.owner), after)]
}

function stateOf(state: WorkState | undefined): ContentState | undefined {
  return state?.status === 'registered' ? contentState(state) : undefined
}

/** Counts after one thing was moved; what there is none of has no member. */
function moved<Name extends string>(
  counts: Readonly<Partial<Record<Name, number>>>,
  from: Name | undefined,
  to: Name | undefined,
): Partial<Record<Name, number>> {
  if (from === to) return counts
  const after: Partial<Record<Name, number>> = { ...counts }
  if (from !== undefined) {
    const left = (after[from] ?? 0) - 1
    if (left > 0) after[from] = left
    else delete after[from]
  }
  if (to !== undefined) after[to] = (after[to] ?? 0) + 1
  return after
}

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

function fails({ status, fixity_status: fixity }: WorkState): boolean {
  return status === 'registered' && (fixity === 'failed' || fixity === 'unreachable')
}

function indexFailing({ was, state, event }: WorkStep, read: ReadRow): Operation[] {
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

function tagOf(state: WorkState, read: ReadRow): string {
  const metadata = metadataAt(state.position, read)
  return metadata === undefined ? '' : hostTag(contentUrl(metadata, state))
}

/** What begins the keys of an owner's works that are as they were registered. */
export function ownedPrefix(owner: OwnerRef): string {
  return `owned/${formatOwner(owner)}/`
}

/** What begins the keys of an owner's works that were changed, or withdrawn, since. */
export function changedPrefix(owner: OwnerRef): string {
  return `changed/${formatOwner(owner)}/`
}

/** What begins the keys that name works of an owner by their last change, if there was one. */
export function movedPrefix(owner: OwnerRef): string {
  return `moved/${formatOwner(owner)}/`
}

// Each work has one place in the order of the changes that harvesters see: that of its newest one.
// In the order of its owner, a work that was never changed stands where it was registered, and the
// row for the list of its owner's works serves both: a registration writes one row for all of this.

/** What begins the keys that name works by their last change, all of them. */
export const harvestPrefix = 'harvest/'

/** Key of the row that names a work by the journal position of its last change. */
export function harvestKey(position: number): string {
  return harvestPrefix + positionPart(position)
}

/** The journal position and the time of the newest event of a work that harvesters see. */
export function lastChange(state: WorkState): { readonly position: number; readonly at: string } {
  return state.changed ?? { position: state.position, at: state.created_at }
}

function indexOrder({ was, state, event }: WorkStep): Operation[] {
  if (!isPublicEvent(event)) return []
  const { owner, ark } = state
  const value = Buffer.from(ark)
  const place = positionPart(event.position)
  const named: Operation = { type: 'put', key: harvestPrefix + place, value }
  if (was === undefined) {
    return [named, { type: 'put', key: ownedPrefix(owner) + place, value }]
  }
  const before = positionPart(lastChange(was).position)
  const ordered: Operation[] = [
    named,
    { type: 'del', key: harvestPrefix + before },
    { type: 'put', key: movedPrefix(owner) + place, value },
  ]
  if (was.changed !== undefined) {
    return [...ordered, { type: 'del', key: movedPrefix(owner) + before }]
  }
  return [
    ...ordered,
    { type: 'del', key: ownedPrefix(owner) + before },
    { type: 'put', key: changedPrefix(owner) + before, value },
  ]
}

/** What begins the keys that name what a history shows of a work after its registration. */
export function historyPrefix(ark: string): string {
  return `history/${ark}/`
}

function indexHistory({ state, event }: WorkStep): Operation[] {
  if (!isHistoryEvent(event)) return []
  const key = historyPrefix(state.ark) + positionPart(event.position)
  return [{ type: 'put', key, value: new Uint8Array(0) }]
}

function name(key: string, ark: string): Operation {
  return { type: 'put', key, value: Buffer.from(ark) }
}

/** Key of the row that finds a version by its receipt's id. */
export function receiptKey(receiptId: string): string {
  return `receipt/${receiptId}`
}

/** The version that a receipt belongs to; `ark` is `naan/name`. */
export type ReceiptRow = { readonly ark: string; readonly version: number }

function indexReceipt({ state: { ark, version, receipt_id } }: WorkStep): Operation[] {
  const row: ReceiptRow = { ark, version }
  return [{ type: 'put', key: receiptKey(receipt_id), value: encodeRow(row) }]
}

/** What begins the keys that name the versions whose content has a hash, `sha256:` and hex. */
export function contentPrefix(contentHash: string): string {
  return `content/${contentHash.slice('sha256:'.length)}/`
}

/** A version is found by each hash that it was registered with, or that was found first. */
function indexContent({ state, event }: WorkStep): Operation[] {
  const contentHash = contentHashIn(event)
  if (contentHash === null) return []
  const version = event.type === 'SupersededChecked' ? event.data.version : state.version
  const row: ReceiptRow = { ark: state.ark, version }
  const key = `${contentPrefix(contentHash)}${state.ark}/${versionPart(version)}`
  return [{ type: 'put', key, value: encodeRow(row) }]
}

function contentHashIn(event: WorkEvent): string | null {
  switch (event.type) {
    case 'WorkRegistered':
    case 'WorkVersioned':
      return event.data.content_hash
    case 'FixityChecked':
    case 'SupersededChecked':
      return event.data.content?.content_hash ?? null
    case 'FixityRequested':
    case 'FileChecked':
    case 'WorkWithdrawn':
    case 'WorkErased':
    case 'MetadataLost':
      return null
  }
}

/** What begins the keys that name the works that say they relate to a work, by position. */
export function relationPrefix(target: RelationTarget): string {
  return `relation/${shortHash(target)}/`
}

/**
 * A work stands in the list of all that its newest version relates to, by the position of that
 * version. One that is withdrawn stays there, until its metadata is erased.
 */
function indexRelations({ was, state, event, left, entered }: WorkStep): Operation[] {
  const operations: Operation[] = []
  if (was !== undefined && entered !== undefined && !changesRelations(event)) {
    const [before, after] = [was, event].map(({ position }) => positionPart(position))
    return relationTargets(entered).flatMap((target): Operation[] => {
      const prefix = relationPrefix(target)
      return [{ type: 'del', key: prefix + before }, name(prefix + after, state.ark)]
    })
  }
  if (was !== undefined && left !== undefined) {
    const place = positionPart(was.position)
    for (const target of relationTargets(left)) {
      operations.push({ type: 'del', key: relationPrefix(target) + place })
    }
  }
  if (entered !== undefined) {
    const place = positionPart(event.position)
    for (const target of relationTargets(entered)) {
      operations.push(name(relationPrefix(target) + place, state.ark))
    }
  }
  return operations
}

/** Whether a version relates to something else than the one before: its own DOI is no relation. */
function changesRelations(event: WorkEvent): boolean {
  if (event.type !== 'WorkVersioned') return true
  return event.data.changed_fields.some((field) => relationFieldNames.has(field))
}

const relationFieldNames: ReadonlySet<string> = new Set(relationFields)

function indexMinted({ state, event }: WorkStep): Operation[] {
  return [{ type: 'put', key: mintedKey(state.ark), value: encodeRow(event.position) }]
}

type WorkIndex = Index<WorkStep> & { readonly on?: readonly WorkEvent['type'][] }

const versions = ['WorkRegistered', 'WorkVersioned'] as const
const checks = ['FixityChecked', 'SupersededChecked'] as const
const ends = ['WorkWithdrawn', 'WorkErased', 'MetadataLost'] as const

export const workIndexes: readonly WorkIndex[] = [
  { keys: ['receipt/'], on: versions, rows: indexReceipt },
  { keys: ['content/'], on: [...versions, ...checks], rows: indexContent },
  { keys: ['relation/'], on: [...versions, 'WorkErased'], rows: indexRelations },
  { keys: ['minted/'], on: ['WorkRegistered'], rows: indexMinted },
  {
    keys: ['version/'],
    on: ['WorkVersioned', 'SupersededChecked', 'WorkErased'],
    rows: indexVersions,
  },
  { keys: ['due/'], rows: indexDue },
  { keys: ['fixity/'], on: checks, rows: indexChecks },
  {
    keys: ['file/'],
    on: [...versions, 'WorkWithdrawn', 'WorkErased', 'FileChecked'],
    rows: indexFiles,
  },
  { keys: ['tally/'], rows: indexTally },
  { keys: ['holding/'], rows: indexCounts },
  { keys: ['owned/', 'changed/', 'moved/', 'harvest/'], rows: indexOrder },
  { keys: ['history/'], on: ['WorkVersioned', ...ends, ...checks], rows: indexHistory },
  { keys: ['activity/'], on: ['WorkVersioned', ...ends], rows: indexActivity },
  {
    keys: ['failing/', 'failed/'],
    on: ['WorkVersioned', ...ends, ...checks],
    rows: indexFailing,
  },
  {
    keys: ['breakdown/'],
    on: [...versions, 'WorkWithdrawn', 'MetadataLost', ...checks],
    rows: indexBreakdown,
  },
  { keys: ['registered/'], on: ['WorkRegistered'], rows: indexMonth },
  { keys: ['withdrawn/'], on: ends, rows: indexWithdrawn },
  {
    keys: ['doi/', 'edition/', 'own_doi/'],
    on: [...versions, 'WorkWithdrawn'],
    rows: indexDuplicates,
  },
  { keys: ['external/'], on: [...versions, 'WorkWithdrawn'], rows: indexExternal },
  {
    keys: ['withdrawn_doi/', 'own_withdrawn_doi/'],
    on: ['WorkWithdrawn', 'WorkErased'],
    rows: indexWithdrawnDoi,
  },
  {
    keys: [recentPrefix],
    on: [...versions, 'WorkWithdrawn'],
    endsAfterDay: true,
    rows: indexRecent,
  },
]

/** What an event changes of a work. */
export function workStep(
  before: StreamRow | undefined,
  event: JournalEvent & WorkEvent,
  read: ReadRow,
): WorkStep {
  const was = before && workInRow(before, read).state
  const state = evolve(was, event, event)
  // What is lost has been left out of the indexes by the events of its versions.
  const isAboutMetadata = !isFixityEvent(event) && event.type !== 'MetadataLost'
  const left = was && isAboutMetadata ? metadataAt(was.position, read) : undefined
  const entered = 'metadata' in event.data ? (event.data.metadata ?? undefined) : undefined
  return { event, was, state, left, entered }
}
