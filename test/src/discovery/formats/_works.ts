import type { Metadata } from '#actors/works/metadata.ts'
import { contentUrl, placeContent } from '#actors/works/content.ts'
import {
  describeAuthors,
  type DescribedMetadata,
  type DescribedWork,
} from '#src/discovery/formats/described_work.ts'

/** A work with everything that metadata can say. */
export const fullMetadata: Metadata = {
  work_title: 'On the Equilibrium of Heterogeneous Substances',
  work_type: 'article',
  authors: 'Gibbs, Josiah Willard; Helmholtz, Hermann von',
  author_details: [
    {
      given: 'Josiah Willard',
      family: 'Gibbs',
      orcid: '0000-0002-1825-0097',
      affiliation: 'Yale College',
      ror: 'https://ror.org/05gq02987',
    },
    { given: 'Hermann', family: 'von Helmholtz' },
  ],
  description: 'The criteria of equilibrium and stability.\n\nFor heterogeneous systems.',
  work_url: 'https://example.org/equilibrium.pdf',
  existing_doi: '10.1234/equilibrium',
  keywords: 'thermodynamics, chemical potential',
  language: 'en',
  license: 'CC-BY-4.0',
  published_date: '1876-10',
  publisher_name: 'Connecticut Academy of Arts and Sciences',
  container_title: 'Transactions of the Connecticut Academy',
  volume: '3',
  issue: '2',
  pages: '108–248',
  related_identifiers: [
    { relation: 'IsSupplementedBy', identifier: '10.5281/zenodo.1', scheme: 'DOI' },
  ],
  funding: [{ funder: 'European Research Council', award: '101019547' }],
}

export const ark = 'ark:/12345/k2bcd45g7h3'

/** A work as formats are given it, with this metadata. */
export function describedWork(
  metadata: Metadata,
  changes: Partial<DescribedWork> = {},
): DescribedWork {
  const { authors: _, author_details: __, ...described } = metadata
  const located = metadata.work_url !== undefined || metadata.existing_doi !== undefined
  return {
    ark,
    url: `https://registry.example/${ark}`,
    version: 2,
    isPinned: false,
    latestVersion: 2,
    workUrl: `https://registry.example/${ark}`,
    metadata: described satisfies DescribedMetadata,
    authors: describeAuthors(metadata),
    publisher: metadata.publisher_name ?? 'A Press',
    createdAt: '2026-01-02T03:04:05.678Z',
    updatedAt: '2026-02-03T04:05:06.789Z',
    ...(located && {
      content: {
        url: contentUrl(metadata, placeContent(metadata)),
        mediaType: 'application/pdf',
        hash: `sha256:${'ab'.repeat(32)}`,
        size: 1_234,
        isOpen: true,
      },
    }),
    receiptUrl: `https://registry.example/api/v1/receipts/${ark}/v2`,
    registry: 'registry.example',
    ...changes,
  }
}
