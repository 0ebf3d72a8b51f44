import type { JournalEvent } from '#actors/journal/journal.ts'
import { decodeRow, encodeRow, readEvent, type ReadRow } from '#actors/journal/rows.ts'
import type { FixityStatus } from '#actors/works/receipts/statement.ts'
import {
  type CheckTarget,
  type ContentPlace,
  contentUrl,
  describeFinding,
  type FixityCheck,
  type HashSource,
  hostTag,
  isSameTarget,
} from '#actors/works/content.ts'
import {
  type FileChecked,
  metadataAt,
  type WorkState,
  type WorkStep,
} from '#actors/works/events.ts'
import type { WorkFile } from '#actors/works/files.ts'
import {
  type CheckDecision,
  type CheckMoment,
  type CheckReport,
  contentReason,
  describeCheck,
  type Due,
  hashSource,
  nextAfter,
  nextCheckAt,
  service,
  statusOf,
  streakAfter,
} from '#actors/works/fixity_rules.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { dueFrom, readFixityChecks, type StoredWork } from '#actors/works/record.ts'
import { assert } from '#log/tlog/errors.ts'
import type { Operation } from '#log/store/store.ts'

/** Files of a work that are checked: the first ones. */
export const checkedFilesMax = 100

/** Checks of a file that its row names; the journal has them all. */
const checksMax = 5

// What is no file of the work that everybody may read.
const apart: ReadonlySet<string | undefined> = new Set(['landing_page', 'similarity_checking'])

/**
 * The files of a work that are checked, each by itself, by their places from 0. The content is not
 * among them, which the work is checked for, nor is an address that stands there twice.
 */
function checkedFiles(metadata: Metadata, content: ContentPlace): ReadonlyMap<number, WorkFile> {
  const { files = [] } = metadata
  const checked = new Map<number, WorkFile>()
  if (files.length === 0) return checked
  const urls = new Set([contentUrl(metadata, content)])
  for (const [place, file] of files.entries()) {
    if (checked.size >= checkedFilesMax) break
    if (apart.has(file.kind) || urls.has(file.url)) continue
    urls.add(file.url)
    checked.set(place, file)
  }
  return checked
}

/** What is known of a file: nothing that a server has said, which its checks alone tell. */
type FileRow = {
  readonly status: FixityStatus
  /** `sha256:<hex>`, as it was first found; null before that. */
  readonly hash: string | null
  /** Checks in a row with the same status. */
  readonly streak: number
  readonly next_check_at: string
  /** The journal positions of the newest checks, oldest first. */
  readonly checks: readonly number[]
}

function fileKey(ark: string, place: number): string {
  return `file/${ark}/${String(place).padStart(4, '0')}`
}

function readFileRow(ark: string, place: number, read: ReadRow): FileRow | undefined {
  return decodeRow<FileRow>(read(fileKey(ark, place)))
}

/** When a file is to be checked next, and in which class of the queue. */
export function fileDue({ row }: Pick<FileToCheck, 'row'>): Pick<Due, 'class' | 'at'> {
  return { class: row.status === 'pending' ? 0 : 1, at: row.next_check_at }
}

function dueKey(ark: string, place: number, row: FileRow): string {
  const { class: dueClass, at } = fileDue({ row })
  return `${dueFrom(dueClass, Date.parse(at))}${ark}/${place}`
}

// Fields of which it hangs which files there are to check.
const fileFields: ReadonlySet<string> = new Set(['files', 'work_url', 'existing_doi'])

/** The rows of the files of a work, and those by which they are due. */
export function indexFiles(step: WorkStep, read: ReadRow): Operation[] {
  const { was, state, event, left, entered } = step
  if (event.type === 'FileChecked') return noteCheck(state.ark, event, read)
  if (event.type === 'WorkVersioned' && entered !== undefined) {
    if (!event.data.changed_fields.some((field) => fileFields.has(field))) return []
  }
  // Most works have none.
  if (left?.files === undefined && entered?.files === undefined) return []
  const before = left && was && checkedFiles(left, was)
  const after = entered && checkedFiles(entered, state)
  const rows = new Map(
    [...(before?.keys() ?? [])].map((place) => [place, readFileRow(state.ark, place, read)]),
  )
  const operations: Operation[] = []
  for (const [place, row] of rows) {
    if (row === undefined) continue
    if (was?.status === 'registered') operations.push(del(dueKey(state.ark, place, row)))
    if (event.type !== 'WorkWithdrawn') operations.push(del(fileKey(state.ark, place)))
  }
  for (const [place, file] of after ?? []) {
    const known = before && [...before].find(([, { url }]) => url === file.url)
    const kept = known?.[1].sha256 === file.sha256 ? known && rows.get(known[0]) : undefined
    operations.push(...put(state.ark, place, kept ?? newFile(event.at), file))
  }
  return operations
}

function newFile(at: string): FileRow {
  return { status: 'pending', hash: null, streak: 0, next_check_at: at, checks: [] }
}

function del(key: string): Operation {
  return { type: 'del', key }
}

function put(ark: string, place: number, row: FileRow, { url }: Pick<WorkFile, 'url'>) {
  return putRows(ark, place, row, Buffer.from(hostTag(url)))
}

/** `host` tells the queue which one serves the file, without naming it. */
function putRows(ark: string, place: number, row: FileRow, host: Uint8Array): Operation[] {
  return [
    { type: 'put', key: fileKey(ark, place), value: encodeRow(row) },
    { type: 'put', key: dueKey(ark, place, row), value: host },
  ]
}

