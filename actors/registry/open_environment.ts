import { statfsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { noticeOf } from '#actors/registry/catalogue/feeds.ts'
import { type PersonEntityMessage, personWithClaims } from '#actors/people/claims/actor.ts'
import { ClaimReviewer } from '#actors/people/claims/reviewer.ts'
import { FixityChecker } from '#actors/works/fixity/checker.ts'
import { openFixity } from '#actors/works/fixity/client.ts'
import { type Follower, JournalError, type JournalEvent } from '#actors/journal/journal.ts'
import { readPlace } from '#actors/journal/member.ts'
import { decodeJournalRow, type JournalHead, journalKey } from '#actors/journal/pool.ts'
import { type Proposer, SigningOrder } from '#actors/journal/proposing.ts'
import { RowSweeper } from '#actors/journal/row_sweeper.ts'
import { checkRecentEvents, eventPrefix, readerOf } from '#actors/journal/rows.ts'
import { ownJournal, Sequencer, type SequencerMessage } from '#actors/journal/sequencer.ts'
import { SharedSequencer } from '#actors/journal/shared_sequencer.ts'
import {
  type Actor,
  ask,
  close,
  createSystem,
  type Message,
  spawn,
  stopSystem,
  type System,
  tell,
} from '#actors/kernel/kernel.ts'
import { Publisher } from '#actors/kernel/publication.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import { othersScansEnded } from '#actors/kernel/scans.ts'
import { type EntityBehaviour, type Shards, spawnShards } from '#actors/kernel/shards.ts'
import { OrganizationEntity, type OrganizationMessage } from '#actors/people/organizations/actor.ts'
import { readReceiptKeys, ReceiptKeys } from '#actors/works/receipts/keys.ts'
import { mapFact, type ReceiptSigner } from '#actors/works/receipts/statement.ts'
import type {
  Environment,
  EnvironmentOptions,
  EnvironmentStatus,
  Publication,
  Share,
} from '#actors/registry/environment.ts'
import { LogClock } from '#actors/journal/clock_guard.ts'
import {
  bypassesBlockCache,
  offerRegistry,
  openQueries,
  personalOf,
  type Queries,
  type RegistryCalls,
  serveEnvironment,
} from '#actors/registry/served_environment.ts'
import { dayRowPrefixes, openViews, registryProjection } from '#actors/registry/views.ts'
import { witnessingOf } from '#actors/registry/witnessing.ts'
import { bufferedRandom, type RandomBytes } from '#actors/values/ark.ts'
import { type Clock, elapsedMs, formatTimestamp } from '#actors/values/clock.ts'
import { WorkEntity, type WorkMessage } from '#actors/works/actor.ts'
import { ErasurePurger } from '#actors/works/erasure.ts'
import { assert } from '#log/tlog/errors.ts'
import { DamageList, watchDamage } from '#log/store/damage.ts'
import { checkWitnessed, HeadGuard } from '#log/store/guard.ts'
import { journalBufferBytes, openLevelStore } from '#log/store/level_store.ts'
import { encodeBase64 } from '#log/tlog/encoding.ts'
import { LiveMap, mapFolder } from '#log/store/live_map.ts'
import { openLog } from '#log/store/open_log.ts'
import { Scrubber, type ScrubCounters } from '#log/store/scrub.ts'
import type { Store } from '#log/store/store.ts'
import { type Cosigned, readCosigned } from '#log/store/witnessed_history.ts'
import { logSigner, mldsaVkeyOfLog } from '#log/tlog/cosignature.ts'
import { noteVerifier } from '#log/tlog/ed25519.ts'
import { ed25519Type, formatVkey } from '#log/tlog/note.ts'

function leftAlone({ storeDir }: EnvironmentOptions): JournalError {
  return new JournalError(
    'journal_shared',
    `${storeDir} is the store of a node of a cluster, and CLUSTER_URL is not set: alone it would ` +
      'go on with the same log as the others. Set CLUSTER_URL; if there will be no other node ' +
      'any more, run "arklog cluster dissolve --help"',
  )
}

/** What was opened and checked of a registry, and is run from now on. */
type OpenedStore = {
  readonly store: Store
  readonly damage: DamageList
  readonly queries: Queries
  readonly guard: HeadGuard
  readonly vkey: string
  readonly signer: ReceiptSigner
  readonly head: JournalHead
}

/**
 * Opens log, journal and views of a registry on its store, with all checks of a start; nothing has
 * been written when they are done, but for views that were to be rebuilt. Errors: the coded
 * LogErrors of the store and the log, whose messages say what to do, and those of `compareHead`.
 */
async function openChecked(found: Store, options: EnvironmentOptions): Promise<OpenedStore> {
  const { origin, logKey, logMldsa = false, limits, systemMs, onOpening } = options
  const damage = new DamageList(options.damaged)
  const store = watchDamage(found, damage)
  const vkey = formatVkey(origin, ed25519Type, logKey.publicKey)
  const verifier = noteVerifier(vkey)
  onOpening?.('log')
  const writeBufferBytes = journalBufferBytes(limits.writeBufferBytes)
  const log = await openLog(store, {
    kind: 'registry',
    origin,
    signer: logSigner(origin, logKey, logMldsa),
    verifier,
    vkey,
    create: options.create,
    createdAt: formatTimestamp(systemMs()),
    writeBufferBytes,
  })
  const journal = decodeJournalRow(store.get(journalKey))
  if (options.shared === undefined && readPlace(store) !== undefined) throw leftAlone(options)
  await checkRecentEvents(store, journal.position, 2 * writeBufferBytes)
  await openViews(store, journal.position, (done, total) => onOpening?.('views', done, total))
  const signer = options.receiptSigner(readReceiptKeys(readerOf(store)).keys.at(-1)?.public_key)
  const head = { ...journal, log }
  const { baseUrl, personSeal: seal } = options
  const { replyCacheBytesMax } = limits
  const queries = openQueries({ store, damage, head, seal, baseUrl, replyCacheBytesMax })
  const guard = new HeadGuard(options.headFile, verifier)
  guard.check(queries.log)
  checkWitnessed(queries.log)
  if (options.compareHead !== undefined) onOpening?.('witnesses')
  await options.compareHead?.(queries.log)
  return { store, damage, queries, guard, vkey, signer, head }
}

/**
 * Shards of each kind of entity. Each that was sent something takes a turn of the event loop of its
 * own: so few that those of one visit from another thread come to several messages each.
 */
const shardCount = 4

/**
 * Opens one registry: its store and log with all start-up checks, then its actors. Errors: the
 * coded LogErrors of the store and the log, whose messages say what to do.
 */
export async function openEnvironment(options: EnvironmentOptions): Promise<Environment> {
  const { create, storeDir, name, limits } = options
  const { writeBufferBytes, cacheBytes, askTimeoutMs } = limits
  const readers = new Set<Remote>()
  const store = await openLevelStore(storeDir, {
    create,
    writeBufferBytes,
    cacheBytes,
    otherScans: () => othersScansEnded(readers, name, askTimeoutMs),
    bypassesBlockCache,
    journal: eventPrefix,
  })
  try {
    return await startEnvironment(store, options, readers)
  } catch (error) {
    await store.close()
    throw error
  }
}

/**
 * Runs a registry on a store that is open already, and then owns it. `readers` are the connections
 * to the threads that serve it as well, as long as they last. Errors as above.
 */
export async function startEnvironment(
  found: Store,
  options: EnvironmentOptions,
  readers = new Set<Remote>(),
): Promise<Environment> {
  return runEnvironment(options, await openChecked(found, options), readers)
}

/** Starts the actors of a registry, and all that follows its journal. */
function runEnvironment(
  options: EnvironmentOptions,
  opened: OpenedStore,
  readers: Set<Remote>,
): Environment {
  const { store, queries, vkey } = opened
  const { name, limits, report, origin, logKey, logMldsa } = options
  const { askTimeoutMs } = limits
  const random = bufferedRandom(options.random)
  const wake = () => void tell(writer.sequencer, { type: 'write_map_leaf' })
  const map = openMap(options, opened, wake)
  const commits = new Commits(options, opened, map)
  const newestAt = () => commits.head.newestAt
  const logClock = new LogClock({ guard: options.clock, name, log: queries.log, newestAt })
  const clock = logClock.dating
  const leaderTasks: LeaderTask<Follower>[] = []
  const led = (isLeading: boolean) => {
    for (const task of leaderTasks) task.set(isLeading)
  }
  const writer: Writer = new Writer(options, opened, { commits, map, clock: logClock, led })
  const { part, sequencer, receiptKeys } = writer
  const entities = spawnEntities(options, opened, { writer, random })
  const care = new StoreCare(options, opened, { sequencer, clock })
  const checker = makeChecker(options, { store, works: entities.works, clock })
  const reviewing = { people: entities.people, store, seal: options.personSeal }
  const reviewer = new LeaderTask(() => new ClaimReviewer({ ...reviewing, askTimeoutMs, report }))
  if (checker !== undefined) leaderTasks.push(checker)
  leaderTasks.push(reviewer)
  const { followers } = commits
  followers.push(care.purger, ...leaderTasks)
  const settle = settling(logClock, sequencer, askTimeoutMs)
  const fixity = openFixity({ checker, works: entities.works, store, clock, askTimeoutMs })
  const now = () => formatTimestamp(clock.nowMs())
  const serving = { queries, entities, store, random, now, askTimeoutMs, fixity, settle, map }
  const mldsaVkey = logMldsa ? mldsaVkeyOfLog(origin, logKey) : undefined
  const served = serveEnvironment(options, { ...serving, vkey, mldsaVkey, receiptKeys })
  const witnessing = witnessingOf({
    log: queries.log,
    map,
    sequencer,
    followers,
    askTimeoutMs,
    isDue: () => part === undefined || part.member.leads,
    datedMs: () => clock.nowMs(),
    hear: (marks) => logClock.hear(marks),
    show: (cosigned) => commits.show(cosigned),
  })
  const running = { commits, writer, entities, care, clock: logClock, map }
  const status = () => statusOf(opened, running)
  if (part === undefined) led(true)
  else part.start()
  return {
    ...served,
    receiptKeys,
    witnessing,
    clock: logClock,
    part,
    status,
    share(remote) {
      readers.add(remote)
      void remote.ended.then(() => readers.delete(remote))
      const calls = registryCalls(opened, { settle, status, fixity, map })
      offerRegistry(remote, name, { entities, calls })
      return commits.share(receiptKeys)
    },
    snapshot: () => store.scanBatches({}),
    purged: () => care.purger.settled(),
    close: () => closeAll(opened, running),
  }
}

/** Waits until all that is dated before a time is committed; both are milliseconds since 1970. */
function settling(clock: LogClock, sequencer: Actor<SequencerMessage>, askTimeoutMs: number) {
  return async (timeMs: number): Promise<number> => {
    const settledMs = clock.settledMs(timeMs)
    await ask(sequencer, { type: 'settle', before: formatTimestamp(settledMs) }, askTimeoutMs)
    return settledMs
  }
}

/** The parts of a registry that runs. */
type Running = {
  readonly commits: Commits
  readonly writer: Writer
  readonly entities: EntityShards
  readonly care: StoreCare
  readonly clock: LogClock
  readonly map: LiveMap | undefined
}

/** The map of a log, if it is to have one. */
function openMap(
  { map, storeDir, origin }: EnvironmentOptions,
  { queries, damage }: OpenedStore,
  wake: () => void,
): LiveMap | undefined {
  if (map === undefined) return undefined
  return new LiveMap({
    ...map,
    dir: path.join(storeDir, mapFolder),
    origin,
    log: queries.log,
    factOf: mapFact,
    elapsedMs,
    wake,
    damaged: (message) => damage.add(message),
    failed: (error) => damage.add(error.message),
  })
}

function statusOf({ damage }: OpenedStore, running: Running): EnvironmentStatus {
  const { commits, writer, entities, care, clock, map } = running
  const { problem } = writer
  const { works, organizations, people } = entities
  return {
    healthy: problem === undefined,
    ...(problem === undefined ? {} : { problem }),
    damage: damage.status,
    events: commits.head.position,
    treeSize: commits.head.log.treeSize,
    signedAtMs: commits.signedAtMs,
    commits: { ...writer.counts },
    pooled: writer.pooled,
    liveEntities: works.size + organizations.size + people.size,
    scrub: care.counters,
    clock: clock.status(),
    ...(map && { map: map.status }),
  }
}

async function closeAll({ guard, store }: OpenedStore, running: Running): Promise<void> {
  const { commits, writer, entities, care, map } = running
  const { works, organizations, people } = entities
  await Promise.all([care.close(), ...commits.followers.map((follower) => follower.close?.())])
  await Promise.all([works, organizations, people].map((shards) => shards.close()))
  await writer.close()
  await map?.close()
  commits.close()
  guard.close()
  await store.close()
}

function registryCalls(
  { damage }: OpenedStore,
  { settle, status, fixity, map }: Pick<Environment, 'settle' | 'status' | 'fixity' | 'map'>,
): RegistryCalls {
  return {
    settle,
    status: async () => status(),
    fixity: () => fixity.overview(),
    noteDamage: (message) => damage.add(message),
    async proveMap(name) {
      const found = await map?.prove(name)
      return found && { leafIndex: found.leafIndex, proof: encodeBase64(found.proof) }
    },
  }
}

/** Shows commits, here and in all threads that serve the registry. It owns the published head. */
class Commits {
  /** Who follows the journal, in the order in which they hear of a commit. */
  readonly followers: Follower[] = []
  readonly #opened: OpenedStore
  readonly #map: LiveMap | undefined
  readonly #systemMs: () => number
  readonly #publisher = new Publisher<Publication>()
  #head: JournalHead
  #signedAtMs: number

  constructor({ systemMs }: EnvironmentOptions, opened: OpenedStore, map: LiveMap | undefined) {
    this.#opened = opened
    this.#map = map
    this.#systemMs = systemMs
    this.#head = opened.head
    this.#signedAtMs = systemMs()
  }

  get head(): JournalHead {
    return this.#head
  }

  /** When the newest checkpoint was signed, in milliseconds since 1970. */
  get signedAtMs(): number {
    return this.#signedAtMs
  }

  // The order matters: what is signed is remembered outside the store, then shown, then answered.
  published(head: JournalHead, events: readonly JournalEvent[]): void {
    const { guard, queries } = this.#opened
    if (head.log !== this.#head.log) {
      guard.remember(head.log.checkpoint)
      this.#signedAtMs = this.#systemMs()
    }
    this.#head = head
    const notice = noticeOf(events, head.position)
    queries.published(head, notice, events)
    this.#map?.published()
    this.#publisher.publish({ type: 'commit', head, notice })
    for (const follower of this.followers) follower.published(events, head.position)
  }

  show(cosigned: Cosigned): void {
    this.#opened.queries.cosigned(cosigned)
    this.#map?.published()
    this.#publisher.publish({ type: 'cosigned', cosigned })
  }

  /** What a thread begins with that serves the registry as well. */
  share(receiptKeys: ReceiptKeys): Share {
    const firstReceiptKey = receiptKeys.list()[0]?.public_key ?? receiptKeys.publicKey
    const cosigned = this.#opened.queries.log.cosigned()
    const hasMap = this.#map !== undefined
    return { ...this.#publisher.subscribe(), head: this.#head, cosigned, hasMap, firstReceiptKey }
  }

  close(): void {
    this.#publisher.close()
  }
}

/** What a writer tells, what it dates by, and what hears whether this node leads. */
type WriterParts = {
  readonly commits: Commits
  readonly map: LiveMap | undefined
  readonly clock: LogClock
  readonly led: (isLeading: boolean) => void
}

/** Orders the changes of a registry, signs what they state, and writes them. */
class Writer {
  readonly system: System
  readonly sequencer: Actor<SequencerMessage>
  readonly receiptKeys: ReceiptKeys
  readonly proposer: Proposer
  /** This node's part, where several run the registry. */
  readonly part: SharedSequencer | undefined
  /** Batches that became certain by this process, and how long that took together. */
  readonly counts = { count: 0, ms: 0 }
  readonly #ordering: Sequencer | SharedSequencer
  readonly #fatal: (error: unknown) => void
  #problem: string | undefined

  constructor(options: EnvironmentOptions, opened: OpenedStore, parts: WriterParts) {
    const { name, limits, report, shared } = options
    const { mailboxMax, askTimeoutMs } = limits
    const { store, damage, vkey, signer } = opened
    const clock = parts.clock.dating
    const fatal = (error: unknown) => this.#stop(error)
    this.#fatal = options.fatal
    this.system = createSystem(name, {
      report: (told) => {
        if (told.type === 'fault') damage.note(told.error)
        report(told)
      },
    })
    const ordering = { ...this.#orderingOf(options, opened, parts), fatal }
    this.part = shared && new SharedSequencer({ ...ordering, ...shared, log: vkey, askTimeoutMs })
    const superseded = () => assert(false, 'nobody else writes the store')
    const sequencer =
      this.part ?? new Sequencer({ ...ordering, journal: ownJournal(store), superseded })
    this.#ordering = sequencer
    this.sequencer = spawn<SequencerMessage>(this.system, () => sequencer, {
      name: 'sequencer',
      mailboxMax,
    })
    const signing = { sequencer: this.sequencer, clock, askTimeoutMs }
    this.receiptKeys = new ReceiptKeys({ ...signing, store, signer, fatal })
    const order = new SigningOrder()
    this.proposer = { ...signing, order, ...(this.part && { part: this.part }) }
  }

  /** Why nothing is written any more, in a sentence. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** Proposals that wait for a commit. */
  get pooled(): number {
    return this.#ordering.pooled
  }

  async close(): Promise<void> {
    await close(this.sequencer)
    await this.part?.close()
    await stopSystem(this.system)
  }

  #orderingOf(
    options: EnvironmentOptions,
    { store, head }: OpenedStore,
    { commits, map, clock, led }: WriterParts,
  ) {
    const { origin, logKey, logMldsa = false, limits } = options
    return {
      store,
      signer: logSigner(origin, logKey, logMldsa),
      projection: registryProjection,
      head,
      poolEntriesMax: limits.poolEntriesMax,
      hasRoom: roomOf(options),
      published: (next: JournalHead, events: readonly JournalEvent[]) =>
        commits.published(next, events),
      kept: () => commits.show(readCosigned(store)),
      led,
      clock: clock.sequencer,
      map,
      appended: (tookMs: number) => {
        this.counts.count += 1
        this.counts.ms += tookMs
      },
    }
  }

  // The sequencer and who waits for it may both find out; the process ends once.
  #stop(error: unknown): void {
    if (this.#problem !== undefined) return
    this.#problem = this.#ordering.broken?.message ?? 'the outcome of a write is unknown'
    this.#fatal(error)
  }
}

/** How long a measurement of the free disk space is believed. */
const roomMs = 1_000

/** Whether the disk has more free than its reserve; asked of the system once a second at most. */
function roomOf({ storeDir, limits, systemMs }: EnvironmentOptions): () => boolean {
  let askedMs = Number.NEGATIVE_INFINITY
  let hasRoom = true
  return () => {
    if (Math.abs(systemMs() - askedMs) < roomMs) return hasRoom
    askedMs = systemMs()
    const { bavail, bsize } = statfsSync(storeDir)
    hasRoom = bavail * bsize > limits.diskReserveBytes
    return hasRoom
  }
}

type EntityShards = {
  readonly works: Shards<WorkMessage>
  readonly organizations: Shards<OrganizationMessage>
  readonly people: Shards<PersonEntityMessage>
}

/** Starts the shards that host the entities of a registry. */
function spawnEntities(
  options: EnvironmentOptions,
  { store, queries }: OpenedStore,
  { writer, random }: { readonly writer: Writer; readonly random: RandomBytes },
): EntityShards {
  const { system, proposer, receiptKeys: signer } = writer
  const { entityIdleMs: idleMs, ...limits } = options.limits
  const shared = { store, proposer, signer, random }
  const ofPeople = { ...shared, ...personalOf(options) }
  const host = <M extends Message>(name: string, create: (key: string) => EntityBehaviour<M>) =>
    spawnShards(system, { ...limits, name, shards: shardCount, idleMs }, create)
  return {
    works: host<WorkMessage>('work', (ark) => new WorkEntity(ark, { ...shared, log: queries.log })),
    organizations: host<OrganizationMessage>(
      'organization',
      (slug) => new OrganizationEntity(slug, shared),
    ),
    people: host<PersonEntityMessage>('person', (ppid) => personWithClaims(ppid, ofPeople)),
  }
}

function makeChecker(
  { fetchContent, limits, report }: EnvironmentOptions,
  parts: Pick<ConstructorParameters<typeof FixityChecker>[0], 'store' | 'works' | 'clock'>,
): LeaderTask<FixityChecker> | undefined {
  if (fetchContent === undefined) return undefined
  const { askTimeoutMs } = limits
  const options = { ...parts, fetchContent, limits, askTimeoutMs, report }
  return new LeaderTask(() => new FixityChecker(options))
}

/** What goes on in a store by itself: it is read through, swept, and purged of what was erased. */
class StoreCare {
  readonly purger: ErasurePurger
  readonly #scrubber: Scrubber
  readonly #scrubbing: Promise<void>
  readonly #sweeper: RowSweeper
  readonly #closing = new AbortController()

  constructor(
    { limits, report, removeCopies }: EnvironmentOptions,
    { store, damage }: OpenedStore,
    { sequencer, clock }: { readonly sequencer: Actor<SequencerMessage>; readonly clock: Clock },
  ) {
    const { signal } = this.#closing
    this.#scrubber = new Scrubber(store, {
      stepRows: limits.scrubRows,
      // A pause that is cut short by the end of the process is over, and that is all.
      pause: () => sleep(limits.scrubPauseMs, undefined, { signal, ref: false }).catch(() => {}),
      onProblem: (message) => damage.add(message),
    })
    this.#scrubbing = this.#scrubber.run(signal).catch((error: unknown) => {
      damage.add(`the store could not be read through: ${String(error)}`)
    })
    const nowMs = () => clock.nowMs()
    const { askTimeoutMs } = limits
    const sweeping = { store, sequencer, askTimeoutMs, nowMs, report }
    this.#sweeper = new RowSweeper({ ...sweeping, prefixes: dayRowPrefixes })
    this.purger = new ErasurePurger({ store, sequencer, damage, removeCopies })
  }

  get counters(): ScrubCounters {
    return this.#scrubber.counters
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all([this.#scrubbing, this.#sweeper.close()])
  }
}

/**
 * What only one of the nodes of a registry does at a time: it is made when this node takes it over,
 * and ended when another one does. It owns what was made.
 */
class LeaderTask<F extends Follower> implements Follower {
  readonly #make: () => F
  #current: F | undefined
  #ending: Promise<void> = Promise.resolve()
  #isClosed = false

  /** `make` gives one that begins with what the store says is to be done. */
  constructor(make: () => F) {
    this.#make = make
  }

  /** What does it here; undefined while another node does it. */
  get current(): F | undefined {
    return this.#current
  }

  /** Takes it over, or leaves it to another node. */
  set(isOurs: boolean): void {
    if (isOurs === (this.#current !== undefined) || this.#isClosed) return
    if (isOurs) {
      this.#current = this.#make()
      return
    }
    const ended = this.#current
    this.#current = undefined
    this.#ending = Promise.all([this.#ending, ended?.close?.()]).then(() => undefined)
  }

  published(newest: readonly JournalEvent[], events: number): void {
    this.#current?.published(newest, events)
  }

  /** Ends it here for good. */
  async close(): Promise<void> {
    this.set(false)
    this.#isClosed = true
    await this.#ending
  }
}
