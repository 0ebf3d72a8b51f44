import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

import type { SignedStatement } from '#actors/receipts/statement.ts'
import type { Checkpoint } from '#log/tlog/checkpoint.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import { leafHash } from '#log/tlog/hash.ts'
import { formatTlogProof } from '#log/tlog/tlog_proof.ts'
import { replaceFile } from '#src/keeping/data_dir/secret_file.ts'
import { keep } from '#src/tlog_tools/monitor/kept_file.ts'
import type { StatementOfWork } from '#src/tlog_tools/monitor/public_record.ts'
import type { Report } from '#src/tlog_tools/monitor/report.ts'
import type { TileReader } from '#src/tlog_tools/monitor/tile_reader.ts'

/** A head that proofs lead to: its signed checkpoint, and the tiles of its tree. */
export type ProofHead = {
  readonly head: Checkpoint
  readonly checkpoint: string
  readonly tiles: TileReader
}

/** A statement in the log that names what is watched for. */
export type Watched = {
  readonly leafIndex: number
  readonly entry: Uint8Array
  readonly statement: StatementOfWork
  readonly signature: SignedStatement['signature']
  /** The names of the watches. */
  readonly watches: readonly string[]
}

/**
 * Writes the proof of a statement into `watched/` of the state folder and gives the report of it:
 * `<leaf index>.tlog-proof` (C2SP tlog-proof), `<leaf index>.entry`, the bytes that it proves, and
 * `<leaf index>.json`, both in the form of a receipt, which `arklog verify` takes.
 */
export async function keepWatched(
  folder: string,
  watched: Watched,
  { head, checkpoint, tiles }: ProofHead,
  nowMs: number,
): Promise<Report> {
  const { leafIndex, entry, statement, signature, watches } = watched
  const proof = await tiles.inclusionProof(leafIndex)
  const file = path.join(folder, 'watched', String(leafIndex).padStart(12, '0'))
  const chainProof = {
    block_height: head.treeSize,
    merkle_root: encodeHex(head.rootHash),
    inclusion_proof: proof.map(encodeHex),
    leaf_index: leafIndex,
    tree_size: head.treeSize,
    checkpoint,
  }
  const receipt = { ...statement, signature, fixity_status: 'pending', chain_proof: chainProof }
  await replaceFile(`${file}.entry`, entry)
  await keep(`${file}.json`, receipt)
  const proofFile = `${file}.tlog-proof`
  await replaceFile(proofFile, formatTlogProof({ leafIndex, proof, checkpoint }))
  const { ark, version, timestamp, statement: kind } = statement
  return {
    id: `watched-${path.basename(file)}`,
    type: 'watched',
    at: new Date(nowMs).toISOString(),
    log: head.origin,
    kind,
    message: `${kind}: ${ark}, version ${version}, names ${watches.join(', ')}`,
    leaf_index: leafIndex,
    leaf_hash: encodeHex(leafHash(entry)),
    ark,
    version,
    timestamp,
    watches: [...watches],
    proof: proofFile,
  }
}

/** Notes which watches a work was named by, so that what comes after its withdrawal is told. */
export async function rememberWork(
  folder: string,
  ark: string,
  watches: readonly string[],
): Promise<void> {
  const before = await watchesOfWork(folder, ark)
  const all = [...new Set([...before, ...watches])]
  if (all.length > before.length) await keep(workFile(folder, ark), all)
}

/** The names of the watches that a work was named by before. */
export async function watchesOfWork(folder: string, ark: string): Promise<readonly string[]> {
  try {
    return JSON.parse(await readFile(workFile(folder, ark), 'utf8')) as string[]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function workFile(folder: string, ark: string): string {
  const name = createHash('sha256').update(ark).digest('hex').slice(0, 32)
  return path.join(folder, 'watched', 'works', name.slice(0, 2), `${name}.json`)
}
