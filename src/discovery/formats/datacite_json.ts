import { workTypes } from '#actors/values/work_type.ts'
import {
  type Creator,
  dataciteNamespace,
  type DataciteRecord,
  dataciteRecord,
} from '#src/discovery/formats/datacite.ts'
import { type DescribedWork, withoutUndefined } from '#src/discovery/formats/described_work.ts'

/** A work as DataCite's JSON (schema 4), identified by its ARK. */
export function formatDataciteJson(work: DescribedWork): string {
  const record = dataciteRecord(work)
  const { title, language: lang, publisher, publicationYear, description, rights } = record
  return `${JSON.stringify(
    withoutUndefined({
      id: work.ark,
      identifiers: [{ identifier: work.ark, identifierType: 'ARK' }],
      doi: work.metadata.existing_doi,
      url: work.url,
      types: typesOf(work, record),
      creators: record.creators.map(creatorObject),
      titles: [withoutUndefined({ title, lang })],
      publisher: { name: publisher },
      container: record.container && containerObject(record.container),
      publicationYear: Number(publicationYear),
      subjects: listOf(record.subjects.map((subject) => ({ subject }))),
      dates: record.dates,
      language: lang,
      alternateIdentifiers: record.alternateIdentifiers.map(({ type, value }) => {
        return { alternateIdentifier: value, alternateIdentifierType: type }
      }),
      relatedIdentifiers: record.relatedIdentifiers.map(({ identifier, scheme, relation }) => {
        return {
          relatedIdentifier: identifier,
          relatedIdentifierType: scheme,
          relationType: relation,
        }
      }),
      sizes: record.size && [record.size],
      formats: record.format && [record.format],
      version: record.version,
      rightsList: rights && [rightsObject(rights)],
      descriptions: description && [
        withoutUndefined({ description, descriptionType: 'Abstract', lang }),
      ],
      fundingReferences: listOf(record.funding.map(fundingObject)),
      schemaVersion: dataciteNamespace,
    }),
  )}\n`
}

function listOf<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length === 0 ? undefined : values
}

function typesOf({ metadata }: DescribedWork, { resourceType }: DataciteRecord) {
  const { ris, bibtex, csl, schemaOrg } = workTypes[metadata.work_type]
  return {
    resourceTypeGeneral: resourceType.general,
    resourceType: resourceType.own,
    ris,
    bibtex,
    citeproc: csl,
    schemaOrg,
  }
}

function creatorObject({ orcid, affiliation, ...creator }: Creator): Record<string, unknown> {
  return withoutUndefined({
    ...creator,
    nameIdentifiers: orcid && [
      {
        nameIdentifier: `https://orcid.org/${orcid}`,
        nameIdentifierScheme: 'ORCID',
        schemeUri: 'https://orcid.org',
      },
    ],
    affiliation: affiliation && [affiliationObject(affiliation)],
  })
}

function affiliationObject({ name, ror }: NonNullable<Creator['affiliation']>) {
  return withoutUndefined({
    name: name ?? ror,
    ...(ror !== undefined && {
      affiliationIdentifier: ror,
      affiliationIdentifierScheme: 'ROR',
      schemeUri: 'https://ror.org',
    }),
  })
}

// DataCite's API tells what holds a work in a member of its own, with its place in it.
function containerObject(container: NonNullable<DataciteRecord['container']>) {
  const { type, title, volume, issue, firstPage, lastPage } = container
  return withoutUndefined({ type, title, volume, issue, firstPage, lastPage })
}

function rightsObject({ uri, spdx, name }: NonNullable<DataciteRecord['rights']>) {
  return withoutUndefined({
    rights: name,
    rightsUri: uri,
    ...(spdx !== undefined && {
      rightsIdentifier: spdx.toLowerCase(),
      rightsIdentifierScheme: 'SPDX',
      schemeUri: 'https://spdx.org/licenses/',
    }),
  })
}

function fundingObject({ funder, award }: DataciteRecord['funding'][number]) {
  return withoutUndefined({ funderName: funder, awardNumber: award })
}
