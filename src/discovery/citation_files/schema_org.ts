import { isEdtf } from '#actors/values/date.ts'
import { readShortDoi } from '#actors/values/identifier.ts'
import { closedTable } from '#actors/values/lazy_table.ts'
import { definedOf } from '#actors/values/serialization.ts'
import { keywordsOf as splitKeywords } from '#actors/values/text.ts'
import { type WorkType, workTypeIn, workTypes } from '#actors/values/work_type.ts'
import { contributorRoles } from '#actors/works/names.ts'
import { readDoi, readRor } from '#src/discovery/citation_files/addresses.ts'
import {
  FieldNotes,
  NoteList,
  type ReadEntry,
} from '#src/discovery/citation_files/citation_file.ts'
import { readNames } from '#src/discovery/citation_files/csl_names.ts'
import { accessNamed } from '#src/discovery/citation_files/datacite_record.ts'
import { objectOf, readPageCount } from '#src/discovery/citation_files/field_rows.ts'
import { readRecord } from '#src/discovery/citation_files/json_records.ts'
import { plainText } from '#src/discovery/citation_files/markup.ts'
import { codeRepository } from '#src/discovery/citation_files/related_things.ts'
import { contributorOf, type SourceWork } from '#src/discovery/citation_files/work_draft.ts'
import { type Json, withValues } from '#src/discovery/citation_files/xml_source.ts'

const referencesMax = 4
// Things that are put in the place of their names in one work: each may name many, again and again.
const placedMax = 1_000
const holdersMax = 20

/** Whether a value is a work of schema.org's, in whatever way its type is written. */
function isSchemaOrgWork(value: unknown): boolean {
  return workTypesOf(objectOf(value)).length > 0
}

/** Whether a thing is a journal: where nothing in a file is in one, it is a work by itself. */
function isJournal(node: Json): boolean {
  return typesOf(node).includes('Periodical') && (node['author'] ?? node['creator']) !== undefined
}

function workTypesOf(node: Json): readonly WorkType[] {
  const names = typesOf(node).filter((name) => !holderTypes.has(name))
  return names.flatMap((name) => workTypeIn('schemaOrg', name) ?? [])
}

/** Whether a value is JSON-LD at all. */
export function isJsonLd(value: unknown): boolean {
  const { '@context': context, '@graph': graph, '@type': type } = objectOf(value)
  return [context, graph, type].some((member) => member !== undefined)
}

/** Reads the works of JSON-LD, each on its own. */
export function readSchemaOrg(works: readonly unknown[]): readonly ReadEntry[] {
  return works.map((work, index) => {
    const place = { line: 1, key: `record ${index + 1}` }
    const notes = new NoteList(1)
    const node = objectOf(work)
    const json = schemaOrgJson(node, notes)
    const entry = readRecord(json, place, schemaOrgParts(node, notes))
    return { ...entry, notes: [...notes.notes, ...entry.notes] }
  })
}

/**
 * The works of JSON-LD: one of them, a list, or those of a graph that are no part of another one,
 * each with what it names by its `@id` put in its place.
 */
export function schemaOrgWorks(records: readonly unknown[]): readonly unknown[] {
  const all = records.flatMap((each) => {
    const graph: unknown = objectOf(each)['@graph']
    return Array.isArray(graph) ? (graph as readonly unknown[]) : [each]
  })
  const byId = new Map(all.map((node) => [objectOf(node)['@id'], node] as const))
  byId.delete(undefined)
  const named = new Set(all.flatMap((node) => namedBy(objectOf(node))))
  const parts = all.filter((node) => isSchemaOrgWork(node))
  const works = parts.length === 0 ? all.filter((node) => isJournal(objectOf(node))) : parts
  const roots = works.filter((node) => !named.has(objectOf(node)['@id']))
  return (roots.length === 0 ? works : roots).map((node) => {
    return resolved(node, { byId, left: placedMax }, 0)
  })
}

