import { closedTable } from '#actors/values/lazy_table.ts'
import { definedOf } from '#actors/values/serialization.ts'
import {
  foldWorkType,
  ownWorkType,
  type WorkType,
  workTypeIn,
  workTypes,
} from '#actors/values/work_type.ts'
import { FieldNotes, type NoteList, quote } from '#src/discovery/citation_files/citation_file.ts'
import { cslWorkType } from '#src/discovery/citation_files/csl_record.ts'
import {
  inList,
  readContributors,
  readCreators,
} from '#src/discovery/citation_files/datacite_names.ts'
import {
  dateParts,
  descriptionParts,
  identifierParts,
  lineIn,
  readFunding,
  readPlaces,
  readRelatedIdentifiers,
  relatedItemOf,
  rightsParts,
  subjectParts,
  titleParts,
} from '#src/discovery/citation_files/datacite_parts.ts'
import {
  type FieldRow,
  isEmpty,
  listOf,
  objectOf,
  readByRows,
  readDateField,
  readDoiField,
  readLanguage,
  readUrlFields,
  textOf,
} from '#src/discovery/citation_files/field_rows.ts'
import { holdingNumbers, readRelated } from '#src/discovery/citation_files/related_things.ts'
import { mergeReadings, type SourceWork } from '#src/discovery/citation_files/work_draft.ts'

type Json = Readonly<Record<string, unknown>>

/** What a record of DataCite's JSON says of a work, schema 2 to 4. */
export function readDataciteRecord(record: Json, notes: NoteList): SourceWork {
  const fields = Object.entries(record).map(([name, value]) => ({ name, value }))
  const read = readByRows(fields, dataciteRows, '', notes)
  const place = placeOf(record, notes)
  const parts = partsOf(record, read, notes)
  return { ...mergeReadings([parts, place, read]), work_type: workTypeOf(record, notes) }
}

/** What DataCite knows of a record, and what it says of it twice. */
const bookkeeping =
  'prefix suffix schemaVersion providerId ' +
  'clientId agency state isActive source metadataVersion reason landingPage viewCount ' +
  'viewsOverTime downloadCount downloadsOverTime referenceCount citationCount citationsOverTime ' +
  'partCount partOfCount versionCount versionOfCount created registered published updated xml'

/** Members that are read together. */
const elsewhere =
  'id types titles container relatedItems dates subjects rightsList descriptions publisher ' +
  'alternateIdentifiers identifiers'

/** The members of DataCite's JSON, and what they fill. */
const dataciteRows: readonly FieldRow[] = [
  { from: elsewhere, to: 'elsewhere' },
  { from: bookkeeping, to: 'nothing' },
  { from: 'doi DOI', to: 'existing_doi', read: readDoiField },
  { from: 'creators', to: 'authors', read: readCreators },
  { from: 'contributors', to: 'contributors', read: readContributors },
  { from: 'publicationYear', to: 'dates', read: readDateField },
  { from: 'language', to: 'language', read: readLanguage },
  { from: 'url', to: 'urls', read: readUrlFields },
  { from: 'contentUrl', to: 'files', read: readFiles },
  { from: 'relatedIdentifiers', to: 'related_identifiers', read: readRelatedIdentifiers },
  { from: 'fundingReferences', to: 'funding', read: readFunding },
  { from: 'geoLocations', to: 'geo_locations', read: readPlaces },
  { from: 'sizes', to: 'sizes', read: readLines },
  { from: 'formats', to: 'formats', read: readLines },
  { from: 'version', to: 'resource_version' },
]

/** The members that fill several fields, or whose languages are told beside that of the work. */
function partsOf(record: Json, read: Partial<SourceWork>, notes: NoteList): Partial<SourceWork> {
  const at = (name: string) => new FieldNotes(notes, { name })
  const { language, existing_doi } = read
  const ids = [...listOf(record['alternateIdentifiers']), ...listOf(record['identifiers'])]
  const types = objectOf(record['types'])
  const own = lineIn(types['resourceType'])
  const computed = ['ris', 'bibtex', 'citeproc', 'schemaOrg'].filter((name) => types[name])
  if (computed.length > 0) {
    const names = computed.map((name) => `types.${name}`).join(', ')
    const message = `Left out, because they are computed of the others: ${names}.`
    notes.add('left_out', 'types', message, { isLoss: false })
  }
  return {
    ...titleParts(record['titles'], language, at('titles')),
    ...dateParts(record['dates'], at('dates')),
    ...subjectParts(record['subjects'], language),
    ...rightsParts(record['rightsList'], at('rightsList')),
    ...descriptionParts(record['descriptions'], language, at('descriptions')),
    ...identifierParts(ids, existing_doi, at('alternateIdentifiers')),
    ...publisherParts(record['publisher']),
    // Our own words for the type say it already.
    ...(own !== undefined && ownWorkType(own) === undefined && { resource_type: own }),
  }
}

