import type { Mark, MarkedPiece } from '#actors/values/markup.ts'
import { licenseNames } from '#actors/values/license.ts'
import type { WorkType } from '#actors/values/work_type.ts'
import type { Affiliation, AuthorDetail } from '#actors/works/names.ts'
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
import { mathElement } from '#src/discovery/formats/math_element.ts'
import { linesOfPieces, textPieces, titlePieces } from '#src/discovery/formats/title_marks.ts'
import {
  anyUri,
  element,
  formatDocument,
  listElement,
  textElement,
  type XmlElement,
} from '#src/discovery/formats/xml.ts'

/** The set of elements of JATS that journals publish their articles in. */
export const jatsProfile = 'http://jats.nlm.nih.gov/publishing/'

const rootAttributes = {
  'dtd-version': '1.3d2',
  'xmlns:xlink': 'http://www.w3.org/1999/xlink',
  'xmlns:ali': 'http://www.niso.org/schemas/ali/1.0/',
}

type Node = XmlElement | undefined

// What JATS suggests for kinds of articles; other works have our own name of their type.
const articleTypes: { readonly [T in WorkType]?: string } = {
  article: 'research-article',
  review_article: 'review-article',
}

/** The front of a work, and what it cites, as an article of JATS 1.3d2 (Journal Publishing). */
export function formatJats(work: DescribedWork): string {
  const { metadata } = work
  const { language, references = [], work_type } = metadata
  const type = articleTypes[work_type] ?? work_type.replaceAll('_', '-')
  const cited = listElement('ref-list', references.map(referenceElement))
  return formatDocument(
    element(
      'article',
      { ...rootAttributes, 'article-type': type, 'xml:lang': language },
      element('front', {}, journalElement(work), articleElement(work)),
      cited && element('back', {}, cited),
    ),
  )
}

function journalElement(work: DescribedWork): Node {
  const { metadata, publisher } = work
  const { title, issn, kind } = containerOf(work)
  const formats = { print: 'print', electronic: 'electronic', linking: undefined } as const
  const numbers = metadata.issn ?? (issn === undefined ? [] : [{ value: issn }])
  const names = listElement('journal-title-group', [
    textElement('journal-title', title),
    textElement('abbrev-journal-title', kind === 'journal' ? shortTitleOf(metadata) : undefined),
  ])
  const made = publisher === undefined ? undefined : [textElement('publisher-name', publisher)]
  const held = issn ?? title
  if (held === undefined && made === undefined) return undefined
  const idType = issn === undefined ? 'title' : 'issn'
  return listElement('journal-meta', [
    // The schema wants one, and an ISSN, be it empty.
    element('journal-id', { 'journal-id-type': idType }, held ?? ''),
    names,
    ...numbers.map((each) => {
      const format = 'kind' in each && each.kind !== undefined ? formats[each.kind] : undefined
      return textElement('issn', each.value, { 'publication-format': format })
    }),
    numbers.length === 0 ? element('issn', {}) : undefined,
    made && listElement('publisher', [...made, textElement('publisher-loc', placeOf(metadata))]),
  ])
}

// A short title without the whole one says nothing of what it shortens.
function shortTitleOf({ container_short_title, container_title }: DescribedMetadata) {
  return container_title === undefined ? undefined : container_short_title
}

function placeOf({ publisher_place }: DescribedMetadata): string | undefined {
  return publisher_place
}

function articleElement(work: DescribedWork): XmlElement {
  const { metadata, authors } = work
  const { contributors = [], resource_version, volume, issue, issue_title, isbn = [] } = metadata
  const people = contributors.map((one) =>
    contribElement(readContributor(one), one.role.replaceAll('_', '-')),
  )
  const named = authors.map((author) => contribElement(author, 'author'))
  return element(
    'article-meta',
    {},
    ...identifiersOf(work),
    textElement('article-version', resource_version),
    titleGroup(metadata),
    listElement('contrib-group', [...named, ...people]),
    ...datesOf(metadata),
    textElement('volume', volume),
    textElement('volume-series', metadata.series_title),
    textElement('issue', issue),
    textElement('issue-title', issue_title),
    ...isbn.map(({ kind, value }) => textElement('isbn', value, { 'publication-format': kind })),
    ...pagesOf(metadata),
    historyElement(metadata),
    permissionsElement(metadata),
    ...addressesOf(work),
    ...relationsOf(metadata),
    ...abstractsOf(metadata),
    ...keywordGroups(metadata),
    listElement('funding-group', fundingOf(metadata)),
    conferenceElement(metadata),
    standingElement(work),
  )
}

