import { setTimeout as sleep } from 'node:timers/promises'
import { type PersonEntityMessage, personWithClaims } from '#actors/claims/actor.ts'
import { ClaimReviewer } from '#actors/claims/reviewer.ts'
import { noticeOf } from '#actors/catalogue/feeds.ts'
import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import { Publisher } from '#actors/kernel/publication.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import { othersScansEnded } from '#actors/kernel/scans.ts'
import { type EntityBehaviour, type Shards, spawnShards } from '#actors/kernel/shards.ts'
import type {
  Environment,
  EnvironmentOptions,
  EnvironmentStatus,
} from '#actors/registry/environment.ts'
import { FixityChecker } from '#actors/fixity/checker.ts'
import { openFixity } from '#actors/fixity/client.ts'
import { RowSweeper } from '#actors/journal/row_sweeper.ts'
import { ErasurePurger } from '#actors/works/erasure.ts'
import type { Follower, JournalEvent } from '#actors/journal/journal.ts'
import {
  ask,
  type Actor,
  close,
  createSystem,
  type Message,
  spawn,
  stopSystem,
  type System,
} from '#actors/kernel/kernel.ts'
import { OrganizationEntity, type OrganizationMessage } from '#actors/organizations/actor.ts'
import type { JournalHead } from '#actors/journal/pool.ts'
import { bufferedRandom } from '#actors/values/ark.ts'
import { nameHasher } from '#actors/people/views.ts'
import { ReceiptKeys } from '#actors/receipts/keys.ts'
import type { SequencerMessage } from '#actors/journal/sequencer.ts'
import { LeaderTask } from '#actors/registry/leader_task.ts'
import { bypassesBlockCache } from '#actors/registry/block_cache.ts'
import { LogClock } from '#actors/registry/log_clock.ts'
import { makeSequencing, type Sequencing } from '#actors/registry/sequencing.ts'
import { roomOf } from '#actors/registry/disk_room.ts'
import { openCommands } from '#actors/registry/commands.ts'
import { openChecked, type OpenedStore } from '#actors/registry/opened_store.ts'
import { dayRowPrefixes, registryProjection } from '#actors/registry/views.ts'
import type { Publication, Share } from '#actors/registry/publication.ts'
import { offerRegistry } from '#actors/registry/sharing.ts'
import { type Witnessing, witnessingOf } from '#actors/registry/witnessing.ts'
import { WorkEntity, type WorkMessage } from '#actors/works/actor.ts'
import { SigningOrder } from '#actors/journal/proposing.ts'
import { noteSigner } from '#log/tlog/ed25519.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import { Scrubber } from '#log/store/scrub.ts'
import type { Row, Store } from '#log/base/store.ts'
import { type Cosigned, readCosigned } from '#log/store/witnessed_history.ts'

/**
 * Shards of each kind of entity: many more than machines will share them, so that each machine has
 * about as much to do as the others, and so few that what an idle one costs is nothing.
 */
const shardCount = 64

/**
 * Opens one registry: its store and log with all start-up checks, then its actors. Errors: the
 * coded LogErrors of the store and the log, whose messages say what to do.
 */
