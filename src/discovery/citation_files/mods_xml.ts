import { foldWorkType, workTypes } from '#actors/values/work_type.ts'
import type { NoteList } from '#src/discovery/citation_files/citation_file.ts'
import {
  elementsAt,
  elementsOf,
  textOf,
  type XmlElement,
} from '#src/discovery/citation_files/xml_tree.ts'
import { type Json, withValues, XmlSource } from '#src/discovery/citation_files/xml_source.ts'

// What a record says of itself.
const silent: ReadonlySet<string> = new Set(['recordInfo', 'extension'])

// Kinds of resources of MODS, where no genre says more.
const resourceTypes: Readonly<Record<string, string>> = {
  'still image': 'image',
  'moving image': 'video',
  'sound recording': 'audio',
  'sound recording-nonmusical': 'audio',
  'sound recording-musical': 'audio',
  'software, multimedia': 'software',
}

// Who is an author, by the codes and words of MARC; whoever has no role is one as well.
const roles: Readonly<Record<string, string>> = {
  '': 'author',
  aut: 'author',
  author: 'author',
  cre: 'author',
  creator: 'author',
  edt: 'editor',
  editor: 'editor',
  trl: 'translator',
  translator: 'translator',
}

// Kinds of related items that DataCite has a relation for.
const relations: Readonly<Record<string, string>> = {
  constituent: 'HasPart',
  isReferencedBy: 'IsReferencedBy',
  preceding: 'Continues',
  references: 'References',
  reviewOf: 'Reviews',
  succeeding: 'IsContinuedBy',
}

/**
 * A record of MODS as the JSON that Crossref gives of a work, which is then read like any other.
 * What has no member there is named by its path.
 */
export function modsJson(mods: XmlElement, notes: NoteList): Json {
  const source = new XmlSource()
  const items = elementsOf(mods, 'relatedItem')
  const ofType = (type: string) => items.find(({ attributes }) => attributes['type'] === type)
  const host = ofType('host') ?? ofType('series')
  const part = elementsOf(host, 'part')[0] ?? elementsOf(mods, 'part')[0]
  const ofPart = rawDate(source.text(part, 'date'))
  const json = withValues({
    type: typeOf(source, mods),
    ...titlesOf(source, mods),
    ...namesOf(source, mods),
    abstract: source.text(mods, 'abstract'),
    issued: dateOf(source, mods) ?? dateOf(source, host) ?? ofPart,
    publisher: source.text(mods, 'originInfo/publisher'),
    language: source.text(mods, 'language/languageTerm'),
    subject: source.texts(mods, 'subject/topic'),
    license: licensesOf(source, mods),
    DOI: identifierOf(source, mods, 'doi'),
    resource: resourceOf(source, mods),
    'container-title': titlesOf(source, host)['title'],
    volume: detailOf(source, part, 'volume'),
    issue: detailOf(source, part, 'issue') ?? detailOf(source, part, 'number'),
    page: pagesOf(source, part),
    'article-number': detailOf(source, part, 'article'),
    ISSN: identifierOf(source, host, 'issn'),
    ISBN: identifierOf(source, host, 'isbn'),
    relation: relationsOf(source, items),
  })
  source.noteUnused(mods, silent, notes)
  return json
}

/** The genre that is a type of ours, else the kind of resource. */
function typeOf(source: XmlSource, mods: XmlElement): string {
  const genre = elementsOf(mods, 'genre').find((each) => foldWorkType(textOf(each) ?? ''))
  if (genre !== undefined) source.use(genre)
  const resource = source.text(mods, 'typeOfResource') ?? ''
  const type = foldWorkType(textOf(genre) ?? '') ?? resourceTypes[resource]
  return type === 'article' ? workTypes.article.crossref : (type ?? 'other')
}

function titlesOf(source: XmlSource, parent: XmlElement | undefined): Json {
  const all = elementsOf(parent, 'titleInfo')
  const main = all.find(({ attributes }) => attributes['type'] === undefined) ?? all[0]
  const words = [source.text(main, 'nonSort'), source.markup(main, 'title')]
  const parts = [source.text(main, 'partNumber'), source.text(main, 'partName')].filter(Boolean)
  const title = words.filter(Boolean).join(' ')
  const subtitle = source.markup(main, 'subTitle')
  if (title === '') return {}
  if (parts.length === 0) return { title: [title], subtitle: subtitle && [subtitle] }
  // A part is one of the whole, which is called by its subtitle as well.
  const whole = subtitle === undefined ? title : `${title}: ${subtitle}`
  return { title: [[whole, ...parts].join('. ')] }
}

