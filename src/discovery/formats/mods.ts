import { licenseNames } from '#actors/values/license.ts'
import { type WorkType, workTypes } from '#actors/values/work_type.ts'
import type { ContributorRole } from '#actors/works/names.ts'
import { knownAuthor } from '#src/discovery/formats/author_names.ts'
import {
  containerOf,
  type DescribedAuthor,
  type DescribedMetadata,
  type DescribedWork,
  keywordsOf,
  locationsOf,
  pageRange,
  readContributor,
  standingNote,
  wholeTitle,
} from '#src/discovery/formats/described_work.ts'
import { unmarkedTitle } from '#src/discovery/formats/title_marks.ts'
import {
  anyUri,
  element,
  formatDocument,
  listElement,
  textElement,
  type XmlElement,
} from '#src/discovery/formats/xml.ts'

/** The namespace of MODS 3, and the schema of the version that is written. */
export const modsNamespace = 'http://www.loc.gov/mods/v3'
export const modsSchema = 'http://www.loc.gov/standards/mods/v3/mods-3-6.xsd'

const rootAttributes = {
  xmlns: modsNamespace,
  'xmlns:xlink': 'http://www.w3.org/1999/xlink',
  'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
  'xsi:schemaLocation': `${modsNamespace} ${modsSchema}`,
  version: '3.6',
}

type Node = XmlElement | undefined

/** A work as a record of MODS 3.6, the Library of Congress' format for catalogues. */
export function formatMods(work: DescribedWork): string {
  return formatDocument(modsElement(work))
}

/** The element `mods` of a work, for other XML to hold. */
export function modsElement(work: DescribedWork): XmlElement {
  const { metadata, authors } = work
  const { contributors = [], descriptions = [], work_type } = metadata
  return element(
    'mods',
    rootAttributes,
    ...titlesOf(metadata),
    ...authors.map((author) => nameElement(author, roleCodes.author, 'author')),
    ...contributors.map((one) => {
      const { role } = one
      return nameElement(readContributor(one), roleCodes[role], role.replaceAll('_', ' '))
    }),
    ...grantorsOf(work),
    eventName(metadata),
    textElement('typeOfResource', resourceTypes[workTypes[work_type].schemaOrg] ?? 'text'),
    element('genre', {}, work_type.replaceAll('_', ' ')),
    textElement('genre', metadata.resource_type),
    originElement(work),
    languageElement(metadata.language),
    physicalElement(work),
    textElement('abstract', metadata.description, { 'xml:lang': metadata.description_language }),
    ...descriptions.map(({ description, kind, language }) => {
      const name = kind === 'table_of_contents' ? 'tableOfContents' : 'abstract'
      return textElement(name, description, {
        type: kind.replaceAll('_', ' '),
        'xml:lang': language,
      })
    }),
    ...notesOf(metadata),
    textElement('note', standingNote(work), { type: 'status' }),
    ...subjectsOf(metadata),
    ...itemsOf(work),
    ...identifiersOf(work),
    locationOf(work),
    ...conditionsOf(metadata),
  )
}

const titleTypes: Readonly<Record<string, string>> = {
  translated: 'translated',
  short: 'abbreviated',
}

function titlesOf(metadata: DescribedMetadata): readonly XmlElement[] {
  const { titles = [], work_title, work_title_language } = metadata
  const isWhole = wholeTitle(metadata) === work_title
  const subtitle = isWhole ? undefined : titles.find(({ kind }) => kind === 'subtitle')
  const main = element(
    'titleInfo',
    { 'xml:lang': work_title_language },
    textElement('title', unmarkedTitle(work_title, metadata.work_title_markup)),
    textElement(
      'subTitle',
      subtitle === undefined ? undefined : unmarkedTitle(subtitle.title, subtitle.markup),
    ),
  )
  const others = titles.filter((title) => title !== subtitle)
  return [
    main,
    ...others.map(({ kind, language, markup, title }) => {
      const type = titleTypes[kind ?? ''] ?? 'alternative'
      const attributes = { type, 'xml:lang': language }
      return element('titleInfo', attributes, textElement('title', unmarkedTitle(title, markup)))
    }),
  ]
}

// The codes that MARC has for what people did.
export const roleCodes: { readonly [R in ContributorRole | 'author']?: string } = {
  author: 'aut',
  data_manager: 'dtm',
  distributor: 'dst',
  editor: 'edt',
  hosting_institution: 'his',
  producer: 'pro',
  researcher: 'res',
  rights_holder: 'cph',
  sponsor: 'spn',
  supervisor: 'ths',
  translator: 'trl',
  reviewer: 'rev',
  other: 'oth',
}

