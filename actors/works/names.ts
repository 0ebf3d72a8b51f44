import type { FaultList } from '#actors/values/fault_list.ts'
import {
  type FieldKind,
  fieldTable,
  type FieldValues,
  flag,
  foldedText,
  lineOf,
  listOf,
  objectOf,
  warnOfFolding,
  wordOf,
} from '#actors/values/field_table.ts'
import {
  explainOrcid,
  foldOrcid,
  foldRor,
  rorKind,
  schemeUriField,
  urlCharactersMax,
} from '#actors/values/identifier.ts'
import { languageTagKind } from '#actors/values/language.ts'
import { nameIdentifierKind, readNameIdentifier } from '#actors/values/name_identifier.ts'
import { inOrder } from '#actors/values/serialization.ts'
import { foldedCharactersMax, nameCharactersMax } from '#actors/works/lengths.ts'

/** What a name is of; left out where nobody knows. */
export const nameTypes = ['person', 'organization', 'anonymous'] as const

/** In which order the parts of a name are written. */
const nameStyles = ['western', 'eastern', 'icelandic', 'given_only'] as const

/** The roles of CRediT (ANSI/NISO Z39.104). */
const creditRoles = [
  'conceptualization',
  'data_curation',
  'formal_analysis',
  'funding_acquisition',
  'investigation',
  'methodology',
  'project_administration',
  'resources',
  'software',
  'supervision',
  'validation',
  'visualization',
  'writing_original_draft',
  'writing_review_editing',
] as const

/** What is known of one author; `name` or `family` is given. */
export type AuthorDetail = NameParts

/** The 22 roles of DataCite 4.7, and those of Crossref that it has no name for. */
export const contributorRoles = [
  'contact_person',
  'data_collector',
  'data_curator',
  'data_manager',
  'distributor',
  'editor',
  'hosting_institution',
  'producer',
  'project_leader',
  'project_manager',
  'project_member',
  'registration_agency',
  'registration_authority',
  'related_person',
  'researcher',
  'research_group',
  'rights_holder',
  'sponsor',
  'supervisor',
  'translator',
  'work_package_leader',
  'chair',
  'reviewer',
  'review_assistant',
  'statistics_reviewer',
  'external_reviewer',
  'reader',
  'corresponding_author',
  'other',
] as const

export type ContributorRole = (typeof contributorRoles)[number]

const affiliationsMax = 100
const identifiersMax = 100

const orcidKind = foldedText({
  max: foldedCharactersMax,
  fold: foldOrcid,
  right: explainOrcid,
})

const affiliationFields = fieldTable({
  name: {
    kind: lineOf(nameCharactersMax),
    about: 'Its name. Required unless `identifier` is given.',
    example: 'Brown University',
  },
  identifier: {
    kind: lineOf(urlCharactersMax),
    about: 'Its identifier; a ROR ID is known as one without a scheme.',
    example: 'https://ror.org/05gq02987',
    alsoCalled: ['affiliation_identifier', 'ror', 'id'],
  },
  scheme: {
    byNeed: true,
    kind: lineOf(foldedCharactersMax),
    about: 'The scheme of the identifier, such as `ROR`, `ISNI` or `GRID`.',
    example: 'ROR',
    alsoCalled: ['affiliation_identifier_scheme'],
  },
  scheme_uri: schemeUriField,
  department: {
    byNeed: true,
    kind: lineOf(nameCharactersMax),
    about: 'The part of it.',
    example: 'Department of Psychoceramics',
  },
  acronym: {
    byNeed: true,
    kind: lineOf(nameCharactersMax),
    about: 'Its acronym.',
    example: 'BU',
  },
  place: {
    byNeed: true,
    kind: lineOf(nameCharactersMax),
    about: 'Where it is.',
    example: 'Providence, Rhode Island',
  },
})

/** An organization with which somebody was, or which stands behind a work. */
export type Affiliation = FieldValues<typeof affiliationFields>

export const affiliationKind: FieldKind<Affiliation> = objectOf(
  'NameAffiliation',
  affiliationFields,
  readAffiliation,
)

function readAffiliation(given: Affiliation, path: string, faults: FaultList) {
  const { name, identifier, scheme } = given
  if (name === undefined && identifier === undefined) {
    faults.add(`${path}.name`, 'required', `${path}.name or ${path}.identifier is required`)
    return undefined
  }
  if (identifier === undefined) return given
  if (scheme !== undefined)
    return readNameIdentifier({ ...given, identifier, scheme }, path, faults)
  const ror = foldRor(identifier)
  return ror === undefined
    ? given
    : inOrder<Affiliation>({ ...given, identifier: ror, scheme: 'ROR' })
}

