import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

import type { Rendered } from '#actors/registry/catalogue/port.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import type { Ark } from '#actors/values/ark.ts'
import { decodeMapValue } from '#log/tlog/map/map_value.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import { assert } from '#log/tlog/errors.ts'
import type { MapProof } from '#src/client/verify/types.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { RegistryLog } from '#src/use_cases/public_log.ts'
import type { WorkLookup } from '#src/use_cases/work_lookup.ts'

/** What the map has of an ARK, and all that proves it but the keys of the log (docs/map.md). */
export type MapRecord = {
  readonly ark_identifier: string
  readonly state: 'registered' | 'withdrawn' | 'contradictory' | 'absent'
  /** The newest version; null for an ARK that the map has not. */
  readonly version: number | null
  /** How many statements there are about it. */
  readonly statements: number
  readonly map_proof: MapProof
}

/** Answers of a log by one checkpoint, by the name: some 3 kB each. */
type HotRecords = {
  readonly head: ProvingHead
  readonly records: LRUCache<string, MapRecord>
}

/** The newest checkpoint of a log that is witnessed, or of a log without witnesses. */
type ProvingHead = { readonly treeSize: number }

const hotRecordsMax = 2_000
const hotRecords = new WeakMap<RegistryLog, HotRecords>()

/** The hot answers of a log by its newest checkpoint; those by an earlier one are given up. */
function hotRecordsOf(log: RegistryLog): HotRecords {
  const head = log.cosigned().witnessed ?? log.head()
  const known = hotRecords.get(log)
  if (known?.head === head) return known
  const hot = { head, records: new LRUCache<string, MapRecord>({ max: hotRecordsMax }) }
  hotRecords.set(log, hot)
  return hot
}

/** Statements name a work as it is shown, which may be with the day of its registration. */
function nameOf(catalogue: ServedEnvironment['catalogue'], ark: Ark): string {
  return catalogue.state(ark)?.identifier ?? `ark:/${ark}`
}

/** The answer about an ARK that has been made by the newest checkpoint; undefined for another. */
export function hotRecordOf(
  { log, catalogue }: Pick<ServedEnvironment, 'log' | 'catalogue'>,
  ark: Ark,
): { readonly record: MapRecord; readonly isCurrent: () => boolean } | undefined {
  const hot = hotRecordsOf(log)
  const record = hot.records.get(nameOf(catalogue, ark))
  return record && { record, isCurrent: () => hotRecordsOf(log) === hot }
}

/**
 * What the newest map that can be proven has of an ARK; undefined as long as there is none. Errors:
 * LogError `store_corrupt` while a damaged map is made anew.
 */
export async function mapRecordOf(
  { map, log, catalogue }: Pick<ServedEnvironment, 'map' | 'log' | 'catalogue'>,
  ark: Ark,
): Promise<MapRecord | undefined> {
  const name = nameOf(catalogue, ark)
  const { head, records } = hotRecordsOf(log)
  const known = records.get(name)
  if (known !== undefined) return known
  const evidence = await map?.prove(name)
  if (evidence === undefined) return undefined
  const { leafIndex, leaf, proof, value } = evidence
  const found = value && decodeMapValue(value)
  assert(value === undefined || found !== undefined, 'a map has values of its form')
  const { state = 'absent', version = null, statements = 0 } = found ?? {}
  const record: MapRecord = {
    ark_identifier: name,
    state: state === 'tombstoned' ? 'withdrawn' : state,
    version,
    statements,
    map_proof: {
      map_leaf: Buffer.from(leaf).toString('utf8'),
      proof: Buffer.from(proof).toString('base64'),
      inclusion_proof: log.inclusion(leafIndex, leafIndex + 1).map(encodeHex),
      checkpoint: mapCheckpoint(log, leafIndex + 1),
    },
  }
  // The map may still be one behind its checkpoint: then the answer will soon be another.
  if (head.treeSize === leafIndex + 1) records.set(name, record)
  return record
}

/**
 * An answer about a work with the member `map_proof`: what proves that it is the newest, or was
 * withdrawn.
 * Throws HttpError `not_found` for a log without a map, `unavailable` as long as there is none.
 */
export async function withMapProof(
  { environment, ark }: WorkLookup,
  rendered: Rendered,
): Promise<Rendered> {
  const { map_proof } = await provenRecord(environment, ark)
  const answer = JSON.parse(Buffer.from(rendered.body).toString('utf8')) as object
  const body = Buffer.from(JSON.stringify({ ...answer, map_proof }))
  return { ...rendered, body, etag: `"${hash('sha256', body)}"` }
}

/** What `mapRecordOf` gives. Throws HttpError `not_found`, `unavailable`, as above. */
export async function provenRecord(environment: ServedEnvironment, ark: Ark): Promise<MapRecord> {
  if (environment.map === undefined) {
    throw new HttpError('not_found', 'The log of this registry has no map')
  }
  const record = await mapRecordOf(environment, ark)
  if (record !== undefined) return record
  const extra = { retry_after: 1 }
  throw new HttpError('unavailable', 'There is no map that can be proven yet', { extra })
}

/** The checkpoint of a size that ends with a map leaf, with the newest cosignatures there are. */
function mapCheckpoint(log: RegistryLog, treeSize: number): string {
  const { witnessed } = log.cosigned()
  const heads = [witnessed, log.provingHead(treeSize - 1)]
  const head = heads.find((one) => one?.treeSize === treeSize)
  const checkpoint = head?.checkpoint ?? log.checkpointAt(treeSize)
  assert(checkpoint !== undefined, 'a checkpoint ends with each map leaf')
  return checkpoint
}
