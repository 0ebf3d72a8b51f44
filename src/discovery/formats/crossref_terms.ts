import { type RelatedIdentifier, relations } from '#actors/values/related_identifier.ts'

type Relation = RelatedIdentifier['relation']

/**
 * Relations of Crossref's schema, by its names in deposits, and what DataCite calls them. Those that
 * it has exactly stand first.
 */
const exact: Readonly<Record<string, Relation>> = {
  isReviewOf: 'Reviews',
  hasReview: 'IsReviewedBy',
  isCompiledBy: 'IsCompiledBy',
  compiles: 'Compiles',
  isDocumentedBy: 'IsDocumentedBy',
  documents: 'Documents',
  isSupplementTo: 'IsSupplementTo',
  isSupplementedBy: 'IsSupplementedBy',
  isContinuedBy: 'IsContinuedBy',
  continues: 'Continues',
  isPartOf: 'IsPartOf',
  hasPart: 'HasPart',
  references: 'References',
  isReferencedBy: 'IsReferencedBy',
  requires: 'Requires',
  isRequiredBy: 'IsRequiredBy',
  isTranslationOf: 'IsTranslationOf',
  hasTranslation: 'HasTranslation',
  isIdenticalTo: 'IsIdenticalTo',
  isVariantFormOf: 'IsVariantFormOf',
  isOriginalFormOf: 'IsOriginalFormOf',
  isVersionOf: 'IsVersionOf',
  hasVersion: 'HasVersion',
  isDerivedFrom: 'IsDerivedFrom',
  hasDerivation: 'IsSourceOf',
  isReplacedBy: 'IsObsoletedBy',
  replaces: 'Obsoletes',
  cites: 'Cites',
}

// What DataCite says less exactly: our note has Crossref's own name.
const near: Readonly<Record<string, Relation>> = {
  isBasedOn: 'IsDerivedFrom',
  isBasisFor: 'IsSourceOf',
  basedOnData: 'IsDerivedFrom',
  isDataBasisFor: 'IsSourceOf',
  isPreprintOf: 'IsVersionOf',
  hasPreprint: 'HasVersion',
  isManuscriptOf: 'IsVersionOf',
  hasManuscript: 'HasVersion',
  isExpressionOf: 'IsVersionOf',
  hasExpression: 'HasVersion',
  isManifestationOf: 'IsVersionOf',
  hasManifestation: 'HasVersion',
  isSameAs: 'IsIdenticalTo',
  isFormatOf: 'IsVariantFormOf',
  hasFormat: 'IsOriginalFormOf',
  isComponentOf: 'IsPartOf',
  hasComponent: 'HasPart',
}

// Those between forms of one work; all others are between works.
const withinWork: ReadonlySet<string> = new Set(
  (
    'isTranslationOf hasTranslation isPreprintOf hasPreprint isManuscriptOf hasManuscript ' +
    'isExpressionOf hasExpression isManifestationOf hasManifestation isReplacedBy replaces ' +
    'isSameAs isIdenticalTo isVariantFormOf isOriginalFormOf isVersionOf hasVersion isFormatOf ' +
    'hasFormat'
  ).split(' '),
)

const betweenWorks: ReadonlySet<string> = new Set(
  (
    'isDerivedFrom hasDerivation isReviewOf hasReview isCommentOn hasComment isReplyTo hasReply ' +
    'basedOnData isDataBasisFor hasRelatedMaterial isRelatedMaterial isCompiledBy compiles ' +
    'isDocumentedBy documents isSupplementTo isSupplementedBy isContinuedBy continues isPartOf ' +
    'hasPart references isReferencedBy isBasedOn isBasisFor requires isRequiredBy finances ' +
    'isFinancedBy'
  ).split(' '),
)

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

const backwards = new Map(Object.entries(exact).map(([name, relation]) => [relation, name]))

/** Relations of DataCite's that Crossref says less exactly. */
const nearInCrossref: { readonly [R in Relation]?: string } = {
  IsNewVersionOf: 'replaces',
  IsPreviousVersionOf: 'isReplacedBy',
  IsCitedBy: 'isReferencedBy',
  Cites: 'references',
  IsSourceOf: 'hasDerivation',
}

/**
 * What Crossref calls a relation, and whether it is one between works; the name that a note begins
 * with, where there is one, is its own. Undefined if it has none.
 */
export function relationInCrossref({
  relation,
  note = '',
}: {
  readonly relation: Relation
  readonly note?: string
}):
  | { readonly name: string; readonly isBetween: boolean; readonly description?: string }
  | undefined {
  const [, own = '', rest] = /^([a-z][A-Za-z]+)(?:: ([^]*))?$/.exec(note) ?? []
  const isOwn = betweenWorks.has(own) || withinWork.has(own)
  const name = isOwn ? own : (backwards.get(relation) ?? nearInCrossref[relation])
  if (name === undefined || !(betweenWorks.has(name) || withinWork.has(name))) return undefined
  const description = isOwn ? rest : note || undefined
  return {
    name,
    isBetween: betweenWorks.has(name),
    ...(description !== undefined && { description }),
  }
}
