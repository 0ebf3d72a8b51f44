import { isPartialDate } from '#actors/values/date.ts'
import { workTypes } from '#actors/values/work_type.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { contributorTypes } from '#src/discovery/formats/datacite_terms.ts'
import { containerOf, hasPages } from '#src/discovery/formats/described_work.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'

/** A field of a work, or a member of the details of its authors. */
export type Field = keyof Metadata | 'orcid' | 'affiliation' | 'ror'

type Whether = (work: Metadata, read: Partial<Metadata>) => boolean

/** Why a format cannot carry a field, and of which works that is so: of all, without `of`. */
type Loss = { readonly why: string; readonly of?: Whether }

/** Of each field that a format can lose, why. */
export type Losses = Readonly<Partial<Record<Field, Loss>>>

function none(why: string, fields: string): Losses {
  return Object.fromEntries(fields.split(' ').map((field) => [field, { why }]))
}

/** A field whose texts, or those of the members that are named, stand somewhere else. */
function told(why: string, field: keyof Metadata, ...members: readonly string[]): Losses {
  const of: Whether = (work, read) => isTold(work[field], read, ...members)
  return { [field]: { why, of } }
}

function isTold(value: unknown, read: Partial<Metadata>, ...members: readonly string[]): boolean {
  const whole = JSON.stringify(read).toLowerCase()
  return textsOf(value, members).every((text) => {
    return whole.includes(JSON.stringify(text).slice(1, -1).toLowerCase())
  })
}

function textsOf(value: unknown, members: readonly string[]): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((each) => textsOf(each, members))
  const entries = Object.entries(value)
  const named = members.length === 0 ? entries : entries.filter(([name]) => members.includes(name))
  return named.flatMap(([, member]) => textsOf(member, []))
}

const wholeName: Loss = {
  why: 'one name alone is whole',
  of: ({ author_details = [] }) => author_details.some(({ given }) => given === undefined),
}

const sameLanguage: Losses = {
  work_title_language: {
    why: 'the language of the work is not said again',
    of: ({ work_title_language, language }) => work_title_language === language,
  },
  description_language: {
    why: 'the language of the work is not said again, or of nothing',
    of: (work) => work.description === undefined || work.description_language === work.language,
  },
}

// What no program for lists of citations has a field for.
const uncited =
  'related_identifiers funding content_hash orcid affiliation ror access ' +
  'archives assertions clinical_trials content_domain dates degree description_language ' +
  'external_id ' +
  'descriptions formats geo_locations group_title institutions publisher_id ' +
  'publisher_language references related_items resource_version_note review rights series_issn ' +
  'subjects update_notices update_policy variables work_title_language'

/** What catalogues and archives call a work, but for those that a format has a field for. */
function namesBut(...known: readonly string[]): Losses {
  const of: Whether = ({ alternate_identifiers = [] }) => {
    const types = alternate_identifiers.map(({ type }) => type)
    return types.some((type) => !known.includes(type)) || new Set(types).size < types.length
  }
  return { alternate_identifiers: { why: 'no field for the name of this catalogue', of } }
}

/** Sizes but a number of pages, and that of works without a field for it. */
function sizesBut(isCounted: (work: Metadata) => boolean): Losses {
  const of: Whether = (work) => {
    const { sizes: [size = '', ...others] = [] } = work
    return others.length > 0 || !/^\d+ pages?$/.test(size) || !isCounted(work)
  }
  return { sizes: { why: 'a number of pages alone', of } }
}

/** Files but PDFs of which nothing but the address is told. */
function filesBut(filesMax: number): Losses {
  const of: Whether = ({ files = [] }) => {
    const isPlain = files.every(({ media_type, url, ...others }) => {
      const isPdf = media_type === 'application/pdf' && url.endsWith('.pdf')
      return isPdf && Object.keys(others).length === 0
    })
    return !isPlain || files.length > filesMax
  }
  return { files: { why: 'addresses of PDFs alone', of } }
}

/** Contributors in roles that a format has no field for. */
function roles(...known: readonly string[]): { readonly contributors: Loss } {
  return { contributors: { why: 'no field for the role', of: (work) => hasOther(work, known) } }
}

function hasOther({ contributors = [] }: Metadata, known: readonly string[]): boolean {
  return contributors.some(({ role }) => !known.includes(role))
}

const numbers: Losses = {
  ...told('no word for the medium', 'issn', 'value'),
  ...told('no word for the medium', 'isbn', 'value'),
}

const address: Losses = { work_url: { why: 'the address is that of the ARK' } }

function ofSeries(work: Metadata): boolean {
  return containerOf(describedWork(work)).kind === 'series'
}

const plainTitles = none('texts without marks', 'work_title_markup description_markup')

