import { closedTable } from '#actors/values/lazy_table.ts'
import { thesisKinds, workTypes } from '#actors/values/work_type.ts'
import type { accessRights } from '#actors/works/rights.ts'
import { degreeOf } from '#src/discovery/formats/cited_work.ts'
import {
  type DataciteName,
  type DataciteRecord,
  dataciteRecord,
} from '#src/discovery/formats/datacite_model.ts'
import {
  type DescribedMetadata,
  type DescribedWork,
  isOpen,
  openAccess,
  pageRange,
  standingNote,
} from '#src/discovery/formats/described_work.ts'
import {
  anyUri,
  element,
  formatDocument,
  listElement,
  textElement,
  type XmlElement,
} from '#src/discovery/formats/xml.ts'

/** The namespace of OpenAIRE's Guidelines for Literature Repositories 4, and their schema. */
export const openaireNamespace = 'http://namespace.openaire.eu/schema/oaire/'
export const openaireSchema = 'https://www.openaire.eu/schema/repo-lit/4.0/openaire.xsd'

type Source = Pick<DescribedWork, 'content'> & {
  readonly metadata: Partial<DescribedWork['metadata']>
}

/**
 * What a record lacks of what the guidelines demand, as a clause; undefined if nothing. Title, type
 * and identifier are always there.
 */
export function lackForOpenaire(work: Source): string | undefined {
  if (work.metadata.published_date === undefined) return 'it has no date of publication'
  if (accessOf(work) === undefined) return 'nothing says who can read it (access)'
  const { access } = work.metadata
  const isOver = access?.right === 'embargoed' && access.start_date === undefined
  return isOver ? 'nothing says when its embargo ends (access.start_date)' : undefined
}

/** A work as OpenAIRE harvests it, which it must be fit for (`lackForOpenaire`). */
export function formatOpenaire(work: DescribedWork): string {
  return formatDocument(openaireElement(work))
}

const rootAttributes = {
  'xmlns:oaire': openaireNamespace,
  'xmlns:datacite': 'http://datacite.org/schema/kernel-4',
  'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
  'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
  'xsi:schemaLocation': `${openaireNamespace} ${openaireSchema}`,
}

/** The element `oaire:resource` of a work, for other XML to hold. */
export function openaireElement(work: DescribedWork): XmlElement {
  const { metadata, publisher } = work
  const record = dataciteRecord(work)
  const { first, last } = pageRange(metadata)
  const { container_title, edition, event, issue, volume } = metadata
  const held = [event?.start_date, event?.end_date].filter((end) => end !== undefined)
  return element(
    'oaire:resource',
    rootAttributes,
    listElement(
      'datacite:titles',
      record.titles.map(({ lang, title, titleType }) => {
        return textElement('datacite:title', title, { 'xml:lang': lang, titleType })
      }),
    ),
    listElement('datacite:creators', namesOf('creator', record.creators)),
    listElement('datacite:contributors', namesOf('contributor', record.contributors)),
    fundingElement(record),
    ...identifiersOf(work, record),
    relationsElement(record),
    datesElement(record),
    textElement('dc:language', metadata.language),
    textElement('dc:publisher', publisher),
    typeElement(metadata),
    ...record.descriptions.map(({ description, lang }) => {
      return textElement('dc:description', description, { 'xml:lang': lang })
    }),
    textElement('dc:description', standingNote(work)),
    ...record.formats.map((format) => textElement('dc:format', format)),
    accessElement(work),
    subjectsElement(record),
    listElement(
      'datacite:sizes',
      record.sizes.map((size) => textElement('datacite:size', size)),
    ),
    ...filesOf(work),
    ...licensesOf(record),
    versionElement(metadata),
    textElement('oaire:citationTitle', container_title),
    textElement('oaire:citationVolume', volume),
    textElement('oaire:citationIssue', issue),
    textElement('oaire:citationStartPage', first),
    textElement('oaire:citationEndPage', last),
    textElement('oaire:citationEdition', edition),
    textElement('oaire:citationConferencePlace', event?.place),
    textElement('oaire:citationConferenceDate', held.join('/') || undefined),
  )
}

// What DataCite 4.1 has not, of which the guidelines are a profile.
const newerRoles: ReadonlySet<string> = new Set(['Translator'])

