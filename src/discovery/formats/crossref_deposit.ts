import { type WorkType, workTypes } from '#actors/values/work_type.ts'
import { assert } from '#log/tlog/errors.ts'
import {
  abstractsOf,
  acceptanceDate,
  accessProgram,
  archivesOf,
  citationsOf,
  componentNumber,
  crossmarkOf,
  dateElement,
  type Deposit,
  doiData,
  editionOf,
  fitText,
  formatOf,
  isbnsOf,
  issnsOf,
  itemNumbers,
  languageOf,
  pagesOf,
  programsOf,
  publicationDates,
  publisherItem,
  publisherOf,
  reached,
  relationsOf,
  statusesOf,
  textFit,
  titlesOf,
  versionOf,
  wholeDay,
} from '#src/discovery/formats/crossref_fields.ts'
import { institutionsOf, peopleOf, standardsBody } from '#src/discovery/formats/crossref_names.ts'
import { type DescribedWork, standingNote } from '#src/discovery/formats/described_work.ts'
import {
  element,
  formatDocument,
  listElement,
  textElement,
  type XmlElement,
} from '#src/discovery/formats/xml.ts'

type Node = XmlElement | undefined

const schemaBase = 'http://www.crossref.org/schema/'

/** The namespace of the deposits that are written unless another version is asked for. */
export const crossrefNamespace = `${schemaBase}5.4.0`
export const newCrossrefNamespace = `${schemaBase}5.5.0`

const doiForm = /^10\.\d{4,9}\/.{1,200}$/

/** What keeps a work from being deposited, as a sentence; undefined if nothing does. */
export function lackOfDeposit({
  metadata,
}: {
  readonly metadata: Partial<DescribedWork['metadata']>
}): string | undefined {
  const { existing_doi: doi, published_date: date, work_type } = metadata
  if (work_type === 'award') return 'Crossref has a schema of its own for awards'
  if (doi === undefined) return 'it has no DOI, which is what a deposit registers'
  if (!doiForm.test(doi)) return 'its DOI is longer than Crossref takes'
  if (date !== undefined && !reached(date)) return 'Crossref takes years from 1400 to 2200'
  return undefined
}

/**
 * A work as a deposit of Crossref's schema 5.4.0, which it must be fit for (`lackOfDeposit`). What
 * a kind demands and the record lacks makes it posted content, which demands least.
 */
export function formatCrossref(work: DescribedWork): string {
  return depositOf(work, '5.4.0')
}

/** The same in 5.5.0, which has further roles. */
export function formatNewCrossref(work: DescribedWork): string {
  return depositOf(work, '5.5.0')
}

function depositOf(work: DescribedWork, schema: Deposit['schema']): string {
  const { metadata } = work
  const { existing_doi: doi } = metadata
  assert(doi !== undefined, 'a work without a DOI is not deposited')
  const told = (metadata.dates ?? []).find(({ date, kind }) => {
    return ['issued', 'online', 'print', 'posted'].includes(kind) && reached(date)
  })
  // What nobody tells is published when it is made available here.
  const day = metadata.published_date ?? told?.date ?? work.createdAt.slice(0, 10)
  const deposit = { work, metadata, doi, schema, day }
  const namespace = `${schemaBase}${schema}`
  return formatDocument(
    element(
      'doi_batch',
      {
        xmlns: namespace,
        'xmlns:jats': 'http://www.ncbi.nlm.nih.gov/JATS1',
        'xmlns:ai': 'http://www.crossref.org/AccessIndicators.xsd',
        'xmlns:ct': 'http://www.crossref.org/clinicaltrials.xsd',
        'xmlns:fr': 'http://www.crossref.org/fundref.xsd',
        'xmlns:rel': 'http://www.crossref.org/relations.xsd',
        'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
        'xsi:schemaLocation': `${namespace} https://www.crossref.org/schemas/crossref${schema}.xsd`,
        version: schema,
      },
      headOf(work),
      element('body', {}, bodies[kindOf(deposit)](deposit)),
    ),
  )
}