// What these name belongs to the thing that names it.
const ownedBy =
  'isPartOf mainEntityOfPage encoding distribution subjectOf hasPart citation isBasedOn image ' +
  'logo thumbnail primaryImageOfPage associatedMedia'

/** The `@id`s of what a thing is a part of or is told in: these are no works of a file. */
function namedBy(node: Json): readonly unknown[] {
  return ownedBy.split(' ').flatMap((name) =>
    listOf(node[name])
      .map((each) => objectOf(each)['@id'])
      .filter(Boolean),
  )
}

type Places = { readonly byId: ReadonlyMap<unknown, unknown>; left: number }

function resolved(value: unknown, places: Places, depth: number): unknown {
  if (Array.isArray(value)) return value.map((each) => resolved(each, places, depth))
  if (typeof value !== 'object' || value === null || depth > referencesMax) return value
  const id = (value as Json)['@id']
  const isName = id !== undefined && Object.keys(value).length === 1
  const found = isName && places.left > 0 ? places.byId.get(id) : undefined
  if (found !== undefined) places.left -= 1
  else if (isName) return value
  return Object.fromEntries(
    Object.entries((found ?? value) as Json).map(([name, member]) => {
      return [name, resolved(member, places, depth + 1)]
    }),
  )
}

// What a record of schema.org says of itself, of its page or of what follows from other members.
const silent = new Set([
  '@context',
  '@type',
  '@id',
  '@graph',
  'headline',
  'url',
  'dateModified',
  'encoding',
  'creativeWorkStatus',
  'sdPublisher',
  'subjectOf',
  'mainEntityOfPage',
  'sdDatePublished',
  'http://www.w3.org/ns/prov#wasAttributedTo',
  'http://www.w3.org/ns/prov#wasRevisionOf',
])

const read = new Set([
  'name',
  'author',
  'creator',
  'editor',
  'description',
  'abstract',
  'datePublished',
  'inLanguage',
  'keywords',
  'license',
  'identifier',
  'sameAs',
  'publisher',
  'isPartOf',
  'volumeNumber',
  'issueNumber',
  'pageStart',
  'pageEnd',
  'pagination',
  'position',
  '@reverse',
  'funding',
  'funder',
  'distribution',
  'encodingFormat',
  'contributor',
  'translator',
  'producer',
  'sponsor',
  'copyrightHolder',
  'alternateName',
  'alternativeHeadline',
  'about',
  'dateCreated',
  'copyrightYear',
  'temporalCoverage',
  'spatialCoverage',
  'variableMeasured',
  'isAccessibleForFree',
  'conditionsOfAccess',
  'correction',
  'citation',
  'version',
  'genre',
  'bookEdition',
  'isbn',
  'issn',
  'numberOfPages',
  'inSupportOf',
  'softwareVersion',
  'downloadUrl',
  'contentUrl',
  'codeRepository',
])

// Properties of which a work has one value, and those that stand in for others.
const singles: ReadonlySet<string> = new Set(
  (
    'name headline description abstract datePublished inLanguage publisher version bookEdition ' +
    'genre pagination'
  ).split(' '),
)
const standIns = { headline: 'name', abstract: 'description', creator: 'author' }

/** Names what of a work is not read. */
function noteLeft(work: Json, notes: NoteList): void {
  for (const [name, value] of Object.entries(work)) {
    const all = new Set(listOf(value).map((each) => nameOf(each)))
    if (singles.has(name) && all.size > 1) {
      notes.add('repeated', name, `${name} has several values; the first one counts.`)
    }
    if (silent.has(name) || read.has(name) || relations[name] !== undefined) continue
    if (value !== null) notes.add('left_out', name, `No field is for ${name}.`)
  }
  for (const [name, other] of Object.entries(standIns)) {
    const [one, first] = [work[name], work[other]].map((value) => JSON.stringify(value))
    if (one === undefined || first === undefined || one === first) continue
    notes.add('repeated', name, `${name} is left out: ${other} counts.`)
  }
}

