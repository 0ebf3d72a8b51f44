import { setTimeout as sleep } from 'node:timers/promises'

import { ClusterError } from '#src/cluster/cluster_error.ts'
import { isPassing, type Patience } from '#src/cluster/passing_fault.ts'

/** What is written under a key, and by which revision it is replaced. */
export type LeaseEntry = { readonly value: LeaseValue; readonly revision: number }

/** Who holds a lease, and what they say of themselves. */
export type LeaseValue = {
  /** Names one life of a process: no two have the same. */
  readonly holder: string
} & Readonly<Record<string, unknown>>

/** A place for leases: what is not written again for `ttlMs` is gone. Revisions only grow. */
export type LeaseStore = {
  readonly ttlMs: number
  /** The revision; undefined if there is something under the key. */
  create(key: string, value: LeaseValue): Promise<number | undefined>
  /** The revision; undefined if what stands there has another one than `revision`. */
  update(key: string, value: LeaseValue, revision: number): Promise<number | undefined>
  read(key: string): Promise<LeaseEntry | undefined>
  /** Deletes what has this revision, and nothing else. */
  delete(key: string, revision: number): Promise<void>
  /**
   * Tells of everything below a key (`*` stands for one part of it) and of each change; undefined:
   * it was deleted or has expired. Gives how to stop that.
   */
  watch(key: string, changed: (key: string, entry: LeaseEntry | undefined) => void): () => void
}

export type LeaseOptions = {
  readonly store: LeaseStore
  readonly key: string
  readonly holder: string
  /** What the holder says of itself: asked at every renewal. */
  readonly describe: () => Readonly<Record<string, unknown>>
  /** Milliseconds of a clock that only goes forward, and goes on while the process stands still. */
  readonly elapsedMs: Patience['elapsedMs']
  /** Hears when the lease is held from now on, and when it is not any more. */
  readonly changed: () => void
  /** Hears of what keeps the lease from being taken or renewed. */
  readonly report: (event: LeaseEvent) => void
}

/** A lease could not be taken or renewed; it is tried again. */
export type LeaseEvent = {
  readonly type: 'lease_failed'
  readonly key: string
  readonly error: unknown
}

/** A lease that is held. `token` grows from holder to holder: by it, a late one can be told. */
export type Held = { readonly token: number }

/** A tenure as this process believes in it: `untilMs` is on its own clock. */
type Tenure = { readonly token: number; readonly revision: number; readonly untilMs: number }

// Of the time after which the store lets go of a lease. A renewal that fails after a third of it is
// repeated at once; what is left after the belief is for clocks that go at other speeds.
const renewalShare = 1 / 3
const repetitionShare = 1 / 20
const beliefShare = 0.8
const repetitionMsMax = 1_000

/**
 * One of several processes holds a lease at a time, as long as it renews it. It believes so until a
 * moment on its own clock that comes before the store lets go of the lease, counted from before it
 * asked for it: a holder that is cut off, or stood still, knows by itself that it has none.
 * That can fail where clocks fail, so what a holder does is fenced by its token or by the journal.
 */
export class Lease {
  readonly #options: LeaseOptions
  #tenure: Tenure | undefined
  /** What listeners were last told. */
  #told: number | undefined
  #isWanted = true
  #isWoken = false
  #endRest: () => void = () => undefined
  #expiry: NodeJS.Timeout | undefined
  readonly #stopWatching: () => void
  readonly #running: Promise<void>

