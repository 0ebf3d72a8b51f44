import { readLicense } from '#actors/values/license.ts'
import type { RelatedIdentifier } from '#actors/values/related_identifier.ts'
import { foldWorkType, type WorkType, workTypeIn, workTypes } from '#actors/values/work_type.ts'
import type { Funding } from '#actors/works/funding.ts'
import { FieldNotes, type NoteList, quote } from '#src/discovery/citation_files/citation_file.ts'
import {
  affiliationOf,
  cslWorkType,
  orcidOf,
  readRelated,
} from '#src/discovery/citation_files/csl_record.ts'
import {
  type FieldRow,
  isEmpty,
  isUnknown,
  listOf,
  objectOf,
  readByRows,
  readDateField,
  readDoiField,
  readKeywords,
  readLanguage,
  readUrlFields,
  textOf,
} from '#src/discovery/citation_files/field_rows.ts'
import { readName } from '#src/discovery/citation_files/names.ts'
import { plainText } from '#src/discovery/citation_files/markup.ts'
import type { SourceAuthor, SourceWork } from '#src/discovery/citation_files/work_draft.ts'

type Json = Readonly<Record<string, unknown>>

/** What a record of DataCite's JSON says of a work, schema 2 to 4. */
export function readDataciteRecord(record: Json, notes: NoteList): SourceWork {
  const fields = Object.entries(record).map(([name, value]) => ({ name, value }))
  const read = readByRows(fields, dataciteRows, '', notes)
  const place = placeOf(record, notes)
  const work_type = workTypeOf(record, notes)
  const related = [...(read.related_identifiers ?? []), ...heldBy(record, notes)]
  const titles = titlesOf(record, notes)
  return { ...place, ...titles, ...read, related_identifiers: related, work_type }
}

/** What DataCite knows of a record, and what it says of it twice. */
const bookkeeping =
  'prefix suffix schemaVersion providerId ' +
  'clientId agency state isActive source metadataVersion reason landingPage viewCount ' +
  'viewsOverTime downloadCount downloadsOverTime referenceCount citationCount citationsOverTime ' +
  'partCount partOfCount versionCount versionOfCount created registered published updated xml'

/** The members of DataCite's JSON, and what they fill. */
const dataciteRows: readonly FieldRow[] = [
  { from: 'id types titles container relatedItems', to: 'elsewhere' },
  { from: bookkeeping, to: 'nothing' },
  { from: 'doi DOI', to: 'existing_doi', read: readDoiField },
  { from: 'creators', to: 'authors', read: readCreators },
  { from: 'publisher', to: 'publisher_name', read: readPublisher },
  { from: 'dates publicationYear', to: 'dates', read: readDates },
  { from: 'subjects', to: 'keywords', read: readKeywords },
  { from: 'language', to: 'language', read: readLanguage },
  { from: 'rightsList', to: 'license', read: readRights },
  { from: 'descriptions', to: 'description', read: readDescriptions },
  { from: 'alternateIdentifiers identifiers', to: 'urls', read: readContentUrls },
  { from: 'url', to: 'urls', read: readUrlFields },
  { from: 'contentUrl', to: 'urls', read: readUrlFields },
  { from: 'relatedIdentifiers', to: 'related_identifiers', read: readRelatedIdentifiers },
  { from: 'fundingReferences', to: 'funding', read: readFunding },
]

/** The things of a list, also where it was made of XML: `{ creator: […] }`. */
function inList(value: unknown, member: string): readonly unknown[] {
  return listOf(objectOf(value)[member] ?? value)
}

function readCreators(value: unknown, at: FieldNotes): readonly SourceAuthor[] {
  return inList(value, 'creator').flatMap((each) => {
    const { creatorName, ...members } = objectOf(each)
    const creator: Json = { name: creatorName ?? each, ...members }
    const name = nameOf(creator)
    if (name === undefined) return []
    if (/^\(?:etal\)?$/i.test(name.literal ?? '')) {
      at.add('left_out', 'There are more authors than it names.')
      return []
    }
    const shown = textOf(creator['name']) ?? ''
    return [
      {
        ...name,
        orcid: orcidOf(orcidIn(creator, at), shown, at),
        ...affiliationOf(listOf(creator['affiliation']), at),
      },
    ]
  })
}

