import type { Mark, MarkedPiece } from '#actors/values/markup.ts'
import { closedTable } from '#actors/values/lazy_table.ts'
import { foldDoi, recognizeDoi } from '#actors/values/identifier.ts'
import { licenseNames } from '#actors/values/license.ts'
import type { RightsUse } from '#actors/works/rights.ts'
import {
  abstractTypes,
  referenceParts,
  relationInCrossref,
} from '#src/discovery/formats/crossref_terms.ts'
import {
  citedTitle,
  type DescribedWork,
  pageRange,
  standingNote,
} from '#src/discovery/formats/described_work.ts'
import { jatsPieces } from '#src/discovery/formats/jats.ts'
import { mathElement } from '#src/discovery/formats/math_element.ts'
import { texMathml } from '#src/discovery/formats/tex_math.ts'
import {
  formulaText,
  linesOfPieces,
  textPieces,
  titlePieces,
} from '#src/discovery/formats/title_marks.ts'
import {
  anyUri,
  element,
  listElement,
  textElement,
  type XmlElement,
} from '#src/discovery/formats/xml.ts'

type Node = XmlElement | undefined

/** A work that is deposited. */
export type Deposit = {
  readonly work: DescribedWork
  readonly metadata: DescribedWork['metadata']
  readonly doi: string
  readonly schema: '5.4.0' | '5.5.0'
  /** When it appeared, as far as that is known: `2026-02-28`. */
  readonly day: string
}

/** A text of so many characters: a longer one is cut, a shorter one is left out. */
export function fitText(text: string, max: number, min = 1): string | undefined {
  const shown =
    text.length > max
      ? `${Array.from(text)
          .slice(0, max - 1)
          .join('')}…`
      : text
  return shown.trim().length < min ? undefined : shown
}

/** An element with such a text. */
export function textFit(name: string, text: string | undefined, max: number, min?: number): Node {
  return textElement(name, text === undefined ? undefined : fitText(text, max, min))
}

/** A language as Crossref has it: of ISO 639, without a script or a region. */
export function languageOf(tag: string | undefined): string | undefined {
  const [language = ''] = (tag ?? '').split('-')
  return /^[a-z]{2}$/.test(language) ? language : undefined
}

const dateForm = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/

/** Whether Crossref can have a date: a year from 1400 on, a month or a season, a day. */
export function reached(date: string): boolean {
  const [, year, month = '01'] = dateForm.exec(date) ?? []
  const isMonth = Number(month) <= 12 || (Number(month) >= 21 && Number(month) <= 24)
  return year !== undefined && Number(year) >= 1400 && Number(year) <= 2200 && isMonth
}

/** Whether a date has its day. */
export function wholeDay(date: string): boolean {
  return reached(date) && dateForm.exec(date)?.[3] !== undefined
}

/** A date in its parts; nothing for one that Crossref cannot have. */
export function dateElement(name: string, date: string, media_type?: string): Node {
  if (!reached(date)) return undefined
  const [, year, month, day] = dateForm.exec(date) ?? []
  return element(
    name,
    { media_type },
    textElement('month', month),
    textElement('day', day),
    textElement('year', year),
  )
}

/** When a work appeared, in print and online; a day whose medium nobody tells is that of both. */
export function publicationDates({ day, metadata }: Deposit): readonly XmlElement[] {
  const told = (metadata.dates ?? []).filter(({ date, kind }) => {
    return (kind === 'online' || kind === 'print') && reached(date)
  })
  const isTold = told.some(({ date }) => date.startsWith(day))
  const medium = told.length === 0 ? 'online' : 'other'
  const all = [
    ...(isTold ? [] : [dateElement('publication_date', day, medium)]),
    ...told.map(({ date, kind }) => dateElement('publication_date', date, kind)),
  ]
  return all.filter((each) => each !== undefined).slice(0, 10)
}

/** When a work was accepted. */
export function acceptanceDate({ metadata }: Deposit): Node {
  const accepted = metadata.dates?.find(({ date, kind }) => kind === 'accepted' && reached(date))
  return accepted && dateElement('acceptance_date', accepted.date)
}

/**
 * The titles: a block has the title, its subtitle, and the title in the original language with its
 * own; a journal article has further blocks for further titles.
 */
