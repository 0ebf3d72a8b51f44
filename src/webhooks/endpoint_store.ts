import { randomBetanumerics } from '#actors/values/betanumeric.ts'
import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import { type Ed25519Key, keyFromSeed } from '#log/ed25519.ts'
import type { Operation } from '#log/store.ts'
import { putRow } from '#src/identity/store/identity_rows.ts'
import type { IdentityStore } from '#src/identity/store/identity_store.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'
import {
  type Endpoint,
  type EndpointDraft,
  type EndpointProgress,
  endpointsMax,
  rotationOverlapMs,
} from '#src/webhooks/endpoint.ts'
import { eventKinds } from '#src/webhooks/event.ts'
import { newSecret } from '#src/webhooks/signature.ts'

/** What the store of endpoints works with. `random`: bytes of a cryptographic source. */
export type EndpointStoreOptions = {
  readonly store: IdentityStore
  readonly clock: Clock
  readonly random: (bytes: number) => Uint8Array
}

/** An endpoint with the secret that is shown this once. */
export type WithSecret = { readonly endpoint: Endpoint; readonly secret: string }

const idLength = 12

/** Opens the endpoints of one environment, which lie sealed in its part of the identity store. */
export async function openEndpointStore(options: EndpointStoreOptions): Promise<EndpointStore> {
  const endpoints = new EndpointStore(options)
  await endpoints.load()
  return endpoints
}

/**
 * The endpoints of organizations, and how far their deliveries have come. All endpoints are in
 * memory, and follow their rows, whichever thread or node changes them.
 */
export class EndpointStore {
  readonly #options: EndpointStoreOptions
  readonly #rows: SealedRows<Endpoint>
  readonly #byRow = new Map<string, Endpoint>()
  readonly #listeners: ((id: string) => void)[] = []

  constructor(options: EndpointStoreOptions) {
    this.#options = options
    this.#rows = new SealedRows(options.store, 'webhook')
  }

  /** Reads what there is; called once, before anything else. */
  load(): Promise<void> {
    return this.#rows.follow((key, endpoint) => {
      const known = endpoint ?? this.#byRow.get(key)
      if (endpoint === undefined) this.#byRow.delete(key)
      else this.#byRow.set(key, endpoint)
      if (known !== undefined) for (const listener of this.#listeners) listener(known.id)
    })
  }

  /** Tells of each endpoint, by its id, that is made, changed or removed from now on. */
  onChange(listener: (id: string) => void): void {
    this.#listeners.push(listener)
  }

  all(): readonly Endpoint[] {
    return [...this.#byRow.values()]
  }

  /** The endpoints of an organization, oldest first. */
  list(organization: string): readonly Endpoint[] {
    this.#options.store.catchUp()
    return this.all()
      .filter((endpoint) => endpoint.organization === organization)
      .toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
  }

  get(id: string): Endpoint | undefined {
    this.#options.store.catchUp()
    return this.#byRow.get(this.#rows.keyOf(id))
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
    return keyFromSeed(this.#options.store.deriveKey(`webhook ed25519 ${id}`))
  }

  /**
   * Makes an endpoint that hears of the changes after a `seq`; undefined where the organization
   * has `endpointsMax` already.
   */
  create(
    organization: string,
    { url, events = eventKinds, description }: EndpointDraft & { readonly url: string },
    after: number,
  ): Promise<WithSecret | undefined> {
    const { store, random } = this.#options
    const id = `we_${randomBetanumerics(idLength, random)}`
    const secret = newSecret(random)
    return store.inTurn(async () => {
      if (this.list(organization).length >= endpointsMax) return undefined
      const now = this.#now()
      const endpoint: Endpoint = {
        id,
        organization,
        url,
        ...(description !== undefined && { description }),
        events,
        status: 'active',
        secrets: [{ secret }],
        created_at: now,
        updated_at: now,
        pings: 0,
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
    return this.#update(id, (endpoint) => ({ ...endpoint, status: 'paused' }))
  }

  /** Has nothing delivered any more to an endpoint that took nothing. */
  giveUp(id: string): Promise<Endpoint | undefined> {
    return this.#update(id, (endpoint) => ({ ...endpoint, status: 'failed' }))
  }

  /** Has deliveries go on: where they were, or again from after the change of a `seq`. */
  resume(id: string, after?: number): Promise<Endpoint | undefined> {
    return this.#update(id, (endpoint) => {
      const start = { count: endpoint.start.count + 1, ...(after !== undefined && { after }) }
      return { ...endpoint, status: 'active', start }
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

  /** Removes an endpoint, and tells whether there was one. */
  remove(id: string): Promise<boolean> {
    const { store } = this.#options
    return store.inTurn(async () => {
      if (this.get(id) === undefined) return false
      await store.commit([this.#rows.delete(id), { type: 'del', key: progressKey(id) }])
      return true
    })
  }

  /** How far the deliveries of an endpoint have come; undefined before the first. */
  progress(id: string): EndpointProgress | undefined {
    return this.#options.store.read<EndpointProgress>(progressKey(id))
  }

  /** Remembers how far deliveries have come, unless their endpoint is gone. */
  keepProgress(id: string, progress: EndpointProgress): Promise<void> {
    const { store } = this.#options
    return store.inTurn(async () => {
      if (this.get(id) !== undefined) await store.commit([putProgress(id, progress)])
    })
  }

  #update(id: string, evolve: (endpoint: Endpoint) => Endpoint): Promise<Endpoint | undefined> {
    const { store } = this.#options
    return store.inTurn(async () => {
      const endpoint = this.get(id)
      if (endpoint === undefined) return undefined
      const evolved = { ...evolve(endpoint), updated_at: this.#now() }
      await store.commit([this.#rows.put(id, evolved)])
      return evolved
    })
  }

  #now(): string {
    return formatTimestamp(this.#options.clock.nowMs())
  }
}

function progressKey(id: string): string {
  return `webhook_progress/${id}`
}

function putProgress(id: string, progress: EndpointProgress): Operation {
  return putRow(progressKey(id), progress)
}
