import { isPartialDate } from '#actors/values/date.ts'
import { readLicense } from '#actors/values/license.ts'
import { type RelatedIdentifier, relations } from '#actors/values/related_identifier.ts'
import { definedOf } from '#actors/values/serialization.ts'
import { foldWorkType, workTypeIn } from '#actors/values/work_type.ts'
import type { Funding } from '#actors/works/funding.ts'
import { readDoi } from '#src/discovery/citation_files/addresses.ts'
import { type FieldNotes, quote } from '#src/discovery/citation_files/citation_file.ts'
import {
  inList,
  readContributors,
  readCreators,
} from '#src/discovery/citation_files/datacite_names.ts'
import {
  isEmpty,
  isUnknown,
  listOf,
  noteVersion,
  objectOf,
  readDateField,
  readUrlFields,
  textOf,
} from '#src/discovery/citation_files/field_rows.ts'
import {
  markedText,
  type MarkedText,
  noteEscapes,
  plainText,
} from '#src/discovery/citation_files/markup.ts'
import { readRelated } from '#src/discovery/citation_files/related_things.ts'
import { contributorOf, type SourceWork } from '#src/discovery/citation_files/work_draft.ts'
import {
  dateTypes,
  descriptionTypes,
  termOf,
  titleTypes,
} from '#src/discovery/formats/datacite_terms.ts'

type Json = Readonly<Record<string, unknown>>
type Parts = Partial<SourceWork>

/** A text of a record as a line of ours; undefined if it says nothing. */
export function lineIn(value: unknown): string | undefined {
  const text = textOf(value)
  return text === undefined || isUnknown(text) ? undefined : plainText(text) || undefined
}

/** The same with its marks; no text if it says nothing. */
function markedIn(value: unknown): Partial<MarkedText> {
  const text = textOf(value)
  return text === undefined || isUnknown(text) ? {} : markedText(text)
}

type Title = {
  readonly title: string
  readonly markup: string | undefined
  readonly type: string | undefined
  readonly language: string | undefined
}

function titlesIn(value: unknown): readonly Title[] {
  return inList(value, 'title').flatMap((each) => {
    const { title, titleType, lang } = objectOf(each)
    const { text = '', markup } = markedIn(title ?? each)
    const [type, language] = [textOf(titleType), textOf(lang)]
    return text === '' ? [] : [{ title: text, markup, type, language }]
  })
}

function furtherTitle({ title, markup, type, language }: Title, at: FieldNotes): Json {
  // Without a type it is another main title.
  if (type === undefined) return definedOf({ title, markup, language })
  const kind = termOf(titleTypes, type)
  if (kind === undefined) {
    at.add('taken_as', `titleType "${quote(type)}" is none: it is taken as other.`, true)
  }
  return definedOf({ title, markup, kind: kind ?? 'other', language })
}

/** The main title, and those beside it. */
export function titleParts(value: unknown, language: string | undefined, at: FieldNotes): Parts {
  const titles = titlesIn(value)
  noteEscapes(JSON.stringify(value ?? ''), at)
  const main = titles.find(({ type }) => type === undefined) ?? titles[0]
  if (main === undefined) return {}
  const others = titles.filter((each) => each !== main && each.title !== main.title)
  return {
    work_title: main.title,
    ...(main.markup !== undefined && { work_title_markup: main.markup }),
    titles: others.map((each) => furtherTitle(each, at)),
    ...(isOther(main.language, language) && { work_title_language: main.language }),
  }
}

/** Whether the language of a text is another one than that of the work. */
function isOther(own: string | undefined, language: string | undefined): boolean {
  return own !== undefined && own.toLowerCase() !== language?.toLowerCase()
}

