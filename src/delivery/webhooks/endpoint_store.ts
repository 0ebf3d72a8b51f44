import { randomBetanumerics } from '#actors/values/ark.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import { type Ed25519Key, ed25519Keys } from '#log/tlog/ed25519.ts'
import { deleteRow, type RowChange, type StoreParts } from '#src/identity/store/identity_rows.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'
import { DeliveryRows } from '#src/delivery/webhooks/delivery_rows.ts'
import {
  applicationKey,
  type Endpoint,
  type EndpointDraft,
  type EndpointFailure,
  type EndpointOwner,
  endpointsMax,
  hearsAs,
  ownerKey,
  replaysMax,
  rotationOverlapMs,
} from '#src/delivery/webhooks/endpoint.ts'
import { type EndedPermission, usualKinds } from '#src/delivery/webhooks/event.ts'
import { newSecret } from '#src/delivery/webhooks/sender.ts'

/** An endpoint with the secret that is shown this once. */
export type WithSecret = { readonly endpoint: Endpoint; readonly secret: string }

const idLength = 12

/** Opens the endpoints of one environment, which lie sealed in its part of the identity store. */
export async function openEndpointStore(options: StoreParts): Promise<EndpointStore> {
  const endpoints = new EndpointStore(options)
  await endpoints.load()
  return endpoints
}

/**
 * Where organizations and their applications hear of what happens. All endpoints are in memory, and
 * follow their rows, whichever thread or node changes them.
 */
export class EndpointStore {
  /** How far the deliveries have come, and what became of them. */
  readonly deliveries: DeliveryRows
  readonly #options: StoreParts
  readonly #rows: SealedRows<Endpoint>
  readonly #byRow = new Map<string, Endpoint>()
  readonly #byId = new Map<string, Endpoint>()
  readonly #byOwner = new Map<string, Map<string, Endpoint>>()
  readonly #listeners: ((id: string) => void)[] = []

  constructor(options: StoreParts) {
    this.#options = options
    this.#rows = new SealedRows(options.store, 'webhook')
    this.deliveries = new DeliveryRows(options.store)
  }

