import { isEdtf } from '#actors/values/date.ts'
import { closedTable } from '#actors/values/lazy_table.ts'
import { readLicense } from '#actors/values/license.ts'
import { definedOf } from '#actors/values/serialization.ts'
import { foldWorkType, thesisKindOf, workTypes } from '#actors/values/work_type.ts'
import { contributorRoles } from '#actors/works/names.ts'
import { descriptionKinds } from '#actors/works/titles.ts'
import { readUrls } from '#src/discovery/citation_files/addresses.ts'
import { FieldNotes, type NoteList } from '#src/discovery/citation_files/citation_file.ts'
import { readNames } from '#src/discovery/citation_files/csl_names.ts'
import { plainText } from '#src/discovery/citation_files/markup.ts'
import { readRelated } from '#src/discovery/citation_files/related_things.ts'
import { contributorOf, type SourceWork } from '#src/discovery/citation_files/work_draft.ts'
import {
  type Json,
  lineOf,
  otherLanguage,
  withValues,
  type XmlReading,
  XmlSource,
} from '#src/discovery/citation_files/xml_source.ts'
import {
  elementsAt,
  elementsOf,
  markupOf,
  textOf,
  type XmlElement,
} from '#src/discovery/citation_files/xml_tree.ts'
import { containerKindOf } from '#src/discovery/formats/described_work.ts'
import { roleCodes } from '#src/discovery/formats/mods.ts'

// What a record says of itself, told as such.
const silent: ReadonlySet<string> = new Set(['recordInfo'])

// Kinds of resources of MODS, where no genre says more.
const resourceTypes: Readonly<Record<string, string>> = closedTable({
  'still image': 'image',
  'moving image': 'video',
  'sound recording': 'audio',
  'sound recording-nonmusical': 'audio',
  'sound recording-musical': 'audio',
  'software, multimedia': 'software',
})

// Who is an author, by the codes and words of MARC; whoever has no role is one as well.
const roles: Readonly<Record<string, string>> = closedTable({
  '': 'author',
  aut: 'author',
  author: 'author',
  cre: 'author',
  creator: 'author',
  edt: 'editor',
  editor: 'editor',
  trl: 'translator',
  translator: 'translator',
  ctb: 'contributor',
  contributor: 'contributor',
  dgg: 'institution',
  'degree grantor': 'institution',
})

/**
 * A record of MODS as the JSON that Crossref gives of a work, which is then read like any other.
 * What has no member there is named by its path.
 */
export function modsReading(mods: XmlElement, notes: NoteList): XmlReading {
  const source = new XmlSource()
  const items = elementsOf(mods, 'relatedItem')
  const ofType = (type: string) => items.find(({ attributes }) => attributes['type'] === type)
  const allSeries = items.filter(({ attributes }) => attributes['type'] === 'series')
  const type = typeOf(source, mods)
  // What a book stands in is its series; what else is in a series has a place in it.
  const isSeries = containerKindOf(foldWorkType(type) ?? 'article') === 'series'
  const held = isSeries
    ? allSeries
    : allSeries.filter((each) => elementsOf(each, 'part').length > 0)
  const host = ofType('host') ?? held[0]
  const part = elementsOf(host, 'part')[0] ?? elementsOf(mods, 'part')[0]
  const ofPart = rawDate(source.text(part, 'date'))
  const series = allSeries.find((each) => each !== host)
  const seriesNumber = source.text(host === allSeries[0] ? host : undefined, 'titleInfo/partNumber')
  const people = namesOf(source, mods, notes)
  const publisher = withoutIsbd(source.text(mods, 'originInfo/publisher'))
  const grantors = people.lists['institution']?.filter(({ name }) => name !== publisher)
  const json = withValues({
    type,
    ...titlesOf(source, mods),
    ...people.lists,
    institution: grantors,
    issued: dateOf(source, mods) ?? dateOf(source, host) ?? ofPart,
    publisher,
    language: source.text(mods, 'language/languageTerm'),
    subject: keywordsOf(source, mods),
    license: licensesOf(mods),
    DOI: identifierOf(source, mods, 'doi'),
    resource: resourceOf(source, mods),
    'publisher-place': placeNameOf(source, mods),
    edition: source.text(mods, 'originInfo/edition'),
    genre: ownGenreOf(source, mods),
    event: eventOf(source, mods),
    'container-title':
      seriesNumber === undefined ? titlesOf(source, host)['title'] : seriesTitleOf(source, host),
    'container-title-short': shortTitleOf(source, host),
    'collection-title': seriesTitleOf(source, series),
    'collection-number': source.text(series, 'titleInfo/partNumber'),
    'series-issn': numbersOf(source, series, 'issn'),
    volume: detailOf(source, part, 'volume') ?? seriesNumber,
    issue: detailOf(source, part, 'issue') ?? detailOf(source, part, 'number'),
    page: pagesOf(source, part),
    'article-number': detailOf(source, part, 'article') ?? detailOf(source, part, 'article-number'),
    'issue-title': issueTitleOf(source, part),
    'chapter-number': detailOf(source, part, 'chapter'),
    'issn-type': numbersOf(source, host, 'issn'),
    'isbn-type': [...numbersOf(source, host, 'isbn'), ...numbersOf(source, mods, 'isbn')],
  })
  const parts = modsParts(source, mods, notes)
  source.noteUnused(mods, silent, notes)
  if (elementsOf(mods, 'recordInfo').length > 0) {
    const message = 'Left out, because it is about the record alone: recordInfo.'
    notes.add('left_out', 'recordInfo', message, { isLoss: false })
  }
  return { json, parts: { ...parts, contributors: people.contributors } }
}