function identifiersOf({ ark, metadata }: DescribedWork): readonly Node[] {
  const { alternate_identifiers = [], existing_doi } = metadata
  return [
    textElement('article-id', existing_doi, { 'pub-id-type': 'doi' }),
    textElement('article-id', ark, { 'pub-id-type': 'ark' }),
    ...alternate_identifiers.map(({ identifier, type }) => {
      return textElement('article-id', identifier, { 'pub-id-type': 'custom', 'custom-type': type })
    }),
  ]
}

function titleGroup(metadata: DescribedMetadata): XmlElement {
  const { titles = [], work_title, work_title_markup, work_title_language } = metadata
  const isWhole = wholeTitle(metadata) === work_title
  const subtitle = isWhole ? undefined : titles.find(({ kind }) => kind === 'subtitle')
  const own = { 'xml:lang': work_title_language }
  const others = titles.filter((title) => title.kind !== 'subtitle')
  const translated = others.filter(({ kind }) => kind === 'translated')
  return element(
    'title-group',
    {},
    element('article-title', own, ...jatsPieces(titlePieces(work_title, work_title_markup))),
    subtitle &&
      element('subtitle', {}, ...jatsPieces(titlePieces(subtitle.title, subtitle.markup))),
    ...translated.map(({ title, markup, language }) => {
      const held = element('trans-title', {}, ...jatsPieces(titlePieces(title, markup)))
      return element('trans-title-group', { 'xml:lang': language }, held)
    }),
    ...others.flatMap(({ kind, language, markup, title }) => {
      if (kind === 'translated') return []
      const attributes = { 'alt-title-type': kind, 'xml:lang': language }
      return [element('alt-title', attributes, ...jatsPieces(titlePieces(title, markup)))]
    }),
  )
}

const markNames: Readonly<Record<Mark, string>> = {
  italic: 'italic',
  bold: 'bold',
  sub: 'sub',
  sup: 'sup',
}

/** Pieces of a text as JATS has them; Crossref has its elements in a namespace of their own. */
export function jatsPieces(
  pieces: readonly MarkedPiece[],
  prefix = '',
): readonly (XmlElement | string)[] {
  return pieces.map((piece) => {
    if (typeof piece === 'string') return piece
    if ('mark' in piece) {
      return element(prefix + markNames[piece.mark], {}, ...jatsPieces(piece.within, prefix))
    }
    const { source, syntax } = piece
    const isTex = syntax === 'tex'
    const formula = isTex ? element(`${prefix}tex-math`, {}, source) : mathElement(source)
    return element(`${prefix}inline-formula`, {}, formula)
  })
}

function contribElement(author: DescribedAuthor, type: string): XmlElement {
  const { identifiers = [], orcid, orcid_authenticated } = author
  const authenticated = orcid_authenticated === true ? 'true' : undefined
  const iD = orcid === undefined ? undefined : `https://orcid.org/${orcid}`
  return element(
    'contrib',
    { 'contrib-type': type },
    textElement('contrib-id', iD, { 'contrib-id-type': 'orcid', authenticated }),
    ...identifiers.map(({ identifier, scheme }) => {
      return textElement('contrib-id', identifier, { 'contrib-id-type': scheme.toLowerCase() })
    }),
    nameElement(author),
    ...affiliationsOf(author).map(affiliationElement),
  )
}

function nameElement(author: DescribedAuthor): Node {
  const { name, name_type: given } = author
  if (given === 'anonymous') return element('anonymous', {})
  const { parts, kind } = knownAuthor(author)
  if (given === 'organization' || kind === 'group') return textElement('collab', name)
  if (parts === undefined) return textElement('string-name', name)
  const { family, given: first, suffix } = parts
  return element(
    'name',
    {},
    textElement('surname', family),
    textElement('given-names', first || undefined),
    textElement('prefix', author.prefix),
    textElement('suffix', suffix),
  )
}

function affiliationsOf({ affiliation: name, affiliations, ror }: AuthorDetail) {
  if (affiliations !== undefined) return affiliations
  if (name === undefined && ror === undefined) return []
  return [{ ...(name !== undefined && { name }), ...(ror !== undefined && { identifier: ror }) }]
}

