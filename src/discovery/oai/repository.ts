import { parseArk } from '#actors/values/ark.ts'
import type { RelatedIdentifier } from '#actors/values/related_identifier.ts'
import { element, openTag, writeElement, type XmlElement } from '#src/discovery/formats/xml.ts'
import {
  allSpec,
  badToken,
  faulty,
  formatDatestamp,
  formatSetSpec,
  type ListRequest,
  type ListState,
  type ListVerb,
  type OaiFault,
  type OaiFaults,
  type OaiRequest,
  parseSetSpec,
  readRequest,
  type ResumedRequest,
  type ResumptionToken,
  ResumptionTokens,
  type SetState,
} from '#src/discovery/oai/oai_request.ts'
import {
  type RecordFormat,
  type RecordsTask,
  schemaAttributes,
  type WrittenRecords,
} from '#src/discovery/oai/record_formats.ts'
import type {
  HarvestRange,
  HarvestRecord,
  HarvestSet,
  RecordSlice,
  RecordSource,
} from '#src/discovery/oai/record_source.ts'
import { contentCodings } from '#src/edge/content_coding.ts'

export type RepositoryOptions = {
  readonly source: RecordSource
  /** What other works of the registry say of one, `ark:/naan/name`; absent where nobody knows. */
  readonly incoming?: (ark: string) => Promise<readonly RelatedIdentifier[]>
  /** The address under which it is harvested, as Identify tells it: `https://host/api/v1/oai`. */
  readonly baseUrl: string
  /** Public address of the registry, without a slash at its end: ARKs resolve below it. */
  readonly registryUrl: string
  readonly repositoryName: string
  readonly adminEmail: string
  /** 32 bytes that sign resumption tokens: the same at all instances of a repository. */
  readonly tokenKey: Uint8Array
  readonly tokenTtlSeconds: number
  /** Records on a page. */
  readonly recordsMax: number
  /** The forms of its records, `oai_dc` among them. */
  readonly formats: readonly RecordFormat[]
  readonly enableSets: boolean
  /** Writes records, here or in another thread. */
  readonly write: (task: RecordsTask) => Promise<WrittenRecords>
  /** Slug of the only organization whose records there are; of all if absent. */
  readonly organization?: string
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
}

type Answer = Payload | OaiFaults

/** Bytes of a page's records as they are sent: the rest is left for the next page. */
const writtenBytesEnough = 1_048_576

/**
 * A repository of OAI-PMH 2.0, whatever carries its requests and replies. It keeps nothing between
 * requests.
 */
export class OaiRepository {
  readonly #options: RepositoryOptions
  readonly #tokens: ResumptionTokens
  readonly #records: RecordLists
  readonly #sets: SetLists

  constructor(options: RepositoryOptions) {
    this.#options = options
    this.#tokens = new ResumptionTokens(options.tokenKey, options.tokenTtlSeconds)
    this.#records = new RecordLists(options, this.#tokens)
    this.#sets = new SetLists(options, this.#tokens)
  }

  /**
   * The reply to a request, a whole XML document in UTF-8; errors of the protocol are replies as
   * well. `parameters` are those of the query string, or of the form that was posted. Throws only
   * what its source throws.
   */
  async answer(parameters: URLSearchParams): Promise<Uint8Array> {
    const { source, baseUrl, nowMs } = this.#options
    const nowSeconds = Math.floor(nowMs() / 1_000)
    // Asked before anything is read: what is committed later may be missing from the reply.
    const { at: responseDate, until: horizon } = await source.settle(nowSeconds)
    const envelope: Envelope = { baseUrl, responseDate, parameters }
    const read = readRequest(parameters)
    if (read.type === 'faults') return formatFaults(envelope, read.faults)
    const answer = await this.#answer(read.request, { nowSeconds, horizon })
    if ('faults' in answer) return formatFaults(envelope, answer.faults)
    return formatReply(envelope, answer)
  }