/** Where it was published, by name; the code of a country says less, and is told. */
function placeNameOf(source: XmlSource, mods: XmlElement): string | undefined {
  const terms = elementsAt(mods, 'originInfo/place/placeTerm')
  const named = terms.find(({ attributes }) => attributes['type'] !== 'code')
  if (named !== undefined) source.use(named)
  return withoutIsbd(textOf(named))
}

/** A text of a catalogue without the sign that stands there before what follows (ISBD). */
function withoutIsbd(text: string | undefined): string | undefined {
  return text?.replace(/ ?[:;,/]$/, '')
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
function namesOf(source: XmlSource, mods: XmlElement, notes: NoteList) {
  const lists = Object.create(null) as Record<string, Json[]>
  const contributors: unknown[] = []
  for (const name of elementsOf(mods, 'name')) {
    const terms = elementsAt(name, 'role/roleTerm').flatMap((each) => textOf(each) ?? [])
    const role = (terms.length === 0 ? [''] : terms).map((term) => roles[term.toLowerCase()])
    const member = role.find((each) => each !== undefined)
    const other = member ?? terms.map(roleIn).find((each) => each !== undefined)
    if (other === undefined || name.attributes['type'] === 'conference') continue
    source.use(name)
    for (const date of elementsOf(name, 'namePart')) {
      if (date.attributes['type'] !== 'date') continue
      const message = `“${textOf(date) ?? ''}”, when somebody lived, is left out: no field fits.`
      notes.add('left_out', 'name/namePart', message, { line: date.line })
    }
    if (member === undefined) {
      contributors.push(...contributorsOf(other, nameOf(name), notes))
      continue
    }
    const list = (lists[member] ??= [])
    list.push(nameOf(name))
  }
  return { lists, contributors }
}

function nameOf(name: XmlElement): Json {
  const part = (type: string | undefined) => {
    const parts = elementsOf(name, 'namePart').filter((each) => each.attributes['type'] === type)
    return parts.flatMap((each) => textOf(each) ?? []).join(' ') || undefined
  }
  const [family, whole] = [part('family'), part(undefined)]
  const ids = identifiersOfName(name)
  const orcid = ids.find(({ scheme, identifier }) => /orcid/i.test(`${scheme} ${identifier}`))
  const isGroup = name.attributes['type'] === 'corporate'
  // Catalogues write a person's whole name with the family name first.
  const isPerson = name.attributes['type'] === 'personal'
  const turned = isPerson && whole?.includes(',') === true ? whole : undefined
  const last = family ?? turned
  return withValues({
    ...(last === undefined || isGroup
      ? { [isGroup ? 'name' : 'literal']: whole ?? family ?? part('given') }
      : { family: last, given: part('given'), suffix: part('termsOfAddress') }),
    ORCID: orcid?.identifier,
    identifiers: ids.filter((each) => each !== orcid),
    affiliation: elementsOf(name, 'affiliation').map((each) => ({ name: textOf(each) })),
  })
}

// Authority files by the codes of MARC, and by the addresses of their terms.
const authorities: readonly (readonly [form: RegExp, scheme: string])[] = [
  [/orcid/i, 'ORCID'],
  [/isni/i, 'ISNI'],
  [/viaf/i, 'VIAF'],
  [/d-nb\.info|\bgnd\b/i, 'GND'],
  [/ror\.org|\bror\b/i, 'ROR'],
  [/wikidata/i, 'Wikidata'],
  [/id\.loc\.gov|\bnaf\b|\blcnaf\b/i, 'LCNAF'],
]

/** By what else somebody is named: identifiers of their own, and the address of an authority. */
function identifiersOfName(name: XmlElement) {
  const { valueURI, authority = '', authorityURI = '' } = name.attributes
  const own = elementsOf(name, 'nameIdentifier').map((each) => {
    const { type = '', typeURI = '' } = each.attributes
    return { text: textOf(each), words: `${type} ${typeURI}`, type }
  })
  const named = {
    text: valueURI,
    words: `${valueURI} ${authority} ${authorityURI}`,
    type: authority,
  }
  return [...own, named].flatMap(({ text: identifier, words, type }) => {
    if (identifier === undefined) return []
    const [, known] = authorities.find(([form]) => form.test(words)) ?? []
    return [{ scheme: known ?? (type.toUpperCase() || 'Other'), identifier }]
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
  const [first] = workAddresses(mods)
  if (first !== undefined) source.use(first)
  const URL = textOf(first) ?? identifierOf(source, mods, 'uri')
  return URL === undefined ? undefined : { primary: { URL } }
}

/** The licence under which it is read, by an address or in words; other terms are rights. */
function licensesOf(mods: XmlElement): readonly Json[] {
  const urls = elementsOf(mods, 'accessCondition').flatMap((each) => {
    return [each.attributes['href'], textOf(each)].filter((text) => text !== undefined)
  })
  const URL = urls.find((text) => readLicense(text) !== undefined)
  return URL === undefined ? [] : [{ URL }]
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

/** The words that are of no scheme. */
function keywordsOf(source: XmlSource, mods: XmlElement): readonly string[] {
  const plain = elementsOf(mods, 'subject').filter(({ attributes }) => !attributes['authority'])
  return plain.flatMap((each) => source.texts(each, 'topic'))
}

/** The kind of the work in words of its own, beside the one that is a type of ours. */
function ownGenreOf(source: XmlSource, mods: XmlElement): string | undefined {
  const own = elementsOf(mods, 'genre').find((each) => {
    const text = textOf(each)
    if (text === undefined) return false
    // A thesis of a degree is more than a thesis.
    return foldWorkType(text) === undefined || thesisKindOf(text) !== undefined
  })
  if (own !== undefined) source.use(own)
  return textOf(own)
}

function eventOf(source: XmlSource, mods: XmlElement): Json | undefined {
  const event = elementsOf(mods, 'name').find(
    ({ attributes }) => attributes['type'] === 'conference',
  )
  const texts = elementsOf(event, 'namePart').filter(({ attributes }) => !attributes['type'])
  const [name, location] = texts.map(textOf)
  if (event === undefined || name === undefined) return undefined
  source.use(event)
  const dates = elementsOf(event, 'namePart').filter(
    ({ attributes }) => attributes['type'] === 'date',
  )
  const [start, end] = (textOf(dates[0]) ?? '').split('/')
  return withValues({
    name,
    location,
    start: start === '..' ? undefined : start && { raw: start },
    end: end && { raw: end },
  })
}

/** A series has its number beside its title. */
function seriesTitleOf(source: XmlSource, series: XmlElement | undefined): string | undefined {
  return source.markup(series, 'titleInfo/title')
}

function shortTitleOf(source: XmlSource, host: XmlElement | undefined): string | undefined {
  const short = elementsOf(host, 'titleInfo').find(
    ({ attributes }) => attributes['type'] === 'abbreviated',
  )
  return source.text(short, 'title')
}

function issueTitleOf(source: XmlSource, part: XmlElement | undefined): string | undefined {
  const issue = elementsOf(part, 'detail').find(({ attributes }) => attributes['type'] === 'issue')
  return source.text(issue, 'title')
}

function numbersOf(
  source: XmlSource,
  parent: XmlElement | undefined,
  type: string,
): readonly Json[] {
  const all = elementsOf(parent, 'identifier').filter(({ attributes }) => {
    return attributes['type']?.toLowerCase() === type && attributes['invalid'] !== 'yes'
  })
  return all.map((each) => {
    source.use(each)
    return withValues({ value: textOf(each), type: each.attributes['displayLabel'] })
  })
}

type Parts = Partial<SourceWork>

/** What a record of MODS says that Crossref has no member for. */
function modsParts(source: XmlSource, mods: XmlElement, notes: NoteList): Parts {
  const language = textOf(elementsAt(mods, 'language/languageTerm')[0])
  return {
    ...furtherTitlesOf(source, mods, language),
    ...textsOf(source, mods, language),
    ...definedOf({
      resource_version: noteOf(source, mods, 'version identification')[0],
      degree: degreeOf(source, mods),
    }),
    references: noteOf(source, mods, 'citation').map((text) => ({ text })),
    further_dates: datesOf(source, mods),
    formats: source.texts(mods, 'physicalDescription/internetMediaType'),
    sizes: source.texts(mods, 'physicalDescription/extent'),
    subjects: subjectsOf(source, mods),
    geo_locations: placesOf(source, mods),
    rights: rightsOf(source, mods),
    alternate_identifiers: identifiersOf(source, mods),
    files: filesOf(source, mods),
    related_identifiers: relatedOf(source, mods, notes),
  }
}

/** The degree of a thesis, which ETD-MS has in an extension, and others in a note. */
function degreeOf(source: XmlSource, mods: XmlElement): string | undefined {
  const named = source.text(mods, 'extension/degree/name')
  return named ?? noteOf(source, mods, 'thesis')[0]
}

const titleKinds: Readonly<Record<string, string>> = closedTable({
  translated: 'translated',
  abbreviated: 'short',
  uniform: 'alternative',
  alternative: 'alternative',
})

function furtherTitlesOf(source: XmlSource, mods: XmlElement, language: string | undefined): Parts {
  const all = elementsOf(mods, 'titleInfo')
  const isMain = ({ attributes }: XmlElement) => attributes['type'] === undefined
  const main = all.find(isMain) ?? all[0]
  const titles = all.flatMap((each) => {
    const parts = ['nonSort', 'title'].flatMap((name) => lineOf(elementsOf(each, name)[0]) ?? [])
    const subtitle = lineOf(elementsOf(each, 'subTitle')[0])
    const title = [parts.join(' '), subtitle].filter(Boolean).join(': ')
    if (each === main || title === '') return []
    source.use(each)
    const kind = titleKinds[each.attributes['type'] ?? '']
    return [definedOf({ title, kind, language: each.attributes['lang'] })]
  })
  return definedOf({ titles, work_title_language: otherLanguage(main, language) })
}

/** The abstracts beside the first one, and tables of contents. */
function textsOf(source: XmlSource, mods: XmlElement, language: string | undefined): Parts {
  const abstracts = elementsOf(mods, 'abstract')
  const main =
    abstracts.find(({ attributes }) => attributes['type'] === undefined) ??
    abstracts.find((each) => ['abstract', undefined].includes(descriptionKindOf(each)))
  const others = [...abstracts, ...elementsOf(mods, 'tableOfContents')]
  const descriptions = others.flatMap((each) => {
    const description = plainText(markupOf(each) ?? '', 'paragraphs')
    if (each === main || description === '') return []
    source.use(each)
    const known = descriptionKindOf(each) ?? 'other'
    const kind = each.name === 'tableOfContents' ? 'table_of_contents' : known
    return [definedOf({ description, kind, language: each.attributes['lang'] })]
  })
  if (main !== undefined) source.use(main)
  return definedOf({
    description: plainText(markupOf(main) ?? '', 'paragraphs') || undefined,
    descriptions,
    description_language: otherLanguage(main, language),
  })
}

function descriptionKindOf({ attributes }: XmlElement) {
  const given = (attributes['type'] ?? 'abstract').toLowerCase().replaceAll(' ', '_')
  return descriptionKinds.find((kind) => kind === given)
}

function noteOf(source: XmlSource, mods: XmlElement, type: string): readonly string[] {
  const notes = elementsOf(mods, 'note').filter(({ attributes }) => attributes['type'] === type)
  return notes.flatMap((note) => {
    source.use(note)
    return textOf(note) ?? []
  })
}

const dateKinds: Readonly<Record<string, string>> = closedTable({
  dateCreated: 'created',
  dateCaptured: 'collected',
  dateValid: 'valid',
  dateModified: 'updated',
  copyrightDate: 'copyrighted',
})

function datesOf(source: XmlSource, mods: XmlElement): readonly unknown[] {
  return elementsOf(mods, 'originInfo').flatMap((origin) =>
    elementsOf(origin).flatMap((each) => {
      const date = rangeOf(source, origin, each) ?? textOf(each)?.replace(/^[c©]? ?(?=\d{4}$)/, '')
      const type = each.attributes['type']
      const kind = each.name === 'dateOther' ? (type ?? 'other') : dateKinds[each.name]
      if (source.isUsed(each)) return []
      if (kind === undefined || date === undefined || !isEdtf(date)) return []
      source.use(each)
      return [{ date, kind }]
    }),
  )
}

/** A date and that which ends it, if it is the start of a range of its kind. */
function rangeOf(source: XmlSource, origin: XmlElement, start: XmlElement): string | undefined {
  if (start.attributes['point'] !== 'start') return undefined
  const end = elementsOf(origin, start.name).find(({ attributes }) => attributes['point'] === 'end')
  const range = `${textOf(start)}/${textOf(end) ?? '..'}`
  if (!isEdtf(range)) return undefined
  if (end !== undefined) source.use(end)
  return range
}

/** Subjects of a scheme, each with a code of it where there are as many. */
function subjectsOf(source: XmlSource, mods: XmlElement): readonly unknown[] {
  const subjects = elementsOf(mods, 'subject').filter(({ attributes }) => attributes['authority'])
  const bySchemes = Map.groupBy(subjects, ({ attributes }) => attributes['authority'])
  return [...bySchemes].flatMap(([scheme, all]) => {
    const codes = elementsOf(mods, 'classification').filter(
      ({ attributes }) => attributes['authority'] === scheme,
    )
    const isCoded = codes.length === all.length
    if (isCoded) for (const code of codes) source.use(code)
    return all.flatMap((each, index) => {
      const texts = elementsOf(each).flatMap((part) => textOf(part) ?? [])
      if (texts.length === 0) return []
      source.use(each)
      const { authorityURI: scheme_uri, valueURI: uri } = each.attributes
      const code = isCoded ? textOf(codes[index]) : undefined
      return [definedOf({ subject: texts.join(' -- '), scheme, scheme_uri, uri, code })]
    })
  })
}

function placesOf(source: XmlSource, mods: XmlElement): readonly unknown[] {
  return elementsOf(mods, 'subject').flatMap((each) => {
    const place = textOf(elementsOf(each, 'geographic')[0])
    const at = textOf(elementsAt(each, 'cartographics/coordinates')[0]) ?? ''
    const [, latitude, longitude] = /^(-?[\d.]+), ?(-?[\d.]+)$/.exec(at) ?? []
    const point =
      latitude === undefined
        ? undefined
        : { latitude: Number(latitude), longitude: Number(longitude) }
    if (each.attributes['authority'] !== undefined || (place ?? point) === undefined) return []
    source.use(each)
    return [definedOf({ place, point })]
  })
}

/** Terms of use beside the licence, which is the first that is known. */
function rightsOf(source: XmlSource, mods: XmlElement): readonly unknown[] {
  const all = source.take(mods, 'accessCondition').map((each) => {
    const [uri, text] = [each.attributes['href'], textOf(each)]
    return { uri, text, license: readLicense(uri ?? '') ?? readLicense(text ?? '') }
  })
  const own = all.find(({ license }) => license !== undefined)
  return all
    .filter((each) => each !== own)
    .map(({ license, text, uri }) =>
      license === undefined ? definedOf({ text, uri }) : { license },
    )
}

const plainTypes = new Set(['doi', 'ark', 'uri', 'issn', 'isbn'])

const identifierTypes: Readonly<Record<string, string>> = closedTable({
  local: 'Local',
  arxiv: 'arXiv',
  bibcode: 'bibcode',
  hdl: 'Handle',
})

/** Other names of the work; its ARK is that of the registry that wrote it. */
function identifiersOf(source: XmlSource, mods: XmlElement): readonly unknown[] {
  return elementsOf(mods, 'identifier').flatMap((each) => {
    const { type = '', invalid } = each.attributes
    const identifier = textOf(each)
    if (plainTypes.has(type) || invalid === 'yes' || identifier === undefined) return []
    source.use(each)
    return [{ identifier, type: identifierTypes[type] ?? (type.toUpperCase() || 'Other') }]
  })
}

/** Addresses of files beside that of the work, which is the first of all. */
function filesOf(source: XmlSource, mods: XmlElement): readonly unknown[] {
  return workAddresses(mods)
    .slice(1)
    .map((each) => {
      source.use(each)
      return { url: textOf(each) }
    })
}

/** Where the work is: an ARK of a registry is where it is told of. */
function workAddresses(mods: XmlElement): readonly XmlElement[] {
  return elementsAt(mods, 'location/url').filter((each) => {
    const url = textOf(each) ?? ''
    return readUrls(url).urls.length > 0 && !url.includes('/ark:')
  })
}

// Kinds of related items that DataCite has a relation for.
const relations: Readonly<Record<string, string>> = closedTable({
  constituent: 'HasPart',
  isReferencedBy: 'IsReferencedBy',
  preceding: 'Continues',
  references: 'References',
  reviewOf: 'Reviews',
  succeeding: 'IsContinuedBy',
})

const schemes: Readonly<Record<string, string>> = closedTable({ uri: 'URL', hdl: 'Handle' })

function relatedOf(source: XmlSource, mods: XmlElement, notes: NoteList) {
  return elementsOf(mods, 'relatedItem').flatMap((item) => {
    const { otherType, type = '' } = item.attributes
    const relation = relations[type] ?? otherType
    if (relation === undefined) return []
    return elementsOf(item, 'identifier').flatMap((each) => {
      source.use(each)
      const at = new FieldNotes(notes, { name: 'relatedItem', line: each.line })
      const scheme = each.attributes['type'] ?? ''
      return readRelated(relation, schemes[scheme] ?? scheme, textOf(each), at)
    })
  })
}

const rolesByCode = new Map(Object.entries(roleCodes).map(([role, code]) => [code, role] as const))

/** What somebody did, by the codes and words of MARC, or by our own words; undefined if none. */
function roleIn(term: string): string | undefined {
  const word = term
    .toLowerCase()
    .replace(/^(?:thesis |academic )?advis[eo]r$/, 'ths')
    .replaceAll(' ', '_')
  return rolesByCode.get(word) ?? contributorRoles.find((role) => role === word)
}

/** Those who had a part in the work beside its authors, its editors and its translators. */
function contributorsOf(role: string, name: Json, notes: NoteList): readonly unknown[] {
  const at = new FieldNotes(notes, { name: 'name' })
  return readNames([name], at).map((each) => contributorOf(role, each))
}
