import { foldWorkType, type WorkType, workTypes } from '#actors/values/work_type.ts'
import { type ReadEntry, unreadable } from '#src/discovery/citation_files/citation_file.ts'
import type { CslName, CslRecord } from '#src/discovery/citation_files/citation_library.ts'
import { draftWork, type FileFacts } from '#src/discovery/citation_files/work_draft.ts'

/** A record of a JSON file in the terms of CSL, and what CSL has no room for. */
type JsonRecord = { readonly csl: CslRecord; readonly facts: FileFacts }

type Json = Readonly<Record<string, unknown>>

/** Envelopes around records, at most: that of an answer, and that of a list. */
const envelopesMax = 3

/**
 * The records of a JSON file, in order: one of CSL-JSON or several, as Zotero and doi.org give
 * them; a work of Crossref's API, with its envelope or without; one of DataCite's, likewise. None
 * of what is no JSON.
 */
export function parseJsonRecords(text: string): readonly unknown[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return []
  }
  for (let count = 0; count < envelopesMax && !Array.isArray(value); count += 1) {
    const { data, message, items } = objectOf(value)
    value = items ?? message ?? data ?? value
  }
  return Array.isArray(value) ? value : [value]
}

/** Whether a value is a record of one of these kinds, as far as a glance tells. */
export function isJsonRecord(value: unknown): boolean {
  const { title, titles, attributes, DOI, doi } = objectOf(value)
  return [title, titles, attributes, DOI, doi].some((member) => member !== undefined)
}

/** Reads one record; undefined if it is none. */
function readJsonRecord(value: unknown): JsonRecord | undefined {
  if (!isJsonRecord(value)) return undefined
  const record = objectOf(value)
  const attributes = record['attributes'] ?? (record['titles'] === undefined ? undefined : record)
  return attributes === undefined ? readCsl(record) : readDataCite(objectOf(attributes))
}

/** CSL-JSON, which Crossref's own JSON follows but for lists where CSL has one text. */
function readCsl(record: Json): JsonRecord {
  const licenses = listOf(record['license']).map((each) => textOf(objectOf(each)['URL']))
  const issued = ['issued', 'published', 'published-print', 'published-online', 'created']
    .map((name) => record[name])
    .find((date) => hasYear(date))
  const subtitle = textOf(record['subtitle'])
  const title = textOf(record['title'])
  return {
    csl: {
      ...record,
      title: [title, subtitle].filter((part) => part !== undefined).join(': ') || undefined,
      author: listOf(record['author']).map(nameOfCsl),
      editor: listOf(record['editor']).map(nameOfCsl),
      issued,
      abstract: withoutMarks(textOf(record['abstract'])),
    },
    facts: {
      work_type: typeOf(textOf(record['type'])),
      keywords: listOf(record['subject']).map(textOf).filter(Boolean).join('; ') || undefined,
      license: licenses.find(Boolean) ?? textOf(record['license']),
    },
  }
}

function nameOfCsl(value: unknown): CslName {
  const name = objectOf(value)
  const { family, given, literal, suffix, ORCID } = name
  const places = listOf(name['affiliation']).map((each) => textOf(objectOf(each)['name']))
  return {
    ...strings({ family, given, suffix }),
    // Groups are `name` in Crossref and `literal` in CSL.
    ...strings({ literal: literal ?? name['name'] }),
    ...strings({ 'non-dropping-particle': name['non-dropping-particle'] }),
    ...(typeof ORCID === 'string' && { ORCID }),
    ...affiliationOf(places),
  }
}

function readDataCite(work: Json): JsonRecord {
  const types = objectOf(work['types'])
  const container = objectOf(work['container'])
  const publisher = work['publisher']
  const [first, last] = [textOf(container['firstPage']), textOf(container['lastPage'])]
  const rights = listOf(work['rightsList']).map(objectOf)
  const license = rights
    .map((each) => textOf(each['rightsIdentifier']) ?? textOf(each['rightsUri']))
    .find(Boolean)
  return {
    csl: {
      title: titleOf(listOf(work['titles']).map(objectOf)),
      author: listOf(work['creators']).map(nameOfDataCite),
      abstract: withoutMarks(abstractOf(listOf(work['descriptions']).map(objectOf))),
      publisher: textOf(publisher) ?? textOf(objectOf(publisher)['name']),
      'container-title': textOf(container['title']),
      volume: container['volume'],
      issue: container['issue'],
      language: work['language'],
      DOI: work['doi'],
      URL: work['url'],
    },
    facts: {
      work_type: typeOf(textOf(types['resourceTypeGeneral'])),
      date: issuedOf(work),
      keywords:
        listOf(work['subjects'])
          .map((each) => textOf(objectOf(each)['subject']))
          .filter(Boolean)
          .join('; ') || undefined,
      license,
      pages: first !== undefined && last !== undefined ? `${first}-${last}` : first,
    },
  }
}

