import { LRUCache } from 'lru-cache'

import { parseEntry, type SignedStatement } from '#actors/works/receipts/statement.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { parseArk } from '#actors/values/ark.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import { assert } from '#log/tlog/errors.ts'
import { decodeMapLeaf, isMapLeaf, type MapLeaf } from '#log/tlog/map/map_leaf.ts'
import { checkpointIn } from '#log/tlog/checkpoint.ts'
import { parseDecimal } from '#log/tlog/encoding.ts'
import { leafHash as hashLeaf, nodeHash } from '#log/tlog/hash.ts'
import { describeQuorum, parsePolicy } from '#log/tlog/policy.ts'
import { checkInclusion } from '#log/tlog/proof.ts'

/** The log of an environment. */
export type RegistryLog = ServedEnvironment['log']

/** An entry of a registry's log: its bytes, and what they say. */
export type LoggedStatement = SignedStatement & {
  readonly leafIndex: number
  readonly entry: Uint8Array
}

/** A map leaf of a registry's log: its bytes, and what they say. */
export type LoggedMapLeaf = {
  readonly leafIndex: number
  readonly entry: Uint8Array
  readonly mapLeaf: MapLeaf
}

/** An entry of a registry's log. */
export type LoggedEntry = LoggedStatement | LoggedMapLeaf

/** Reads the entry at a leaf. Errors: LogError `out_of_range` beyond the newest head. */
export function readLogged(log: RegistryLog, leafIndex: number): LoggedEntry {
  return logged(leafIndex, log.entry(leafIndex))
}

/** Reads the entries from one leaf index up to, not including, another. Errors as above. */
export async function readLoggedRange(
  log: RegistryLog,
  from: number,
  to: number,
): Promise<LoggedEntry[]> {
  const entries = await Array.fromAsync(log.entries(from, to))
  return entries.map((entry, place) => logged(from + place, entry))
}

/**
 * When the newest of the statements up to a leaf was signed, as receipts spell it. A map leaf has
 * no time, and follows a statement. Errors as above.
 */
export function signingTime(log: RegistryLog, leafIndex: number): string {
  const found = readLogged(log, leafIndex)
  return 'mapLeaf' in found ? signingTime(log, leafIndex - 1) : found.statement.timestamp
}

function logged(leafIndex: number, entry: Uint8Array): LoggedEntry {
  if (isMapLeaf(entry)) return { leafIndex, entry, mapLeaf: decodeMapLeaf(entry) }
  const parsed = parseEntry(entry)
  assert(!('type' in parsed), 'the log has entries of its own making only')
  return { leafIndex, entry, ...parsed }
}

/** One step up the tree: the sibling, where it stands, which entries it is of, and the parent. */
export type PathStep = {
  readonly side: 'left' | 'right'
  readonly sibling: Uint8Array
  /** The entries below the sibling: from the first up to, not including, the last. */
  readonly from: number
  readonly to: number
  readonly parent: Uint8Array
}

/** How an entry leads to the root of a signed checkpoint. */
export type ProvenEntry = {
  readonly leafIndex: number
  readonly leafHash: Uint8Array
  readonly steps: readonly PathStep[]
  readonly treeSize: number
  readonly rootHash: Uint8Array
  readonly checkpoint: string
}

/**
 * Proves an entry by the newest checkpoint that witnesses have signed, if that covers it, or else
 * by the newest. Errors: LogError `out_of_range`.
 */
