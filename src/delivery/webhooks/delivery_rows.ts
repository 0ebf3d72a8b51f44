import type { EndedPermission, MessageKind } from '#src/delivery/webhooks/event.ts'
import {
  deleteRow,
  type IdentityStore,
  putRow,
  type RowChange,
} from '#src/identity/store/identity_rows.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'

/** Tries that are kept of an endpoint, and for how long. A try has 2 kB at most. */
export const deliveriesMax = 200
export const deliveriesKeptMs = 7 * 24 * 3_600_000

/** How one try to deliver a message ended. */
export type Delivery = {
  /** Its place among the tries of its endpoint, from 1. */
  readonly number: number
  readonly message: string
  readonly type: MessageKind
  /** The change that the message is about; undefined for one that is about none. */
  readonly seq?: number
  readonly at: string
  readonly duration_ms: number
  readonly body: string
  readonly delivered: boolean
  /** The status and the beginning of the body of the answer, if there was one. */
  readonly answer?: { readonly status: number; readonly text: string }
  /** Why there was none. */
  readonly problem?: string
}

/**
 * Messages about one subject that wait for the first of them, which was refused: those about others
 * go on meanwhile. Times are in ms since 1970.
 */
export type DeferredMessages = {
  readonly subject: string
  /** The changes that they are about, oldest first. */
  readonly seqs: readonly number[]
  readonly failures: number
  readonly sinceMs: number
  readonly nextMs: number
}

/** How far the deliveries of an endpoint have come. */
export type EndpointProgress = {
  /** Of `start` of the endpoint. */
  readonly starts: number
  /** All changes up to this `seq` are delivered, or held. */
  readonly after: number
  /**
   * Whether there may be something for the endpoint between `after` and what its deliverer has
   * seen of the journal.
   */
  readonly isBehind: boolean
  readonly pings: number
  /** The newest replay that was carried out, and how far the one after it has come. */
  readonly replays: number
  readonly replayed?: number
  /** Tries that have failed in a row, since when, and when the next is made, in ms since 1970. */
  readonly failures: number
  readonly failingSinceMs?: number
  readonly nextMs?: number
  readonly held: readonly DeferredMessages[]
  /** The newest checkpoint that was sent, and when. */
  readonly checkpoint?: { readonly treeSize: number; readonly atMs: number }
  /** The numbers of the tries that are kept: the first, and the one that comes next. */
  readonly deliveries: { readonly first: number; readonly next: number }
}

/** What is to be written of an endpoint: how far it is, and the tries that are new or too old. */
export type Kept = {
  readonly progress: EndpointProgress
  readonly deliveries: readonly Delivery[]
  /** The numbers of tries that are not kept any more. */
  readonly forgotten: readonly number[]
  /** The keys of the revocations that were sent. */
  readonly sentRevocations: readonly string[]
}

/** What is written beside what is kept of endpoints. */
type KeptWith = {
  /** How far the journal was seen. */
  readonly seen?: number | undefined
  /** The term of the writing node, where several nodes deliver one after the other. */
  readonly term: string | undefined
}

/** A permission that has ended, which an endpoint is still to hear of, with the key of its row. */
export type PendingRevocation = { readonly key: string; readonly ended: EndedPermission }

/** Revocations that wait for one endpoint: of more, the oldest are forgotten. */
export const pendingRevocationsMax = 1_000

const endedRoot = 'webhook_ended/'

/** Rows that are forgotten in one change. */
const forgottenMax = 500
const seenKey = 'webhook_seen'
const termKey = 'webhook_term'

/**
 * What is kept of deliveries: how far those of each endpoint have come, the newest tries, the
 * revocations that wait for an endpoint, and how far their deliverer has seen the journal.
 */
export class DeliveryRows {
  readonly #store: IdentityStore
  readonly #tries: SealedRows<Delivery>

  constructor(store: IdentityStore) {
    this.#store = store
    this.#tries = new SealedRows(store, 'webhook_try')
  }

  /** How far the deliveries of an endpoint have come; undefined before the first. */
  progress(id: string): EndpointProgress | undefined {
    return this.#store.read<EndpointProgress>(progressKey(id))
  }

  /** Everything up to this change was seen, and what endpoints hear of it is in their progress. */
  seen(): number | undefined {
    return this.#store.read<number>(seenKey)
  }

  /** A try by its number; undefined if it is not kept. */
  read(id: string, number: number): Delivery | undefined {
    return this.#tries.read(tryId(id, number))
  }

  /** The tries before one of a number, newest first. */
  list(id: string, before: number, limit: number): readonly Delivery[] {
    const { first, next } = this.progress(id)?.deliveries ?? { first: 1, next: 1 }
    const found: Delivery[] = []
    for (let number = Math.min(before, next) - 1; number >= first; number -= 1) {
      if (found.length === limit) break
      const delivery = this.read(id, number)
      if (delivery !== undefined) found.push(delivery)
    }
    return found
  }