export function titlesOf({ metadata }: Deposit, hasFurther: boolean): readonly XmlElement[] {
  const { titles = [], work_title, work_title_markup } = metadata
  const isWhole = citedTitle(metadata) === work_title
  const named = (kind: string | undefined) => titles.find((title) => title.kind === kind)
  const [subtitle, original] = [isWhole ? undefined : named('subtitle'), named('original')]
  const own = original && named('original_subtitle')
  const block = element(
    'titles',
    {},
    markedElement('title', { title: work_title, markup: work_title_markup }),
    subtitle && markedElement('subtitle', subtitle),
    original &&
      markedElement('original_language_title', original, {
        language: languageOf(original.language),
      }),
    own && markedElement('subtitle', own),
  )
  if (!hasFurther) return [block]
  const used = new Set([subtitle, original, own])
  const others = titles.filter((title) => {
    return !used.has(title) && (title.kind === undefined || title.kind === 'translated')
  })
  return [
    block,
    ...others.slice(0, 19).map((title) => element('titles', {}, markedElement('title', title))),
  ]
}

const faces: Readonly<Record<Mark, string>> = { italic: 'i', bold: 'b', sub: 'sub', sup: 'sup' }

/** An element whose text has Crossref's face markup. */
function markedElement(
  name: string,
  { title, markup }: { readonly title: string; readonly markup?: string | undefined },
  attributes: XmlElement['attributes'] = {},
): XmlElement {
  return element(name, attributes, ...faced(titlePieces(title, markup)))
}

function faced(pieces: readonly MarkedPiece[]): readonly (XmlElement | string)[] {
  return pieces.map((piece) => {
    if (typeof piece === 'string') return piece
    if ('mark' in piece) return element(faces[piece.mark], {}, ...faced(piece.within))
    // Crossref has no TeX: such a formula is written as MathML, which shows the same.
    const { source: given, syntax } = piece
    const source = syntax === 'tex' ? texMathml(given) : given
    return source === undefined ? formulaText(piece) : mathElement(source)
  })
}

/** The abstract, then other texts, each with its kind; why a work is gone is one of them. */
export function abstractsOf({ metadata, work }: Deposit): readonly XmlElement[] {
  const { description, description_language, description_markup, descriptions = [] } = metadata
  const abstract = (pieces: readonly MarkedPiece[], language?: string, type?: string) =>
    element(
      'jats:abstract',
      { 'xml:lang': language, 'abstract-type': type },
      ...linesOfPieces(pieces).map((line) => element('jats:p', {}, ...jatsPieces(line, 'jats:'))),
    )
  const gone = standingNote(work, () => false)
  return [
    ...(description === undefined
      ? []
      : [
          abstract(
            textPieces(description, description_markup),
            description_language ?? metadata.language,
          ),
        ]),
    ...descriptions.map((each) =>
      abstract(textPieces(each.description, each.markup), each.language, abstractTypes[each.kind]),
    ),
    ...(gone === undefined ? [] : [abstract([gone], 'en', 'withdrawal')]),
  ]
}

/** The edition of a work, or of the book that has it. */
export function editionOf({ metadata }: Deposit): Node {
  return textFit('edition_number', metadata.edition, 15)
}

/** The number of a chapter or another part. */
export function componentNumber({ metadata }: Deposit): Node {
  return textFit('component_number', metadata.chapter_number, 50)
}

/** Who published a work: the registry, where the record does not say. */
export function publisherOf({ metadata, work }: Deposit): XmlElement {
  const name = work.publisher ?? work.operator?.name ?? work.registry
  return element(
    'publisher',
    {},
    textFit('publisher_name', name, 255),
    textFit('publisher_place', metadata.publisher_place, 255, 2),
  )
}

/** ISSNs of what is in print or online: Crossref has no linking ones. */
export function issnsOf(issns: Deposit['metadata']['issn'] = []): readonly XmlElement[] {
  return issns
    .filter(({ kind }) => kind !== 'linking')
    .slice(0, 6)
    .map(({ kind, value }) => element('issn', { media_type: kind }, value))
}

/** ISBNs, or that there is none where that must be said. */
export function isbnsOf({ metadata }: Deposit, noneReason?: string): readonly XmlElement[] {
  const isbns = (metadata.isbn ?? []).filter(({ value }) => isbnForm.test(value)).slice(0, 100)
  if (isbns.length === 0 && noneReason !== undefined) {
    return [element('noisbn', { reason: noneReason })]
  }
  return isbns.map(({ kind, value }) => element('isbn', { media_type: kind }, value))
}