export function proveEntry(log: RegistryLog, leafIndex: number): ProvenEntry {
  const leafHash = hashLeaf(log.entry(leafIndex))
  const { witnessed } = log.cosigned()
  const isCovered = witnessed !== undefined && witnessed.treeSize > leafIndex
  const { checkpoint } = isCovered ? witnessed : log.newestCheckpoint()
  const { treeSize, rootHash } = checkpointIn(checkpoint)
  const proof = log.inclusion(leafIndex, treeSize)
  const steps: PathStep[] = []
  let hash = leafHash
  let covered = { from: leafIndex, to: leafIndex + 1 }
  // The check that every verifier makes knows the sides: it is watched here.
  const nodeOf = (left: Uint8Array, right: Uint8Array) => {
    const parent = nodeHash(left, right)
    const side = right === hash ? 'left' : 'right'
    const range = side === 'left' ? leftSibling(covered) : rightSibling(covered, treeSize)
    steps.push({ side, sibling: side === 'left' ? left : right, ...range, parent })
    covered = { from: Math.min(covered.from, range.from), to: Math.max(covered.to, range.to) }
    hash = parent
    return parent
  }
  const claim = { leafHash, leafIndex, treeSize, proof, rootHash }
  checkInclusion(claim, { leafHash: hashLeaf, nodeHash: nodeOf })
  return { leafIndex, leafHash, steps, treeSize, rootHash, checkpoint }
}

type Entries = { readonly from: number; readonly to: number }

/** A sibling on the left is a whole tree: as large as the largest power of two that ends there. */
function leftSibling({ from }: Entries): Entries {
  let size = 1
  while (from % (2 * size) === 0) size *= 2
  return { from: from - size, to: from }
}

/** A sibling on the right is as large as its neighbour, which is whole, or what there is. */
function rightSibling({ from, to }: Entries, treeSize: number): Entries {
  return { from: to, to: Math.min(treeSize, to + (to - from)) }
}

/** A signed checkpoint of a log, with what came with it. */
export type PastCheckpoint = {
  readonly treeSize: number
  readonly rootHash: Uint8Array
  readonly checkpoint: string
  /** When the newest of its entries was signed, as receipts spell it. */
  readonly signedAt: string
}

/** A checkpoint of a list, and how many entries came since the one before it. */
export type ListedCheckpoint = PastCheckpoint & { readonly added: number }

/** A page of checkpoints, the newest first; `next` is where the next page begins. */
export type CheckpointList = {
  readonly checkpoints: readonly ListedCheckpoint[]
  readonly next: number | null
}

/**
 * Two checkpoints and the proof that the larger tree begins with the smaller; or why they are not
 * compared: a size that the log has not signed, with those nearby that it has, or sizes of which
 * nothing is proven, in a sentence.
 */
export type Comparison =
  | {
      readonly type: 'compared'
      readonly older: PastCheckpoint
      readonly newer: PastCheckpoint
      readonly proof: readonly Uint8Array[]
    }
  | { readonly type: 'unsigned'; readonly treeSize: number; readonly nearby: readonly number[] }
  | { readonly type: 'refused'; readonly fault: LogFault }

/** Lists checkpoints of sizes below `before`, `limit` of them at most. */
export async function listCheckpoints(
  log: RegistryLog,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<CheckpointList> {
  // One more tells how many entries the last of the page has added.
  const heads = await log.checkpointsBefore({ before, limit: limit + 1 })
  const checkpoints = heads.slice(0, limit).map(({ treeSize, checkpoint }, index) => {
    const earlier = heads[index + 1]?.treeSize ?? 0
    return { ...pastCheckpoint(log, treeSize, checkpoint), added: treeSize - earlier }
  })
  const next = heads.length > limit ? (checkpoints.at(-1)?.treeSize ?? null) : null
  return { checkpoints, next }
}

/** Compares the checkpoints of two sizes. */
export async function compareCheckpoints(
  log: RegistryLog,
  from: number,
  to: number,
): Promise<Comparison> {
  const { treeSize: newest } = log.head()
  if (from > to) {
    return {
      type: 'refused',
      fault: { code: 'olderFirst', from, to },
    }
  }
  if (from === 0) {
    return { type: 'refused', fault: { code: 'emptyOlder' } }
  }
  const signed = (treeSize: number) => (treeSize > newest ? undefined : log.checkpointAt(treeSize))
  const [older, newer] = [signed(from), signed(to)]
  if (older === undefined || newer === undefined) {
    const treeSize = older === undefined ? from : to
    return { type: 'unsigned', treeSize, nearby: await signedNearby(log, treeSize) }
  }
  return {
    type: 'compared',
    older: pastCheckpoint(log, from, older),
    newer: pastCheckpoint(log, to, newer),
    proof: log.consistency(from, to),
  }
}

async function signedNearby(log: RegistryLog, treeSize: number): Promise<number[]> {
  const [before, after] = await Promise.all([
    log.checkpointsBefore({ before: treeSize, limit: 1 }),
    log.checkpoints({ after: treeSize, limit: 1 }),
  ])
  return [...before, ...after].map((head) => head.treeSize)
}

/** With its cosignatures, where those of its size are at hand. */
function pastCheckpoint(log: RegistryLog, treeSize: number, checkpoint: string): PastCheckpoint {
  const { rootHash } = checkpointIn(checkpoint)
  const known = [log.newestCheckpoint(), log.cosigned().witnessed]
  const cosigned = known.find((head) => head?.treeSize === treeSize)
  return {
    treeSize,
    rootHash,
    checkpoint: cosigned?.checkpoint ?? checkpoint,
    signedAt: signingTime(log, treeSize - 1),
  }
}

/**
 * The entries of a log from a time on, until another one, in milliseconds since 1970: the index of
 * the first, and that behind the last. They are found by halves, for the times of statements never
 * go back.
 */
export function entriesBetween(
  log: RegistryLog,
  fromMs: number,
  untilMs: number,
): { readonly first: number; readonly end: number } {
  const firstFrom = (timeMs: number) => {
    let [low, high] = [0, log.head().treeSize]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const at = Date.parse(signingTime(log, middle))
      if (at < timeMs) low = middle + 1
      else high = middle
    }
    return low
  }
  return { first: firstFrom(fromMs), end: firstFrom(untilMs) }
}

