import { parseArk } from '#actors/values/ark.ts'
import { explainDoi, foldDoi } from '#actors/values/doi.ts'
import type { FaultList } from '#actors/values/fault_list.ts'
import { foldedText, lineOf, objectOf } from '#actors/values/field_table.ts'
import { foldUrl, urlCharactersMax } from '#actors/values/url.ts'

/** How a work relates to another thing, as DataCite 4.6 names it (relationType). */
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
] as const

export type Relation = (typeof relations)[number]

/** The schemes of identifiers, as DataCite 4.6 names them (relatedIdentifierType). */
export const schemes = [
  'ARK',
  'arXiv',
  'bibcode',
  'CSTR',
  'DOI',
  'EAN13',
  'EISSN',
  'Handle',
  'IGSN',
  'ISBN',
  'ISSN',
  'ISTC',
  'LISSN',
  'LSID',
  'PMID',
  'PURL',
  'RRID',
  'UPC',
  'URL',
  'URN',
  'w3id',
] as const

export type Scheme = (typeof schemes)[number]

/** Another thing that a work relates to. */
export type RelatedIdentifier = {
  readonly identifier: string
  readonly relation: Relation
  readonly scheme: Scheme
}

const relationsBySpelling = spellingsOf(relations)
const schemesBySpelling = spellingsOf(schemes)

function spellingsOf<T extends string>(names: readonly T[]): ReadonlyMap<string, T> {
  return new Map(names.map((name) => [reduce(name), name]))
}

function reduce(text: string): string {
  return text.toLowerCase().replace(/[-_\s]+/g, '')
}

// Schemes whose identifiers have a stored form of their own.
const folds: {
  readonly [S in Scheme]?: {
    fold(text: string): string | undefined
    right: string | ((text: string) => string)
  }
} = {
  ARK: { fold: foldArk, right: 'an ARK such as ark:/12345/x6np1wh8k' },
  DOI: { fold: foldDoi, right: explainDoi },
  URL: { fold: foldUrl, right: 'an http or https address' },
}

function foldArk(text: string): string | undefined {
  const ark = parseArk(text)
  return ark.type === 'ark' ? ark.normalized : undefined
}

/** The kind of a related identifier; its scheme decides the form of the identifier. */
export const relatedIdentifierKind = objectOf<RelatedIdentifier>(
  'RelatedIdentifier',
  {
    relation: {
      kind: foldedText({
        max: 50,
        fold: (text) => relationsBySpelling.get(reduce(text)),
        right: `a DataCite relation type, one of ${relations.join(', ')}`,
        values: relations,
        title: 'Relation',
      }),
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
      kind: foldedText({
        max: 50,
        fold: (text) => schemesBySpelling.get(reduce(text)),
        right: `one of ${schemes.join(', ')}`,
        values: schemes,
        title: 'IdentifierScheme',
      }),
      required: true,
      about: 'The scheme of the identifier; a DataCite identifier type.',
      example: 'DOI',
      alsoCalled: ['type'],
    },
  },
  checkScheme,
)

function checkScheme(
  related: RelatedIdentifier,
  path: string,
  faults: FaultList,
): RelatedIdentifier | undefined {
  const scheme = folds[related.scheme]
  if (scheme === undefined) return related
  const identifier = scheme.fold(related.identifier)
  if (identifier !== undefined) return { ...related, identifier }
  const { right } = scheme
  const expected = typeof right === 'string' ? right : right(related.identifier)
  faults.add(`${path}.identifier`, 'bad_value', `${path}.identifier must be ${expected}`)
  return undefined
}
