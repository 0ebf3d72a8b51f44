import {
  NoteList,
  type ReadEntry,
  unreadable,
} from '#src/discovery/citation_files/citation_file.ts'
import {
  crossrefContainers,
  crossrefItems,
  crossrefJson,
  crossrefRecords,
  crossrefUnread,
  isDepositedToo,
  withBeside,
} from '#src/discovery/citation_files/crossref_xml.ts'
import { jatsReading, jatsSkipped } from '#src/discovery/citation_files/jats_xml.ts'
import { readRecord } from '#src/discovery/citation_files/json_records.ts'
import { modsReading } from '#src/discovery/citation_files/mods_xml.ts'
import { type Json, withValues, type XmlReading } from '#src/discovery/citation_files/xml_source.ts'
import {
  type ElementRole,
  elementsAt,
  elementsOf,
  markupOf,
  textOf,
  type XmlElement,
  type XmlRecord,
  XmlRecordReader,
} from '#src/discovery/citation_files/xml_tree.ts'

const dataciteNamespace = /^https?:\/\/(?:schema\.)?datacite\.org\/(?:schema|meta)\/kernel-/
const crossrefNamespace = /^https?:\/\/www\.crossref\.org\/(?:schema|xschema|qrschema|grant_id)\//

const modsNamespace = /^https?:\/\/www\.loc\.gov\/mods\//

/** What stands beside a record in an answer to a query, before it. */
const besideName = 'crm-item'

type Named = Pick<XmlElement, 'name' | 'namespace' | 'attributes'>
type Read = Extract<XmlRecord, { type: 'read' }>

/** Elements of one kind of XML: how they are told from others, and what a record becomes. */
type RecordKind = {
  readonly role: (
    element: Named,
    parent: XmlElement | undefined,
    record: XmlElement | undefined,
  ) => ElementRole | undefined
  readonly read: (record: Read, notes: NoteList, beside: readonly XmlElement[]) => XmlReading
}

// Elements of all of these may stand in others, as those of an answer of OAI-PMH do.
const kinds = {
  datacite: {
    role: ({ name, namespace }) => {
      return name === 'resource' && dataciteNamespace.test(namespace) ? 'record' : undefined
    },
    read: ({ element }, notes) => ({ json: dataciteJson(element, notes) }),
  },
  crossref: {
    role: ({ name, namespace }, _parent, record) => {
      if (!crossrefNamespace.test(namespace)) return undefined
      if (crossrefContainers.has(name)) return 'container'
      if (name === besideName) return 'record'
      // Elsewhere a component is a part of its work, and no work of its own.
      if (name === 'component' && record?.name !== 'sa_component') return undefined
      if (crossrefItems.has(name)) return 'item'
      return crossrefRecords.has(name) ? 'record' : undefined
    },
    read: ({ element, container, root }, notes, beside) => {
      const isRead = container !== undefined && isRecordToo(container, root)
      const json = crossrefJson(element, container, isRead, notes)
      return { json: beside.length === 0 ? json : withBeside(json, beside, notes) }
    },
  },
  jats: {
    role: ({ name, namespace, attributes }, parent) => {
      if (parent?.name === 'article' && jatsSkipped.has(name)) return 'skipped'
      if (parent?.name === 'back') return name === 'ref-list' ? 'spared' : 'skipped'
      const isJats = namespace === '' || /\bJATS|\bjats|nlm/.test(namespace)
      if (!isJats || parent !== undefined) return undefined
      const isArticle = name === 'article' && !('key' in attributes)
      return isArticle || name === 'front' ? 'record' : undefined
    },
    read: ({ element }, notes) => jatsReading(element, notes),
  },
  mods: {
    role: ({ name, namespace }) => {
      return name === 'mods' && modsNamespace.test(namespace) ? 'record' : undefined
    },
    read: ({ element }, notes) => modsReading(element, notes),
  },
} as const satisfies Record<string, RecordKind>

/** A book of a deposit is a work beside its chapters; an answer only says where one stands. */
function isRecordToo(container: XmlElement, root: string): boolean {
  return root === 'doi_batch' && isDepositedToo(container)
}

function roleOf(...named: Parameters<RecordKind['role']>): ElementRole | undefined {
  for (const { role } of Object.values<RecordKind>(kinds)) {
    const found = role(...named)
    if (found !== undefined) return found
  }
  return undefined
}

/** The kind of a record, which has the namespace of all in it. */
function kindOf({ element, container }: Read): RecordKind | undefined {
  return Object.values<RecordKind>(kinds).find(
    ({ role }) => role(element, undefined, container) !== undefined,
  )
}

// Crossref's answers in UNIXREF may name no namespace.
const namespaces = new Map([['doi_records', 'http://www.crossref.org/xschema/1.1']])

/** Reads the works of a file of XML as it comes: DataCite's, Crossref's, JATS and MODS. */
export class XmlReader {
  readonly #records = new XmlRecordReader(roleOf, isRecordToo, namespaces)
  #count = 0
  #beside: XmlElement[] = []