/** A work of schema.org as the JSON that Crossref gives of one, then read like any other. */
function schemaOrgJson(work: Json, notes: NoteList): Json {
  noteLeft(work, notes)
  const holders = holdersOf(work)
  const named = holders.filter((each) => {
    return each !== work && textOf(each['name']) !== undefined && !isNumbered(each)
  })
  // The series of a book that has no name is none of the work.
  const isInBook = holders.some((each) => each !== work && typesOf(each).includes('Book'))
  const container = named.find((each) => !isInBook || !isSeries(each))
  const series = named.find((each) => each !== container && isSeries(each))
  const funding = [...listOf(work['funding']), ...listOf(work['funder'])].map(objectOf)
  const place = positionOf(work, container)
  const around = holders.filter((each) => each !== series)
  return withValues({
    type: typeOf(work),
    title: textOf(work['name']) ?? textOf(work['headline']),
    author: peopleOf(work['author'] ?? work['creator'], notes),
    editor: peopleOf(work['editor'], notes),
    abstract: textOf(work['description']) ?? textOf(work['abstract']),
    issued: rawDate(work['datePublished']),
    language: languageOf(work['inLanguage']),
    subject: keywordsOf(work['keywords']),
    license: addressesOf(work['license']).map((URL) => ({ URL })),
    DOI: doiOf(work, notes),
    resource: resourceOf(work),
    publisher: listOf(work['publisher']).map(nameOf).find(Boolean),
    'container-title': container && textOf(container['name']),
    volume: numberOf(holders, 'volumeNumber') ?? place.volume,
    issue: numberOf(holders, 'issueNumber') ?? place.issue,
    'issue-title': issueTitleOf(holders.filter((each) => each !== work)),
    'collection-title': series && textOf(series['name']),
    'collection-number': textOf(
      (series ?? (container && isSeries(container) ? container : {}))['position'],
    ),
    'series-issn': listOf(series?.['issn']).map((value) => ({ value })),
    page: pagesOf(work),
    ISSN: numbersIn('issn', around),
    ISBN: numbersIn('isbn', around),
    relation: relationsOf(work, notes),
    funder: funding.map(funderOf).filter((each) => each['name'] !== undefined),
  })
}

/** By its name in Crossref where CSL has the word for another type. */
function typeOf(work: Json): string | undefined {
  const all = workTypesOf(work)
  // Of several types, those that are everything say nothing.
  const type = all.find((each) => each !== 'other') ?? all[0] ?? (isJournal(work) && 'journal')
  return type === 'article' ? workTypes.article.crossref : type || undefined
}

// The relation that a property says, in the widest sense that it has.
const relations: Readonly<Record<string, string>> = closedTable({
  isPartOf: 'IsPartOf',
  hasPart: 'HasPart',
  citation: 'References',
  isBasedOn: 'IsDerivedFrom',
  exampleOfWork: 'IsVersionOf',
  workExample: 'HasVersion',
  translationOfWork: 'IsTranslationOf',
  workTranslation: 'HasTranslation',
  subjectOf: 'IsDescribedBy',
})

/** Those that another thing says of the work. */
const reverseRelations: Readonly<Record<string, string>> = closedTable({
  citation: 'IsReferencedBy',
  isBasedOn: 'IsSourceOf',
})

/** The things that are named by an identifier and its scheme, as Crossref has them. */
function relationsOf(work: Json, notes: NoteList): Json {
  const named = [
    ...namedThings(work, relations, notes),
    ...namedThings(objectOf(work['@reverse']), reverseRelations, notes),
  ]
  const byRelation = Map.groupBy(named, ({ relation }) => relation)
  return Object.fromEntries([...byRelation].map(([name, all]) => [name, all.map(({ id }) => id)]))
}

/** The numbers of a work and of what holds it, whatever its type. */
function numbersIn(name: 'issn' | 'isbn', holders: readonly Json[]): readonly unknown[] {
  return holders.flatMap((each) => listOf(each[name]))
}

