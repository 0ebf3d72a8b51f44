import type { FaultList } from '#actors/values/fault_list.ts'
import {
  type FieldKind,
  fieldTable,
  type FieldValues,
  lineOf,
  objectOf,
} from '#actors/values/field_table.ts'
import {
  explainOrcid,
  foldIsni,
  foldOrcid,
  foldRor,
  uriKind,
  urlCharactersMax,
} from '#actors/values/identifier.ts'

const schemeCharactersMax = 100

type SchemeRule = {
  readonly name: string
  readonly fold: (text: string) => string | undefined
  readonly right: string | ((text: string) => string)
}

// Schemes whose identifiers are checked; of all others the text is taken as it is.
const rules: readonly SchemeRule[] = [
  { name: 'ORCID', fold: foldOrcid, right: explainOrcid },
  {
    name: 'ISNI',
    fold: (text) => foldIsni(text)?.replaceAll('-', ''),
    right: 'an ISNI such as 0000000121032683, with the right check digit',
  },
  {
    name: 'ROR',
    fold: foldRor,
    right: 'a ROR ID such as https://ror.org/05gq02987, with the right checksum',
  },
]

const rulesByName = new Map(rules.map((rule) => [rule.name.toLowerCase(), rule]))

/**
 * The identifier and its scheme in their stored form: `orcid` is `ORCID`, an address before an ISNI
 * goes. Adds a fault at `path` for an identifier that its scheme does not have. A scheme that is
 * not known is taken with any text.
 */
export function readNameIdentifier<T extends Pick<NameIdentifier, 'identifier' | 'scheme'>>(
  given: T,
  path: string,
  faults: FaultList,
): T | undefined {
  const rule = rulesByName.get(given.scheme.toLowerCase())
  if (rule === undefined) return given
  const { name: scheme, fold, right } = rule
  const identifier = fold(given.identifier)
  if (identifier === undefined) {
    const expected = typeof right === 'string' ? right : right(given.identifier)
    faults.add(`${path}.identifier`, 'bad_value', `${path}.identifier must be ${expected}`)
    return undefined
  }
  if (identifier === given.identifier && scheme === given.scheme) return given
  return { ...given, identifier, scheme }
}

const nameIdentifierFields = fieldTable({
  identifier: {
    kind: lineOf(urlCharactersMax),
    required: true,
    about: 'The identifier. We check the check digits of ORCID iDs, ISNIs and ROR IDs.',
    example: '0000000121032683',
    alsoCalled: ['name_identifier', 'value', 'id'],
  },
  scheme: {
    kind: lineOf(schemeCharactersMax),
    required: true,
    about: 'What kind of identifier it is: `ORCID`, `ISNI`, `ROR`, or another by its name.',
    example: 'ISNI',
    alsoCalled: ['name_identifier_scheme', 'type'],
  },
  scheme_uri: {
    kind: uriKind,
    about: 'The address of the scheme.',
    example: 'https://isni.org/',
  },
})

/** An identifier of a person or an organization, such as an ISNI. */
export type NameIdentifier = FieldValues<typeof nameIdentifierFields>

export const nameIdentifierKind: FieldKind<NameIdentifier> = objectOf(
  'NameIdentifier',
  nameIdentifierFields,
  readNameIdentifier,
)
