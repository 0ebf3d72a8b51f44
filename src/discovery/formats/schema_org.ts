import { doiUrl } from '#actors/values/identifier.ts'
import { workTypes } from '#actors/values/work_type.ts'
import { namesGroup, nameParts } from '#src/discovery/formats/author_names.ts'
import {
  type DescribedAuthor,
  type DescribedWork,
  keywordsOf,
  licenseUrl,
  pageRange,
  withdrawalNote,
  withoutUndefined,
} from '#src/discovery/formats/described_work.ts'

/**
 * A work in the vocabulary of schema.org (JSON-LD). The text may stand in a `<script>` element of a
 * page as it is: no `<` is in it.
 */
export function formatSchemaOrg(work: DescribedWork): string {
  return `${JSON.stringify(schemaOrgThing(work)).replaceAll('<', '\\u003c')}\n`
}

function schemaOrgThing(work: DescribedWork): Record<string, unknown> {
  const { metadata, authors, url, publisher, receiptUrl, registry } = work
  const { work_title, work_type, existing_doi, license } = metadata
  return withoutUndefined({
    '@context': 'https://schema.org',
    '@type': workTypes[work_type].schemaOrg,
    '@id': url,
    identifier: identifiersOf(work),
    name: work_title,
    headline: work_title,
    author: listOf(authors.map(authorThing)),
    description: metadata.description,
    datePublished: metadata.published_date,
    dateCreated: work.createdAt,
    dateModified: work.updatedAt,
    version: String(work.version),
    inLanguage: metadata.language,
    keywords: listOf(keywordsOf(metadata)),
    license: license === undefined ? undefined : licenseUrl(license),
    url,
    sameAs: existing_doi === undefined ? undefined : [doiUrl(existing_doi)],
    publisher: publisher === undefined ? undefined : { '@type': 'Organization', name: publisher },
    ...pagination(work),
    funding: listOf((metadata.funding ?? []).map(fundingThing)),
    encoding: encodingOf(work),
    creativeWorkStatus: withdrawalNote(work),
    sdPublisher: { '@type': 'Organization', name: registry, url: new URL(url).origin },
    subjectOf: { '@type': 'DigitalDocument', name: 'Receipt', url: receiptUrl },
  })
}

function listOf<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length === 0 ? undefined : values
}

function identifiersOf({ ark, metadata }: DescribedWork): readonly Record<string, unknown>[] {
  const doi = metadata.existing_doi
  return [
    { '@type': 'PropertyValue', propertyID: 'ARK', value: ark },
    ...(doi === undefined
      ? []
      : [{ '@type': 'PropertyValue', propertyID: 'DOI', value: doi, url: doiUrl(doi) }]),
  ]
}

function authorThing(author: DescribedAuthor): Record<string, unknown> {
  const { name, orcid, affiliation, ror } = author
  const parts = nameParts(author)
  return withoutUndefined({
    '@type': orcid === undefined && namesGroup(name) ? 'Organization' : 'Person',
    '@id': orcid === undefined ? undefined : `https://orcid.org/${orcid}`,
    name: parts === undefined ? name : `${parts.given} ${parts.family}`,
    givenName: parts?.given,
    familyName: parts?.family,
    affiliation:
      affiliation === undefined && ror === undefined
        ? undefined
        : withoutUndefined({ '@type': 'Organization', '@id': ror, name: affiliation }),
  })
}

/** Where the work stands in what holds it: in an issue, in a volume, in the whole. */
function pagination({ metadata }: DescribedWork): Record<string, unknown> {
  const { container_title: name, volume, issue, work_type } = metadata
  const { first: pageStart, last: pageEnd } = pageRange(metadata)
  const isInBook = ['book_chapter', 'conference_paper'].includes(work_type)
  let isPartOf: Record<string, unknown> | undefined
  if (name !== undefined) isPartOf = { '@type': isInBook ? 'Book' : 'Periodical', name }
  if (volume !== undefined) {
    isPartOf = withoutUndefined({ '@type': 'PublicationVolume', volumeNumber: volume, isPartOf })
  }
  if (issue !== undefined) {
    isPartOf = withoutUndefined({ '@type': 'PublicationIssue', issueNumber: issue, isPartOf })
  }
  return { isPartOf, pageStart, pageEnd }
}

function fundingThing({ funder, award }: { readonly funder: string; readonly award?: string }) {
  return withoutUndefined({
    '@type': 'Grant',
    identifier: award,
    funder: { '@type': 'Organization', name: funder },
  })
}

function encodingOf({ content }: DescribedWork): Record<string, unknown> | undefined {
  if (content === undefined) return undefined
  return withoutUndefined({
    '@type': 'MediaObject',
    contentUrl: content.url,
    encodingFormat: content.mediaType ?? undefined,
    contentSize: typeof content.size === 'number' ? `${content.size} B` : undefined,
    sha256: content.hash?.replace(/^sha256:/, ''),
  })
}