const nameParts = fieldTable({
  name: {
    byNeed: true,
    kind: lineOf(nameCharactersMax),
    about: 'The name as the work gives it. Required unless `family` is given.',
    example: 'Josiah S. Carberry',
  },
  given: {
    kind: lineOf(nameCharactersMax),
    about: 'Given names.',
    example: 'Josiah S.',
    alsoCalled: ['given_name', 'first_name'],
  },
  family: {
    kind: lineOf(nameCharactersMax),
    about: 'Family name.',
    example: 'Carberry',
    alsoCalled: ['family_name', 'last_name', 'surname'],
  },
  suffix: {
    byNeed: true,
    kind: lineOf(foldedCharactersMax),
    about: 'What follows the name, such as `Jr.` or `III`.',
    example: 'Jr.',
    alsoCalled: ['name_suffix'],
  },
  prefix: {
    byNeed: true,
    kind: lineOf(foldedCharactersMax),
    about: 'What stands before the name and is no part of it, such as `Dr.`.',
    example: 'Dr.',
    alsoCalled: ['name_prefix', 'honorific'],
  },
  orcid: { kind: orcidKind, about: 'ORCID iD.', example: '0000-0002-1825-0097' },
  orcid_authenticated: {
    byNeed: true,
    kind: flag,
    about: 'Whether its owner has signed in at ORCID to say so.',
    example: true,
    alsoCalled: ['authenticated_orcid'],
  },
  affiliation: {
    kind: lineOf(nameCharactersMax),
    about: 'Where the author worked. Left out, it is the first of `affiliations`.',
    example: 'Brown University',
    alsoCalled: ['institution', 'organization'],
  },
  ror: {
    byNeed: true,
    kind: rorKind,
    about: 'ROR ID of the affiliation.',
    example: 'https://ror.org/05gq02987',
  },
  affiliations: {
    byNeed: true,
    kind: listOf(affiliationKind, affiliationsMax),
    about: 'All affiliations, in order, with their identifiers.',
    example: [{ name: 'Brown University', identifier: 'https://ror.org/05gq02987', scheme: 'ROR' }],
  },
  identifiers: {
    byNeed: true,
    kind: listOf(nameIdentifierKind, identifiersMax),
    about: 'Further identifiers, such as an ISNI; an ORCID iD is kept in `orcid`.',
    example: [{ identifier: '0000000121032683', scheme: 'ISNI' }],
    alsoCalled: ['name_identifiers'],
  },
  name_type: {
    byNeed: true,
    kind: wordOf({
      words: nameTypes,
      title: 'NameType',
      others: { personal: 'person', organizational: 'organization', group: 'organization' },
    }),
    about: 'Whether it is the name of a person or of an organization, if that is known.',
    example: 'person',
  },
  name_style: {
    byNeed: true,
    kind: wordOf({ words: nameStyles, title: 'NameStyle', others: { islensk: 'icelandic' } }),
    about: 'In which order the parts of the name are written: `eastern` has the family first.',
    example: 'western',
  },
  language: { byNeed: true, kind: languageTagKind, about: 'Language of the name.', example: 'en' },
  credit_roles: {
    byNeed: true,
    kind: listOf(
      wordOf({
        words: creditRoles,
        title: 'CreditRole',
        others: {
          'Writing – original draft': 'writing_original_draft',
          'Writing – review & editing': 'writing_review_editing',
        },
      }),
      creditRoles.length,
    ),
    about: 'What they did, in the roles of CRediT.',
    example: ['conceptualization', 'software'],
  },
})

/** What is known of one person or organization; `name` or `family` is given. */
type NameParts = FieldValues<typeof nameParts>

/** What concerns several parts of a name: one of them is there, and each fact has one place. */
function finishName<T extends NameParts>(given: T, path: string, faults: FaultList): T | undefined {
  if (given.name === undefined && given.family === undefined) {
    faults.add(`${path}.name`, 'required', `${path}.name or ${path}.family is required`)
    return undefined
  }
  const { identifiers, affiliations } = given
  if (identifiers === undefined && affiliations === undefined) return given
  const placed = withOrcid(withFirstAffiliation(given), path, faults)
  return placed === undefined || placed === given ? placed : inOrder(placed)
}

/** The first of the affiliations as the one that all formats have a place for. */
function withFirstAffiliation<T extends NameParts>(given: T): T {
  const [first] = given.affiliations ?? []
  if (first === undefined || given.affiliation !== undefined || given.ror !== undefined)
    return given
  const { name, identifier, scheme } = first
  return {
    ...given,
    ...(name !== undefined && { affiliation: name }),
    ...(scheme === 'ROR' && identifier !== undefined && { ror: identifier }),
  }
}

/** An ORCID iD among the identifiers has its own member; there is one of a person at most. */
function withOrcid<T extends NameParts>(given: T, path: string, faults: FaultList): T | undefined {
  const { identifiers = [], orcid, ...rest } = given
  const index = identifiers.findIndex(({ scheme }) => scheme === 'ORCID')
  const found = identifiers[index]?.identifier
  if (found === undefined) return given
  const field = `${path}.identifiers[${index}]`
  if (orcid !== undefined && orcid !== found) {
    const message = `${field} is another ORCID iD than ${path}.orcid: a person has one`
    faults.add(field, 'bad_value', message)
    return undefined
  }
  warnOfFolding(field, found, `${path}.orcid`, faults)
  const others = identifiers.filter((_, at) => at !== index)
  const moved = { ...rest, orcid: found, ...(others.length > 0 && { identifiers: others }) }
  return withOrcid(moved as NameParts as T, path, faults)
}

export const authorDetailKind: FieldKind<AuthorDetail> = objectOf(
  'AuthorDetail',
  nameParts,
  finishName,
)

const contributorFields = fieldTable({
  role: {
    kind: wordOf({
      words: contributorRoles,
      title: 'ContributorRole',
      others: {
        'stats reviewer': 'statistics_reviewer',
        'reviewer external': 'external_reviewer',
        'reviewer expert': 'external_reviewer',
        'thesis advisor': 'supervisor',
        advisor: 'supervisor',
        funder: 'sponsor',
      },
    }),
    required: true,
    about: 'What they were: the contributor types of DataCite, and the roles of Crossref.',
    example: 'data_collector',
    alsoCalled: ['contributor_type', 'type', 'contributor_role'],
  },
  ...nameParts,
  // An organization is a contributor more often than an author.
  name: { ...nameParts.name, byNeed: false },
})

/** Somebody who had a part in a work beside its authors. */
export type Contributor = FieldValues<typeof contributorFields>

export const contributorKind: FieldKind<Contributor> = objectOf(
  'Contributor',
  contributorFields,
  finishName,
)