function publisherParts(value: unknown): Partial<SourceWork> {
  const publisher = objectOf(value)
  const name = lineIn(textOf(value) ?? publisher['name'])
  const identifier = textOf(publisher['publisherIdentifier'])
  const id =
    identifier &&
    definedOf({
      identifier,
      scheme: textOf(publisher['publisherIdentifierScheme']) ?? schemeIn(identifier),
      scheme_uri: textOf(publisher['schemeUri'] ?? publisher['schemeURI']),
    })
  const language = textOf(publisher['lang'])
  return {
    ...(name !== undefined && { publisher_name: name }),
    ...(id && { publisher_id: id }),
    ...(language !== undefined && { publisher_language: language }),
  }
}

// Schemes that are told by the addresses of their identifiers.
const schemesByHost: readonly (readonly [host: RegExp, scheme: string])[] = [
  [/^(?:https?:\/\/)?ror\.org\//i, 'ROR'],
  [/^(?:https?:\/\/)?(?:www\.)?isni\.org\//i, 'ISNI'],
  [/^(?:https?:\/\/)?(?:www\.)?wikidata\.org\//i, 'Wikidata'],
  [/^(?:https?:\/\/)?(?:dx\.)?doi\.org\/10\.13039\//i, 'Crossref Funder ID'],
  [/^(?:https?:\/\/)?(?:www\.)?grid\.ac\//i, 'GRID'],
]

function schemeIn(identifier: string): string | undefined {
  return schemesByHost.find(([host]) => host.test(identifier))?.[1]
}

/** Addresses of files of the content. */
function readFiles(value: unknown, at: FieldNotes): readonly unknown[] {
  const urls = readUrlFields(value, at) ?? []
  return urls.map(({ url }) => ({ url, kind: 'content' }))
}

function readLines(value: unknown, at: FieldNotes): readonly string[] {
  return listOf(value).flatMap((each) => {
    const line = lineIn(each)
    if (line === undefined && !isEmpty(each)) at.notRead(each, 'it is no text')
    return line ?? []
  })
}

/** What holds the work: what it is published in, or what the API makes of it. */
function placeOf(record: Json, notes: NoteList): Partial<SourceWork> {
  const at = new FieldNotes(notes, { name: 'relatedItems' })
  const items = inList(record['relatedItems'], 'relatedItem').map(objectOf)
  const name = lineIn(record['container'])
  const container: Json = name === undefined ? objectOf(record['container']) : { title: name }
  const held = items.find((item) => isHolder(item, lineIn(container['title'])))
  // A repository holds a dataset, but not as a journal does an article.
  const isRepository = container['type'] === 'DataRepository'
  if (held !== undefined && !isEmpty(container)) {
    const message = 'Left out, because a related item says it: container.'
    notes.add('left_out', 'container', message, { isLoss: false })
  } else if (isRepository) {
    const message = 'Left out, because it is computed of the others: container.'
    notes.add('left_out', 'container', message, { isLoss: false })
  }
  const isPlain = held !== undefined && isPlainContainer(held)
  const related = items.filter((item) => item !== held || !isPlain)
  // A related item has one number; the container that is computed of it may have another.
  const chapter = held && lineIn(container['chapterNumber'])
  return {
    ...containerParts(held ?? (isRepository ? {} : container)),
    ...(chapter !== undefined && { chapter_number: chapter }),
    related_items: related.flatMap((item) => relatedItemOf(item, at) ?? []),
    ...(isPlain ? numberOf(held, at) : held === undefined && ownNumberOf(record, at)),
  }
}

/** Whether a related item is what holds the work: not where the container is another thing. */
function isHolder(item: Json, title: string | undefined): boolean {
  if (item['relationType'] !== 'IsPublishedIn') return false
  const titles = inList(item['titles'], 'title').map((each) => lineIn(objectOf(each)['title']))
  return title === undefined || titles.includes(title)
}

/** The number of the container, unless it is computed of a related identifier. */
function ownNumberOf(record: Json, at: FieldNotes): Partial<SourceWork> {
  const { identifier, identifierType } = objectOf(record['container'])
  const related = inList(record['relatedIdentifiers'], 'relatedIdentifier').map(objectOf)
  if (related.some(({ relatedIdentifier }) => relatedIdentifier === identifier)) return {}
  const item = { relatedItemIdentifier: identifier, relatedItemIdentifierType: identifierType }
  return numberOf({ relatedItemIdentifier: item }, at)
}

// Members of a container that fields of ours hold alone.
const plainMembers = new Set([
  'relatedItemType',
  'relationType',
  'relatedItemIdentifier',
  'relatedItemIdentifierType',
  'titles',
  'volume',
  'issue',
  'firstPage',
  'lastPage',
  'number',
  'numberType',
  'edition',
])

function isPlainContainer(item: Json): boolean {
  const given = Object.keys(item).filter((name) => !isEmpty(item[name]))
  const titles = inList(item['titles'], 'title')
  const isBare = titles.every((each) =>
    Object.keys(objectOf(each)).every((name) => name === 'title'),
  )
  const isKnown = /^(?:article|chapter)?$/i.test(textOf(item['numberType']) ?? '')
  return titles.length === 1 && isBare && isKnown && given.every((name) => plainMembers.has(name))
}

function containerParts(source: Json): Partial<SourceWork> {
  const titles = inList(source['titles'], 'title').map((each) => {
    const { title, titleType } = objectOf(each)
    return titleType === undefined ? lineIn(title) : undefined
  })
  const number = objectOf(source['number'])
  const text = (member: string) => lineIn(source[member])
  const isArticle = /^(?:article)?$/i.test(textOf(source['numberType']) ?? '')
  const isChapter = /^chapter$/i.test(textOf(source['numberType']) ?? '')
  const given = lineIn(number['number']) ?? text('number')
  return definedOf({
    container_title: titles.find((title) => title !== undefined) ?? text('title'),
    volume: text('volume'),
    issue: text('issue'),
    first_page: text('firstPage'),
    last_page: text('lastPage'),
    article_number: isArticle ? given : undefined,
    chapter_number: text('chapterNumber') ?? (isChapter ? given : undefined),
    edition: text('edition'),
  })
}

// The medium that the scheme of a number tells.
const issnKinds: Readonly<Record<string, string | undefined>> = closedTable({
  ISSN: undefined,
  EISSN: 'electronic',
  LISSN: 'linking',
})

/** The number by which what holds the work is known. */
function numberOf(held: Json, at: FieldNotes): Partial<SourceWork> {
  const { relatedItemIdentifier: id, relatedItemIdentifierType: given } = objectOf(
    held['relatedItemIdentifier'],
  )
  const [value, type = ''] = [textOf(id), textOf(given)]
  if (value === undefined) return {}
  if (type === 'ISBN') return holdingNumbers('ISBN', [{ value }], 'isbn')
  if (Object.hasOwn(issnKinds, type)) {
    return holdingNumbers('ISSN', [{ value, kind: issnKinds[type] }], 'issn')
  }
  return { related_identifiers: readRelated('IsPublishedIn', type, value, at) }
}

/** The type: the general one, unless it says less than the text or the computed ones do. */
function workTypeOf(record: Json, notes: NoteList): WorkType {
  const types = objectOf(record['types'])
  const general = textOf(types['resourceTypeGeneral']) ?? ''
  const own = textOf(types['resourceType']) ?? ''
  // `Other/Journal article`, as some agencies have it.
  const named = foldWorkType(own) ?? foldWorkType(own.replace(/^\w+\//, ''))
  // Our own name of a type, or one in the words of others, says more than the general one.
  const isVague = /^(?:text|other|collection)?$/i.test(general)
  if (named !== undefined && (isVague || sharesGeneral(named, general))) return named
  const known = isVague ? undefined : workTypeIn('datacite', general)
  // What has no better name is computed to be an `article`.
  const citeproc = textOf(types['citeproc']) ?? ''
  const computed = citeproc === 'article' ? undefined : cslWorkType(citeproc)
  if (known !== undefined) return known
  if (computed !== undefined && computed !== 'other') return computed
  const told = toldType(types)
  if (told !== undefined) return told
  const vague = workTypeIn('datacite', general)
  if (vague !== undefined) return vague
  const shown = quote(general || own)
  const message =
    shown === ''
      ? 'It has no type: it is taken as other.'
      : `Its type "${shown}" is none that we know: it is taken as other.`
  notes.add('taken_as', 'types', message, { isLoss: true })
  return 'other'
}

// What is computed of every text and every other thing.
const computedOfAny = /^(?:ScholarlyArticle|CreativeWork|article|misc|RPRT|GEN)$/

/** The type that other vocabularies have for a record, where none of ours is told. */
function toldType(types: Json): WorkType | undefined {
  for (const vocabulary of ['schemaOrg', 'bibtex', 'ris'] as const) {
    const name = textOf(types[vocabulary]) ?? ''
    const type = computedOfAny.test(name) ? undefined : workTypeIn(vocabulary, name)
    if (type !== undefined && type !== 'other') return type
  }
  return undefined
}

/** Whether a type of ours is one of those that DataCite calls so. */
function sharesGeneral(type: WorkType, general: string): boolean {
  const { datacite } = workTypes[type]
  return datacite.toLowerCase() === general.toLowerCase()
}
