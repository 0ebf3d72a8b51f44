import { setTimeout as sleep } from 'node:timers/promises'

import type { JournalHead } from '#actors/journal/pool.ts'
import type { SharedRegistry, SharedSequencer } from '#actors/journal/shared_sequencer.ts'
import type { SharedStream } from '#actors/journal/shared_stream.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import { ClusterError } from '#src/cluster/cluster_error.ts'
import type { StreamState } from '#src/cluster/engine.ts'
import { Invitations, type InvitationsOptions } from '#src/cluster/invitations.ts'
import { Lease, type LeaseEvent, type LeaseStore } from '#src/cluster/lease.ts'
import { Membership } from '#src/cluster/membership.ts'
import { NodeBroadcast, NodeRemotes, type NodeRemotesOptions } from '#src/cluster/node_links.ts'
import type { Patience } from '#src/cluster/passing_fault.ts'
import { type CountStream, openCountStream, openJournalStream } from '#src/cluster/streams.ts'

export type NodeOptions = NodeRemotesOptions & {
  readonly leases: LeaseStore
  /** The host that it runs on: told to others that want its name. */
  readonly host: string
  readonly patience: Patience
  readonly clock: NodeClock
  readonly report: (event: NodeEvent) => void
  /** It must stop: it and the journal are not of one history, or another process is this node. */
  readonly stopped: (error: unknown) => void
}

/** The time of day at a node, and who hears what it is at the others, in milliseconds. */
export type NodeClock = {
  readonly systemMs: () => number
  readonly hear: (node: string, wallMs: number) => void
}

/** What an operator may want to know of a node. */
export type NodeEvent =
  | LeaseEvent
  | { readonly type: 'leads' | 'follows' }
  | { readonly type: 'members'; readonly nodes: readonly string[] }

/** What the identity stores of all nodes have in common, as this one reaches it. */
export type IdentityStream = {
  readonly stream: SharedStream
  readonly elapsedMs: () => number
  /** For how long a change is tried, and what others have written is waited for. */
  readonly patienceMs: number
  /** Whether this node has written something at most of the servers of late: its lease. */
  readonly isConnected: () => boolean
  /** The stream and this node are not of one history, as the error says: it must stop. */
  readonly stopped: (error: unknown) => void
}

/** What this node knows of accounts and keys: whether it is current, and how far it has come. */
type SharedIdentityState = { readonly isInContact: boolean; readonly position: number }

/** Who knows the streams: `look` has one looked at that has just been opened. */
type StreamsWatched = {
  readonly streams: ReadonlyMap<string, StreamState | undefined>
  look(stream: string): Promise<void>
}

/** The part of a registry that runs on this node. */
type Part = Pick<SharedSequencer, 'member' | 'offered' | 'turns'>

/** For how long a node is looked for that leads, while there is none: longer than a fail-over. */
const leaderMsMax = 15_000

/** For how long a change of accounts or keys is tried: longer than the servers fail over. */
const changeMsMax = 15_000

/** How long a leader that has lost its lease tries to learn what became of its last batch. */
const lastBatchMs = 2_000

/** How often it looks whether that is known. */
const pauseMs = 5

const leaderKey = 'leader'

/**
 * One node of a cluster: it is a member under its name, knows who leads and reaches that node, and
 * leads itself while it holds the lease. It owns its name and its part in the lease.
 */
export class ClusterNode {
  readonly #options: NodeOptions
  readonly #life: string
  readonly #membership: Membership
  readonly #remotes: NodeRemotes
  readonly #parts = new Map<string, Part>()
  readonly #streams = new Set<string>()
  readonly #optionalStreams = new Set<string>()
  readonly #blockers: (() => readonly string[])[] = []
  readonly #stopWatching: () => void
  #leader: string | undefined
  #lease: Lease | undefined
  #leads = false
  #identity: SharedIdentityState | undefined
  #counts: { readonly position: number } | undefined
  #streamsWatched: StreamsWatched | undefined

  constructor(options: NodeOptions) {
    const { leases: store, node, host, drawId, elapsedMs, clock, report, stopped } = options
    this.#options = options
    this.#life = drawId()
    this.#remotes = new NodeRemotes(options)
    this.#membership = new Membership({
      store,
      node,
      life: this.#life,
      describe: () => ({ position: this.#liveHead?.position ?? 0, host, now: clock.systemMs() }),
      heard: ({ node: name, said: { now } }) => {
        if (typeof now === 'number') clock.hear(name, now)
      },
      elapsedMs,
      changed: () => report({ type: 'members', nodes: this.#nodes }),
      replaced: stopped,
      report,
    })
    this.#stopWatching = store.watch(leaderKey, (_key, entry) => {
      const leader = entry?.value['node']
      this.#leader = typeof leader === 'string' ? leader : undefined
    })
  }