export async function openEnvironment(options: EnvironmentOptions): Promise<Environment> {
  const { writeBufferBytes, cacheBytes } = options.limits
  const { create, storeDir, name } = options
  const { askTimeoutMs } = options.limits
  const readers = new Set<Remote>()
  const otherScans = () => othersScansEnded(readers, name, askTimeoutMs)
  const store = await openLevelStore(storeDir, {
    create,
    writeBufferBytes,
    cacheBytes,
    otherScans,
    bypassesBlockCache,
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
  return new RunningEnvironment(options, await openChecked(found, options, readers))
}

/** Owns the actors of one registry, their order of closing, and what is known of their health. */
class RunningEnvironment implements Environment {
  readonly name
  readonly naan
  readonly shoulder
  readonly origin
  readonly vkey
  readonly receiptKeys
  readonly log
  readonly works
  readonly organizations
  readonly people
  readonly claims
  readonly holdings
  readonly harvest
  readonly catalogue
  readonly fixity
  readonly records
  readonly position
  readonly witnessing: Witnessing
  readonly clock: LogClock
  readonly part: Environment['part']
  readonly #options: EnvironmentOptions
  readonly #opened: OpenedStore
  readonly #system
  readonly #sequencing: Sequencing
  readonly #sequencerRef: Actor<SequencerMessage>
  readonly #works: Shards<WorkMessage>
  readonly #organizations: Shards<OrganizationMessage>
  readonly #people: Shards<PersonEntityMessage>
  /** What one node does at a time, where several run the registry. */
  readonly #leaderTasks: readonly LeaderTask<Follower>[]
  readonly #sweeper: RowSweeper
  readonly #purger: ErasurePurger
  readonly #scrubber: Scrubber
  readonly #scrubbing: Promise<void>
  readonly #closing = new AbortController()
  readonly #publisher = new Publisher<Publication>()
  /** Whoever follows the journal, in the order in which they hear of a commit. */
  readonly #followers: Follower[]
  #head: JournalHead
  #signedAtMs: number
  #problem: string | undefined
  #isStopped = false

  constructor(options: EnvironmentOptions, opened: OpenedStore) {
    const { name, naan, shoulder, dated, origin, limits, systemMs, report } = options
    const random = bufferedRandom(options.random)
    const { askTimeoutMs } = limits
    const { store, queries, head, signer: first } = opened
    this.#options = options
    this.#opened = opened
    this.#head = head
    this.#signedAtMs = systemMs()
    this.#system = this.#makeSystem()
    const newestAt = () => this.#head.newestAt
    this.clock = new LogClock({ guard: options.clock, name, log: queries.log, newestAt })
    this.#sequencing = this.#makeSequencing()
    const sequencer = this.#spawnSequencer()
    this.#sequencerRef = sequencer
    const { part } = this.#sequencing
    this.part = part
    const personal = personalOf(options)
    const clock = this.clock.dating
    const fatal = (error: unknown) => this.#stop(error)
    const signer = new ReceiptKeys({ store, sequencer, clock, signer: first, askTimeoutMs, fatal })
    const order = new SigningOrder()
    const now = () => formatTimestamp(clock.nowMs())
    const proposer = { sequencer, order, clock, askTimeoutMs, ...(part && { part }) }
    const shared = { store, proposer, signer, random }
    this.#works = this.#shards('work', (ark) => new WorkEntity(ark, shared))
    this.#organizations = this.#shards(
      'organization',
      (slug) => new OrganizationEntity(slug, shared),
    )
    const ofPeople = { ...shared, ...personal }
    this.#people = this.#shards('person', (ppid) => personWithClaims(ppid, ofPeople))
    this.#scrubber = this.#makeScrubber()
    this.#scrubbing = this.#scrub()
    const checker = this.#makeChecker(clock)
    this.#sweeper = this.#makeSweeper(clock)
    this.#purger = new ErasurePurger({ store, sequencer, damage: opened.damage })
    this.name = name
    this.naan = naan
    this.shoulder = shoulder
    this.origin = origin
    this.vkey = opened.vkey
    this.receiptKeys = signer
    this.log = queries.log
    this.catalogue = queries.catalogue
    this.holdings = queries.holdings
    this.harvest = queries.harvest
    this.records = queries.records
    this.position = queries.position
    const people = this.#people
    const entities = { works: this.#works, organizations: this.#organizations, people }
    const minting = { naan, shoulder, dated, random, now }
    const commands = openCommands({ ...minting, ...personal, entities, store, askTimeoutMs })
    this.works = commands.works
    this.organizations = commands.organizations
    this.people = commands.people
    this.claims = commands.claims
    const reviewing = { people, store, seal: personal.seal, askTimeoutMs, report }
    const reviewer = new LeaderTask(() => new ClaimReviewer(reviewing))
    this.fixity = openFixity({ checker, works: this.#works, store, clock, askTimeoutMs })
    this.#leaderTasks = [...(checker === undefined ? [] : [checker]), reviewer]
    this.#followers = [this.#purger, ...this.#leaderTasks]
    this.witnessing = this.#makeWitnessing()
    if (part === undefined) this.#takeOver(true)
    else part.start()
  }

  #makeSystem(): System {
    const { name, report } = this.#options
    return createSystem(name, {
      report: (told) => {
        if (told.type === 'fault') this.#opened.damage.note(told.error)
        report(told)
      },
    })
  }

  #makeSequencing(): Sequencing {
    const { origin, logKey, limits, shared } = this.#options
    const { store, vkey, head } = this.#opened
    return makeSequencing({
      store,
      vkey,
      shared,
      signer: noteSigner(origin, logKey),
      projection: registryProjection,
      head,
      poolEntriesMax: limits.poolEntriesMax,
      askTimeoutMs: limits.askTimeoutMs,
      hasRoom: roomOf(this.#options),
      published: (published, events) => this.#published(published, events),
      kept: () => this.#show(readCosigned(store)),
      led: (isLeading) => this.#takeOver(isLeading),
      fatal: (error) => this.#stop(error),
      clock: this.clock.sequencer,
    })
  }

  /** What one node does at a time is done by the one that leads. */
  #takeOver(isLeading: boolean): void {
    for (const task of this.#leaderTasks) task.set(isLeading)
  }

  #spawnSequencer(): Actor<SequencerMessage> {
    const { sequencer } = this.#sequencing
    const { mailboxMax } = this.#options.limits
    return spawn<SequencerMessage>(this.#system, () => sequencer, { name: 'sequencer', mailboxMax })
  }

  #makeSweeper(clock: Clock): RowSweeper {
    const { store } = this.#opened
    const nowMs = () => clock.nowMs()
    const parts = { store, sequencer: this.#sequencerRef, nowMs, report: this.#options.report }
    return new RowSweeper({ ...parts, prefixes: dayRowPrefixes })
  }

  #makeWitnessing(): Witnessing {
    return witnessingOf({
      log: this.log,
      sequencer: this.#sequencerRef,
      followers: this.#followers,
      askTimeoutMs: this.#options.limits.askTimeoutMs,
      isDue: () => this.part === undefined || this.part.member.leads,
      hear: (marks) => this.clock.hear(marks),
      show: (cosigned) => this.#show(cosigned),
    })
  }

  #makeScrubber(): Scrubber {
    const { scrubRows: stepRows, scrubPauseMs } = this.#options.limits
    const { signal } = this.#closing
    return new Scrubber(this.#opened.store, {
      stepRows,
      // A pause that is cut short by the end of the process is over, and that is all.
      pause: () => sleep(scrubPauseMs, undefined, { signal, ref: false }).catch(() => {}),
      onProblem: (message) => this.#opened.damage.add(message),
    })
  }

  async #scrub(): Promise<void> {
    try {
      await this.#scrubber.run(this.#closing.signal)
    } catch (error) {
      this.#opened.damage.add(`the store could not be read through: ${String(error)}`)
    }
  }

  #makeChecker(clock: Clock): LeaderTask<FixityChecker> | undefined {
    const { fetchContent, limits, report } = this.#options
    if (fetchContent === undefined) return undefined
    const { store } = this.#opened
    const { askTimeoutMs } = limits
    const works = this.#works
    const parts = { store, fetchContent, works, clock, limits, askTimeoutMs, report }
    return new LeaderTask(() => new FixityChecker(parts))
  }

  // The sequencer and who waits for it may both find out; the process ends once.
  #stop(error: unknown): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#problem =
      this.#sequencing.sequencer.broken?.message ?? 'the outcome of a write is unknown'
    this.#options.fatal(error)
  }

  #shards<M extends Message>(name: string, create: (key: string) => EntityBehaviour<M>): Shards<M> {
    const { entityIdleMs: idleMs, ...limits } = this.#options.limits
    return spawnShards(this.#system, { ...limits, name, shards: shardCount, idleMs }, create)
  }

  // The order matters: what is signed is remembered outside the store, then shown, then answered.
  #published(head: JournalHead, events: readonly JournalEvent[]): void {
    const { guard, queries } = this.#opened
    if (head.log !== this.#head.log) {
      guard.remember(head.log.checkpoint)
      this.#signedAtMs = this.#options.systemMs()
    }
    this.#head = head
    const notice = noticeOf(events, head.position)
    queries.published(head, notice, events)
    this.#publisher.publish({ type: 'commit', head, notice })
    for (const follower of this.#followers) follower.published(events, head.position)
  }

  #show(cosigned: Cosigned): void {
    this.#opened.queries.cosigned(cosigned)
    this.#publisher.publish({ type: 'cosigned', cosigned })
  }

  status(): EnvironmentStatus {
    return {
      healthy: this.#problem === undefined,
      ...(this.#problem === undefined ? {} : { problem: this.#problem }),
      damage: this.#opened.damage.status,
      events: this.#head.position,
      treeSize: this.#head.log.treeSize,
      signedAtMs: this.#signedAtMs,
      commits: { ...this.#sequencing.commits },
      pooled: this.#sequencing.sequencer.pooled,
      liveEntities: this.#works.size + this.#organizations.size + this.#people.size,
      scrub: this.#scrubber.counters,
      clock: this.clock.status(),
    }
  }

  async settle(timeMs: number): Promise<number> {
    const { askTimeoutMs } = this.#options.limits
    const settledMs = this.clock.settledMs(timeMs)
    const settle = { type: 'settle', before: formatTimestamp(settledMs) } as const
    await ask(this.#sequencerRef, settle, askTimeoutMs)
    return settledMs
  }

  share(remote: Remote): Share {
    const { readers, damage } = this.#opened
    readers.add(remote)
    void remote.ended.then(() => readers.delete(remote))
    offerRegistry(remote, {
      environment: this,
      entities: { works: this.#works, organizations: this.#organizations, people: this.#people },
      noteDamage: (message) => damage.add(message),
    })
    const firstReceiptKey = this.receiptKeys.list()[0]?.public_key ?? this.receiptKeys.publicKey
    const cosigned = this.log.cosigned()
    return { ...this.#publisher.subscribe(), head: this.#head, cosigned, firstReceiptKey }
  }

  snapshot(): AsyncIterable<readonly Row[]> {
    return this.#opened.store.scanBatches({})
  }

  purged(): Promise<boolean> {
    return this.#purger.settled()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    const ended = this.#followers.map((follower) => follower.close?.())
    await Promise.all([this.#scrubbing, this.#sweeper.close(), ...ended])
    const entities = [this.#works, this.#organizations, this.#people]
    await Promise.all(entities.map((shards) => shards.close()))
    await close(this.#sequencerRef)
    await this.part?.close()
    await stopSystem(this.#system)
    this.#publisher.close()
    this.#opened.guard.close()
    await this.#opened.store.close()
  }
}

/** What people are sealed with, and what hides them where they are a row's key. */
function personalOf({ personSeal: seal, personIndexKey: indexKey }: EnvironmentOptions) {
  return { seal, indexKey, hash: nameHasher(indexKey) }
}
