import { objectOf } from '#src/discovery/citation_files/field_rows.ts'
import { type Json, withValues } from '#src/discovery/citation_files/xml_source.ts'

// What holds works, or shows them, is none by itself.
export const holderTypes: ReadonlySet<string> = new Set([
  'BookSeries',
  'CreativeWorkSeries',
  'DataCatalog',
  'MediaObject',
  'Periodical',
  'PublicationVolume',
  'Thing',
  'WebPage',
  'WebSite',
])

/** The identifier of a thing and its scheme: as it says them, or its DOI; none of what holds. */
export function identifiedBy(thing: unknown): readonly Json[] {
  const node = objectOf(thing)
  if (typesOf(node).some((type) => holderTypes.has(type) || isVolume(type))) return []
  const [own] = listOf(node['identifier'])
    .map(objectOf)
    .filter(({ propertyID, value }) => propertyID !== undefined && value !== undefined)
  if (own !== undefined) return [{ id: own['value'], 'id-type': own['propertyID'] }]
  const texts = typeof thing === 'string' ? [thing] : identifiersOf(node)
  const doi = texts.find((text) => doiForm.test(text))
  return doi === undefined ? [] : [{ id: doi, 'id-type': 'doi' }]
}

/** The types of a thing by their names in schema.org, in whatever way they are written. */
export function typesOf(node: Json): readonly string[] {
  return listOf(node['@type'] ?? node['type'])
    .filter((type) => typeof type === 'string')
    .map((type) => type.replace(/^(?:https?:\/\/schema\.org\/|schema:)/, ''))
}

/** Whether a type is of a volume or an issue. */
export function isVolume(type: string): boolean {
  return type === 'PublicationVolume' || type === 'PublicationIssue'
}

/** People and groups as Crossref has them. */
export function peopleOf(value: unknown): readonly (Json | string)[] {
  return listOf(value).map((each) => {
    if (typeof each === 'string') return each
    const person = objectOf(each)
    const isKnown = typesOf(person).includes('Person')
    const whole = nameOf(person)
    // Some write a person's whole name as libraries do, with the family name first.
    const [, first, rest] = /^([^,]+), *([^,]+)$/.exec(isKnown ? (whole ?? '') : '') ?? []
    const family = textOf(person['familyName']) ?? first
    const isPerson = family !== undefined
    return withValues({
      given: isPerson ? (textOf(person['givenName']) ?? rest) : undefined,
      family,
      suffix: isPerson ? textOf(person['honorificSuffix']) : undefined,
      // Of a person, a whole name is no group's.
      literal: isPerson || !isKnown ? undefined : whole,
      name: isPerson || isKnown ? undefined : whole,
      ORCID: identifiersOf(person).find((text) => /orcid\.org\//.test(text)),
      affiliation: listOf(person['affiliation']).map(affiliationOf),
    })
  })
}

function affiliationOf(value: unknown): Json {
  if (typeof value === 'string') return { name: value }
  const place = objectOf(value)
  const ror = identifiersOf(place).find((text) => /ror\.org\//.test(text))
  return withValues({ name: nameOf(place), id: ror && [{ id: ror, 'id-type': 'ROR' }] })
}

/** Everything by which a thing is called: its `@id`, its identifiers, and where else it is. */
export function identifiersOf(node: Json): readonly string[] {
  return [node['@id'], node['identifier'], node['sameAs'], node['url']].flatMap((value) => {
    return listOf(value).flatMap((each) => {
      const { value: own, '@id': id, propertyID } = objectOf(each)
      const text = textOf(each) ?? textOf(own) ?? textOf(id)
      const isOrcid = /orcid/i.test(String(propertyID)) && text?.includes('orcid.org') === false
      return text === undefined ? [] : [isOrcid ? `https://orcid.org/${text}` : text]
    })
  })
}

export const doiForm = /^(?:doi:|https?:\/\/(?:dx\.)?doi\.org\/)?10\.\d{4,9}\//i

/** A text, or the name of a thing; undefined if it has none. */
export function nameOf(value: unknown): string | undefined {
  return textOf(value) ?? textOf(objectOf(value)['name']) ?? textOf(objectOf(value)['legalName'])
}

/** A text or a number; of a list the first, of a value of JSON-LD what it is. */
export function textOf(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value
  const text = objectOf(first)['@value'] ?? first
  if (typeof text === 'number') return String(text)
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined
}

/** The values of a property: one alone is a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  const list = objectOf(value)['@list'] ?? value
  return Array.isArray(list) ? list : [list]
}