function noteCheck(ark: string, event: JournalEvent & FileChecked, read: ReadRow): Operation[] {
  const { file: place, status, sha256, next_check_at } = event.data
  const before = readFileRow(ark, place, read)
  assert(before !== undefined, 'a file that was checked has a row')
  const due = dueKey(ark, place, before)
  const host = read(due)
  assert(host !== undefined, 'a file that was checked was due')
  const found = status === 'verified' ? `sha256:${sha256}` : null
  const row: FileRow = {
    status,
    hash: before.hash ?? found,
    streak: streakAfter(before, status),
    next_check_at,
    checks: [...before.checks, event.position].slice(-checksMax),
  }
  return [del(due), ...putRows(ark, place, row, host)]
}

/** A file of a work as a check finds it: what the check is about, and what is known so far. */
type FileToCheck = { readonly target: CheckTarget; readonly row: FileRow }

/** Reads a file of the newest version of a work; undefined if there is none that is checked. */
export function readFile(
  { ark, position, status }: WorkState,
  place: number,
  read: ReadRow,
): FileToCheck | undefined {
  const row = status === 'registered' ? readFileRow(ark, place, read) : undefined
  const file = row && metadataAt(position, read)?.files?.[place]
  if (row === undefined || file === undefined) return undefined
  return { row, target: { url: file.url, hash: hashOf(file, row), isStable: row.hash !== null } }
}

function hashOf({ sha256 }: WorkFile, { hash }: FileRow): string | null {
  return hash ?? (sha256 === undefined ? null : `sha256:${sha256}`)
}

/** Decides what a check says of a file; `known` is undefined if it is not checked any more. */
export function decideFileCheck(
  state: WorkState,
  known: FileToCheck | undefined,
  { file, target, finding }: CheckReport & { readonly file: number },
  moment: CheckMoment,
): CheckDecision {
  if (state.status === 'withdrawn') return { type: 'gone', withdrawnAt: state.updated_at }
  if (known === undefined || !isSameTarget(target, known.target)) return { type: 'outdated' }
  const status = statusOf(finding)
  const next_check_at = nextAfter(finding, streakAfter(known.row, status), moment)
  const event: FileChecked = {
    type: 'FileChecked',
    schema: 1,
    by: service,
    data: { version: state.version, file, status, ...describeFinding(finding), next_check_at },
  }
  return { type: 'accepted', events: [event], statements: [] }
}

/** What is known of a file of a work: of the content, and of what stands beside it. */
export type FileFixity = {
  readonly url: string
  readonly name?: string
  readonly kind?: WorkFile['kind']
  /** Whether it is the content, whose hash the receipt has. */
  readonly is_content: boolean
  /** Null of what is not checked: a landing page, or a file beyond those that are. */
  readonly fixity_status: FixityStatus | null
  readonly hash: string | null
  readonly hash_source: HashSource | null
  readonly media_type: string | null
  readonly size: number | null
  readonly reason: string | null
  readonly message: string | null
  readonly checked_at: string | null
  readonly next_check_at: string | null
  /** The newest checks, oldest first. */
  readonly checks: readonly FixityCheck[]
}

/**
 * Reads what is known of the content of a work's newest version, and of its files in their order;
 * nothing of one that was withdrawn. The newest checks of the first files are read, no more.
 */
export function readFiles({ state }: StoredWork, read: ReadRow): readonly FileFixity[] {
  const metadata = state.status === 'withdrawn' ? undefined : metadataAt(state.position, read)
  if (metadata === undefined) return []
  const { files = [] } = metadata
  const url = contentUrl(metadata, state)
  const own = files.find((file) => file.url === url)
  const checked = checkedFiles(metadata, state)
  const others = [...files.entries()].filter(([, file]) => file !== own)
  return [
    contentFile(state, own ?? { url }, read),
    ...others.map(([place, file]) => {
      const row = checked.has(place) ? readFileRow(state.ark, place, read) : undefined
      return describeFile(file, row, read)
    }),
  ]
}

function contentFile(state: WorkState, file: WorkFile, read: ReadRow): FileFixity {
  const { checked, fixity_status, content_hash } = state
  return {
    ...calledAs(file),
    is_content: true,
    fixity_status,
    hash: content_hash,
    hash_source: hashSource(state),
    media_type: checked?.stable?.media_type ?? null,
    size: checked?.stable?.bytes ?? null,
    ...contentReason(state),
    checked_at: checked?.checked_at ?? null,
    next_check_at: nextCheckAt(state),
    checks: checked ? readFixityChecks(state.ark, checked.since, read).slice(-checksMax) : [],
  }
}

function describeFile(file: WorkFile, row: FileRow | undefined, read: ReadRow): FileFixity {
  const checks = (row?.checks ?? []).map((position) => {
    const event = readEvent(position, read) as JournalEvent & FileChecked
    return describeCheck(event, event.at)
  })
  const last = checks.at(-1)
  const found = checks.findLast(({ status }) => status === 'verified')
  const hash = row === undefined ? null : hashOf(file, row)
  return {
    ...calledAs(file),
    is_content: false,
    fixity_status: row?.status ?? null,
    hash,
    hash_source: hash === null ? null : row?.hash === null ? 'declared' : 'fetched',
    media_type: found?.media_type ?? null,
    size: found?.bytes ?? null,
    reason: last?.reason ?? null,
    message: last?.message ?? null,
    checked_at: last?.timestamp ?? null,
    next_check_at: row?.next_check_at ?? null,
    checks,
  }
}

function calledAs({ url, name, kind }: WorkFile): Pick<FileFixity, 'url' | 'name' | 'kind'> {
  return { url, ...(name !== undefined && { name }), ...(kind !== undefined && { kind }) }
}
