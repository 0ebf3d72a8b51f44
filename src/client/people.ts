import { type Listing, listing } from '#src/client/listing.ts'
import type {
  Answered,
  AnswerFacts,
  CallOptions,
  Transport,
  WriteOptions,
} from '#src/client/transport.ts'
import type {
  Affiliation,
  AffiliationUpdate,
  Claim,
  ClaimPage,
  Education,
  EducationUpdate,
  ItemMark,
  NewAffiliation,
  NewClaim,
  NewEducation,
  Organization,
  OrganizationPage,
  OrganizationWork,
  OrganizationWorkPage,
  OwnReceipt,
  OwnReceiptPage,
  OwnWork,
  OwnWorkPage,
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

/** Records of one kind on the profile of the researcher for whom a token or key acts. */
export type Items<Item, NewItem, Update> = {
  list(options?: CallOptions): Promise<Item[]>
  get(id: string, options?: CallOptions): Promise<Answered<Item>>
  /** Adds a record; the same one again, from the same source, is changed. */
  create(item: NewItem, options?: WriteOptions): Promise<Answered<Item>>
  update(id: string, change: Update | ItemMark, options?: WriteOptions): Promise<Answered<Item>>
  delete(id: string, options?: WriteOptions): Promise<Answered<Item>>
}

/** The claims of the researcher on works. */
export type Claims = {
  list(options?: PageOptions): Listing<Claim, ClaimPage>
  create(claim: NewClaim, options?: WriteOptions): Promise<Answered<Claim>>
  /** Takes a claim back. */
  withdraw(claimId: string, options?: WriteOptions): Promise<Answered<Claim>>
}

/** The researcher for whom a token acts, or whose own key is sent. */
export class Researcher {
  readonly #transport: Transport
  readonly affiliations: Items<Affiliation, NewAffiliation, AffiliationUpdate>
  readonly education: Items<Education, NewEducation, EducationUpdate>
  readonly claims: Claims

  constructor(transport: Transport) {
    this.#transport = transport
    this.affiliations = itemsAt(transport, 'affiliations')
    this.education = itemsAt(transport, 'education')
    this.claims = claimsAt(transport)
  }

  /** Their profile. */
  profile(options: CallOptions = {}): Promise<Answered<Person>> {
    return this.#transport.send({ method: 'GET', path: base, limit: 'people', ...options })
  }

  /** Their works. */
  works(options: PageOptions = {}): Listing<OwnWork, OwnWorkPage> {
    return listing(this.#transport, {
      call: listCall('works', options),
      recordsOf: (page: OwnWorkPage) => page.works,
    })
  }

  /** The receipts of their works. */
  receipts(options: PageOptions = {}): Listing<OwnReceipt, OwnReceiptPage> {
    return listing(this.#transport, {
      call: listCall('receipts', options),
      recordsOf: (page: OwnReceiptPage) => page.receipts,
    })
  }
}

const base = '/api/v1/user'

function listCall(what: string, { limit, order, cursor, ...options }: PageOptions) {
  const query = { limit, order, cursor }
  return { method: 'GET', path: `${base}/${what}`, query, limit: 'people', ...options } as const
}

function itemsAt<Item, NewItem, Update>(
  transport: Transport,
  list: 'affiliations' | 'education',
): Items<Item, NewItem, Update> {
  const path = `${base}/${list}`
  const one = (id: string) => `${path}/${encodeURIComponent(id)}`
  const limit = 'write_back'
  return {
    async list(options = {}) {
      const call = { method: 'GET', path, limit: 'people', ...options } as const
      return (await transport.send<Record<typeof list, Item[]>>(call))[list]
    },
    get: (id, options = {}) =>
      transport.send({ method: 'GET', path: one(id), limit: 'people', ...options }),
    create: (body, options = {}) =>
      transport.send({ method: 'POST', path, body, limit, ...options }),
    update: (id, body, options = {}) =>
      transport.send({ method: 'PUT', path: one(id), body, limit, ...options }),
    delete: (id, options = {}) =>
      transport.send({ method: 'DELETE', path: one(id), limit, ...options }),
  }
}

function claimsAt(transport: Transport): Claims {
  const path = `${base}/claims`
  const limit = 'write_back'
  return {
    list: (options = {}) =>
      listing(transport, {
        call: listCall('claims', options),
        recordsOf: (page: ClaimPage) => page.claims,
      }),
    create: (body, options = {}) =>
      transport.send({ method: 'POST', path, body, limit, ...options }),
    withdraw: (claimId, options = {}) =>
      transport.send({
        method: 'DELETE',
        path: `${path}/${encodeURIComponent(claimId)}`,
        limit,
        ...options,
      }),
  }
}