function nameOfDataCite(value: unknown): CslName {
  const creator = objectOf(value)
  const { givenName: given, familyName: family, name, nameType } = creator
  const orcid = listOf(creator['nameIdentifiers'])
    .map(objectOf)
    .filter((each) => textOf(each['nameIdentifierScheme'])?.toUpperCase() === 'ORCID')
    .map((each) => textOf(each['nameIdentifier']))
    .find(Boolean)
  const places = listOf(creator['affiliation']).map((place) => {
    return textOf(place) ?? textOf(objectOf(place)['name'])
  })
  const isPerson = nameType !== 'Organizational' && typeof family === 'string'
  const parted = isPerson ? { family, given } : partedName(textOf(name), nameType)
  return {
    ...strings(parted),
    ...(orcid !== undefined && { ORCID: orcid }),
    ...affiliationOf(places),
  }
}

/** Names of people are written `Family, Given` where DataCite has them in one piece. */
function partedName(name: string | undefined, type: unknown): Json {
  const [family, given, ...more] = type === 'Organizational' ? [] : (name ?? '').split(/,\s+/)
  return given === undefined || more.length > 0 ? { literal: name } : { family, given }
}

function titleOf(titles: readonly Json[]): string | undefined {
  const title = titles.find((each) => each['titleType'] === undefined || each['titleType'] === null)
  const subtitle = titles.find((each) => each['titleType'] === 'Subtitle')
  const parts = [title ?? titles[0], subtitle].map((each) => textOf(each?.['title']))
  return parts.filter((part) => part !== undefined).join(': ') || undefined
}

function abstractOf(descriptions: readonly Json[]): string | undefined {
  const found = descriptions.find((each) => each['descriptionType'] === 'Abstract')
  return textOf(found?.['description'])
}

function issuedOf(work: Json): string | undefined {
  const dates = listOf(work['dates']).map(objectOf)
  const issued = dates.find((each) => each['dateType'] === 'Issued')
  return textOf(issued?.['date']) ?? textOf(work['publicationYear'])
}

// Names of CSL that are none of ours; of types that share one, the first is the plainest.
const cslTypes: ReadonlyMap<string, WorkType> = new Map([
  ...Object.entries(workTypes)
    .map(([type, { csl }]) => [csl, type as WorkType] as const)
    .filter(([csl]) => csl !== 'document')
    .toReversed(),
  ['article-magazine', 'article'],
  ['article-newspaper', 'article'],
  ['entry-encyclopedia', 'book_chapter'],
  ['entry-dictionary', 'book_chapter'],
])

// Types of DataCite are written in one word, and those of Crossref with hyphens.
function typeOf(type = ''): string {
  const words = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
  return foldWorkType(type) ?? foldWorkType(words) ?? cslTypes.get(words) ?? 'other'
}

function hasYear(date: unknown): boolean {
  const parts = listOf(objectOf(date)['date-parts'])[0]
  return listOf(parts)[0] !== undefined && listOf(parts)[0] !== null
}

function affiliationOf(places: readonly (string | undefined)[]): { affiliation?: string } {
  const joined = places.filter(Boolean).join('; ')
  return joined === '' ? {} : { affiliation: joined }
}

/** JATS, in which Crossref gives abstracts, as text. */
function withoutMarks(text: string | undefined): string | undefined {
  return text?.replaceAll(/<\/?(?:jats:)?\w+(?:\s[^<>]*)?>/g, ' ').trim()
}

function strings(members: Json): Json {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => textOf(value)))
}

/** A text, or the first of a list of texts; numbers are texts too. */
function textOf(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value
  if (typeof first === 'number') return String(first)
  return typeof first === 'string' && first.trim() !== '' ? first.trim() : undefined
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

const recordCharactersMax = 500_000

/** Reads the records of a JSON file of citations, each on its own. */
export function readJson(records: readonly unknown[]): readonly ReadEntry[] {
  // JSON has no lines to speak of: records are told apart by their number.
  return records.map((record, index) => readRecord(record, { line: 1, key: `record ${index + 1}` }))
}

/** Reads one record, which may stand in a file of another format. */
export function readRecord(value: unknown, place: Pick<ReadEntry, 'line' | 'key'>): ReadEntry {
  const { key, line } = place
  try {
    if (JSON.stringify(value).length > recordCharactersMax) {
      const message = `The ${key} has more than ${recordCharactersMax} characters.`
      return unreadable(place, [{ field: '', code: 'too_long', message }])
    }
    const record = readJsonRecord(value)
    if (record !== undefined) {
      const { body, notes } = draftWork(record.csl, record.facts, line)
      return { ...place, body, faults: [], notes }
    }
  } catch {
    // Of a value that is nested too deeply for the engine nothing can be said.
  }
  const message = `The ${key} has no title and no DOI.`
  return unreadable(place, [{ field: '', code: 'not_readable', message }])
}