  /** What the environment of a name has in common with those of the other nodes. */
  async registry(name: string): Promise<SharedRegistry> {
    const { elapsedMs, stopped } = this.#options
    const journal = await this.#openStream(streamName(name))
    const leader = () => this.#reachLeader()?.at(offeredName(name), '')
    const holdsLead = () => this.#lease?.held !== undefined
    return { journal, leader, holdsLead, leaderMsMax, elapsedMs, stopped }
  }

  /** What its identity store has in common with those of the other nodes. */
  async identity(): Promise<IdentityStream> {
    const { elapsedMs, stopped } = this.#options
    // Nothing of accounts or keys is changed beside a journal that may be an older copy.
    const stream = await this.#openStream(identityStreamName, () => this.#isInSync)
    const isConnected = () => this.#membership.isMember
    return { stream, elapsedMs, patienceMs: changeMsMax, isConnected, stopped }
  }

  /** The stream of what all nodes count; made if it is missing. Errors: as `openCountStream`. */
  async openCounts(): Promise<CountStream> {
    const { connection, patience } = this.#options
    const stream = await openCountStream({ connection, name: countStreamName, patience })
    this.#optionalStreams.add(countStreamName)
    void this.#streamsWatched?.look(countStreamName)
    return stream
  }

  async #openStream(name: string, mayAppend = () => true): Promise<SharedStream> {
    const { connection, patience } = this.#options
    const stream = await openJournalStream({ connection, name, patience, mayAppend })
    this.#streams.add(name)
    void this.#streamsWatched?.look(name)
    return stream
  }

  /** Has the status tell how far this node has come in the stream of counts. */
  watchCounts(counts: { readonly position: number }): void {
    this.#counts = counts
  }

  /** Has this node count as connected only while it also knows what others have revoked. */
  watchIdentity(identity: SharedIdentityState): void {
    this.#identity = identity
  }

  /** Invites others from now on: they have sent from here what `copy` gives. */
  invitations(
    options: Pick<InvitationsOptions, 'random' | 'systemMs' | 'copy' | 'report'>,
  ): Invitations {
    const { connection, node } = this.#options
    return new Invitations({ connection, node, ...options })
  }

  /**
   * Resolves when this node is a member under its name. ClusterError `node_name_taken` when another
   * process keeps it for longer than one that was killed would, `engine_failed` when the servers
   * do not take it for as long.
   */
  async join(): Promise<void> {
    const { elapsedMs, leases, patience } = this.#options
    const endMs = elapsedMs() + 3 * leases.ttlMs
    while (!this.#membership.isMember) {
      if (elapsedMs() >= endMs && this.#membership.whyTaken) throw this.#membership.whyTaken
      if (elapsedMs() >= endMs + patience.forMs) throw silentEngine()
      await sleep(leases.ttlMs / 50)
    }
    this.#remotes.listen()
  }

  /** What the nodes say to all others about a topic, a word of lower-case letters. */
  broadcast(topic: string): NodeBroadcast {
    const { connection, node } = this.#options
    return new NodeBroadcast(connection, topic, node)
  }

  /** Takes part with an environment's part, before `campaign`. */
  add(name: string, part: Part): void {
    this.#parts.set(name, part)
    this.#remotes.offer(offeredName(name), part.offered)
  }

  /** Has the status tell of the streams, and those looked at that are opened from now on. */
  describeStreams(watched: StreamsWatched): void {
    this.#streamsWatched = watched
  }

  /** Adds something that may block this node from leading: it gives a sentence each, or nothing. */
  blockLeadership(read: () => readonly string[]): void {
    this.#blockers.push(read)
  }

  /** What blocks this node from leading at this moment. */
  get blockers(): readonly string[] {
    return this.#blockers.flatMap((read) => read())
  }

  /** Streams that this node shares with the others, and nothing depends on. */
  get optionalStreams(): readonly string[] {
    return [...this.#optionalStreams]
  }

  /** The streams that this node shares with the others. */
  get streams(): readonly string[] {
    return [...this.#streams]
  }

  /**
   * Whether this node holds the lease of the one that leads at this very moment, and no journal is
   * in doubt: where one was rolled back, what all of them share was, too.
   */
  get leads(): boolean {
    return this.#lease?.held !== undefined && this.#isInSync
  }

  /** Until when `leads` holds if nothing is heard, on the clock of all threads; 0 if not. */
  get leadsUntilMs(): number {
    return this.leads ? (this.#lease?.heldUntilMs ?? 0) : 0
  }

  /** Changes from here that were decided anew because somebody else was faster. */
  get superseded(): number {
    return [...this.#parts.values()].reduce((sum, { turns }) => sum + turns.superseded, 0)
  }

  /** Leads from now on whenever it gets the lease. */
  campaign(): void {
    const { leases: store, node, elapsedMs, report } = this.#options
    this.#lease ??= new Lease({
      store,
      key: leaderKey,
      holder: this.#life,
      describe: () => ({ node }),
      elapsedMs,
      changed: () => this.#take(),
      report,
    })
  }

  /** What this node knows of the cluster; of an environment where its part has come to. */
  status(environment: string): ClusterStatus {
    const head = this.#parts.get(environment)?.member.head
    const leader = this.#leader ?? null
    const seen = this.#membership.members.map(({ node, said }) => {
      const role = node === leader ? ('leader' as const) : ('follower' as const)
      const position = node === this.#options.node ? this.#liveHead?.position : said['position']
      return { node, role, position: typeof position === 'number' ? position : null }
    })
    return {
      node: this.#options.node,
      role: this.#leads ? 'leader' : 'follower',
      position: head?.position ?? 0,
      tree_size: head?.log.treeSize ?? 0,
      connected: this.#membership.isMember && (this.#identity?.isInContact ?? true),
      leader,
      nodes: seen,
      streams: [...this.#streams, ...this.#optionalStreams].flatMap(
        (stream) => this.#seen(stream) ?? [],
      ),
      impediments: this.blockers,
    }
  }

  /** Lets another node lead, once all is answered that this one has taken, until `campaign`. */
  async handOver(): Promise<void> {
    for (const { member } of this.#parts.values()) member.follow(AbortSignal.timeout(lastBatchMs))
    const endMs = this.#options.elapsedMs() + 2 * lastBatchMs
    while (this.#stillLeads && this.#options.elapsedMs() < endMs) await sleep(pauseMs)
    await this.#lease?.release()
    this.#lease = undefined
  }

  /** Leaves the cluster. */
  async close(): Promise<void> {
    await this.handOver()
    this.#stopWatching()
    await this.#membership.leave()
    this.#remotes.close()
  }

  /** Undefined for a stream that is gone: that is an impediment. */
  #seen(stream: string): StreamSeen | undefined {
    const watched = this.#streamsWatched?.streams
    const done = this.#carriedOut(stream)
    const carriedOut = done === undefined ? {} : { carried_out: done }
    if (watched?.has(stream) !== true) return { ...unseen, stream, ...carriedOut }
    const state = watched.get(stream)
    // What is carried out here has come since it was looked at.
    return state && { ...state, newest: Math.max(state.newest, done ?? 0), ...carriedOut }
  }

  #carriedOut(stream: string): number | undefined {
    if (stream === identityStreamName) return this.#identity?.position
    if (stream === countStreamName) return this.#counts?.position
    const part = [...this.#parts].find(([name]) => streamName(name) === stream)
    return part?.[1].member.place.sequence
  }

  get #isInSync(): boolean {
    return [...this.#parts.values()].every(({ member }) => member.isInSync)
  }

  get #liveHead(): JournalHead | undefined {
    return this.#parts.get('live')?.member.head
  }

  get #stillLeads(): boolean {
    return [...this.#parts.values()].some(({ member }) => member.leads)
  }

  get #nodes(): readonly string[] {
    return this.#membership.members.map(({ node }) => node)
  }

  /** The lease was taken, or is not held any more. */
  #take(): void {
    const leads = this.#lease?.held !== undefined
    if (leads === this.#leads) return
    this.#leads = leads
    for (const { member } of this.#parts.values()) {
      if (leads) member.lead()
      else member.follow(AbortSignal.timeout(lastBatchMs))
    }
    this.#options.report({ type: leads ? 'leads' : 'follows' })
  }

  /** The node that leads, if it is another one and has answered over the link to it. */
  #reachLeader(): Remote | undefined {
    const leader = this.#leader
    if (leader === undefined || leader === this.#options.node) return undefined
    return this.#remotes.reach(leader)
  }
}