const isbnForm = /^(?=.{10,17}$)(?:97[89]-)?\d[\d -]+[\dX]$/
const issnForm = /^\d{4}-?\d{3}[\dX]$/

/** Pages: what follows a comma is told apart. */
export function pagesOf({ metadata }: Deposit): Node {
  const [before = '', ...after] = (metadata.pages ?? '').split(/,\s*/)
  const { first = '', last } = pageRange({ pages: before })
  const isFit = first !== '' && first.length <= 32
  if (!isFit) return undefined
  return element(
    'pages',
    {},
    element('first_page', {}, first),
    textFit('last_page', last, 32),
    textFit('other_pages', after.join(', '), 100),
  )
}

// Kinds of identifiers that Crossref names.
const identifierTypes: ReadonlySet<string> = new Set(['pii', 'sici', 'pmid', 'dai'])

/** Numbers of a work, each with the name of its kind. */
export function itemNumbers({ metadata }: Deposit): readonly XmlElement[] {
  const { alternate_identifiers = [], article_number } = metadata
  const article = textFit('item_number', article_number, 32)
  const others = alternate_identifiers.flatMap(({ identifier, type }) => {
    const isNumber = !identifierTypes.has(type.toLowerCase()) && !isDesignator(type)
    return isNumber && identifier.length <= 32
      ? [element('item_number', { item_number_type: type }, identifier)]
      : []
  })
  const own = article && { ...article, attributes: { item_number_type: 'article_number' } }
  return [...(own === undefined ? [] : [own]), ...others].slice(0, 3)
}

function isDesignator(type: string): boolean {
  return /^standard designator$/i.test(type)
}

/** The numbers by which a publisher knows a work. */
export function publisherItem(deposit: Deposit): Node {
  const numbers = itemNumbers(deposit)
  const taken = new Set(numbers.flatMap(({ children }) => children))
  const others = (deposit.metadata.alternate_identifiers ?? []).flatMap(({ identifier, type }) => {
    const kind = type.toLowerCase()
    const id_type = identifierTypes.has(kind) ? kind : 'other'
    const isLeft = id_type !== 'other' || (!taken.has(identifier) && !isDesignator(type))
    return isLeft
      ? [textFit('identifier', identifier, 255)].map((each) => typed(each, id_type))
      : []
  })
  return listElement('publisher_item', [...numbers, ...others.slice(0, 10)])
}

function typed(identifier: Node, id_type: string): Node {
  return identifier && { ...identifier, attributes: { id_type } }
}

const programName = { funding: 'fundref', access: 'AccessIndicators', relations: 'relations' }

/** Who paid for a work, each with the awards. */
function fundingProgram({ metadata }: Deposit): Node {
  const groups = Map.groupBy(metadata.funding ?? [], ({ funder, identifier }) => {
    return `${identifier ?? ''} ${funder}`
  })
  if (groups.size === 0) return undefined
  return element(
    'fr:program',
    { name: programName.funding },
    ...[...groups.values()].map((group) => {
      const { funder = '', identifier = '', identifier_type: type } = group[0] ?? {}
      const doi = type === 'Crossref Funder ID' ? foldDoi(identifier) : undefined
      return assertion(
        'fundgroup',
        assertion(
          'funder_name',
          // The schemas have it within the name.
          funder,
          doi === undefined ? undefined : assertion('funder_identifier', `https://doi.org/${doi}`),
        ),
        type === 'ROR' ? assertion('ror', identifier) : undefined,
        ...group.map(({ award }) => {
          return award === undefined ? undefined : assertion('award_number', award)
        }),
      )
    }),
  )
}

function assertion(name: string, ...children: readonly (XmlElement | string | undefined)[]) {
  return element('fr:assertion', { name }, ...children)
}

const uses: { readonly [U in RightsUse]?: string } = {
  version_of_record: 'vor',
  accepted_manuscript: 'am',
  text_mining: 'tdm',
  article_sharing: 'stm-asf',
}

