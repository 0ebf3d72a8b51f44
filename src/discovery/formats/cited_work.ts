import {
  type ThesisKind,
  thesisKindOf,
  thesisKinds,
  type WorkType,
  workTypes,
} from '#actors/values/work_type.ts'
import { type CitedAuthor, citedAuthors } from '#src/discovery/formats/author_names.ts'
import {
  type Container,
  containerOf,
  type DescribedMetadata,
  type DescribedWork,
  nameIn,
  readContributor,
  standingNote,
} from '#src/discovery/formats/described_work.ts'

/** A work as it is cited: what CSL, BibTeX, BibLaTeX and RIS are written from. */
export type CitedWork = {
  /** The ARK, with the version if that is what is cited: `ark:/12345/k2bcd45g7h3/v2`. */
  readonly id: string
  readonly type: WorkType
  /** What kind of thing it is, in words, where the formats' own types are of several kinds. */
  readonly kind: string | undefined
  /** Of which degree a thesis is, if that is known. */
  readonly degree: ThesisKind | undefined
  readonly names: readonly CitedAuthor[]
  /** What those who are named have done: proceedings have no authors, unless others edited them. */
  readonly role: 'author' | 'editor'
  /** Who had another part in it; undefined where nobody is named. */
  readonly others: CitedOthers | undefined
  readonly container: Container
  /** `[2014, 6, 3]`, as far as it is known. */
  readonly date: readonly number[] | undefined
  /** As its makers number it; else that of a work that is cited as one of its versions. */
  readonly version: string | undefined
  /** The identifier at arXiv. */
  readonly arxiv: string | undefined
  readonly note: string | undefined
}

/** Parts that citations have a place for. */
export type CitedRole = 'editor' | 'translator' | 'chair'

/** Who had another part in a work than its authors, by what citations call that. */
export type CitedOthers = { readonly [R in CitedRole]?: readonly CitedAuthor[] }

/** What is said of a work in every citation, whatever its format. */
export function citedWork(work: DescribedWork): CitedWork {
  const { ark, authors, isPinned, metadata, version } = work
  const { contributors, published_date, resource_version, work_type } = metadata
  const others = contributors === undefined ? undefined : othersOf(contributors)
  const isEdited = work_type === 'proceedings' && others?.editor === undefined
  return {
    id: isPinned ? `${ark}/v${version}` : ark,
    type: work_type,
    kind: kindNameOf(metadata),
    degree: degreeOf(metadata),
    names: citedAuthors(authors),
    role: isEdited ? 'editor' : 'author',
    others,
    container: containerOf(work),
    date: published_date?.split('-').map(Number),
    version: resource_version ?? (isPinned ? String(version) : undefined),
    arxiv: arxivOf(work),
    note: standingNote(work),
  }
}

const citedRoles = ['editor', 'translator', 'chair'] as const satisfies readonly CitedRole[]

function othersOf(all: NonNullable<DescribedMetadata['contributors']>): CitedOthers {
  const others: { [R in CitedRole]?: readonly CitedAuthor[] } = {}
  for (const role of citedRoles) {
    const some = all.filter((one) => one.role === role)
    if (some.length === 0) continue
    others[role] = citedAuthors(some.map(readContributor))
  }
  return others
}

/**
 * Whether a record tells more than every citation has. Most tell nothing of it, and are spared the
 * fields that are written of it.
 */
export function hasCitedDetails(metadata: DescribedMetadata): boolean {
  return detailNames.some((name) => metadata[name] !== undefined)
}

const detailNames = [
  'titles',
  'contributors',
  'edition',
  'article_number',
  'chapter_number',
  'series_title',
  'series_number',
  'event',
  'publisher_place',
  'container_short_title',
  'issue_title',
  'update_notices',
  'alternate_identifiers',
  'files',
  'related_identifiers',
  'sizes',
] as const satisfies readonly (keyof DescribedMetadata)[]

/** A further title of a kind: the first one. */
export function titleOf(
  { titles }: DescribedMetadata,
  kind: NonNullable<NonNullable<DescribedMetadata['titles']>[number]['kind']>,
): string | undefined {
  return titles?.find((each) => each.kind === kind)?.title
}

/** Of which degree a thesis is, by what it calls itself, or by the degree. */
export function degreeOf(metadata: DescribedMetadata): ThesisKind | undefined {
  const { degree = '', resource_type = '', work_type } = metadata
  return work_type === 'thesis' ? (thesisKindOf(resource_type) ?? thesisKindOf(degree)) : undefined
}

function kindNameOf(metadata: DescribedMetadata): string | undefined {
  const { resource_type = '', work_type } = metadata
  const degree = degreeOf(metadata)
  if (degree === undefined) return kinds[work_type]
  // In its own words, which are no identifiers of a vocabulary.
  const isNamed =
    thesisKindOf(resource_type) !== undefined && !/[:/_]|[a-z][A-Z]/.test(resource_type)
  return isNamed ? resource_type : thesisKinds[degree].name
}

const kinds: Readonly<Record<WorkType, string | undefined>> = {
  article: undefined,
  review_article: undefined,
  editorial: undefined,
  letter: undefined,
  data_paper: undefined,
  book: undefined,
  book_chapter: undefined,
  conference_paper: undefined,
  proceedings: undefined,
  other: undefined,
  // Of no degree that is known.
  thesis: 'Thesis',
  report: 'Report',
  working_paper: 'Working Paper',
  data_management_plan: 'Data Management Plan',
  preprint: 'Preprint',
  poster: 'Poster',
  presentation: 'Presentation',
  lecture: 'Lecture',
  dataset: 'Dataset',
  software: 'Software',
  workflow: 'Workflow',
  peer_review: 'Peer Review',
  patent: 'Patent',
  standard: 'Standard',
  image: 'Image',
  video: 'Video',
  audio: 'Audio',
  award: 'Award',
  collection: 'Collection',
  computational_notebook: 'Computational Notebook',
  event: 'Event',
  instrument: 'Instrument',
  interactive_resource: 'Interactive Resource',
  journal: 'Journal',
  model: 'Model',
  physical_object: 'Physical Object',
  project: 'Project',
  service: 'Service',
  study_registration: 'Study Registration',
  text: undefined,
}

const arxivDoi = /^10\.48550\/arxiv\.(\S+)$/i
const arxivAddress = /^https?:\/\/arxiv\.org\/(?:abs|pdf)\/([\w.-]+(?:\/\d{7})?)(?:\.pdf)?$/i

// What readers take for a preprint, if it names arXiv and no journal, is none of these.
const sureTypes: ReadonlySet<WorkType> = new Set<WorkType>([
  'book',
  'book_chapter',
  'conference_paper',
  'proceedings',
  'thesis',
])

function arxivOf({ metadata }: DescribedWork): string | undefined {
  const { container_title, existing_doi = '', work_type, work_url = '' } = metadata
  const named = nameIn(metadata, 'arXiv')
  if (work_type === 'preprint') {
    return arxivDoi.exec(existing_doi)?.[1] ?? arxivAddress.exec(work_url)?.[1] ?? named
  }
  const isArticle = workTypes[work_type].bibtex === 'article' && container_title !== undefined
  return isArticle || sureTypes.has(work_type) ? named : undefined
}
