import { doiUrl, shownDoiUrl } from '#actors/values/identifier.ts'
import { licenseNames } from '#actors/values/license.ts'
import type { GeoLocation, GeoPoint } from '#actors/values/geo_location.ts'
import type { FileFixity } from '#actors/works/file_fixity.ts'
import type { WorkFile } from '#actors/works/files.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { Contributor } from '#actors/works/names.ts'
import type { Issn } from '#actors/works/publication.ts'
import type { Reference, RelatedItem } from '#actors/works/related_items.ts'
import type { Access, Rights } from '#actors/works/rights.ts'
import type { Subject, Title, Variable } from '#actors/works/titles.ts'
import { isGrave, type UpdateNotice } from '#actors/works/update_notices.ts'
import { type Html, html, joinHtml, nothing } from '#src/pages/kit/html.ts'
import { card, type Fact, facts, foldedList, time } from '#src/pages/kit/parts.ts'
import { fixityBadge, relationName, typeName } from '#src/pages/kit/words.ts'
import { bdi, relationWords, strong } from '#src/pages/public/landing/work_parts.ts'
import { kinds, record, standing } from '#src/words/english.ts'
import { joined, languageName } from '#src/words/format.ts'
import { termOf } from '#src/words/message.ts'
import type { Text } from '#src/words/wording.ts'
import type { WorkReply } from '#src/use_cases/landing_record.ts'
import { markedTextHtml, markedTitleHtml } from '#src/pages/public/landing/marked_text.ts'

// Items that are shown at once; the others are a click away.
const openItemsMax = 10
const openReferencesMax = 20
/** References that a page lists: the record for programs has all. */
const listedReferencesMax = 1_000

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
  const other = joinHtml(
    [doi && doiLink(doi), ark && html`<a href="/${ark}">${ark}</a>`].filter((link) => !!link),
    ', ',
  )
  const when =
    date === undefined ? '' : standing.whenNoticed({ date: html`<time dir="ltr">${date}</time>` })
  const who = by === undefined ? '' : standing.whoNoticed({ name: bdi(by) })
  const why = reason === undefined ? '' : html`<p dir="auto">${reason}</p>`
  const isNamed = (doi ?? ark) !== undefined
  const named = isNamed ? html` ${standing.notice({ link: other })}` : ''
  const sentence =
    direction === 'of_this'
      ? html`${standing.noticeOf({ kind, strong, when, who })}${named}`
      : standing.noticeBy({ kind, strong, when, other })
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
  return listCard(record.contributors, contributors.map(contributorItem))
}

function contributorItem(contributor: Contributor): Html {
  const { role, name, given = '', family = '', suffix = '', orcid, affiliations } = contributor
  const named = name ?? [given, family, suffix].filter(Boolean).join(' ')
  const where = affiliations?.map((one) => one.name ?? one.identifier) ?? [contributor.affiliation]
  const places = where.filter((place) => place !== undefined).join('; ')
  const id = orcid === undefined ? '' : html` ${outerLink(`https://orcid.org/${orcid}`, orcid)}`
  const place = places === '' ? '' : html`<span class="affiliation"><bdi>${places}</bdi></span>`
  const part = html`<span class="hint">${kindName('role', role)}</span>`
  return html`<li><bdi>${named}</bdi> ${part}${id}${place}</li>`
}

function descriptionParts({ descriptions = [] }: Metadata): Html {
  const parts = descriptions.map(({ kind, description, language, markup }) => {
    const text = kindName('text', kind)
    const named = { text, language: languageName(language ?? '') }
    const name = language === undefined ? text : record.inLanguage(named)
    const shown = markedTextHtml(description, markup)
    return html`<details class="fold"><summary>${name}</summary>
<p class="running-text" dir="auto" lang="${language ?? ''}">${shown}</p></details>`
  })
  return parts.length === 0 ? nothing : card(record.moreTexts, html`${parts}`)
}