  #answer(request: OaiRequest, now: Now): Answer | Promise<Answer> {
    switch (request.verb) {
      case 'Identify':
        return this.#identify()
      case 'ListMetadataFormats':
        return this.#listFormats(request.identifier)
      case 'ListSets':
        return this.#listSets(request.resumptionToken, now.nowSeconds)
      case 'GetRecord':
        return this.#getRecord(request)
      case 'ListIdentifiers':
      case 'ListRecords':
        return this.#list(request, now)
    }
  }

  #identify(): XmlElement {
    const { repositoryName, baseUrl, adminEmail, source } = this.#options
    return element(
      'Identify',
      {},
      element('repositoryName', {}, repositoryName),
      element('baseURL', {}, baseUrl),
      element('protocolVersion', {}, '2.0'),
      element('adminEmail', {}, adminEmail),
      element('earliestDatestamp', {}, formatDatestamp(source.earliest)),
      element('deletedRecord', {}, 'persistent'),
      element('granularity', {}, 'YYYY-MM-DDThh:mm:ssZ'),
      ...contentCodings.map((coding) => element('compression', {}, coding)),
    )
  }

  async #listFormats(identifier: string | undefined): Promise<Answer> {
    const record = identifier === undefined ? undefined : await this.#find(identifier)
    if (identifier !== undefined && record === undefined) return unknownIdentifier()
    const offered: RecordFormat[] = []
    for (const format of this.#options.formats) {
      if (record === undefined || (await this.#lackOf(record, format)) === undefined) {
        offered.push(format)
      }
    }
    const formats = offered.map(({ prefix, schema, namespace }) =>
      element(
        'metadataFormat',
        {},
        element('metadataPrefix', {}, prefix),
        element('schema', {}, schema),
        element('metadataNamespace', {}, namespace),
      ),
    )
    return element('ListMetadataFormats', {}, ...formats)
  }

  /** Why a record does not come in a format: it is written, for only then it is read. */
  async #lackOf(record: HarvestRecord, format: RecordFormat): Promise<string | undefined> {
    if (format.lacks === undefined) return undefined
    const { lack } = await this.#writer('ListIdentifiers', format.prefix)([record])
    return lack
  }

  async #getRecord(request: Extract<OaiRequest, { verb: 'GetRecord' }>): Promise<Answer> {
    const format = this.#format(request.metadataPrefix)
    const record = await this.#find(request.identifier)
    const faults: OaiFault[] = []
    if (format === undefined) faults.push(...this.#unknownFormat(request.metadataPrefix).faults)
    if (record === undefined) faults.push(...unknownIdentifier().faults)
    if (format === undefined || record === undefined) return { type: 'faults', faults }
    const { bytes, lack } = await this.#writer('ListRecords', format.prefix)([record])
    if (lack !== undefined) {
      return faulty(
        'cannotDisseminateFormat',
        `The record is not there as ${format.prefix}: ${lack}`,
      )
    }
    return writeList('GetRecord', bytes)
  }

  /** The record that an identifier names, in any spelling of its ARK. */
  async #find(identifier: string): Promise<HarvestRecord | undefined> {
    const { source, organization } = this.#options
    const parsed = parseArk(identifier)
    if (parsed.type === 'malformed') return undefined
    // A part or a variant of a work, or a question about it, is no record.
    const isWhole = parsed.components === '' && parsed.variants === ''
    if (!isWhole || parsed.inflection !== undefined) return undefined
    const record = await source.record(parsed.ark)
    const isHere = organization === undefined || record?.sets.includes(organization) === true
    return isHere ? record : undefined
  }

  async #listSets(token: string | undefined, nowSeconds: number): Promise<Answer> {
    if (!this.#options.enableSets) return noSets()
    if (token === undefined) return this.#sets.begin(nowSeconds)
    const state = this.#tokens.read(token, nowSeconds)
    return state?.verb === 'ListSets' ? this.#sets.resume(state, nowSeconds) : badToken()
  }

  async #list(request: ListRequest | ResumedRequest, now: Now): Promise<Answer> {
    const isResumed = 'resumptionToken' in request
    const page = await (isResumed ? this.#resume(request, now) : this.#begin(request, now))
    if ('faults' in page) return page
    return writeList(request.verb, page.written, page.token)
  }

  /** Writes records for a verb, in a format. */
  #writer(verb: ListVerb, prefix: string): WriteRecords {
    const { source, baseUrl, registryUrl, enableSets, write } = this.#options
    return async (listed) => {
      const isFull = verb !== 'ListIdentifiers' && this.#format(prefix)?.tellsIncoming === true
      const records = isFull ? await this.#withIncoming(listed) : listed
      const setNames: Record<string, string> = {}
      for (const slug of new Set(records.flatMap(({ sets }) => sets))) {
        const name = source.setName(slug)
        if (name !== undefined) setNames[slug] = name
      }
      return write({
        verb,
        prefix,
        oaiUrl: baseUrl,
        registryUrl,
        enableSets,
        records,
        setNames,
        bytesEnough: writtenBytesEnough,
      })
    }
  }

  /** Records with what other works say of them, where that is known. */
  async #withIncoming(records: readonly HarvestRecord[]): Promise<readonly HarvestRecord[]> {
    const { incoming } = this.#options
    if (incoming === undefined) return records
    const told: HarvestRecord[] = []
    for (const record of records) {
      const others = record.work === undefined ? [] : await incoming(record.ark)
      told.push(others.length === 0 ? record : { ...record, incoming: others })
    }
    return told
  }

  async #begin(
    { verb, metadataPrefix, selection }: ListRequest,
    { nowSeconds, horizon }: Now,
  ): Promise<RecordPage | OaiFaults> {
    const { source, enableSets } = this.#options
    const format = this.#format(metadataPrefix)
    const faults: OaiFault[] = []
    if (format === undefined) faults.push(...this.#unknownFormat(metadataPrefix).faults)
    if (selection.set !== undefined && !enableSets) faults.push(...noSets().faults)
    if (format === undefined || faults.length > 0) return { type: 'faults', faults }
    const { set, from = source.earliest, until = endless } = selection
    const start = { verb, prefix: metadataPrefix, from, until, ...(set !== undefined && { set }) }
    return this.#records.begin(start, this.#writer(verb, metadataPrefix), { nowSeconds, horizon })
  }

  async #resume(
    { verb, resumptionToken }: ResumedRequest,
    now: Now,
  ): Promise<RecordPage | OaiFaults> {
    const { nowSeconds } = now
    const state = this.#tokens.read(resumptionToken, nowSeconds)
    if (state === undefined || state.verb === 'ListSets' || state.verb !== verb) return badToken()
    const format = this.#format(state.prefix)
    // The repository may have had other formats, or sets, when the list was begun.
    const hasSets = this.#options.enableSets || state.set === undefined
    if (format === undefined || !hasSets) return badToken()
    return this.#records.resume(state, this.#writer(verb, state.prefix), now)
  }

  #format(prefix: string): RecordFormat | undefined {
    return this.#options.formats.find((format) => format.prefix === prefix)
  }

  #unknownFormat(prefix: string): OaiFaults {
    const known = this.#options.formats.map((format) => format.prefix).join(', ')
    return faulty('cannotDisseminateFormat', `${prefix} is not a format here; there are ${known}`)
  }
}

