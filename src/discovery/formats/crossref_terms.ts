import {
  crossrefRelations as exact,
  nearRelations as near,
  type RelatedIdentifier,
  relations,
} from '#actors/values/related_identifier.ts'
import type { ContributorRole } from '#actors/works/names.ts'
import type { Reference } from '#actors/works/related_items.ts'
import type { DescriptionKind } from '#actors/works/titles.ts'

type Relation = RelatedIdentifier['relation']

/**
 * What DataCite calls a relation of Crossref's, in the form of either of its formats, such as
 * `is-preprint-of`. `Other` for what it has no name for.
 */
export function relationInDatacite(name: string): {
  readonly relation: Relation
  readonly isExact: boolean
  /** Its name in deposits. */
  readonly camel: string
} {
  const camel = name.replaceAll(/[-_ ]([a-z])/g, (_all, letter: string) => letter.toUpperCase())
  const same = (Object.hasOwn(exact, camel) ? exact[camel] : undefined) ?? inOwnWords.get(camel)
  if (same !== undefined) return { relation: same, isExact: true, camel }
  return {
    relation: (Object.hasOwn(near, camel) ? near[camel] : undefined) ?? 'Other',
    isExact: false,
    camel,
  }
}

// Some write DataCite's names, as `IsPartOf`.
const inOwnWords = new Map<string, Relation>(
  relations.flatMap((name) => [
    [name, name],
    [`${name.charAt(0).toLowerCase()}${name.slice(1)}`, name],
  ]),
)

// What deposits call relations that the schema has not, as near as it can say them.
const nearInDeposits: { readonly [R in Relation]?: string } = {
  Cites: 'references',
  IsCitedBy: 'isReferencedBy',
  IsDescribedBy: 'isDocumentedBy',
  Describes: 'documents',
  IsNewVersionOf: 'isVersionOf',
  IsPreviousVersionOf: 'hasVersion',
}

// Relations between forms of one work; all others are between works.
const ofOneWork: ReadonlySet<string> = new Set(
  (
    'isTranslationOf hasTranslation isPreprintOf hasPreprint isManuscriptOf hasManuscript ' +
    'isExpressionOf hasExpression isManifestationOf hasManifestation isReplacedBy replaces ' +
    'isSameAs isIdenticalTo isVariantFormOf isOriginalFormOf isVersionOf hasVersion isFormatOf ' +
    'hasFormat'
  ).split(' '),
)

// Between works, DataCite has no name for these; our note has it.
const ofOtherWorks: ReadonlySet<string> = new Set(
  (
    'isCommentOn hasComment isReplyTo hasReply hasRelatedMaterial isRelatedMaterial finances ' +
    'isFinancedBy'
  ).split(' '),
)

const inDeposits = new Map(Object.entries(exact).map(([name, relation]) => [relation, name]))

/** A relation as a deposit has it. */
type DepositRelation = {
  readonly type: string
  readonly element: 'inter_work_relation' | 'intra_work_relation'
  /** What it says beside: the note, after the name of DataCite's that is only near. */
  readonly description: string | undefined
}

/**
 * How a deposit has a relation of ours. A note that begins with a name of Crossref's says it; what
 * has no name there keeps DataCite's in the description.
 */
export function relationInCrossref({ relation, note }: RelatedRelation): DepositRelation {
  const [, word = '', words] = /^(\w+)(?:: (.*))?$/s.exec(note ?? '') ?? []
  const isOwn = Object.hasOwn(near, word) || ofOtherWorks.has(word)
  if (isOwn && word !== 'isComponentOf' && word !== 'hasComponent') {
    return depositRelation(word, words)
  }
  const same = inDeposits.get(relation)
  if (same !== undefined && same !== 'cites') return depositRelation(same, note)
  const type = nearInDeposits[relation] ?? 'hasRelatedMaterial'
  const told = relation === 'Other' ? [note] : [relation, note]
  return depositRelation(type, told.filter((each) => each !== undefined).join(': ') || undefined)
}

type RelatedRelation = Pick<RelatedIdentifier, 'relation' | 'note'>

function depositRelation(type: string, description: string | undefined): DepositRelation {
  const element = ofOneWork.has(type) ? 'intra_work_relation' : 'inter_work_relation'
  return { type, element, description }
}

/** The roles of people that Crossref has beside `author`, by ours. */
export const crossrefRoles = {
  editor: 'editor',
  chair: 'chair',
  translator: 'translator',
  reviewer: 'reviewer',
  review_assistant: 'review-assistant',
  statistics_reviewer: 'stats-reviewer',
  external_reviewer: 'reviewer-external',
  reader: 'reader',
  corresponding_author: 'corresponding-author',
} as const satisfies { readonly [R in ContributorRole]?: string }

/** Kinds of abstracts (`abstract-type`); one without a kind is the abstract. */
export const abstractTypes: { readonly [K in DescriptionKind]?: string } = {
  plain_language: 'plain-language-summary',
  table_of_contents: 'toc',
  methods: 'methods',
  series_information: 'series-information',
  technical_info: 'technical-info',
  other: 'executive_summary',
}

/** The parts of a reference: ours, then the elements of deposits and the member of the JSON. */
export const referenceParts: readonly (readonly [
  ours: keyof Reference,
  member: string,
  ...elements: readonly string[],
])[] = [
  ['issn', 'ISSN', 'issn'],
  ['container_title', 'journal-title', 'journal_title'],
  ['author', 'author', 'author'],
  ['volume', 'volume', 'volume'],
  ['issue', 'issue', 'issue'],
  ['first_page', 'first-page', 'first_page', 'elocation_id'],
  ['year', 'year', 'cYear'],
  ['doi', 'DOI', 'doi'],
  ['isbn', 'ISBN', 'isbn'],
  ['series_title', 'series-title', 'series_title'],
  ['volume_title', 'volume-title', 'volume_title'],
  ['edition', 'edition', 'edition_number'],
  ['component', 'component', 'component_number'],
  ['title', 'article-title', 'article_title'],
  ['standard_designator', 'standard-designator', 'std_designator'],
  ['standards_body', 'standards-body', 'standards_body'],
  ['text', 'unstructured', 'unstructured_citation'],
  ['key', 'key'],
  ['url', 'URL'],
  ['type', 'type'],
]
