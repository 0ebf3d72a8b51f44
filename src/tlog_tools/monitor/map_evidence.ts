import { constants, gzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { Check } from 'typebox/schema'

import { decodeMapLeaf } from '#log/tlog/map/map_leaf.ts'
import { checkMapProof } from '#log/tlog/map/map_proof.ts'
import { mapKey } from '#log/tlog/map/map_tree.ts'
import { decodeMapValue } from '#log/tlog/map/map_value.ts'
import { encodeBase64 } from '#log/tlog/encoding.ts'
import { LogError } from '#log/tlog/errors.ts'
import { formatNote, openNote, type Verifier } from '#log/tlog/note.ts'
import { equalBytes } from '#log/tlog/proof.ts'
import { tileWidth } from '#log/tlog/tile.ts'
import { EvidenceError } from '#src/client/verify/evidence_error.js'
import { judgeFraud } from '#src/client/verify/map_fraud.js'
import { isObject } from '#src/client/verify/receipt_form.js'
import { logKeyTypes, parseUsableVkey } from '#src/client/verify/signed_note.js'
import type { MapFraud, ProvenEntry } from '#src/client/verify/types.ts'
import { HttpError } from '#src/edge/errors.ts'
import { parseStrictJson } from '#src/edge/json_body.ts'
import { LogAlarm } from '#src/tlog_tools/monitor/alarm.ts'
import { readBundle } from '#src/tlog_tools/monitor/entry_check.ts'
import { getBytes, type LogSource, SourceError } from '#src/tlog_tools/monitor/log_source.ts'
import type { MapFault } from '#src/tlog_tools/monitor/map_watch.ts'
import { openHead, TileReader } from '#src/tlog_tools/monitor/tile_reader.ts'

const answerBytesMax = 1_100_000

/**
 * What a registry answers as the map proof of an ARK; nothing of it is verified. Throws
 * SourceError.
 */
export async function readMapProof(
  registry: string,
  ark: string,
  signal: AbortSignal,
): Promise<unknown> {
  const url = `${registry.replace(/\/+$/, '')}/v1/map/${ark.replace(/^ark:\//, 'ark:')}`
  const bytes = await getBytes(url, answerBytesMax, signal)
  try {
    const answer = parseStrictJson(Buffer.from(bytes))
    return isObject(answer) ? answer['map_proof'] : undefined
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    throw new SourceError('bad_reply', `${url} answers no JSON`, { cause: error })
  }
}

/** Where the proof of a lie is looked for. */
export type FraudSearch = {
  readonly source: LogSource
  readonly vkey: string
  readonly verifier: Verifier
  /** The newest verified head, and its signed note. */
  readonly tiles: TileReader
  readonly checkpoint: string
  /** Where map proofs are asked for; undefined if nowhere. */
  readonly registry: string | undefined
  /** Ends all requests. */
  readonly signal: AbortSignal
}

/** The head under which entries are proven. */
type Under = Pick<FraudSearch, 'tiles' | 'checkpoint'>

/** What a fraud proof is made of: the leaf indices of its entries, and the proof of an ARK. */
type Claim = {
  readonly ark: string
  readonly mapLeaf: number
  readonly mapProof: string | null
  readonly entry: number | null
}

const answerSchema = Type.Object({
  map_leaf: Type.String({ maxLength: 2_000 }),
  proof: Type.String({ maxLength: 6_000 }),
  checkpoint: Type.String({ maxLength: 1_000_000 }),
})

/**
 * The fraud proof of what was found (docs/map.md), as JSON in gzip: most of it is base64 and hex,
 * which is a third of the file. Undefined where nothing is found that a third party can judge
 * without all entries. What cannot be read is passed over.
 */
export async function findFraud(fault: MapFault, search: FraudSearch): Promise<Buffer | undefined> {
  const log = await parseUsableVkey(search.vkey, logKeyTypes).catch(unlessMalformed)
  if (log === undefined) return undefined
  for await (const [claim, under] of claimsOf(fault, search)) {
    const fraud = await tried(() => writeFraud(claim, { ...search, ...under }))
    const verdict = fraud && (await judgeFraud(fraud, { log }))
    if (verdict?.proven === true) return packFraud(fraud)
  }
  return undefined
}

/** A fraud proof as the file that it is handed on in. */
export function packFraud(fraud: MapFraud | undefined): Buffer {
  return gzipSync(JSON.stringify(fraud), { level: constants.Z_BEST_COMPRESSION })
}

async function* claimsOf(
  { leafIndex: mapLeaf, earlierLeaf, map, suspects }: MapFault,
  search: FraudSearch,
): AsyncGenerator<readonly [Claim, Under]> {
  const alone = { ark: '', mapProof: null }
  if (map !== undefined) yield [{ ...map, mapProof: map.proof, entry: null }, search]
  else yield [{ ...alone, mapLeaf, entry: earlierLeaf ?? null }, search]
  for (const { ark, leafIndex } of suspects) {
    const answer = await tried(() => readAnswer(ark, search))
    if (answer === undefined) continue
    const { about, under, ...claim } = answer
    yield [{ ...claim, ark, entry: null }, under]
    for (const entry of new Set([leafIndex, ...about])) yield [{ ...claim, ark, entry }, under]
  }
}

/** What a registry proves of an ARK now, and the entries that it says it is about. */
async function readAnswer(ark: string, search: FraudSearch) {
  const { registry, signal } = search
  if (registry === undefined) return undefined
  const answer = await readMapProof(registry, ark, signal)
  if (!Check(answerSchema, answer)) return undefined
  const { map_leaf: leaf, proof, checkpoint } = answer
  const under = await answeredHead(search, checkpoint)
  if (under === undefined) return undefined
  const { covers: mapLeaf, rootHash } = decodeMapLeaf(Buffer.from(leaf))
  const bytes = checkMapProof(Buffer.from(proof, 'base64'), mapKey(ark), rootHash)
  const value = bytes && decodeMapValue(bytes)
  const about = value === undefined ? [] : [value.versionLeaf, value.newestLeaf]
  return { mapLeaf, mapProof: proof, about, under }
}

/**
 * The head of an answer, if it is of one history with the known one: its tree ends with the map
 * leaf, of which the proof is half as long there as in a later tree.
 */
async function answeredHead(search: FraudSearch, checkpoint: string): Promise<Under | undefined> {
  const { source, verifier, tiles: known } = search
  const head = openHead(checkpoint, verifier)
  const tiles = new TileReader(head, (tile) => source.tile(tile))
  const size = Math.min(head.treeSize, known.treeSize)
  const isOurs = equalBytes(await tiles.rootAt(size), await known.rootAt(size))
  return isOurs ? { tiles, checkpoint } : undefined
}

async function writeFraud(
  { ark, mapLeaf, mapProof, entry }: Claim,
  { source, verifier, tiles, checkpoint }: FraudSearch,
): Promise<MapFraud> {
  const { text, verified } = openNote(checkpoint, [verifier])
  return {
    format: 'arklog-map-fraud-v1',
    ark,
    // The signature of the log is what accuses it; those of witnesses would make it long.
    checkpoint: formatNote(text, verified),
    map_leaf: await proveEntry(mapLeaf, source, tiles),
    map_proof: mapProof,
    entry: entry === null ? null : await proveEntry(entry, source, tiles),
  }
}

async function proveEntry(
  leafIndex: number,
  source: LogSource,
  tiles: TileReader,
): Promise<ProvenEntry> {
  if (leafIndex >= tiles.treeSize) throw new LogError('out_of_range', 'there is no such entry yet')
  const bundle = await readBundle(source, tiles, Math.floor(leafIndex / tileWidth))
  const text = Buffer.from(bundle[leafIndex % tileWidth] ?? []).toString('utf8')
  const proof = encodeBase64(Buffer.concat(await tiles.inclusionProof(leafIndex)))
  return { leaf_index: leafIndex, text, proof }
}

async function tried<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    const isTheirs = [SourceError, LogAlarm, LogError].some((kind) => error instanceof kind)
    if (isTheirs) return undefined
    throw error
  }
}

function unlessMalformed(error: unknown): undefined {
  if (!(error instanceof EvidenceError)) throw error
}