function namesOf(kind: 'creator' | 'contributor', names: readonly DataciteName[]) {
  return names.map((person) => {
    const {
      affiliations = [],
      familyName,
      givenName,
      identifiers = [],
      name,
      nameType,
      type,
    } = person
    const role = type !== undefined && newerRoles.has(type) ? 'Other' : type
    return element(
      `datacite:${kind}`,
      { contributorType: role },
      textElement(`datacite:${kind}Name`, name, { nameType }),
      textElement('datacite:givenName', givenName),
      textElement('datacite:familyName', familyName),
      ...identifiers.map(({ id, scheme, uri }) => {
        const attributes = { nameIdentifierScheme: scheme, schemeURI: anyUri(uri) }
        return textElement('datacite:nameIdentifier', id, attributes)
      }),
      ...affiliations.map((place) => textElement('datacite:affiliation', place.name)),
    )
  })
}

function fundingElement({ funding }: DataciteRecord): XmlElement | undefined {
  return listElement(
    'oaire:fundingReferences',
    funding.map((each) => {
      const { award, award_title, award_uri, funder, identifier, identifier_type } = each
      return element(
        'oaire:fundingReference',
        {},
        textElement('oaire:funderName', funder),
        textElement('oaire:funderIdentifier', identifier, {
          funderIdentifierType: identifier_type ?? 'Other',
        }),
        textElement('oaire:awardNumber', award ?? award_uri, { awardURI: anyUri(award_uri) }),
        textElement('oaire:awardTitle', award_title),
      )
    }),
  )
}

/** The DOI, or else the address of the ARK here; then all other identifiers. */
function identifiersOf({ ark, metadata, url }: DescribedWork, record: DataciteRecord) {
  const { existing_doi: doi } = metadata
  const own = doi ?? url
  const others = [{ type: 'ARK', value: ark }, ...record.alternateIdentifiers]
  return [
    element('datacite:identifier', { identifierType: doi === undefined ? 'URL' : 'DOI' }, own),
    listElement(
      'datacite:alternateIdentifiers',
      others
        .filter(({ value }) => value !== own)
        .map(({ type, value }) => {
          const attributes = { alternateIdentifierType: type }
          return textElement('datacite:alternateIdentifier', value, attributes)
        }),
    ),
  ]
}

const relationTypes: ReadonlySet<string> = new Set(
  (
    'IsCitedBy Cites IsSupplementTo IsSupplementedBy IsContinuedBy Continues IsDescribedBy ' +
    'Describes HasVersion IsVersionOf IsNewVersionOf IsPreviousVersionOf IsPartOf HasPart ' +
    'IsReferencedBy References IsDocumentedBy Documents IsCompiledBy Compiles IsVariantFormOf ' +
    'IsOriginalFormOf IsIdenticalTo HasMetadata IsMetadataFor Reviews IsReviewedBy ' +
    'IsDerivedFrom IsSourceOf IsRequiredBy Requires'
  ).split(' '),
)

const identifierTypes: ReadonlySet<string> = new Set(
  (
    'ARK arXiv bibcode DOI EAN13 EISSN Handle IGSN ISBN ISSN ISTC LISSN LSID PMID PURL UPC ' +
    'URL URN'
  ).split(' '),
)

function relationsElement({ relatedIdentifiers }: DataciteRecord): XmlElement | undefined {
  return listElement(
    'datacite:relatedIdentifiers',
    relatedIdentifiers.flatMap(({ identifier, relation, scheme }) => {
      // An item in a journal is a part of it where the profile has no word for that.
      const relationType = relation === 'IsPublishedIn' ? 'IsPartOf' : relation
      if (!relationTypes.has(relationType) || !identifierTypes.has(scheme)) return []
      const attributes = { relatedIdentifierType: scheme, relationType }
      return [element('datacite:relatedIdentifier', attributes, identifier)]
    }),
  )
}

const dateTypes: ReadonlySet<string> = new Set(
  'Accepted Available Collected Copyrighted Created Issued Submitted Updated Valid'.split(' '),
)

function datesElement({ dates }: DataciteRecord): XmlElement | undefined {
  return listElement(
    'datacite:dates',
    dates.flatMap(({ date, dateInformation, dateType }) => {
      const attributes = { dateType, dateInformation }
      return dateTypes.has(dateType) ? [element('datacite:date', attributes, date)] : []
    }),
  )
}

const typeBase = 'http://purl.org/coar/resource_type/'
const otherType = 'c_1843'

