import { doiUrl, shownDoiUrl } from '#actors/values/identifier.ts'
import { licenseNames } from '#actors/values/license.ts'
import type { GeoLocation, GeoPoint } from '#actors/values/geo_location.ts'
import type { FileFixity } from '#actors/works/file_fixity.ts'
import type { WorkFile } from '#actors/works/files.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { Contributor } from '#actors/works/names.ts'
import type { Issn } from '#actors/works/publication.ts'
import type { Reference } from '#actors/works/references.ts'
import type { RelatedItem } from '#actors/works/related_items.ts'
import type { Access, Rights } from '#actors/works/rights.ts'
import type { Subject, Title } from '#actors/works/titles.ts'
import { isGrave, type NoticeKind, type UpdateNotice } from '#actors/works/update_notices.ts'
import { type Html, html, joinHtml, nothing } from '#src/pages/kit/html.ts'
import { card, type Fact, facts, foldedList, time } from '#src/pages/kit/parts.ts'
import { capitalized, fixityBadge, relationName, typeName } from '#src/pages/kit/words.ts'
import { relationWords } from '#src/pages/public/landing/work_parts.ts'
import type { WorkReply } from '#src/use_cases/landing_record.ts'
import { markedTextHtml, markedTitleHtml } from '#src/pages/public/landing/marked_text.ts'

// Items that are shown at once; the others are a click away.
const openItemsMax = 10
const openReferencesMax = 20
/** References that a page lists: the record for programs has all. */
const listedReferencesMax = 1_000

const languages = new Intl.DisplayNames(['en'], { type: 'language' })

/** What a notice has done to a work, as a sentence begins with it. */
const noticeWords: Readonly<Record<NoticeKind, readonly [of: string, by: string]>> = {
  retraction: ['This work was retracted', 'retracts'],
  partial_retraction: ['A part of this work was retracted', 'retracts a part of'],
  removal: ['The content of this work was removed', 'removes'],
  withdrawal: ['This work was withdrawn by its publisher', 'withdraws'],
  expression_of_concern: ['There is concern about this work', 'expresses concern about'],
  correction: ['This work was corrected', 'corrects'],
  corrigendum: ['This work was corrected', 'corrects'],
  erratum: ['This work was corrected', 'corrects'],
  addendum: ['Something was added to this work', 'adds to'],
  clarification: ['This work was clarified', 'clarifies'],
  new_edition: ['There is a new edition of this work', 'is a new edition of'],
  new_version: ['There is a new version of this work', 'is a new version of'],
}

/**
 * The retractions and corrections of a work that stays, gravest first, and what this version of it
 * corrects.
 */
export function noticeBanner({ metadata, notices = [] }: NoticedWork): Html {
  const { update_notices: told = [], existing_doi: own } = metadata
  const byThis = told.filter(({ direction, doi }) => {
    return direction === 'by_this' && (doi === undefined || doi !== own)
  })
  return html`${[...notices, ...byThis].map(noticeLine)}`
}

type NoticedWork = Pick<WorkReply, 'metadata' | 'notices'>

function noticeLine(notice: UpdateNotice): Html {
  const { kind, direction, date, by, reason, doi, ark } = notice
  const [ofThis, byThis] = noticeWords[kind]
  const other = joinHtml(
    [doi && doiLink(doi), ark && html`<a href="/${ark}">${ark}</a>`].filter((link) => !!link),
    ', ',
  )
  const when = date === undefined ? '' : html` on <time>${date}</time>`
  const who = by === undefined ? '' : html` by <bdi>${by}</bdi>`
  const why = reason === undefined ? '' : html`<p dir="auto">${reason}</p>`
  const isNamed = (doi ?? ark) !== undefined
  const sentence =
    direction === 'of_this'
      ? html`<strong>${ofThis}</strong>${when}${who}.${isNamed ? html` Notice: ${other}.` : ''}`
      : html`This work <strong>${byThis}</strong> ${other}${when}.`
  const look = direction === 'of_this' && isGrave(kind) ? 'flash-error' : 'flash-info'
  return html`<div class="flash ${look}" role="note"><p>${sentence}</p>${why}</div>`
}

/** The parts of a page that only few works need, each only where the record has something. */
export function recordParts(metadata: Metadata, files: readonly FileFixity[] = []): Html {
  const parts = [
    contributorPart(metadata),
    descriptionParts(metadata),
    factPart(metadata),
    filePart(metadata, files),
    relatedItemPart(metadata),
    referencePart(metadata),
  ]
  return html`${parts}`
}

