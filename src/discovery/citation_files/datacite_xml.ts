import type { NoteList } from '#src/discovery/citation_files/citation_file.ts'
import {
  elementsAt,
  elementsOf,
  markupOf,
  textOf,
  type XmlElement,
} from '#src/discovery/citation_files/xml_tree.ts'
import { type Json, withValues } from '#src/discovery/citation_files/xml_source.ts'

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
  'rights',
])

/**
 * A record of DataCite's XML (kernel 2 to 4) as the JSON that DataCite gives of it, which is then
 * read like any other.
 */
export function dataciteJson(root: XmlElement, notes: NoteList): Json {
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
    identifiers: [{ identifier: value, identifierType: type }],
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
  })
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
  const items = elements.map((each) => withText(each, text))
  return items.filter((each) => each !== undefined)
}

/** The attributes of an element as DataCite's JSON names them, and its text with its marks. */
function withText(element: XmlElement | undefined, member: string): Json | undefined {
  const text = markupOf(element)
  if (element === undefined || text === undefined) return undefined
  return { ...attributesOf(element), [member]: text }
}

function attributesOf({ attributes }: XmlElement): Json {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name.replace(/URI$/, 'Uri'), value]),
  )
}

function nameOf(person: XmlElement, named: string): Json {
  const name = elementsOf(person, named)[0]
  return withValues({
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

function fundingOf(element: XmlElement): Json {
  const funder = elementsOf(element, 'funderIdentifier')[0]
  const award = elementsOf(element, 'awardNumber')[0]
  return withValues({
    funderName: textOf(elementsOf(element, 'funderName')[0]),
    ...(funder && { ...attributesOf(funder), funderIdentifier: textOf(funder) }),
    ...(award && { ...attributesOf(award), awardNumber: textOf(award) }),
    awardTitle: textOf(elementsOf(element, 'awardTitle')[0]),
  })
}

/** What a work belongs to, such as its journal. */
function itemOf(item: XmlElement): Json {
  const part = (name: string) => textOf(elementsOf(item, name)[0])
  return withValues({
    ...item.attributes,
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
