import { workTypes, type WorkType } from '#actors/values/work_type.ts'
import { NoteList, type ReadEntry } from '#src/discovery/citation_files/citation_file.ts'
import { objectOf } from '#src/discovery/citation_files/field_rows.ts'
import { readRecord } from '#src/discovery/citation_files/json_records.ts'
import { type Json, withValues } from '#src/discovery/citation_files/xml_source.ts'

const referencesMax = 4

// Types of schema.org that say less than ours: of ours that share one, the first counts.
const types: ReadonlyMap<string, WorkType> = new Map([
  ...Object.entries(workTypes)
    .map(([type, { schemaOrg }]) => [schemaOrg, type as WorkType] as const)
    .toReversed(),
  ['ScholarlyArticle', 'article'],
  ['MedicalScholarlyArticle', 'article'],
  ['Article', 'article'],
  ['TechArticle', 'article'],
  ['NewsArticle', 'article'],
  ['SoftwareSourceCode', 'software'],
  ['SoftwareApplication', 'software'],
  ['DataFeed', 'dataset'],
  ['CreativeWork', 'other'],
])

/** Whether a value is a work of schema.org's, in whatever way its type is written. */
function isSchemaOrgWork(value: unknown): boolean {
  return typesOf(objectOf(value)).some((type) => types.has(type))
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
    const entry = readRecord(schemaOrgJson(objectOf(work), notes), place)
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
  const works = all.filter((node) => isSchemaOrgWork(node))
  const roots = works.filter((node) => !named.has(objectOf(node)['@id']))
  return (roots.length === 0 ? works : roots).map((node) => resolved(node, byId, 0))
}

/** The `@id`s of what a work is a part of or is told in: these are no works of a file. */
function namedBy(node: Json): readonly unknown[] {
  return ['isPartOf', 'mainEntityOfPage', 'encoding', 'subjectOf', 'hasPart', 'citation'].flatMap(
    (name) =>
      listOf(node[name])
        .map((each) => objectOf(each)['@id'])
        .filter(Boolean),
  )
}

function resolved(value: unknown, byId: ReadonlyMap<unknown, unknown>, depth: number): unknown {
  if (Array.isArray(value)) return value.map((each) => resolved(each, byId, depth))
  if (typeof value !== 'object' || value === null || depth > referencesMax) return value
  const id = (value as Json)['@id']
  const isName = id !== undefined && Object.keys(value).length === 1
  const node = isName ? (byId.get(id) ?? value) : value
  return Object.fromEntries(
    Object.entries(node as Json).map(([name, member]) => [name, resolved(member, byId, depth + 1)]),
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
  'dateCreated',
  'dateModified',
  'version',
  'encoding',
  'creativeWorkStatus',
  'sdPublisher',
  'subjectOf',
  'mainEntityOfPage',
  'isAccessibleForFree',
  'provider',
  'includedInDataCatalog',
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
  'funding',
  'funder',
  'distribution',
])

/** A work of schema.org as the JSON that Crossref gives of one, then read like any other. */
function schemaOrgJson(work: Json, notes: NoteList): Json {
  for (const [name, value] of Object.entries(work)) {
    if (silent.has(name) || read.has(name) || value === null) continue
    if (relations[name] !== undefined && relationsOf({ [name]: value }) !== undefined) continue
    notes.add('left_out', name, `No field is for ${name}.`)
  }
  const holders = holdersOf(work)
  const container = holders.find((each) => textOf(each['name']) !== undefined && !isNumbered(each))
  const funding = [...listOf(work['funding']), ...listOf(work['funder'])].map(objectOf)
  return withValues({
    type: typeOf(work),
    title: textOf(work['name']) ?? textOf(work['headline']),
    author: peopleOf(work['author'] ?? work['creator']),
    editor: peopleOf(work['editor']),
    abstract: textOf(work['description']) ?? textOf(work['abstract']),
    issued: rawDate(work['datePublished']),
    language: languageOf(work['inLanguage']),
    subject: keywordsOf(work['keywords']),
    license: addressesOf(work['license']).map((URL) => ({ URL })),
    DOI: doiOf(work),
    resource: resourceOf(work),
    publisher: listOf(work['publisher']).map(nameOf).find(Boolean),
    'container-title': container && textOf(container['name']),
    volume: numberOf(holders, 'volumeNumber'),
    issue: numberOf(holders, 'issueNumber'),
    page: pagesOf(work),
    ISSN: holders.flatMap(({ issn }) => listOf(issn)),
    ISBN: holders.filter((each) => each !== work).flatMap(({ isbn }) => listOf(isbn)),
    relation: relationsOf(work),
    funder: funding.map(funderOf).filter((each) => each['name'] !== undefined),
  })
}

