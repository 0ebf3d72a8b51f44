import { setImmediate as nextTurn } from 'node:timers/promises'

import type { Proposal } from '#actors/journal/journal.ts'
import type { JournalMember } from '#actors/journal/member.ts'
import type { JournalHead } from '#actors/journal/pool.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { type MemoryDisk, openMemoryStore } from '#test/contracts/_memory_store.ts'
import {
  creationOf,
  type JournalNode,
  type JournalNodeOptions,
  openJournalNode,
  updateOf,
} from '#test/simulation/_journal_node.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'
import { SimulatedJournal } from '#test/simulation/_simulated_journal.ts'
import { until } from '#test/_until.ts'

const threeNodes = ['a', 'b', 'c']

/** Which nodes there are, how one starts, and the entry that is made with an event of a stream. */
export type JournalRunParts = {
  readonly nodes: readonly string[]
  readonly open: (name: string, options: JournalNodeOptions) => Promise<JournalNode>
  /** By the number of events before; undefined if none is to follow. */
  readonly entryOf: (slug: string, events: number) => string | undefined
}

/** Streams that changes are proposed for: few, so that many are proposed twice. */
const slugs = 40

/** Turns of the event loop that an append which is to be given up has left, at most. */
const patienceTurnsMax = 20

/** What a run has come to. */
export type JournalRun = {
  /** The rows of each node, as its disk has them. */
  readonly disks: readonly MemoryDisk[]
  /** What whoever proposed was told: the log's leaf by the text of the entry. */
  readonly acknowledged: ReadonlyMap<string, number>
  /** The checkpoints that any node has shown, by the size of their trees. */
  readonly shown: ReadonlyMap<number, ReadonlySet<string>>
  /** What a leader has refused, or said of how far it had come. */
  readonly told: readonly LeaderReport[]
}

/**
 * What a leader said after it was asked: of a stream or of the journal, how many events it knew,
 * and how many of them were acknowledged to anybody before it was asked.
 */
export type LeaderReport = {
  readonly what: 'stream' | 'journal'
  readonly knew: number
  readonly acknowledged: number
}

/**
 * Runs three nodes on one journal for so many steps of a seed: they propose, are told to lead, also
 * two at a time, and to follow, are cut off, killed and started again. Then all catch up.
 */
export async function runJournal(
  seed: number,
  steps: number,
  parts: Partial<JournalRunParts> = {},
): Promise<JournalRun> {
  const run = new Run(seed, {
    nodes: threeNodes,
    open: (_, node) => openJournalNode(node),
    ...parts,
  })
  try {
    await run.open()
    for (let step = 0; step < steps; step += 1) await run.step()
    await run.catchUp()
    return run.result()
  } finally {
    await run.close()
  }
}

class Run {
  readonly #parts: Omit<JournalRunParts, 'entryOf'> & Partial<JournalRunParts>
  readonly #random
  readonly #journal
  readonly #nodes = new Map<string, JournalNode>()
  readonly #disks: ReadonlyMap<string, MemoryDisk>
  readonly #shown = new Map<number, Set<string>>()
  readonly #acknowledged = new Map<string, number>()
  readonly #asked = new Set<Promise<void>>()
  readonly #told: LeaderReport[] = []
  /** Events that were acknowledged: of each stream, and of the journal. */
  readonly #acknowledgedOf = new Map<string, number>()
  #acknowledgedAll = 0
  #proposals = 0

  constructor(seed: number, parts: Omit<JournalRunParts, 'entryOf'> & Partial<JournalRunParts>) {
    this.#parts = parts
    this.#disks = new Map(parts.nodes.map((name) => [name, new Map()]))
    this.#random = seededRandom(seed)
    this.#journal = new SimulatedJournal(this.#random)
  }

