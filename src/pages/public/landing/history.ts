import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { badge, card, foldedList, time } from '#src/pages/kit/parts.ts'
import type { EventReply, LandingRecord, VersionReply } from '#src/use_cases/landing_record.ts'
import { sourceLink } from '#src/pages/public/landing/work_parts.ts'
import { plural } from '#src/pages/kit/words.ts'

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
  const isThis = work.status === 'registered' && number === work.version
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
function comparison({ version }: VersionReply, { ark, status }: LandingRecord['work']): Html {
  if (version === 1 || status !== 'registered') return nothing
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
}

/** What people call a field of metadata, in the middle of a sentence. */
export function fieldName(field: string): string {
  return fieldNames[field] ?? field
}

/** Names fields as people do: `title, abstract and DOI`. */
function nameFields(fields: readonly string[]): string {
  const names = fields.map(fieldName)
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