// What is behind the title then is marked as well.
const titleMarks: Losses = {
  ...none('texts without marks', 'description_markup'),
  work_title_markup: {
    why: 'its subtitle stands behind it',
    of: ({ titles = [] }) => titles.some(({ kind }) => kind === 'subtitle'),
  },
}

const inBibtex: Losses = {
  ...titleMarks,
  ...none('no field for it', uncited),
  ...none('type is the kind of thing that the entry is', 'resource_type'),
  ...address,
  ...filesBut(1),
  pages: {
    why: 'a number alone of a whole is its length',
    of: (work, read) => whole(work, read) && isTold(work.pages, { sizes: read.sizes ?? [] }),
  },
  author_details: wholeName,
  ...roles('editor', 'translator'),
  series_title: {
    why: 'one series, which is what holds such a work',
    of: (work, read) => {
      const { container_title, series_title } = work
      return ofSeries(work) && read.container_title === (container_title ?? series_title)
    },
  },
  series_number: {
    why: 'a number without a series, or beside that of an issue or of what holds such a work',
    of: (work, read) => {
      const { issue, series_title, series_number } = work
      if (series_title === undefined || isInJournal(work)) return true
      return ofSeries(work) && [issue, series_number].includes(read.issue)
    },
  },
  issue: {
    why: 'one number, which is that of the series',
    of: (work, read) => ofSeries(work) && read.issue === work.series_number,
  },
}

// It annotates names.
const { orcid: _, ...inBiblatex } = inBibtex

function isInJournal(work: Metadata): boolean {
  return containerOf(describedWork(work)).kind === 'journal'
}

/** Titles of kinds that a format has no field for, or not for more than one. */
function titlesOf(...known: readonly string[]): Losses {
  const of: Whether = ({ titles = [] }) => {
    const kinds = titles.map(({ kind = '' }) => kind)
    return kinds.some((kind) => !known.includes(kind)) || new Set(kinds).size < kinds.length
  }
  return { titles: { why: 'no field for titles of this kind', of } }
}

const joinedTitle: Losses = {
  work_title: {
    why: 'its subtitle stands behind it',
    of: ({ titles = [] }) => titles.some(({ kind }) => kind === 'subtitle'),
  },
}

const eventParts = ['name', 'place', 'start_date', 'end_date']

const hasNoHolder: Whether = ({ container_title, related_items = [] }) => {
  return container_title === undefined || related_items.some(isHolder)
}

function isHolder({ relation }: { readonly relation: string }): boolean {
  return relation === 'IsPublishedIn'
}

const unheld = { why: 'a place in a container without a title', of: hasNoHolder }
const oneNumber: Loss = {
  why: 'one number, or a place in a container without a title',
  of: (work, read) => {
    const isOther = work.article_number !== undefined && work.chapter_number !== undefined
    return isOther || hasNoHolder(work, read)
  },
}

const inDatacite: Losses = {
  ...plainTitles,
  ...none(
    'no property for it',
    'content_hash archives assertions clinical_trials content_domain degree issue_title ' +
      'external_id publisher_place review update_policy container_short_title variables',
  ),
  ...sameLanguage,
  ...numbers,
  access: {
    why: 'its days are dates; who can read it is no property',
    of: ({ access }, read) => access?.start_date === read.access?.start_date,
  },
  volume: unheld,
  issue: unheld,
  pages: unheld,
  edition: unheld,
  article_number: oneNumber,
  chapter_number: oneNumber,
  ...told('a related item of a type of its own', 'event', 'name'),
  ...told('it is what holds the work', 'related_items', 'title'),
  ...told('contributors, which host', 'institutions', 'name'),
  ...told('related items, or identifiers', 'references', 'text', 'doi'),
  ...told('a description', 'resource_version_note'),
  ...told('a related item', 'series_title'),
  series_number: {
    why: 'a related item, if the series has a title',
    of: (work, read) => work.series_title === undefined || isTold(work.series_number, read),
  },
  ...told('kinds that it has', 'titles', 'title'),
  contributors: roles(...Object.keys(contributorTypes)).contributors,
  ...told('a related item', 'series_issn', 'value'),
  ...told('related identifiers', 'update_notices', 'doi', 'ark'),
  ...told('the stage of the text is told in words', 'rights', 'license', 'text'),
}

/** A field that RIS has in records of some types alone. */
function ofTypes(why: string, ...types: readonly string[]): Loss {
  return { why, of: ({ work_type }) => !types.includes(workTypes[work_type].ris) }
}

/** Whether SN has another number of a work, or none. */
const hasOtherNumber: Whether = (
  _work,
  { issn = [], isbn = [], related_identifiers = [], work_type },
) => {
  const isNumbered = ['JOUR', 'BOOK', 'CHAP', 'CPAPER', 'CONF'].includes(
    workTypes[work_type ?? 'other'].ris,
  )
  return !isNumbered || [...issn, ...isbn, ...related_identifiers].length > 0
}