  async open(): Promise<void> {
    for (const name of this.#parts.nodes) await this.#start(name)
    this.#node('a').member.lead()
  }

  async step(): Promise<void> {
    const { nodes } = this.#parts
    const name = nodes[this.#below(nodes.length)] ?? 'a'
    const node = this.#node(name)
    const chance = this.#random()
    const slug = `s${this.#below(slugs)}`
    if (chance < 0.3) this.#create(node, slug)
    else if (chance < 0.45) this.#change(node, slug)
    else if (chance < 0.5) this.#confirm(node)
    else if (chance < 0.55) node.member.lead()
    else if (chance < 0.57) node.member.follow(this.#soon())
    else if (chance < 0.6) this.#journal.connect(name, false)
    else if (chance < 0.68) this.#journal.connect(name, true)
    else if (chance < 0.69) await this.#restart(name)
    else await nextTurn()
  }

  /** Connects all, has the first one lead, and waits until all have the same. */
  async catchUp(): Promise<void> {
    const { nodes } = this.#parts
    for (const name of nodes) this.#journal.connect(name, true)
    for (const name of nodes.slice(1)) this.#node(name).member.follow(AbortSignal.abort())
    const leader = this.#node('a')
    leader.member.lead()
    await Promise.all(this.#asked)
    await this.#untilAll('the first node leads', () => leader.member.leads)
    // A leader that has nothing to write does not find out that another one has gone on.
    this.#create(leader, 'last')
    await Promise.all(this.#asked)
    await this.#untilAll('all nodes have carried out all', () => {
      return this.#members().every(({ place }) => place.sequence === this.#journal.newest)
    })
  }

  result(): JournalRun {
    const disks = [...this.#disks.values()]
    const shown = { shown: this.#shown, told: this.#told }
    return { disks, acknowledged: this.#acknowledged, ...shown }
  }

  async close(): Promise<void> {
    for (const member of this.#members()) await member.close()
  }

  async #untilAll(what: string, isSo: () => boolean): Promise<void> {
    const failures = () => [...this.#nodes.values()].map((node) => node.failure())
    await until(what, () => isSo() || failures().some((failure) => failure !== undefined))
    const cause = failures().find((failure) => failure !== undefined)
    if (cause !== undefined) throw new Error('a node has stopped', { cause })
  }

  #members(): readonly JournalMember[] {
    return [...this.#nodes.values()].map(({ member }) => member)
  }

  #create(node: JournalNode, slug: string): void {
    const next = this.#proposals + 1
    const entry = this.#parts.entryOf?.(slug, 0) ?? `entry ${next}`
    this.#proposals = next
    this.#propose(node, creationOf(slug, entry), (leaf) => this.#acknowledged.set(entry, leaf))
  }

  /** Changes what was told of last: only what is newer may be a reason to refuse that. */
  #change(node: JournalNode, slug: string): void {
    const events = this.#acknowledgedOf.get(`organization/${slug}`) ?? 0
    const entry = this.#parts.entryOf?.(slug, events)
    if (events === 0 || (this.#parts.entryOf !== undefined && entry === undefined)) return
    const proposal = updateOf(slug, events)
    const entries = entry === undefined ? [] : [Buffer.from(entry)]
    const committed = (leaf: number) => entry && this.#acknowledged.set(entry, leaf)
    this.#propose(node, { ...proposal, entries }, committed)
  }

  #propose(node: JournalNode, proposal: Proposal, committed: (leaf: number) => unknown): void {
    const { stream } = proposal
    const acknowledged = this.#acknowledgedOf.get(stream) ?? 0
    this.#ask(
      node.propose(proposal).then((answer) => {
        if (answer.type === 'stale') {
          this.#told.push({ what: 'stream', knew: answer.seq, acknowledged })
        }
        if (answer.type !== 'committed') return
        committed(answer.leafIndex)
        for (const { seq, position } of answer.events) {
          const before = this.#acknowledgedOf.get(stream) ?? 0
          this.#acknowledgedOf.set(stream, Math.max(before, seq))
          this.#acknowledgedAll = Math.max(this.#acknowledgedAll, position + 1)
        }
      }),
    )
  }

  /** Has a node say how far the journal has come, as it does before it refuses. */
  #confirm({ member }: JournalNode): void {
    const acknowledged = this.#acknowledgedAll
    this.#ask(
      member.confirm().then(() => {
        this.#told.push({ what: 'journal', knew: member.head.position, acknowledged })
      }),
    )
  }

  #ask(asking: Promise<void>): void {
    const asked = asking.catch((error: unknown) => {
      if (!(error instanceof ActorError)) throw error
    })
    this.#asked.add(asked)
    void asked.finally(() => this.#asked.delete(asked))
  }

  /** What is in memory is lost, and so is what was being written. */
  async #restart(name: string): Promise<void> {
    const { store, member } = this.#node(name)
    await store.close()
    await member.close()
    await this.#start(name)
  }

  async #start(name: string): Promise<void> {
    const disk = this.#disks.get(name)
    const shared = this.#journal.of(name)
    const create = disk?.size === 0
    const shown = (head: JournalHead) => this.#show(head)
    const options = { store: openMemoryStore(disk), shared, create, shown }
    const node = await this.#parts.open(name, options)
    this.#nodes.set(name, node)
  }

  #show({ log }: JournalHead): void {
    const shown = this.#shown.get(log.treeSize) ?? new Set()
    this.#shown.set(log.treeSize, shown.add(log.checkpoint))
  }

  /** A signal that comes after a few turns of the event loop. */
  #soon(): AbortSignal {
    const controller = new AbortController()
    const turns = this.#below(patienceTurnsMax)
    const wait = async () => {
      for (let turn = 0; turn < turns; turn += 1) await nextTurn()
      controller.abort()
    }
    void wait()
    return controller.signal
  }

  #node(name: string): JournalNode {
    const node = this.#nodes.get(name)
    if (node === undefined) throw new Error(`there is no node ${name}`)
    return node
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound)
  }
}