function nameElement(author: DescribedAuthor, code: string | undefined, role: string): XmlElement {
  const { affiliation, affiliations, identifiers = [], orcid } = author
  const { type, parts } = namePartsOf(author)
  const iD = orcid === undefined ? undefined : `https://orcid.org/${orcid}`
  const places = affiliations?.map(({ name, identifier }) => name ?? identifier) ?? [affiliation]
  const term =
    code === undefined
      ? element('roleTerm', { type: 'text' }, role)
      : element('roleTerm', { type: 'code', authority: 'marcrelator' }, code)
  return element(
    'name',
    { type },
    ...parts,
    ...places.map((place) => textElement('affiliation', place)),
    element('role', {}, term),
    textElement('nameIdentifier', iD, { type: 'orcid' }),
    ...identifiers.map(({ identifier, scheme }) => {
      return textElement('nameIdentifier', identifier, { type: scheme.toLowerCase() })
    }),
  )
}

/** Who gave the degree: the institution of a thesis, which is its publisher, and others. */
function grantorsOf({ metadata, publisher }: DescribedWork): readonly XmlElement[] {
  const { institutions = [], work_type } = metadata
  if (work_type !== 'thesis') return []
  const names = [publisher, ...institutions.map(({ name }) => name)]
  const all = [...new Set(names)].filter((name) => name !== undefined)
  return all.map((name) => nameElement({ name, name_type: 'organization' }, 'dgg', ''))
}

function namePartsOf(author: DescribedAuthor): {
  readonly type: 'personal' | 'corporate' | undefined
  readonly parts: readonly Node[]
} {
  const { name, name_type: given } = author
  const { parts, kind } = knownAuthor(author)
  const isGroup = given === 'organization' || kind === 'group'
  const whole = [textElement('namePart', name)]
  if (isGroup) return { type: 'corporate', parts: whole }
  const type = given === 'person' || kind === 'person' ? 'personal' : undefined
  if (parts === undefined) return { type, parts: whole }
  return {
    type,
    parts: [
      textElement('namePart', parts.family, { type: 'family' }),
      textElement('namePart', parts.given || undefined, { type: 'given' }),
      textElement('namePart', parts.suffix, { type: 'termsOfAddress' }),
    ],
  }
}

function eventName({ event }: DescribedMetadata): Node {
  if (event === undefined) return undefined
  const { end_date: end, start_date: start = end && '..' } = event
  const date = [start, end].filter((each) => each !== undefined).join('/')
  return element(
    'name',
    { type: 'conference' },
    textElement('namePart', event.name),
    textElement('namePart', event.place),
    textElement('namePart', date || undefined, { type: 'date' }),
  )
}

// By what schema.org calls the type; whatever is not here is text.
const resourceTypes: Readonly<Record<string, string>> = {
  Dataset: 'software, multimedia',
  SoftwareSourceCode: 'software, multimedia',
  ImageObject: 'still image',
  VideoObject: 'moving image',
  AudioObject: 'sound recording',
}

function originElement(work: DescribedWork): Node {
  const { metadata, publisher } = work
  const { dates = [], edition, published_date, publisher_place, resource_version } = metadata
  const place = textElement('placeTerm', publisher_place, { type: 'text' })
  return listElement('originInfo', [
    place && element('place', {}, place),
    textElement('publisher', publisher),
    textElement('dateIssued', published_date, { encoding: 'w3cdtf', keyDate: 'yes' }),
    ...dates.map(({ date, kind }) => {
      const [name, type] = dateElements[kind] ?? ['dateOther', kind]
      return textElement(name, date, { encoding: 'edtf', type })
    }),
    textElement('edition', edition ?? resource_version),
  ])
}

const dateElements: Readonly<Record<string, readonly [string, string?]>> = {
  created: ['dateCreated'],
  collected: ['dateCaptured'],
  valid: ['dateValid'],
  updated: ['dateModified'],
  copyrighted: ['copyrightDate'],
}

function languageElement(language: string | undefined): Node {
  if (language === undefined) return undefined
  const term = element('languageTerm', { type: 'code', authority: 'rfc3066' }, language)
  return element('language', {}, term)
}

function physicalElement({ content, metadata }: DescribedWork): Node {
  const formats = metadata.formats ?? [content?.mediaType ?? undefined]
  const bytes = typeof content?.size === 'number' ? `${content.size} bytes` : undefined
  return listElement('physicalDescription', [
    ...formats.map((format) => textElement('internetMediaType', format)),
    ...(metadata.sizes ?? [bytes]).map((size) => textElement('extent', size)),
  ])
}

function notesOf(metadata: DescribedMetadata) {
  const { degree, funding = [], references = [], resource_version } = metadata
  const grants = funding.map(({ award, award_title, funder }) => {
    return [funder, award, award_title].filter((part) => part !== undefined).join(', ')
  })
  return [
    textElement('note', resource_version, { type: 'version identification' }),
    textElement('note', degree, { type: 'thesis' }),
    ...grants.map((grant) => textElement('note', grant, { type: 'funding' })),
    ...references.map(({ text, title }) =>
      textElement('note', text ?? title, { type: 'citation' }),
    ),
  ]
}

