import type { FixityChecks } from '#actors/works/fixity/client.ts'
import type { FixityCheck } from '#actors/works/content.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { asLink, badge, card, type Fact, facts, foldedList, time } from '#src/pages/kit/parts.ts'
import { fixityBadge } from '#src/pages/kit/words.ts'
import { landing } from '#src/words/english.ts'
import { nameFields } from '#src/discovery/feeds/field_names.ts'
import { ago, inEnglish } from '#src/words/format.ts'
import type { Text, Wording } from '#src/words/wording.ts'
import { hashText, sizeName, sourceLink, strong } from '#src/pages/public/landing/work_parts.ts'
import type {
  ContentReply,
  EventReply,
  LandingRecord,
  VersionReply,
  WorkReply,
} from '#src/use_cases/landing_record.ts'

/** Where two versions of a work are compared. */
export const versionsPath = '/versions'

/** Versions that are shown at once; around one that is not the newest, all are. */
const openVersionsMax = 5

/** The versions of a work, newest first: when, by whom, what changed, and why. */
export function versionList(record: LandingRecord): Html {
  const { work, versions, versionsTotal } = record
  const newer = versionsTotal - (versions[0]?.version ?? versionsTotal)
  const older = (versions.at(-1)?.version ?? 1) - 1
  const isNewest = work.version === versionsTotal
  const shown = foldedList({
    items: versions.map((version) => versionItem(version, work)),
    openMax: isNewest ? openVersionsMax : versions.length,
    kind: 'versions',
    more: (count) => landing.earlierVersions({ count }),
  })
  const newest = asLink(`/${work.ark}`)
  const next = asLink(`/${work.ark}/v${older}`)
  const before = landing.olderVersions({ count: older, number: older, link: next })
  return card(
    landing.versions,
    html`${newer === 0 ? '' : html`<p>${landing.newerVersions({ count: newer, link: newest })}</p>`}
${shown}
${older === 0 ? '' : html`<p>${before}</p>`}`,
  )
}

function versionItem(version: VersionReply, work: LandingRecord['work']): Html {
  const { version: number, created_at, version_note: note, source } = version
  const isThis = work.metadata !== undefined && number === work.version
  const name = landing.version({ number })
  const title = isThis
    ? html`<strong>${name}</strong> ${badge(landing.thisPage)}`
    : html`<a href="/${work.ark}/v${number}">${name}</a>`
  return html`<li class="${isThis ? 'this-version' : ''}">
<p>${title} ${time(created_at)}, ${sourceLink(source)}</p>
<p class="hint">${whatChanged(version)} ${comparison(version, work)}</p>
${note === undefined ? '' : html`<p class="note" dir="auto">${note}</p>`}
</li>`
}

/** Leads to what a version says beside the one before. */
function comparison({ version }: VersionReply, { ark, metadata }: LandingRecord['work']): Html {
  if (version === 1 || metadata === undefined) return nothing
  const query = new URLSearchParams({ ark, from: `${version - 1}`, to: `${version}` })
  const name = landing.compareWith({ number: version })
  const href = `${versionsPath}?${query.toString()}`
  return html`<a href="${href}" aria-label="${name}">${landing.compare}</a>`
}

function whatChanged({ kind, changed_fields: names }: VersionReply): Text {
  if (kind === 'registered') return landing.firstVersion
  const changed = { fields: nameFields(names) }
  return kind === 'versioned' ? landing.newVersion(changed) : landing.changed(changed)
}

/** Events that are shown at once. */
const openEventsMax = 5

/** Who registered a work, and who wrote what since, newest first. */
export function historyList(record: LandingRecord): Html {
  const { work, owner, events, hasOlder, versionsTotal: versions } = record
  const shown = foldedList({
    items: events.map((event) => eventItem(event, versions)),
    openMax: openEventsMax,
    kind: 'history',
    more: (count) => landing.earlierChanges({ count }),
  })
  const history = new URL(work.links['history'] ?? '').pathname
  const registered = { time: time(work.created_at), who: sourceLink(owner) }
  return card(
    landing.history,
    html`<p>${landing.registeredBy(registered)}</p>
${shown}
<p><a href="${history}">${hasOlder ? landing.wholeHistoryJson : landing.historyJson}</a></p>`,
  )
}

