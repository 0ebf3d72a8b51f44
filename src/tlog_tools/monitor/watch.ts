import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Static, Type } from 'typebox'

import {
  metadataHash,
  type Statement,
  parseEntry,
  type SignedStatement,
} from '#actors/works/receipts/statement.ts'
import { parseArk } from '#actors/values/ark.ts'
import { foldDoi, foldDoiPrefix, foldOrcid } from '#actors/values/identifier.ts'
import { canonicalJson, parseJson } from '#actors/values/serialization.ts'
import type { Checkpoint } from '#log/tlog/checkpoint.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import { leafHash } from '#log/tlog/hash.ts'
import { tileWidth } from '#log/tlog/tile.ts'
import { formatTlogProof } from '#log/tlog/tlog_proof.ts'
import { isObject } from '#src/client/verify/receipt_form.js'
import { replaceFile } from '#src/keeping/data_dir/secret_file.ts'
import { LogAlarm, type Alarm } from '#src/tlog_tools/monitor/alarm.ts'
import { readBundle } from '#src/tlog_tools/monitor/entry_check.ts'
import { getBytes, SourceError, type LogSource } from '#src/tlog_tools/monitor/log_source.ts'
import { keep, readKept } from '#src/tlog_tools/monitor/monitor_state.ts'
import type { Outbox, Report } from '#src/tlog_tools/monitor/outbox.ts'
import type { TileReader } from '#src/tlog_tools/monitor/tile_reader.ts'

/** A name or person that is watched for. `name` is its spelling, the same for all spellings. */
export type Watch = {
  readonly type: 'organization' | 'doi' | 'doi_prefix' | 'orcid' | 'ark'
  readonly name: string
  readonly value: string
}

/** The parts of a record that can be watched for. */
export type WatchedFacts = {
  /** The slug of the organization that has registered it; the registry's word, not hashed. */
  readonly organization: string | undefined
  readonly doi: string | undefined
  readonly orcids: readonly string[]
}

/**
 * Reads what is to be watched for: `org:demo`, `10.1234/` (all DOIs of a prefix), a DOI, an ORCID
 * iD or an ARK. Undefined if it is none of these.
 */
export function parseWatch(text: string): Watch | undefined {
  const slug = /^org:([a-z0-9]+(?:-[a-z0-9]+)*)$/.exec(text)?.[1]
  if (slug !== undefined) return { type: 'organization', name: `org:${slug}`, value: slug }
  const prefix = foldDoiPrefix(text)
  if (prefix !== undefined) return { type: 'doi_prefix', name: prefix, value: prefix }
  const orcid = foldOrcid(text)
  if (orcid !== undefined) return { type: 'orcid', name: orcid, value: orcid }
  const doi = foldDoi(text)
  if (doi !== undefined) return { type: 'doi', name: doi, value: doi }
  const parsed = parseArk(text)
  if (parsed.type !== 'ark') return undefined
  return { type: 'ark', name: `ark:/${parsed.ark}`, value: parsed.ark }
}

/** Whether a watch can be judged by the statement alone, without the record. */
function isOfStatement({ type }: Watch): boolean {
  return type === 'ark'
}

/** Whether a statement about an ARK (`ark:/naan/name`) is what an ARK watch is for. */
export function namesArk({ value }: Watch, ark: string): boolean {
  const parsed = parseArk(ark)
  return parsed.type === 'ark' && parsed.ark === value
}

/** Whether a record names what is watched for. */
export function namesFacts({ type, value }: Watch, facts: WatchedFacts): boolean {
  switch (type) {
    case 'organization':
      return facts.organization === value
    case 'doi':
      return facts.doi === value
    case 'doi_prefix':
      return facts.doi?.startsWith(value) ?? false
    case 'orcid':
      return facts.orcids.includes(value)
    case 'ark':
      return false
  }
}

/** A statement about a version of a work. */
export type StatementOfWork = Extract<Statement, { readonly ark: string }>

/** The longest records have thousands of authors. */
const recordBytesMax = 32_000_000

/** The address of the registry whose log is at `url`, or that `url` itself is of. */
export function registryOf(url: string): string {
  return url.replace(/\/+$/, '').replace(/(?:\/sandbox)?\/log$/, '')
}

/**
 * Reads the parts that can be watched for from the registry's public record of a version. The
 * metadata must have the hash in the statement, otherwise LogAlarm `bad_record`; the organization
 * is the one in the record. `withdrawn` if there is a tombstone in its place. Throws SourceError.
 */
async function readPublicRecord(
  registry: string,
  statement: StatementOfWork,
  signal: AbortSignal,
): Promise<WatchedFacts | 'withdrawn'> {
  const { ark, version } = statement
  const url = `${registry}/api/v1/resolve/${ark.replace(/^ark:\//, 'ark:')}/v${version}`
  try {
    return factsIn(await getBytes(url, recordBytesMax, signal), statement)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    if (error.code === 'gone') return 'withdrawn'
    if (error.code === 'unreachable') throw error
    throw badRecord(statement, error.message, error)
  }
}

function factsIn(bytes: Uint8Array, statement: StatementOfWork): WatchedFacts {
  const record = parse(bytes, statement)
  const metadata = record['metadata']
  if (!isObject(metadata)) throw badRecord(statement, 'it has no metadata')
  if (hashOf(metadata) !== statement.metadata_hash) {
    throw badRecord(statement, 'its metadata does not hash to what was stated')
  }
  const { existing_doi: doi, author_details: authors } = metadata
  return {
    organization: organizationIn(record['source']),
    doi: typeof doi === 'string' ? doi.toLowerCase() : undefined,
    orcids: Array.isArray(authors) ? authors.flatMap(orcidOf) : [],
  }
}

function hashOf(metadata: object): string | undefined {
  try {
    return metadataHash(canonicalJson(metadata))
  } catch {
    // Half a character has no canonical form, and so no hash.
    return undefined
  }
}

function organizationIn(source: unknown): string | undefined {
  if (!isObject(source) || source['type'] !== 'organization') return undefined
  return typeof source['id'] === 'string' ? source['id'] : undefined
}

function orcidOf(author: unknown): string[] {
  if (!isObject(author) || typeof author['orcid'] !== 'string') return []
  return [author['orcid']]
}

function parse(bytes: Uint8Array, statement: StatementOfWork): Record<string, unknown> {
  const value = parseJson(Buffer.from(bytes).toString('utf8'))
  if (isObject(value)) return value
  throw badRecord(statement, 'it is no JSON object')
}

function badRecord({ ark, version }: StatementOfWork, what: string, cause?: unknown): LogAlarm {
  const message = `the public record of ${ark}, version ${version}, is not as stated: ${what}`
  return new LogAlarm('bad_record', message, { cause })
}

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
