import { isPartialDate } from '#actors/values/date.ts'
import { closedTable } from '#actors/values/lazy_table.ts'
import { readLicense } from '#actors/values/license.ts'
import { type RelatedIdentifier, relations } from '#actors/values/related_identifier.ts'
import { definedOf, isJsonObject } from '#actors/values/serialization.ts'
import {
  foldWorkType,
  ownWorkType,
  type WorkType,
  workTypeIn,
  workTypes,
} from '#actors/values/work_type.ts'
import type { Funding } from '#actors/works/funding.ts'
import type { accessRights } from '#actors/works/rights.ts'
import { readDoi } from '#src/discovery/citation_files/addresses.ts'
import { FieldNotes, type NoteList, quote } from '#src/discovery/citation_files/citation_file.ts'
import { cslWorkType } from '#src/discovery/citation_files/csl_record.ts'
import {
  inList,
  readContributors,
  readCreators,
} from '#src/discovery/citation_files/datacite_names.ts'
import {
  type FieldRow,
  isEmpty,
  isUnknown,
  listOf,
  noteVersion,
  objectOf,
  readByRows,
  readDateField,
  readDoiField,
  readLanguage,
  readUrlFields,
  textOf,
} from '#src/discovery/citation_files/field_rows.ts'
import { dataciteInner, noteInner } from '#src/discovery/citation_files/inner_members.ts'
import {
  markedText,
  type MarkedText,
  noteFootnotes,
  noteMarks,
  plainText,
} from '#src/discovery/citation_files/markup.ts'
import {
  holdingNumbers,
  readRelated,
  relatedOf,
} from '#src/discovery/citation_files/related_things.ts'
import {
  contributorOf,
  mergeReadings,
  type SourceWork,
} from '#src/discovery/citation_files/work_draft.ts'
import {
  dateTypes,
  descriptionTypes,
  termOf,
  titleTypes,
} from '#src/discovery/formats/datacite_terms.ts'

type Json = Readonly<Record<string, unknown>>

/** What a record of DataCite's JSON says of a work, schema 2 to 4. */
export function readDataciteRecord(record: Json, notes: NoteList): SourceWork {
  const fields = Object.entries(record).map(([name, value]) => ({ name, value }))
  const read = readByRows(fields, dataciteRows, '', notes, noteInner(record, dataciteInner, notes))
  const place = placeOf(record, notes)
  const parts = partsOf(record, read, notes)
  const related = relatedParts(record, notes)
  return { ...mergeReadings([parts, place, related, read]), work_type: workTypeOf(record, notes) }
}

/** What DataCite knows of a record, and what it says of it twice. */
const bookkeeping =
  'prefix suffix schemaVersion providerId ' +
  'clientId agency state isActive source metadataVersion reason landingPage viewCount ' +
  'viewsOverTime downloadCount downloadsOverTime referenceCount citationCount citationsOverTime ' +
  'partCount partOfCount versionCount versionOfCount created registered published updated xml'