function affiliationElement({ department, identifier, name, scheme }: Affiliation): XmlElement {
  const isRor = identifier?.startsWith('https://ror.org/') === true
  const type = isRor ? 'ror' : scheme?.toLowerCase()
  return element(
    'aff',
    {},
    element(
      'institution-wrap',
      {},
      textElement('institution', name),
      textElement('institution', department, { 'content-type': 'department' }),
      textElement('institution-id', identifier, { 'institution-id-type': type }),
    ),
  )
}

const plainDate = /^\d{4}(?:-\d\d(?:-\d\d)?)?$/

function dateElement(
  name: string,
  date: string,
  attributes: Readonly<Record<string, string | undefined>>,
): Node {
  if (!plainDate.test(date)) return undefined
  const [year, month, day] = date.split('-')
  return element(
    name,
    { ...attributes, 'iso-8601-date': date },
    textElement('day', day),
    textElement('month', month),
    textElement('year', year),
  )
}

const publicationFormats: Readonly<Record<string, string>> = {
  print: 'print',
  online: 'electronic',
}

function datesOf({ dates = [], published_date }: DescribedMetadata): readonly Node[] {
  const main =
    published_date === undefined
      ? undefined
      : dateElement('pub-date', published_date, { 'date-type': 'pub' })
  const others = dates.flatMap(({ date, kind }) => {
    const format = publicationFormats[kind]
    const attributes = { 'date-type': 'pub', 'publication-format': format }
    return format === undefined ? [] : [dateElement('pub-date', date, attributes)]
  })
  return [main, ...others]
}

/** What came before the publication, and after it, by our names of it. */
function historyElement({ dates = [] }: DescribedMetadata): Node {
  const others = dates.filter(({ kind }) => publicationFormats[kind] === undefined)
  return listElement(
    'history',
    others.map(({ date, kind }) => dateElement('date', date, { 'date-type': kind })),
  )
}

/** Pages, or the number that an article has in their place: of the two, JATS takes one. */
function pagesOf(metadata: DescribedMetadata): readonly Node[] {
  const { first, last } = pageRange(metadata)
  const number = metadata.article_number
  if (first === undefined) return [textElement('elocation-id', number)]
  return [textElement('fpage', first), textElement('lpage', last)]
}

function permissionsElement({ license, rights = [] }: DescribedMetadata): Node {
  const names = license === undefined ? undefined : licenseNames(license)
  const own = names && licenseElement(names.address, names.name)
  const others = rights.flatMap(({ license: name, text, uri }) => {
    const known = name === undefined ? undefined : licenseNames(name)
    const [address, words] = [uri ?? known?.address, text ?? known?.name ?? uri]
    return words === undefined && address === undefined ? [] : [licenseElement(address, words)]
  })
  return listElement('permissions', [own, ...others])
}

function licenseElement(address: string | undefined, words: string | undefined): XmlElement {
  return element(
    'license',
    { 'xlink:href': anyUri(address) },
    textElement('license-p', words ?? address),
  )
}

function addressesOf(work: DescribedWork): readonly Node[] {
  return [
    element('self-uri', { 'xlink:href': work.url }, work.url),
    ...locationsOf(work).map(({ url, name, media_type }) => {
      const attributes = { 'xlink:href': anyUri(url), 'content-type': media_type }
      return element('self-uri', attributes, name ?? url)
    }),
  ]
}

const noticeTypes: Readonly<Record<string, string>> = {
  retraction: 'retraction-forward',
  removal: 'retraction-forward',
  withdrawal: 'retraction-forward',
  partial_retraction: 'partial-retraction-forward',
  expression_of_concern: 'concern-forward',
}
const noticedTypes: Readonly<Record<string, string>> = {
  retraction: 'retracted-article',
  removal: 'retracted-article',
  withdrawal: 'retracted-article',
  partial_retraction: 'partial-retraction',
  expression_of_concern: 'object-of-concern',
}

function relationsOf(metadata: DescribedMetadata): readonly Node[] {
  const { related_identifiers = [], update_notices = [] } = metadata
  return [
    ...update_notices.map(({ direction, doi, ark, kind }) => {
      const type =
        direction === 'of_this'
          ? (noticeTypes[kind] ?? 'correction-forward')
          : (noticedTypes[kind] ?? 'corrected-article')
      return element('related-article', {
        'related-article-type': type,
        'ext-link-type': doi === undefined ? 'ark' : 'doi',
        'xlink:href': anyUri(doi ?? ark),
      })
    }),
    ...related_identifiers.map(({ identifier, relation, scheme }) => {
      const type = scheme.toLowerCase()
      const attributes = { 'link-type': relation, 'ext-link-type': type }
      return element('related-object', { ...attributes, 'xlink:href': anyUri(identifier) })
    }),
  ]
}