const ofBooks: Loss = {
  why: 'what a book stands in is its series',
  of: ofSeries,
}

const whole: Whether = ({ work_type }) =>
  ['BOOK', 'THES', 'MANSCPT'].includes(workTypes[work_type].ris)
const isUnnumbered: Whether = (work) => {
  const { kind } = containerOf(describedWork(work))
  return !['journal', 'book', 'proceedings'].includes(kind)
}
const position: Loss = { why: 'a number outside of volumes is a position', of: isUnnumbered }

/** Whether all related things are there, whatever they have to do with the work. */
const isNamedAlike: Whether = (work, read) => {
  const { issn = [], isbn = [], series_issn = [], related_identifiers: related = [] } = read
  const others = [
    ...related,
    ...[...issn, ...series_issn].map(({ value }) => ({ scheme: 'ISSN', identifier: value })),
    ...isbn.map(({ value }) => ({ scheme: 'ISBN', identifier: value })),
  ]
  return (work.related_identifiers ?? []).every(({ scheme, identifier }) =>
    others.some((other) => other.scheme === scheme && other.identifier === identifier),
  )
}

const inNoSeries: Loss = {
  why: 'a number in no series, or in that which holds a book',
  of: (work) => work.series_title === undefined || ofSeries(work),
}

const inNoBook: Loss = {
  why: 'the series of a book that holds the work',
  of: (work) => {
    const { isbn, issn, kind, title } = containerOf(describedWork(work))
    const isHeld = [title, isbn, issn].some((each) => each !== undefined)
    return !['book', 'proceedings'].includes(kind) || !isHeld || work.series_title === undefined
  },
}

