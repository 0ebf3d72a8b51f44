import { type RelatedIdentifier, relations } from '#actors/values/related_identifier.ts'

type Relation = RelatedIdentifier['relation']

/**
 * Relations of Crossref's schema, by its names in deposits, and what DataCite calls them. Those
 * that it has exactly stand first.
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
