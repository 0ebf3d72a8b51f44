import type { CommitNotice, RecordFeed } from '#actors/registry/catalogue/feeds.ts'
import type { Harvest } from '#actors/registry/catalogue/harvest.ts'
import type { OwnerLists } from '#actors/registry/catalogue/owner_lists.ts'
import type { Catalogue } from '#actors/registry/catalogue/port.ts'
import type { Claims } from '#actors/people/claims/port.ts'
import type { ContentFetcher, Fixity } from '#actors/works/fixity/client.ts'
import type { ClockGuard, ClockStatus, LogClock } from '#actors/journal/clock_guard.ts'
import type { JournalHead } from '#actors/journal/pool.ts'
import type { SharedRegistry, SharedSequencer } from '#actors/journal/shared_sequencer.ts'
import type { ActorReport } from '#actors/kernel/actor_error.ts'
import type { Subscription } from '#actors/kernel/publication.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import type { Organizations } from '#actors/people/organizations/events.ts'
import type { People } from '#actors/people/port.ts'
import type { PersonSeal } from '#actors/people/record.ts'
import type { ReceiptKeyQueries, ReceiptKeys } from '#actors/works/receipts/keys.ts'
import type { ReceiptSigner } from '#actors/works/receipts/statement.ts'
import type { Witnessing } from '#actors/registry/witnessing.ts'
import type { RandomBytes } from '#actors/values/ark.ts'
import type { Works } from '#actors/works/port.ts'
import type { Row } from '#log/store/store.ts'
import type { DamageStatus } from '#log/store/damage.ts'
import { cacheBytesDefault, writeBufferBytesDefault } from '#log/store/level_store.ts'
import type { LiveMap, LiveMapOptions, MapStatus } from '#log/store/live_map.ts'
import type { LogReader } from '#log/store/log_reader.ts'
import type { ScrubCounters } from '#log/store/scrub.ts'
import type { Cosigned } from '#log/store/witnessed_history.ts'
import type { Ed25519Key } from '#log/tlog/ed25519.ts'

export const environmentNames = ['live', 'sandbox'] as const

export type EnvironmentName = (typeof environmentNames)[number]

/** Something of each environment, made in their order. */
export function perEnvironment<T>(
  make: (name: EnvironmentName) => T,
): Readonly<Record<EnvironmentName, T>> {
  return { live: make('live'), sandbox: make('sandbox') }
}

/** What an opening does on its store, in its order; `views` only where they must be rebuilt. */
export type OpeningStep = 'log' | 'views' | 'witnesses'

/** Is told what an opening does next, and of `views` how many events of how many are done. */
export type OnOpening = (step: OpeningStep, done?: number, total?: number) => void

/** Bounds on what an environment holds in memory and on how long an answer may take. */
export type EnvironmentLimits = {
  /** Entries that may wait for one commit. */
  readonly poolEntriesMax: number
  /** Messages that may wait for the sequencer, and for each shard of the works and so on. */
  readonly mailboxMax: number
  /** Messages that may wait for one work, organization or person. */
  readonly entityMailboxMax: number
  /** Works that may be in memory at once, and organizations, and people. */
  readonly entitiesMax: number
  /** How long one of these stays in memory for its next command, and at most twice as long. */
  readonly entityIdleMs: number
  readonly askTimeoutMs: number
  /** Bytes of replies that are kept ready. */
  readonly replyCacheBytesMax: number
  /** Free bytes of the disk below which nothing is written. */
  readonly diskReserveBytes: number
  /** LevelDB's write buffer and block cache, in bytes. */
  readonly writeBufferBytes: number
  readonly cacheBytes: number
  /** Checks of content under way at one time, and those whose content one host serves. */
  readonly checksMax: number
  readonly hostChecksMax: number
  /** Rows that the background reader checks at a time, and how long it rests in between. */
  readonly scrubRows: number
  readonly scrubPauseMs: number
}