function contributorPart({ contributors = [] }: Metadata): Html {
  return listCard('Contributors', contributors.map(contributorItem))
}

function contributorItem(contributor: Contributor): Html {
  const { role, name, given = '', family = '', suffix = '', orcid, affiliations } = contributor
  const named = name ?? [given, family, suffix].filter(Boolean).join(' ')
  const where = affiliations?.map((one) => one.name ?? one.identifier) ?? [contributor.affiliation]
  const places = where.filter((place) => place !== undefined).join('; ')
  const id = orcid === undefined ? '' : html` ${outerLink(`https://orcid.org/${orcid}`, orcid)}`
  const place = places === '' ? '' : html`<span class="affiliation"><bdi>${places}</bdi></span>`
  return html`<li><bdi>${named}</bdi> <span class="hint">${words(role)}</span>${id}${place}</li>`
}

function descriptionParts({ descriptions = [] }: Metadata): Html {
  const parts = descriptions.map(({ kind, description, language, markup }) => {
    const name = language === undefined ? '' : ` (${languageName(language)})`
    const shown = markedTextHtml(description, markup)
    return html`<details class="fold"><summary>${capitalized(words(kind))}${name}</summary>
<p class="running-text" dir="auto" lang="${language ?? ''}">${shown}</p></details>`
  })
  return parts.length === 0 ? nothing : card('More texts', html`${parts}`)
}

/** What is said in a line or two each. */
function factPart(metadata: Metadata): Html {
  const { event, access, degree, resource_type, resource_version } = metadata
  const rows: readonly Fact[] = [
    ['Other titles', list((metadata.titles ?? []).map(titleItem))],
    ['Kind', bidi(resource_type)],
    ['Version of the content', bidi(resource_version)],
    ['What is new in it', bidi(metadata.resource_version_note)],
    ['Preprint group', bidi(metadata.group_title)],
    ['Review', list(texts(metadata.review && reviewTexts(metadata.review)))],
    ['Dates', list((metadata.dates ?? []).map(dateItem))],
    ['Subjects', list((metadata.subjects ?? []).map(subjectItem))],
    ['Degree', bidi(degree)],
    ['Institutions', list(texts(metadata.institutions?.map((one) => namedPlace(one))))],
    ['Event', event && bidi(eventText(event))],
    ['Short title of the journal', bidi(metadata.container_short_title)],
    ['Title of the issue', bidi(metadata.issue_title)],
    ['Edition', bidi(metadata.edition)],
    ['Article number', bidi(metadata.article_number)],
    ['Chapter', bidi(metadata.chapter_number)],
    ['Series', bidi([metadata.series_title, metadata.series_number].filter(Boolean).join(', '))],
    ['ISSN of the series', list(texts(metadata.series_issn?.map(numberText)))],
    ['ISSN', list(texts(metadata.issn?.map(numberText)))],
    ['ISBN', list(texts(metadata.isbn?.map(numberText)))],
    ['Place of the publisher', bidi(metadata.publisher_place)],
    ['Rights', list((metadata.rights ?? []).map(rightsItem))],
    ['Access', access && bidi(accessText(access))],
    ['Places', list((metadata.geo_locations ?? []).map(placeItem))],
    ['Size', list(texts(metadata.sizes))],
    ['Formats', list(texts(metadata.formats))],
    [
      'Other identifiers',
      list(texts(metadata.alternate_identifiers?.map((one) => `${one.type}: ${one.identifier}`))),
    ],
    ['Clinical trials', list(texts(metadata.clinical_trials?.map((trial) => trial.number)))],
    ['Archives', list(texts(metadata.archives))],
    [
      'From the publisher',
      list(texts(metadata.assertions?.map((one) => `${one.label ?? one.name}: ${one.value}`))),
    ],
  ]
  const given = rows.filter(([, value]) => value !== undefined)
  return given.length === 0 ? nothing : card('More about the work', facts(given))
}

function titleItem({ title, kind, language, markup }: Title): Html {
  const said = [kind && words(kind), language && languageName(language)].filter(Boolean).join(', ')
  const note = said === '' ? '' : html` <span class="hint">${said}</span>`
  return html`<li><bdi lang="${language ?? ''}">${markedTitleHtml(title, markup)}</bdi>${note}</li>`
}

