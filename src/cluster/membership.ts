import { ClusterError } from '#src/cluster/cluster_error.ts'
import { Lease, type LeaseEvent, type LeaseStore, type LeaseValue } from '#src/cluster/lease.ts'
import { isNodeName } from '#src/cluster/node_name.ts'
import { assert } from '#log/errors.ts'

/** A node that is there, and what it says of itself. */
export type Member = { readonly node: string; readonly said: LeaseValue }

/** What a membership needs. */
export type MembershipOptions = {
  readonly store: LeaseStore
  /** The name of this node, as `isNodeName` has it. */
  readonly node: string
  /** Names this life of the process: no two have the same. */
  readonly life: string
  /** What this node says of itself, such as its addresses: asked at every renewal. */
  readonly describe: () => Readonly<Record<string, unknown>>
  /** Milliseconds of a clock that only goes forward, and goes on while the process stands still. */
  readonly elapsedMs: () => number
  /** Hears when a node has come or gone, this one included. */
  readonly changed: () => void
  readonly report: (event: LeaseEvent) => void
}

type Seen = { readonly member: Member; readonly seenMs: number }

const folder = 'node'
// Of the time after which the store lets go of a node: whoever is there has written three times.
const seenShare = 1.5
const sweepShare = 1 / 4

/**
 * Which nodes are there. Each holds a lease on its name, and watches those of all. A node that is
 * not a member itself at a moment has lost contact, and what it knows of the others may be old.
 */
export class Membership {
  readonly #options: MembershipOptions
  readonly #lease: Lease
  readonly #seen = new Map<string, Seen>()
  readonly #stopWatching: () => void
  readonly #sweeping: NodeJS.Timeout
  #told = ''

  /** Takes the name, as soon as no other life has it, and keeps it until this node leaves. */
  constructor(options: MembershipOptions) {
    const { store, node, life: holder, describe, elapsedMs, report } = options
    assert(isNodeName(node), 'a node has a name')
    this.#options = options
    const changed = () => this.#tell()
    const key = `${folder}.${node}`
    this.#stopWatching = store.watch(`${folder}.*`, (at, entry) => {
      this.#see(at.slice(folder.length + 1), entry?.value)
    })
    this.#lease = new Lease({ store, key, holder, describe, elapsedMs, changed, report })
    this.#sweeping = setInterval(() => this.#tell(), store.ttlMs * sweepShare).unref()
  }

  /** Whether this node is in contact with the others at this very moment. */
  get isMember(): boolean {
    return this.#lease.held !== undefined
  }

  /** The nodes that are there, by their names, as far as this one knows. */
  get members(): readonly Member[] {
    const sinceMs = this.#options.elapsedMs() - this.#options.store.ttlMs * seenShare
    return [...this.#seen.values()]
      .filter(({ seenMs }) => seenMs > sinceMs)
      .map(({ member }) => member)
      .toSorted((one, other) => (one.node < other.node ? -1 : 1))
  }

  /** Why this node is no member, if another life has its name. */
  get whyTaken(): ClusterError | undefined {
    const { node, life } = this.#options
    const said = this.members.find((member) => member.node === node)?.said
    if (said === undefined || said.holder === life) return undefined
    return new ClusterError(
      'node_name_taken',
      `Another process is node ${node} of this cluster. If it is an earlier life of this one, ` +
        'its name is free in a few seconds; otherwise give each node a CLUSTER_NODE of its own.',
    )
  }

  /** Lets go of the name, and tells the others at once. */
  async leave(): Promise<void> {
    clearInterval(this.#sweeping)
    this.#stopWatching()
    await this.#lease.release()
    this.#seen.clear()
  }

  #see(node: string, said: LeaseValue | undefined): void {
    if (said === undefined) this.#seen.delete(node)
    else if (isNodeName(node)) {
      this.#seen.set(node, { member: { node, said }, seenMs: this.#options.elapsedMs() })
    }
    this.#tell()
  }

  /** Tells of it if other lives of nodes are there than before, or contact is lost or back. */
  #tell(): void {
    const lives = this.members.map(({ node, said }) => `${node}/${said.holder}`)
    const state = [this.isMember, ...lives].join(' ')
    if (state === this.#told) return
    this.#told = state
    this.#options.changed()
  }
}