function namedThings(node: Json, names: typeof relations, notes: NoteList) {
  return Object.entries(node).flatMap(([name, value]) => {
    const relation = names[name]
    if (relation === undefined) return []
    const things = listOf(value)
    const ids = things.flatMap((thing) => identifiedBy(thing))
    const isTold = silent.has(name) || read.has(name)
    if (ids.length < things.length && !isTold) {
      const count = things.length - ids.length
      const message = `Of ${name}, ${count} without an identifier are left out.`
      notes.add('left_out', name, message)
    }
    return ids.map((id) => ({ relation, id }))
  })
}

function rawDate(value: unknown): Json | undefined {
  const raw = textOf(value)
  if (raw === undefined) return undefined
  const [, date = raw] = /^(\d{4}-\d\d-\d\d)T/.exec(raw) ?? []
  return { raw: date }
}

/** What a work is in: its issue, its volume, its journal; the nearest first, and itself. */
function holdersOf(work: Json): readonly Json[] {
  const holders: Json[] = []
  let next: readonly Json[] = [work]
  for (let depth = 0; depth < referencesMax && next.length > 0; depth += 1) {
    const around = next.flatMap((each) => listOf(each['isPartOf'])).map(objectOf)
    next = around.filter((each) => !isRelated(each)).slice(0, holdersMax)
    holders.push(...next)
  }
  return [...holders, work]
}

/** Whether a thing is known by an identifier alone: it is another work, and holds this one not. */
function isRelated(node: Json): boolean {
  return textOf(node['name']) === undefined && identifiedBy(node).length > 0
}

function isNumbered(node: Json): boolean {
  const types = typesOf(node)
  // A journal may be said within its volume, as a thing of both types.
  const isPart = types.some(isVolume) && !types.includes('Periodical')
  return isPart || node['headline'] !== undefined || node['author'] !== undefined
}

function isSeries(thing: Json): boolean {
  return typesOf(thing).some((type) => type.endsWith('Series'))
}

function issueTitleOf(holders: readonly Json[]): string | undefined {
  const issue = holders.find((each) => typesOf(each).includes('PublicationIssue'))
  return issue && textOf(issue['name'])
}

/** The number of a work in a series, which has no volumes of its own. */
function positionOf(work: Json, container: Json | undefined) {
  const isIn = container !== undefined && isSeries(container)
  const [volume, issue] = isIn ? (textOf(work['position'])?.split(', ') ?? []) : []
  return { volume, issue }
}

function numberOf(holders: readonly Json[], name: string): string | undefined {
  return holders.map((each) => textOf(each[name])).find(Boolean)
}

function doiOf(work: Json, notes: NoteList): string | undefined {
  const named = listOf(work['identifier']).map(objectOf)
  const own = named.find(({ propertyID }) => /doi/i.test(String(propertyID)))
  const all = identifiersOf(work)
  const dois = all.filter((text) => doiForm.test(text))
  if (new Set(dois.map(readDoi)).size > 1) {
    notes.add('repeated', 'identifier', 'identifier has several DOIs; the first counts.')
  }
  const doi = textOf(own?.['value']) ?? dois[0]
  return doi ?? all.find((text) => readShortDoi(text) !== undefined)
}

/** The address of the work's own file, else of its page; an ARK of a registry is neither. */
function resourceOf(work: Json): Json | undefined {
  const file = fileThings(work)
    .map(({ contentUrl }) => textOf(contentUrl))
    .find(Boolean)
  const page = textOf(work['url']) ?? textOf(work['codeRepository'])
  const URL = isFirstOwn(work) ? file : page
  const isDoi = URL !== undefined && /^https?:/.test(URL) && doiForm.test(URL)
  return URL === undefined || isDoi ? undefined : { primary: { URL } }
}

/** Whether the first file is the work itself: no page is named for it, or that of a registry. */
function isFirstOwn(work: Json): boolean {
  const page = textOf(work['url'])
  return page === undefined || /\/ark:/.test(page)
}