/** Who deposits what, and when: of two deposits of a DOI, the one with the later time counts. */
function headOf({ ark, operator, publisher, registry, updatedAt, version }: DescribedWork) {
  const { name, email } = operator ?? { name: registry, email: `webmaster@${registry}` }
  return element(
    'head',
    {},
    textElement('doi_batch_id', fitText(`${ark}.v${version}`, 100, 4)),
    textElement('timestamp', updatedAt.replaceAll(/\D/g, '').slice(0, 14)),
    element(
      'depositor',
      {},
      textElement('depositor_name', fitText(name, 130)),
      textElement('email_address', fitText(email, 200, 6)),
    ),
    textElement('registrant', fitText(publisher ?? name, 255)),
  )
}

type Kind =
  | 'book'
  | 'chapter'
  | 'component'
  | 'conference'
  | 'dataset'
  | 'dissertation'
  | 'journal'
  | 'article'
  | 'paper'
  | 'posted'
  | 'report'
  | 'review'
  | 'standard'

// By what Crossref calls a type; whatever is not here is posted content.
const kinds: Readonly<Record<string, Kind>> = {
  'journal-article': 'article',
  journal: 'journal',
  book: 'book',
  'book-chapter': 'chapter',
  'proceedings-article': 'paper',
  proceedings: 'conference',
  dissertation: 'dissertation',
  report: 'report',
  standard: 'standard',
  dataset: 'dataset',
  'peer-review': 'review',
}

// Things for which Crossref has no kind, but for that of data.
const asData: ReadonlySet<WorkType> = new Set<WorkType>([
  'audio',
  'collection',
  'computational_notebook',
  'image',
  'interactive_resource',
  'model',
  'physical_object',
  'software',
  'video',
  'workflow',
])

/** The kind of a deposit: that of the work, if the record has what Crossref demands of it. */
function kindOf(deposit: Deposit): Kind {
  const { metadata } = deposit
  const { work_type } = metadata
  if (parentOf(deposit) !== undefined) return 'component'
  if (asData.has(work_type)) return 'dataset'
  // What is posted at a server is told apart by its own name below.
  if (work_type === 'working_paper' || work_type === 'letter') {
    return work_type === 'letter' && containerOf(deposit) !== undefined ? 'article' : 'posted'
  }
  const kind = kinds[workTypes[work_type].crossref] ?? 'posted'
  return hasDemands[kind]?.(deposit) === false ? 'posted' : kind
}

const hasDemands: { readonly [K in Kind]?: (deposit: Deposit) => boolean } = {
  article: (deposit) => containerOf(deposit) !== undefined,
  chapter: (deposit) => containerOf(deposit) !== undefined,
  paper: (deposit) => conferenceName(deposit) !== undefined,
  conference: (deposit) => conferenceName(deposit) !== undefined,
  dissertation: (deposit) => institutionsOf(deposit, 6).length > 0,
  review: ({ day, metadata }) => {
    const { related_identifiers = [] } = metadata
    return wholeDay(day) && related_identifiers.some(({ relation }) => relation === 'Reviews')
  },
  standard: (deposit) => {
    return standardsBody(deposit) !== undefined && designatorsOf(deposit).length > 0
  },
}

function containerOf({ metadata }: Deposit): string | undefined {
  return metadata.container_title ?? metadata.container_short_title
}

/** The name of a conference, of three characters at least: that of its proceedings without one. */
function conferenceName({ metadata }: Deposit): string | undefined {
  const { container_title, event, work_title, work_type } = metadata
  const names = [event?.name, container_title, work_type === 'proceedings' ? work_title : undefined]
  return names.map((name = '') => fitText(name, 512, 3)).find((name) => name !== undefined)
}

/** The work that this one is a component of, such as the article that has a figure. */
function parentOf({ metadata }: Deposit): string | undefined {
  const parent = metadata.related_identifiers?.find(({ note, relation, scheme }) => {
    return relation === 'IsPartOf' && scheme === 'DOI' && note?.split(':')[0] === 'isComponentOf'
  })
  return parent?.identifier
}

