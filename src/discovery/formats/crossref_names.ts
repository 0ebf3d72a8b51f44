import type { Affiliation } from '#actors/works/names.ts'
import { citedAuthors } from '#src/discovery/formats/author_names.ts'
import {
  type Deposit,
  fitText,
  languageOf,
  textFit,
} from '#src/discovery/formats/crossref_fields.ts'
import { crossrefRoles } from '#src/discovery/formats/crossref_terms.ts'
import { type DescribedAuthor, readContributor } from '#src/discovery/formats/described_work.ts'
import { element, listElement, textElement, type XmlElement } from '#src/discovery/formats/xml.ts'

type Node = XmlElement | undefined

// Who is told with the book or the conference that has a work, and not with the work.
const around: ReadonlySet<string> = new Set(['editor', 'chair'])

// Since 5.5.0.
const newRoles: ReadonlySet<string> = new Set(['corresponding-author', 'other'])

/**
 * The people of a work, in their order: all of them, those of the work alone, or those of what
 * holds it. Who has a role that Crossref has not is left out.
 */
export function peopleOf(deposit: Deposit, part?: 'around' | 'within'): Node {
  const { metadata, schema, work } = deposit
  const roles: Readonly<Record<string, string>> =
    schema === '5.4.0' ? crossrefRoles : { ...crossrefRoles, other: 'other' }
  const others = (metadata.contributors ?? []).flatMap((one) => {
    const role = roles[one.role]
    const isKnown = role !== undefined && (schema !== '5.4.0' || !newRoles.has(role))
    return isKnown ? [{ person: readContributor(one), role }] : []
  })
  const all = [...work.authors.map((person) => ({ person, role: 'author' })), ...others]
  const chosen = all.filter(
    ({ role }) => part === undefined || around.has(role) === (part === 'around'),
  )
  return listElement(
    'contributors',
    chosen.map(({ person, role }, index) => {
      return nameElement(person, role, index === 0 ? 'first' : 'additional', schema)
    }),
  )
}

const nameStyles: Readonly<Record<string, string>> = {
  western: 'western',
  eastern: 'eastern',
  icelandic: 'islensk',
  given_only: 'given-only',
}

const nameForm = /^[^\p{Nd}?]*[^?\s]+[^\p{Nd}]*$/u
const namePartsMax = { '5.4.0': 60, '5.5.0': 200 } as const

function nameElement(
  person: DescribedAuthor,
  contributor_role: string,
  sequence: string,
  schema: Deposit['schema'],
): XmlElement {
  const { language, name, name_style, name_type } = person
  const attributes = { sequence, contributor_role, language: languageOf(language) }
  const affiliations = listElement('affiliations', placesOf(person))
  if (name_type === 'anonymous') return element('anonymous', attributes, affiliations)
  const [cited] = citedAuthors([person])
  const parts =
    cited === undefined || 'literal' in cited.name ? { family: name, given: '' } : cited.name
  const { family, given } = parts
  const isFit = (part: string) => part.length <= namePartsMax[schema] && nameForm.test(part)
  const isPerson = cited?.isGroup !== true && isFit(family) && (given === '' || isFit(given))
  if (!isPerson) return element('organization', attributes, fitText(name, 511))
  const suffix = ('suffix' in parts ? parts.suffix : undefined) ?? person.suffix
  const isAuthenticated = person.orcid_authenticated === true ? 'true' : undefined
  const credit = schema === '5.4.0' ? [] : (person.credit_roles ?? [])
  return element(
    'person_name',
    { ...attributes, 'name-style': nameStyles[name_style ?? ''] },
    textElement('given_name', given || undefined),
    element('surname', {}, family),
    textFit('suffix', suffix, 10),
    ...credit.map((role) => {
      return element('role', { vocab: 'credit', type: role.replaceAll('_', '-') })
    }),
    affiliations,
    person.orcid === undefined
      ? undefined
      : element('ORCID', { authenticated: isAuthenticated }, `https://orcid.org/${person.orcid}`),
  )
}

function placesOf({ affiliation: name, affiliations, ror }: DescribedAuthor): readonly Node[] {
  if (affiliations !== undefined) return affiliations.map(institutionElement)
  if (name === undefined && ror === undefined) return []
  const place = {
    ...(name !== undefined && { name }),
    ...(ror !== undefined && { identifier: ror }),
  }
  return [institutionElement(place)]
}

// Where identifiers of organizations are addresses, as deposits want them.
const identifierForms: readonly (readonly [type: string, form: RegExp])[] = [
  ['ror', /^https:\/\/ror\.org\/\w+$/],
  ['isni', /^https:\/\/(?:www\.)?isni\.org\/\S+$/],
  ['wikidata', /^https:\/\/www\.wikidata\.org\/\S+$/],
]

function institutionElement(place: Affiliation): XmlElement {
  const { acronym, department, identifier = '', name, scheme } = place
  const isIsni = scheme === 'ISNI' && /^[\dX]{16}$/.test(identifier)
  const id = isIsni ? `https://isni.org/isni/${identifier}` : identifier
  const type = identifierForms.find(([, form]) => form.test(id) && id.length <= 58)?.[0]
  // What has neither a name nor an identifier that Crossref knows is called by the one it has.
  const shown = name ?? (type === undefined ? identifier : undefined)
  return element(
    'institution',
    {},
    textFit('institution_name', shown, 1024),
    type === undefined ? undefined : element('institution_id', { type }, id),
    textFit('institution_acronym', acronym, 255),
    textFit('institution_place', place.place, 255, 2),
    textFit('institution_department', department, 255, 2),
  )
}

/** The institutions behind a work, after who published it where there must be one. */
export function institutionsOf(
  { metadata, work }: Deposit,
  max: number,
  isDemanded = true,
): readonly XmlElement[] {
  const told = metadata.institutions ?? []
  const { publisher } = work
  const isPublisher = told.some(({ name }) => name === publisher)
  const own = isDemanded && publisher !== undefined && !isPublisher ? [{ name: publisher }] : []
  return [...own, ...told].slice(0, max).map(institutionElement)
}

/** The body of a standard, which has an acronym; its name where there is none. */
export function standardsBody({ metadata, work }: Deposit): Node {
  const [body] = metadata.institutions ?? []
  const name = body?.name ?? work.publisher
  if (name === undefined) return undefined
  return element(
    'standards_body',
    {},
    element('standards_body_name', {}, name),
    element('standards_body_acronym', {}, body?.acronym ?? name),
  )
}
