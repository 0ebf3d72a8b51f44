import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Static, Type } from 'typebox'

import type { Checkpoint } from '#log/tlog/checkpoint.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import { leafHash } from '#log/tlog/hash.ts'
import { tileWidth } from '#log/tlog/tile.ts'
import { formatTlogProof } from '#log/tlog/tlog_proof.ts'
import { parseEntry, type SignedStatement } from '#actors/receipts/statement.ts'
import { replaceFile } from '#src/keeping/data_dir/secret_file.ts'
import { type Alarm, LogAlarm } from '#src/tlog_tools/monitor/alarm.ts'
import { readBundle } from '#src/tlog_tools/monitor/entry_check.ts'
import { type LogSource, SourceError } from '#src/tlog_tools/monitor/log_source.ts'
import { keep, readKept } from '#src/tlog_tools/monitor/monitor_state.ts'
import type { Outbox, Report } from '#src/tlog_tools/monitor/outbox.ts'
import type { TileReader } from '#src/tlog_tools/monitor/tile_reader.ts'
import {
  isOfStatement,
  namesArk,
  namesFacts,
  readPublicRecord,
  type StatementOfWork,
  type Watch,
} from '#src/tlog_tools/monitor/watch.ts'

const cursorsSchema = Type.Object(
  { schema: Type.Literal(1), next: Type.Record(Type.String(), Type.Integer({ minimum: 0 })) },
  { additionalProperties: false },
)
type Cursors = Readonly<Static<typeof cursorsSchema>['next']>

/** What is watched for, and where what was found is kept. */
export type WatchSettings = {
  readonly watches: readonly Watch[]
  /** The entry from which a new watch looks; undefined: from those that are new by then. */
  readonly from: number | undefined
  /** Address of the registry whose public records are read. */
  readonly registry: string
  readonly folder: string
  readonly outbox: Outbox
  readonly signal: AbortSignal
}

/**
 * What one scan saw: `isMore` if it ended at its bound, and not at the end of the log; `fault` why
 * it ended before, if the registry could not be read.
 */
export type WatchScan = {
  readonly found: number
  /** Statements about works whose records are withdrawn, or not as stated. */
  readonly unread: number
  /** Entries that are still to be looked at. */
  readonly left: number
  readonly isMore: boolean
  readonly fault: SourceError | undefined
  readonly alarms: readonly Alarm[]
}

type Tally = {
  /** The first leaf that was not looked at. */
  at: number
  found: number
  unread: number
  readonly alarms: Alarm[]
}

/** A statement, the watches that name it, and those that need a record which is gone. */
type Looked = Watched & { readonly gone: readonly Watch[] }

/** Bounds of one scan: entries that are looked at, and those at one time. */
const entriesMax = 4_096
const entriesAtOnce = 8

/**
 * Looks through the entries of a verified head for what is watched, from where each watch is. What
 * is found is in the outbox before the cursor passes it, so that nothing is missed whenever the
 * process ends; it may be told twice then, under the same id. What was looked at before a fault is
 * not looked at again. Throws LogAlarm if entries are not those of the head.
 */
