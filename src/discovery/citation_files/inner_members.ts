import { isJsonObject } from '#actors/values/serialization.ts'
import { type NoteList, quote } from '#src/discovery/citation_files/citation_file.ts'
import { isEmpty } from '#src/discovery/citation_files/field_rows.ts'
import { referenceParts } from '#src/discovery/formats/crossref_terms.ts'

type Json = Readonly<Record<string, unknown>>

/** The members of one kind of thing within a record. */
type Members = {
  /** Those that are read. */
  readonly read: ReadonlySet<string>
  /** Those that say nothing about the work. */
  readonly bookkeeping: ReadonlySet<string>
  /** Whether a text may stand in the place of such a thing. */
  readonly isTextRead: boolean
  /** Whether its members have names of any kind. */
  readonly isOpen: boolean
}

/** The things within a record by their paths, such as `funder.id`. */
export type InnerMembers = ReadonlyMap<string, Members>

/** In a row: `=` for a text in place of the thing, `*` for any name, `-` before bookkeeping. */
function membersBy(rows: Readonly<Record<string, string>>): InnerMembers {
  const entries = Object.entries(rows).map(([path, row]): readonly [string, Members] => {
    const words = row.split(' ')
    const bookkeeping = words.flatMap((word) => (word.startsWith('-') ? [word.slice(1)] : []))
    const members = {
      read: new Set(words.filter((word) => !/^[-=*]/.test(word))),
      bookkeeping: new Set(bookkeeping),
      isTextRead: words.includes('='),
      isOpen: words.includes('*'),
    }
    return [path, members]
  })
  return new Map(entries)
}

const schemeUri = 'schemeUri schemeURI'

/** What is within records of Crossref and CSL; names are told of where they are read. */
export const crossrefInner = membersBy({
  title: '= title language',
  'original-title': '= title language',
  'original-subtitle': '= title language',
  subtitle: '= title language',
  'short-title': '= title language',
  'container-title': '= value',
  'short-container-title': '= value',
  'collection-title': '= value',
  archive: '=',
  language: '=',
  status: 'type update status-description',
  'status.status-description': '= description -language',
  license: '= URL content-version start -delay-in-days',
  'free-to-read': 'start-date end-date',
  link: 'URL content-type content-version intended-application',
  resource: 'primary secondary',
  'resource.primary': 'URL',
  'resource.secondary': 'URL label',
  funder: 'name DOI -doi-asserted-by award award-info id',
  'funder.id': '= id -id-type -asserted-by',
  'funder.award-info': 'award-number',
  reference:
    '= key issn isbn -doi-asserted-by -issn-type -isbn-type ' +
    referenceParts.map(([, member]) => member).join(' '),
  relation: '*',
  'relation.*': 'id id-type -asserted-by description namespace',
  'updated-by': 'DOI type label updated source record-id',
  'update-to': 'DOI type label updated source record-id',
  event: '= name acronym number theme location start end sponsor',
  assertion: 'name value label group order URL explanation',
  'assertion.group': 'name label',
  'assertion.explanation': 'URL',
  'clinical-trial-number': '= clinical-trial-number registry type',
  'alternative-id': '= identifier type',
  review:
    'type stage recommendation revision-round running-number competing-interest-statement language',
  version: '= version version-description description language',
  'version.version-description': '= description -language',
  'content-domain': 'domain crossmark-restriction',
  'issn-type': 'value type',
  'isbn-type': 'value type',
  'journal-issue': 'issue published-print published-online',
  subject: '= subject',
  project: '*',
  'project.project-title': '= title language',
  'project.project-description': '= description language',
  'project.award-amount': 'amount currency percentage',
  'project.funding': 'type scheme funder award-amount',
  'project.funding.award-amount': 'amount currency percentage',
  'project.funding.funder': 'name DOI -doi-asserted-by award award-info id',
  'project.funding.funder.id': '= id -id-type -asserted-by',
})

