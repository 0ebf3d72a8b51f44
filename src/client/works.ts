import { type Listing, listing } from '#src/client/listing.ts'
import type { Receipts } from '#src/client/receipts.ts'
import type { VerifiedReceipt } from '#src/client/receipt_verification.ts'
import type {
  Answered,
  AnswerFacts,
  CallOptions,
  Transport,
  WriteOptions,
} from '#src/client/transport.ts'
import type { Trust } from '#src/client/trust.ts'
import type {
  CreatedWork,
  History,
  HistoryEvent,
  NewVersion,
  NewWork,
  RelatedPage,
  RelatedWork,
  RelationSide,
  Resolution,
  Usage,
  ValidWork,
  Version,
  VersionPage,
  WorkFiles,
  Withdrawal,
  Work,
  WorkChange,
  WorksWithDoi,
  WorkUpdate,
} from '#src/client/types.ts'
import { type UploadOptions, type UploadResult, uploadWorks } from '#src/client/upload.ts'
import type { WorkSource } from '#src/client/work_lines.ts'
import type { Storage } from '#src/client/trust.ts'

/** A registered work, with its verified receipt; null if the client does not verify. */
export type Registered<T> = Answered<T> & { readonly receipt: VerifiedReceipt | null }

/** The options of a registration. */
export type CreateOptions = WriteOptions & {
  /** Register a work even if another one has its DOI and title. */
  readonly allowDuplicate?: boolean
  /** Whether this call verifies the receipt; by default as the client does. */
  readonly verify?: boolean
}

/** The options of a change. */
export type ChangeOptions = WriteOptions & {
  /** The work as it was read, or its `etag`: if it has changed since, nothing is done (412). */
  readonly ifMatch?: string | { readonly response: AnswerFacts }
  readonly verify?: boolean
}

/** Where a page of a list begins, and how long it is. */
export type PageOptions = CallOptions & {
  readonly limit?: number
  readonly order?: 'oldest' | 'newest'
  readonly cursor?: string
}

/** Which days are told of, as `YYYY-MM-DD`, and what of them is counted together. */
export type UsageOptions = CallOptions & {
  readonly from?: string
  readonly to?: string
  readonly granularity?: Usage['granularity']
}

/** Which relations of a work are listed: both sides unless told. */
export type RelatedOptions = PageOptions & { readonly direction?: RelationSide }

/** The options of `putByDoi`. */
export type PutOptions = ChangeOptions & {
  /** Register one although another registrant has the DOI, or yours was withdrawn. */
  readonly allowDuplicate?: boolean
  /** Only register: if a work of yours has the DOI, nothing is done (412). */
  readonly isNew?: boolean
}

export type WorksParts = {
  readonly transport: Transport
  readonly trust: Trust
  readonly receipts: Receipts
  readonly storage: Storage
  readonly verifies: boolean
}

/** Works: registering, changing, reading and resolving them. */
export class Works {
  readonly #transport: Transport
  readonly #parts: WorksParts

  constructor(parts: WorksParts) {
    this.#transport = parts.transport
    this.#parts = parts
  }