const bodies: Readonly<Record<Kind, (deposit: Deposit) => XmlElement>> = {
  article: journalBody,
  journal: (deposit) => element('journal', {}, journalMetadata(deposit, deposit.metadata)),
  book: bookBody,
  chapter: chapterBody,
  paper: (deposit) => conferenceBody(deposit, paperElement(deposit)),
  conference: (deposit) => conferenceBody(deposit),
  dissertation: dissertationBody,
  report: reportBody,
  standard: standardBody,
  dataset: datasetBody,
  posted: postedBody,
  review: reviewBody,
  component: componentBody,
}

/** What most kinds have at their end, in this order. */
function endOf(deposit: Deposit, names: string): readonly Node[] {
  const parts: Readonly<Record<string, () => Node>> = {
    publisherItem: () => publisherItem(deposit),
    crossmark: () => crossmarkOf(deposit),
    relations: () => relationsOf(deposit),
    archives: () => archivesOf(deposit),
    version: () => versionOf(deposit),
    doi: () => doiData(deposit),
    citations: () => citationsOf(deposit),
  }
  return names.split(' ').flatMap((name) => {
    if (name !== 'crossmark') return [parts[name]?.()]
    const crossmark = crossmarkOf(deposit)
    return crossmark === undefined ? programsOf(deposit, false) : [crossmark]
  })
}

const wholeEnd = 'publisherItem crossmark relations archives version doi citations'

function journalBody(deposit: Deposit): XmlElement {
  const { metadata } = deposit
  const language = languageOf(metadata.language)
  const { issue, issue_title, volume } = metadata
  const numbered = listElement('journal_volume', [textFit('volume', volume, 32)])
  const isIssue = issue !== undefined || issue_title !== undefined || numbered !== undefined
  return element(
    'journal',
    {},
    journalMetadata(deposit, {
      ...metadata,
      work_title: containerOf(deposit) ?? '',
    }),
    isIssue
      ? element(
          'journal_issue',
          {},
          issue_title === undefined
            ? undefined
            : element('titles', {}, textElement('title', issue_title)),
          ...publicationDates(deposit).slice(0, 1),
          numbered,
          textFit('issue', issue, 32),
        )
      : undefined,
    element(
      'journal_article',
      { language },
      ...titlesOf(deposit, true),
      peopleOf(deposit),
      ...abstractsOf(deposit),
      ...publicationDates(deposit),
      acceptanceDate(deposit),
      pagesOf(deposit),
      ...articleEnd(deposit),
    ),
  )
}

/** The same of kinds that tell of clinical trials, too. */
function articleEnd(deposit: Deposit): readonly Node[] {
  const crossmark = crossmarkOf(deposit)
  const told = crossmark === undefined ? programsOf(deposit, true) : [crossmark]
  return [
    publisherItem(deposit),
    ...told,
    ...endOf(deposit, 'relations archives version doi citations'),
  ]
}

/** A journal, which is the work or holds it. */
function journalMetadata(
  deposit: Deposit,
  { container_short_title, work_title, work_type }: Deposit['metadata'],
): XmlElement {
  return element(
    'journal_metadata',
    {},
    textFit('full_title', work_title, 255),
    textFit('abbrev_title', container_short_title, 150),
    ...issnsOf(deposit.metadata.issn),
    work_type === 'journal' ? doiData(deposit) : undefined,
  )
}

/** A series with its ISSN, without which Crossref has none. */
function seriesOf({ metadata }: Deposit): Node {
  const { series_title, container_title, series_issn, issn, series_number, work_type } = metadata
  const isOwn = work_type === 'book' || work_type === 'proceedings'
  const title = series_title ?? (isOwn ? container_title : undefined)
  const numbers = issnsOf(series_issn ?? (isOwn ? issn : undefined))
  if (title === undefined || numbers.length === 0) return undefined
  return element(
    'series_metadata',
    {},
    element('titles', {}, textElement('title', title)),
    ...numbers,
    textFit('series_number', series_number, 15),
  )
}

