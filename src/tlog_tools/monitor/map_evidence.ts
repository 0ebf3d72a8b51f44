import type { Checkpoint } from '#log/tlog/checkpoint.ts'
import { formatNote, openNote, type Verifier } from '#log/tlog/note.ts'
import { tileWidth } from '#log/tlog/tile.ts'
import { EvidenceError } from '#src/client/verify/evidence_error.js'
import { judgeFraud } from '#src/client/verify/map_fraud.js'
import { parseMapLeaf } from '#src/client/verify/map_proof.js'
import { isObject } from '#src/client/verify/receipt_form.js'
import { logKeyTypes, parseUsableVkey } from '#src/client/verify/signed_note.js'
import type { MapFraud, ProvenEntry } from '#src/client/verify/types.ts'
import { parseStrictJson } from '#src/edge/json_body.ts'
import { HttpError } from '#src/edge/errors.ts'
import { readBundle } from '#src/tlog_tools/monitor/entry_check.ts'
import { getBytes, type LogSource, SourceError } from '#src/tlog_tools/monitor/log_source.ts'
import type { MapFault } from '#src/tlog_tools/monitor/map_watch.ts'
import type { TileReader } from '#src/tlog_tools/monitor/tile_reader.ts'

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

/** What a fraud proof is made from: a verified head, its tiles, and where proofs are asked for. */
export type FraudParts = {
  readonly source: LogSource
  readonly tiles: TileReader
  readonly head: Checkpoint
  /** The signed note of the head. */
  readonly checkpoint: string
  readonly verifier: Verifier
  readonly vkey: string
  readonly registry: string | undefined
  readonly signal: AbortSignal
}

/**
 * Makes the fraud proof of a wrong map leaf (docs/map.md): of the leaf alone if that is enough, or
 * of what the registry itself proves by its map of one of the ARKs that the map may be wrong about.
 * Undefined if it proves none of them falsely now. Throws LogAlarm and SourceError of the log.
 */
export async function findFraud(fault: MapFault, parts: FraudParts): Promise<MapFraud | undefined> {
  const { verifier, registry, signal } = parts
  const { text, verified } = openNote(parts.checkpoint, [verifier])
  // Who else has signed it changes nothing of what the log has signed.
  const checkpoint = formatNote(text, verified)
  const form = { format: 'arklog-map-fraud-v1', checkpoint } as const
  const leaf = await provenEntry(parts, fault.leafIndex)
  const alone: MapFraud = { ...form, ark: '', map_leaf: leaf, map_proof: null, entry: null }
  if (await isProven(alone, parts)) return alone
  for (const { ark, leafIndex } of registry === undefined ? [] : fault.suspects.toReversed()) {
    const shown = await readMapProof(registry ?? '', ark, signal).catch(unlessUnread)
    const claim = isObject(shown) ? await claimIn(shown, parts) : undefined
    if (claim === undefined) continue
    const entry = await provenEntry(parts, leafIndex)
    const fraud: MapFraud = { ...form, ark, ...claim, entry }
    if (await isProven(fraud, parts)) return fraud
  }
  return undefined
}

/** The map leaf that a registry proves by, as the log has it, and its proof. */
async function claimIn(
  { map_leaf: text, proof }: Record<string, unknown>,
  parts: FraudParts,
): Promise<Pick<MapFraud, 'map_leaf' | 'map_proof'> | undefined> {
  if (typeof text !== 'string' || typeof proof !== 'string') return undefined
  try {
    const { covers } = parseMapLeaf(text)
    if (covers >= parts.head.treeSize) return undefined
    const leaf = await provenEntry(parts, covers)
    return leaf.text === text ? { map_leaf: leaf, map_proof: proof } : undefined
  } catch (error) {
    if (!(error instanceof EvidenceError)) throw error
    return undefined
  }
}

async function provenEntry(
  { source, tiles }: Pick<FraudParts, 'source' | 'tiles'>,
  leafIndex: number,
): Promise<ProvenEntry> {
  const entries = await readBundle(source, tiles, Math.floor(leafIndex / tileWidth))
  const entry = entries[leafIndex % tileWidth] ?? new Uint8Array(0)
  const proof = Buffer.concat(await tiles.inclusionProof(leafIndex)).toString('base64')
  return { leaf_index: leafIndex, text: Buffer.from(entry).toString('utf8'), proof }
}

async function isProven(fraud: MapFraud, { vkey }: Pick<FraudParts, 'vkey'>): Promise<boolean> {
  const log = await parseUsableVkey(vkey, logKeyTypes)
  return (await judgeFraud(fraud, { log })).proven
}

function unlessUnread(error: unknown): undefined {
  if (!(error instanceof SourceError)) throw error
}