  /** Takes more of the file; gives the entries that end in it. */
  push(text: string): readonly ReadEntry[] {
    return this.#records.push(text).flatMap((record) => this.#read(record))
  }

  /** Ends the file; gives what is left. */
  end(): readonly ReadEntry[] {
    return this.#records.end().flatMap((record) => this.#read(record))
  }

  #read(record: XmlRecord): ReadEntry | readonly ReadEntry[] {
    if (record.type === 'read' && record.element.name === besideName) {
      this.#beside.push(record.element)
      return []
    }
    this.#count += 1
    const place = { line: record.line, key: `record ${this.#count}` }
    if (record.type === 'refused') {
      const { message } = record
      return unreadable(place, [{ field: '', code: 'not_readable', message }])
    }
    const notes = new NoteList(record.line)
    const kind = kindOf(record)
    const unread = kind === kinds.crossref ? crossrefUnread[record.element.name] : undefined
    if (unread !== undefined) {
      const message = `It is ${unread}, which is no work that can be registered.`
      return unreadable(place, [{ field: '', code: 'not_readable', message }])
    }
    const { json, parts } = kind?.read(record, notes, this.#beside) ?? {}
    this.#beside = []
    const entry = readRecord(json, place, parts)
    for (const entity of record.entities) {
      const message = `The entity ${entity} is not expanded: write its character.`
      notes.add('not_read', entity, message)
    }
    return { ...entry, notes: [...notes.notes, ...entry.notes] }
  }
}

// Elements that are lists of others, with the member that holds the text of one.
const lists: Readonly<Record<string, readonly [item: string, text: string]>> = {
  titles: ['title', 'title'],
  subjects: ['subject', 'subject'],
  dates: ['date', 'date'],
  alternateIdentifiers: ['alternateIdentifier', 'alternateIdentifier'],
  relatedIdentifiers: ['relatedIdentifier', 'relatedIdentifier'],
  rightsList: ['rights', 'rights'],
  descriptions: ['description', 'description'],
}
const textLists = { sizes: 'size', formats: 'format' } as const

/** The elements that are read below; whatever else a record has goes on as it is. */
const known = new Set([
  ...Object.keys(lists),
  ...Object.keys(textLists),
  'identifier',
  'creators',
  'contributors',
  'publisher',
  'publicationYear',
  'resourceType',
  'language',
  'version',
  'fundingReferences',
  'relatedItems',
  'geoLocations',
  'rights',
])

// Lists of texts that may have marks.
const marked: ReadonlySet<string> = new Set(['titles', 'descriptions'])

/**
 * A record of DataCite's XML (kernel 2 to 4) as the JSON that DataCite gives of it, which is then
 * read like any other.
 */
function dataciteJson(root: XmlElement, notes: NoteList): Json {
  noteUnknown(root, notes)
  const identifier = elementsOf(root, 'identifier')[0]
  const type = identifier?.attributes['identifierType'] ?? 'DOI'
  const value = textOf(identifier)
  const others = elementsAt(root, 'alternateIdentifiers/alternateIdentifier')
  const items = elementsAt(root, 'relatedItems/relatedItem')
  const resourceType = elementsOf(root, 'resourceType')[0]
  return withValues({
    doi: type.toUpperCase() === 'DOI' ? value : otherName(others, 'DOI'),
    url: otherName(others, 'Content URL'),
    identifiers: type.toUpperCase() === 'DOI' ? [] : [{ identifier: value, identifierType: type }],
    ...Object.fromEntries(
      Object.entries(lists).map(([name, [item, text]]) => [name, itemsOf(root, name, item, text)]),
    ),
    ...Object.fromEntries(
      Object.entries(textLists).map(([name, item]) => {
        return [name, elementsAt(root, `${name}/${item}`).flatMap((each) => textOf(each) ?? [])]
      }),
    ),
    creators: elementsAt(root, 'creators/creator').map((each) => nameOf(each, 'creatorName')),
    contributors: elementsAt(root, 'contributors/contributor').map((each) => {
      return { ...each.attributes, ...nameOf(each, 'contributorName') }
    }),
    publisher: withText(elementsOf(root, 'publisher')[0], 'name'),
    publicationYear: textOf(elementsOf(root, 'publicationYear')[0]),
    types: withValues({
      resourceTypeGeneral: resourceType?.attributes['resourceTypeGeneral'],
      resourceType: textOf(resourceType),
    }),
    language: textOf(elementsOf(root, 'language')[0]),
    version: textOf(elementsOf(root, 'version')[0]),
    fundingReferences: elementsAt(root, 'fundingReferences/fundingReference').map(fundingOf),
    relatedItems: items.map(itemOf),
    geoLocations: elementsAt(root, 'geoLocations/geoLocation').map(placeOf),
  })
}