function bookBody(deposit: Deposit): XmlElement {
  const { metadata } = deposit
  const series = seriesOf(deposit)
  const language = languageOf(metadata.language)
  const own = [
    peopleOf(deposit),
    ...titlesOf(deposit, false),
    ...abstractsOf(deposit),
    series && textFit('volume', metadata.volume, 32),
    editionOf(deposit),
    ...publicationDates(deposit),
  ]
  const end = endOf(deposit, 'publisherItem crossmark relations archives doi citations')
  const accepted = series === undefined ? [acceptanceDate(deposit)] : []
  return element(
    'book',
    { book_type: 'monograph' },
    element(
      series === undefined ? 'book_metadata' : 'book_series_metadata',
      { language },
      series,
      ...own,
      ...accepted,
      ...isbnsOf(deposit, 'monograph'),
      publisherOf(deposit),
      ...end,
    ),
  )
}

function chapterBody(deposit: Deposit): XmlElement {
  const { metadata } = deposit
  const series = seriesOf(deposit)
  const editors = peopleOf(deposit, 'around')
  return element(
    'book',
    { book_type: editors === undefined ? 'other' : 'edited_book' },
    element(
      series === undefined ? 'book_metadata' : 'book_series_metadata',
      {},
      series,
      editors,
      element('titles', {}, textElement('title', containerOf(deposit))),
      series && textFit('volume', metadata.volume, 32),
      editionOf(deposit),
      ...publicationDates(deposit).slice(0, 1),
      ...isbnsOf(deposit, 'monograph'),
      publisherOf(deposit),
    ),
    element(
      'content_item',
      { component_type: 'chapter', language: languageOf(metadata.language) },
      peopleOf(deposit, 'within'),
      ...titlesOf(deposit, false),
      ...abstractsOf(deposit),
      componentNumber(deposit),
      ...publicationDates(deposit),
      acceptanceDate(deposit),
      pagesOf(deposit),
      ...articleEnd(deposit),
    ),
  )
}

/** Proceedings with a paper, or without one as a work of their own. */
function conferenceBody(deposit: Deposit, paper?: XmlElement): XmlElement {
  const { metadata } = deposit
  const series = seriesOf(deposit)
  const { event, container_title, subjects = [], volume, work_title } = metadata
  const title = paper === undefined ? work_title : (container_title ?? event?.name)
  const about = subjects.find(({ scheme }) => scheme === 'proceedings subject')?.subject
  return element(
    'conference',
    {},
    peopleOf(deposit, paper === undefined ? undefined : 'around'),
    eventElement({ ...event, name: conferenceName(deposit) ?? '' }),
    element(
      series === undefined ? 'proceedings_metadata' : 'proceedings_series_metadata',
      series === undefined ? { language: languageOf(metadata.language) } : {},
      series,
      textFit('proceedings_title', title, 511),
      series && textFit('volume', volume, 32),
      textFit('proceedings_subject', about, 255),
      publisherOf(deposit),
      ...publicationDates(deposit),
      ...isbnsOf(deposit, 'archive_volume'),
      ...(paper === undefined ? endOf(deposit, 'publisherItem archives doi') : []),
    ),
    paper,
  )
}

type Event = NonNullable<Deposit['metadata']['event']>

function eventElement(event: Event): XmlElement {
  const { start_date: start = '', end_date: end = '', sponsors = [] } = event
  const [startYear, startMonth, startDay] = partsOf(start)
  const [endYear, endMonth, endDay] = partsOf(end)
  const date =
    startYear === undefined && endYear === undefined
      ? undefined
      : element('conference_date', {
          start_day: startDay,
          start_month: startMonth,
          start_year: startYear,
          end_day: endDay,
          end_month: endMonth,
          end_year: endYear,
        })
  return element(
    'event_metadata',
    {},
    textFit('conference_name', event.name, 512),
    textFit('conference_theme', event.theme, 255),
    textFit('conference_acronym', event.acronym, 127),
    ...sponsors.slice(0, 10).map((sponsor) => textFit('conference_sponsor', sponsor, 255)),
    textFit('conference_number', event.number, 15),
    textFit('conference_location', event.place, 255, 2),
    date,
  )
}