/** What is said in a line or two each. */
function factPart(metadata: Metadata): Html {
  const { event, access, degree, resource_type, resource_version } = metadata
  const rows: readonly Fact[] = [
    [record.otherTitles, list((metadata.titles ?? []).map(titleItem))],
    [record.kind, bidi(resource_type)],
    [record.contentVersion, bidi(resource_version)],
    [record.changesInVersion, bidi(metadata.resource_version_note)],
    [record.preprintGroup, bidi(metadata.group_title)],
    [record.review, list(texts(metadata.review && reviewTexts(metadata.review)))],
    [record.dates, list((metadata.dates ?? []).map(dateItem))],
    [record.subjects, list((metadata.subjects ?? []).map(subjectItem))],
    [record.variables, list((metadata.variables ?? []).map(variableItem))],
    [record.degree, bidi(degree)],
    [record.institutions, list(texts(metadata.institutions?.map((one) => namedPlace(one))))],
    [record.event, event && bidi(eventText(event))],
    [record.shortTitle, bidi(metadata.container_short_title)],
    [record.issueTitle, bidi(metadata.issue_title)],
    [record.edition, bidi(metadata.edition)],
    [record.articleNumber, bidi(metadata.article_number)],
    [record.chapter, bidi(metadata.chapter_number)],
    [
      record.series,
      bidi([metadata.series_title, metadata.series_number].filter(Boolean).join(', ')),
    ],
    [record.seriesIssn, list(texts(metadata.series_issn?.map(numberText)))],
    ['ISSN', list(texts(metadata.issn?.map(numberText)))],
    ['ISBN', list(texts(metadata.isbn?.map(numberText)))],
    [record.publisherPlace, bidi(metadata.publisher_place)],
    [record.rights, list((metadata.rights ?? []).map(rightsItem))],
    [record.access, access && bidi(accessText(access))],
    [record.places, list((metadata.geo_locations ?? []).map(placeItem))],
    [record.size, list(texts(metadata.sizes))],
    [record.formats, list(texts(metadata.formats))],
    [
      record.otherIdentifiers,
      list(texts(metadata.alternate_identifiers?.map((one) => `${one.type}: ${one.identifier}`))),
    ],
    [record.clinicalTrials, list(texts(metadata.clinical_trials?.map((trial) => trial.number)))],
    [record.archives, list(texts(metadata.archives))],
    [
      record.fromPublisher,
      list(texts(metadata.assertions?.map((one) => `${one.label ?? one.name}: ${one.value}`))),
    ],
  ]
  const given = rows.filter(([, value]) => value !== undefined)
  return given.length === 0 ? nothing : card(record.moreDetails, facts(given))
}

function titleItem({ title, kind, language, markup }: Title): Html {
  const said = [kind && kindName('title', kind), language && languageName(language)]
  const shown = markedTitleHtml(title, markup)
  return html`<li><bdi lang="${language ?? ''}">${shown}</bdi>${hint(said)}</li>`
}

function dateItem({ date, kind, note }: NonNullable<Metadata['dates']>[number]): Html {
  const said = note === undefined ? '' : html` <span class="hint"><bdi>${note}</bdi></span>`
  return html`<li>${kindName('date', kind)} <span>${rangeText(date)}</span>${said}</li>`
}

/** A date or a range of them: `2024 to 2026`, `since 2001`, `until 2004`. */
function rangeText(date: string): Text {
  const [from = '', to] = date.split('/')
  if (to === undefined) return from
  if (to === '..' || to === '') return record.since({ from })
  return from === '..' || from === '' ? record.until({ to }) : record.span({ from, to })
}

function subjectItem({ subject, scheme, code, uri }: Subject): Html {
  const said = [scheme, code].filter(Boolean).join(' ')
  const note = said === '' ? '' : html` <span class="hint"><bdi>${said}</bdi></span>`
  return html`<li>${outerLink(uri, subject)}${note}</li>`
}

function variableItem({ name, description, unit, uri }: Variable): Html {
  const said = [unit, description].filter(Boolean).join(', ')
  const note = said === '' ? '' : html` <span class="hint"><bdi>${said}</bdi></span>`
  return html`<li>${outerLink(uri, name)}${note}</li>`
}

function namedPlace({ name, identifier, department, place }: NamedPlace): string {
  return [department, name ?? identifier, place].filter(Boolean).join(', ')
}

type NamedPlace = NonNullable<Metadata['institutions']>[number]

function eventText(event: NonNullable<Metadata['event']>): Text {
  const { name, acronym, number, theme, place, start_date, end_date, sponsors = [] } = event
  const to = end_date ?? ''
  const days = start_date === undefined || to === '' ? (start_date ?? to) : undefined
  return commas([
    name,
    theme,
    acronym,
    number && record.numbered({ number }),
    place,
    days ?? record.span({ from: start_date ?? '', to }),
    sponsors.length > 0 && record.sponsoredBy({ names: sponsors.join(', ') }),
  ])
}

function reviewTexts(review: NonNullable<Metadata['review']>): readonly Text[] {
  const { type, stage, recommendation, revision_round: round, running_number: number } = review
  const counted = [round && record.round({ number: round }), number && record.numbered({ number })]
  const told = [type, stage, ...counted].some(isSaid)
    ? commas([type, stage, ...counted])
    : undefined
  return [
    told,
    recommendation && record.recommends({ what: recommendation.replaceAll('-', ' ') }),
    review.competing_interests && record.competingInterests({ what: review.competing_interests }),
  ].filter(isSaid)
}

/** What may be said: a text, or nothing. */
type Sayable = Text | number | false | null | undefined

function isSaid(text: Sayable): text is Text {
  return typeof text === 'object' ? text !== null : typeof text === 'string' && text !== ''
}

/** What there is to say, with commas between. */
function commas(said: readonly Sayable[]): Text {
  return joined(said.filter(isSaid), ', ')
}

/** The same as a note after something else; nothing if there is nothing to say. */
function hint(said: readonly Sayable[]): Html {
  return said.some(isSaid) ? html` <span class="hint">${commas(said)}</span>` : nothing
}

function numberText({ value, kind }: Issn): string {
  return kind === undefined ? value : `${value} (${kind})`
}