function nameOf(creator: Json): SourceAuthor | undefined {
  const known = (member: string) => {
    const text = textOf(creator[member])
    return text === undefined || isUnknown(text) ? undefined : plainText(text)
  }
  const [name, family, given] = [known('name'), known('familyName'), known('givenName')]
  const isGroup = creator['nameType'] === 'Organizational'
  if (family !== undefined && !isGroup) return { family, given, suffix: suffixOf(name, family) }
  if (name === undefined) return given === undefined ? undefined : { literal: given }
  // Names of people are written `Family, Given` where DataCite has them in one piece.
  const [parted] = isGroup || !/,\s/.test(name) ? [] : readName(name).names
  if (parted !== undefined) return parted
  const isPerson = creator['nameType'] === 'Personal' && given === undefined && !/[\s,]/.test(name)
  return isPerson ? { family: name } : { literal: name }
}

/** What follows a name stands in the whole of it alone: `King, Martin Luther, Jr.` */
function suffixOf(name: string | undefined, family: string): string | undefined {
  if (name === undefined || !/,.*,/.test(name)) return undefined
  const [read] = readName(name).names
  return read?.family === family ? read.suffix : undefined
}

function orcidIn(creator: Json, at: FieldNotes): string | undefined {
  const ids = listOf(creator['nameIdentifiers'] ?? creator['nameIdentifier']).map((each) => {
    const { nameIdentifier, nameIdentifierScheme: scheme, schemeUri } = objectOf(each)
    const id = textOf(nameIdentifier) ?? textOf(each) ?? ''
    return {
      id,
      isOrcid: /orcid/i.test(`${textOf(scheme) ?? ''} ${textOf(schemeUri) ?? ''} ${id}`),
    }
  })
  for (const { id, isOrcid } of ids) {
    if (!isOrcid && id !== '')
      at.add('left_out', `The identifier ${quote(id)} of an author is left out.`)
  }
  return ids.find(({ isOrcid }) => isOrcid)?.id
}

function readPublisher(value: unknown, at: FieldNotes): string | undefined {
  const { name, publisherIdentifier } = objectOf(value)
  if (!isEmpty(publisherIdentifier)) {
    at.add('left_out', `publisherIdentifier is left out: no field fits.`)
  }
  const text = textOf(value) ?? textOf(name)
  return text === undefined ? undefined : plainText(text)
}

/** The main title and its subtitle; others are told. */
function titlesOf(record: Json, notes: NoteList): Pick<SourceWork, 'work_title' | 'subtitle'> {
  const at = new FieldNotes(notes, { name: 'titles' })
  const titles = inList(record['titles'], 'title').map((each) => {
    const { title, titleType } = objectOf(each)
    return { text: plainText(textOf(title) ?? textOf(each) ?? ''), type: textOf(titleType) }
  })
  const given = titles.filter(({ text }) => text !== '' && !isUnknown(text))
  const main = given.find(({ type }) => type === undefined) ?? given[0]
  const subtitle = given.find((each) => each.type === 'Subtitle' && each !== main)
  for (const each of given) {
    if (each === main || each === subtitle || each.text === main?.text) continue
    at.add('repeated', `The title "${quote(each.text)}" is left out; the first one counts.`)
  }
  return {
    ...(main !== undefined && { work_title: main.text }),
    ...(subtitle !== undefined && { subtitle: subtitle.text }),
  }
}

/** The day of publication; of several the first, and others are told. */
function readDates(value: unknown, at: FieldNotes): SourceWork['dates'] {
  if (!Array.isArray(value)) return readDateField(value, at)
  const dates = value.map(objectOf)
  const kinds = dates.filter(({ dateType }) => dateType !== 'Issued')
  const named = [...new Set(kinds.map(({ dateType }) => textOf(dateType) ?? 'without a type'))]
  if (named.length > 0) at.add('left_out', `Dates are left out: ${named.join(', ')}.`)
  return dates
    .filter(({ dateType, date }) => dateType === 'Issued' && !isEmpty(date))
    .flatMap(({ date }) => readDateField(date, at) ?? [])
}