function dateItem({ date, kind, note }: NonNullable<Metadata['dates']>[number]): Html {
  const said = note === undefined ? '' : html` <span class="hint"><bdi>${note}</bdi></span>`
  return html`<li>${capitalized(words(kind))} <span>${rangeText(date)}</span>${said}</li>`
}

/** A date or a range of them: `2024 to 2026`, `since 2001`, `until 2004`. */
function rangeText(date: string): string {
  const [from = '', to] = date.split('/')
  if (to === undefined) return from
  if (to === '..' || to === '') return `since ${from}`
  return from === '..' || from === '' ? `until ${to}` : `${from} to ${to}`
}

function subjectItem({ subject, scheme, code, uri }: Subject): Html {
  const said = [scheme, code].filter(Boolean).join(' ')
  const note = said === '' ? '' : html` <span class="hint"><bdi>${said}</bdi></span>`
  return html`<li>${outerLink(uri, subject)}${note}</li>`
}

function namedPlace({ name, identifier, department, place }: NamedPlace): string {
  return [department, name ?? identifier, place].filter(Boolean).join(', ')
}

type NamedPlace = NonNullable<Metadata['institutions']>[number]

function eventText(event: NonNullable<Metadata['event']>): string {
  const { name, acronym, number, theme, place, start_date, end_date, sponsors = [] } = event
  const days = [start_date, end_date].filter(Boolean).join(' to ')
  const paid = sponsors.length === 0 ? '' : `sponsored by ${sponsors.join(', ')}`
  const counted = number === undefined ? '' : `number ${number}`
  return [name, theme, acronym, counted, place, days, paid].filter(Boolean).join(', ')
}

function reviewTexts(review: NonNullable<Metadata['review']>): readonly string[] {
  const { type, stage, recommendation, revision_round: round, running_number: number } = review
  const counted = [round && `round ${round}`, number && `number ${number}`].filter(Boolean)
  const told = [
    [type, stage, ...counted].filter(Boolean).join(', '),
    recommendation && `recommends: ${recommendation.replaceAll('-', ' ')}`,
    review.competing_interests && `competing interests: ${review.competing_interests}`,
  ]
  return told.filter((line) => line !== undefined).filter((line) => line !== '')
}

function numberText({ value, kind }: Issn): string {
  return kind === undefined ? value : `${value} (${kind})`
}

function rightsItem({ license, text, uri, identifier, applies_to, start_date }: Rights): Html {
  const address = license === undefined ? uri : licenseNames(license).address
  const name = license ?? text ?? identifier ?? uri ?? ''
  const use = applies_to === undefined ? '' : `for the ${words(applies_to)}`
  const said = [use, start_date && `from ${start_date}`].filter(Boolean).join(', ')
  const note = said === '' ? '' : html` <span class="hint">${said}</span>`
  return html`<li>${outerLink(address, name)}${note}</li>`
}

function accessText({ right, start_date, end_date }: Access): string {
  const from = start_date === undefined ? '' : `from ${start_date}`
  const until = end_date === undefined ? '' : `until ${end_date}`
  return [right === undefined ? 'free to read' : words(right), from, until]
    .filter(Boolean)
    .join(' ')
}

function placeItem({ place, point, box, polygons = [] }: GeoLocation): Html {
  const said = [
    place,
    point && pointText(point),
    box &&
      `${latitudeText(box.south)} to ${latitudeText(box.north)}, ` +
        `${longitudeText(box.west)} to ${longitudeText(box.east)}`,
    ...polygons.map(({ points }) => `polygon of ${points.length - 1} corners`),
  ].filter((part) => part !== undefined)
  return html`<li><bdi>${said.join('; ')}</bdi></li>`
}

function pointText({ latitude, longitude }: GeoPoint): string {
  return `${latitudeText(latitude)}, ${longitudeText(longitude)}`
}

function latitudeText(degrees: number): string {
  return `${Math.abs(degrees)}° ${degrees < 0 ? 'S' : 'N'}`
}

function longitudeText(degrees: number): string {
  return `${Math.abs(degrees)}° ${degrees < 0 ? 'W' : 'E'}`
}

/** The files, each with what its checks have shown, where that is known of the version. */
function filePart({ files = [] }: Metadata, known: readonly FileFixity[]): Html {
  const byUrl = new Map(known.map((file) => [file.url, file]))
  return listCard(
    'Files',
    files.map((file) => fileItem(file, byUrl.get(file.url))),
  )
}

