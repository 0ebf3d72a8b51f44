import type { JournalEvent } from '#actors/journal/journal.ts'
import {
  decodeKept,
  decodeRow,
  encodeKept,
  encodeRow,
  positionPart,
  present,
  type ReadRow,
} from '#actors/journal/rows.ts'
import { formatOwner, type OwnerRef } from '#actors/values/agent.ts'
import { contentUrl, hostTag } from '#actors/works/content.ts'
import { metadataAt, type WorkState, type WorkStep } from '#actors/works/events.ts'
import type { Operation } from '#log/base/store.ts'

/** How much an owner holds; works that were withdrawn are not counted. */
export type OwnerCounts = {
  readonly works_count: number
  /** Those whose content is not as it should be: `failed` or `unreachable`. */
  readonly failing_count: number
  /** People with a verified claim to one of all its works, or to several. */
  readonly people_count: number
}

/** Key of the row that says how much an owner holds. */
function countsKey(owner: OwnerRef): string {
  return `holding/${formatOwner(owner)}`
}

/** How much an owner holds, as the views say. */
export function readCounts(owner: OwnerRef, read: ReadRow): OwnerCounts {
  return decodeKept<OwnerCounts>(read(countsKey(owner))) ?? noCounts
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
  return { type: 'put', key: countsKey(owner), value: encodeKept(counts) }
}

/** The row of how much the owner of a work holds. */
export function indexCounts({ was, state }: WorkStep, read: ReadRow): Operation[] {
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

/** The row of a version or of the end of a work; a registration stands among what is owned. */
export function indexActivity({ state, event }: WorkStep): readonly Operation[] {
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
  return decodeKept<OwnerBreakdown>(read(breakdownKey(owner))) ?? nothing
}

/** How many works an owner registered in a month `YYYY-MM` of UTC, withdrawn ones too. */
export function readRegistered(owner: OwnerRef, month: string, read: ReadRow): number {
  return decodeRow<number>(read(monthKey(owner, month))) ?? 0
}

/** The row of how many works an owner registered in the month of a registration. */
export function indexMonth({ state: { owner, created_at } }: WorkStep, read: ReadRow): Operation[] {
  const month = created_at.slice(0, 7)
  const count = readRegistered(owner, month, read) + 1
  return [{ type: 'put', key: monthKey(owner, month), value: encodeRow(count) }]
}

function withdraws({ was, state }: WorkStep): boolean {
  return state.status === 'withdrawn' && was?.status !== 'withdrawn'
}

/** The row of a work among its owner's withdrawn ones. */
export function indexWithdrawn(step: WorkStep): Operation[] {
  if (!withdraws(step)) return []
  const { owner, ark } = step.state
  const key = withdrawnPrefix(owner) + positionPart(step.event.position)
  return [{ type: 'put', key, value: Buffer.from(ark) }]
}

/**
 * The row of an owner's breakdown. What was erased has no type, before and after: the counts are
 * the same where the journal is projected anew.
 */
export function indexBreakdown(step: WorkStep, read: ReadRow): Operation[] {
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
  return [{ type: 'put', key: breakdownKey(state.owner), value: encodeKept(after) }]
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

/** Whether the content of a work that stands is not as it should be. */
function fails({ status, fixity_status: fixity }: WorkState): boolean {
  return status === 'registered' && (fixity === 'failed' || fixity === 'unreachable')
}

/** What a row of `failingPrefix` says. */
export function decodeFailing(row: Uint8Array): FailingRow {
  return present(decodeRow<FailingRow>(row), 'why content fails')
}

/** The rows of a work among those that fail. */
export function indexFailing({ was, state, event }: WorkStep, read: ReadRow): Operation[] {
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
