import { readOrcid, readRor } from '#src/discovery/citation_files/addresses.ts'
import { type FieldNotes, quote } from '#src/discovery/citation_files/citation_file.ts'
import {
  isUnknown,
  listOf,
  noteMembers,
  objectOf,
  textOf,
} from '#src/discovery/citation_files/field_rows.ts'
import { plainText } from '#src/discovery/citation_files/markup.ts'
import type { SourceAffiliation, SourceAuthor } from '#src/discovery/citation_files/work_draft.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * Where somebody worked: the first place in the fields that all formats have, and all of them where
 * there are several or more is known of one. They are texts, objects of DataCite or of Crossref.
 */
export function affiliationsOf(
  places: readonly unknown[],
  at: FieldNotes,
): Pick<SourceAuthor, 'affiliation' | 'ror' | 'affiliations'> {
  const known = places.map((place) => placeOf(place, at)).filter((place) => place !== undefined)
  const distinct = [...new Map(known.map((place) => [JSON.stringify(place), place])).values()]
  const [first] = distinct
  if (first === undefined) return {}
  const { name, identifier, scheme, ...more } = first
  const ror = scheme === 'ROR' ? identifier : undefined
  const isPlain = identifier === ror && Object.keys(more).length === 0
  return {
    ...(name !== undefined && { affiliation: name }),
    ...(ror !== undefined && { ror }),
    ...((distinct.length > 1 || !isPlain) && { affiliations: distinct }),
  }
}

const placeMembers: ReadonlySet<string> = new Set(
  (
    'name id department acronym place country affiliationIdentifier ' +
    'affiliationIdentifierScheme schemeUri schemeURI'
  ).split(' '),
)

/** An organization as a text, or as DataCite or Crossref have it; undefined if it says nothing. */
export function placeOf(value: unknown, at: FieldNotes): SourceAffiliation | undefined {
  const place = objectOf(value)
  noteMembers(place, placeMembers, 'an affiliation', at)
  const given = textOf(value) ?? textOf(place['name'])
  const named = given === undefined || isUnknown(given) ? '' : plainText(given)
  const id = identifierOf(place, named, at)
  const name = named === '' || readRor(named) !== undefined ? undefined : named
  if (name === undefined && id === undefined) return undefined
  // Crossref has a hyphen where nothing is known.
  const text = (member: string) => {
    const texts = listOf(place[member]).flatMap((each) => textOf(each) ?? [])
    return texts.filter((each) => !/^[-–—]+$/.test(each))
  }
  const [department, acronym] = [text('department'), text('acronym')]
  // Of a grant's people Crossref has the country alone.
  const town = [...text('place'), ...text('country')]
  return {
    ...(name !== undefined && { name }),
    ...id,
    ...(department.length > 0 && { department: plainText(department.join(', ')) }),
    ...(acronym.length > 0 && { acronym: plainText(acronym.join(', ')) }),
    ...(town.length > 0 && { place: plainText(town.join(', ')) }),
  }
}

/** The first identifier of a place, or its ROR ID, where it has one; others are told. */
function identifierOf(
  place: Json,
  named: string,
  at: FieldNotes,
): Pick<SourceAffiliation, 'identifier' | 'scheme' | 'scheme_uri'> | undefined {
  const own = textOf(place['affiliationIdentifier'])
  const uri = textOf(place['schemeUri'] ?? place['schemeURI'])
  const ids = [
    ...(own === undefined
      ? []
      : [{ id: own, scheme: textOf(place['affiliationIdentifierScheme']), uri }]),
    ...listOf(place['id']).flatMap((each) => {
      const id = textOf(objectOf(each)['id']) ?? textOf(each)
      return id === undefined ? [] : [{ id, scheme: textOf(objectOf(each)['id-type']), uri }]
    }),
    ...(readRor(named) === undefined ? [] : [{ id: named, scheme: 'ROR', uri }]),
  ]
  const ror = ids.find(({ id }) => readRor(id) !== undefined)
  const chosen = ror ?? ids[0]
  if (chosen === undefined) return undefined
  for (const other of ids) {
    if (other === chosen || readRor(other.id) !== undefined) continue
    const shown = quote(named === '' ? chosen.id : named)
    at.add('left_out', `${shown} has several identifiers: ${quote(other.id)} is left out.`)
  }
  if (ror !== undefined) return { identifier: readRor(ror.id) ?? ror.id, scheme: 'ROR' }
  const { id, scheme } = chosen
  return {
    identifier: id,
    ...(scheme !== undefined && { scheme }),
    ...(uri !== undefined && { scheme_uri: uri }),
  }
}

/** The ORCID iD of somebody; told if it is none. */
export function orcidOf(value: unknown, name: string, at: FieldNotes): string | undefined {
  const text = textOf(value)
  const orcid = text === undefined ? undefined : readOrcid(text)
  if (text !== undefined && orcid === undefined) {
    at.add('not_read', `The ORCID iD of ${quote(name)} is not a right one, and was left out.`)
  }
  return orcid
}
