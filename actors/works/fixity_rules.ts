import type { Agent } from '#actors/values/agent.ts'
import {
  type CheckedStatus,
  type CheckTarget,
  contentHash,
  type ContentPlace,
  contentUrl,
  describeFinding,
  type Finding,
  type FixityCheck,
  type HashSource,
  isSameTarget,
} from '#actors/works/content.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { FixityStatus, WorkStatement } from '#actors/works/receipts/statement.ts'
import type {
  CheckedContent,
  ContentState,
  FileChecked,
  FixityChecked,
  FixityRequested,
  Place,
  SupersededChecked,
  VersionContent,
  WorkEvent,
  WorkState,
} from '#actors/works/events.ts'
import { assert } from '#log/tlog/errors.ts'

/**
 * A check that was made: which version and what it was about, and what it found. `file` is the
 * place of what was checked among the files of the work, if it is not its content.
 */
export type CheckReport = {
  readonly version: number
  readonly file?: number
  readonly target: CheckTarget
  readonly finding: Finding
}

/** When a check is recorded, and a number in [0, 1) by which checks are spread. */
export type CheckMoment = { readonly at: string; readonly jitter: number }

/** A check to commit, with the `content` statement that it leads to. */
export type AcceptedCheck = {
  readonly type: 'accepted'
  readonly events: readonly [FixityChecked | SupersededChecked | FileChecked]
  readonly statements: readonly WorkStatement[]
}

/**
 * A version that was superseded before its first check: what its receipt says, its metadata, and
 * the next older version of which the same is true.
 */
export type UnsettledVersion = ContentPlace & {
  readonly version: number
  readonly receipt_id: string
  readonly metadata_hash: string
  readonly content_hash: string | null
  readonly metadata: Metadata
  readonly waiting: number | null
}

/** What becomes of a check. `outdated`: the work has other content now, to be checked itself. */
export type CheckDecision =
  | AcceptedCheck
  | { readonly type: 'outdated' }
  | { readonly type: 'gone'; readonly withdrawnAt: string }

/** What becomes of the wish for a check; `queued`: it is to be made at once already. */
export type RequestDecision =
  | {
      readonly type: 'accepted'
      readonly events: readonly [FixityRequested]
      readonly statements: readonly []
    }
  | { readonly type: 'queued' }
  | { readonly type: 'gone'; readonly withdrawnAt: string }

/** What became of the wish to have a work checked soon. */
export type RecheckAnswer =
  | { readonly type: 'queued' }
  | { readonly type: 'not_found' }
  | { readonly type: 'gone'; readonly withdrawnAt: string }

/** Who makes checks. */
export const service: Agent = { type: 'operator', id: 'fixity', name: 'Fixity', via: 'service' }

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const weekMs = 7 * dayMs

// How long after a check the next one is due, by how many in a row had the same status; the last
// delay repeats. What is known well is asked for less and less often, to spare its host.
const settledDelays = [dayMs, 2 * dayMs, 4 * dayMs, weekMs]
const retryDelays = [
  minuteMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  12 * hourMs,
  ...settledDelays,
]

/** The share of a delay by which it may be longer, so that works do not stay due together. */
const jitterShare = 0.1

/** What a check of a work as it stands is about; `current` is the metadata of its version. */
export function checkTarget(state: ContentState, current: Metadata): CheckTarget {
  const isStable = state.checked?.stable !== undefined
  return { url: contentUrl(current, state), hash: state.content_hash, isStable }
}

/** What the check of a version is about that was superseded before its first. */
export function unsettledTarget({ metadata, ...content }: UnsettledVersion): CheckTarget {
  return checkTarget({ ...content, fixity_status: 'pending' }, metadata)
}

/** Where the content hash of a version is from; null as long as there is none. */
export function hashSource({ content_hash, checked }: VersionContent): HashSource | null {
  if (content_hash === null) return null
  return checked?.stable === undefined ? 'declared' : 'fetched'
}

/** Decides what a check says of a work as it stands; `current` is undefined once it was erased. */
export function decideCheck(
  state: WorkState,
  current: Metadata | undefined,
  { target, finding }: CheckReport,
  moment: CheckMoment,
): CheckDecision {
  if (state.status === 'withdrawn') return { type: 'gone', withdrawnAt: state.updated_at }
  assert(current !== undefined, 'a work that stands has its metadata')
  if (!isSameTarget(target, checkTarget(state, current))) return { type: 'outdated' }
  const status = statusOf(finding)
  const content = target.isStable ? undefined : contentOf(state, status, finding)
  const event: FixityChecked = {
    type: 'FixityChecked',
    schema: 1,
    by: service,
    data: {
      version: state.version,
      since: state.checked?.since ?? state.version,
      receipt_id: state.receipt_id,
      from: state.fixity_status,
      status,
      ...describeFinding(finding),
      next_check_at: nextAfter(finding, streakAfter(knownOf(state), status), moment),
      ...(content && { content }),
    },
  }
  return { type: 'accepted', events: [event], statements: stateContent(state, event, moment.at) }
}

