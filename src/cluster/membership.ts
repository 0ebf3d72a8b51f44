import type { ClusterError } from '#src/cluster/cluster_error.ts'
import {
  describeHolder,
  Lease,
  type LeaseEvent,
  type LeaseStore,
  type LeaseValue,
  nameFolder,
  nameTaken,
} from '#src/cluster/lease.ts'
import { isNodeName } from '#src/cluster/invitation.ts'
import { assert } from '#log/tlog/errors.ts'

/** A node that is there, and what it says of itself. */
export type Member = { readonly node: string; readonly said: LeaseValue }

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
  /** Hears what another node says of itself, whenever it says it. */
  readonly heard: (member: Member) => void
  /** Hears when a node has come or gone, this one included. */
  readonly changed: () => void
  /** Hears once that another process has become this node since it was one: this one must end. */
  readonly replaced: (error: ClusterError) => void
  readonly report: (event: LeaseEvent) => void
}

type Seen = { readonly member: Member; readonly seenMs: number }

// Of the time after which the store lets go of a node: a live one has written three times.
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
  #wasMember = false
  #isReplaced = false

  /** Takes the name, as soon as no other life has it, and keeps it until this node leaves. */
  constructor(options: MembershipOptions) {
    const { store, node, life: holder, describe, elapsedMs, report } = options
    assert(isNodeName(node), 'a node has a name')
    this.#options = options
    const changed = () => this.#tell()
    const key = `${nameFolder}.${node}`
    this.#stopWatching = store.watch(`${nameFolder}.*`, (at, entry) => {
      this.#see(at.slice(nameFolder.length + 1), entry?.value)
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
    return nameTaken(`${describeHolder(node, said)} is another process`, ownNameAdvice)
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
    if (said !== undefined) {
      if (node === this.#options.node) this.#compare(said)
      else this.#options.heard({ node, said })
    }
    this.#tell()
  }

  /** A member that sees another life under its name was out of contact for too long. */
  #compare(said: LeaseValue): void {
    const { node, life, replaced } = this.#options
    if (!this.#wasMember || this.#isReplaced || said.holder === life) return
    this.#isReplaced = true
    const found = 'is now another process. This one had lost contact and ends'
    replaced(nameTaken(`${describeHolder(node, said)} ${found}`, ownNameAdvice))
  }

  /** Tells of it if other lives of nodes are there than before, or contact is lost or back. */
  #tell(): void {
    this.#wasMember ||= this.isMember
    const lives = this.members.map(({ node, said }) => `${node}/${said.holder}`)
    const state = [this.isMember, ...lives].join(' ')
    if (state === this.#told) return
    this.#told = state
    this.#options.changed()
  }
}

/** What to do where two processes want to be one node. */
export const ownNameAdvice =
  'Each process needs its own CLUSTER_NODE and folder. Stop the other one if this should be ' +
  'the node, or let this machine join under another name ("arklog cluster join").'