/** The day of publication, and all dates that are another's. */
export function dateParts(value: unknown, at: FieldNotes): Parts {
  const published: NonNullable<SourceWork['dates']>[number][] = []
  const further: Json[] = []
  let access: Json | undefined
  if (!Array.isArray(value) && !isEmpty(value)) return { dates: readDateField(value, at) ?? [] }
  for (const each of listOf(value).map(objectOf)) {
    const date = textOf(each['date'])
    if (date === undefined || isUnknown(date)) continue
    const type = textOf(each['dateType']) ?? ''
    const note = lineIn(each['dateInformation'])
    if (type === 'Available' && note === 'free to read') {
      const [start_date, end_date] = date.split('/').map((end) => (end === '..' ? undefined : end))
      access = definedOf({ start_date, end_date })
      continue
    }
    const isPlain = isPartialDate(date) && note === undefined
    if (type === 'Issued') published.push(...(readDateField(date, at) ?? []))
    if (type !== 'Issued' || (!isPlain && /[/X~?%]|^-|T/.test(date)) || note !== undefined) {
      further.push(definedOf({ ...kindOfDate(type, note, at), date }))
    }
  }
  return { dates: published, further_dates: further, ...(access && { access }) }
}

// What our own writer tells beside `Other`.
const ownKinds = new Set(['approved', 'posted', 'print', 'online'])

function kindOfDate(type: string, note: string | undefined, at: FieldNotes): Json {
  const kind = termOf(dateTypes, type)
  const named = note?.toLowerCase() ?? ''
  if (kind === 'other' && ownKinds.has(named)) return { kind: named }
  if (kind !== undefined) return { kind, note }
  if (type !== '') {
    at.add('taken_as', `dateType "${quote(type)}" is none: it is taken as other, with its name.`)
  }
  return { kind: 'other', note: [type, note].filter(Boolean).join(': ') || undefined }
}

/** The words that have nothing beside them are keywords; all else are subjects. */
export function subjectParts(value: unknown, language: string | undefined): Parts {
  const keywords: string[] = []
  const subjects: Json[] = []
  let group: string | undefined
  for (const each of inList(value, 'subject')) {
    const members = objectOf(each)
    const subject = lineIn(members['subject'] ?? each)
    if (subject === undefined) continue
    const more = definedOf({
      scheme: lineIn(members['subjectScheme']),
      scheme_uri: textOf(members['schemeUri'] ?? members['schemeURI']),
      uri: textOf(members['valueUri'] ?? members['valueURI']),
      code: lineIn(members['classificationCode']),
      language: textOf(members['lang']),
    })
    const own = 'language' in more && !isOther(more.language, language) ? 1 : 0
    const isPlain = Object.keys(more).length === own && !subject.includes(';')
    if (isPlain) keywords.push(subject)
    // So our own writer tells the group that a preprint is listed in.
    else if (group === undefined && more.scheme === 'group title') group = subject
    else subjects.push({ subject, ...more })
  }
  return { keywords, subjects, ...(group !== undefined && { group_title: group }) }
}

const accessForm =
  /^info:eu-repo\/|purl\.org\/(?:coar|eprint)\/|\/access_right\/|vocabularies\.coar/i

/** The first of the rights that is a licence, and the others. */
export function rightsParts(value: unknown, at: FieldNotes): Parts {
  const rights = inList(value, 'rights').map((each) => rightOf(each, at))
  const isKnown = (license: string | undefined) => license !== undefined && !license.includes('://')
  const chosen =
    rights.find(({ license }) => isKnown(license)) ??
    rights.find(({ license }) => license !== undefined)
  const license = chosen?.license
  // Several of them may name one licence.
  const others = rights.filter((each) => each.license === undefined || each.license !== license)
  const further = others.filter((each) => Object.keys(each).length > 0)
  return { ...(license !== undefined && { license }), rights: further }
}

