import type { HarvestEntry } from '#actors/registry/catalogue/harvest.ts'
import { publicSource } from '#actors/registry/catalogue/representation.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import type { ContentPlace } from '#actors/works/content.ts'
import type { RelatedIdentifier } from '#actors/values/related_identifier.ts'

/** The newest version of a work, as far as harvesters see it. */
export type HarvestedWork = ContentPlace & {
  readonly version: number
  /** As its hash is of it: canonical JSON (RFC 8785) in UTF-8. */
  readonly metadata: Uint8Array
  /** `YYYY-MM-DDThh:mm:ss.sssZ`, of the registration. */
  readonly createdAt: string
  /** The same of that version: equal to `createdAt` for the first. */
  readonly writtenAt: string
  readonly receiptId: string
  /** `sha256:` and lower-case hex, as receipts have them. */
  readonly metadataHash: string
  readonly contentHash: string | null
  /** What was fetched, where that is known. `size` in bytes. */
  readonly fetched?: { readonly mediaType: string | null; readonly size: number }
  /** Who wrote that version, as `source` of the API says. */
  readonly source: Readonly<Record<string, unknown>>
}

/** A record of the repository; without a work it was deleted, for ever. */
export type HarvestRecord = {
  /** As the registry shows it: `ark:/naan/name`, or `ark:/naan/ddmmyyyy/name`. */
  readonly ark: string
  /** Seconds since 1970 of the last change of what harvesters see. */
  readonly datestamp: number
  /** Place of that change among all of them: no two records share one, and later is higher. */
  readonly position: number
  /** Slugs of the organizations whose sets have the record. */
  readonly sets: readonly string[]
  readonly work?: HarvestedWork
  /** What other works of the registry say of it, as it would say it; in formats that tell it. */
  readonly incoming?: readonly RelatedIdentifier[]
}

/** Which records a list has: datestamps in seconds, both ends included; of one organization. */
export type HarvestRange = {
  readonly from: number
  readonly until: number
  readonly set?: string
}

/**
 * Where a page of a list begins, after a position (at its first record, if there is none), and when
 * it is full: with so many records, or when those that it has are of so many bytes of metadata,
 * whichever comes first. It has one record at least.
 */
export type SlicePage = {
  readonly after?: number
  readonly limit: number
  readonly bytesEnough: number
}

/** Records of a list, and whether it has more after them. */
export type RecordSlice = {
  readonly records: readonly HarvestRecord[]
  readonly hasMore: boolean
}

/** An organization, as the set of the records that it registered. */
export type HarvestSet = { readonly slug: string; readonly name: string }

/**
 * What a source can tell at a time. A record with a datestamp before `at` is there, or will never
 * be: a harvester that asks again from it on misses nothing. It is now, unless the source knows
 * less. None is there after `until`, to which the lists go that are to have everything.
 */
export type Settled = { readonly at: number; readonly until: number }

/**
 * The records that harvesters take, in the order of their last change. Datestamps never go back as
 * positions go up, so a list goes on from a position; a record that changes moves to the end.
 */
export type RecordSource = {
  /** No datestamp is before it, and it never changes. Seconds since 1970. */
  readonly earliest: number
  /**
   * The limits of a list that is read now. Seconds since 1970; errors are the source's own.
   */
  settle(nowSeconds: number): Promise<Settled>
  /** The record with an ARK, `naan/name`. */
  record(ark: string): Promise<HarvestRecord | undefined>
  records(range: HarvestRange, page: SlicePage): Promise<RecordSlice>
  /** How many records a range has; beyond what is quickly counted, about how many. */
  count(range: HarvestRange): Promise<number>
  /** The name of an organization; undefined for an unknown slug. */
  setName(slug: string): string | undefined
  /** The first `limit` organizations by slug, after one. */
  sets(page: { readonly after?: string; readonly limit: number }): Promise<readonly HarvestSet[]>
}

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
    ...(state.content_file !== undefined && { content_file: state.content_file }),
    ...(size !== null && { fetched: { mediaType, size } }),
    source: publicSource(written.by),
  }
}
