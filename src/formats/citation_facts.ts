import { type DescribedWork, doiUrl } from '#src/formats/described_work.ts'

/** The months in English. */
export const monthNames =
  'January February March April May June July August September October November December'.split(' ')

/** The address that a citation ends with: that of the DOI, if there is one, else the ARK's. */
export function citedAddress({ metadata, url }: DescribedWork): string {
  return metadata.existing_doi === undefined ? url : doiUrl(metadata.existing_doi)
}
