import { type Listing, listing } from '#src/client/listing.ts'
import type { Answered, CallOptions, Transport, WriteOptions } from '#src/client/transport.ts'
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
  OwnReceipt,
  OwnReceiptPage,
  OwnWork,
  OwnWorkPage,
  Person,
} from '#src/client/types.ts'
import type { PageOptions } from '#src/client/works.ts'

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
