import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { elapsedMs } from '#actors/values/clock.ts'
import { LogError } from '#log/tlog/errors.ts'
import { createKeyHasher } from '#src/identity/store/api_key.ts'
import { countChanges, IdentityGuard, readSince } from '#src/identity/store/counted_rows.ts'
import { IdentityError, isPassingFault } from '#src/identity/store/identity_error.ts'
import { putRow } from '#src/identity/store/identity_rows.ts'
import { OpenedIdentityStore } from '#src/identity/store/identity_store.ts'
import { type MemoryDisk, openMemoryStore } from '#test/contracts/_memory_store.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'
import { SimulatedJournal } from '#test/simulation/_simulated_journal.ts'

const nodeNames = ['a', 'b', 'c'] as const
type NodeName = (typeof nodeNames)[number]

/** Things that are good for one use: few, so that many are wanted twice. */
const things = 12

/** Short, so that a node that is cut off holds nobody up; never so short that nothing is done. */
const patienceMs = 40

const pepper = Buffer.alloc(32, 1)

/** A node in memory, whose rows outlive it. */
type Node = {
  readonly disk: ReturnType<typeof openMemoryStore>
  readonly store: OpenedIdentityStore
  readonly stopped: readonly unknown[]
}

/** What a run has come to. */
export type IdentityRun = {
  /** The rows of each node, as its disk has them. */
  readonly disks: readonly MemoryDisk[]
  /** How often somebody was told that they have used a thing up. */
  readonly used: ReadonlyMap<string, number>
  /** How often the count was added to: for certain, and at most. */
  readonly added: { readonly least: number; readonly most: number }
  readonly count: number
  /** Keys of the rows that were acknowledged. */
  readonly acknowledged: readonly string[]
}

/**
 * Runs three nodes on one stream for so many steps of a seed: they use things up, add to a count
 * and append, are cut off, killed and started again. Then all catch up.
 */
export async function runIdentity(seed: number, steps: number): Promise<IdentityRun> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'arklog-'))
  const run = new Run(seed, folder)
  try {
    await run.open()
    for (let step = 0; step < steps; step += 1) await run.step()
    await run.catchUp()
    return run.result()
  } finally {
    await run.close()
    await rm(folder, { recursive: true })
  }
}

class Run {
  readonly #folder: string
  readonly #random
  readonly #stream
  readonly #nodes = new Map<NodeName, Node>()
  readonly #disks = new Map<NodeName, MemoryDisk>(nodeNames.map((name) => [name, new Map()]))
  readonly #asked = new Set<Promise<void>>()
  readonly #used = new Map<string, number>()
  readonly #acknowledged: string[] = []
  #least = 0
  #most = 0
  #appended = 0

  constructor(seed: number, folder: string) {
    this.#folder = folder
    this.#random = seededRandom(seed)
    this.#stream = new SimulatedJournal(this.#random)
  }

  async open(): Promise<void> {
    for (const name of nodeNames) await this.#start(name)
  }

  async step(): Promise<void> {
    const name = nodeNames[this.#below(nodeNames.length)] ?? 'a'
    const { store } = this.#node(name)
    const chance = this.#random()
    if (chance < 0.25) this.#use(store, `thing/${this.#below(things)}`)
    else if (chance < 0.45) this.#add(store)
    else if (chance < 0.55) this.#append(store)
    else if (chance < 0.58) this.#stream.connect(name, false)
    else if (chance < 0.7) this.#stream.connect(name, true)
    else if (chance < 0.72) await this.#restart(name)
    else await nextTurn()
  }

  /** Connects all, and waits until all have the same. */
  async catchUp(): Promise<void> {
    for (const name of nodeNames) this.#stream.connect(name, true)
    await Promise.all(this.#asked)
    for (const { store, stopped } of this.#nodes.values()) {
      // Whoever is late on a busy machine is asked again.
      while (stopped.length === 0 && !(await hasCaughtUp(store))) await nextTurn()
      if (stopped.length > 0) throw new Error('a node has stopped', { cause: stopped[0] })
    }
  }

  result(): IdentityRun {
    return {
      disks: [...this.#disks.values()],
      used: this.#used,
      added: { least: this.#least, most: this.#most },
      count: this.#node('a').store.read<number>('count') ?? 0,
      acknowledged: this.#acknowledged,
    }
  }

  async close(): Promise<void> {
    for (const { store } of this.#nodes.values()) await store.close()
  }

  /** Uses a thing up if nobody has. */
  #use(store: OpenedIdentityStore, key: string): void {
    const using = store.inTurn(async () => {
      if (store.read(key) !== undefined) return false
      await nextTurn()
      await store.commit([putRow(key, 'used')])
      return true
    })
    this.#ask(using, (isUsed) => {
      if (!isUsed) return
      this.#used.set(key, (this.#used.get(key) ?? 0) + 1)
      this.#acknowledged.push(key)
    })
  }

  #add(store: OpenedIdentityStore): void {
    const adding = store.inTurn(async () => {
      const count = store.read<number>('count') ?? 0
      await nextTurn()
      await store.commit([putRow('count', count + 1)])
    })
    this.#most += 1
    this.#ask(adding, () => void (this.#least += 1))
  }

  #append(store: OpenedIdentityStore): void {
    const key = `note/${(this.#appended += 1)}`
    this.#ask(store.append([putRow(key, 1)]), () => void this.#acknowledged.push(key))
  }

  #ask<Answer>(asked: Promise<Answer>, answered: (answer: Answer) => void): void {
    const settled = asked.then(answered, (error: unknown) => {
      // The disk of a node that was killed reads no more.
      if (!(error instanceof IdentityError) && !(error instanceof LogError)) throw error
    })
    this.#asked.add(settled)
    void settled.finally(() => this.#asked.delete(settled))
  }

  /** What is in memory is lost, and so is what was being written. */
  async #restart(name: NodeName): Promise<void> {
    const { disk, store } = this.#node(name)
    await disk.close()
    await store.close()
    this.#stream.connect(name, true)
    await this.#start(name)
  }

  /** Starts a node; one that is not answered in time, on a busy machine, is started again. */
  async #start(name: NodeName): Promise<void> {
    for (;;) {
      try {
        return await this.#startOnce(name)
      } catch (error) {
        if (!isPassingFault(error)) throw error
      }
    }
  }

  async #startOnce(name: NodeName): Promise<void> {
    const disk = openMemoryStore(this.#disks.get(name))
    const hashKey = createKeyHasher(pepper)
    const guard = new IdentityGuard(path.join(this.#folder, name), hashKey)
    const changes = countChanges(disk)
    const since = readSince(disk)
    const parts = { store: disk, pepper, hashKey, guard, changes, lostChanges: 0, since }
    const store = new OpenedIdentityStore(parts)
    const stopped: unknown[] = []
    const shared = {
      stream: this.#stream.of(name),
      elapsedMs,
      patienceMs,
      contactMs: 60_000,
      isConnected: () => true,
      stopped: (error: unknown) => void stopped.push(error),
    }
    try {
      await store.takePart(shared)
    } catch (error) {
      await store.close()
      throw error
    }
    this.#nodes.set(name, { disk, store, stopped })
  }

  #node(name: NodeName): Node {
    const node = this.#nodes.get(name)
    if (node === undefined) throw new Error(`there is no node ${name}`)
    return node
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound)
  }
}

async function hasCaughtUp(store: OpenedIdentityStore): Promise<boolean> {
  try {
    await store.caughtUp()
    return true
  } catch (error) {
    if (error instanceof IdentityError && error.code === 'identity_stale') return false
    throw error
  }
}