/** Licences, and from when until when a work is free to read. */
export function accessProgram({ metadata }: Deposit): Node {
  const { access, license, rights = [] } = metadata
  const { start_date, end_date } = access ?? {}
  const isOpen = access?.right === 'open' || (start_date ?? end_date) !== undefined
  const free = isOpen
    ? element('ai:free_to_read', { start_date: dayOf(start_date), end_date: dayOf(end_date) })
    : undefined
  const isStaged = rights.some(({ applies_to }) => applies_to !== undefined)
  const own = license === undefined ? undefined : licenseNames(license).address
  return listed('ai:program', { name: programName.access }, [
    free,
    licenseElement(own, isStaged ? 'version_of_record' : undefined, undefined),
    ...rights.map(({ applies_to, license: name, start_date: start, uri }) => {
      const address = uri ?? (name === undefined ? undefined : licenseNames(name).address)
      return licenseElement(address, applies_to, start)
    }),
  ])
}

function licenseElement(
  address: string | undefined,
  use: RightsUse | undefined,
  start: string | undefined,
): Node {
  if (address === undefined || !/^(?:https?|ftp):\/\/.{3,}$/i.test(address)) return undefined
  const attributes = { applies_to: use && uses[use], start_date: dayOf(start) }
  return element('ai:license_ref', attributes, anyUri(address))
}

function dayOf(date: string | undefined): string | undefined {
  return date !== undefined && wholeDay(date) ? date : undefined
}

function listed(
  name: string,
  attributes: XmlElement['attributes'],
  children: readonly Node[],
): Node {
  const list = listElement(name, children)
  return list && { ...list, attributes }
}

/** Trials whose registry Crossref knows by its DOI. */
function trialsProgram({ metadata }: Deposit): Node {
  const moments: Readonly<Record<string, string>> = closedTable({
    'pre-results': 'preResults',
    preresults: 'preResults',
    results: 'results',
    'post-results': 'postResults',
    postresults: 'postResults',
  })
  const trials = (metadata.clinical_trials ?? []).flatMap(
    ({ kind = '', number, registry = '' }) => {
      const [doi] = /10\.18810\/[a-z-]+$/.exec(registry) ?? []
      if (doi === undefined || doi.length < 12) return []
      const attributes = { registry: doi, type: moments[kind.toLowerCase()] }
      return [element('ct:clinical-trial-number', attributes, number)]
    },
  )
  return listElement('ct:program', trials)
}

/** Funders, licences and trials, where there is no Crossmark that has them. */
export function programsOf(deposit: Deposit, hasTrials: boolean): readonly Node[] {
  return [
    fundingProgram(deposit),
    accessProgram(deposit),
    hasTrials ? trialsProgram(deposit) : undefined,
  ]
}

const domainForm = /^(?=.{4,1024}$)\w+(?:[-.]\w+)*\.\w+(?:[-.]\w+)*$/

/** What Crossmark shows of a work; it demands a policy of corrections. */
export function crossmarkOf(deposit: Deposit): Node {
  const { metadata } = deposit
  const { assertions = [], content_domain, update_notices = [], update_policy } = metadata
  const policy = update_policy === undefined ? undefined : recognizeDoi(update_policy)
  if (policy === undefined) return undefined
  const domains = (content_domain?.domains ?? []).filter((domain) => domainForm.test(domain))
  const updates = update_notices.flatMap(({ date, direction, doi, kind }) => {
    const day = dayOf(date)
    return direction === 'by_this' && doi !== undefined && day !== undefined
      ? [element('update', { type: kind, date: day }, doi)]
      : []
  })
  return element(
    'crossmark',
    {},
    element('crossmark_policy', {}, policy),
    listElement(
      'crossmark_domains',
      domains.map((domain) => element('crossmark_domain', {}, element('domain', {}, domain))),
    ),
    textElement('crossmark_domain_exclusive', content_domain?.restricted?.toString()),
    listElement('updates', updates),
    listElement('custom_metadata', [
      ...assertions.map(assertionElement),
      ...programsOf(deposit, true),
    ]),
  )
}

type Assertion = NonNullable<Deposit['metadata']['assertions']>[number]