/** That the log had so many entries at a time, in milliseconds since 1970. */
export type GrowthPoint = { readonly atMs: number; readonly treeSize: number }

/** The same, and that so many of the entries came with one commit, the last one. */
export type CommitPoint = GrowthPoint & { readonly entries: number }

/** How a log has grown: times in order, and commits at places that are evenly spread. */
export type LogGrowth = {
  readonly points: readonly GrowthPoint[]
  readonly commits: readonly CommitPoint[]
}

/** Places of a log that are looked at, and those at which commits are. */
const pointsMax = 200
const commitsMax = 50

/** Times that are kept: those of two rounds of places, as the steps between them have doubled. */
const timesKeptMax = 2 * (pointsMax + commitsMax)

/**
 * Tells how a log has grown. The times are those of its statements, which never go back. It reads
 * so many entries at most, whatever the size: those at the multiples of a power of two, so that
 * what is known of them stays good while the log grows. There is one for each log.
 */
export class LogGrowthReader {
  readonly #log: RegistryLog
  readonly #times = new LRUCache<number, number>({ max: timesKeptMax })
  readonly #commits = new LRUCache<number, CommitPoint>({ max: 2 * commitsMax })
  #known: { readonly treeSize: number; readonly growth: Promise<LogGrowth> } | undefined

  constructor(log: RegistryLog) {
    this.#log = log
  }

