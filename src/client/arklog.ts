import { UsageError } from '#src/client/errors.ts'
import { type Listing, listing } from '#src/client/listing.ts'
import { Organizations, People, Researcher } from '#src/client/people.ts'
import { Receipts } from '#src/client/receipts.ts'
import {
  type CallOptions,
  type Credential,
  type Query,
  type Surroundings,
  Transport,
} from '#src/client/transport.ts'
import { type Storage, Trust } from '#src/client/trust.ts'
import type {
  Change,
  ChangePage,
  ConsistencyProof,
  FoundPerson,
  NameSort,
  Organization,
  OrganizationSearchPage,
  PersonSearchPage,
  PublishedKeys,
  Work,
  WorkSearchPage,
  WorkSort,
  WorkType,
} from '#src/client/types.ts'
import { ArklogError } from '#src/client/verify/evidence_error.js'
import type { EnvironmentName } from '#src/client/verify/types.ts'
import { Works } from '#src/client/works.ts'

/** The options of a client. Only `baseUrl` is required, and one way to trust receipts. */
export type ArklogOptions = {
  /** The registry's own address, such as `https://registry.example`. */
  readonly baseUrl: string
  /** An API key. Without a key and a token only what is public can be read. */
  readonly key?: string
  /** An OAuth access token; or what gives one, which is told when one was refused. */
  readonly token?: Credential
  /** The registry's `/.well-known/svc-keys.json`, saved once: whom receipts are checked against. */
  readonly keys?: PublishedKeys | string
  /** Trust the keys that the registry gives at the first call, and keep them in `storage`. */
  readonly trustOnFirstUse?: boolean
  /** False: receipts are not verified unless a call asks for it. */
  readonly verify?: boolean
  /** Where checkpoints, keys and uploads are remembered; by default in memory. */
  readonly storage?: Storage
  /** Told by a key; needed for the sandbox with a token, or without a credential. */
  readonly environment?: EnvironmentName
  readonly fetch?: typeof globalThis.fetch
  /** How often a call is made again that failed in passing; by default 4. */
  readonly maxRetries?: number
  /** How long one attempt may take, in milliseconds; by default 30,000. */
  readonly timeoutMs?: number
  /** How long to wait at most for a limit to begin anew, in milliseconds; by default 65,000. */
  readonly waitMsMax?: number
  /** Time and chance, for tests. */
  readonly surroundings?: Partial<Surroundings>
}

/** A client of one registry. It holds no connection, and need not be closed. */
export class Arklog {
  readonly works: Works
  readonly receipts: Receipts
  readonly search: Search
  readonly people: People
  readonly organizations: Organizations
  readonly changes: Changes
  /** The researcher for whom the token acts, or whose key it is. */
  readonly researcher: Researcher

  constructor(options: ArklogOptions) {
    const { storage = new Map<string, string>(), verify: verifies = true } = options
    checkTrust(options)
    const transport = newTransport(options)
    const trust = newTrust(options, storage, transport)
    const receipts = new Receipts(transport, trust, verifies)
    this.receipts = receipts
    this.works = new Works({ transport, trust, receipts, storage, verifies })
    this.search = new Search(transport)
    this.people = new People(transport)
    this.organizations = new Organizations(transport)
    this.changes = new Changes(transport)
    this.researcher = new Researcher(transport)
  }
}

function checkTrust({ keys, trustOnFirstUse = false, verify = true }: ArklogOptions): void {
  if (!verify || trustOnFirstUse || keys !== undefined) return
  const message =
    'Say whom to trust: `keys`, a saved /.well-known/svc-keys.json; or `trustOnFirstUse: true`; ' +
    'or `verify: false`, and receipts are not verified'
  throw new UsageError('no_trusted_keys', message)
}

function newTransport(options: ArklogOptions): Transport {
  const { key, token, fetch = globalThis.fetch, surroundings } = options
  const { maxRetries = 4, timeoutMs = 30_000, waitMsMax = 65_000 } = options
  if (key !== undefined && token !== undefined) {
    throw new UsageError('bad_argument', 'Give either a key or a token')
  }
  return new Transport({
    baseUrl: addressOf(options),
    credential: key ?? token,
    fetch,
    maxRetries,
    timeoutMs,
    waitMsMax,
    nowMs: () => Date.now(),
    random: () => Math.random(),
    newId: () => crypto.randomUUID(),
    sleep,
    ...surroundings,
  })
}