  /** Tries to get the lease from now on, until it is released. */
  constructor(options: LeaseOptions) {
    this.#options = options
    const { store, key } = options
    this.#stopWatching = store.watch(key, (_key, entry) => {
      if (entry === undefined) this.#wake()
    })
    this.#running = this.#run()
  }

  /** The lease, if it is held at this very moment. */
  get held(): Held | undefined {
    const tenure = this.#believed()
    return tenure && { token: tenure.token }
  }

  /** Until when it is believed, on the clock of `elapsedMs`, that it is held; 0 if it is not. */
  get heldUntilMs(): number {
    return this.#believed()?.untilMs ?? 0
  }

  /** Lets go of the lease, at once for others to take, and tries no more to get it. */
  async release(): Promise<void> {
    if (!this.#isWanted) return this.#running
    this.#isWanted = false
    this.#stopWatching()
    this.#wake()
    await this.#running
    const revision = this.#tenure?.revision
    this.#set(undefined)
    if (revision === undefined) return
    const { store, key, report } = this.#options
    try {
      await store.delete(key, revision)
    } catch (error) {
      // It expires by itself.
      report({ type: 'lease_failed', key, error })
    }
  }

  async #run(): Promise<void> {
    const { store, key, report } = this.#options
    while (this.#isWanted) {
      let waitMs = store.ttlMs * renewalShare
      try {
        await this.#takeOrRenew()
      } catch (error) {
        waitMs = Math.min(store.ttlMs * repetitionShare, repetitionMsMax)
        report({ type: 'lease_failed', key, error })
      }
      if (this.#isWanted) await this.#sleep(waitMs)
    }
  }

  async #takeOrRenew(): Promise<void> {
    const { store, key } = this.#options
    const revision = this.#tenure?.revision
    if (revision === undefined ? await this.#create() : await this.#update(revision)) return
    const entry = await store.read(key)
    // What was written may have been, though nobody said so.
    if (entry?.value.holder === this.#options.holder) await this.#update(entry.revision)
    else this.#set(undefined)
  }

  #create(): Promise<boolean> {
    const { store, key } = this.#options
    return this.#write((value) => store.create(key, value))
  }

  #update(revision: number): Promise<boolean> {
    const { store, key } = this.#options
    return this.#write((value) => store.update(key, value, revision))
  }

  async #write(write: (value: LeaseValue) => Promise<number | undefined>): Promise<boolean> {
    const { store, holder, describe, elapsedMs } = this.#options
    const askedMs = elapsedMs()
    const revision = await write({ ...describe(), holder })
    if (revision === undefined) return false
    const untilMs = askedMs + store.ttlMs * beliefShare
    // A holder that did not believe in it for a while begins anew.
    const token = this.#believed()?.token ?? revision
    this.#set({ token, revision, untilMs })
    return true
  }

  /** What is held while it is believed in; a tenure that is over still has its revision. */
  #believed(): Tenure | undefined {
    const tenure = this.#tenure
    return tenure !== undefined && this.#options.elapsedMs() < tenure.untilMs ? tenure : undefined
  }

  #set(tenure: Tenure | undefined): void {
    this.#tenure = tenure
    this.#tell()
  }

  #tell(): void {
    clearTimeout(this.#expiry)
    const tenure = this.#believed()
    if (tenure !== undefined) {
      const leftMs = tenure.untilMs - this.#options.elapsedMs()
      this.#expiry = setTimeout(() => this.#tell(), Math.ceil(leftMs))
    }
    if (tenure?.token === this.#told) return
    this.#told = tenure?.token
    this.#options.changed()
  }

  /** Until it is time for a renewal or the next attempt, or the lease is there to be taken. */
  async #sleep(waitMs: number): Promise<void> {
    if (!this.#isWoken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs)
        this.#endRest = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#isWoken = false
  }

  #wake(): void {
    this.#isWoken = true
    this.#endRest()
  }
}

export type NameHolderOptions = {
  readonly store: Pick<LeaseStore, 'ttlMs' | 'read'>
  /** The name of a node, as `isNodeName` has it. */
  readonly node: string
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
  /** What is to be done where a process that runs has the name: sentences. */
  readonly advice: string
}

/** Below which key each node has the lease on its name. */
export const nameFolder = 'node'

// Of the time after which the store lets go of a name. A process that runs has renewed it twice by
// then.
const looksOfAnEnd = 40
const waitShare = 3

/**
 * Renewals by which a process shows that it runs. One that was killed may have had one on its way.
 */
const renewalsOfTheLiving = 2

/**
 * Resolves when nobody holds the name of a node. One that was killed renews it no more, and it is
 * free when its lease has ended; a process that is seen to renew it runs: ClusterError
 * `node_name_taken`. What a passing fault of the engine hides is looked at again.
 */
export async function awaitFreeName(options: NameHolderOptions): Promise<void> {
  const { store, node, elapsedMs, advice } = options
  const endMs = elapsedMs() + store.ttlMs * waitShare
  let seen: LeaseEntry | undefined
  let renewals = 0
  for (;;) {
    const entry = await readHolder(options, endMs)
    if (entry === undefined) return
    if (seen !== undefined && entry.revision !== seen.revision) renewals += 1
    seen = entry
    if (renewals >= renewalsOfTheLiving || elapsedMs() >= endMs) {
      throw nameTaken(`${describeHolder(node, entry.value)} is already running`, advice)
    }
    await sleep(store.ttlMs / looksOfAnEnd)
  }
}

async function readHolder(
  { store, node, elapsedMs }: NameHolderOptions,
  endMs: number,
): Promise<LeaseEntry | undefined> {
  for (;;) {
    try {
      return await store.read(`${nameFolder}.${node}`)
    } catch (error) {
      if (!isPassing(error) || elapsedMs() >= endMs) throw error
    }
    await sleep(store.ttlMs / looksOfAnEnd)
  }
}

/** A node, and where it runs, as far as it has said. */
export function describeHolder(node: string, { host }: LeaseValue): string {
  return `Node ${node} of this cluster${typeof host === 'string' ? ` (on host ${host})` : ''}`
}

/** Why a name cannot be had, and what to do. */
export function nameTaken(found: string, advice: string): ClusterError {
  return new ClusterError('node_name_taken', `${found}. ${advice}`)
}