function abstractsOf(metadata: DescribedMetadata): readonly Node[] {
  const { description, description_language, description_markup, descriptions = [] } = metadata
  const main = description === undefined ? [] : paragraphsOf(description, description_markup)
  const first = element('abstract', { 'xml:lang': description_language }, ...main)
  const isMain = (kind: string, language: string | undefined) =>
    kind === 'abstract' && language !== undefined && language !== metadata.language
  const [translated, others] = [true, false].map((wanted) => {
    return descriptions.filter(({ kind, language }) => isMain(kind, language) === wanted)
  })
  return [
    main.length === 0 ? undefined : first,
    ...(others ?? []).map(({ description: text, kind, language, markup }) => {
      const attributes = { 'abstract-type': kind.replaceAll('_', '-'), 'xml:lang': language }
      return element('abstract', attributes, ...paragraphsOf(text, markup))
    }),
    ...(translated ?? []).map(({ description: text, language, markup }) => {
      return element('trans-abstract', { 'xml:lang': language }, ...paragraphsOf(text, markup))
    }),
  ]
}

function paragraphsOf(text: string, markup: string | undefined): readonly XmlElement[] {
  const lines = linesOfPieces(textPieces(text, markup))
  return lines.map((line) => element('p', {}, ...jatsPieces(line)))
}

function keywordGroups(metadata: DescribedMetadata): readonly Node[] {
  const { subjects = [] } = metadata
  const words = keywordsOf(metadata).map((word) => textElement('kwd', word))
  const groups = Map.groupBy(subjects, ({ scheme = '', language = '' }) => `${scheme}\n${language}`)
  return [
    listElement('kwd-group', words),
    ...[...groups.values()].map((all) => {
      const terms = all.map(({ code, subject, uri }) => {
        return textElement('kwd', subject, { 'vocab-term': code, 'vocab-term-identifier': uri })
      })
      const { scheme: vocab, scheme_uri: address, language } = all[0] ?? {}
      const attributes = { vocab, 'vocab-identifier': address, 'xml:lang': language }
      return element('kwd-group', attributes, ...terms)
    }),
  ]
}

function fundingOf({ funding = [] }: DescribedMetadata): readonly XmlElement[] {
  return funding.map((each) => {
    const { award, award_title, award_uri, funder, identifier, identifier_type: type } = each
    const id = textElement('institution-id', identifier, { 'institution-id-type': type })
    const held = element('institution-wrap', {}, textElement('institution', funder), id)
    return element(
      'award-group',
      {},
      element('funding-source', {}, held),
      textElement('award-id', award, { 'xlink:href': anyUri(award_uri) }),
      textElement('award-name', award_title),
    )
  })
}

function conferenceElement({ event }: DescribedMetadata): Node {
  if (event === undefined) return undefined
  const { end_date: end, start_date: start = end && '..' } = event
  const date = [start, end].filter((each) => each !== undefined).join('/') || undefined
  return element(
    'conference',
    {},
    // The schema wants one, be it empty.
    element('conf-date', {}, date),
    textElement('conf-name', event.name),
    textElement('conf-acronym', event.acronym),
    textElement('conf-num', event.number),
    textElement('conf-loc', event.place),
    ...(event.sponsors ?? []).map((sponsor) => textElement('conf-sponsor', sponsor)),
    textElement('conf-theme', event.theme),
  )
}

/** That a work was withdrawn or retracted, in words: JATS has no element for when, and by whom. */
function standingElement(work: DescribedWork): Node {
  const note = standingNote(work)
  if (note === undefined) return undefined
  const words = [textElement('meta-name', 'status'), textElement('meta-value', note)]
  return element('custom-meta-group', {}, element('custom-meta', {}, ...words))
}

type Reference = NonNullable<DescribedMetadata['references']>[number]

/** What a work cites: the text that it has of it, else its parts. */
function referenceElement(reference: Reference, index: number): XmlElement {
  const { author, container_title, doi, text, title, volume, volume_title, year } = reference
  const parts = [author, title, container_title ?? volume_title, volume, year]
  const said = text ?? (parts.filter((part) => part !== undefined).join(', ') || undefined)
  const id = textElement('pub-id', doi, { 'pub-id-type': 'doi' })
  return element(
    'ref',
    { id: `r${index + 1}` },
    element(
      'mixed-citation',
      {},
      said,
      said === undefined || id === undefined ? undefined : ' ',
      id,
    ),
  )
}
