import type { JournalEvent } from '#actors/journal/journal.ts'
import {
  decodeEventFacts,
  decodeRow,
  encodeRow,
  present,
  putKept,
  readEvent,
  readEventRow,
  readKept,
  type ReadRow,
  restoreAdvice,
  type StreamRow,
  timePart,
  versionPart,
} from '#actors/journal/rows.ts'
import type { FixityStatus } from '#actors/works/receipts/statement.ts'
import { contentUrl, type FixityCheck, hostTag } from '#actors/works/content.ts'
import {
  blankContent,
  type FixityChecked,
  metadataAt,
  metadataIn,
  type SupersededChecked,
  type VersionContent,
  type WorkEvent,
  type WorkRegistered,
  type WorkState,
  type WorkStep,
  workStream,
  type WorkVersioned,
} from '#actors/works/events.ts'
import {
  describeCheck,
  type Due,
  dueOf,
  settledContent,
  settleWithdrawn,
  type UnsettledVersion,
} from '#actors/works/fixity_rules.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { evolve } from '#actors/works/rules.ts'
import { assert, LogError } from '#log/tlog/errors.ts'
import type { Operation } from '#log/store/store.ts'

/** Key of the row of a version that has a newer one; fixed width, so that versions sort. */
export function versionKey(ark: string, version: number): string {
  return `version/${ark}/${versionPart(version)}`
}

/**
 * Where a version stands: its event in the journal, and its newest statement in the log; and what
 * is known of its content. Of the newest version the state says so itself; most works have no
 * other. `waiting`: of one that nobody has looked at, the next older one of which that is true.
 */
type VersionRow = VersionContent & {
  readonly position: number
  readonly leaf_index: number
  readonly waiting?: number
}

/** Reads the row of a version that has a newer one; `store_corrupt` if it is not there. */
export function readVersionRow(ark: string, version: number, read: ReadRow): VersionRow {
  const row = decodeRow<VersionRow>(read(versionKey(ark, version)))
  return present(row, `the row of version ${version} of the work ${ark}`)
}

/** The rows of versions that have a newer one. */
export function indexVersions({ was, state, event }: WorkStep, read: ReadRow): Operation[] {
  if (event.type === 'WorkErased') return blankVersions(state, read)
  if (event.type === 'SupersededChecked') return [settle(state, event, read)]
  return was === undefined ? [] : [supersede(was)]
}

function supersede(state: WorkState): Operation {
  const { ark, version, position, leafIndex, content_file, fixity_status, content_hash } = state
  const { checked } = state
  const content = {
    fixity_status,
    content_hash,
    ...(content_file !== undefined && { content_file }),
    ...(checked && { checked }),
  }
  const waiting = fixity_status === 'pending' ? state.unsettled?.version : undefined
  const next = waiting === undefined ? {} : { waiting }
  return put(ark, version, { position, leaf_index: leafIndex, ...content, ...next })
}

function settle(
  { ark }: WorkState,
  event: JournalEvent & SupersededChecked,
  read: ReadRow,
): Operation {
  const { version, content } = event.data
  const before = readVersionRow(ark, version, read)
  const leaf_index = content === undefined ? before.leaf_index : event.leafIndex
  const { position } = before
  return put(ark, version, { position, leaf_index, ...settledContent(before, event, event) })
}

function blankVersions({ ark, version }: WorkState, read: ReadRow): Operation[] {
  return Array.from({ length: version - 1 }, (_, index) => {
    return put(ark, index + 1, blankContent(readVersionRow(ark, index + 1, read)))
  })
}

function put(ark: string, version: number, row: VersionRow): Operation {
  return { type: 'put', key: versionKey(ark, version), value: encodeRow(row) }
}

/** The classes of the queue in the order in which they are served. */
export const dueClasses = [0, 1] as const

/** A class of the queue: 0 for content that is new or asked for, 1 for what is checked again. */
export type DueClass = (typeof dueClasses)[number]

/**
 * The least key of a class that is due at a time, in milliseconds, or later: those of a class stand
 * in the order of their time.
 */
export function dueFrom(dueClass: DueClass, atMs: number): string {
  return `due/${dueClass}/${timePart(atMs)}/`
}

/** A key after all those of a class. */
export function dueEnd(dueClass: DueClass): string {
  return `due/${dueClass}/~`
}

function dueKey(ark: string, due: Due | undefined): string | undefined {
  return due && dueFrom(due.class, Date.parse(due.at)) + ark
}

const dueForm = /^due\/(?<class>[01])\/(?<at>[0-9a-f]{12})\/(?<name>.+)$/

/**
 * What the key of a due row says: the time in milliseconds, and what is due, a work as `naan/name`,
 * or one of its files as `naan/name/place`.
 */
export function parseDueKey(key: string): { readonly atMs: number; readonly name: string } {
  const { at, name } = dueForm.exec(key)?.groups ?? {}
  assert(at !== undefined && name !== undefined, 'a due row says when and what')
  return { atMs: Number.parseInt(at, 16), name }
}