function partsOf(date: string): readonly (string | undefined)[] {
  return reached(date) ? date.split('-') : []
}

function paperElement(deposit: Deposit): XmlElement {
  return element(
    'conference_paper',
    { language: languageOf(deposit.metadata.language) },
    peopleOf(deposit, 'within'),
    ...titlesOf(deposit, false),
    ...abstractsOf(deposit),
    ...publicationDates(deposit),
    acceptanceDate(deposit),
    pagesOf(deposit),
    ...articleEnd(deposit),
  )
}

function dissertationBody(deposit: Deposit): XmlElement {
  const { metadata } = deposit
  return element(
    'dissertation',
    { language: languageOf(metadata.language) },
    peopleOf(deposit),
    ...titlesOf(deposit, false),
    ...abstractsOf(deposit),
    approvalDate(deposit),
    ...institutionsOf(deposit, 6),
    textFit('degree', metadata.degree, 255, 2),
    ...isbnsOf(deposit),
    ...endOf(deposit, wholeEnd),
  )
}

function approvalDate({ day, metadata }: Deposit): Node {
  const approved = metadata.dates?.find(({ date, kind }) => kind === 'approved' && reached(date))
  return dateElement('approval_date', approved?.date ?? day)
}

function reportBody(deposit: Deposit): XmlElement {
  const { metadata } = deposit
  const isApproved = metadata.dates?.some(({ kind }) => kind === 'approved') === true
  return element(
    'report-paper',
    {},
    element(
      'report-paper_metadata',
      { language: languageOf(metadata.language) },
      peopleOf(deposit),
      ...titlesOf(deposit, false),
      editionOf(deposit),
      ...abstractsOf(deposit),
      ...publicationDates(deposit),
      isApproved ? approvalDate(deposit) : undefined,
      ...isbnsOf(deposit),
      publisherOf(deposit),
      ...institutionsOf(deposit, 5, false),
      ...endOf(deposit, wholeEnd),
    ),
  )
}

function designatorsOf({ metadata }: Deposit): readonly string[] {
  return (metadata.alternate_identifiers ?? []).flatMap(({ identifier, type }) => {
    const fits = fitText(identifier, 150, 2) === identifier
    return /^standard designator$/i.test(type) && fits ? [identifier] : []
  })
}

function standardBody(deposit: Deposit): XmlElement {
  const { metadata } = deposit
  const [designator] = designatorsOf(deposit)
  const isWithdrawn = statusesOf(deposit).length > 0
  return element(
    'standard',
    {},
    element(
      'standard_metadata',
      {
        publication_status: isWithdrawn ? 'withdrawn' : undefined,
        language: languageOf(metadata.language),
      },
      peopleOf(deposit),
      ...titlesOf(deposit, false),
      ...abstractsOf(deposit),
      element(
        'designators',
        {},
        element('std_as_published', {}, textElement('std_designator', designator)),
      ),
      editionOf(deposit),
      approvalDate(deposit),
      ...isbnsOf(deposit),
      publisherOf(deposit),
      standardsBody(deposit),
      ...endOf(deposit, wholeEnd),
    ),
  )
}

/** Data, and other things that are no texts, in a database: what holds it, else its publisher's. */
function datasetBody(deposit: Deposit): XmlElement {
  const { day, metadata, work } = deposit
  const { work_type } = metadata
  const held = containerOf(deposit) ?? work.publisher ?? work.registry
  const types: Readonly<Record<string, string>> = { dataset: 'record', collection: 'collection' }
  const dateOf = (kind: string, name: string) => {
    const found = metadata.dates?.find((each) => each.kind === kind && reached(each.date))
    return found && dateElement(name, found.date)
  }
  return element(
    'database',
    {},
    element(
      'database_metadata',
      { language: languageOf(metadata.language) },
      element('titles', {}, element('title', {}, held)),
      publisherOf(deposit),
      ...institutionsOf(deposit, 10, false),
    ),
    element(
      'dataset',
      { dataset_type: types[work_type] ?? 'other' },
      peopleOf(deposit),
      ...titlesOf(deposit, false),
      element(
        'database_date',
        {},
        dateOf('created', 'creation_date'),
        dateElement('publication_date', day),
        dateOf('updated', 'update_date'),
      ),
      publisherItem(deposit),
      textElement('description', metadata.description ?? standingNote(work, () => false)),
      formatOf(deposit),
      ...endOf(deposit, 'crossmark relations archives version doi citations'),
    ),
  )
}

