import type { ServedEnvironment } from '#actors/registry/environment.ts'
import type { HarvestEntry } from '#actors/catalogue/harvest.ts'
import { publicSource } from '#actors/catalogue/representation.ts'
import type {
  HarvestedWork,
  HarvestRange,
  HarvestRecord,
  RecordSource,
} from '#src/discovery/oai/record_source.ts'

/** The records of a registry, as its journal has them. */
export function registrySource(
  environment: Pick<ServedEnvironment, 'harvest' | 'organizations' | 'settle'>,
): RecordSource {
  const { harvest, organizations } = environment
  return {
    get earliest() {
      return harvest.earliest()
    },
    async settle(nowSeconds) {
      const at = Math.floor((await environment.settle(nowSeconds * 1_000)) / 1_000)
      // Of a machine whose clock was set back the newest change is still to come.
      return { at, until: Math.max(harvest.newest(), at) }
    },
    async record(ark) {
      const place = harvest.work(ark)
      return place && describe(place)
    },
    async records(range, page) {
      const { places, hasMore } = await harvest.places(spanOf(range), page)
      return { records: places.map(describe), hasMore }
    },
    count: (range) => harvest.count(spanOf(range)),
    setName: (slug) => organizations.read(slug)?.name,
    sets: ({ after = '', limit }) => organizations.list({ after, limit }),
  }
}

function spanOf({ from, until, set }: HarvestRange) {
  return { from, until, ...(set !== undefined && { organization: set }) }
}

function describe({ state, changed, written }: HarvestEntry): HarvestRecord {
  const { identifier, owner } = state
  const header = {
    ark: identifier,
    datestamp: Math.floor(Date.parse(changed.at) / 1_000),
    position: changed.position,
    sets: owner.type === 'organization' ? [owner.id] : [],
  }
  return written === undefined ? header : { ...header, work: describeWork(state, written) }
}

function describeWork(
  state: HarvestEntry['state'],
  written: NonNullable<HarvestEntry['written']>,
): HarvestedWork {
  const { bytes: size = null, media_type: mediaType = null } = state.checked?.stable ?? {}
  return {
    version: state.version,
    metadata: written.metadata,
    createdAt: state.created_at,
    writtenAt: written.at,
    receiptId: state.receipt_id,
    metadataHash: state.metadata_hash,
    contentHash: state.content_hash,
    ...(size !== null && { fetched: { mediaType, size } }),
    source: publicSource(written.by),
  }
}