function newTrust(options: ArklogOptions, storage: Storage, transport: Transport): Trust {
  const { keys, trustOnFirstUse = false } = options
  const environment = options.environment ?? environmentOf(options.key)
  const prefix = environment === 'sandbox' ? '/sandbox' : ''
  return new Trust({
    environment,
    baseUrl: addressOf(options),
    keys,
    trustOnFirstUse,
    storage,
    fetchKeys: (signal) =>
      transport.send({ method: 'GET', path: '/.well-known/svc-keys.json', limit: 'log', signal }),
    async fetchConsistency(from, to, signal) {
      const path = `${prefix}/v1/log/consistency`
      const call = { method: 'GET', path, query: { from, to }, limit: 'log', signal } as const
      return (await transport.send<ConsistencyProof>(call)).consistency_proof
    },
  })
}

function environmentOf(key: string | undefined): EnvironmentName {
  return key?.startsWith('svc_test_') === true ? 'sandbox' : 'live'
}

function addressOf({ baseUrl }: ArklogOptions): string {
  const isAddress = URL.canParse(baseUrl) && /^https?:$/.test(new URL(baseUrl).protocol)
  const { origin = '', pathname = '' } = isAddress ? new URL(baseUrl) : {}
  if (origin !== '') return origin + pathname.replace(/\/+$/, '')
  throw new UsageError(
    'bad_argument',
    'baseUrl must be an address such as https://registry.example',
  )
}

/** Waits, unless the signal ends it: then it throws the reason of the signal. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const abort = () => {
      clearTimeout(timer)
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- it is the caller's own
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

export { canonicalJson } from '#src/client/verify/encoding.js'
export { isEvidenceFile, verifyEvidence } from '#src/client/verify/evidence.js'
export { ArklogError } from '#src/client/verify/evidence_error.js'
export { newestText, verifyNewest } from '#src/client/verify/newest.js'
export type {
  MapProof,
  NewestDemand,
  NewestReport,
  TrustedKeys,
  WitnessPolicy,
} from '#src/client/verify/types.ts'
export {
  ConnectionError,
  RefusedError,
  UsageError,
  VerificationError,
  type VerificationStep,
} from '#src/client/errors.ts'
export type { Listing } from '#src/client/listing.ts'
export type {
  ManyOptions,
  NewestOptions,
  ReceiptBundle,
  ReceiptName,
} from '#src/client/receipts.ts'
export {
  type Evidence,
  parseTrustedKeys,
  parseWitnessPolicy,
  type VerifiedReceipt,
  verifyReceipt,
  type WitnessSignature,
} from '#src/client/receipt_verification.ts'
export type { Answered, AnswerFacts, CallOptions, WriteOptions } from '#src/client/transport.ts'
export type { Storage } from '#src/client/trust.ts'
export type * from '#src/client/types.ts'
export type {
  RefusedWork,
  UploadedWork,
  UploadOptions,
  UploadProgress,
  UploadResult,
} from '#src/client/upload.ts'
export type { WorkSource } from '#src/client/work_lines.ts'
export type {
  ChangeOptions,
  CreateOptions,
  PageOptions,
  PutOptions,
  Registered,
} from '#src/client/works.ts'

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
type WorkQuery = View<WorkSort> & {
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

type PersonQuery = View<NameSort> & {
  readonly name?: string
  readonly affiliation?: string
  readonly orcid?: string
  readonly ror?: string
}

type OrganizationQuery = View<NameSort> & {
  readonly name?: string
  readonly country?: string
  readonly ror?: string
}

/** Search. It takes a key with `search:read`. */
class Search {
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

export type FollowOptions = CallOptions & {
  /** The `seq` of the last change that you have; by default 0, the beginning. */
  readonly after?: number
  /** Changes of one call; by default 500, 1,000 at most. */
  readonly limit?: number
  /** Whether to go on waiting for news once all is read. */
  readonly live?: boolean
}

const limitDefault = 500

/** How long one call waits for news, and how much longer an answer may take. */
const waitSeconds = 25
const answerMs = 15_000

/** The feed of all changes of works and organizations, in the order of the registry's journal. */
class Changes {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Follows the changes: to the newest one, or with `live` until `signal` is aborted or the loop is
   * left. Keep the `seq` of the last change that you have dealt with, to go on after it.
   */
  async *follow(options: FollowOptions = {}): AsyncGenerator<Change> {
    const { after = 0, limit = limitDefault, live = false, ...call } = options
    for (let at = after; ; ) {
      const wait = live ? waitSeconds : 0
      const page = await this.#transport.send<ChangePage>({
        method: 'GET',
        path: '/v1/changes',
        query: { after: at, limit, wait },
        limit: 'changes',
        timeoutMs: waitSeconds * 1_000 + answerMs,
        ...call,
      })
      if (page.end < at) {
        const message = `The feed ends at ${page.end}, before ${at}: the registry has lost changes`
        throw new ArklogError('rolled_back', message)
      }
      yield* page.changes
      if (page.changes.length === 0 && !live) return
      at = page.next
    }
  }
}