/** The first of the rights that is a licence; what says only who may read it is none. */
function readRights(value: unknown, at: FieldNotes): string | undefined {
  const rights = listOf(value).map((each) => {
    const { rights: name, rightsUri, rightsURI, rightsIdentifier } = objectOf(each)
    const uri = textOf(rightsUri) ?? textOf(rightsURI)
    return [textOf(rightsIdentifier), uri, textOf(name) ?? textOf(each)].filter(
      (text) => text !== undefined,
    )
  })
  const licenses = rights.map(licenseOf)
  const isKnown = (license: string | undefined) => license !== undefined && !license.includes('://')
  const chosen = licenses.find(isKnown) ?? licenses.find((license) => license !== undefined)
  for (const [index, texts] of rights.entries()) {
    if (licenses[index] === chosen && chosen !== undefined) continue
    const shown = quote(texts.join(', '))
    if (licenses[index] === undefined)
      at.add('left_out', `rights "${shown}" are left out: they are no licence that we know.`)
    else at.add('repeated', `rights "${shown}" are left out: ${chosen} counts.`)
  }
  return chosen
}

const accessForm =
  /^info:eu-repo\/|purl\.org\/(?:coar|eprint)\/|\/access_right\/|vocabularies\.coar/i

/** The licence that is named, before one that is an address alone. */
function licenseOf(texts: readonly string[]): string | undefined {
  const given = texts.filter((text) => !accessForm.test(text))
  const found = given.flatMap((text) => readLicense(text) ?? [])
  return found.find((license) => !license.includes('://')) ?? found[0]
}

/** The abstract; without one, another description; others are told. */
function readDescriptions(value: unknown, at: FieldNotes): string | undefined {
  const given = listOf(value).map((each) => {
    const { description, descriptionType } = objectOf(each)
    const text = plainText(textOf(description) ?? textOf(each) ?? '', 'paragraphs')
    return { text, type: textOf(descriptionType) ?? 'Abstract' }
  })
  const texts = given.filter(({ text }) => text !== '' && !isUnknown(text))
  const chosen = texts.find(({ type }) => type === 'Abstract')
  for (const each of texts) {
    if (each === chosen || each.text === chosen?.text) continue
    at.add('left_out', `A description of the kind ${each.type} is left out: "${quote(each.text)}".`)
  }
  return chosen?.text
}

function readRelatedIdentifiers(value: unknown, at: FieldNotes): readonly RelatedIdentifier[] {
  return listOf(value).flatMap((each) => {
    const { relatedIdentifier, relatedIdentifierType, relationType } = objectOf(each)
    const [relation, scheme] = [textOf(relationType), textOf(relatedIdentifierType)]
    const identifier = textOf(relatedIdentifier)
    return isEmpty(each) ? [] : readRelated(relation ?? '', scheme ?? '', identifier, at)
  })
}

/** The DOI, and where the content is, as we write it; other identifiers are told. */
function readContentUrls(value: unknown, at: FieldNotes): SourceWork['urls'] {
  const given = listOf(value).map((each) => {
    const { alternateIdentifier, alternateIdentifierType, identifier, identifierType } =
      objectOf(each)
    const text = textOf(alternateIdentifier) ?? textOf(identifier)
    return { text, type: textOf(alternateIdentifierType) ?? textOf(identifierType) ?? '' }
  })
  const isContent = (type: string) => type === 'Content URL' || type.toUpperCase() === 'DOI'
  const others = given.filter(({ type, text }) => !isContent(type) && text !== undefined)
  const shown = others.map(({ type, text }) => `${type} ${text}`).join(', ')
  if (shown !== '') at.add('left_out', `${at.field} are left out: ${quote(shown)}.`)
  return given
    .filter(({ type }) => isContent(type))
    .flatMap(({ text }) => readUrlFields(text, at) ?? [])
}

