import { closedTable } from '#actors/values/lazy_table.ts'
import { isEdtf } from '#actors/values/date.ts'
import { definedOf } from '#actors/values/serialization.ts'
import { contributorRoles } from '#actors/works/names.ts'
import { readDoi, readRor } from '#src/discovery/citation_files/addresses.ts'
import { FieldNotes, type NoteList } from '#src/discovery/citation_files/citation_file.ts'
import { readNames } from '#src/discovery/citation_files/csl_names.ts'
import { objectOf } from '#src/discovery/citation_files/field_rows.ts'
import { plainText } from '#src/discovery/citation_files/markup.ts'
import { contributorOf, type SourceWork } from '#src/discovery/citation_files/work_draft.ts'
import {
  identifiedBy,
  listOf,
  nameOf,
  peopleOf,
  textOf,
} from '#src/discovery/citation_files/schema_org_things.ts'
import type { Json } from '#src/discovery/citation_files/xml_source.ts'

type Parts = Partial<SourceWork>

/** What a work of schema.org says that Crossref has no member for. */
export function schemaOrgParts(work: Json, notes: NoteList): Parts {
  return {
    contributors: contributorsOf(work, notes),
    titles: titlesOf(work),
    subjects: listOf(work['about']).flatMap(subjectOf),
    further_dates: datesOf(work, notes),
    geo_locations: listOf(work['spatialCoverage']).flatMap((place) => placeOf(place, notes)),
    update_notices: listOf(work['correction']).flatMap((each) => noticeOf(each, notes)),
    references: listOf(work['citation']).flatMap(referenceOf),
    alternate_identifiers: identifiersOf(work),
    files: filesOf(work),
    formats: listOf(work['encodingFormat']).flatMap((each) => textOf(each) ?? []),
    ...publisherOf(work),
    ...definedOf({
      resource_version: versionOf(work),
      resource_type: lineOf(work['genre']),
      edition: lineOf(work['bookEdition']),
    }),
  }
}

function lineOf(value: unknown): string | undefined {
  return plainText(textOf(value) ?? '') || undefined
}

const roles: Readonly<Record<string, string>> = closedTable({
  translator: 'translator',
  producer: 'producer',
  sponsor: 'sponsor',
  copyrightHolder: 'rights_holder',
  contributor: 'other',
})

/** Who had a part in a work; of those who have a role in words of their own, that is it. */
function contributorsOf(work: Json, notes: NoteList): readonly unknown[] {
  return Object.entries(roles).flatMap(([property, role]) => {
    const at = new FieldNotes(notes, { name: property })
    return listOf(work[property]).flatMap((each) => {
      const { roleName, contributor } = objectOf(each)
      const words = textOf(roleName)?.toLowerCase().replaceAll(' ', '_')
      const own = contributorRoles.find((known) => known === words) ?? role
      if (own === 'other' && words !== 'other') {
        at.add('taken_as', `${property}: the role is taken as other.`, true)
      }
      const names = readNames(peopleOf(contributor ?? each), at)
      return names.map((name) => contributorOf(own, name))
    })
  })
}

function titlesOf(work: Json): readonly unknown[] {
  const main = lineOf(work['name']) ?? lineOf(work['headline'])
  const others = [...listOf(work['alternateName']), ...listOf(work['alternativeHeadline'])]
  return others.flatMap((each) => {
    const title = lineOf(each)
    return title === undefined || title === main ? [] : [{ title, kind: 'alternative' }]
  })
}

function subjectOf(value: unknown): readonly unknown[] {
  const thing = objectOf(value)
  if (identifiedBy(value).length > 0) return []
  const subject = lineOf(thing['name'] ?? value)
  if (subject === undefined) return []
  const set = thing['inDefinedTermSet']
  const scheme = nameOf(set)
  const uri = textOf(thing['@id']) ?? textOf(thing['url'])
  return [
    definedOf({
      subject,
      scheme: scheme ?? textOf(objectOf(set)['@id']),
      scheme_uri: textOf(objectOf(set)['url']),
      uri: /^https?:/.test(uri ?? '') ? uri : undefined,
      code: lineOf(thing['termCode']),
    }),
  ]
}

const dateKinds: Readonly<Record<string, string>> = closedTable({
  dateCreated: 'created',
  copyrightYear: 'copyrighted',
  temporalCoverage: 'coverage',
})

function datesOf(work: Json, notes: NoteList): readonly unknown[] {
  return Object.entries(dateKinds).flatMap(([property, kind]) =>
    listOf(work[property]).flatMap((each) => {
      const text = textOf(each)
      const date = text?.replace(/^(\d{4}-\d\d-\d\d)T.*$/, '$1')
      if (date !== undefined && isEdtf(date)) return [{ kind, date }]
      const at = new FieldNotes(notes, { name: property })
      at.notRead(each, 'it is no date')
      return []
    }),
  )
}

