import { doiUrl } from '#actors/values/identifier.ts'
import { workTypes } from '#actors/values/work_type.ts'
import { nameParts } from '#src/discovery/formats/author_names.ts'
import {
  type DescribedAuthor,
  type DescribedWork,
  isAddress,
  keywordsOf,
  licenseUrl,
  pageRange,
  withoutUndefined,
  yearOf,
} from '#src/discovery/formats/described_work.ts'

/** The namespace of DataCite's schema, whose minor versions only add to it. */
export const dataciteNamespace = 'http://datacite.org/schema/kernel-4'

/** What DataCite demands and nobody told: its standard value for that. */
const unavailable = ':unav'

export type Creator = {
  /** `Family, Given` where the parts are known. */
  readonly name: string
  readonly nameType?: 'Personal'
  readonly givenName?: string
  readonly familyName?: string
  readonly orcid?: string
  readonly affiliation?: { readonly name?: string; readonly ror?: string }
}

/** A work in the terms of DataCite's metadata schema 4, before it is JSON or XML. */
export type DataciteRecord = {
  readonly creators: readonly Creator[]
  readonly title: string
  readonly publisher: string
  readonly publicationYear: string
  readonly resourceType: { readonly general: string; readonly own: string }
  readonly language?: string
  readonly subjects: readonly string[]
  readonly dates: readonly {
    readonly date: string
    readonly dateType: string
    readonly dateInformation?: string
  }[]
  /** Beside the ARK. */
  readonly alternateIdentifiers: readonly { readonly type: string; readonly value: string }[]
  readonly relatedIdentifiers: readonly {
    readonly identifier: string
    readonly scheme: string
    readonly relation: string
  }[]
  readonly container?: {
    readonly type: 'Journal' | 'Book' | 'ConferenceProceeding' | 'Other'
    readonly title: string
    readonly volume?: string
    readonly issue?: string
    readonly firstPage?: string
    readonly lastPage?: string
  }
  readonly size?: string
  readonly format?: string
  readonly version: string
  readonly rights?: { readonly uri: string; readonly spdx?: string; readonly name: string }
  readonly description?: string
  readonly funding: readonly { readonly funder: string; readonly award?: string }[]
}

/**
 * A work as DataCite describes it. The year of publication must be there: where it is not known it
 * is the year of the registration, when the work was made available here.
 */
export function dataciteRecord(work: DescribedWork): DataciteRecord {
  const { metadata, authors, content, publisher = unavailable } = work
  const { work_title, work_type, language, license, description, funding = [] } = metadata
  const creators = authors.length === 0 ? [{ name: unavailable }] : authors.map(creatorOf)
  return withoutUndefined({
    creators,
    title: work_title,
    publisher,
    publicationYear: yearOf(metadata) ?? work.createdAt.slice(0, 4),
    resourceType: { general: workTypes[work_type].datacite, own: work_type.replaceAll('_', ' ') },
    language,
    subjects: keywordsOf(metadata),
    dates: datesOf(work),
    alternateIdentifiers: alternatesOf(work),
    relatedIdentifiers: [
      ...(metadata.related_identifiers ?? []),
      { identifier: work.receiptUrl, scheme: 'URL', relation: 'HasMetadata' },
    ],
    container: containerOf(work),
    size: typeof content?.size === 'number' ? `${content.size} bytes` : undefined,
    format: content?.mediaType ?? undefined,
    version: String(work.version),
    rights: license === undefined ? undefined : rightsOf(license),
    description,
    funding,
  })
}

function creatorOf(author: DescribedAuthor): Creator {
  const { name, orcid, affiliation, ror } = author
  const parts = nameParts(author)
  const identity = { orcid, affiliation: affiliationOf(affiliation, ror) }
  if (parts === undefined) {
    const isPersonal = orcid !== undefined
    return withoutUndefined({ name, nameType: isPersonal ? 'Personal' : undefined, ...identity })
  }
  const { family: familyName, given: givenName } = parts
  const whole = `${familyName}, ${givenName}`
  return withoutUndefined({ name: whole, nameType: 'Personal', givenName, familyName, ...identity })
}

function affiliationOf(name: string | undefined, ror: string | undefined): Creator['affiliation'] {
  return name === undefined && ror === undefined ? undefined : withoutUndefined({ name, ror })
}

function datesOf(work: DescribedWork): DataciteRecord['dates'] {
  const { metadata, createdAt, updatedAt, withdrawal } = work
  const dates: DataciteRecord['dates'][number][] = []
  if (metadata.published_date !== undefined) {
    dates.push({ date: metadata.published_date, dateType: 'Issued' })
  }
  dates.push({ date: createdAt, dateType: 'Other', dateInformation: 'Registered' })
  if (withdrawal !== undefined) {
    const { at, reason } = withdrawal
    dates.push({ date: at, dateType: 'Withdrawn', dateInformation: reason.replaceAll('_', ' ') })
  } else if (updatedAt !== createdAt) dates.push({ date: updatedAt, dateType: 'Updated' })
  return dates
}

function alternatesOf({ metadata, url, content }: DescribedWork) {
  const doi = metadata.existing_doi
  const isDoi = doi !== undefined && content?.url === doiUrl(doi)
  return [
    ...(doi === undefined ? [] : [{ type: 'DOI', value: doi }]),
    { type: 'URL', value: url },
    ...(content === undefined || isDoi ? [] : [{ type: 'Content URL', value: content.url }]),
  ]
}

const containerTypes: Readonly<Record<string, 'Journal' | 'Book' | 'ConferenceProceeding'>> = {
  article: 'Journal',
  incollection: 'Book',
  inproceedings: 'ConferenceProceeding',
}

function containerOf({ metadata }: DescribedWork): DataciteRecord['container'] {
  const { container_title: title, volume, issue, work_type } = metadata
  if (title === undefined) return undefined
  const { first: firstPage, last: lastPage } = pageRange(metadata)
  const type = containerTypes[workTypes[work_type].bibtex] ?? 'Other'
  return withoutUndefined({ type, title, volume, issue, firstPage, lastPage })
}

function rightsOf(license: string): DataciteRecord['rights'] {
  const uri = licenseUrl(license)
  return isAddress(license) ? { uri, name: license } : { uri, spdx: license, name: license }
}