  /** The oldest revocations that an endpoint has not heard of. */
  async pendingRevocations(id: string, limit: number): Promise<readonly PendingRevocation[]> {
    const found: PendingRevocation[] = []
    for await (const [key, ended] of this.#store.scan<EndedPermission>(`${endedRoot}${id}/`, {
      limit,
    })) {
      found.push({ key, ended })
    }
    return found
  }

  /** The endpoints that revocations wait for, each once or more. */
  async *endpointsWithRevocations(): AsyncGenerator<string> {
    for await (const [key] of this.#store.scan<EndedPermission>(endedRoot)) {
      yield endpointOf(key)
    }
  }

  /** Tells of each endpoint that a revocation waits for from now on. */
  onRevocation(listener: (id: string) => void): void {
    this.#store.follow<EndedPermission>(endedRoot, (key, row) => {
      if (row !== undefined) listener(endpointOf(key))
    })
  }

  /**
   * Forgets revocations that nobody is to hear of any more, and the oldest of those that wait for
   * one endpoint where they are more than `pendingRevocationsMax`. What is to be erased is left in
   * no file either, which takes long.
   */
  async forgetRevocations(
    judge: (id: string, ended: EndedPermission) => 'kept' | 'forgotten' | 'erased',
  ): Promise<void> {
    let forgotten: string[] = []
    const erased: string[] = []
    let [current, kept]: [string, string[]] = ['', []]
    for await (const [key, ended] of this.#store.scan<EndedPermission>(endedRoot)) {
      const id = endpointOf(key)
      if (id !== current) [current, kept] = [id, []]
      const judged = judge(id, ended)
      if (judged === 'kept') kept.push(key)
      else forgotten.push(key)
      if (judged === 'erased') erased.push(key)
      // Keys of one endpoint are in the order of their time.
      if (kept.length > pendingRevocationsMax) forgotten.push(...kept.splice(0, 1))
      if (forgotten.length < forgottenMax) continue
      await this.#forget(forgotten)
      forgotten = []
    }
    await this.#forget(forgotten)
    if (erased.length > 0) await this.#store.inTurn(() => this.#store.purge(erased))
  }

  async #forget(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    await this.#store.inTurn(() => this.#store.commit(keys.map(deleteRow)))
  }

  putEnded(id: string, ended: EndedPermission): RowChange {
    return putRow(`${endedRoot}${id}/${ended.at}-${ended.id}`, ended)
  }

  /**
   * Has this term be the only one that writes from now on. All that others have written is here
   * when this resolves.
   */
  beginTerm(term: string): Promise<void> {
    return this.#store.inTurn(() => this.#store.commit([putRow(termKey, term)]))
  }

  /**
   * Writes what has become of deliveries, of those endpoints that `isThere` still names. False, and
   * nothing is written, if another term has begun: it may have come further.
   */
  keep(
    kept: ReadonlyMap<string, Kept>,
    isThere: (id: string) => boolean,
    { seen, term }: KeptWith,
  ): Promise<boolean> {
    return this.#store.inTurn(async () => {
      if (term !== undefined && this.#store.read<string>(termKey) !== term) return false
      const rows = [...kept].flatMap(([id, one]) =>
        isThere(id) ? this.#operationsOf(id, one) : [],
      )
      const isNews = seen !== undefined && seen !== this.seen()
      const all = isNews ? [...rows, putRow(seenKey, seen)] : rows
      if (all.length > 0) await this.#store.commit(all)
      return true
    })
  }

  #operationsOf(
    id: string,
    { progress, deliveries, forgotten, sentRevocations }: Kept,
  ): RowChange[] {
    return [
      putRow(progressKey(id), progress),
      ...deliveries.map((delivery) => this.#tries.put(tryId(id, delivery.number), delivery)),
      ...forgotten.map((number) => this.#tries.delete(tryId(id, number))),
      ...sentRevocations.map(deleteRow),
    ]
  }

  /** The keys of all that is kept of an endpoint. */
  async rowsOf(id: string): Promise<readonly string[]> {
    const { first, next } = this.progress(id)?.deliveries ?? { first: 1, next: 1 }
    const keys = [progressKey(id)]
    for (let number = first; number < next; number += 1) {
      keys.push(this.#tries.keyOf(tryId(id, number)))
    }
    for await (const [key] of this.#store.scan(`${endedRoot}${id}/`)) keys.push(key)
    return keys
  }
}

function progressKey(id: string): string {
  return `webhook_progress/${id}`
}

function tryId(id: string, number: number): string {
  return `${id}/${number}`
}

function endpointOf(key: string): string {
  return key.slice(endedRoot.length, key.indexOf('/', endedRoot.length))
}