/** A place, by its name, its points and the corners of its boxes; latitudes stand first. */
function placeOf(value: unknown, notes: NoteList): readonly unknown[] {
  const thing = objectOf(value)
  const shapes = listOf(thing['geo']).map(objectOf)
  const [point] = shapes.filter(({ latitude }) => latitude !== undefined)
  const numbers = (text: unknown) => (textOf(text) ?? '').split(/[\s,]+/).map(Number)
  const [south, west, north, east] = numbers(shapes.find(({ box }) => box !== undefined)?.['box'])
  const place = lineOf(thing['name'] ?? value)
  const polygons = shapes
    .filter(({ polygon }) => polygon !== undefined)
    .map(({ polygon }) => ({ points: pointsOf(numbers(polygon)) }))
  const known = definedOf({
    place,
    point:
      point === undefined
        ? undefined
        : { latitude: Number(point['latitude']), longitude: Number(point['longitude']) },
    box: east === undefined ? undefined : { south, west, north, east },
    polygons: polygons.length === 0 ? undefined : polygons,
  })
  if (Object.keys(known).length > 0 && !JSON.stringify(known).includes('null')) return [known]
  new FieldNotes(notes, { name: 'spatialCoverage' }).notRead(value, 'it is no place')
  return []
}

function pointsOf(numbers: readonly number[]): readonly unknown[] {
  return numbers.flatMap((latitude, index) => {
    return index % 2 === 0 ? [{ latitude, longitude: numbers[index + 1] }] : []
  })
}

function noticeOf(value: unknown, notes: NoteList): readonly unknown[] {
  const doi = readDoi(textOf(value) ?? textOf(objectOf(value)['@id']) ?? '')
  if (doi !== undefined) return [{ kind: 'correction', direction: 'of_this', doi }]
  new FieldNotes(notes, { name: 'correction' }).notRead(value, 'it is no DOI')
  return []
}

/** What is cited without an identifier; all else is related to the work. */
function referenceOf(value: unknown): readonly unknown[] {
  if (identifiedBy(value).length > 0) return []
  const thing = objectOf(value)
  const text = lineOf(value) ?? lineOf(thing['name'] ?? thing['headline'])
  const url = [thing['@id'], thing['url']].map(textOf).find((each) => /^https?:/.test(each ?? ''))
  return (text ?? url) === undefined ? [] : [definedOf({ text, url })]
}

/** Other names of the work; its ARK is that of the registry that wrote it. */
function identifiersOf(work: Json): readonly unknown[] {
  return listOf(work['identifier']).flatMap((each) => {
    const { propertyID, value } = objectOf(each)
    const [type, identifier] = [textOf(propertyID), textOf(value)]
    if (type === undefined || identifier === undefined) return []
    return /doi|^ark$|^i[sb][sb]n$/i.test(type) || readDoi(identifier) !== undefined
      ? []
      : [{ identifier, type: type.replace(/^https?:.*\//, '') || type }]
  })
}

/** Files beside that of the work, which is the first. */
function filesOf(work: Json): readonly unknown[] {
  const all = [...listOf(work['encoding']), ...listOf(work['distribution'])].map(objectOf)
  return all.slice(1).flatMap((file) => {
    const url = textOf(file['contentUrl'])
    const type = textOf(file['encodingFormat'])
    const media_type = type?.includes('/') === true ? type : undefined
    return url === undefined ? [] : [definedOf({ url, name: lineOf(file['name']), media_type })]
  })
}

const publisherSchemes: readonly (readonly [form: RegExp, scheme: string])[] = [
  [/\bisni\.org\//, 'ISNI'],
  [/\bwikidata\.org\//, 'Wikidata'],
  [/\bviaf\.org\//, 'VIAF'],
  [/\bgrid\.ac\//, 'GRID'],
]

function publisherOf(work: Json): Parts {
  const publisher = objectOf(listOf(work['publisher'])[0])
  const id = textOf(publisher['@id']) ?? ''
  const place = publisher['location'] ?? objectOf(publisher['address'])['addressLocality']
  const scheme =
    readRor(id) === undefined ? publisherSchemes.find(([form]) => form.test(id))?.[1] : 'ROR'
  return definedOf({
    publisher_id: scheme === undefined ? undefined : { identifier: id, scheme },
    publisher_place: lineOf(place) ?? nameOf(place),
  })
}

/** The version of the content; a number alone is that of the record, where a registry wrote it. */
function versionOf(work: Json): string | undefined {
  const version = lineOf(work['version'])
  const isOfRegistry = /\/ark:/.test(textOf(work['@id']) ?? '')
  return isOfRegistry && /^\d+$/.test(version ?? '') ? undefined : version
}