/** A place: its elements as the members of an object, of which polygons are lists. */
function placeOf(place: XmlElement): Json {
  const polygons = elementsOf(place, 'geoLocationPolygon').map((polygon) => {
    return elementsOf(polygon).map((point) => ({ [point.name]: numbersOf(point) }))
  })
  const others = elementsOf(place).filter(({ name }) => name !== 'geoLocationPolygon')
  const members = Object.create(null) as Record<string, unknown[]>
  for (const each of others) {
    const list = (members[each.name] ??= [])
    list.push(elementsOf(each).length === 0 ? textOf(each) : numbersOf(each))
  }
  return withValues({ ...members, geoLocationPolygon: polygons })
}

/** The numbers of a point or a box; before kernel 4 they stand in one text, latitude first. */
function numbersOf(element: XmlElement): Json {
  return Object.fromEntries(elementsOf(element).map((each) => [each.name, textOf(each)]))
}

/** A further identifier of a type, as we ourselves write the DOI and the address of a work. */
function otherName(others: readonly XmlElement[], type: string): string | undefined {
  const own = others.find(({ attributes }) => attributes['alternateIdentifierType'] === type)
  return textOf(own)
}

function noteUnknown(root: XmlElement, notes: NoteList): void {
  for (const { name, line } of elementsOf(root)) {
    if (known.has(name)) continue
    notes.add('left_out', name, `No field is for ${name}.`, { line })
  }
}

function itemsOf(root: XmlElement, list: string, item: string, text: string): readonly Json[] {
  // Until kernel 3 there is one element of rights, and no list around it.
  const elements = [...elementsAt(root, `${list}/${item}`), ...elementsOf(root, item)]
  const read = marked.has(list) ? markupOf : textOf
  const items = elements.map((each) => withText(each, text, read))
  return items.filter((each) => each !== undefined)
}

/** The attributes of an element as DataCite's JSON names them, and its text. */
function withText(
  element: XmlElement | undefined,
  member: string,
  read: (element: XmlElement | undefined) => string | undefined = textOf,
): Json | undefined {
  const text = read(element)
  if (element === undefined) return undefined
  // A licence may stand in its address alone.
  const { rightsURI, rightsIdentifier } = element.attributes
  if ((text ?? rightsURI ?? rightsIdentifier) === undefined) return undefined
  return withValues({ ...attributesOf(element), [member]: text })
}

function attributesOf({ attributes }: XmlElement): Json {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name.replace(/URI$/, 'Uri'), value]),
  )
}

function nameOf(person: XmlElement, named: string): Json {
  const name = elementsOf(person, named)[0]
  const read = `${named} givenName familyName nameIdentifier affiliation`
  return withValues({
    ...furtherOf(person, read),
    ...(name && attributesOf(name)),
    name: textOf(name),
    givenName: textOf(elementsOf(person, 'givenName')[0]),
    familyName: textOf(elementsOf(person, 'familyName')[0]),
    nameIdentifiers: elementsOf(person, 'nameIdentifier').map((each) => {
      return { ...attributesOf(each), nameIdentifier: textOf(each) }
    }),
    affiliation: elementsOf(person, 'affiliation').map((each) => {
      return { ...attributesOf(each), name: textOf(each) }
    }),
  })
}

/** What is in an element beside what is read of it, by its names. */
function furtherOf(element: XmlElement, read: string): Json {
  const names = read.split(' ')
  const further = elementsOf(element).filter(({ name }) => !names.includes(name))
  return Object.fromEntries(further.map((each) => [each.name, textOf(each)]))
}

function fundingOf(element: XmlElement): Json {
  const funder = elementsOf(element, 'funderIdentifier')[0]
  const award = elementsOf(element, 'awardNumber')[0]
  return withValues({
    ...furtherOf(element, 'funderName funderIdentifier awardNumber awardTitle'),
    funderName: textOf(elementsOf(element, 'funderName')[0]),
    ...(funder && { ...attributesOf(funder), funderIdentifier: textOf(funder) }),
    ...(award && { ...attributesOf(award), awardNumber: textOf(award) }),
    awardTitle: textOf(elementsOf(element, 'awardTitle')[0]),
  })
}

/** Another thing, such as the journal that a work belongs to. */
function itemOf(item: XmlElement): Json {
  const part = (name: string) => textOf(elementsOf(item, name)[0])
  const number = elementsOf(item, 'number')[0]
  const read =
    'creators contributors publicationYear publisher edition titles relatedItemIdentifier volume ' +
    'issue number firstPage lastPage'
  return withValues({
    ...furtherOf(item, read),
    ...item.attributes,
    creators: elementsAt(item, 'creators/creator').map((each) => nameOf(each, 'creatorName')),
    contributors: elementsAt(item, 'contributors/contributor').map((each) => {
      return { ...each.attributes, ...nameOf(each, 'contributorName') }
    }),
    publicationYear: part('publicationYear'),
    publisher: part('publisher'),
    edition: part('edition'),
    numberType: number?.attributes['numberType'],
    titles: itemsOf(item, 'titles', 'title', 'title'),
    relatedItemIdentifier: withText(
      elementsOf(item, 'relatedItemIdentifier')[0],
      'relatedItemIdentifier',
    ),
    volume: part('volume'),
    issue: part('issue'),
    number: part('number'),
    firstPage: part('firstPage'),
    lastPage: part('lastPage'),
  })
}
