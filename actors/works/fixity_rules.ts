import type { Agent } from '#actors/values/agent.ts'
import {
  type CheckedStatus,
  type CheckTarget,
  contentHash,
  contentUrl,
  type Finding,
  type FixityCheck,
  type HashSource,
  isSameTarget,
  publicUrl,
} from '#actors/works/content.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { WorkStatement } from '#actors/receipts/statement.ts'
import type {
  CheckedContent,
  ContentState,
  FixityChecked,
  FixityRequested,
  Place,
  WorkState,
} from '#actors/works/events.ts'
import { assert } from '#log/errors.ts'

/** A check that was made: what it was about, and what it found. */
export type CheckReport = { readonly target: CheckTarget; readonly finding: Finding }

/** When a check is recorded, and a number in [0, 1) by which checks are spread. */
export type CheckMoment = { readonly at: string; readonly jitter: number }

/** A check to commit, with the `content` statement that it leads to. */
export type AcceptedCheck = {
  readonly type: 'accepted'
  readonly events: readonly [FixityChecked]
  readonly statements: readonly WorkStatement[]
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

/** The registry itself, which makes the checks. */
const service: Agent = { type: 'operator', id: 'fixity', name: 'Fixity', via: 'service' }

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

/** Characters of a check's message that are kept. */
const messageCharactersMax = 300

/** What a check of a work as it stands is about; `current` is the metadata of its version. */
export function checkTarget(state: ContentState, current: Metadata): CheckTarget {
  const isStable = state.checked?.stable !== undefined
  return { url: contentUrl(current), hash: state.content_hash, isStable }
}

/** Where the content hash of a version is from; null as long as there is none. */
export function hashSource({ content_hash, checked }: ContentState): HashSource | null {
  if (content_hash === null) return null
  return checked?.stable === undefined ? 'declared' : 'fetched'
}

/** Decides what a check says of a work as it stands; `current` is undefined once it was erased. */
export function decideCheck(
  state: WorkState,
  current: Metadata | undefined,
  { target, finding }: CheckReport,
  { at, jitter }: CheckMoment,
): CheckDecision {
  if (state.status === 'withdrawn') return { type: 'gone', withdrawnAt: state.updated_at }
  assert(current !== undefined, 'a work that stands has its metadata')
  if (!isSameTarget(target, checkTarget(state, current))) return { type: 'outdated' }
  const status = statusOf(finding)
  const streak = streakAfter(state, status)
  const delayMs = delayAfter(finding, streak) * (1 + jitter * jitterShare)
  const content = status === 'verified' && !target.isStable ? contentOf(state, finding) : undefined
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
      next_check_at: new Date(Date.parse(at) + Math.round(delayMs)).toISOString(),
      ...(content && { content }),
    },
  }
  const statements: WorkStatement[] = []
  if (content !== undefined) {
    const { identifier: ark, version, receipt_id } = state
    statements.push({ statement: 'content', ark, version, receipt_id, timestamp: at, ...content })
  }
  return { type: 'accepted', events: [event], statements }
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

/** The work after an event of its fixity that the journal has put at `place`. */
export function evolveFixity(
  state: WorkState,
  event: FixityChecked | FixityRequested,
  { seq, at, leafIndex }: Place,
): WorkState {
  assert(event.data.version === state.version, 'only the newest version is checked')
  if (event.type === 'FixityRequested') {
    assert(state.checked !== undefined, 'what was never checked is due already')
    return { ...state, seq, checked: { ...state.checked, next_check_at: at, urgent: true } }
  }
  const { status, since, reason, message, next_check_at, content } = event.data
  const streak = streakAfter(state, status)
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

/** When a work is to be checked; class 0 goes before class 1. Undefined for a withdrawn work. */
export function dueOf(
  state: WorkState,
): { readonly class: 0 | 1; readonly at: string } | undefined {
  if (state.status === 'withdrawn') return undefined
  const { checked } = state
  if (checked === undefined) return { class: 0, at: state.updated_at }
  return { class: checked.urgent === true ? 0 : 1, at: checked.next_check_at }
}

/** A check as `fixity_checks[]` shows it. */
export function describeCheck({ data }: FixityChecked, at: string): FixityCheck {
  const { status, method, version, final_url, http_status, bytes, media_type } = data
  const { sha256, sha512, reason, message } = data
  const found = { final_url, http_status, bytes, media_type, sha256, sha512 }
  return { timestamp: at, status, method, version, ...found, reason, message }
}

function statusOf({ type }: Finding): CheckedStatus {
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

function streakAfter({ fixity_status, checked }: ContentState, status: CheckedStatus): number {
  return fixity_status === status && checked !== undefined ? checked.streak + 1 : 1
}

// A host that names its own time is believed, up to a week.
function delayAfter(finding: Finding, streak: number): number {
  const delays = finding.type === 'unavailable' ? retryDelays : settledDelays
  const delayMs = delays[streak - 1] ?? weekMs
  if (finding.type !== 'unavailable') return delayMs
  return Math.max(delayMs, Math.min(finding.retryAfterMs ?? 0, weekMs))
}

function contentOf(
  { metadata_hash }: WorkState,
  finding: Finding,
): NonNullable<FixityChecked['data']['content']> {
  const content_hash = 'content' in finding ? contentHash(finding.content) : undefined
  assert(content_hash !== undefined, 'verified content was fetched')
  return { content_hash, metadata_hash }
}

function stableContent(
  { data }: FixityChecked,
  leaf: number,
): NonNullable<CheckedContent['stable']> {
  const { sha512, bytes, media_type, version } = data
  assert(sha512 !== null && bytes !== null, 'stable content was hashed')
  return { sha512, bytes, media_type, version, leaf }
}

type Described = Omit<FixityCheck, 'timestamp' | 'status' | 'version'>

function describeFinding(finding: Finding): Described {
  const method = 'remote_fetch'
  if (finding.type === 'unavailable') {
    return {
      method,
      final_url: publicUrl(finding.url) ?? null,
      http_status: finding.httpStatus ?? null,
      bytes: null,
      media_type: null,
      sha256: null,
      sha512: null,
      reason: finding.reason,
      message: finding.message.slice(0, messageCharactersMax),
    }
  }
  const { sha256, sha512, bytes, mediaType, finalUrl } = finding.content
  return {
    method,
    final_url: publicUrl(finalUrl) ?? null,
    http_status: 200,
    bytes,
    media_type: mediaType ?? null,
    sha256,
    sha512,
    ...explain(finding),
  }
}

function explain(
  finding: Exclude<Finding, { type: 'unavailable' }>,
): Pick<FixityCheck, 'reason' | 'message'> {
  switch (finding.type) {
    case 'same':
      return { reason: null, message: null }
    case 'changed':
      return { reason: 'hash_mismatch', message: 'the content does not have the hash it should' }
    case 'unstable':
      return { reason: 'no_stable_content', message: finding.message }
  }
}
