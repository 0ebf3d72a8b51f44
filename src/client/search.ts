import { type Listing, listing } from '#src/client/listing.ts'
import type { CallOptions, Query, Transport } from '#src/client/transport.ts'
import type {
  FoundPerson,
  NameSort,
  Organization,
  OrganizationSearchPage,
  PersonSearchPage,
  Work,
  WorkSearchPage,
  WorkSort,
  WorkType,
} from '#src/client/types.ts'

type View<S> = {
  /** Words; `"a phrase"`; `-without`; or an ARK, DOI, ORCID iD, ppid or ROR id. */
  readonly q?: string
  readonly sort?: S
  /** Records on one page; 200 at most. */
  readonly limit?: number
  /** The fields that are counted on the first page, parted by commas. */
  readonly facets?: string
}

/** The terms and filters of a search. Several values of one field are parted by commas. */
export type WorkQuery = View<WorkSort> & {
  readonly title?: string
  readonly author?: string
  readonly keyword?: string
  readonly type?: WorkType | (string & {})
  readonly language?: string
  readonly license?: string
  readonly doi?: string
  readonly orcid?: string
  readonly ppid?: string
  readonly organization?: string
  /** A year, or years such as `2019-2024`. */
  readonly year?: string | number
  /** A time, or a whole day. */
  readonly created_from?: string
  readonly created_to?: string
  readonly has_doi?: boolean
  readonly fixity_status?: string
}

export type PersonQuery = View<NameSort> & {
  readonly name?: string
  readonly affiliation?: string
  readonly orcid?: string
  readonly ror?: string
}

export type OrganizationQuery = View<NameSort> & {
  readonly name?: string
  readonly country?: string
  readonly ror?: string
}

/** Search. It takes a key with `search:read`. */
export class Search {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  works(query: WorkQuery = {}, options: CallOptions = {}): Listing<Work, WorkSearchPage> {
    return this.#search('works', query, options)
  }

  people(
    query: PersonQuery = {},
    options: CallOptions = {},
  ): Listing<FoundPerson, PersonSearchPage> {
    return this.#search('people', query, options)
  }

  organizations(
    query: OrganizationQuery = {},
    options: CallOptions = {},
  ): Listing<Organization, OrganizationSearchPage> {
    return this.#search('organizations', query, options)
  }

  #search<T, P extends { results: T[] }>(
    kind: string,
    query: Query,
    options: CallOptions,
  ): Listing<T, P> {
    const call = { method: 'GET', path: `/v1/search/${kind}`, query, limit: 'search' } as const
    return listing(this.#transport, {
      call: { ...call, ...options },
      recordsOf: (page: P) => page.results,
    })
  }
}