function eventItem(event: EventReply, versions: number): Html {
  const message = event.message ?? undefined
  // A check says what it found in English; anything else is what somebody has typed.
  const text = event.type === 'work.fixity_changed' ? inEnglish(message ?? '') : message
  const why = message === undefined ? '' : html`<p class="hint" dir="auto">${text ?? ''}</p>`
  const what = whatHappened(event, versions)
  const said = landing.event({ time: time(event.at), what, who: writer(event) })
  return html`<li>${said}${why}</li>`
}

function writer({ by, type }: EventReply): Wording {
  if (type === 'work.fixity_changed') return landing.registryItself
  return sourceLink({ type: by.type, id: by.organization ?? by.name, name: by.name })
}

function whatHappened(event: EventReply, versions: number): Text {
  const { type, version, changed_fields: names, fixity_status: fixity } = event
  switch (type) {
    case 'work.registered':
      return landing.eventRegistered
    case 'work.versioned':
      return landing.eventVersion({ number: version, fields: nameFields(names) })
    case 'work.fixity_changed':
      return contentEvent(fixity, versions > 1 ? version : undefined)
    case 'work.withdrawn':
      return landing.eventWithdrawn
    case 'work.erased':
      return landing.eventErased
    case 'work.metadata_lost':
      return landing.eventLost
    default:
      return type
  }
}

/** What a check has found of the content: of the version of that number, if there are several. */
function contentEvent(status: EventReply['fixity_status'], number: number | undefined): Text {
  if (status === 'verified') {
    return number === undefined ? landing.eventVerified : landing.eventVerifiedOf({ number })
  }
  if (status === 'failed') {
    return number === undefined ? landing.eventFailed : landing.eventFailedOf({ number })
  }
  return number === undefined ? landing.eventUnreachable : landing.eventUnreachableOf({ number })
}

/** Checks that are shown at once, the newest ones. */
const openChecksMax = 5

/** Whether the content of a version still is what was registered: now, and at every check. */
export function fixityTimeline(
  work: WorkReply,
  fixity: FixityChecks | undefined,
  nowMs: number,
): Html {
  const { content, is_latest: isLatest, ark } = work
  const elsewhere =
    isLatest || work.status === 'withdrawn'
      ? ''
      : html`<p class="hint">${landing.checkedElsewhere({ link: asLink(`/${ark}`) })}</p>`
  return card(
    landing.fixity,
    html`<p class="fixity">${fixityBadge(content.fixity_status, content.reason)}
${summary(work, fixity, nowMs)}</p>
${elsewhere}
${facts([...hashFacts(work, fixity), ...timeFacts(content, fixity)])}
${checkList(fixity?.fixity_checks ?? [])}`,
  )
}

/** What the state means, in one or two sentences. */
function summary(
  { content, status: stands }: WorkReply,
  fixity: FixityChecks | undefined,
  nowMs: number,
): Text {
  const { fixity_status: status, message, checked_at: at, hash_source: source } = content
  const since = { ago: at === null ? '' : elapsedSince(at, nowMs) }
  if (stands === 'withdrawn') return at === null ? landing.neverRead : landing.lastRead(since)
  if (status === 'pending' || at === null) {
    return source === 'declared' ? landing.queuedDeclared : landing.queued
  }
  switch (status) {
    case 'verified': {
      const count = fixity?.streak ?? 0
      return count === 0 ? landing.unchanged(since) : landing.unchangedInARow({ count, ...since })
    }
    case 'failed':
      return landing.isChanged(since)
    case 'unreachable': {
      if (content.reason === 'landing_page') return landing.isLandingPage(since)
      const reason = message === null ? landing.noContent : inEnglish(message)
      return landing.notConfirmed({ reason, ...since })
    }
  }
}

