import type {
  Answered,
  AnswerFacts,
  CallOptions,
  Transport,
  WriteOptions,
} from '#src/client/transport.ts'
import type { Claim, NewClaim, Person, PersonUpdate } from '#src/client/types.ts'

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