function rightOf(
  value: unknown,
  at: FieldNotes,
): { readonly license?: string; readonly text?: string } {
  const members = objectOf(value)
  const text = lineIn(members['rights'] ?? value)
  const uri = textOf(members['rightsUri'] ?? members['rightsURI'])
  const identifier = textOf(members['rightsIdentifier'])
  const given = [identifier, uri, text].filter((each) => each !== undefined)
  const license = licenseOf(given)
  noteVersion(given.join(', '), license, at)
  const scheme = textOf(members['rightsIdentifierScheme'])
  return definedOf({
    license: license ?? undefined,
    // What only repeats the licence in other words.
    text: license === undefined || readLicense(text ?? '') !== license ? text : undefined,
    uri: license === undefined ? uri : undefined,
    identifier: license === undefined ? identifier : undefined,
    scheme: license === undefined ? scheme : undefined,
    scheme_uri:
      license === undefined && scheme !== undefined
        ? textOf(members['schemeUri'] ?? members['schemeURI'])
        : undefined,
    language: textOf(members['lang']),
  })
}

/** The licence that is named, before one that is an address alone. */
function licenseOf(texts: readonly string[]): string | undefined {
  const given = texts.filter((text) => !accessForm.test(text))
  const found = given.flatMap((text) => readLicense(text) ?? [])
  return found.find((license) => !license.includes('://')) ?? found[0]
}

/** The abstract in the language of the work, else the first; and all other descriptions. */
export function descriptionParts(
  value: unknown,
  language: string | undefined,
  at: FieldNotes,
): Parts {
  const given = inList(value, 'description').flatMap((each) => {
    const { description, descriptionType, lang } = objectOf(each)
    const { text, markup } = markedText(textOf(description) ?? textOf(each) ?? '', 'paragraphs')
    if (text === '' || isUnknown(text)) return []
    return [{ text, markup, type: textOf(descriptionType) ?? 'Abstract', language: textOf(lang) }]
  })
  const abstracts = given.filter(({ type }) => type === 'Abstract')
  const main = abstracts.find((each) => !isOther(each.language, language)) ?? abstracts[0]
  const others = given.filter((each) => each !== main && each.text !== main?.text)
  const descriptions = others.map((each) => {
    const kind = termOf(descriptionTypes, each.type)
    if (kind === undefined) {
      at.add(
        'taken_as',
        `descriptionType "${quote(each.type)}" is none: it is taken as other.`,
        true,
      )
    }
    const { text: description, markup } = each
    return definedOf({ description, markup, kind: kind ?? 'other', language: each.language })
  })
  return {
    ...(main !== undefined && { description: main.text }),
    ...(main?.markup !== undefined && { description_markup: main.markup }),
    ...(isOther(main?.language, language) && { description_language: main?.language }),
    descriptions,
  }
}

/** Other things by their identifiers. */
export function readRelatedIdentifiers(
  value: unknown,
  at: FieldNotes,
): readonly RelatedIdentifier[] {
  return inList(value, 'relatedIdentifier').flatMap((each) => {
    const members = objectOf(each)
    const { relatedIdentifier, relatedIdentifierType, relationType } = members
    if (isEmpty(each)) return []
    const identifier = textOf(relatedIdentifier) ?? textOf(each)
    const scheme = textOf(relatedIdentifierType) ?? schemeOf(identifier ?? '')
    const { relation, note } = relationOf(textOf(relationType), at)
    return readRelated(relation, scheme, identifier, at, {
      resource_type: textOf(members['resourceTypeGeneral']),
      note: lineIn(members['relationTypeInformation']) ?? note,
      metadata_scheme: lineIn(members['relatedMetadataScheme']),
      scheme_uri: textOf(members['schemeUri'] ?? members['schemeURI']),
      scheme_type: lineIn(members['schemeType']),
    })
  })
}

/** What an identifier without a type shows itself to be. */
function schemeOf(identifier: string): string {
  if (/^https?:\/\/(?!(?:dx\.)?doi\.org\/)/i.test(identifier)) return 'URL'
  return readDoi(identifier) === undefined ? '' : 'DOI'
}

/** A relation that is none of DataCite's is told, and kept in words. */
function relationOf(
  given: string | undefined,
  at: FieldNotes,
): { readonly relation: string; readonly note?: string } {
  const known = relations.find((each) => each.toLowerCase() === given?.toLowerCase())
  if (known !== undefined) return { relation: known }
  const shown = given === undefined ? 'It has no relation' : `Relation "${quote(given)}" is none`
  at.add('taken_as', `${shown}: it is taken as Other.`, given === undefined)
  return { relation: 'Other', ...(given !== undefined && { note: given }) }
}

