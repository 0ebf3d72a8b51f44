import type { FixityChecks } from '#actors/works/fixity/client.ts'
import type { FixityCheck } from '#actors/works/content.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { badge, card, type Fact, facts, foldedList, time } from '#src/pages/kit/parts.ts'
import { fixityBadge, formatNumber, plural } from '#src/pages/kit/words.ts'
import { hashText, sizeName, sourceLink } from '#src/pages/public/landing/work_parts.ts'
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
  const list = foldedList({
    items: versions.map((version) => versionItem(version, work)),
    openMax: isNewest ? openVersionsMax : versions.length,
    kind: 'versions',
    more: (count) => plural(count, 'earlier version'),
  })
  return card(
    'Versions',
    html`${
      newer === 0
        ? ''
        : html`<p>${plural(newer, 'newer version')}, up to
<a href="/${work.ark}">the newest</a></p>`
    }
${list}
${
  older === 0
    ? ''
    : html`<p>${plural(older, 'older version')}, from
<a href="/${work.ark}/v${older}">version ${older}</a> down</p>`
}`,
  )
}

function versionItem(version: VersionReply, work: LandingRecord['work']): Html {
  const { version: number, created_at, version_note: note, source } = version
  const isThis = work.metadata !== undefined && number === work.version
  const name = html`Version ${number}`
  const title = isThis
    ? html`<strong>${name}</strong> ${badge('this page')}`
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
  const name = `Compare version ${version} with the one before`
  return html`<a href="${versionsPath}?${query.toString()}" aria-label="${name}">Compare</a>`
}

function whatChanged({ kind, changed_fields: fields }: VersionReply): string {
  if (kind === 'registered') return 'Registered.'
  const changed = nameFields(fields)
  return kind === 'versioned' ? `A new version: changed ${changed}.` : `Changed ${changed}.`
}

/** Events that are shown at once. */
const openEventsMax = 5

/** Who registered a work, and who wrote what since, newest first. */
export function historyList(record: LandingRecord): Html {
  const { work, owner, events, hasOlder, versionsTotal: versions } = record
  const list = foldedList({
    items: events.map((event) => eventItem(event, versions)),
    openMax: openEventsMax,
    kind: 'history',
    more: (count) => plural(count, 'earlier change'),
  })
  const history = new URL(work.links['history'] ?? '').pathname
  return card(
    'Who wrote what',
    html`<p>Registered on ${time(work.created_at)} by ${sourceLink(owner)}. Every change
stays in the history.</p>
${list}
<p><a href="${history}">${hasOlder ? 'The whole history' : 'The history'} as JSON</a></p>`,
  )
}

function eventItem(event: EventReply, versions: number): Html {
  const message = event.message ?? undefined
  const why = message === undefined ? '' : html`<p class="hint">${message}</p>`
  const what = whatHappened(event, versions)
  return html`<li>${time(event.at)} ${what}, by ${writer(event)}${why}</li>`
}

function writer({ by, type }: EventReply): Html {
  if (type === 'work.fixity_changed') return html`this registry, by itself`
  return sourceLink({ type: by.type, id: by.organization ?? by.name, name: by.name })
}

function whatHappened(event: EventReply, versions: number): string {
  const { type, version, changed_fields: fields, fixity_status: fixity } = event
  switch (type) {
    case 'work.registered':
      return 'Registered'
    case 'work.versioned':
      return `Version ${version}: changed ${nameFields(fields)}`
    case 'work.fixity_changed':
      return `${contentName(version, versions)} ${contentStates[fixity ?? ''] ?? 'checked'}`
    case 'work.withdrawn':
      return 'Withdrawn'
    case 'work.erased':
      return 'Metadata erased'
    case 'work.metadata_lost':
      return 'Metadata found to be lost'
    default:
      return type
  }
}

function contentName(version: number, versions: number): string {
  return versions > 1 ? `Content of version ${version}` : 'Content'
}