  /** Reads what there is; called once, before anything else. */
  load(): Promise<void> {
    return this.#rows.follow((key, endpoint) => {
      const former = this.#byRow.get(key)
      if (former !== undefined) this.#forget(key, former)
      if (endpoint !== undefined) this.#keep(key, endpoint)
      const known = endpoint ?? former
      if (known !== undefined) for (const listener of this.#listeners) listener(known.id)
    })
  }

  #forget(key: string, endpoint: Endpoint): void {
    this.#byRow.delete(key)
    this.#byId.delete(endpoint.id)
    const owner = ownerKey(endpoint)
    const group = this.#byOwner.get(owner)
    group?.delete(endpoint.id)
    if (group?.size === 0) this.#byOwner.delete(owner)
  }

  #keep(key: string, endpoint: Endpoint): void {
    this.#byRow.set(key, endpoint)
    this.#byId.set(endpoint.id, endpoint)
    const owner = ownerKey(endpoint)
    const group = this.#byOwner.get(owner) ?? new Map<string, Endpoint>()
    this.#byOwner.set(owner, group.set(endpoint.id, endpoint))
  }

  /** Tells of each endpoint, by its id, that is made, changed or removed from now on. */
  onChange(listener: (id: string) => void): void {
    this.#listeners.push(listener)
  }

  all(): readonly Endpoint[] {
    return [...this.#byId.values()]
  }

  /** The endpoints that hear for an owner (`ownerKey`), as they are known here. */
  of(owner: string): Iterable<Endpoint> {
    return this.#byOwner.get(owner)?.values() ?? []
  }

  /** The endpoints that hear for an owner, oldest first. */
  list(owner: EndpointOwner): readonly Endpoint[] {
    this.#options.store.catchUp()
    return [...this.of(ownerKey(owner))].toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
  }

  get(id: string): Endpoint | undefined {
    this.#options.store.catchUp()
    return this.#byId.get(id)
  }

  /** The secrets that sign for an endpoint now, newest first. */
  secretsOf({ secrets }: Endpoint): readonly string[] {
    const nowMs = this.#options.clock.nowMs()
    return secrets
      .filter(({ untilMs = Number.POSITIVE_INFINITY }) => nowMs < untilMs)
      .map(({ secret }) => secret)
  }

  /** The key that signs for an endpoint with Ed25519. */
  signingKey(id: string): Ed25519Key {
    return ed25519Keys.fromSeed(this.#options.store.deriveKey(`webhook ed25519 ${id}`))
  }

  /**
   * Makes an endpoint that hears of the changes after a `seq`; undefined where its owner has
   * `endpointsMax` already.
   */
  create(
    owner: EndpointOwner,
    draft: EndpointDraft & { readonly url: string },
    after: number,
  ): Promise<WithSecret | undefined> {
    const { store, random } = this.#options
    const { url, events = usualKinds(hearsAs(owner)), description } = draft
    const id = `we_${randomBetanumerics(idLength, random)}`
    const secret = newSecret(random)
    return store.inTurn(async () => {
      if (this.list(owner).length >= endpointsMax) return undefined
      const now = this.#now()
      const endpoint: Endpoint = {
        id,
        ...owner,
        url,
        ...(description !== undefined && { description }),
        events,
        status: 'active',
        secrets: [{ secret }],
        created_at: now,
        updated_at: now,
        pings: 0,
        replays: [],
        start: { count: 1, after },
      }
      await store.commit([this.#rows.put(id, endpoint)])
      return { endpoint, secret }
    })
  }

  /** Changes what a client says of an endpoint; this and the next: undefined if there is none. */
  change(id: string, draft: EndpointDraft): Promise<Endpoint | undefined> {
    return this.#update(id, (endpoint) => ({ ...endpoint, ...draft }))
  }

  pause(id: string): Promise<Endpoint | undefined> {
    return this.#update(id, ({ failure: _failure, ...rest }) => ({ ...rest, status: 'paused' }))
  }

  /** Has nothing delivered any more to an endpoint that took nothing. */
  giveUp(id: string, reason: string): Promise<Endpoint | undefined> {
    const failure = { at: this.#now(), reason, isTold: false }
    return this.#update(id, (endpoint) => ({ ...endpoint, status: 'failed', failure }))
  }

  /** Notes that the owners of an endpoint were told of a failure of it. */
  tellFailure(id: string, { at }: Pick<EndpointFailure, 'at'>): Promise<Endpoint | undefined> {
    return this.#update(id, (endpoint) => {
      const { failure } = endpoint
      // One that was resumed meanwhile has none, or another one.
      if (failure?.at !== at) return undefined
      return { ...endpoint, failure: { ...failure, isTold: true } }
    })
  }

  /** Has deliveries go on: where they were, or from after the change of a `seq`. */
  resume(id: string, after?: number): Promise<Endpoint | undefined> {
    return this.#update(id, ({ failure: _failure, ...endpoint }) => {
      const start = { count: endpoint.start.count + 1, ...(after !== undefined && { after }) }
      return { ...endpoint, status: 'active', start }
    })
  }

  /**
   * Has the changes after a `seq` up to another one sent again, beside what is new. Undefined if
   * there is no such endpoint, or if `replaysMax` ranges wait already.
   */
  replay(id: string, after: number, until: number): Promise<Endpoint | undefined> {
    return this.#update(id, (endpoint) => {
      const done = this.deliveries.progress(id)?.replays ?? 0
      const waiting = endpoint.replays.filter(({ count }) => count > done)
      if (waiting.length >= replaysMax) return undefined
      const count = (endpoint.replays.at(-1)?.count ?? done) + 1
      return { ...endpoint, replays: [...waiting, { count, after, until }] }
    })
  }

  /** Has a ping sent, whether or not the endpoint is paused. */
  ping(id: string): Promise<Endpoint | undefined> {
    return this.#update(id, (endpoint) => ({ ...endpoint, pings: endpoint.pings + 1 }))
  }

  /** Gives an endpoint a new secret; the one before is signed with for a day as well. */
  async rotate(id: string): Promise<WithSecret | undefined> {
    const { clock, random } = this.#options
    const secret = newSecret(random)
    const endpoint = await this.#update(id, ({ secrets: [newest], ...rest }) => {
      const untilMs = clock.nowMs() + rotationOverlapMs
      const former = newest === undefined ? [] : [{ secret: newest.secret, untilMs }]
      return { ...rest, secrets: [{ secret }, ...former] }
    })
    return endpoint && { endpoint, secret }
  }

  /** Removes an endpoint with all that is kept of it, and tells whether there was one. */
  remove(id: string): Promise<boolean> {
    const { store } = this.#options
    return store.inTurn(async () => {
      if (this.get(id) === undefined) return false
      const kept = await this.deliveries.rowsOf(id)
      await store.commit([this.#rows.delete(id), ...kept.map(deleteRow)])
      return true
    })
  }

  /** The rows by which applications are told that permissions have ended, for the same batch. */
  rowsOfEnded(ended: readonly EndedPermission[]): readonly RowChange[] {
    return ended.flatMap((permission) =>
      [...this.of(applicationKey(permission.client_id))]
        .filter(({ events }) => events.includes('permission.revoked'))
        .map(({ id }) => this.deliveries.putEnded(id, permission)),
    )
  }

  #update(
    id: string,
    evolve: (endpoint: Endpoint) => Endpoint | undefined,
  ): Promise<Endpoint | undefined> {
    const { store } = this.#options
    return store.inTurn(async () => {
      const endpoint = this.get(id)
      const evolved = endpoint && evolve(endpoint)
      if (evolved === undefined) return undefined
      const changed = { ...evolved, updated_at: this.#now() }
      await store.commit([this.#rows.put(id, changed)])
      return changed
    })
  }

  #now(): string {
    return formatTimestamp(this.#options.clock.nowMs())
  }
}

/** How the endpoints of an environment are: how many there are, and of each kind. */
export type EndpointHealth = {
  readonly total: number
  /** Those that their organizations have paused, and those that were given up. */
  readonly paused: number
  readonly failed: number
  /** Of the active ones, those whose newest try has failed, and those that are far behind. */
  readonly failing: number
  readonly farBehind: number
}

/** Changes of the journal that an endpoint is behind, from which on it is far behind. */
export const farBehindMin = 10_000

/** How the endpoints are; `events`: how many the journal has. */
export function endpointHealth(endpoints: EndpointStore, events: number): EndpointHealth {
  const all = endpoints.all()
  const active = all
    .filter(({ status }) => status === 'active')
    .flatMap(({ id }) => endpoints.deliveries.progress(id) ?? [])
  return {
    total: all.length,
    paused: all.filter(({ status }) => status === 'paused').length,
    failed: all.filter(({ status }) => status === 'failed').length,
    failing: active.filter(({ failures }) => failures > 0).length,
    farBehind: active.filter((one) => one.isBehind && events - one.after >= farBehindMin).length,
  }
}