export const environmentLimits: EnvironmentLimits = {
  poolEntriesMax: 8_192,
  mailboxMax: 16_384,
  entityMailboxMax: 1_024,
  entitiesMax: 16_384,
  entityIdleMs: 10_000,
  askTimeoutMs: 30_000,
  replyCacheBytesMax: 32 * 1_048_576,
  diskReserveBytes: 128 * 1_048_576,
  writeBufferBytes: writeBufferBytesDefault,
  cacheBytes: cacheBytesDefault,
  // Most of them wait for the pace of their host, which takes no memory to speak of.
  checksMax: 64,
  hostChecksMax: 16,
  // A store of a million works is read once in a few hours, at less than a hundredth of a core.
  scrubRows: 500,
  scrubPauseMs: 1_000,
}

/** How the map of a log is kept. */
export type MapOptions = Pick<LiveMapOptions, 'intervalMs' | 'isWitnessed'>

/** Proves what the map of a log says; undefined as long as there is nothing to prove by. */
export type MapProver = Pick<LiveMap, 'prove'>

/** Everything an environment is made from. Times, randomness and keys are passed in. */
export type EnvironmentOptions = {
  readonly name: EnvironmentName
  readonly naan: string
  readonly shoulder: string
  /** Whether ARKs are minted as `naan/ddmmyyyy/name`; both forms resolve either way. */
  readonly dated: boolean
  /** Public address of the service, without a slash at the end: the base of all links. */
  readonly baseUrl: string
  /** The log's identity, which is also the name of its key. */
  readonly origin: string
  readonly logKey: Ed25519Key
  /** Whether its checkpoints are signed with the ML-DSA-44 key that follows from it, too. */
  readonly logMldsa?: boolean
  /**
   * Signs the statements of receipts with the key (64 hex digits) that the log has announced last;
   * with the first key if undefined. Throws when it does not have that key.
   */
  readonly receiptSigner: (publicKey: string | undefined) => ReceiptSigner
  /** Seals what people say of themselves, and 32 bytes that hide it where it is a row's key. */
  readonly personSeal: PersonSeal
  readonly personIndexKey: Uint8Array
  /** Folder of the store, and the file that remembers the last signed head beside it. */
  readonly storeDir: string
  readonly headFile: string
  /**
   * Compares the log that was opened with what others have seen of it, before anything is written:
   * rejects if it was rolled back.
   */
  readonly compareHead?: (log: LogReader) => Promise<void>
  /** Is told of the steps of the opening. */
  readonly onOpening?: OnOpening
  /** True at the first start only: afterwards a missing store is a lost one. */
  readonly create: boolean
  /** The map of its log; without it, the log has statements alone. */
  readonly map?: MapOptions
  /** What several nodes have in common that run this registry; without it, nobody else does. */
  readonly shared?: SharedRegistry
  /** The system's clock, in milliseconds since 1970. */
  readonly systemMs: () => number
  /** Says whether that clock is right: what it says is dated with nothing else. */
  readonly clock: ClockGuard
  readonly random: RandomBytes
  readonly limits: EnvironmentLimits
  /** Fetches the content of works; without it nothing is fetched, and what is due stays due. */
  readonly fetchContent?: ContentFetcher
  /** Removes files outside the store that have what is erased, such as dumps of all works. */
  readonly removeCopies?: () => Promise<void>
  /** What the actors report: faults and dead letters. */
  readonly report: (report: ActorReport) => void
  /** Damage of the store was met for the first time; the message says what to do. */
  readonly damaged: (message: string) => void
  /** The outcome of a write is unknown: the process must end with this error's message. */
  readonly fatal: (error: unknown) => void
}