/**
 * Decides what a check says of the version that `state.unsettled` names. It is the only one that is
 * made of it: content that cannot be read now may be another later on, and nobody asks for it.
 */
export function decideUnsettledCheck(
  state: WorkState,
  unsettled: UnsettledVersion,
  { target, finding }: CheckReport,
  at: string,
): CheckDecision {
  assert(state.unsettled?.version === unsettled.version, 'what is settled was not before')
  if (!isSameTarget(target, unsettledTarget(unsettled))) return { type: 'outdated' }
  const { version, receipt_id, waiting } = unsettled
  const status = statusOf(finding)
  const content = contentOf(unsettled, status, finding)
  const event: SupersededChecked = {
    type: 'SupersededChecked',
    schema: 1,
    by: service,
    data: {
      version,
      receipt_id,
      status,
      ...describeFinding(finding),
      ...(content && { content }),
      waiting,
    },
  }
  return { type: 'accepted', events: [event], statements: stateContent(state, event, at) }
}

function stateContent(
  { identifier: ark }: WorkState,
  { data: { version, receipt_id, content } }: FixityChecked | SupersededChecked,
  timestamp: string,
): WorkStatement[] {
  if (content === undefined) return []
  return [{ statement: 'content', ark, version, receipt_id, timestamp, ...content }]
}

/** Decides the wish to have a work checked soon. */
export function decideRequest(state: WorkState, by: Agent): RequestDecision {
  if (state.status === 'withdrawn') return { type: 'gone', withdrawnAt: state.updated_at }
  if (state.checked === undefined || state.checked.urgent === true) return { type: 'queued' }
  const event: FixityRequested = {
    type: 'FixityRequested',
    schema: 1,
    by,
    data: { version: state.version },
  }
  return { type: 'accepted', events: [event], statements: [] }
}

/** An event of which the metadata and the standing of a work know nothing. */
export type FixityEvent = FixityChecked | SupersededChecked | FixityRequested | FileChecked

/** Whether an event is of the checks of a work's content, or of another file of it. */
export function isFixityEvent<E extends WorkEvent>(event: E): event is E & FixityEvent {
  const types = ['FixityChecked', 'SupersededChecked', 'FixityRequested', 'FileChecked']
  return types.includes(event.type)
}

/** The work after an event of its fixity that the journal has put at `place`. */
export function evolveFixity(
  state: WorkState,
  event: FixityEvent,
  { seq, at, leafIndex }: Place,
): WorkState {
  if (event.type === 'SupersededChecked') {
    const { unsettled, ...rest } = state
    assert(unsettled?.version === event.data.version, 'a superseded version is checked once')
    const { waiting: version } = event.data
    return { ...rest, seq, ...(version !== null && { unsettled: { version, at } }) }
  }
  assert(event.data.version === state.version, 'only the newest version is checked')
  if (event.type === 'FileChecked') return { ...state, seq }
  if (event.type === 'FixityRequested') {
    assert(state.checked !== undefined, 'what was never checked is due already')
    return { ...state, seq, checked: { ...state.checked, next_check_at: at, urgent: true } }
  }
  const { status, since, reason, message, next_check_at, content } = event.data
  const streak = streakAfter(knownOf(state), status)
  const checked = { since, checked_at: at, reason, message, streak, next_check_at }
  if (content === undefined) {
    const stable = state.checked?.stable
    return {
      ...state,
      seq,
      fixity_status: status,
      checked: { ...checked, ...(stable && { stable }) },
    }
  }
  const stable = stableContent(event, leafIndex)
  const { content_hash } = content
  return {
    ...state,
    seq,
    fixity_status: status,
    content_hash,
    checked: { ...checked, stable },
    leafIndex,
  }
}

/**
 * What is known of the content of a version that was superseded before its first check, after that.
 */
export function settledContent(
  { content_hash, content_file }: VersionContent,
  event: SupersededChecked,
  { at, leafIndex }: Pick<Place, 'at' | 'leafIndex'>,
): VersionContent {
  const { version, status, reason, message, content } = event.data
  const checked = { since: version, checked_at: at, reason, message }
  const place = content_file === undefined ? {} : { content_file }
  if (content === undefined) return { fixity_status: status, content_hash, ...place, checked }
  return {
    ...place,
    fixity_status: status,
    content_hash: content.content_hash,
    checked: { ...checked, stable: stableContent(event, leafIndex) },
  }
}