/** The end of a list that has none, in seconds since 1970: the last one that can be written. */
const endless = Date.UTC(9999, 11, 31, 23, 59, 59) / 1_000

function unknownIdentifier(): OaiFaults {
  const text = 'There is no record with this identifier; identifiers are ARKs, ark:/naan/name'
  return faulty('idDoesNotExist', text)
}

/** The answer to requests for sets where there are none. */
function noSets(): OaiFaults {
  return faulty('noSetHierarchy', 'This repository has no sets')
}

const oaiNamespace = 'http://www.openarchives.org/OAI/2.0/'
const oaiSchema = 'http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd'

/** What stands around every answer. */
export type Envelope = {
  /** Address of the repository, which is also that of its stylesheet but for the file's name. */
  readonly baseUrl: string
  /** Seconds since 1970 up to which harvesters have been told everything. */
  readonly responseDate: number
  readonly parameters: URLSearchParams
}

/** Names of the stylesheets below the repository's address: for browsers with XSLT, and without. */
export const stylesheetName = 'style.xsl'
export const cssName = 'style.css'

const rootAttributes = { xmlns: oaiNamespace, ...schemaAttributes(oaiNamespace, oaiSchema) }

/** The element named after the verb; it may have been written before, in UTF-8. */
export type Payload = XmlElement | Uint8Array

/** A whole reply in UTF-8. */
function formatReply(envelope: Envelope, payload: Payload): Uint8Array {
  const request = requestElement(envelope, Object.fromEntries(envelope.parameters))
  return formatEnvelope(envelope, request, [writePart(payload)])
}

/** A list whose items were written before, with the token at its end. */
function writeList(verb: string, written: Uint8Array, token?: XmlElement): Uint8Array {
  const end = `${token === undefined ? '' : writeElement(token)}</${verb}>`
  return Buffer.concat([Buffer.from(openTag(verb, {})), written, Buffer.from(end)])
}

function writePart(part: Payload): Uint8Array {
  return part instanceof Uint8Array ? part : Buffer.from(writeElement(part))
}

