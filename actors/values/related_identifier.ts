import {
  type FieldKind,
  fieldTable,
  type FieldValues,
  lineOf,
  objectOf,
  wordOf,
} from '#actors/values/field_table.ts'
import { uriKind, urlCharactersMax } from '#actors/values/identifier.ts'
import { readIdentifier, schemeKind } from '#actors/values/identifier_scheme.ts'
import { workTypeKind } from '#actors/values/work_type.ts'

/** How a work relates to another thing, as DataCite 4.7 names it (relationType). */
export const relations = [
  'IsCitedBy',
  'Cites',
  'IsSupplementTo',
  'IsSupplementedBy',
  'IsContinuedBy',
  'Continues',
  'IsDescribedBy',
  'Describes',
  'HasMetadata',
  'IsMetadataFor',
  'HasVersion',
  'IsVersionOf',
  'IsNewVersionOf',
  'IsPreviousVersionOf',
  'IsPartOf',
  'HasPart',
  'IsPublishedIn',
  'IsReferencedBy',
  'References',
  'IsDocumentedBy',
  'Documents',
  'IsCompiledBy',
  'Compiles',
  'IsVariantFormOf',
  'IsOriginalFormOf',
  'IsIdenticalTo',
  'IsReviewedBy',
  'Reviews',
  'IsDerivedFrom',
  'IsSourceOf',
  'IsRequiredBy',
  'Requires',
  'IsObsoletedBy',
  'Obsoletes',
  'IsCollectedBy',
  'Collects',
  'IsTranslationOf',
  'HasTranslation',
  'Other',
] as const

export type Relation = (typeof relations)[number]

/** Relations by pairs: what one work says of another is what the second one of a pair says back. */
const pairs: readonly (readonly [Relation, Relation])[] = [
  ['IsCitedBy', 'Cites'],
  ['IsSupplementTo', 'IsSupplementedBy'],
  ['IsContinuedBy', 'Continues'],
  ['IsDescribedBy', 'Describes'],
  ['HasMetadata', 'IsMetadataFor'],
  ['HasVersion', 'IsVersionOf'],
  ['IsNewVersionOf', 'IsPreviousVersionOf'],
  ['IsPartOf', 'HasPart'],
  ['IsReferencedBy', 'References'],
  ['IsDocumentedBy', 'Documents'],
  ['IsCompiledBy', 'Compiles'],
  ['IsVariantFormOf', 'IsOriginalFormOf'],
  ['IsIdenticalTo', 'IsIdenticalTo'],
  ['IsReviewedBy', 'Reviews'],
  ['IsDerivedFrom', 'IsSourceOf'],
  ['IsRequiredBy', 'Requires'],
  ['IsObsoletedBy', 'Obsoletes'],
  ['IsCollectedBy', 'Collects'],
  ['IsTranslationOf', 'HasTranslation'],
]

const inverses: ReadonlyMap<Relation, Relation> = new Map(
  pairs.flatMap(([one, other]) => [
    [one, other],
    [other, one],
  ]),
)

/** What the other work says back; undefined for `IsPublishedIn` and `Other`, which have no pair. */
export function inverseOf(relation: Relation): Relation | undefined {
  return inverses.get(relation)
}

/** Relations of Crossref's schema, by its names in deposits, and what DataCite calls them. */
export const crossrefRelations: Readonly<Record<string, Relation>> = {
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

/** What DataCite says less exactly. */
export const nearRelations: Readonly<Record<string, Relation>> = {
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

// Dublin Core, CiTO, schema.org and PROV have some of these names, and people write what they call
// them.
const vocabularies = [
  '',
  'dcterms:',
  'http://purl.org/dc/terms/',
  'cito:',
  'http://purl.org/spar/cito/',
  'schema:',
  'https://schema.org/',
  'prov:',
  'http://www.w3.org/ns/prov#',
]

export const relationKind: FieldKind<Relation> = wordOf({
  words: relations,
  title: 'Relation',
  what: 'a DataCite relation type',
  others: Object.fromEntries(
    [
      ...relations.map((name) => [name, name] as const),
      ...Object.entries({
        ...nearRelations,
        ...crossrefRelations,
        sameAs: 'IsIdenticalTo' as const,
        citation: 'References' as const,
        wasDerivedFrom: 'IsDerivedFrom' as const,
        wasRevisionOf: 'IsNewVersionOf' as const,
        isTranslatedFrom: 'IsTranslationOf' as const,
      }),
    ].flatMap(([name, relation]) => vocabularies.map((before) => [`${before}${name}`, relation])),
  ),
  otherwise: 'Other, with the name of the relation in note',
})

const noteCharactersMax = 1_000

const relatedIdentifierFields = fieldTable({
  relation: {
    kind: relationKind,
    required: true,
    about: 'How this work relates to the other thing; a DataCite relation type.',
    example: 'IsSupplementedBy',
  },
  identifier: {
    kind: lineOf(urlCharactersMax),
    required: true,
    about: 'The identifier of the other thing.',
    example: '10.5281/zenodo.1234567',
  },
  scheme: {
    kind: schemeKind,
    required: true,
    about: 'The scheme of the identifier; a DataCite identifier type.',
    example: 'DOI',
    alsoCalled: ['type'],
  },
  resource_type: {
    kind: workTypeKind,
    about: 'What kind of thing it is.',
    example: 'dataset',
  },
  note: {
    byNeed: true,
    kind: lineOf(noteCharactersMax),
    about: 'What else there is to say of the relation, such as what `Other` means.',
    example: 'is calibrated with',
    alsoCalled: ['relation_type_information'],
  },
  metadata_scheme: {
    byNeed: true,
    kind: lineOf(noteCharactersMax),
    about: 'For `HasMetadata` and `IsMetadataFor`: the scheme of the metadata.',
    example: 'DDI-L',
    alsoCalled: ['related_metadata_scheme'],
  },
  scheme_uri: {
    byNeed: true,
    kind: uriKind,
    about: 'The address of that scheme.',
    example: 'https://example.org/ddi-lifecycle-3.1.xsd',
  },
  scheme_type: {
    byNeed: true,
    kind: lineOf(noteCharactersMax),
    about: 'The kind of that scheme, such as `XSD`.',
    example: 'XSD',
  },
})

/** Another thing that a work relates to. */
export type RelatedIdentifier = FieldValues<typeof relatedIdentifierFields>

/** The kind of a related identifier; its scheme decides the form of the identifier. */
export const relatedIdentifierKind: FieldKind<RelatedIdentifier> = objectOf(
  'RelatedIdentifier',
  relatedIdentifierFields,
  (related, path, faults) => {
    const { scheme, identifier: given } = related
    const identifier = readIdentifier(scheme, given, `${path}.identifier`, faults)
    if (identifier === undefined) return undefined
    return identifier === given ? related : { ...related, identifier }
  },
)