function hashFacts(
  { content, metadata }: WorkReply,
  fixity: FixityChecks | undefined,
): readonly Fact[] {
  const { hash, hash_source: source } = content
  const { content_hash: declared } = metadata
  const isRead = source === 'fetched' && hash !== null
  const none = declared === undefined ? landing.noneYet : landing.notReadYet
  return [
    [landing.declaredHash, declared === undefined ? undefined : hashText(declared)],
    isRead
      ? [landing.registeredHash, html`${hashText(hash)}${agreement(hash, declared)}`]
      : [landing.hash, content.fixity_status === 'failed' ? undefined : none],
    [landing.hashFound, foundHash(content, fixity)],
  ]
}

/** What was found at the newest check that found something else than is registered. */
function foundHash(content: ContentReply, fixity: FixityChecks | undefined): Html | undefined {
  const found = changedCheck(content, fixity)
  if (found?.sha256 === undefined || found.sha256 === null) return undefined
  const words = landing.hashFoundOn({ time: time(found.timestamp) })
  return html`${hashText(`sha256:${found.sha256}`)} <span class="hint">${words}</span>`
}

/** What readers must know before all else of content that is not what was registered. */
export function changedNotice({ content }: WorkReply, fixity: FixityChecks | undefined): Html {
  if (content.fixity_status !== 'failed') return nothing
  const check = changedCheck(content, fixity)
  const slots = { strong, link: asLink('#fixity') }
  const said =
    check === undefined
      ? landing.changedNotice(slots)
      : landing.changedNoticeOn({ ...slots, time: time(check.timestamp) })
  return html`<div class="flash flash-error" role="note"><p>${said}</p></div>`
}

/** The newest check that has found content changed; undefined if it is as registered. */
function changedCheck(
  { fixity_status: status }: ContentReply,
  fixity: FixityChecks | undefined,
): FixityCheck | undefined {
  if (status !== 'failed') return undefined
  return fixity?.fixity_checks.findLast((check) => check.status === 'failed')
}

function agreement(fetched: string, declared: string | undefined): Html {
  const same = fetched === declared ? landing.asDeclared : landing.notAsDeclared
  return html` <span class="hint">${declared === undefined ? landing.firstRead : same}</span>`
}

function timeFacts(content: ContentReply, fixity: FixityChecks | undefined): readonly Fact[] {
  const next = fixity?.next_check_at ?? null
  return [
    [landing.lastCheck, content.checked_at === null ? undefined : time(content.checked_at)],
    [landing.nextCheck, next === null ? undefined : time(next)],
  ]
}

function checkList(oldestFirst: readonly FixityCheck[]): Html {
  if (oldestFirst.length === 0) return nothing
  const shown = foldedList({
    items: oldestFirst.toReversed().map(checkItem),
    openMax: openChecksMax,
    kind: 'timeline',
    more: (count) => landing.earlierChecks({ count }),
  })
  return html`<h3>${landing.checks}</h3>${shown}`
}

const outcomes: Readonly<Record<FixityCheck['status'], Text>> = {
  verified: landing.checkVerified,
  failed: landing.checkFailed,
  unreachable: landing.checkUnreachable,
}

function checkItem({ timestamp, status, message, bytes, sha256 }: FixityCheck): Html {
  const hash = sha256 === null ? '' : html` <code>sha256:${sha256.slice(0, 12)}…</code>`
  const read = bytes === null ? '' : html`<span class="hint">${sizeName(bytes)}${hash}</span>`
  const said = message === null ? '' : html`<span>${inEnglish(`${message}.`)}</span>`
  return html`<li class="check check-${status}"><strong>${outcomes[status]}</strong>
${time(timestamp)} ${said} ${read}</li>`
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

// From the longest; a month and a year are as long as they are on average.
const units = [
  ['year', 365.25 * dayMs],
  ['month', 30.44 * dayMs],
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
] as const

/** How long ago a time was, which may lie a little ahead where clocks differ: `3 hours ago`. */
export function elapsedSince(timestamp: string, nowMs: number): Text {
  const spanMs = nowMs - Date.parse(timestamp)
  for (const [unit, unitMs] of units) {
    const count = Math.floor(spanMs / unitMs)
    if (count >= 1) return ago(count, unit)
  }
  return landing.justNow
}