function checksKey(ark: string, since: number): string {
  return `fixity/${ark}/${versionPart(since)}`
}

/** The journal positions of the newest checks of a content, oldest first. */
type ChecksRow = readonly number[]

/** Checks of a content that its row names; the journal has them all. */
const checksMax = 20

const tallyKey = 'tally/fixity'

/** Works by the fixity status of their newest version, and by the class in which they wait. */
type TallyRow = {
  readonly states: Readonly<Record<FixityStatus, number>>
  readonly classes: readonly [number, number]
}

const emptyTally: TallyRow = {
  states: { pending: 0, verified: 0, failed: 0, unreachable: 0 },
  classes: [0, 0],
}

/** How many works there are to check, as the views say. */
export function readTally(read: ReadRow): TallyRow {
  return readKept<TallyRow>(tallyKey, read) ?? emptyTally
}

/** The row by which a work is due. Its value tells the host, so that no work is read for it. */
export function indexDue(step: WorkStep, read: ReadRow): Operation[] {
  const { was, state } = step
  const [before, after] = [was && dueOf(was), dueOf(state)]
  const [from, to] = [dueKey(state.ark, before), dueKey(state.ark, after)]
  const isSameVersion = before?.version === after?.version
  if (from === to && isSameVersion) return []
  const operations: Operation[] = []
  if (from !== undefined) operations.push({ type: 'del', key: from })
  if (to !== undefined && after !== undefined) {
    const value =
      from !== undefined && isSameVersion
        ? present(read(from), 'the row by which a work is due')
        : hostRow(step, after, read)
    operations.push({ type: 'put', key: to, value })
  }
  return operations
}

function hostRow({ state, event }: WorkStep, { version }: Due, read: ReadRow): Uint8Array {
  const due = version < state.version ? readVersionRow(state.ark, version, read) : state
  const metadata =
    due === state && 'metadata' in event.data ? event.data.metadata : metadataAt(due.position, read)
  // Of an erased work the row is gone by the end of its events.
  return Buffer.from(metadata ? hostTag(contentUrl(metadata, due)) : '')
}

/** The row of the newest checks of a content. */
export function indexChecks({ state: { ark }, event }: WorkStep, read: ReadRow): Operation[] {
  if (event.type !== 'FixityChecked' && event.type !== 'SupersededChecked') return []
  const { data } = event
  const key = checksKey(ark, 'since' in data ? data.since : data.version)
  const before = decodeRow<ChecksRow>(read(key)) ?? []
  return [{ type: 'put', key, value: encodeRow([...before, event.position].slice(-checksMax)) }]
}

/** The row that counts the works to check. */
export function indexTally({ was, state }: WorkStep, read: ReadRow): Operation[] {
  const before = readTally(read)
  const states = { ...before.states }
  const classes: [number, number] = [...before.classes]
  for (const [work, change] of [
    [was, -1],
    [state, 1],
  ] as const) {
    const due = work && dueOf(work)
    if (work === undefined || due === undefined) continue
    states[work.fixity_status] += change
    classes[due.class] += change
  }
  const row: TallyRow = { states, classes }
  return [putKept(tallyKey, row)]
}

/** The checks of a content of a work that its row names, oldest first. */
function readChecks(ark: string, since: number, read: ReadRow): ChecksRow {
  return decodeRow<ChecksRow>(read(checksKey(ark, since))) ?? []
}

type CheckEvent = JournalEvent & (FixityChecked | SupersededChecked)

/** One version of a work, with the row that its representations are spliced from. */
export type VersionRecord = {
  /** The normal form `naan/name`. */
  readonly ark: string
  readonly state: WorkState
  readonly version: number
  /** The event that holds the version's metadata, as stored, and decoded but for these if asked. */
  readonly eventRow: Uint8Array
  readonly event: JournalEvent & (Facts<WorkRegistered> | Facts<WorkVersioned>)
  /** The leaf of the newest statement about the version. */
  readonly leafIndex: number
  /** What is known of the version's content: now, or when the next version had come. */
  readonly content: VersionContent
}

/** An event but for its metadata, which may be long. */
type Facts<E extends { readonly data: object }> = Omit<E, 'data'> & {
  readonly data: Omit<E['data'], 'metadata'>
}

/** A version's event, and the row that it was decoded from, but for its metadata. */
type VersionEvent = Pick<VersionRecord, 'eventRow' | 'event'>

/** A work as it stands and the journal position of its newest event. */
export type StoredWork = {
  readonly state: WorkState
  readonly newest: number
  /** Its registration, if nothing has happened to it since. */
  readonly registration?: VersionEvent
}

/**
 * The row of a stream after an event. A registration says all of the state that it leads to, and is
 * read wherever the work is: so the row of a work that was left alone since has none.
 */
export function streamRowAfter(event: JournalEvent, stream: StreamRow): Uint8Array {
  return encodeRow(event.type === 'WorkRegistered' ? { ...stream, state: undefined } : stream)
}

