import { type WorkType, workTypes } from '#actors/values/work_type.ts'
import { type CitedName, invertedParts } from '#src/discovery/formats/author_names.ts'
import { babelNames } from '#src/discovery/formats/babel_names.ts'
import { type CitedWork, citedWork } from '#src/discovery/formats/cited_work.ts'
import { type DescribedWork, keywordsOf, pagesText } from '#src/discovery/formats/described_work.ts'
import { latexName, latexText, latexTitle } from '#src/discovery/formats/latex_text.ts'

type Field = readonly [name: string, value: string | undefined]

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/**
 * A work as an entry of BibTeX, in UTF-8. Its key is made of the ARK, and of the version that is
 * cited, and so never changes.
 */
export function formatBibtex(work: DescribedWork): string {
  const cited = citedWork(work)
  const { bibtex: type } = workTypes[cited.type]
  const [year, month, day] = work.metadata.published_date?.split('-') ?? []
  const container = bibtexContainer(type, cited)
  return writeEntry(type, cited, [
    ...whoAndWhat(work, cited),
    [container, containerText(container, work, cited)],
    ['type', isNamed.has(type) ? text(cited.kind) : undefined],
    ['year', text(year)],
    ['month', months[Number(month) - 1]],
    ['day', day === undefined ? undefined : braced(String(Number(day)))],
    ...numbers(work),
    [bibtexPublisher[type] ?? 'publisher', text(work.publisher)],
    ['eprint', braced(cited.arxiv)],
    ['archiveprefix', cited.arxiv === undefined ? undefined : '{arXiv}'],
    ...identifiers(work, cited),
    ['langid', braced(babelNames[work.metadata.language ?? ''])],
    ['language', text(work.metadata.language)],
    [
      'note',
      noteOf(cited, {
        isPlacePrinted: bibtexPublisher[type] === undefined,
        isVersionPrinted: false,
      }),
    ],
    ...rest(work),
  ])
}

// Of these, `type` says what their own name does not.
const isNamed: ReadonlySet<string> = new Set([
  'misc',
  'online',
  'phdthesis',
  'techreport',
  'thesis',
  'report',
  'unpublished',
])

/** Where styles print the publisher of the types of which they print nothing that holds them. */
const bibtexPublisher: Readonly<Record<string, string>> = {
  techreport: 'institution',
  phdthesis: 'school',
  misc: 'howpublished',
}

function bibtexContainer(type: string, { container: { kind } }: CitedWork): string {
  if (kind === 'journal') return 'journal'
  return kind === 'series' ? 'series' : 'booktitle'
}

/** A work as an entry of BibLaTeX, which has names for more of what is known. */
export function formatBiblatex(work: DescribedWork): string {
  const cited = citedWork(work)
  const type = biblatexTypes[cited.type]
  const container = biblatexContainers[cited.container.kind]
  const { language, published_date } = work.metadata
  const langid = babelNames[language ?? '']
  return writeEntry(type, cited, [
    ...whoAndWhat(work, cited),
    [container, containerText(container, work, cited)],
    ['type', isNamed.has(type) ? text(cited.kind) : undefined],
    ['date', text(published_date)],
    ...numbers(work),
    [biblatexPublisher[type] ?? 'publisher', text(work.publisher)],
    ['eprint', braced(cited.arxiv)],
    ['eprinttype', cited.arxiv === undefined ? undefined : '{arxiv}'],
    ...identifiers(work, cited),
    ['langid', braced(langid)],
    ['language', langid === undefined ? text(language) : undefined],
    [
      'note',
      noteOf(cited, {
        isPlacePrinted: placed.has(type),
        isVersionPrinted: !unversioned.has(type),
      }),
    ],
    ...rest(work),
  ])
}

const biblatexTypes: Readonly<Record<WorkType, string>> = {
  article: 'article',
  review_article: 'article',
  editorial: 'article',
  letter: 'article',
  data_paper: 'article',
  preprint: 'online',
  book: 'book',
  book_chapter: 'incollection',
  conference_paper: 'inproceedings',
  proceedings: 'proceedings',
  poster: 'unpublished',
  presentation: 'unpublished',
  lecture: 'unpublished',
  thesis: 'thesis',
  report: 'report',
  working_paper: 'report',
  data_management_plan: 'report',
  dataset: 'dataset',
  software: 'software',
  patent: 'patent',
  standard: 'standard',
  image: 'image',
  video: 'video',
  audio: 'audio',
  workflow: 'misc',
  peer_review: 'misc',
  award: 'misc',
  collection: 'misc',
  computational_notebook: 'software',
  event: 'misc',
  instrument: 'misc',
  interactive_resource: 'online',
  journal: 'misc',
  model: 'misc',
  physical_object: 'misc',
  project: 'misc',
  service: 'misc',
  study_registration: 'misc',
  text: 'misc',
  other: 'misc',
}