/** How an environment is doing: what `/readyz`, the metrics and `status` commands report. */
export type EnvironmentStatus = {
  readonly healthy: boolean
  /** Why it accepts no writes, in a sentence; absent while healthy. */
  readonly problem?: string
  /** Damage of the store: only what needs a damaged row fails, so it makes nothing unhealthy. */
  readonly damage: DamageStatus
  /** Events in the journal and leaves in the log. */
  readonly events: number
  readonly treeSize: number
  /** When the newest checkpoint was signed, in milliseconds since 1970. */
  readonly signedAtMs: number
  /** Batches that were written here since the start, and the time that this took together. */
  readonly commits: { readonly count: number; readonly ms: number }
  /** Proposals waiting for a commit, and works, organizations and people in memory. */
  readonly pooled: number
  readonly liveEntities: number
  /** What the background reader of the store has read and found since the start. */
  readonly scrub: ScrubCounters
  readonly clock: ClockStatus
  /** Absent where the log has no map. */
  readonly map?: MapStatus
}

/**
 * One registry with its own store, log, keys and origin, as routes and pages know it: `live` or
 * `sandbox`, served by the thread that runs it or by one that has joined it.
 */
export type ServedEnvironment = {
  readonly name: EnvironmentName
  readonly naan: string
  readonly shoulder: string
  readonly origin: string
  /** The log's verifier key; and that of its ML-DSA-44 key, if it signs with that too. */
  readonly vkey: string
  readonly mldsaVkey: string | undefined
  readonly receiptKeys: ReceiptKeyQueries
  readonly log: LogReader
  /** Undefined where the log has no map. */
  readonly map: MapProver | undefined
  readonly works: Works
  readonly organizations: Organizations
  readonly people: People
  readonly claims: Claims
  readonly holdings: OwnerLists
  readonly harvest: Harvest
  readonly catalogue: Catalogue
  readonly fixity: Fixity
  /** How many changes of the registry its queries show: a node that is behind others has fewer. */
  readonly position: () => number
  /**
   * Settles what came before a time, in milliseconds since 1970, or before now if it is still to
   * come: resolves to that time, when all events before it can be read and no other ones will come.
   * Errors: ActorError.
   */
  settle(timeMs: number): Promise<number>
}

/** A registry where it runs. */
export type Environment = ServedEnvironment & {
  readonly receiptKeys: Pick<ReceiptKeys, 'rotate'>
  readonly records: RecordFeed
  readonly witnessing: Witnessing
  readonly clock: Pick<LogClock, 'status' | 'restart'>
  /** This node's part among those that share the registry; undefined where nobody else runs it. */
  readonly part: SharedSequencer | undefined
  status(): EnvironmentStatus
  /**
   * Lets the thread on the other side of a connection serve this registry too: gives what it joins
   * it with, whose port is to be transferred to it.
   */
  share(remote: Remote): Share
  /**
   * All rows of the store as they are when the first of them are asked for: with them the place in
   * the journal that they have come to. What is erased meanwhile stays in the files until the end.
   */
  snapshot(): AsyncIterable<readonly Row[]>
  /**
   * Resolves when nothing of what was erased until now is left in the store's files: to true, or to
   * false if that has to wait for the next start.
   */
  purged(): Promise<boolean>
  /** Refuses new commands, finishes accepted ones, closes the store. */
  close(): Promise<void>
}

/** The environments of one server, by name. */
export type Environments = Readonly<Record<EnvironmentName, Environment>>

/** The environments of one server, by name, as routes and pages know them. */
export type ServedEnvironments = Readonly<Record<EnvironmentName, ServedEnvironment>>

/** What readers in other threads are told of: a commit, or new cosignatures of the log. */
export type Publication =
  | { readonly type: 'commit'; readonly head: JournalHead; readonly notice: CommitNotice }
  | { readonly type: 'cosigned'; readonly cosigned: Cosigned }

/** What a thread begins with that serves a registry of another one. */
export type Share = Subscription & {
  /** The newest head when the subscription began. */
  readonly head: JournalHead
  /** What was known then of the cosignatures of the log. */
  readonly cosigned: Cosigned
  /** Whether its log has a map. */
  readonly hasMap: boolean
  /** The receipt key, 64 hex digits, of before the first rotation in the log. */
  readonly firstReceiptKey: string
}
