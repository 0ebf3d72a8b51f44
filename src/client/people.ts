import { type Listing, listing } from '#src/client/listing.ts'
import type {
  Answered,
  AnswerFacts,
  CallOptions,
  Transport,
  WriteOptions,
} from '#src/client/transport.ts'
import type {
  Claim,
  NewClaim,
  Organization,
  OrganizationPage,
  OrganizationWork,
  OrganizationWorkPage,
  Person,
  PersonUpdate,
  Usage,
} from '#src/client/types.ts'
import type { PageOptions, UsageOptions } from '#src/client/works.ts'

/** Profiles of people. */
export class People {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The profile of a person, by ppid or by ORCID iD, as far as the caller sees it. */
  get(person: string, options: CallOptions = {}): Promise<Answered<Person>> {
    return this.#transport.send({
      method: 'GET',
      path: pathOf(person),
      limit: 'people',
      ...options,
    })
  }

  /** Changes a profile: by the person, or with their permission. */
  update(
    person: string,
    change: PersonUpdate,
    options: WriteOptions & { readonly ifMatch?: string | { readonly response: AnswerFacts } } = {},
  ): Promise<Answered<Person>> {
    const { ifMatch, ...call } = options
    return this.#transport.send({
      method: 'PUT',
      path: `/v1/people/${encodeURIComponent(person)}`,
      body: change,
      ifMatch: typeof ifMatch === 'object' ? ifMatch.response.etag : ifMatch,
      limit: 'write_back',
      ...call,
    })
  }

  /**
   * Says that a person is an author of a work: by the registrant of the work, or by the person
   * themselves, who then are named by the token that is sent.
   */
  claim(person: string, claim: NewClaim, options: WriteOptions = {}): Promise<Answered<Claim>> {
    return this.#transport.send({
      method: 'POST',
      path: `/v1/people/${encodeURIComponent(person)}/claim`,
      body: claim,
      limit: 'write_back',
      ...options,
    })
  }
}

function pathOf(person: string): string {
  return `/api/v1/people/${encodeURIComponent(person)}`
}

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

  /** All organizations by slug, or with `parent` those right below one. */
  list({
    parent,
    limit,
    cursor,
    ...options
  }: Omit<PageOptions, 'order'> & { readonly parent?: string } = {}): Listing<
    Organization,
    OrganizationPage
  > {
    const query = { parent, limit, cursor }
    return listing(this.#transport, {
      call: { method: 'GET', path: '/v1/organizations', query, limit: 'public_read', ...options },
      recordsOf: (page: OrganizationPage) => page.organizations,
    })
  }

  /** How often the works of an organization were used; `include`: of all below it, too. */
  usage(
    slug: string,
    {
      from,
      to,
      granularity,
      include,
      ...options
    }: UsageOptions & { readonly include?: 'below' } = {},
  ): Promise<Answered<Usage>> {
    const path = `/v1/organizations/${encodeURIComponent(slug)}/usage`
    const query = { from, to, granularity, include }
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