const biblatexContainers: Readonly<Record<CitedWork['container']['kind'], string>> = {
  journal: 'journaltitle',
  book: 'booktitle',
  proceedings: 'booktitle',
  series: 'series',
  event: 'eventtitle',
  other: 'booktitle',
}

/** Where its standard styles print the publisher of a type. */
const biblatexPublisher: Readonly<Record<string, string>> = {
  thesis: 'institution',
  report: 'institution',
  online: 'organization',
  unpublished: 'howpublished',
  misc: 'howpublished',
  software: 'howpublished',
  standard: 'howpublished',
  image: 'howpublished',
  video: 'howpublished',
  audio: 'howpublished',
}

// Types of which its standard styles print what they stand in, and those without a version.
const placed: ReadonlySet<string> = new Set([
  'article',
  'book',
  'incollection',
  'inproceedings',
  'proceedings',
  'unpublished',
])
const unversioned: ReadonlySet<string> = new Set([...placed, 'thesis', 'patent'])

function writeEntry(type: string, { id }: CitedWork, fields: readonly Field[]): string {
  // Colons and slashes are no trouble for BibTeX, but for packages that make them active.
  let entry = `@${type}{${id.replace(/[:/]+/g, '-')}`
  for (const [name, value] of fields) {
    if (value !== undefined) entry += `,\n  ${name} = ${value}`
  }
  return `${entry}\n}\n`
}

function whoAndWhat({ metadata }: DescribedWork, { names, role }: CitedWork): readonly Field[] {
  return [
    [role, braced(names.map(({ name }) => nameText(name)).join(' and ') || undefined)],
    ['title', braced(latexTitle(metadata.work_title, metadata.language))],
  ]
}

/** Journals are printed as they are, books and series as titles. */
function containerText(
  name: string,
  { metadata }: DescribedWork,
  { container: { title } }: CitedWork,
): string | undefined {
  if (title === undefined || name.startsWith('journal')) return text(title)
  return braced(latexTitle(title, metadata.language))
}

function numbers({ metadata }: DescribedWork): readonly Field[] {
  return [
    ['volume', text(metadata.volume)],
    ['number', text(metadata.issue)],
    ['pages', text(pagesText(metadata, '--'))?.replaceAll('-{}-', '--')],
  ]
}

function identifiers({ metadata, url }: DescribedWork, cited: CitedWork): readonly Field[] {
  return [
    ['issn', text(cited.container.issn)],
    ['isbn', text(cited.container.isbn)],
    ['version', text(cited.version)],
    ['doi', braced(escapeAddress(metadata.existing_doi))],
    ['url', braced(escapeAddress(url))],
  ]
}

function rest({ metadata }: DescribedWork): readonly Field[] {
  return [
    ['keywords', text(listKeywords(keywordsOf(metadata)))],
    ['copyright', text(metadata.license)],
    // A line break alone is a space there: a blank line parts paragraphs.
    ['abstract', text(paragraphs(metadata.description))],
  ]
}

function paragraphs(description: string | undefined): string | undefined {
  return description?.includes('\n') === true ? description.replaceAll(/\n+/g, '\n\n') : description
}

/** What styles print by no other field of a type. */
function noteOf(
  { container, note, version }: CitedWork,
  prints: { readonly isPlacePrinted: boolean; readonly isVersionPrinted: boolean },
): string | undefined {
  const parts = [
    prints.isPlacePrinted ? undefined : container.title,
    version === undefined || prints.isVersionPrinted ? undefined : `Version ${version}`,
    note,
  ]
  return text(parts.filter((part) => part !== undefined).join('; ') || undefined)
}

function braced(value: string | undefined): string | undefined {
  return value === undefined ? undefined : `{${value}}`
}

function text(value: string | undefined): string | undefined {
  return value === undefined ? undefined : braced(latexText(value))
}

// Addresses are set as they are: only what would end the value, or the line, must not stand there.
function escapeAddress(address: string | undefined): string | undefined {
  return address?.replace(/[\\{}\s]/g, encodeURIComponent)
}

/**
 * `Family, Given`, `Family, Jr., Given`, or a whole name in braces, which is neither turned round
 * nor shortened.
 */
function nameText(name: CitedName): string {
  if ('literal' in name) return `{${latexName(name.literal)}}`
  const { family, given, suffix = '' } = name
  if (given === '') return `{${latexName(invertedParts(name))}}`
  return [family, suffix, given]
    .filter((part) => part !== '')
    .map(namePart)
    .join(', ')
}

// A comma or an `and` in a part of a name would end it.
function namePart(part: string): string {
  return /,|\band\b/i.test(part) ? `{${latexName(part)}}` : latexName(part)
}

// Readers part keywords at commas, or at semicolons where there is one.
function listKeywords(words: readonly string[]): string | undefined {
  return words.join(words.some((word) => word.includes(',')) ? '; ' : ', ') || undefined
}