/** The people of a record by their roles, each in a list of its own; others are named. */
function namesOf(source: XmlSource, mods: XmlElement): Json {
  const lists: Record<string, Json[]> = {}
  for (const name of elementsOf(mods, 'name')) {
    const terms = elementsAt(name, 'role/roleTerm').flatMap((each) => textOf(each) ?? [])
    const role = (terms.length === 0 ? [''] : terms).map((term) => roles[term.toLowerCase()])
    const member = role.find((each) => each !== undefined)
    if (member === undefined) continue
    source.use(name)
    const list = (lists[member] ??= [])
    list.push(nameOf(name))
  }
  return lists
}

function nameOf(name: XmlElement): Json {
  const part = (type: string | undefined) => {
    const parts = elementsOf(name, 'namePart').filter((each) => each.attributes['type'] === type)
    return parts.flatMap((each) => textOf(each) ?? []).join(' ') || undefined
  }
  const [family, whole] = [part('family'), part(undefined)]
  const orcid = elementsOf(name, 'nameIdentifier').find(({ attributes }) => {
    return /orcid/i.test(`${attributes['type'] ?? ''} ${attributes['typeURI'] ?? ''}`)
  })
  const isGroup = name.attributes['type'] === 'corporate'
  return withValues({
    ...(family === undefined || isGroup
      ? { name: whole ?? family ?? part('given') }
      : { family, given: part('given'), suffix: part('termsOfAddress') }),
    ORCID: textOf(orcid),
    affiliation: elementsOf(name, 'affiliation').map((each) => ({ name: textOf(each) })),
  })
}

/** The day of publication: as the key of several, or in a known form, before any other. */
function dateOf(source: XmlSource, parent: XmlElement | undefined): Json | undefined {
  const dates = elementsAt(parent, 'originInfo/dateIssued')
  const isFirst = ({ attributes }: XmlElement) => attributes['point'] !== 'end'
  const coded = dates.find((each) => isFirst(each) && each.attributes['encoding'] !== undefined)
  const chosen =
    dates.find(({ attributes }) => attributes['keyDate'] === 'yes') ?? coded ?? dates[0]
  if (chosen === undefined) return undefined
  source.use(chosen)
  return rawDate(textOf(chosen))
}

function rawDate(raw: string | undefined): Json | undefined {
  return raw === undefined ? undefined : { raw }
}

function identifierOf(source: XmlSource, parent: XmlElement | undefined, type: string) {
  const found = elementsOf(parent, 'identifier').find(({ attributes }) => {
    return attributes['type']?.toLowerCase() === type && attributes['invalid'] !== 'yes'
  })
  if (found !== undefined) source.use(found)
  return textOf(found)
}

function resourceOf(source: XmlSource, mods: XmlElement): Json | undefined {
  const URL = source.text(mods, 'location/url') ?? identifierOf(source, mods, 'uri')
  return URL === undefined ? undefined : { primary: { URL } }
}

/** What says under which licence it is read, by an address or in words. */
function licensesOf(source: XmlSource, mods: XmlElement): readonly Json[] {
  const conditions = elementsOf(mods, 'accessCondition').filter(({ attributes }) => {
    return attributes['type'] === 'use and reproduction' || attributes['href'] !== undefined
  })
  return conditions.flatMap((each) => {
    source.use(each)
    const URL = each.attributes['href'] ?? textOf(each)
    return URL === undefined ? [] : [{ URL }]
  })
}

function detailOf(source: XmlSource, part: XmlElement | undefined, type: string) {
  const detail = elementsOf(part, 'detail').find(({ attributes }) => attributes['type'] === type)
  if (detail !== undefined) source.use(detail)
  return textOf(elementsOf(detail, 'number')[0] ?? detail)
}

function pagesOf(source: XmlSource, part: XmlElement | undefined): string | undefined {
  const extent = elementsOf(part, 'extent').find(({ attributes }) => {
    return /^pages?$/.test(attributes['unit'] ?? 'page')
  })
  const first = source.text(extent, 'start')
  const last = source.text(extent, 'end')
  const list = source.text(extent, 'list')
  return first && last ? `${first}-${last}` : (first ?? list)
}

function relationsOf(source: XmlSource, items: readonly XmlElement[]): Json {
  const named = items.flatMap((item) => {
    const relation = relations[item.attributes['type'] ?? '']
    const id = relation === undefined ? undefined : identifierOf(source, item, 'doi')
    return relation === undefined || id === undefined ? [] : [{ relation, id }]
  })
  const byRelation = Map.groupBy(named, ({ relation }) => relation)
  return Object.fromEntries(
    [...byRelation].map(([name, all]) => [name, all.map(({ id }) => ({ id, 'id-type': 'doi' }))]),
  )
}