/** A whole reply in UTF-8 that tells why there is nothing else in it. */
function formatFaults(envelope: Envelope, faults: readonly OaiFault[]): Uint8Array {
  // Arguments that are not as they must be are no attributes (OAI-PMH 2.0, section 3.2).
  const isUnread = faults.some(({ code }) => code === 'badVerb' || code === 'badArgument')
  const attributes = isUnread ? {} : Object.fromEntries(envelope.parameters)
  const errors = faults.map(({ code, text }) => writePart(element('error', { code }, text)))
  return formatEnvelope(envelope, requestElement(envelope, attributes), errors)
}

function requestElement({ baseUrl }: Envelope, attributes: Record<string, string>): XmlElement {
  return element('request', attributes, baseUrl)
}

function formatEnvelope(
  { baseUrl, responseDate }: Envelope,
  request: XmlElement,
  payload: readonly Uint8Array[],
): Uint8Array {
  const { pathname } = new URL(baseUrl)
  const head = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<?xml-stylesheet type="text/xsl" href="${pathname}/${stylesheetName}"?>`,
    `<?xml-stylesheet type="text/css" href="${pathname}/${cssName}"?>`,
    openTag('OAI-PMH', rootAttributes),
  ].join('\n')
  const about = [element('responseDate', {}, formatDatestamp(responseDate)), request]
  return Buffer.concat([
    Buffer.from(head + about.map((part) => writeElement(part)).join('')),
    ...payload,
    Buffer.from('</OAI-PMH>\n'),
  ])
}

/** What a first request asks for, with both ends of its time. */
type ListStart = Omit<ListState, 'after' | 'last' | 'cursor' | 'size'>

/** Records of a list as they are sent, and the token for those that follow, or the empty one. */
type RecordPage = { readonly written: Uint8Array; readonly token?: XmlElement }

/** Writes records as a page has them: as many as fit on it, from the first on, one at least. */
type WriteRecords = (records: readonly HarvestRecord[]) => Promise<WrittenRecords>

/** A page whose records have so many bytes of metadata is full: more are not even read. */
const pageBytesEnough = 1_048_576

/** Seconds since 1970: the time, and the second up to which records are listed. */
type Now = { readonly nowSeconds: number; readonly horizon: number }

/** Where lists come from. */
type ListOptions = {
  readonly source: RecordSource
  /** Records on a page. */
  readonly recordsMax: number
  /** Slug of the only organization whose records there are; of all if absent. */
  readonly organization?: string
}

/** Lists of records, page by page. The state between two pages is in the token alone. */
class RecordLists {
  readonly #options: ListOptions
  readonly #tokens: ResumptionTokens

  constructor(options: ListOptions, tokens: ResumptionTokens) {
    this.#options = options
    this.#tokens = tokens
  }

  /** The first page, with a token only if there are more. */
  async begin(start: ListStart, write: WriteRecords, now: Now): Promise<RecordPage | OaiFaults> {
    const { source } = this.#options
    const range = this.#rangeOf(start, now)
    const found = range && (await this.#read(range))
    if (range === undefined || found === undefined || found.records.length === 0) {
      return noRecords()
    }
    const { bytes: written, count, isStandIn } = await write(found.records)
    if (isLast(found, count)) return isStandIn ? noRecords() : { written }
    const size = Math.max(await source.count(range), leastSize(found))
    const token = this.#goOn({ ...start, size, cursor: 0 }, found, count, now)
    return { written, token }
  }

  /**
   * A further page. It is never empty, and a last one closes the list: one without an end has
   * everything then that there is.
   */
  async resume(state: ListState, write: WriteRecords, now: Now): Promise<RecordPage | OaiFaults> {
    const { after, cursor } = state
    const range = this.#rangeOf(state, now)
    if (range === undefined) return badToken()
    const found = await this.#read(range, after)
    // What was left has changed meanwhile, and is after the end of this list now. The protocol has
    // no empty list, so the last record is listed again.
    const records = found.records.length > 0 ? found.records : await this.#repeat(state)
    if (records.length === 0) return badToken()
    const { bytes: written, count } = await write(records)
    const size = Math.max(state.size, cursor + leastSize(found))
    if (isLast(found, count)) return { written, token: tokenElement('', { cursor, size }) }
    return { written, token: this.#goOn({ ...state, size }, found, count, now) }
  }

  #read(range: HarvestRange, after?: number): Promise<RecordSlice> {
    const { source, recordsMax: limit } = this.#options
    const start = after === undefined ? {} : { after }
    return source.records(range, { ...start, limit, bytesEnough: pageBytesEnough })
  }

  async #repeat({ last }: ListState): Promise<readonly HarvestRecord[]> {
    const parsed = parseArk(last)
    if (parsed.type === 'malformed') return []
    const record = await this.#options.source.record(parsed.ark)
    return record === undefined ? [] : [record]
  }

  /** The token after a page that has the first `count` of the records that were found. */
  #goOn(
    state: Omit<ListState, 'after' | 'last'>,
    { records }: RecordSlice,
    count: number,
    { nowSeconds }: Now,
  ): XmlElement {
    const { position: after, ark } = records[count - 1] ?? { position: -1, ark: '' }
    const { cursor, size } = state
    const next = { ...state, after, last: ark, cursor: cursor + count }
    return tokenElement(this.#tokens.issue(next, nowSeconds), { cursor, size })
  }

  /**
   * The records that a list may have now, those of an end that is to come up to the present ones;
   * undefined if there is no such set here.
   */
  #rangeOf({ from, until: end, set }: ListStart, { horizon }: Now): HarvestRange | undefined {
    const until = Math.min(end, horizon)
    const { organization } = this.#options
    const selected = set === undefined ? { type: 'all' as const } : parseSetSpec(set)
    if (selected === undefined || from > until) return undefined
    const slug = selected.type === 'all' ? organization : selected.slug
    if (slug === undefined) return { from, until }
    return organization === undefined || organization === slug
      ? { from, until, set: slug }
      : undefined
  }
}

function noRecords(): OaiFaults {
  return faulty('noRecordsMatch', 'No records are of this time, set and format')
}

/** Whether a page with so many of the records that were found is the last one. */
function isLast({ records, hasMore }: RecordSlice, count: number): boolean {
  return !hasMore && count >= records.length
}

/** Records that there are at least, from a page on. */
function leastSize({ records, hasMore }: RecordSlice): number {
  return records.length + (hasMore ? 1 : 0)
}

/** The element at the end of a page; the last page has an empty one. */
function tokenElement(
  token: ResumptionToken | '',
  { cursor, size }: { readonly cursor: number; readonly size?: number },
): XmlElement {
  const about = { completeListSize: size?.toString(), cursor: String(cursor) }
  if (token === '') return element('resumptionToken', about)
  const expirationDate = formatDatestamp(token.expires)
  return element('resumptionToken', { expirationDate, ...about }, token.text)
}

/** The list of the sets: that of all works, then one for each organization. */
class SetLists {
  readonly #options: ListOptions
  readonly #tokens: ResumptionTokens

  constructor(options: ListOptions, tokens: ResumptionTokens) {
    this.#options = options
    this.#tokens = tokens
  }

  async begin(nowSeconds: number): Promise<XmlElement> {
    const all = setElement(allSpec, 'All works, by organization')
    const found = await this.#read(undefined)
    return this.#page([all], found, { last: '', cursor: 0 }, nowSeconds)
  }

  async resume({ last, cursor }: SetState, nowSeconds: number): Promise<XmlElement | OaiFaults> {
    const found = await this.#read(last)
    if (found.length === 0) return badToken()
    return this.#page([], found, { last, cursor }, nowSeconds)
  }

  /** Organizations after one, and one more than fits on a page. */
  async #read(after: string | undefined): Promise<readonly HarvestSet[]> {
    const { source, recordsMax, organization } = this.#options
    if (organization === undefined) {
      return source.sets({ ...(after !== undefined && { after }), limit: recordsMax + 1 })
    }
    const name = source.setName(organization)
    return name === undefined ? [] : [{ slug: organization, name }]
  }

  #page(
    first: readonly XmlElement[],
    found: readonly HarvestSet[],
    { cursor }: Omit<SetState, 'verb'>,
    nowSeconds: number,
  ): XmlElement {
    const room = this.#options.recordsMax - first.length
    const shown = found.slice(0, room)
    const sets = [...first, ...shown.map(({ slug, name }) => setElement(formatSetSpec(slug), name))]
    const last = shown.at(-1)?.slug
    if (shown.length === found.length) {
      return element('ListSets', {}, ...sets, cursor > 0 ? tokenElement('', { cursor }) : undefined)
    }
    const next = { verb: 'ListSets', last: last ?? '', cursor: cursor + sets.length } as const
    const token = this.#tokens.issue(next, nowSeconds)
    return element('ListSets', {}, ...sets, tokenElement(token, { cursor }))
  }
}

function setElement(spec: string, name: string): XmlElement {
  return element('set', {}, element('setSpec', {}, spec), element('setName', {}, name))
}