const contentStates: Readonly<Record<string, string>> = {
  verified: 'found as registered',
  failed: 'found changed',
  unreachable: 'not confirmed',
}

// What people call the fields of metadata, in the middle of a sentence.
const fieldNames: Readonly<Record<string, string>> = {
  work_title: 'title',
  work_type: 'type',
  authors: 'authors',
  author_details: 'details of authors',
  description: 'abstract',
  work_url: 'address of the content',
  existing_doi: 'DOI',
  keywords: 'keywords',
  language: 'language',
  license: 'license',
  published_date: 'date of publication',
  publisher_name: 'publisher',
  container_title: 'container',
  volume: 'volume',
  issue: 'issue',
  pages: 'pages',
  related_identifiers: 'related identifiers',
  funding: 'funding',
  content_hash: 'declared hash of the content',
  work_title_language: 'language of the title',
  titles: 'other titles',
  descriptions: 'further texts',
  resource_type: 'kind of work in words',
  resource_version: 'version of the content',
  resource_version_note: 'what is new in the version of the content',
  geo_locations: 'places',
  external_id: 'own identifier',
  alternate_identifiers: 'other identifiers',
  publisher_id: 'identifier of the publisher',
  publisher_language: 'language of the publisher’s name',
  publisher_place: 'place of the publisher',
  issn: 'ISSN',
  isbn: 'ISBN',
  series_issn: 'ISSN of the series',
  group_title: 'preprint group',
  update_notices: 'retractions and corrections',
  content_domain: 'hosts that show corrections',
  assertions: 'what the publisher says',
}

/** What people call a field of metadata, in the middle of a sentence. */
export function fieldName(field: string): string {
  return fieldNames[field] ?? field.replaceAll('_', ' ')
}

/** Names fields as people do: `title, abstract and DOI`. */
function nameFields(fields: readonly string[]): string {
  const names = fields.map(fieldName)
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
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
      : html`<p class="hint">The checks went on <a href="/${ark}">with the newest version</a>.</p>`
  return card(
    'Is it still the same?',
    html`<p class="fixity">${fixityBadge(content.fixity_status, content.reason)}
${summary(work, fixity, nowMs)}</p>
${elsewhere}
${facts([...hashFacts(work, fixity), ...timeFacts(content, fixity)])}
${checkList(fixity?.fixity_checks ?? [])}`,
  )
}

/** What the state means, in one or two sentences. */
function summary(
  { content, status: standing }: WorkReply,
  fixity: FixityChecks | undefined,
  nowMs: number,
): string {
  const { fixity_status: status, message, checked_at: at, hash_source: source } = content
  if (standing === 'withdrawn') {
    const last = at === null ? 'It was never read here.' : `Last read ${elapsedSince(at, nowMs)}.`
    return `This registry does not check the content of withdrawn works. ${last}`
  }
  if (status === 'pending' || at === null) {
    const declared =
      source === 'declared' ? ' Until then its hash is the word of whoever registered it.' : ''
    return `This registry has not read the content yet; it is in the queue.${declared}`
  }
  const ago = elapsedSince(at, nowMs) + inARow(fixity?.streak ?? 0)
  switch (status) {
    case 'verified':
      return `Last seen unchanged ${ago}.`
    case 'failed':
      return `The content is not what was registered. Last found so ${ago}.`
    case 'unreachable':
      if (content.reason === 'landing_page') return landingPageText(ago)
      return (
        `The content could not be confirmed: ${message ?? 'there was none'}. ` +
        `Last tried ${ago}. That does not say that it has changed.`
      )
  }
}

function landingPageText(ago: string): string {
  return (
    'The address leads to a page about the work, not to a file. There is no content to compare. ' +
    `Its publisher can give the address of the file itself. Last tried ${ago}.`
  )
}

function inARow(streak: number): string {
  if (streak === 0) return ''
  return streak === 1 ? ', in 1 check' : `, in ${formatNumber(streak)} checks in a row`
}