function fileItem(file: WorkFile, known: FileFixity | undefined): Html {
  const { url, name, kind, media_type, size, content_version } = file
  const stage = content_version === undefined ? undefined : words(content_version)
  const bytes = size === undefined ? undefined : `${size} bytes`
  const said = [kind && words(kind), media_type, bytes, stage].filter(Boolean).join(', ')
  const note = said === '' ? '' : html` <span class="hint">${said}</span>`
  return html`<li>${outerLink(url, name ?? url)}${note}${known && fileState(known)}</li>`
}

function fileState({ fixity_status: status, reason, checked_at: at, is_content }: FileFixity) {
  if (is_content) return html` <a href="#fixity">${fixityBadge(status ?? 'pending', reason)}</a>`
  if (status === null) return nothing
  const read = at === null ? nothing : html` <span class="hint">read on ${time(at)}</span>`
  return html` ${fixityBadge(status, reason)}${read}`
}

function relatedItemPart({ related_items: items = [] }: Metadata): Html {
  return listCard('Related items', items.map(relatedItem))
}

function relatedItem(item: RelatedItem): Html {
  const { relation, type, identifier, identifier_type, titles = [], note } = item
  const title = titles[0]?.title ?? identifier ?? ''
  const address = identifier_type === 'DOI' && identifier ? doiUrl(identifier) : identifier
  const kind = type === undefined ? undefined : typeName(type).toLowerCase()
  const pages = [item.first_page, item.last_page].filter(Boolean).join('–')
  const said = [
    kind,
    item.volume && `volume ${item.volume}`,
    item.issue && `issue ${item.issue}`,
    item.number && `number ${item.number}`,
    pages && `pages ${pages}`,
    item.publisher,
    item.year,
    titles.length > 0 && identifier && [identifier_type, identifier].filter(Boolean).join(' '),
    note && relationWords(note),
  ].filter(Boolean)
  const hint = html`<span class="hint"><bdi>${said.join(', ')}</bdi></span>`
  return html`<li>${relationName(relation)} ${outerLink(address, title)} ${hint}</li>`
}

function referencePart({ references = [] }: Metadata): Html {
  if (references.length === 0) return nothing
  const items = references.slice(0, listedReferencesMax).map(referenceItem)
  const shown = foldedList({ items, openMax: openReferencesMax, kind: 'items' })
  return card(`References (${references.length})`, shown)
}

function referenceItem(reference: Reference): Html {
  const { text, author, year, title, volume_title, container_title, volume, doi, url } = reference
  const parts = [
    author,
    year && `(${year})`,
    title ?? volume_title,
    container_title ?? reference.series_title,
    volume,
    reference.first_page,
    reference.standard_designator,
    reference.standards_body,
  ]
  const said = text ?? parts.filter(Boolean).join(', ')
  const link = doi === undefined ? url && outerLink(url, url) : doiLink(doi)
  return html`<li><bdi>${said}</bdi> ${link ?? ''}</li>`
}

function doiLink(doi: string): Html {
  return outerLink(doiUrl(doi), shownDoiUrl(doi))
}

/** A text with a link to another site, if it has an address that a browser can open. */
function outerLink(address: string | undefined, shown: string): Html {
  if (address === undefined || !/^https?:\/\//i.test(address)) return html`<bdi>${shown}</bdi>`
  return html`<a href="${address}" rel="noreferrer"><bdi>${shown}</bdi></a>`
}

function listCard(title: string, items: readonly Html[]): Html {
  const shown = list(items)
  return shown === undefined ? nothing : card(title, shown)
}

function list(items: readonly Html[]): Html | undefined {
  if (items.length === 0) return undefined
  return foldedList({ items, openMax: openItemsMax, kind: 'items' })
}

function texts(values: readonly string[] = []): readonly Html[] {
  return values.map((value) => html`<li><bdi>${value}</bdi></li>`)
}

function bidi(value: string | undefined): Html | undefined {
  return value === undefined || value === '' ? undefined : html`<bdi>${value}</bdi>`
}

function words(word: string): string {
  return word.replaceAll('_', ' ')
}

// A tag may say more than a name can, such as an order of letters.
function languageName(tag: string): string {
  return languages.of(new Intl.Locale(tag).baseName) ?? tag
}
