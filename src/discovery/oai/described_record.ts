import { contentUrl } from '#actors/works/content.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { describeAuthors, type DescribedWork } from '#src/discovery/formats/described_work.ts'
import type {
  HarvestedWork,
  HarvestRecord,
  RecordSource,
} from '#src/discovery/oai/record_source.ts'

const notFetched = { mediaType: null, size: null }

/** A harvested work as all formats describe it; `registryUrl` is the base of its addresses. */
export function describeRecord(
  { ark, sets }: HarvestRecord,
  work: HarvestedWork,
  {
    source,
    registryUrl,
  }: { readonly source: Pick<RecordSource, 'setName'>; readonly registryUrl: string },
): DescribedWork {
  const { version, createdAt, contentHash: hash } = work
  const metadata = JSON.parse(Buffer.from(work.metadata).toString('utf8')) as Metadata
  const [slug] = sets
  const organization = slug === undefined ? undefined : source.setName(slug)
  return {
    ark,
    url: `${registryUrl}/${ark}`,
    version,
    metadata,
    authors: describeAuthors(metadata),
    publisher: metadata.publisher_name ?? organization,
    createdAt,
    updatedAt: work.writtenAt,
    content: { url: contentUrl(metadata), hash, ...(work.fetched ?? notFetched) },
    receiptUrl: `${registryUrl}/api/v1/receipts/${ark}/v${version}`,
    registry: new URL(registryUrl).host,
  }
}