/** Keywords: each in a value of its own, or several in one text, with commas between them. */
function keywordsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return splitKeywords(value)
  return listOf(value).flatMap((each) => textOf(each) ?? nameOf(objectOf(each)) ?? [])
}

function languageOf(value: unknown): string | undefined {
  const [first] = listOf(value)
  const { alternateName, name } = objectOf(first)
  return textOf(first) ?? textOf(alternateName) ?? textOf(name)
}

function addressesOf(value: unknown): readonly string[] {
  return listOf(value).flatMap((each) => {
    const { url, '@id': id } = objectOf(each)
    return textOf(each) ?? textOf(url) ?? textOf(id) ?? nameOf(each) ?? []
  })
}

function pagesOf(work: Json): string | undefined {
  const [first, last] = [textOf(work['pageStart']), textOf(work['pageEnd'])]
  if (first !== undefined && last !== undefined) return `${first}-${last}`
  return textOf(work['pagination']) ?? first
}

function funderOf(grant: Json): Json {
  const given = listOf(grant['funder'])[0]
  const award = textOf(grant['identifier'])
  // A funder without a grant stands where a grant could.
  const name = given === undefined ? nameOf(grant) : nameOf(given)
  return withValues({ name, award: given !== undefined && award !== undefined ? [award] : [] })
}

type Parts = Partial<SourceWork>

/** What a work of schema.org says that Crossref has no member for. */
function schemaOrgParts(work: Json, notes: NoteList): Parts {
  return {
    contributors: contributorsOf(work, notes),
    titles: titlesOf(work),
    subjects: listOf(work['about']).flatMap(subjectOf),
    variables: listOf(work['variableMeasured']).flatMap(variableOf),
    further_dates: datesOf(work, notes),
    geo_locations: listOf(work['spatialCoverage']).flatMap((place) => placeOf(place, notes)),
    update_notices: listOf(work['correction']).flatMap((each) => noticeOf(each, notes)),
    references: listOf(work['citation']).flatMap(referenceOf),
    alternate_identifiers: alternateIdentifiersOf(work),
    files: filesOf(work),
    ...extentOf(work, notes),
    related_identifiers: addressesOf(work['codeRepository']).map(codeRepository),
    ...publisherOf(work),
    ...accessOf(work, notes),
    ...definedOf({
      resource_version: versionOf(work),
      resource_type: lineOf(work['genre']),
      edition: lineOf(work['bookEdition']),
      degree: lineOf(work['inSupportOf']) ?? nameOf(work['inSupportOf']),
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
      const names = readNames(peopleOf(contributor ?? each, notes), at)
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
      uri: isAddress(uri) ? uri : undefined,
      code: lineOf(thing['termCode']),
    }),
  ]
}

/** What was measured: a name alone, or a thing with its unit and the address of its term. */
function variableOf(value: unknown): readonly unknown[] {
  const thing = objectOf(value)
  const name = lineOf(thing['name'] ?? value)
  const uri = [thing['propertyID'], thing['@id'], thing['url']].map(textOf).find(isAddress)
  const unit = lineOf(thing['unitText']) ?? lineOf(thing['unitCode'])
  const description = textOf(thing['description'])
  return name === undefined ? [] : [definedOf({ name, description, unit, uri })]
}

function isAddress(text: string | undefined): boolean {
  return /^https?:/.test(text ?? '')
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
  const url = [thing['@id'], thing['url']].map(textOf).find(isAddress)
  return (text ?? url) === undefined ? [] : [definedOf({ text, url })]
}