/** The work that the row of its stream tells of. */
export function workInRow({ newest, state }: StreamRow, read: ReadRow): StoredWork {
  if (state !== undefined) return { state: state as WorkState, newest }
  const registration = readVersionEvent(newest, read)
  const { event } = registration
  return {
    state: evolve(undefined, event as JournalEvent & WorkEvent, event),
    newest,
    registration,
  }
}

function readVersionEvent(position: number, read: ReadRow): VersionEvent {
  const eventRow = readEventRow(position, read)
  return { eventRow, event: decodeEventFacts(position, eventRow) as VersionRecord['event'] }
}

/** Key of the row that says where in the journal an ARK was minted, a decimal; it never changes. */
export function mintedKey(ark: string): string {
  return `minted/${ark}`
}

/**
 * Reads the state of a work; `ark` is `naan/name`. LevelDB does not see a damaged key, and would
 * say that the row is not there: that the ARK was minted stands in a row of its own, so that a work
 * whose row is lost is `store_corrupt`, and not unknown.
 */
export function readWork(ark: string, read: ReadRow): StoredWork | undefined {
  const row = decodeRow<StreamRow>(read(workStream(ark)))
  if (row !== undefined) return workInRow(row, read)
  if (read(mintedKey(ark)) === undefined) return undefined
  throw new LogError('store_corrupt', `the row of the work ${ark} is missing; ${restoreAdvice}`)
}

/** Reads a work that another row names; `store_corrupt` if it is not there. */
export function readNamedWork(ark: string, read: ReadRow): StoredWork {
  return present(readWork(ark, read), `the row of the work ${ark}`)
}

/** The metadata of a work as it stands; undefined once they were erased. Errors as above. */
export function currentMetadata(stored: StoredWork, read: ReadRow): Metadata | undefined {
  const { registration, state } = stored
  return metadataIn(registration?.eventRow ?? readEventRow(state.position, read))
}

/** Where a version of a work stands; undefined if there is no such version. Errors as above. */
function placeOf(
  { state }: StoredWork,
  version: number,
  read: ReadRow,
): (Pick<VersionRecord, 'leafIndex' | 'content'> & { readonly position: number }) | undefined {
  if (version < 1 || version > state.version) return undefined
  if (version === state.version) {
    return { position: state.position, leafIndex: state.leafIndex, content: state }
  }
  const row = readVersionRow(state.ark, version, read)
  const content = state.status === 'withdrawn' ? settleWithdrawn(row) : row
  return { position: row.position, leafIndex: row.leaf_index, content }
}

/** Reads what the representations of one version are made of; undefined if there is none. */
export function readVersion(
  stored: StoredWork,
  version: number,
  read: ReadRow,
): VersionRecord | undefined {
  const { state } = stored
  const place = placeOf(stored, version, read)
  if (place === undefined) return undefined
  const { position, leafIndex, content } = place
  const about = { ark: state.ark, state, version, leafIndex, content }
  if (stored.registration !== undefined) return { ...about, ...stored.registration }
  const eventRow = readEventRow(position, read)
  return {
    ...about,
    eventRow,
    get event() {
      return decodeEventFacts(position, eventRow) as VersionRecord['event']
    },
  }
}

/**
 * Reads the version of a work that waits for its only check, and was superseded; undefined if there
 * is none.
 */
export function readUnsettled(
  { ark, unsettled, status }: WorkState,
  read: ReadRow,
): UnsettledVersion | undefined {
  if (unsettled === undefined || status === 'withdrawn') return undefined
  const { version } = unsettled
  const row = readVersionRow(ark, version, read)
  const { position, content_hash, content_file, waiting = null } = row
  const eventRow = readEventRow(position, read)
  const { data } = decodeEventFacts(position, eventRow) as VersionRecord['event']
  const metadata = metadataIn(eventRow)
  assert(metadata !== undefined, 'a work that stands has its metadata')
  const { receipt_id, metadata_hash } = data
  const place = content_file === undefined ? {} : { content_file }
  return { version, receipt_id, metadata_hash, content_hash, ...place, metadata, waiting }
}

/** Reads the newest checks of a content, which came with version `since`, oldest first. */
export function readFixityChecks(ark: string, since: number, read: ReadRow): FixityCheck[] {
  return readChecks(ark, since, read).map((position) => {
    const event = readEvent(position, read) as CheckEvent
    return describeCheck(event, event.at)
  })
}

/** The metadata of a version of a work, `naan/name`; undefined once it was erased. */
export function metadataOf(ark: string, version: number, read: ReadRow): Metadata | undefined {
  const stored = readWork(ark, read)
  const record = stored && readVersion(stored, version, read)
  return record && metadataIn(record.eventRow)
}

/** The leaves of the statements about a version, lowest first. */
export function statedLeaves({ version, event, leafIndex, content }: VersionRecord): number[] {
  const { stable } = content.checked ?? {}
  const leaves = new Set([event.leafIndex, leafIndex])
  // The content statement of an earlier version is part of that version's proofs.
  if (stable?.version === version) leaves.add(stable.leaf)
  return [...leaves].sort((a, b) => a - b)
}