function readFunding(value: unknown, at: FieldNotes): readonly Funding[] {
  return listOf(value).flatMap((each) => {
    const { funderName, awardNumber, ...others } = objectOf(each)
    const [name, award] = [textOf(funderName), textOf(awardNumber)]
    if (name === undefined || isUnknown(name)) {
      if (!isEmpty(each)) at.notRead(each, 'a funder needs a name')
      return []
    }
    const left = Object.keys(others).filter((member) => !isEmpty(others[member]))
    if (left.length > 0) at.add('left_out', `Of a funder are left out: ${left.join(', ')}.`)
    return [{ funder: plainText(name), ...(award !== undefined && { award: plainText(award) }) }]
  })
}

type Place = Pick<
  SourceWork,
  'container_title' | 'volume' | 'issue' | 'first_page' | 'last_page' | 'article_number'
>

/** What holds the work: what it is published in, or what the API makes of it. */
function placeOf(record: Json, notes: NoteList): Place {
  const items = listOf(record['relatedItems']).map(objectOf)
  const held = items.find(({ relationType }) => relationType === 'IsPublishedIn')
  const others = items.filter((item) => item !== held)
  if (others.length > 0) {
    const at = new FieldNotes(notes, { name: 'relatedItems' })
    at.add('left_out', `${others.length} of the related items are left out: no field fits.`)
  }
  const container = objectOf(record['container'])
  // A repository holds a dataset, but not as a journal does an article.
  const isRepository = container['type'] === 'DataRepository'
  const titles = listOf(held?.['titles']).map((each) => textOf(objectOf(each)['title']))
  const source = held ?? (isRepository ? {} : container)
  const text = (member: string) => {
    const found = textOf(source[member]) ?? (isRepository ? undefined : textOf(container[member]))
    return found === undefined ? undefined : plainText(found)
  }
  const number = objectOf(source['number'])
  const container_title = titles.find((title) => title !== undefined) ?? text('title')
  return definedOf({
    container_title: container_title && plainText(container_title),
    volume: text('volume'),
    issue: text('issue'),
    first_page: text('firstPage'),
    last_page: text('lastPage'),
    article_number: textOf(number['number']) ?? text('number'),
  })
}

/** The number by which what holds the work is known. */
function heldBy(record: Json, notes: NoteList): readonly RelatedIdentifier[] {
  const at = new FieldNotes(notes, { name: 'relatedItems' })
  const items = listOf(record['relatedItems']).map(objectOf)
  const held = items.find(({ relationType }) => relationType === 'IsPublishedIn')
  const { relatedItemIdentifier: id, relatedItemIdentifierType: type } = objectOf(
    held?.['relatedItemIdentifier'],
  )
  return readRelated('IsPublishedIn', textOf(type) ?? '', textOf(id), at)
}

function definedOf<T extends object>(members: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const defined = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(defined) as { [K in keyof T]: Exclude<T[K], undefined> }
}

/** The type: the general one, unless it says less than the text or the computed ones do. */
function workTypeOf(record: Json, notes: NoteList): WorkType {
  const types = objectOf(record['types'])
  const general = textOf(types['resourceTypeGeneral']) ?? ''
  const own = textOf(types['resourceType']) ?? ''
  const named = foldWorkType(own)
  // Our own name of a type, or one in the words of others, says more than the general one.
  const isVague = ['', 'Text', 'Other', 'Collection'].includes(general)
  if (named !== undefined && (isVague || sharesGeneral(named, general))) return named
  const known = isVague ? undefined : workTypeIn('datacite', general)
  // What has no better name is computed to be an `article`.
  const citeproc = textOf(types['citeproc']) ?? ''
  const computed = citeproc === 'article' ? undefined : cslWorkType(citeproc)
  if (known !== undefined) return known
  if (computed !== undefined && computed !== 'other') return computed
  if (general !== 'Other' && general !== 'Text') {
    const shown = quote(general || own)
    const message = `Its type "${shown}" is none that we know: it is taken as other.`
    notes.add('taken_as', 'types', message, { isLoss: true })
  }
  return 'other'
}

/** Whether a type of ours is one of those that DataCite calls so. */
function sharesGeneral(type: WorkType, general: string): boolean {
  const { datacite } = workTypes[type]
  return datacite === general
}