/** Other names of the work; its ARK is that of the registry that wrote it. */
function alternateIdentifiersOf(work: Json): readonly unknown[] {
  return listOf(work['identifier']).flatMap((each) => {
    const { propertyID, value } = objectOf(each)
    const alone = typeof each === 'string' && !isAddressOf(work, each) ? each : undefined
    const identifier = alone ?? textOf(value)
    const type = alone === undefined ? textOf(propertyID) : typeOfIdentifier(alone)
    if (type === undefined || identifier === undefined) return []
    return /doi|^ark$|^i[sb][sb]n$/i.test(type) || readDoi(identifier) !== undefined
      ? []
      : [{ identifier, type: type.replace(/^https?:.*\//, '') || type }]
  })
}

/** Whether an identifier is an address by which the work is found, or of its DOI. */
function isAddressOf({ '@id': id, url, sameAs }: Json, text: string): boolean {
  return readShortDoi(text) !== undefined || [id, url, sameAs].flatMap(listOf).includes(text)
}

/** The type of an identifier that says it by its first letters. */
function typeOfIdentifier(text: string): string {
  const [, known] = identifierForms.find(([form]) => form.test(text)) ?? []
  return known ?? 'Other'
}

const identifierForms: readonly (readonly [form: RegExp, type: string])[] = [
  [/^swh:1:/, 'SWHID'],
  [/^arxiv:/i, 'arXiv'],
  [/^urn:/i, 'URN'],
  [/^https?:/i, 'URL'],
]

/** Files beside that of the work, which is the first where no page is named. */
function filesOf(work: Json): readonly unknown[] {
  return fileThings(work)
    .slice(isFirstOwn(work) ? 1 : 0)
    .flatMap((file) => {
      const url = textOf(file['contentUrl'])
      const type = textOf(file['encodingFormat'])
      const media_type = type?.includes('/') === true ? type : undefined
      return url === undefined ? [] : [definedOf({ url, name: lineOf(file['name']), media_type })]
    })
}

/** Formats and sizes of the work, which those of its own file are where a page is not named. */
function extentOf(work: Json, notes: NoteList): Parts {
  const [first, ...others] = isOfRegistry(work) ? [] : fileThings(work)
  const own = isFirstOwn(work) ? first : undefined
  const types = [...listOf(work['encodingFormat']), ...listOf(own?.['encodingFormat'])]
  const size = textOf(own?.['contentSize'])
  const left = [...(own === undefined ? [first] : []), ...others].some((file) => {
    return textOf(file?.['contentSize']) !== undefined
  })
  if (left) notes.add('left_out', 'contentSize', 'No field is for contentSize of a file.')
  const at = new FieldNotes(notes, { name: 'numberOfPages' })
  return {
    formats: [...new Set(types.flatMap((each) => textOf(each) ?? []))],
    sizes: [...readPageCount(work['numberOfPages'], at), ...(size === undefined ? [] : [size])],
  }
}

/** The files of a work; those that it names by an address alone are the last. */
function fileThings(work: Json): readonly Json[] {
  const named = [...listOf(work['encoding']), ...listOf(work['distribution'])].map(objectOf)
  const alone = ['contentUrl', 'downloadUrl'].flatMap((name) => listOf(work[name]))
  return [...named, ...alone.map((contentUrl) => ({ contentUrl }))]
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

/** Who can read the work; a registry says that of the content that it has verified itself. */
function accessOf(work: Json, notes: NoteList): Parts {
  if (isOfRegistry(work)) return {}
  const terms = listOf(work['conditionsOfAccess']).map((each) => {
    return textOf(objectOf(each)['@id']) ?? textOf(each) ?? ''
  })
  const named = terms.map(accessNamed).find(Boolean)
  const isFree = /^(?:true|(?:https?:\/\/schema\.org\/)?True)$/.test(
    String(work['isAccessibleForFree']),
  )
  if (named === undefined && terms.some(Boolean)) {
    new FieldNotes(notes, { name: 'conditionsOfAccess' }).leftOut()
  }
  const right = named ?? (isFree ? 'open' : undefined)
  if (right === undefined && work['isAccessibleForFree'] !== undefined) {
    new FieldNotes(notes, { name: 'isAccessibleForFree' }).leftOut()
  }
  return right === undefined ? {} : { access: { right } }
}

/** Whether a registry of ARKs wrote the record. */
function isOfRegistry(work: Json): boolean {
  return /\/ark:/.test(textOf(work['@id']) ?? '')
}

/** The version of the content; a number alone is that of the record, where a registry wrote it. */
function versionOf(work: Json): string | undefined {
  const version = lineOf(work['softwareVersion']) ?? lineOf(work['version'])
  return isOfRegistry(work) && /^\d+$/.test(version ?? '') ? undefined : version
}

// What holds works, or shows them, is none by itself.
const holderTypes: ReadonlySet<string> = new Set([
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
function identifiedBy(thing: unknown): readonly Json[] {
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
function typesOf(node: Json): readonly string[] {
  return listOf(node['@type'] ?? node['type'])
    .filter((type) => typeof type === 'string')
    .map((type) => type.replace(/^(?:https?:\/\/schema\.org\/|schema:)/, ''))
}

/** Whether a type is of a volume or an issue. */
function isVolume(type: string): boolean {
  return type === 'PublicationVolume' || type === 'PublicationIssue'
}

const personProperties: ReadonlySet<string> = new Set(
  (
    '@id @type @context type name legalName givenName additionalName familyName honorificPrefix ' +
    'honorificSuffix affiliation identifier sameAs url roleName contributor'
  ).split(' '),
)

/** People and groups as Crossref has them. */
function peopleOf(value: unknown, notes: NoteList): readonly (Json | string)[] {
  return listOf(value).map((each) => {
    if (typeof each === 'string') return each
    const person = objectOf(each)
    for (const name of Object.keys(person)) {
      if (personProperties.has(name)) continue
      notes.add('left_out', name, `No field is for ${name} of a person.`)
    }
    const types = typesOf(person)
    const isKnown = types.length === 0 || types.includes('Person')
    const whole = nameOf(person)
    // Some write a person's whole name as libraries do, with the family name first.
    const turned = isKnown && whole?.includes(',') === true ? whole : undefined
    const family = textOf(person['familyName']) ?? turned
    const isPerson = family !== undefined
    return withValues({
      given: isPerson ? givenOf(person) : undefined,
      prefix: isPerson ? textOf(person['honorificPrefix']) : undefined,
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

/** Given names with those in the middle. */
function givenOf(person: Json): string | undefined {
  const names = [person['givenName'], person['additionalName']].flatMap(
    (name) => textOf(name) ?? [],
  )
  return names.join(' ') || undefined
}

function affiliationOf(value: unknown): Json {
  if (typeof value === 'string') return { name: value }
  const place = objectOf(value)
  const ror = identifiersOf(place).find((text) => /ror\.org\//.test(text))
  return withValues({ name: nameOf(place), id: ror && [{ id: ror, 'id-type': 'ROR' }] })
}

/** Everything by which a thing is called: its `@id`, its identifiers, and where else it is. */
function identifiersOf(node: Json): readonly string[] {
  return [node['@id'], node['identifier'], node['sameAs'], node['url']].flatMap((value) => {
    return listOf(value).flatMap((each) => {
      const { value: own, '@id': id, propertyID } = objectOf(each)
      const text = textOf(each) ?? textOf(own) ?? textOf(id)
      const isOrcid = /orcid/i.test(String(propertyID)) && text?.includes('orcid.org') === false
      return text === undefined ? [] : [isOrcid ? `https://orcid.org/${text}` : text]
    })
  })
}

const doiForm = /^(?:doi:|https?:\/\/(?:dx\.)?doi\.org\/)?10\.\d{4,9}\//i

/** A text, or the name of a thing; undefined if it has none. */
function nameOf(value: unknown): string | undefined {
  return textOf(value) ?? textOf(objectOf(value)['name']) ?? textOf(objectOf(value)['legalName'])
}

/** A text or a number; of a list the first, of a value of JSON-LD what it is. */
function textOf(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value
  const text = objectOf(first)['@value'] ?? first
  if (typeof text === 'number') return String(text)
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined
}

/** The values of a property: one alone is a list of one. */
function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  const list = objectOf(value)['@list'] ?? value
  return Array.isArray(list) ? list : [list]
}
