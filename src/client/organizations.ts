import { type Listing, listing } from '#src/client/listing.ts'
import type { Answered, CallOptions, Transport } from '#src/client/transport.ts'
import type {
  Organization,
  OrganizationWork,
  OrganizationWorkPage,
  Usage,
} from '#src/client/types.ts'
import type { PageOptions, UsageOptions } from '#src/client/works.ts'

/** Organizations, and what they have registered. */
export class Organizations {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Reads an organization by its slug. */
  get(slug: string, options: CallOptions = {}): Promise<Answered<Organization>> {
    const path = `/v1/organizations/${encodeURIComponent(slug)}`
    return this.#transport.send({ method: 'GET', path, limit: 'public_read', ...options })
  }

  /** How often the works of an organization were used. */
  usage(
    slug: string,
    { from, to, granularity, ...options }: UsageOptions = {},
  ): Promise<Answered<Usage>> {
    const path = `/v1/organizations/${encodeURIComponent(slug)}/usage`
    const query = { from, to, granularity }
    return this.#transport.send({ method: 'GET', path, query, limit: 'public_read', ...options })
  }

  /** The works that an organization has registered. */
  works(
    slug: string,
    { limit, order, cursor, ...options }: PageOptions = {},
  ): Listing<OrganizationWork, OrganizationWorkPage> {
    const path = `/v1/organizations/${encodeURIComponent(slug)}/works`
    const query = { limit, order, cursor }
    return listing(this.#transport, {
      call: { method: 'GET', path, query, limit: 'public_read', ...options },
      recordsOf: (page: OrganizationWorkPage) => page.works,
    })
  }
}