function subjectsOf(metadata: DescribedMetadata): readonly XmlElement[] {
  const { geo_locations = [], subjects = [] } = metadata
  return [
    ...keywordsOf(metadata).map((word) => element('subject', {}, textElement('topic', word))),
    ...subjects.map(({ scheme, subject, uri }) => {
      const attributes = { authority: scheme, valueURI: anyUri(uri) }
      return element('subject', attributes, textElement('topic', subject))
    }),
    ...subjects.flatMap(({ code, scheme }) => {
      return code === undefined ? [] : [element('classification', { authority: scheme }, code)]
    }),
    ...geo_locations.flatMap(({ place, point }) => {
      const at = point === undefined ? undefined : `${point.latitude}, ${point.longitude}`
      const map = listElement('cartographics', [textElement('coordinates', at)])
      const parts = [textElement('geographic', place), map]
      const held = listElement('subject', parts)
      return held === undefined ? [] : [held]
    }),
  ]
}

// Works that are in a series as a whole.
const inSeries: ReadonlySet<WorkType> = new Set<WorkType>(['book', 'proceedings'])

/** What holds the work, with the place in it, and what it relates to. */
function itemsOf(work: DescribedWork): readonly Node[] {
  const { metadata } = work
  const { related_identifiers = [], series_title, work_type } = metadata
  const { isbn, issn, title } = containerOf(work)
  const numbers = [
    ...numberElements('issn', metadata.issn ?? (issn === undefined ? [] : [{ value: issn }])),
    ...numberElements('isbn', metadata.isbn ?? (isbn === undefined ? [] : [{ value: isbn }])),
  ]
  const short = title === undefined ? undefined : metadata.container_short_title
  const shortInfo =
    short === undefined
      ? undefined
      : element('titleInfo', { type: 'abbreviated' }, textElement('title', short))
  const titleInfo = title === undefined ? [] : [titleElement(title), shortInfo]
  const held = [...titleInfo, ...numbers, partElement(metadata)].filter(
    (each) => each !== undefined,
  )
  const type = inSeries.has(work_type) ? 'series' : 'host'
  return [
    held.length === 0 ? undefined : element('relatedItem', { type }, ...held),
    series_title === undefined
      ? undefined
      : element(
          'relatedItem',
          { type: 'series' },
          titleElement(series_title, metadata.series_number),
          ...numberElements('issn', metadata.series_issn ?? []),
        ),
    ...related_identifiers.map(({ identifier, relation, scheme }) => {
      const id = textElement('identifier', identifier, { type: scheme.toLowerCase() })
      return element('relatedItem', relationTypes[relation] ?? { otherType: relation }, id)
    }),
  ]
}

// MODS 3.6 names further relations in the display label alone.
const relationTypes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  HasPart: { type: 'constituent' },
  IsReferencedBy: { type: 'isReferencedBy' },
  Continues: { type: 'preceding' },
  IsContinuedBy: { type: 'succeeding' },
  References: { type: 'references' },
  Reviews: { type: 'reviewOf' },
}

function titleElement(title: string, number?: string): XmlElement {
  return element('titleInfo', {}, textElement('title', title), textElement('partNumber', number))
}

function numberElements(type: string, numbers: NonNullable<DescribedMetadata['issn']>) {
  return numbers.map(({ kind, value }) => {
    return textElement('identifier', value, { type, displayLabel: kind })
  })
}

function partElement(metadata: DescribedMetadata): Node {
  const { article_number, chapter_number, issue, issue_title, volume } = metadata
  const { first, last } = pageRange(metadata)
  const pages = listElement('extent', [textElement('start', first), textElement('end', last)])
  return listElement('part', [
    detailElement('volume', volume),
    detailElement('issue', issue, issue_title),
    detailElement('chapter', chapter_number),
    detailElement('article', article_number),
    pages && { ...pages, attributes: { unit: 'pages' } },
  ])
}

function detailElement(type: string, number: string | undefined, title?: string): Node {
  const detail = listElement('detail', [textElement('number', number), textElement('title', title)])
  return detail && { ...detail, attributes: { type } }
}

function identifiersOf({ ark, metadata }: DescribedWork): readonly Node[] {
  const { alternate_identifiers = [], existing_doi } = metadata
  return [
    textElement('identifier', existing_doi, { type: 'doi' }),
    textElement('identifier', ark, { type: 'ark' }),
    ...alternate_identifiers.map(({ identifier, type }) => {
      return textElement('identifier', identifier, { type: type.toLowerCase() })
    }),
  ]
}

function locationOf(work: DescribedWork): XmlElement {
  const urls = locationsOf(work).map(({ url }) => element('url', { access: 'raw object' }, url))
  return element('location', {}, element('url', { usage: 'primary display' }, work.url), ...urls)
}

function conditionsOf({ license, rights = [] }: DescribedMetadata): readonly XmlElement[] {
  const type = 'use and reproduction'
  const conditions = rights.map(({ license: name, text, uri }) => {
    const known = name === undefined ? undefined : licenseNames(name)
    const address = uri ?? known?.address
    return element(
      'accessCondition',
      { type, 'xlink:href': anyUri(address) },
      text ?? known?.name ?? uri,
    )
  })
  if (license === undefined) return conditions
  const { address, name } = licenseNames(license)
  const own = element('accessCondition', { type, 'xlink:href': anyUri(address) }, name)
  return [own, ...conditions]
}