/** The DOI, and where the content is, as we write it; all others are further identifiers. */
export function identifierParts(value: unknown, doi: string | undefined, at: FieldNotes): Parts {
  const given = inList(value, 'alternateIdentifier').flatMap((each) => {
    const members = objectOf(each)
    const identifier =
      textOf(members['alternateIdentifier']) ?? textOf(members['identifier']) ?? textOf(each)
    const type =
      textOf(members['alternateIdentifierType']) ?? textOf(members['identifierType']) ?? 'Other'
    return identifier === undefined ? [] : [{ identifier: plainText(identifier), type }]
  })
  const isAddress = ({ type, identifier }: (typeof given)[number]) =>
    type === 'Content URL' || (type.toUpperCase() === 'DOI' && isSameDoi(identifier, doi))
  return {
    urls: given.filter(isAddress).flatMap(({ identifier }) => readUrlFields(identifier, at) ?? []),
    alternate_identifiers: given.filter((each) => !isAddress(each)),
  }
}

function isSameDoi(identifier: string, doi: string | undefined): boolean {
  return doi === undefined || identifier.toLowerCase().endsWith(doi.toLowerCase())
}

/** Who paid, one grant each. */
export function readFunding(value: unknown, at: FieldNotes): readonly Funding[] {
  return inList(value, 'fundingReference').flatMap((each) => {
    const members = objectOf(each)
    const named = lineIn(members['funderName'] ?? each)
    const funder = named ?? lineIn(members['funderIdentifier'])
    if (funder === undefined) {
      if (!isEmpty(each)) at.notRead(each, 'a funder needs a name')
      return []
    }
    if (named === undefined) at.add('taken_as', `A funder has no name: it is called ${funder}.`)
    const awards = listOf(members['awardNumber']).flatMap((number) => lineIn(number) ?? [])
    // Each award stands in an entry of its own.
    return (awards.length === 0 ? [undefined] : awards).map(
      (award) =>
        definedOf({
          funder,
          award,
          identifier: textOf(members['funderIdentifier']),
          identifier_type: textOf(members['funderIdentifierType']),
          scheme_uri: textOf(members['schemeUri'] ?? members['schemeURI']),
          award_uri: textOf(members['awardUri'] ?? members['awardURI']),
          award_title: lineIn(members['awardTitle']),
        }) as Funding,
    )
  })
}

/**
 * Places, of which the API has the numbers as texts where they were XML. In older schemas a point
 * is `31.2 -67.3`, latitude first, and a box two of these, the south-west one first.
 */
export function readPlaces(value: unknown, at: FieldNotes): readonly unknown[] {
  return inList(value, 'geoLocation').flatMap((each) => {
    const place = objectOf(each)
    const [south, west, north, east] = numbersIn(place['geoLocationBox'], 4, at)
    const box =
      south === undefined
        ? objectOf(place['geoLocationBox'])
        : {
            westBoundLongitude: west,
            eastBoundLongitude: east,
            southBoundLatitude: south,
            northBoundLatitude: north,
          }
    const [latitude, longitude] = numbersIn(place['geoLocationPoint'], 2, at)
    const rings = polygonsOf(place['geoLocationPolygon'])
    const known = definedOf({
      place: lineIn(place['geoLocationPlace'] ?? textOf(each)),
      point: latitude === undefined ? pointOf(place['geoLocationPoint']) : { longitude, latitude },
      box: isEmpty(box)
        ? undefined
        : {
            west: numberIn(box['westBoundLongitude']),
            east: numberIn(box['eastBoundLongitude']),
            south: numberIn(box['southBoundLatitude']),
            north: numberIn(box['northBoundLatitude']),
          },
      polygons: rings.length === 0 ? undefined : rings,
    })
    return Object.keys(known).length === 0 ? [] : [known]
  })
}