/** What is known of a stream that was not looked at yet. */
const unseen = { newest: null, messages: null, bytes: null, leader: null, replicas: [] }

function silentEngine(): ClusterError {
  return new ClusterError(
    'engine_failed',
    'The NATS servers are reached, but do not accept the name of this node. Most of them must be ' +
      'running and connected to each other. Check their logs, and start again.',
  )
}

/** The people of all environments have one stream, as they have one store. */
const identityStreamName = 'arklog-identity'

/** What all nodes count has a stream that nothing else depends on. */
const countStreamName = 'arklog-usage'

/** The name of an environment's stream. */
function streamName(environment: string): string {
  return `arklog-${environment}`
}

function offeredName(environment: string): string {
  return `${environment} leader`
}

/** A node as another one sees it, or itself. */
export type NodeSeen = {
  readonly node: string
  readonly role: 'leader' | 'follower'
  /** How far it had come when it last renewed its name; null while that is not known. */
  readonly position: number | null
}

/**
 * A stream as it was when it was last looked at, and how many of its messages this node has carried
 * out where it counts them. Its figures are null, and no servers are named, while it was not looked
 * at yet.
 */
export type StreamSeen = Omit<StreamState, 'newest' | 'messages' | 'bytes'> & {
  readonly newest: number | null
  readonly messages: number | null
  readonly bytes: number | null
  readonly carried_out?: number
}

