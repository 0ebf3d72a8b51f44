import type { Agent } from '#actors/values/agent.ts'
import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import type { OrganizationProfile } from '#actors/people/organizations/events.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'

/**
 * What a person has asked for: an organization of which they will be the owner. `approving` is
 * between an administrator's word and its end, so that what a crash cuts off can be gone on with.
 */
export type OrganizationRequest = {
  /** The person who asks, who can have one request. */
  readonly ppid: string
  readonly profile: OrganizationProfile
  /** What they say for themselves. */
  readonly message: string
  readonly state: 'waiting' | 'approving' | 'approved' | 'refused'
  readonly created_at: string
  readonly decided_at?: string
  readonly decided_by?: string
  /** Why it was refused. */
  readonly reason?: string
}

export type OrganizationRequestsOptions = { readonly store: IdentityStore; readonly clock: Clock }

/** Requests that wait for an administrator, at most: more are asked to come back. */
const waitingMax = 1_000

/** The requests for organizations, in sealed rows, by the person who asks. */
export class OrganizationRequests {
  readonly #options: OrganizationRequestsOptions
  readonly #rows: SealedRows<OrganizationRequest>

  constructor(options: OrganizationRequestsOptions) {
    this.#options = options
    this.#rows = new SealedRows(options.store, 'organization_request')
  }

  /** The newest request of a person. */
  find(ppid: string): OrganizationRequest | undefined {
    return this.#rows.read(ppid)
  }

  /** Requests without an end, oldest first. */
  async open(): Promise<readonly OrganizationRequest[]> {
    const found: OrganizationRequest[] = []
    for await (const [, request] of this.#rows.entries()) {
      if (isOpen(request)) found.push(request)
    }
    return found.toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))
  }

  /** Makes a request, in place of one that had an end. */
  make(
    request: Pick<OrganizationRequest, 'ppid' | 'profile' | 'message'>,
  ): Promise<'made' | 'waits_already' | 'too_many'> {
    const { store, clock } = this.#options
    return store.inTurn(async () => {
      const known = this.find(request.ppid)
      if (known !== undefined && isOpen(known)) return 'waits_already'
      if ((await this.open()).length >= waitingMax) return 'too_many'
      const created_at = formatTimestamp(clock.nowMs())
      await store.commit([
        this.#rows.put(request.ppid, { ...request, state: 'waiting', created_at }),
      ])
      return 'made'
    })
  }

  /** Takes a request a step further; undefined if it is not in one of the states `from`. */
  decide(
    ppid: string,
    from: readonly OrganizationRequest['state'][],
    to: { readonly state: OrganizationRequest['state']; readonly reason?: string },
    by: Pick<Agent, 'id'>,
  ): Promise<OrganizationRequest | undefined> {
    const { store, clock } = this.#options
    return store.inTurn(async () => {
      const request = this.find(ppid)
      if (request === undefined || !from.includes(request.state)) return undefined
      const decided_at = formatTimestamp(clock.nowMs())
      const decided = { ...request, ...to, decided_at, decided_by: by.id }
      await store.commit([this.#rows.put(ppid, decided)])
      return decided
    })
  }

  /** Forgets what a person has asked for. */
  forget(ppid: string): Promise<void> {
    const { store } = this.#options
    return store.inTurn(() => store.commit([this.#rows.delete(ppid)]))
  }
}

function isOpen({ state }: OrganizationRequest): boolean {
  return state === 'waiting' || state === 'approving'
}