function rightsItem({ license, text, uri, identifier, applies_to, start_date }: Rights): Html {
  const address = license === undefined ? uri : licenseNames(license).address
  const name = license ?? text ?? identifier ?? uri ?? ''
  const said = [
    applies_to && kindName('use', applies_to),
    start_date && record.from({ from: start_date }),
  ]
  return html`<li>${outerLink(address, name)}${hint(said)}</li>`
}

function accessText({ right, start_date, end_date }: Access): Text {
  const said = [
    right === undefined ? record.freeToRead : kindName('access', right),
    start_date && record.from({ from: start_date }),
    end_date && record.until({ to: end_date }),
  ]
  return joined(said.filter(isSaid), ' ')
}

function placeItem({ place, point, box, polygons = [] }: GeoLocation): Html {
  const said = [
    place,
    point && pointText(point),
    box &&
      commas([
        record.span({ from: latitudeText(box.south), to: latitudeText(box.north) }),
        record.span({ from: longitudeText(box.west), to: longitudeText(box.east) }),
      ]),
    ...polygons.map(({ points }) => record.polygon({ corners: points.length - 1 })),
  ]
  return html`<li><bdi>${joined(said.filter(isSaid), '; ')}</bdi></li>`
}

function pointText({ latitude, longitude }: GeoPoint): Text {
  return commas([latitudeText(latitude), longitudeText(longitude)])
}

function latitudeText(latitude: number): Text {
  const degrees = Math.abs(latitude)
  return latitude < 0 ? record.south({ degrees }) : record.north({ degrees })
}

function longitudeText(longitude: number): Text {
  const degrees = Math.abs(longitude)
  return longitude < 0 ? record.west({ degrees }) : record.east({ degrees })
}

/** The files, each with what its checks have shown, where that is known of the version. */
function filePart({ files = [] }: Metadata, known: readonly FileFixity[]): Html {
  const byUrl = new Map(known.map((file) => [file.url, file]))
  return listCard(
    record.files,
    files.map((file) => fileItem(file, byUrl.get(file.url))),
  )
}

function fileItem(file: WorkFile, known: FileFixity | undefined): Html {
  const { url, name, kind, media_type, size, content_version } = file
  const said = [
    kind && kindName('file', kind),
    media_type,
    size !== undefined && record.bytes({ count: size }),
    content_version && kindName('stage', content_version),
  ]
  return html`<li>${outerLink(url, name ?? url)}${hint(said)}${known && fileState(known)}</li>`
}

function fileState({ fixity_status: status, reason, checked_at: at, is_content }: FileFixity) {
  if (is_content) return html` <a href="#fixity">${fixityBadge(status ?? 'pending', reason)}</a>`
  if (status === null) return nothing
  const read =
    at === null ? nothing : html` <span class="hint">${record.readOn({ time: time(at) })}</span>`
  return html` ${fixityBadge(status, reason)}${read}`
}

function relatedItemPart({ related_items: items = [] }: Metadata): Html {
  return listCard(record.relatedItems, items.map(relatedItem))
}

function relatedItem(item: RelatedItem): Html {
  const { relation, type, identifier, identifier_type, titles = [], note } = item
  const title = titles[0]?.title ?? identifier ?? ''
  const address = identifier_type === 'DOI' && identifier ? doiUrl(identifier) : identifier
  const pages = [item.first_page, item.last_page].filter(Boolean).join('–')
  const said = [
    type && typeName(type),
    item.volume && record.volume({ number: item.volume }),
    item.issue && record.issue({ number: item.issue }),
    item.number && record.numbered({ number: item.number }),
    pages && record.pages({ pages }),
    item.publisher,
    item.year,
    titles.length > 0 && identifier && [identifier_type, identifier].filter(Boolean).join(' '),
    note && relationWords(note),
  ]
  const told = html`<span class="hint"><bdi>${commas(said)}</bdi></span>`
  return html`<li>${relationName(relation)} ${outerLink(address, title)} ${told}</li>`
}

function referencePart({ references = [] }: Metadata): Html {
  if (references.length === 0) return nothing
  const items = references.slice(0, listedReferencesMax).map(referenceItem)
  const shown = foldedList({ items, openMax: openReferencesMax, kind: 'items' })
  return card(record.references({ count: references.length }), shown)
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

function listCard(title: Text, items: readonly Html[]): Html {
  const shown = list(items)
  return shown === undefined ? nothing : card(title, shown)
}

function list(items: readonly Html[]): Html | undefined {
  if (items.length === 0) return undefined
  return foldedList({ items, openMax: openItemsMax, kind: 'items' })
}

function texts(values: readonly Text[] = []): readonly Html[] {
  return values.map((value) => html`<li><bdi>${value}</bdi></li>`)
}

function bidi(value: Text | undefined): Html | undefined {
  return value === undefined || value === '' ? undefined : html`<bdi>${value}</bdi>`
}

/** What a word of a record is called, such as the role of a contributor. */
function kindName(of: string, word: string): Text {
  return termOf(kinds, `${of}_${word}`) ?? word.replaceAll('_', ' ')
}