/** What is within records of DataCite; names are told of where they are read. */
export const dataciteInner = membersBy({
  types: 'resourceTypeGeneral resourceType ris bibtex citeproc schemaOrg',
  titles: '= title titleType lang',
  publisher: `= name publisherIdentifier publisherIdentifierScheme lang ${schemeUri}`,
  subjects: `= subject subjectScheme valueUri valueURI classificationCode lang ${schemeUri}`,
  dates: '= date dateType dateInformation',
  alternateIdentifiers: '= alternateIdentifier alternateIdentifierType identifier identifierType',
  identifiers: '= alternateIdentifier alternateIdentifierType identifier identifierType',
  relatedIdentifiers:
    '= relatedIdentifier relatedIdentifierType relationType resourceTypeGeneral ' +
    `relationTypeInformation relatedMetadataScheme schemeType ${schemeUri}`,
  rightsList:
    '= rights rightsUri rightsURI rightsIdentifier rightsIdentifierScheme lang ' + schemeUri,
  descriptions: '= description descriptionType lang',
  geoLocations: '= geoLocation geoLocationPlace geoLocationPoint geoLocationBox geoLocationPolygon',
  'geoLocations.geoLocationPoint': '= pointLongitude pointLatitude',
  'geoLocations.geoLocationBox':
    '= westBoundLongitude eastBoundLongitude southBoundLatitude northBoundLatitude',
  'geoLocations.geoLocationPolygon': 'polygonPoint inPolygonPoint',
  fundingReferences:
    '= fundingReference funderName funderIdentifier funderIdentifierType awardNumber ' +
    `awardUri awardURI awardTitle ${schemeUri}`,
  container:
    '= title -type identifier identifierType volume issue firstPage lastPage edition number ' +
    'numberType chapterNumber titles',
  relatedItems:
    'relatedItem relatedItemType relationType relationTypeInformation relatedItemIdentifier ' +
    'relatedItemIdentifierType creators contributors titles publicationYear volume issue ' +
    'number numberType firstPage lastPage publisher edition relatedMetadataScheme schemeType ' +
    schemeUri,
  'relatedItems.relatedItemIdentifier':
    '= relatedItemIdentifier relatedItemIdentifierType relatedMetadataScheme schemeType ' +
    schemeUri,
  'relatedItems.titles': '= title titleType lang',
  'relatedItems.number': '= number',
})

/**
 * Tells whatever the things within a record say that no field is for, once for each path. Gives
 * the paths of what is about the record alone.
 */
export function noteInner(record: Json, inner: InnerMembers, notes: NoteList): readonly string[] {
  const left = new Map<string, Set<string>>()
  const bookkeeping = new Set<string>()
  const look = (value: unknown, path: string): void => {
    const members = inner.get(path)
    if (members === undefined || value === undefined || value === null) return
    for (const each of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      if (Array.isArray(each)) look(each, path)
      else if (isJsonObject(each)) lookInto(each, path, members)
      else if (!members.isTextRead && !isEmpty(each)) {
        notes.add(
          'not_read',
          path,
          `${path} "${quote(String(each))}" is left out: it is no object.`,
        )
      }
    }
  }
  const lookInto = (thing: Json, path: string, members: Members): void => {
    const own = (name: string) => `${path}.${name}`
    const shown = path.replaceAll('.*', '')
    for (const name of Object.keys(thing)) {
      const value = thing[name]
      if (members.read.has(name)) look(value, own(name))
      else if (members.isOpen) look(value, inner.has(own(name)) ? own(name) : own('*'))
      else if (isEmpty(value)) continue
      else if (members.bookkeeping.has(name)) bookkeeping.add(`${shown}.${name}`)
      else left.set(shown, (left.get(shown) ?? new Set()).add(name))
    }
  }
  for (const name of Object.keys(record)) look(record[name], name)
  for (const [path, names] of left) {
    const shown = [...names].slice(0, shownMax).join(', ')
    notes.add('left_out', path, `Left out of ${path}, because no field fits: ${shown}.`)
  }
  return [...bookkeeping]
}

/** Names in one note, at most. */
const shownMax = 60