function hashFacts(
  { content, metadata }: WorkReply,
  fixity: FixityChecks | undefined,
): readonly Fact[] {
  const { hash, hash_source: source } = content
  const { content_hash: declared } = metadata
  const isRead = source === 'fetched' && hash !== null
  const none = declared === undefined ? 'none yet' : 'not read here yet'
  return [
    ['Declared hash', declared === undefined ? undefined : hashText(declared)],
    isRead
      ? ['Registered hash', html`${hashText(hash)}${agreement(hash, declared)}`]
      : ['Hash', content.fixity_status === 'failed' ? undefined : none],
    ['Hash found since', foundHash(content, fixity)],
  ]
}

/** What was found at the newest check that found something else than is registered. */
function foundHash(content: ContentReply, fixity: FixityChecks | undefined): Html | undefined {
  const found = changedCheck(content, fixity)
  if (found?.sha256 === undefined || found.sha256 === null) return undefined
  const words = html`read on ${time(found.timestamp)}, another one than registered`
  return html`${hashText(`sha256:${found.sha256}`)} <span class="hint">${words}</span>`
}

/** What readers must know before all else of content that is not what was registered. */
export function changedNotice({ content }: WorkReply, fixity: FixityChecks | undefined): Html {
  if (content.fixity_status !== 'failed') return nothing
  const check = changedCheck(content, fixity)
  const when = check === undefined ? '' : html` on ${time(check.timestamp)}`
  return html`<div class="flash flash-error" role="note"><p><strong>The content has
changed.</strong> What this registry read${when} is not what was registered.
<a href="#fixity">Compare the hashes</a> before you rely on it.</p></div>`
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
  const read = 'as first read here'
  if (declared === undefined) return html` <span class="hint">${read}</span>`
  const than = fetched === declared ? 'the same as declared' : 'another one than declared'
  return html` <span class="hint">${read}, ${than}</span>`
}

function timeFacts(content: ContentReply, fixity: FixityChecks | undefined): readonly Fact[] {
  const next = fixity?.next_check_at ?? null
  return [
    ['Last check', content.checked_at === null ? undefined : time(content.checked_at)],
    ['Next check from', next === null ? undefined : time(next)],
  ]
}

function checkList(oldestFirst: readonly FixityCheck[]): Html {
  if (oldestFirst.length === 0) return nothing
  const list = foldedList({
    items: oldestFirst.toReversed().map(checkItem),
    openMax: openChecksMax,
    kind: 'timeline',
    more: (count) => plural(count, 'earlier check'),
  })
  return html`<h3>Checks</h3>${list}`
}

const outcomes: Readonly<Record<FixityCheck['status'], string>> = {
  verified: 'Unchanged',
  failed: 'Changed',
  unreachable: 'Not confirmed',
}

function checkItem({ timestamp, status, message, bytes, sha256 }: FixityCheck): Html {
  const hash = sha256 === null ? '' : html` <code>sha256:${sha256.slice(0, 12)}…</code>`
  const read = bytes === null ? '' : html`<span class="hint">${sizeName(bytes)}${hash}</span>`
  return html`<li class="check check-${status}"><strong>${outcomes[status]}</strong>
${time(timestamp)} ${message === null ? '' : html`<span>${message}.</span>`} ${read}</li>`
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

/** How long a span is, in whole units of the largest that it fills: `3 hours`. */
export function inWords(spanMs: number): string {
  for (const [unit, unitMs] of units) {
    const count = Math.floor(spanMs / unitMs)
    if (count >= 1) return count === 1 ? `1 ${unit}` : `${count} ${unit}s`
  }
  return 'less than a minute'
}

/** How long ago a time was, which may lie a little ahead where clocks differ: `3 hours ago`. */
export function elapsedSince(timestamp: string, nowMs: number): string {
  const spanMs = nowMs - Date.parse(timestamp)
  return spanMs < minuteMs ? 'just now' : `${inWords(spanMs)} ago`
}