/** So many numbers in a text; none and told if it is another text, none of what is no text. */
function numbersIn(value: unknown, count: number, at: FieldNotes): readonly number[] {
  if (typeof value !== 'string' || isEmpty(value)) return []
  const numbers = value
    .trim()
    .split(/[\s,;]+/)
    .map(Number)
  if (numbers.length === count && !numbers.some(Number.isNaN)) return numbers
  at.notRead(value, `it is not ${count} numbers`)
  return []
}

/** A polygon is a list of its points; several are a list of such lists. */
function polygonsOf(value: unknown): readonly Json[] {
  const items = listOf(value)
  const rings = items.some(Array.isArray) ? items.map(listOf) : [items]
  return rings.flatMap((ring) => {
    const parts = ring.flatMap((each) => [objectOf(each)])
    const points = parts.flatMap(({ polygonPoint }) => listOf(polygonPoint).map(pointOf))
    const inside = parts.map(({ inPolygonPoint }) => pointOf(inPolygonPoint)).find(Boolean)
    return points.length === 0 ? [] : [definedOf({ points, inside })]
  })
}

function pointOf(value: unknown): Json | undefined {
  const { pointLongitude, pointLatitude } = objectOf(value)
  if (isEmpty(pointLongitude) && isEmpty(pointLatitude)) return undefined
  return { longitude: numberIn(pointLongitude), latitude: numberIn(pointLatitude) }
}

/** A number, also as a text; what is none stays, and is told. */
function numberIn(value: unknown): unknown {
  const text = textOf(value)
  return text !== undefined && /^[+-]?\d+(?:\.\d*)?(?:e-?\d+)?$/i.test(text) ? Number(text) : value
}

function itemTypeOf(given: string | undefined, at: FieldNotes): string {
  if (given === undefined) return 'Other'
  if (workTypeIn('datacite', given) ?? foldWorkType(given)) return given
  at.add('taken_as', `relatedItemType "${quote(given)}" is none: it is taken as Other.`, true)
  return 'Other'
}

/** Other things that may have no identifier. */
export function relatedItemOf(value: unknown, at: FieldNotes): Json | undefined {
  const item = objectOf(value)
  if (isEmpty(item)) return undefined
  const id = objectOf(item['relatedItemIdentifier'])
  const identifier = textOf(id['relatedItemIdentifier']) ?? textOf(item['relatedItemIdentifier'])
  const titles = titlesIn(item['titles']).map((title) => furtherTitle(title, at))
  const authors = readCreators(item['creators'], at).map((name) => {
    const { role: _, ...parts } = contributorOf('', name)
    return parts
  })
  const contributors = readContributors(item['contributors'], at)
  const { relation, note } = relationOf(textOf(item['relationType']), at)
  return definedOf({
    type: itemTypeOf(textOf(item['relatedItemType']), at),
    relation,
    note: lineIn(item['relationTypeInformation']) ?? note,
    identifier,
    identifier_type:
      textOf(id['relatedItemIdentifierType']) ?? textOf(item['relatedItemIdentifierType']),
    metadata_scheme: lineIn(id['relatedMetadataScheme'] ?? item['relatedMetadataScheme']),
    scheme_uri: textOf(
      id['schemeURI'] ?? id['schemeUri'] ?? item['schemeUri'] ?? item['schemeURI'],
    ),
    scheme_type: lineIn(id['schemeType'] ?? item['schemeType']),
    authors: authors.length === 0 ? undefined : authors,
    contributors: contributors.length === 0 ? undefined : contributors,
    titles: titles.length === 0 ? undefined : titles,
    year: textOf(item['publicationYear']),
    volume: lineIn(item['volume']),
    issue: lineIn(item['issue']),
    number: lineIn(item['number']) ?? lineIn(objectOf(item['number'])['number']),
    number_type: textOf(item['numberType'])?.toLowerCase(),
    first_page: lineIn(item['firstPage']),
    last_page: lineIn(item['lastPage']),
    publisher: lineIn(item['publisher']),
    edition: lineIn(item['edition']),
  })
}