  /**
   * Registers a work and verifies its receipt. A VerificationError says that the work is registered
   * but not proven; its `evidence.answer` is what the registry has answered.
   */
  async create(work: NewWork, options: CreateOptions = {}): Promise<Registered<CreatedWork>> {
    const { allowDuplicate, verify, ...call } = options
    const created = await this.#transport.send<CreatedWork>({
      method: 'POST',
      path: '/v1/works',
      query: { allow_duplicate: allowDuplicate },
      body: work,
      limit: 'works_create',
      ...call,
    })
    return this.#proven(created, verify, call)
  }

  /** Checks all that a registration checks, and registers nothing. */
  validate(work: NewWork, options: CreateOptions = {}): Promise<Answered<ValidWork>> {
    const { allowDuplicate, verify: _, ...call } = options
    return this.#transport.send({
      method: 'POST',
      path: '/v1/works/validate',
      query: { allow_duplicate: allowDuplicate },
      body: work,
      limit: 'works_create',
      ...call,
    })
  }

  /**
   * Registers and changes many works: an array, any iterable, or a file of JSON Lines. Results come
   * in the order of the works, each refused or registered, with its receipt verified; `outcome`
   * tells those that were changed.
   */
  upload(source: WorkSource, options: UploadOptions = {}): AsyncGenerator<UploadResult> {
    return uploadWorks(this.#parts, source, options)
  }

  /** Reads a work, in its newest version. */
  get(ark: string, options: CallOptions = {}): Promise<Answered<Work>> {
    return this.#read('/api/v1/works', ark, '', { limit: 'works_read', ...options })
  }

  /** Changes a work; a difference makes a new version, `unchanged` says that there was none. */
  async update(
    ark: string,
    change: WorkUpdate,
    options: ChangeOptions = {},
  ): Promise<Registered<WorkChange>> {
    return this.#change('PUT', ark, '', { body: change, limit: 'works_update' }, options)
  }

  /**
   * Registers the work with a DOI, or replaces the one of yours that has it: what `work` leaves
   * out, the work no longer has. `existing_doi` may be left out.
   */
  async putByDoi(
    doi: string,
    work: NewWork,
    { allowDuplicate, isNew, ifMatch, verify, ...call }: PutOptions = {},
  ): Promise<Registered<CreatedWork | WorkChange>> {
    const put = await this.#transport.send<CreatedWork | WorkChange>({
      method: 'PUT',
      path: `/v1/works/by-doi/${encodeURIComponent(doi)}`,
      query: { allow_duplicate: allowDuplicate },
      body: work,
      ifMatch: tagOf(ifMatch),
      ifNoneMatch: isNew === true ? '*' : undefined,
      limit: 'works_create',
      ...call,
    })
    return this.#proven(put, verify, call)
  }

  /** The works with a DOI, whoever has registered them. */
  findByDoi(doi: string, options: CallOptions = {}): Promise<Answered<WorksWithDoi>> {
    return this.#read('/api/v1/works/by-doi', doi, '', { limit: 'works_read', ...options })
  }

  /** Adds a version to a work, even if nothing but its content differs; a note may say why. */
  async createVersion(
    ark: string,
    version: NewVersion,
    options: ChangeOptions = {},
  ): Promise<Registered<WorkChange>> {
    return this.#change(
      'POST',
      ark,
      '/versions',
      { body: version, limit: 'works_version' },
      options,
    )
  }

  /** Withdraws a work for ever: its ARK answers with a tombstone. */
  async withdraw(
    ark: string,
    withdrawal: Withdrawal,
    options: ChangeOptions = {},
  ): Promise<Registered<WorkChange>> {
    const call = { body: withdrawal, limit: 'works_withdraw' }
    return this.#change('POST', ark, '/withdraw', call, options)
  }

  /** The versions of a work. */
  versions(ark: string, options: PageOptions = {}): Listing<Version, VersionPage> {
    const { limit, order, cursor, ...call } = options
    const path = `/api/v1/works/${encodeURIComponent(ark)}/versions`
    const query = { limit, order, cursor }
    return listing(this.#transport, {
      call: { method: 'GET', path, query, limit: 'works_read', ...call },
      recordsOf: (page: VersionPage) => page.versions,
    })
  }

  /** What a work relates to, and the works that say they relate to it. */
  related(ark: string, options: RelatedOptions = {}): Listing<RelatedWork, RelatedPage> {
    const { limit, order, cursor, direction, ...call } = options
    const path = `/api/v1/works/${encodeURIComponent(ark)}/related`
    const query = { limit, order, cursor, direction }
    return listing(this.#transport, {
      call: { method: 'GET', path, query, limit: 'works_read', ...call },
      recordsOf: (page: RelatedPage) => page.related,
    })
  }

  /**
   * The work that an ARK names, in its newest version or in one: metadata, content, receipt. The
   * receipt is verified, and that it is one of this metadata.
   */
  async resolve(
    ark: string,
    { version, ...options }: CallOptions & { readonly version?: number } = {},
  ): Promise<Answered<Resolution>> {
    const tail = version === undefined ? '' : `/v${version}`
    const call = { limit: 'resolve', ...options }
    const found = await this.#read<Resolution>('/api/v1/resolve', ark, tail, call)
    if (this.#parts.verifies) {
      const { receipt, metadata, version: shown } = found
      const evidence = { ark, version: version ?? shown, metadata }
      await this.#parts.trust.verify(receipt, evidence, options.signal)
    }
    return found
  }

  /** The events of a work: versions, checks of its content, its end. */
  history(ark: string, options: PageOptions = {}): Listing<HistoryEvent, History> {
    const { limit, order, cursor, ...call } = options
    const path = `/api/v1/resolve/${encodeURIComponent(ark)}/history`
    const query = { limit, order, cursor }
    return listing(this.#transport, {
      call: { method: 'GET', path, query, limit: 'resolve', ...call },
      recordsOf: (page: History) => page.events,
    })
  }

  /** The content and the files of the newest version, and what their checks have shown. */
  files(ark: string, options: CallOptions = {}): Promise<Answered<WorkFiles>> {
    return this.#read('/v1/works', ark, '/files', { ...options, limit: 'works_read' })
  }

  /** How often a work was used: by default the last 30 days. */
  usage(ark: string, options: UsageOptions = {}): Promise<Answered<Usage>> {
    const { from, to, granularity, ...call } = options
    const path = `/v1/works/${encodeURIComponent(ark)}/usage`
    const query = { from, to, granularity }
    return this.#transport.send({ method: 'GET', path, query, limit: 'public_read', ...call })
  }

  #read<T>(
    base: string,
    ark: string,
    tail: string,
    call: CallOptions & { readonly limit: string },
  ): Promise<Answered<T>> {
    const path = `${base}/${encodeURIComponent(ark)}${tail}`
    return this.#transport.send<T>({ method: 'GET', path, ...call })
  }

  async #change(
    method: 'PUT' | 'POST',
    ark: string,
    tail: string,
    call: { readonly body: unknown; readonly limit: string },
    { ifMatch, verify, ...options }: ChangeOptions,
  ): Promise<Registered<WorkChange>> {
    const changed = await this.#transport.send<WorkChange>({
      method,
      path: `/v1/works/${encodeURIComponent(ark)}${tail}`,
      ifMatch: tagOf(ifMatch),
      ...call,
      ...options,
    })
    return this.#proven(changed, verify, options)
  }

  /** Adds the receipt of what was written, verified, unless nothing is. */
  async #proven<T extends CreatedWork | WorkChange>(
    answer: Answered<T>,
    verify: boolean = this.#parts.verifies,
    { signal }: CallOptions,
  ): Promise<Registered<T>> {
    const { ark_identifier: ark, version, receipt_id: receiptId } = answer
    const name = { ark, version, receiptId, metadataHash: answer.metadata_hash }
    const receipt = verify ? await this.#parts.receipts.verifiedAnswer(name, answer, signal) : null
    return Object.defineProperty(answer, 'receipt', { value: receipt }) as Registered<T>
  }
}

function tagOf(ifMatch: ChangeOptions['ifMatch']): string | undefined {
  return typeof ifMatch === 'object' ? ifMatch.response.etag : ifMatch
}