function assertionElement(given: Assertion): XmlElement {
  const { explanation_uri, group, group_label, label, name, order, uri, value } = given
  return element(
    'assertion',
    {
      name: symbolOf(name),
      label: label === undefined ? undefined : fitText(label, 150, 2),
      group_name: group === undefined ? undefined : symbolOf(group),
      group_label: group_label === undefined ? undefined : fitText(group_label, 150, 2),
      order: order?.toString(),
      explanation: anyUri(explanation_uri),
      href: anyUri(uri),
    },
    value,
  )
}

/** A name that XML has for attributes: letters, digits and a few signs. */
function symbolOf(name: string): string {
  const fit = name.replaceAll(/[^\w.-]/g, '_').replace(/^(?![A-Za-z_])/, '_')
  return (fit.length < 2 ? `${fit}_` : fit).slice(0, 150)
}

const identifierSchemes: Readonly<Record<string, string>> = {
  ARK: 'ark',
  arXiv: 'arxiv',
  DOI: 'doi',
  EISSN: 'issn',
  Handle: 'handle',
  ISBN: 'isbn',
  ISSN: 'issn',
  LISSN: 'issn',
  PMID: 'pmid',
  PURL: 'purl',
  URL: 'uri',
  w3id: 'uri',
}

/** What a work relates to. Of related items, those that have an identifier. */
export function relationsOf({ metadata }: Deposit): Node {
  const { related_identifiers = [], related_items = [] } = metadata
  const items = related_items.flatMap(({ identifier, identifier_type: scheme, ...item }) => {
    return identifier === undefined || scheme === undefined
      ? []
      : [{ identifier, scheme, relation: item.relation, ...(item.note && { note: item.note }) }]
  })
  return listed(
    'rel:program',
    { name: programName.relations },
    [...related_identifiers, ...items].map((related) => {
      const { description, element: name, type } = relationInCrossref(related)
      const own = related.scheme.toLowerCase()
      const isOwn = ['accession', 'ecli', 'pmcid', 'uuid'].includes(own)
      const scheme = identifierSchemes[related.scheme] ?? (isOwn ? own : 'other')
      const attributes = { 'relationship-type': type, 'identifier-type': scheme }
      return element(
        'rel:related_item',
        {},
        textElement('rel:description', description),
        element(`rel:${name}`, attributes, related.identifier),
      )
    }),
  )
}

// Archives by Crossref's names.
const archiveNames = new Map(
  (
    'ADS,BL,Cariniana Network,CLOCKSS,DWT,HathiTrust,Internet Archive,KB,LOCKSS,LOC,NAA,NARA,' +
    'NDPP,NSK,PKP PN,Portico,PSNC,Scholars Portal,TNA'
  )
    .split(',')
    .map((name) => [name.toLowerCase(), name]),
)

/** The archives that keep a work, of those that Crossref knows. */
export function archivesOf({ metadata }: Deposit): Node {
  return listElement(
    'archive_locations',
    (metadata.archives ?? []).flatMap((archive) => {
      const name = archiveNames.get(archive.toLowerCase())
      return name === undefined ? [] : [element('archive', { name })]
    }),
  )
}

/** The version of the content, and what is new in it. */
export function versionOf({ metadata }: Deposit): Node {
  const version = textFit('version', metadata.resource_version, 100)
  const note = textElement('description', metadata.resource_version_note)
  return version && element('version_info', {}, version, note)
}

/** That posted content was withdrawn or removed, there or here. */
export function statusesOf({ metadata, work }: Deposit): readonly XmlElement[] {
  const told = (metadata.update_notices ?? []).flatMap((notice) => {
    const { date, direction, kind, reason } = notice
    const type = kind === 'withdrawal' ? 'withdrawn' : kind === 'removal' ? 'removed' : undefined
    return direction === 'of_this' && type !== undefined
      ? [{ type, date: dayOf(date), reason: reason ?? kind }]
      : []
  })
  const { withdrawal } = work
  const own = withdrawal && {
    type: 'withdrawn',
    date: withdrawal.at.slice(0, 10),
    reason: withdrawal.reason.replaceAll('_', ' '),
  }
  return [...told, ...(own === undefined ? [] : [own])].map(({ date, reason, type }) => {
    return element('status', { type, date }, element('description', {}, reason))
  })
}