/**
 * The content of a version of a work that was withdrawn: nobody reads what was not read before, so
 * that what was pending is `unreachable` from then on.
 */
export function settleWithdrawn<C extends VersionContent>(content: C): C {
  if (content.fixity_status !== 'pending') return content
  return { ...content, fixity_status: 'unreachable' }
}

/** A check that is to come: of which version, and when; class 0 goes before class 1. */
export type Due = { readonly version: number; readonly class: 0 | 1; readonly at: string }

/**
 * When a work is to be checked next. Undefined for a withdrawn work. Its newest version comes first
 * if it is new or asked for, then those that were superseded before their first check.
 */
export function dueOf(state: WorkState): Due | undefined {
  if (state.status === 'withdrawn') return undefined
  const { version, checked, unsettled } = state
  if (checked === undefined) return { version, class: 0, at: state.updated_at }
  if (checked.urgent === true) return { version, class: 0, at: checked.next_check_at }
  if (unsettled !== undefined) return { ...unsettled, class: 0 }
  return { version, class: 1, at: checked.next_check_at }
}

/** When the newest version of a work is due to be checked; null once the work is withdrawn. */
export function nextCheckAt({ status, checked, updated_at }: WorkState): string | null {
  if (status === 'withdrawn') return null
  return checked?.next_check_at ?? updated_at
}

/** What is to be said of content that is not as it should be: a word, and a clause for people. */
export type ContentReason = { readonly reason: string | null; readonly message: string | null }

/** Why content has the fixity status that it has; nulls if all is well, or if nothing is known. */
export function contentReason({ fixity_status, checked }: VersionContent): ContentReason {
  if (checked !== undefined) return { reason: checked.reason, message: checked.message }
  return fixity_status === 'pending' ? noReason : neverRead
}

const noReason: ContentReason = { reason: null, message: null }

const neverRead: ContentReason = {
  reason: 'withdrawn',
  message: 'the work was withdrawn before its content was read',
}

/** A check as `fixity_checks[]` shows it. */
export function describeCheck(
  { data }: FixityChecked | SupersededChecked | FileChecked,
  at: string,
): FixityCheck {
  const { status, method, version, final_url, http_status, bytes, media_type } = data
  const { sha256, sha512, reason, message } = data
  const found = { final_url, http_status, bytes, media_type, sha256, sha512 }
  return { timestamp: at, status, method, version, ...found, reason, message }
}

/** The fixity status after a finding. */
export function statusOf({ type }: Finding): CheckedStatus {
  switch (type) {
    case 'same':
      return 'verified'
    case 'changed':
      return 'failed'
    case 'unstable':
    case 'unavailable':
      return 'unreachable'
  }
}

/** What the checks before have shown. */
type Known = { readonly status: FixityStatus; readonly streak: number }

function knownOf({ fixity_status: status, checked }: ContentState): Known {
  return { status, streak: checked?.streak ?? 0 }
}

/** Checks in a row that have had a status, with the one that has found it now. */
export function streakAfter(before: Known, status: CheckedStatus): number {
  return before.status === status ? before.streak + 1 : 1
}

/** When the next check is due after one that was made at a moment, the `streak`th in a row. */
export function nextAfter(finding: Finding, streak: number, { at, jitter }: CheckMoment): string {
  const delayMs = delayAfter(finding, streak) * (1 + jitter * jitterShare)
  return new Date(Date.parse(at) + Math.round(delayMs)).toISOString()
}

// A host that names its own time is believed, up to a week.
function delayAfter(finding: Finding, streak: number): number {
  const delays = finding.type === 'unavailable' ? retryDelays : settledDelays
  const delayMs = delays[streak - 1] ?? weekMs
  if (finding.type !== 'unavailable') return delayMs
  return Math.max(delayMs, Math.min(finding.retryAfterMs ?? 0, weekMs))
}

function contentOf(
  { metadata_hash }: Pick<WorkState, 'metadata_hash'>,
  status: CheckedStatus,
  finding: Finding,
): FixityChecked['data']['content'] {
  if (status !== 'verified') return undefined
  const content_hash = 'content' in finding ? contentHash(finding.content) : undefined
  assert(content_hash !== undefined, 'verified content was fetched')
  return { content_hash, metadata_hash }
}

function stableContent(
  { data }: FixityChecked | SupersededChecked,
  leaf: number,
): NonNullable<CheckedContent['stable']> {
  const { sha512, bytes, media_type, version } = data
  return { sha512, bytes, media_type, version, leaf }
}