  /** How the log has grown up to its newest head. */
  read(): Promise<LogGrowth> {
    const { treeSize } = this.#log.head()
    if (this.#known?.treeSize !== treeSize) {
      const growth = this.#read(treeSize)
      this.#known = { treeSize, growth }
      // What has failed is tried again.
      growth.catch(() => (this.#known = undefined))
    }
    return this.#known.growth
  }

  async #read(treeSize: number): Promise<LogGrowth> {
    const points = placesOf(treeSize, pointsMax).map((leafIndex) => {
      return { atMs: this.#timeOf(leafIndex), treeSize: leafIndex + 1 }
    })
    const commits: CommitPoint[] = []
    for (const leafIndex of placesOf(treeSize, commitsMax)) {
      const commit = await this.#commitOf(leafIndex)
      if (commit !== undefined && commit.treeSize !== commits.at(-1)?.treeSize) commits.push(commit)
    }
    return { points, commits }
  }

  #timeOf(leafIndex: number): number {
    const known = this.#times.get(leafIndex)
    if (known !== undefined) return known
    const time = Date.parse(signingTime(this.#log, leafIndex))
    this.#times.set(leafIndex, time)
    return time
  }

  /** The commit that a leaf came with. */
  async #commitOf(leafIndex: number): Promise<CommitPoint | undefined> {
    const known = this.#commits.get(leafIndex)
    if (known !== undefined) return known
    const [[after], [before]] = await Promise.all([
      this.#log.checkpoints({ after: leafIndex, limit: 1 }),
      this.#log.checkpointsBefore({ before: leafIndex + 1, limit: 1 }),
    ])
    if (after === undefined) return undefined
    const { treeSize } = after
    const entries = treeSize - (before?.treeSize ?? 0)
    const commit = { atMs: this.#timeOf(treeSize - 1), treeSize, entries }
    this.#commits.set(leafIndex, commit)
    return commit
  }
}

function placesOf(treeSize: number, placesMax: number): number[] {
  if (treeSize === 0) return []
  let step = 1
  while (treeSize / step > placesMax - 1) step *= 2
  const places = Array.from({ length: Math.ceil(treeSize / step) }, (_, index) => index * step)
  const last = treeSize - 1
  return places.at(-1) === last ? places : [...places, last]
}

/** Why nothing is found or compared in a log, with what its sentence names. */
export type LogFault =
  | { readonly code: 'tooLong' | 'emptyOlder' }
  | { readonly code: 'notName' | 'notNumber' | 'notReceipt'; readonly text: string }
  | { readonly code: 'notArk'; readonly text: string; readonly reason: string }
  | { readonly code: 'noHash'; readonly hash: string }
  | { readonly code: 'noEntry'; readonly index: number; readonly treeSize: number }
  | { readonly code: 'noReceipt'; readonly id: string }
  | { readonly code: 'noWork'; readonly ark: string }
  | {
      readonly code: 'noVersion'
      readonly ark: string
      readonly version: string
      readonly newest: number
    }
  | { readonly code: 'olderFirst'; readonly from: number; readonly to: number }

/**
 * What a text names in a log: the entries of a version or of a hash; or why none. A
 * text that has no form that names entries is `unknown`.
 */
type LogFinding =
  | { readonly type: 'found'; readonly what: string; readonly leaves: readonly number[] }
  | { readonly type: 'missing' | 'unknown'; readonly fault: LogFault }

const searchCharactersMax = 300

/** Versions of a work whose entries are listed: the newest ones. */
const versionsMax = 10

const hexHash = /^(?:sha256:)?([0-9a-f]{64})$/i
const base64Hash = /^[A-Za-z0-9+/_-]{43}=?$/
const receiptForm = /^rcpt_\d{4}_\d\d_\d\d_[0-9a-z]{12}$/

/**
 * Finds entries by their leaf index, a leaf hash (hex or base64), a receipt id, or an
 * ARK with or without its version. It costs the same for a log of any size.
 */
export async function findInLog(
  environment: ServedEnvironment,
  asked: string,
): Promise<LogFinding> {
  const text = asked.trim()
  if (text.length > searchCharactersMax) {
    return { type: 'unknown', fault: { code: 'tooLong' } }
  }
  const leafHash = readHash(text)
  if (leafHash !== undefined) return findHash(environment, leafHash)
  if (/^[\d,]+$/.test(text)) return findIndex(environment, text.replaceAll(',', ''))
  if (text.startsWith('rcpt_')) return findReceipt(environment, text)
  if (/^(?:https?:\/\/[^/]+\/)?ark:/i.test(text)) return findArk(environment, text)
  return { type: 'unknown', fault: { code: 'notName', text } }
}

function readHash(text: string): Buffer | undefined {
  const [, digits] = hexHash.exec(text) ?? []
  if (digits !== undefined) return Buffer.from(digits, 'hex')
  return base64Hash.test(text) ? Buffer.from(text, 'base64') : undefined
}

async function findHash({ log }: ServedEnvironment, leafHash: Buffer): Promise<LogFinding> {
  const leafIndex = await log.findLeaf(leafHash)
  const hex = leafHash.toString('hex')
  if (leafIndex !== undefined) return { type: 'found', what: hex, leaves: [leafIndex] }
  return { type: 'missing', fault: { code: 'noHash', hash: hex } }
}

function findIndex({ log }: ServedEnvironment, digits: string): LogFinding {
  const leafIndex = parseDecimal(digits)
  const { treeSize } = log.head()
  if (leafIndex === undefined) {
    return { type: 'unknown', fault: { code: 'notNumber', text: digits } }
  }
  if (leafIndex < treeSize) return { type: 'found', what: digits, leaves: [leafIndex] }
  return { type: 'missing', fault: { code: 'noEntry', index: leafIndex, treeSize } }
}

function findReceipt({ catalogue }: ServedEnvironment, text: string): LogFinding {
  if (!receiptForm.test(text)) {
    return { type: 'unknown', fault: { code: 'notReceipt', text } }
  }
  const place = catalogue.findReceipt(text)
  const leaves = place && catalogue.leaves(place.ark, place.version)
  if (leaves !== undefined && leaves.length > 0) {
    return { type: 'found', what: text, leaves }
  }
  return { type: 'missing', fault: { code: 'noReceipt', id: text } }
}

function findArk({ catalogue }: ServedEnvironment, text: string): LogFinding {
  const [, bare = text, digits] = /^(.+)\/v(\d+)$/.exec(text) ?? []
  const parsed = parseArk(bare)
  if (parsed.type === 'malformed') {
    return { type: 'unknown', fault: { code: 'notArk', text, reason: parsed.reason } }
  }
  const { ark, components, variants } = parsed
  const state = catalogue.state(ark)
  if (state === undefined || components !== '' || variants !== '') {
    const named = `ark:/${ark}${components}${variants}`
    return { type: 'missing', fault: { code: 'noWork', ark: named } }
  }
  const { identifier, version: newest } = state
  const count = Math.min(newest, versionsMax)
  const versions =
    digits === undefined ? Array.from({ length: count }, (_, age) => newest - age) : [+digits]
  const leaves = versions.flatMap((version) => catalogue.leaves(ark, version) ?? [])
  if (leaves.length > 0) {
    const what = digits === undefined ? identifier : `${identifier}/v${digits}`
    return { type: 'found', what, leaves: leaves.toSorted((a, b) => a - b) }
  }
  const version = digits ?? `${newest}`
  return { type: 'missing', fault: { code: 'noVersion', ark: identifier, version, newest } }
}

/** Who witnesses a log, and what each has signed last. Times are ISO, by the witness' own clock. */
export type LogWitnesses = {
  /** Who must sign, as C2SP tlog-policy; null if the log has no witnesses. */
  readonly policy: string | null
  /** The same in words, such as `2 of (one, two, three)`. */
  readonly quorum: string | null
  readonly tree_size: number
  /** The newest checkpoint that has its quorum. */
  readonly witnessed: { readonly tree_size: number; readonly checkpoint: string } | null
  readonly witnesses: {
    readonly name: string
    readonly vkey: string
    readonly tree_size: number | null
    readonly signed_at: string | null
  }[]
}

// The last second that a date can be of (ECMA-262, time values).
const secondsMax = 8_640_000_000_000

/** Describes the witnesses of a log. */
export function describeWitnesses(reader: RegistryLog): LogWitnesses {
  const { policy: text, witnessed, witnesses } = reader.cosigned()
  const policy = text === '' ? undefined : parsePolicy(text)
  const named = policy?.witnesses ?? []
  return {
    policy: text === '' ? null : text,
    quorum: policy === undefined ? null : describeQuorum(policy),
    tree_size: reader.head().treeSize,
    witnessed: witnessed
      ? { tree_size: witnessed.treeSize, checkpoint: witnessed.checkpoint }
      : null,
    witnesses: named.map(({ name, vkey }) => {
      const mark = witnesses.find((one) => one.vkey === vkey)
      return {
        name,
        vkey,
        tree_size: mark?.treeSize ?? null,
        // An older release has kept times of any witness, also those beyond our calendar.
        signed_at:
          mark === undefined || mark.timestamp > secondsMax
            ? null
            : formatTimestamp(mark.timestamp * 1_000),
      }
    }),
  }
}