/** By its name in Crossref where CSL has the word for another type. */
function typeOf(work: Json): string | undefined {
  const type = typesOf(work)
    .map((name) => types.get(name))
    .find(Boolean)
  return type === 'article' ? workTypes.article.crossref : type
}

// Properties that stand for one relation alone.
const relations: Readonly<Record<string, string>> = {
  hasPart: 'HasPart',
  exampleOfWork: 'IsVersionOf',
  workExample: 'HasVersion',
  translationOfWork: 'IsTranslationOf',
  workTranslation: 'HasTranslation',
}

/** The things that are named by an identifier and its scheme, as Crossref has them. */
function relationsOf(work: Json): Json | undefined {
  const named = Object.entries(relations).flatMap(([property, relation]) => {
    const ids = listOf(work[property]).map((each) => objectOf(objectOf(each)['identifier']))
    const some = ids.filter(({ propertyID, value }) => propertyID !== undefined && value)
    const related = some.map(({ propertyID, value }) => ({ id: value, 'id-type': propertyID }))
    return related.length === 0 ? [] : [[relation, related] as const]
  })
  return named.length === 0 ? undefined : Object.fromEntries(named)
}

function rawDate(value: unknown): Json | undefined {
  const raw = textOf(value)
  if (raw === undefined) return undefined
  const [, date = raw] = /^(\d{4}-\d\d-\d\d)T/.exec(raw) ?? []
  return { raw: date }
}

function typesOf(node: Json): readonly string[] {
  return listOf(node['@type'] ?? node['type'])
    .filter((type) => typeof type === 'string')
    .map((type) => type.replace(/^(?:https?:\/\/schema\.org\/|schema:)/, ''))
}

/** What a work is in: its issue, its volume, its journal; the nearest first, and itself. */
function holdersOf(work: Json): readonly Json[] {
  const holders = [work]
  let next = listOf(work['isPartOf']).map(objectOf)[0]
  while (next !== undefined && holders.length <= referencesMax) {
    holders.push(next)
    next = listOf(next['isPartOf']).map(objectOf)[0]
  }
  return holders.slice(1).concat(work)
}

function isNumbered(node: Json): boolean {
  const isWork = typesOf(node).some((type) => /^(?:PublicationVolume|PublicationIssue)$/.test(type))
  return isWork || node['headline'] !== undefined || node['author'] !== undefined
}

function numberOf(holders: readonly Json[], name: string): string | undefined {
  return holders.map((each) => textOf(each[name])).find(Boolean)
}

function peopleOf(value: unknown): readonly Json[] {
  return listOf(value).map((each) => {
    if (typeof each === 'string') return { name: each }
    const person = objectOf(each)
    const family = textOf(person['familyName'])
    const isPerson = family !== undefined
    return withValues({
      given: isPerson ? textOf(person['givenName']) : undefined,
      family,
      suffix: isPerson ? textOf(person['honorificSuffix']) : undefined,
      name: isPerson ? undefined : nameOf(person),
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

function doiOf(work: Json): string | undefined {
  const named = listOf(work['identifier']).map(objectOf)
  const own = named.find(({ propertyID }) => /doi/i.test(String(propertyID)))
  const doi = /^(?:doi:|https?:\/\/(?:dx\.)?doi\.org\/)?10\.\d{4,9}\//i
  return textOf(own?.['value']) ?? identifiersOf(work).find((text) => doi.test(text))
}

/** The address of the work's own file, else of its page; an ARK of a registry is neither. */
function resourceOf(work: Json): Json | undefined {
  const files = [...listOf(work['encoding']), ...listOf(work['distribution'])].map(objectOf)
  const file = files.map(({ contentUrl }) => textOf(contentUrl)).find(Boolean)
  const page = textOf(work['url'])
  const isOwn = page === undefined || /\/ark:/.test(page)
  const URL = isOwn ? file : page
  const isDoi = URL !== undefined && /^https?:\/\/(?:dx\.)?doi\.org\//.test(URL)
  return URL === undefined || isDoi ? undefined : { primary: { URL } }
}

function keywordsOf(value: unknown): readonly string[] {
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
    return textOf(each) ?? textOf(url) ?? textOf(id) ?? []
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

function nameOf(value: unknown): string | undefined {
  return textOf(value) ?? textOf(objectOf(value)['name']) ?? textOf(objectOf(value)['legalName'])
}

function textOf(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value
  const text = objectOf(first)['@value'] ?? first
  if (typeof text === 'number') return String(text)
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  const list = objectOf(value)['@list'] ?? value
  return Array.isArray(list) ? list : [list]
}