/** A node and the cluster as it sees it. */
export type ClusterStatus = {
  readonly node: string
  readonly role: 'leader' | 'follower'
  /** Events of the registry that are here, and leaves of its log. */
  readonly position: number
  readonly tree_size: number
  /** Whether it is in contact with the others, and knows what they have revoked. */
  readonly connected: boolean
  /** The name of the node that leads; null while that is not known. */
  readonly leader: string | null
  readonly nodes: readonly NodeSeen[]
  /** The streams that all nodes share, as they were when they were last looked at. */
  readonly streams: readonly StreamSeen[]
  /** What keeps this node from leading: a sentence each. */
  readonly impediments: readonly string[]
}

export type CandidacyOptions = {
  readonly node: Pick<ClusterNode, 'campaign' | 'handOver' | 'blockers'>
  /** For how long nothing may have blocked the node from leading before it campaigns again. */
  readonly soundMs: number
  readonly elapsedMs: () => number
  /** Hears what blocks the node from leading, whenever that has changed; nothing: it may lead. */
  readonly report: (blockers: readonly string[]) => void
}

/** How often it is looked whether the node may lead. */
const lookMs = 500

/**
 * Has a node campaign for the lead for as long as nothing blocks it (`blockers`). Otherwise it
 * hands over, and campaigns again once all has been well for a while, so that the lead does not go
 * to and fro.
 */
export class Candidacy {
  readonly #options: CandidacyOptions
  readonly #looking: NodeJS.Timeout
  #isCampaigning = false
  /** Since when nothing has blocked the node from leading. */
  #soundSinceMs = Number.NEGATIVE_INFINITY
  #told = ''
  #leaving: Promise<void> = Promise.resolve()

  constructor(options: CandidacyOptions) {
    this.#options = options
    this.#look()
    this.#looking = setInterval(() => this.#look(), lookMs).unref()
  }

  /** Ends it; whether the node campaigns or not, it stays so. */
  async close(): Promise<void> {
    clearInterval(this.#looking)
    await this.#leaving
  }

  #look(): void {
    const { node, soundMs, elapsedMs } = this.#options
    const { blockers } = node
    this.#tell(blockers)
    const nowMs = elapsedMs()
    if (blockers.length > 0) {
      this.#soundSinceMs = Number.POSITIVE_INFINITY
      if (this.#isCampaigning) this.#leave()
      return
    }
    this.#soundSinceMs = Math.min(this.#soundSinceMs, nowMs)
    if (!this.#isCampaigning && nowMs - this.#soundSinceMs >= soundMs) this.#campaign()
  }

  #tell(blockers: readonly string[]): void {
    const text = blockers.join('\n')
    if (text === this.#told) return
    this.#told = text
    this.#options.report(blockers)
  }

  #campaign(): void {
    this.#isCampaigning = true
    void this.#leaving.then(() => {
      if (this.#isCampaigning) this.#options.node.campaign()
    })
  }

  #leave(): void {
    this.#isCampaigning = false
    this.#leaving = this.#leaving.then(() => this.#options.node.handOver())
  }
}