/** The one table of what formats cannot carry, and why. */
export const losses = {
  BibTeX: {
    ...inBibtex,
    ...numbers,
    ...titlesOf('short'),
    ...joinedTitle,
    ...namesBut('arXiv'),
    ...none('no field for it', 'sizes event container_short_title issue_title'),
  },
  BibLaTeX: {
    ...inBiblatex,
    ...numbers,
    ...titlesOf('subtitle', 'short', 'original'),
    ...namesBut('arXiv', 'SWHID'),
    ...sizesBut(() => true),
    event: {
      why: 'no field for its number, its acronym, its theme and its sponsors',
      of: ({ event = {} }) => Object.keys(event).some((name) => !eventParts.includes(name)),
    },
    container_short_title: { why: 'that of a journal alone', of: (work) => !isInJournal(work) },
  },
  RIS: {
    ...plainTitles,
    ...none('no tag for it', `${uncited} license issue_title`),
    ...none('M3 is the kind of thing that the record is', 'resource_type'),
    ...none('T2 is what holds the work, for most programs', 'event'),
    ...none('no tag for it', 'alternate_identifiers'),
    ...sizesBut((work) => whole(work, {}) && work.pages === undefined),
    ...filesBut(Number.POSITIVE_INFINITY),
    ...titlesOf('short'),
    ...joinedTitle,
    ...roles('editor', 'translator'),
    ...address,
    author_details: wholeName,
    pages: {
      why: 'SP alone of a whole is a length, and of proceedings it makes a paper',
      of: (work, read) => work.work_type === 'proceedings' || whole(work, read),
    },
    issn: { why: 'SN is one number, of an article or a book', of: hasOtherNumber },
    isbn: { why: 'SN is one number, of an article or a book', of: hasOtherNumber },
    container_short_title: {
      why: 'an abbreviation alone is the title',
      of: ({ container_title }) => container_title === undefined,
    },
    article_number: ofTypes('C7 is that of articles alone', 'JOUR'),
    chapter_number: ofTypes('SE is that of chapters alone', 'CHAP'),
    series_title: ofTypes('T3 is that of what is in a book', 'CHAP', 'CPAPER'),
    series_number: ofTypes('the number of the series of a book or a chapter', 'BOOK', 'CHAP'),
    edition: ofTypes('of software ET is the version', 'JOUR', 'BOOK', 'CHAP', 'CPAPER', 'CONF'),
    resource_version: { why: 'ET is the edition', of: ({ edition }) => edition !== undefined },
    publisher_place: ofTypes('of a paper CY is where it was held', 'JOUR', 'BOOK', 'CHAP'),
  },
  'CSL-JSON': {
    ...titleMarks,
    ...none('no member for it', `${uncited} license issue_title`),
    ...none('genre is the kind of thing that the type does not tell', 'resource_type'),
    ...numbers,
    ...none('no member for it', 'files'),
    ...namesBut('PMID', 'PMCID'),
    ...sizesBut(() => true),
    ...titlesOf('short', 'original'),
    ...joinedTitle,
    ...roles('editor', 'translator', 'chair'),
    ...address,
    article_number: {
      why: 'number is another thing where no journal holds it',
      of: (work) => containerOf(describedWork(work)).kind !== 'journal',
    },
    event: {
      why: 'no member for its number, its acronym, its theme, its sponsors and an end alone',
      of: ({ event = {} }) =>
        Object.keys(event).some((name) => !eventParts.includes(name)) ||
        event.start_date === undefined,
    },
    series_title: ofBooks,
    series_number: inNoSeries,
  },
  'DataCite JSON': {
    ...inDatacite,
    ...told('contentUrl has addresses alone', 'files', 'url'),
  },
  'DataCite XML': { ...inDatacite, ...none('no property for it', 'files') },
  CSV: none(
    'no column for it',
    `${uncited} alternate_identifiers files sizes author_details article_number chapter_number ` +
      'container_short_title contributors ' +
      'edition event isbn issn issue_title publisher_place resource_type resource_version ' +
      'series_number series_title titles',
  ),
  'JSON-LD': {
    ...plainTitles,
    ...none(
      'no property for it',
      'external_id access archives article_number assertions chapter_number clinical_trials ' +
        'container_short_title content_domain description_language descriptions event ' +
        'group_title institutions publisher_language related_items resource_version_note ' +
        'review rights update_policy work_title_language',
    ),
    ...sizesBut(({ work_type }) => workTypes[work_type].schemaOrg === 'Book'),
    degree: { why: 'that of a thesis', of: ({ work_type }) => work_type !== 'thesis' },
    ...told('names have no kinds', 'titles', 'title'),
    ...told('a date without its kind', 'dates', 'date'),
    ...told('a name, or a related identifier', 'references', 'text', 'doi'),
    edition: {
      why: 'that of a book',
      of: (work) => workTypes[work.work_type].schemaOrg !== 'Book',
    },
    issue_title: {
      why: 'that of an issue',
      of: (work, read) => work.issue === undefined || isUnnumbered(work, read),
    },
    series_title: inNoBook,
    series_number: inNoBook,
    series_issn: {
      why: 'no word for the medium, and that of a series of a book that holds the work',
      of: (work, read) =>
        inNoBook.of?.(work, read) === true || isTold(work.series_issn, read, 'value'),
    },
    ...numbers,
    content_hash: { why: 'it is that of the content as it was fetched' },
    related_identifiers: {
      why: 'one property for several relations, and one for the numbers of what holds the work',
      of: isNamedAlike,
    },
    volume: position,
    issue: position,
    pages: {
      why: 'things of this type have no pages',
      of: (work) => !hasPages(describedWork(work)),
    },
  },
  JATS: {
    ...none(
      'no element for it in the front of an article',
      'external_id access archives assertions chapter_number clinical_trials content_domain ' +
        'content_hash degree edition formats geo_locations group_title institutions publisher_id ' +
        'publisher_language related_items resource_type resource_version_note review ' +
        'series_number series_issn sizes update_policy variables',
    ),
    ...sameLanguage,
    ...told('a text alone, and a DOI', 'references', 'text', 'doi'),
    ...told('the stage of the text is not told', 'rights', 'license', 'text'),
    ...told('of a book it is that of its series', 'issn', 'value'),
    article_number: { why: 'pages or the number', of: ({ pages }) => pages !== undefined },
    container_short_title: {
      why: 'that of a journal with a title',
      of: (work) => !isInJournal(work) || work.container_title === undefined,
    },
    dates: {
      why: 'days, months and years alone',
      of: ({ dates = [] }) => dates.some(({ date }) => !isPartialDate(date)),
    },
  },
  MODS: {
    ...plainTitles,
    ...none(
      'no element for it',
      'external_id access archives assertions clinical_trials content_domain content_hash ' +
        'group_title publisher_id publisher_language related_items ' +
        'resource_version_note review update_notices update_policy variables',
    ),
    institutions: {
      why: 'who gave a degree, by the name alone',
      of: (work, read) => work.work_type !== 'thesis' || isTold(work.institutions, read, 'name'),
    },
    ...none('a note in words', 'funding'),
    ...none('an affiliation is a text', 'ror'),
    ...sameLanguage,
    ...told('addresses alone', 'files', 'url'),
    ...told('the stage of the text is not told', 'rights', 'license', 'text'),
    ...told('of a book it is that of its series', 'issn', 'value'),
    ...told('alternative is all that is no translation, and not short', 'titles', 'title'),
    ...told('what a book stands in is its series', 'series_title'),
    container_short_title: { why: 'that of a title', of: hasNoHolder },
    series_number: inNoSeries,
    series_issn: inNoSeries,
    event: {
      why: 'no field for its number, its acronym, its theme and its sponsors',
      of: ({ event = {} }) => Object.keys(event).some((name) => !eventParts.includes(name)),
    },
  },
} as const satisfies Record<string, Losses>
