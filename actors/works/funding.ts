import type { FaultList } from '#actors/values/fault_list.ts'
import {
  type FieldKind,
  fieldTable,
  type FieldValues,
  lineOf,
  objectOf,
  wordOf,
} from '#actors/values/field_table.ts'
import {
  foldDoi,
  foldRor,
  schemeUriField,
  uriKind,
  urlCharactersMax,
} from '#actors/values/identifier.ts'
import { readNameIdentifier } from '#actors/values/name_identifier.ts'
import { inOrder } from '#actors/values/serialization.ts'
import { nameCharactersMax, titleCharactersMax } from '#actors/works/lengths.ts'

/** The schemes of identifiers of funders, as DataCite has them. */
const funderIdentifierTypes = ['Crossref Funder ID', 'GRID', 'ISNI', 'ROR', 'Other'] as const

const fundingFields = fieldTable({
  funder: {
    kind: lineOf(nameCharactersMax),
    required: true,
    about: 'Who paid.',
    example: 'European Research Council',
    alsoCalled: ['funder_name', 'name'],
  },
  identifier: {
    kind: lineOf(urlCharactersMax),
    about: 'Identifier of the funder; a ROR ID and a DOI of a funder are known as such.',
    example: 'https://ror.org/0472cxd90',
    alsoCalled: ['funder_identifier', 'ror', 'funder_doi'],
  },
  identifier_type: {
    kind: wordOf({
      words: funderIdentifierTypes,
      title: 'FunderIdentifierType',
      others: { DOI: 'Crossref Funder ID', 'Funder Registry': 'Crossref Funder ID' },
    }),
    about: 'The scheme of that.',
    example: 'ROR',
    alsoCalled: ['funder_identifier_type'],
  },
  scheme_uri: schemeUriField,
  award: {
    kind: lineOf(nameCharactersMax),
    about: 'Number of the grant.',
    example: '101019547',
    alsoCalled: ['award_number', 'grant'],
  },
  award_title: {
    kind: lineOf(titleCharactersMax),
    about: 'Title of the grant.',
    example: 'Equilibria of mixtures',
  },
  award_uri: {
    byNeed: true,
    kind: uriKind,
    about: 'Address of the grant.',
    example: 'https://example.org/grants/101019547',
    alsoCalled: ['award_url'],
  },
})

/** Who paid for a work; several awards of one funder are an item each. */
export type Funding = FieldValues<typeof fundingFields>

export const fundingKind: FieldKind<Funding> = objectOf('Funding', fundingFields, readFunder)

// The prefix of the Funder Registry, whose names are DOIs.
const registryPrefix = '10.13039/'

function readFunder(given: Funding, path: string, faults: FaultList): Funding | undefined {
  const { identifier, identifier_type: type } = given
  if (identifier === undefined) return given
  const doi = foldDoi(identifier)
  const isRegistered = doi?.startsWith(registryPrefix) === true
  const scheme = type ?? (isRegistered ? 'Crossref Funder ID' : rorType(identifier))
  if (scheme === undefined) return given
  const stored = isRegistered && scheme === 'Crossref Funder ID' ? doi : identifier
  const read = readNameIdentifier({ identifier: stored, scheme }, path, faults)
  if (read === undefined) return undefined
  if (read.identifier === identifier && scheme === type) return given
  return inOrder<Funding>({ ...given, identifier: read.identifier, identifier_type: scheme })
}

function rorType(identifier: string): 'ROR' | undefined {
  return foldRor(identifier) === undefined ? undefined : 'ROR'
}