/** Members that are read together. */
const elsewhere =
  'id types titles container relatedItems relatedIdentifiers dates subjects rightsList ' +
  'descriptions publisher alternateIdentifiers identifiers'

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
  const days = dateParts(record['dates'], at('dates'))
  const rights = rightsParts(record['rightsList'], at('rightsList'))
  const access = { ...objectOf(days.access), ...objectOf(rights.access) }
  return {
    ...titleParts(record['titles'], language, at('titles')),
    ...days,
    ...subjectParts(record['subjects'], language, at('subjects')),
    ...rights,
    ...(!isEmpty(access) && { access }),
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

type Parts = Partial<SourceWork>

/** A text of a record as a line of ours; undefined if it says nothing. */
function lineIn(value: unknown): string | undefined {
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
function titleParts(value: unknown, language: string | undefined, at: FieldNotes): Parts {
  const titles = titlesIn(value)
  noteMarks(JSON.stringify(value ?? ''), at)
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
function dateParts(value: unknown, at: FieldNotes): Parts {
  const published: NonNullable<SourceWork['dates']>[number][] = []
  const further: Json[] = []
  let access: Json | undefined
  if (!Array.isArray(value) && !isEmpty(value)) return { dates: readDateField(value, at) ?? [] }
  for (const given of listOf(value)) {
    const each: Json = typeof given === 'string' ? { date: given } : objectOf(given)
    const date = textOf(each['date'])
    if (date === undefined || isUnknown(date)) {
      if (!isEmpty(each['dateInformation'])) at.notRead(each, 'it has no date')
      continue
    }
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
function subjectParts(value: unknown, language: string | undefined, at: FieldNotes): Parts {
  const keywords: string[] = []
  const subjects: Json[] = []
  let group: string | undefined
  for (const each of inList(value, 'subject')) {
    const members = objectOf(each)
    const subject = lineIn(members['subject'] ?? each)
    if (subject === undefined) {
      if (!isEmpty(each)) at.notRead(each, 'it has no words')
      continue
    }
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

// Who can read a work, in the words of OpenAIRE and the codes of COAR at the end of an address.
const accessEnds: Readonly<Record<string, (typeof accessRights)[number]>> = closedTable({
  openaccess: 'open',
  c_abf2: 'open',
  embargoedaccess: 'embargoed',
  c_f1cf: 'embargoed',
  restrictedaccess: 'restricted',
  c_16ec: 'restricted',
  closedaccess: 'metadata_only',
  c_14cb: 'metadata_only',
})

/** Who can read a work, where rights say so by an address or a name of a vocabulary. */
function accessIn(members: Json): (typeof accessRights)[number] | undefined {
  const { rights, rightsUri, rightsURI, rightsIdentifier } = members
  const texts = [rightsUri, rightsURI, rightsIdentifier, rights].flatMap((each) => {
    const text = textOf(each)
    return text ?? []
  })
  return texts.flatMap((text) => accessNamed(text) ?? [])[0]
}

/** Who can read a work, by an address or a name of a vocabulary of access rights. */
export function accessNamed(text: string): (typeof accessRights)[number] | undefined {
  const bare = text.toLowerCase().replace(/\/$/, '')
  return accessForm.test(bare) ? accessEnds[bare.slice(bare.lastIndexOf('/') + 1)] : undefined
}

/** The first of the rights that is a licence, the others, and who can read the work. */
function rightsParts(value: unknown, at: FieldNotes): Parts {
  const given = inList(value, 'rights')
  const rights = given.map((each) => rightOf(each, at))
  const right = given
    .map((each) => accessIn(isJsonObject(each) ? each : { rights: each }))
    .find(Boolean)
  const isKnown = (license: string | undefined) => license !== undefined && !license.includes('://')
  const chosen =
    rights.find(({ license }) => isKnown(license)) ??
    rights.find(({ license }) => license !== undefined)
  const license = chosen?.license
  const further = rights.flatMap(({ license: named, ...rest }) => {
    // Several of them may name one licence, and say of it what the licence itself does not.
    if (named !== undefined && named === license) return rest.text === undefined ? [] : [rest]
    return named === undefined && Object.keys(rest).length === 0
      ? []
      : [definedOf({ license: named, ...rest })]
  })
  return {
    ...(license !== undefined && { license }),
    rights: further,
    ...(right !== undefined && { access: { right } }),
  }
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
function descriptionParts(value: unknown, language: string | undefined, at: FieldNotes): Parts {
  const given = inList(value, 'description').flatMap((each) => {
    const { description, descriptionType, lang } = objectOf(each)
    const { text, markup } = markedText(textOf(description) ?? textOf(each) ?? '', 'paragraphs')
    if (text === '' || isUnknown(text)) return []
    noteFootnotes(textOf(description) ?? '', at)
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

/** Other things by their identifiers; those of which none of our schemes is are related items. */
function relatedParts(record: Json, notes: NoteList): Parts {
  const at = new FieldNotes(notes, { name: 'relatedIdentifiers' })
  const identifiers: RelatedIdentifier[] = []
  const items: Json[] = []
  for (const each of inList(record['relatedIdentifiers'], 'relatedIdentifier')) {
    const members = objectOf(each)
    const { relatedIdentifier, relatedIdentifierType, relationType } = members
    const identifier = textOf(relatedIdentifier) ?? textOf(each)
    if (identifier === undefined || isUnknown(identifier)) continue
    const scheme = textOf(relatedIdentifierType) ?? schemeOf(identifier)
    const { relation, note } = relationOf(textOf(relationType), at)
    const type = textOf(members['resourceTypeGeneral'])
    const more = {
      note: lineIn(members['relationTypeInformation']) ?? note,
      metadata_scheme: lineIn(members['relatedMetadataScheme']),
      scheme_uri: textOf(members['schemeUri'] ?? members['schemeURI']),
      scheme_type: lineIn(members['schemeType']),
    }
    const known = relatedOf(relation, scheme, identifier, { resource_type: type, ...more })
    if (known !== undefined) identifiers.push(known)
    else if (scheme === '' || /^doi$/i.test(scheme)) readRelated(relation, scheme, identifier, at)
    else {
      const held = { type: itemTypeOf(type, at), relation, identifier, identifier_type: scheme }
      items.push(definedOf({ ...held, ...more }))
      at.add('taken_as', `${relation} ${identifier}: a related item, as ${scheme} is none of ours.`)
    }
  }
  return { related_identifiers: identifiers, related_items: items }
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
function identifierParts(value: unknown, doi: string | undefined, at: FieldNotes): Parts {
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
function readFunding(value: unknown, at: FieldNotes): readonly Funding[] {
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
function readPlaces(value: unknown, at: FieldNotes): readonly unknown[] {
  return inList(value, 'geoLocation')
    .flatMap(placesIn)
    .flatMap((each) => {
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
        point:
          latitude === undefined ? pointOf(place['geoLocationPoint']) : { longitude, latitude },
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

/** A place that has several names, points or boxes, as the schema allows: a place for each. */
function placesIn(value: unknown): readonly unknown[] {
  const place = objectOf(value)
  const [names, points, boxes] = ['Place', 'Point', 'Box'].map((part) =>
    listOf(place[`geoLocation${part}`]),
  )
  const count = Math.max(0, ...[names, points, boxes].map((list) => list?.length ?? 0))
  if (count === 0) return [value]
  return Array.from({ length: count }, (_, index) => ({
    ...(index === 0 && place),
    geoLocationPlace: names?.[index] ?? names?.[0],
    geoLocationPoint: points?.[index],
    geoLocationBox: boxes?.[index],
  }))
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
function relatedItemOf(value: unknown, at: FieldNotes): Json | undefined {
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