// By what schema.org calls a type; whatever is not here is literature.
const generalTypes: Readonly<Record<string, string>> = {
  Dataset: 'dataset',
  SoftwareSourceCode: 'software',
  ImageObject: 'other research product',
  VideoObject: 'other research product',
  AudioObject: 'other research product',
  CreativeWork: 'other research product',
}

function typeElement(metadata: DescribedMetadata): XmlElement {
  const { work_type: type } = metadata
  const degree = degreeOf(metadata)
  const { schemaOrg } = workTypes[type]
  const { coar } = degree === undefined ? workTypes[type] : thesisKinds[degree]
  // Their list has no names of the vocabulary's newer form, such as `R60J-J5BD`, and not this one.
  const code = coar.startsWith('c_') && coar !== 'c_ab20' ? coar : otherType
  const attributes = {
    resourceTypeGeneral: generalTypes[schemaOrg] ?? 'literature',
    uri: typeBase + code,
  }
  return element('oaire:resourceType', attributes, type.replaceAll('_', ' '))
}

type AccessRight = (typeof accessRights)[number]

// Access rights by COAR's names and addresses.
const accessTerms: Readonly<Record<AccessRight, readonly [name: string, uri: string]>> = {
  open: ['open access', openAccess],
  embargoed: ['embargoed access', 'http://purl.org/coar/access_right/c_f1cf'],
  restricted: ['restricted access', 'http://purl.org/coar/access_right/c_16ec'],
  metadata_only: ['metadata only access', 'http://purl.org/coar/access_right/c_14cb'],
}

/** Who can read a work: what its record says, else what the registry has seen. */
function accessOf(work: Source): AccessRight | undefined {
  const { access } = work.metadata
  if (work.content === undefined) return 'metadata_only'
  return access?.right ?? (isOpen(work) ? 'open' : undefined)
}

function accessElement(work: DescribedWork): XmlElement | undefined {
  const access = accessOf(work)
  if (access === undefined) return undefined
  const [name, rightsURI] = accessTerms[access]
  return element('datacite:rights', { rightsURI }, name)
}

function subjectsElement({ subjects }: DataciteRecord): XmlElement | undefined {
  return listElement(
    'datacite:subjects',
    subjects.map(({ language, scheme, scheme_uri, subject, uri }) => {
      const attributes = {
        subjectScheme: scheme,
        schemeURI: anyUri(scheme_uri),
        valueURI: anyUri(uri),
        'xml:lang': language,
      }
      return textElement('datacite:subject', subject, attributes)
    }),
  )
}

/** The files of a work: what is read at its address, unless that is a page, and those it names. */
function filesOf({ content, metadata }: DescribedWork): readonly (XmlElement | undefined)[] {
  if (content === undefined) return []
  const { files = [], work_url } = metadata
  const type = content.mediaType ?? undefined
  const named = files.filter(({ kind = 'content' }) => kind === 'content')
  const isFile = content.url === work_url && type !== undefined && type !== 'text/html'
  const own = isFile ? [{ url: work_url, media_type: type }] : []
  return [...own, ...named].map(({ media_type, url }) => {
    return element('oaire:file', { mimeType: media_type }, url)
  })
}

function licensesOf({ rights }: DataciteRecord): readonly (XmlElement | undefined)[] {
  return rights.flatMap(({ name, uri }) => {
    const isAccess = uri?.startsWith('http://purl.org/coar/access_right/') === true
    return isAccess ? [] : [element('oaire:licenseCondition', { uri }, name ?? uri)]
  })
}

const versionBase = 'http://purl.org/coar/version/'

// Stages of a text by the abbreviations that NISO and COAR have for them.
const versions: Readonly<Record<string, string>> = closedTable({
  ao: 'c_b1a7d7d4d402bcce',
  smur: 'c_71e4c1898caa6e32',
  am: 'c_ab4af688f83e57aa',
  p: 'c_fa2ee174bc00049f',
  vor: 'c_970fb48d4fbd8a85',
  cvor: 'c_e19f295774971610',
  evor: 'c_dc82b40f9837b551',
  na: 'c_be7fb7dd8ff6fe43',
})

/** The stage of a text, or the number of data and software, which have no stages. */
function versionElement({
  resource_version: version,
  work_type,
}: DescribedWork['metadata']): XmlElement | undefined {
  if (version === undefined) return undefined
  const stage = versions[version.toLowerCase()]
  const isText = generalTypes[workTypes[work_type].schemaOrg] === undefined
  if (stage === undefined && isText) return undefined
  return element('oaire:version', { uri: stage && versionBase + stage }, version)
}