// Media types of the schema's list of two thousand, which has not all that servers send.
const mediaTypes: ReadonlySet<string> = new Set(
  (
    'application/pdf application/xml text/xml text/html text/plain application/zip image/png ' +
    'image/jpeg image/gif image/tiff image/svg+xml text/csv text/markdown application/json ' +
    'application/gzip application/epub+zip application/rtf application/msword video/mp4 ' +
    'audio/mpeg application/octet-stream application/postscript'
  ).split(' '),
)

function mediaType(type: string | undefined): string | undefined {
  return type !== undefined && mediaTypes.has(type) ? type : undefined
}

/** The format of a work in words, with the media type if it is one. */
export function formatOf({ metadata, work }: Deposit): Node {
  const type = metadata.formats?.[0] ?? work.content?.mediaType ?? undefined
  if (type === undefined) return undefined
  const mime_type = mediaType(type)
  const others = metadata.formats?.slice(1) ?? []
  const words = mime_type === undefined ? [type, ...others] : others
  const text = fitText(words.join(', '), 130)
  return element('format', { mime_type }, text)
}

// How files are used that stand beside the page of a work.
const fileUses: Readonly<Record<string, readonly [property: string, crawler?: string]>> = {
  text_mining: ['text-mining'],
  similarity_checking: ['crawler-based', 'similarity-check'],
  syndication: ['syndication'],
  content: ['unspecified'],
}

/** The DOI, the page that it leads to, and files for other uses. */
export function doiData({ doi, metadata, work }: Deposit): XmlElement {
  // Of a withdrawn work, the page here says why.
  const { files = [], work_url } = work.withdrawal === undefined ? metadata : {}
  const page = work_url ?? files.find(({ kind }) => kind === 'landing_page')?.url
  return element(
    'doi_data',
    {},
    element('doi', {}, doi),
    element('resource', {}, anyUri(page ?? work.url)),
    ...Object.entries(fileUses).map(([use, [property, crawler]]) =>
      listed(
        'collection',
        { property },
        files
          .filter(({ kind = 'content' }) => kind === use)
          .map(({ content_version: stage, media_type, url }) => {
            const version = stage && uses[stage]
            const content_version = version === 'vor' || version === 'am' ? version : undefined
            const attributes = { mime_type: mediaType(media_type), content_version }
            return element('item', { crawler }, element('resource', attributes, anyUri(url)))
          }),
      ),
    ),
  )
}

const citationTypes: ReadonlySet<string> = new Set(
  (
    'blog blog_post book book_chapter collection conference_paper conference_proceedings dataset ' +
    'dissertation journal journal_article other patent peer_review poster preprint protocol ' +
    'registered_report report software standard web_resource'
  ).split(' '),
)

// Characters that parts of references may have.
const partMax: Readonly<Record<string, number>> = {
  volume: 32,
  issue: 32,
  first_page: 32,
  edition_number: 15,
  component_number: 50,
  std_designator: 150,
}

const partForms: Readonly<Record<string, RegExp>> = {
  issn: issnForm,
  isbn: isbnForm,
  doi: /^10\.\d{4,9}\/.{1,200}$/,
  std_designator: /^..+$/s,
}

type Reference = NonNullable<Deposit['metadata']['references']>[number]

/** What a work cites. */
export function citationsOf({ metadata }: Deposit): Node {
  return listElement('citation_list', (metadata.references ?? []).map(citationElement))
}

function citationElement(reference: Reference, index: number): XmlElement {
  const { key, text, type, url } = reference
  const word = type?.replaceAll('-', '_') ?? ''
  const parts = referenceParts.flatMap(([ours, , name]) => {
    const value = reference[ours]
    if (name === undefined || value === undefined || value.trim() === '') return []
    if (partForms[name]?.test(value) === false) return []
    if (name === 'standards_body') return [bodyElement(value)]
    if (name === 'unstructured_citation') return [markedElement(name, { title: value })]
    return [textFit(name, value, partMax[name] ?? Infinity)]
  })
  // An address has no place of its own.
  const said = text === undefined && url !== undefined ? url : undefined
  return element(
    'citation',
    {
      type: citationTypes.has(word) ? word : undefined,
      key: fitText(key ?? '', 128) ?? `ref${index + 1}`,
    },
    ...parts,
    textElement('unstructured_citation', said),
  )
}

function bodyElement(name: string): XmlElement {
  return element(
    'standards_body',
    {},
    element('standards_body_name', {}, name),
    element('standards_body_acronym', {}, name),
  )
}