// Kinds of posted content; 5.5.0 has fewer.
const postedTypes: { readonly [T in WorkType]?: string } = {
  preprint: 'preprint',
  working_paper: 'working_paper',
  letter: 'letter',
  thesis: 'dissertation',
  report: 'report',
  review_article: 'review',
  peer_review: 'review',
}
const newPostedTypes: { readonly [T in WorkType]?: string } = {
  preprint: 'preprint',
  working_paper: 'preprint',
  letter: 'letter',
  poster: 'poster',
  review_article: 'review',
  peer_review: 'review',
}

function postedBody(deposit: Deposit): XmlElement {
  const { day, metadata, schema } = deposit
  const types = schema === '5.4.0' ? postedTypes : newPostedTypes
  const posted = metadata.dates?.find(({ date, kind }) => kind === 'posted' && reached(date))
  return element(
    'posted_content',
    {
      type: types[metadata.work_type] ?? 'other',
      language: languageOf(metadata.language),
    },
    textFit('group_title', metadata.group_title, 1024),
    peopleOf(deposit),
    ...titlesOf(deposit, false),
    dateElement('posted_date', posted?.date ?? day),
    acceptanceDate(deposit),
    ...statusesOf(deposit),
    ...institutionsOf(deposit, 5, false),
    ...itemNumbers(deposit),
    ...abstractsOf(deposit),
    ...programsOf(deposit, false),
    ...endOf(deposit, 'relations version doi citations'),
  )
}

// What Crossref's lists have of reviews.
const reviewWords: Readonly<Record<string, ReadonlySet<string>>> = {
  stage: new Set(['pre-publication', 'post-publication']),
  type: new Set(
    (
      'referee-report editor-report author-comment community-comment manuscript aggregate ' +
      'recommendation'
    ).split(' '),
  ),
  recommendation: new Set(
    (
      'major-revision minor-revision reject reject-with-resubmit accept ' +
      'accept-with-reservation'
    ).split(' '),
  ),
}

function reviewBody(deposit: Deposit): XmlElement {
  const { day, metadata } = deposit
  const { review = {}, language } = metadata
  const word = (name: 'stage' | 'type' | 'recommendation') => {
    const said = review[name]
    return said !== undefined && reviewWords[name]?.has(said) === true ? said : undefined
  }
  const { revision_round: round = '' } = review
  return element(
    'peer_review',
    {
      stage: word('stage'),
      type: word('type'),
      recommendation: word('recommendation'),
      'revision-round': /^\d{1,9}$/.test(round) ? round : undefined,
      language: languageOf(review.language ?? language),
    },
    peopleOf(deposit),
    ...titlesOf(deposit, false),
    dateElement('review_date', day),
    ...institutionsOf(deposit, 5, false),
    textElement('competing_interest_statement', review.competing_interests),
    textElement('running_number', review.running_number),
    accessProgram(deposit),
    ...endOf(deposit, 'relations doi'),
  )
}

function componentBody(deposit: Deposit): XmlElement {
  const { metadata } = deposit
  const [date] = publicationDates(deposit)
  return element(
    'sa_component',
    { parent_doi: parentOf(deposit) },
    element(
      'component_list',
      {},
      element(
        'component',
        { parent_relation: 'isPartOf', language: languageOf(metadata.language) },
        ...titlesOf(deposit, false),
        peopleOf(deposit),
        date,
        textElement('description', metadata.description),
        formatOf(deposit),
        accessProgram(deposit),
        doiData(deposit),
      ),
    ),
  )
}
