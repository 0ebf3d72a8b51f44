import { closedTable } from '#actors/values/lazy_table.ts'
import { readOrcid, readRor } from '#src/discovery/citation_files/addresses.ts'
import { affiliationsOf, orcidOf } from '#src/discovery/citation_files/affiliations.ts'
import { type FieldNotes, quote } from '#src/discovery/citation_files/citation_file.ts'
import {
  isOthers,
  noteNames,
  partedNames,
  tidied,
} from '#src/discovery/citation_files/csl_names.ts'
import {
  isUnknown,
  listOf,
  noteMembers,
  objectOf,
  textOf,
} from '#src/discovery/citation_files/field_rows.ts'
import { plainText } from '#src/discovery/citation_files/markup.ts'
import { namesInText, readName } from '#src/discovery/citation_files/names.ts'
import { contributorOf, type SourceAuthor } from '#src/discovery/citation_files/work_draft.ts'
import { contributorTypes, termOf } from '#src/discovery/formats/datacite_terms.ts'

type Json = Readonly<Record<string, unknown>>

/** The things of a list, also where it was made of XML, `{ creator: […] }`, or is one of them. */
export function inList(value: unknown, member: string): readonly unknown[] {
  const within = objectOf(value)[member]
  return listOf(typeof within === 'object' && within !== null ? within : value)
}

/** The creators of a record of DataCite's JSON. */
export function readCreators(value: unknown, at: FieldNotes): readonly SourceAuthor[] {
  return inList(value, 'creator').flatMap((each) => {
    const { creatorName, ...members } = objectOf(each)
    return nameOf({ name: creatorName ?? each, ...members }, at)
  })
}

/** Those who had other parts in it, each with their role. */
export function readContributors(value: unknown, at: FieldNotes): readonly unknown[] {
  return inList(value, 'contributor').flatMap((each) => {
    const { contributorName, contributorType, ...members } = objectOf(each)
    const names = nameOf({ name: contributorName ?? each, ...members }, at)
    if (names.length === 0) return []
    const role = roleOf(textOf(contributorType) ?? '', at)
    return names.map((name) => contributorOf(role, name))
  })
}

// Roles of older schemas; funders have a property of their own now.
const formerRoles: Readonly<Record<string, string>> = closedTable({ Funder: 'sponsor' })

function roleOf(type: string, at: FieldNotes): string {
  const role = termOf(contributorTypes, type)
  if (role !== undefined) return role
  const taken = formerRoles[type] ?? 'other'
  const message =
    type === ''
      ? 'A contributor has no contributorType: it is taken as other.'
      : `contributorType "${quote(type)}" is none of today: it is taken as ${taken}.`
  at.add('taken_as', message, type !== '' && taken === 'other')
  return taken
}

const nameMembers: ReadonlySet<string> = new Set(
  (
    'name creator contributor givenName familyName nameType lang affiliation nameIdentifiers ' +
    'nameIdentifier'
  ).split(' '),
)

const identifierMembers: ReadonlySet<string> = new Set(
  'nameIdentifier nameIdentifierScheme schemeUri schemeURI'.split(' '),
)

function nameOf(person: Json, at: FieldNotes): readonly SourceAuthor[] {
  if (isOthers(person, at)) return []
  noteMembers(person, nameMembers, 'a name', at)
  const names = partsOf(person, at)
  if (names.length === 0) return []
  const { orcid, ror, identifiers } = identifiersOf(person, at)
  const places = affiliationsOf(listOf(person['affiliation']), at)
  const kind = kinds[textOf(person['nameType']) ?? '']
  const language = textOf(person['lang'])
  const ids = [...(ror === undefined ? [] : [ror]), ...identifiers]
  const more = {
    orcid,
    ...places,
    ...(kind !== undefined && { name_type: kind }),
    ...(ids.length > 0 && { identifiers: ids }),
    ...(language !== undefined && { language }),
  }
  return partedNames(more, names, at)
}

const kinds: Readonly<Record<string, 'person' | 'organization'>> = closedTable({
  Personal: 'person',
  Organizational: 'organization',
})

function partsOf(person: Json, at: FieldNotes): readonly SourceAuthor[] {
  const known = (member: string) => {
    const text = textOf(person[member])
    return text === undefined || isUnknown(text) ? undefined : plainText(text)
  }
  const [name, family, given] = [known('name'), known('familyName'), known('givenName')]
  const isGroup = person['nameType'] === 'Organizational'
  if (family !== undefined && !isGroup) {
    return tidied({ family, given, suffix: suffixOf(name, family) }, at)
  }
  if (name === undefined) return given === undefined ? [] : [{ literal: given }]
  if (isGroup) return [{ literal: name }]
  // Names of people are written `Family, Given` where DataCite has them in one piece.
  if (/[,;]\s/.test(name)) return noteNames(namesInText(name), at)
  const isPerson = person['nameType'] === 'Personal' && given === undefined && !/[\s,]/.test(name)
  return tidied(isPerson ? { family: name } : { literal: name }, at)
}

/** What follows a name stands in the whole of it alone: `King, Martin Luther, Jr.` */
function suffixOf(name: string | undefined, family: string): string | undefined {
  if (name === undefined || !/,.*,/.test(name)) return undefined
  const [read] = readName(name).names
  return read?.family === family ? read.suffix : undefined
}

/** The ORCID iD of somebody, the ROR ID of an organization, and whatever else names them. */
function identifiersOf(
  person: Json,
  at: FieldNotes,
): {
  readonly orcid: string | undefined
  readonly ror: Json | undefined
  readonly identifiers: readonly Json[]
} {
  const ids = listOf(person['nameIdentifiers'] ?? person['nameIdentifier']).flatMap((each) => {
    const { nameIdentifier, nameIdentifierScheme, schemeUri, schemeURI } = objectOf(each)
    noteMembers(objectOf(each), identifierMembers, 'an identifier', at)
    const identifier = textOf(nameIdentifier) ?? textOf(each)
    if (identifier === undefined) return []
    const scheme = textOf(nameIdentifierScheme)
    return [{ identifier, scheme, scheme_uri: textOf(schemeUri ?? schemeURI) }]
  })
  const isOrcid = ({ identifier, scheme, scheme_uri }: (typeof ids)[number]) =>
    /orcid/i.test(`${scheme ?? ''} ${scheme_uri ?? ''} ${identifier}`) ||
    (scheme === undefined && readOrcid(identifier) !== undefined)
  const first = ids.find(isOrcid)
  const others = ids.filter((each) => each !== first)
  const rors = others.flatMap(({ identifier }) => readRor(identifier) ?? [])
  const rest = others.filter(({ identifier }) => readRor(identifier) === undefined)
  return {
    orcid: orcidOf(first?.identifier, textOf(person['name']) ?? '', at),
    ror: rors[0] === undefined ? undefined : { scheme: 'ROR', identifier: rors[0] },
    identifiers: rest.map(({ identifier, scheme = 'Other', scheme_uri }) => ({
      scheme,
      identifier,
      ...(scheme_uri !== undefined && { scheme_uri }),
    })),
  }
}