export async function scanForWatches(
  settings: WatchSettings,
  source: LogSource,
  proof: ProofHead,
  nowMs: number,
): Promise<WatchScan> {
  const { treeSize } = proof.head
  const cursors = await openCursors(settings, treeSize)
  const from = Math.min(treeSize, ...Object.values(cursors))
  const to = Math.min(treeSize, from + entriesMax)
  const tally: Tally = { at: from, found: 0, unread: 0, alarms: [] }
  let fault: SourceError | undefined
  try {
    while (tally.at < to && !settings.outbox.isFull && !settings.signal.aborted) {
      const bundle = Math.floor(tally.at / tileWidth)
      const entries = await readBundle(source, proof.tiles, bundle)
      const end = Math.min(to, (bundle + 1) * tileWidth)
      await lookThrough(settings, proof, cursors, { entries, end, nowMs, tally })
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    fault = error
  }
  const { at, found, unread, alarms } = tally
  const left = treeSize - at
  const isMore = left > 0 && fault === undefined && !settings.outbox.isFull
  return { found, unread, left, isMore, fault, alarms }
}

type Part = {
  readonly entries: readonly Uint8Array[]
  /** One after the last leaf index, which is of this bundle. */
  readonly end: number
  readonly nowMs: number
  readonly tally: Tally
}

/** Looks at the entries of one bundle from where the tally is. */
async function lookThrough(
  settings: WatchSettings,
  proof: ProofHead,
  cursors: Cursors,
  { entries, end, nowMs, tally }: Part,
): Promise<void> {
  const start = tally.at
  try {
    while (tally.at < end && !settings.outbox.isFull) {
      const { at } = tally
      const indexes = Array.from({ length: Math.min(entriesAtOnce, end - at) }, (_, n) => at + n)
      const looks = indexes.map((leafIndex) => {
        const entry = entries[leafIndex % tileWidth] ?? new Uint8Array(0)
        return lookAt(settings, cursors, { leafIndex, entry, tally })
      })
      // All are waited for, so that none goes on beside what comes next.
      for (const look of await Promise.allSettled(looks)) {
        if (look.status === 'rejected') throw look.reason
        const watched = look.value && (await nameWorks(settings, look.value, tally))
        if (watched !== undefined) await tell(settings, watched, proof, nowMs)
        if (watched !== undefined) tally.found += 1
        tally.at += 1
      }
    }
  } finally {
    if (tally.at > start) await keepCursors(settings, cursors, tally.at)
  }
}

async function tell(settings: WatchSettings, watched: Watched, proof: ProofHead, nowMs: number) {
  const { folder, outbox } = settings
  const report = await keepWatched(folder, watched, proof, nowMs)
  await rememberWork(folder, watched.statement.ark, watched.watches)
  await outbox.add(report)
}

async function lookAt(
  settings: WatchSettings,
  cursors: Cursors,
  { leafIndex, entry, tally }: Pick<Watched, 'leafIndex' | 'entry'> & { readonly tally: Tally },
): Promise<Looked | undefined> {
  const watches = settings.watches.filter(({ name }) => (cursors[name] ?? 0) <= leafIndex)
  const signed = parseEntry(entry)
  if ('type' in signed || signed.statement.statement === 'key_rotated') return undefined
  const { statement, signature } = signed
  const byArk = watches.filter((watch) => isOfStatement(watch) && namesArk(watch, statement.ark))
  const others = watches.filter((watch) => !isOfStatement(watch))
  const byRecord = others.length > 0 ? await matchRecord(settings, statement, others, tally) : []
  const names = byArk.map(({ name }) => name)
  const found = { leafIndex, entry, statement, signature }
  if (byRecord !== 'gone') return { ...found, watches: [...names, ...byRecord], gone: [] }
  return { ...found, watches: names, gone: others }
}

/**
 * The watches of a statement whose record is gone are those by which its work was named before: one
 * statement after the other, because the one before may just have named it.
 */
async function nameWorks(
  { folder }: WatchSettings,
  { gone, ...found }: Looked,
  tally: Tally,
): Promise<Watched | undefined> {
  const { statement, watches } = found
  const before = gone.length > 0 ? await watchesOfWork(folder, statement.ark) : []
  const named = gone.filter(({ name }) => before.includes(name)).map(({ name }) => name)
  if (gone.length > 0 && named.length === 0) tally.unread += 1
  const all = [...watches, ...named]
  return all.length === 0 ? undefined : { ...found, watches: all }
}

async function matchRecord(
  { registry, signal }: WatchSettings,
  statement: StatementOfWork,
  watches: readonly Watch[],
  tally: Tally,
): Promise<readonly string[] | 'gone'> {
  const facts = await readPublicRecord(registry, statement, signal).catch((error: unknown) => {
    if (!(error instanceof LogAlarm)) throw error
    const evidence = new Map([['statement.json', Buffer.from(JSON.stringify(statement))]])
    // One shows what there is to see; a registry that lies of every work would fill the memory.
    if (tally.alarms.length === 0) {
      tally.alarms.push({ type: 'alarm', kind: error.code, message: error.message, evidence })
    }
    return 'withdrawn' as const
  })
  if (facts === 'withdrawn') return 'gone'
  return watches.filter((watch) => namesFacts(watch, facts)).map(({ name }) => name)
}

async function openCursors(
  { folder, watches, from }: WatchSettings,
  treeSize: number,
): Promise<Cursors> {
  const kept = await readKept(fileIn(folder), cursorsSchema)
  const next = watches.map(({ name }) => [name, kept?.next[name] ?? from ?? treeSize] as const)
  const cursors = Object.fromEntries(next)
  const isKnown = kept !== undefined && watches.every(({ name }) => Object.hasOwn(kept.next, name))
  // Where a new watch begins is kept at once: what comes after is not skipped by a later start.
  if (!isKnown) await keep(fileIn(folder), { schema: 1, next: cursors })
  return cursors
}

async function keepCursors({ folder }: WatchSettings, cursors: Cursors, at: number) {
  const moved = Object.entries(cursors).map(([name, next]) => [name, Math.max(next, at)] as const)
  await keep(fileIn(folder), { schema: 1, next: Object.fromEntries(moved) })
}

function fileIn(folder: string): string {
  return path.join(folder, 'watches.json')
}

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
async function keepWatched(
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
async function rememberWork(
  folder: string,
  ark: string,
  watches: readonly string[],
): Promise<void> {
  const before = await watchesOfWork(folder, ark)
  const all = [...new Set([...before, ...watches])]
  if (all.length > before.length) await keep(workFile(folder, ark), all)
}

/** The names of the watches that a work was named by before. */
async function watchesOfWork(folder: string, ark: string): Promise<readonly string[]> {
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
