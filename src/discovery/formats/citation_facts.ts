import { doiUrl } from '#actors/values/identifier.ts'
import { workTypes } from '#actors/values/work_type.ts'
import { type DescribedWork } from '#src/discovery/formats/described_work.ts'

/** The months in English. */
export const monthNames =
  'January February March April May June July August September October November December'.split(' ')

/** The address that a citation ends with: that of the DOI, if there is one, else the ARK's. */
export function citedAddress({ metadata, url }: DescribedWork): string {
  return metadata.existing_doi === undefined ? url : doiUrl(metadata.existing_doi)
}

/** What a work is cited as a part of: a journal, a book or proceedings, or nothing. */
export function containment({ metadata }: DescribedWork): 'journal' | 'book' | 'none' {
  const { container_title, work_type } = metadata
  if (workTypes[work_type].csl === 'article-journal') return 'journal'
  const isPart = ['book_chapter', 'conference_paper', 'peer_review'].includes(work_type)
  return container_title !== undefined || isPart ? 'book' : 'none'
}
