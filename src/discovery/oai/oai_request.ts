import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'

/** A datestamp as harvesters write it; `seconds` since 1970 is its beginning. */
type ParsedDatestamp = {
  readonly granularity: 'day' | 'second'
  readonly seconds: number
}

const daySeconds = 86_400

const datestampForm = /^(?!0000)\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}Z)?$/

/**
 * Parses `YYYY-MM-DD` or `YYYY-MM-DDThh:mm:ssZ` (OAI-PMH 2.0, section 3.3); undefined if it is
 * neither, or a day or an hour that does not exist.
 */
export function parseDatestamp(text: string): ParsedDatestamp | undefined {
  const match = datestampForm.exec(text)
  if (match === null) return undefined
  const timeMs = Date.parse(text)
  if (Number.isNaN(timeMs)) return undefined
  const seconds = timeMs / 1_000
  if (!formatDatestamp(seconds).startsWith(text)) return undefined
  return { granularity: match[1] === undefined ? 'day' : 'second', seconds }
}

/** The last second that a datestamp includes: of a day, its end. */
export function lastSecond({ granularity, seconds }: ParsedDatestamp): number {
  return granularity === 'day' ? seconds + daySeconds - 1 : seconds
}

/** Seconds since 1970 as `YYYY-MM-DDThh:mm:ssZ`. */
export function formatDatestamp(seconds: number): string {
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z`
}

/** The errors of the protocol (OAI-PMH 2.0, section 3.6). */
type OaiErrorCode =
  | 'badArgument'
  | 'badResumptionToken'
  | 'badVerb'
  | 'cannotDisseminateFormat'
  | 'idDoesNotExist'
  | 'noMetadataFormats'
  | 'noRecordsMatch'
  | 'noSetHierarchy'

/** Why a request is not answered, in words for the person who reads the harvester's log. */
export type OaiFault = { readonly code: OaiErrorCode; readonly text: string }

/** One reply may hold several. */
export type OaiFaults = { readonly type: 'faults'; readonly faults: readonly OaiFault[] }

/** One fault as an answer. */
export function faulty(code: OaiErrorCode, text: string): OaiFaults {
  return { type: 'faults', faults: [{ code, text }] }
}

/** The answer to a token that was not issued for this, was changed, or has expired. */
export function badToken(): OaiFaults {
  const text = 'This token is not valid, or no longer: begin the list anew'
  return faulty('badResumptionToken', text)
}

/** Which records a harvester wants. Datestamps in seconds since 1970, both ends included. */
type Selection = {
  readonly from?: number
  readonly until?: number
  readonly set?: string
}

/** A request whose arguments are as they must be. */
export type OaiRequest =
  | { readonly verb: 'Identify' }
  | { readonly verb: 'ListMetadataFormats'; readonly identifier?: string }
  | { readonly verb: 'ListSets'; readonly resumptionToken?: string }
  | { readonly verb: 'GetRecord'; readonly identifier: string; readonly metadataPrefix: string }
  | ListRequest
  | ResumedRequest

export type ListVerb = 'ListIdentifiers' | 'ListRecords'

/** The first request of a list. */
export type ListRequest = {
  readonly verb: ListVerb
  readonly metadataPrefix: string
  readonly selection: Selection
}

/** A request for a further page. */
export type ResumedRequest = { readonly verb: ListVerb; readonly resumptionToken: string }

type Verb = OaiRequest['verb']

type Arguments = { readonly required: readonly string[]; readonly optional: readonly string[] }

const listArguments = {
  required: ['metadataPrefix'],
  optional: ['from', 'until', 'set', 'resumptionToken'],
}

const argumentsOf: Readonly<Record<Verb, Arguments>> = {
  Identify: { required: [], optional: [] },
  ListMetadataFormats: { required: [], optional: ['identifier'] },
  ListSets: { required: [], optional: ['resumptionToken'] },
  GetRecord: { required: ['identifier', 'metadataPrefix'], optional: [] },
  ListIdentifiers: listArguments,
  ListRecords: listArguments,
}

const prefixForm = /^[A-Za-z0-9\-_.!~*'()]+$/
const setForm = /^[A-Za-z0-9\-_.!~*'()]+(?::[A-Za-z0-9\-_.!~*'()]+)*$/

/** Characters of an argument; those of a token are the most. */
const argumentCharactersMax = 2_048

/** Arguments of a request; the rest would only be counted. */
const argumentsMax = 64

/**
 * Reads a request from its arguments. All that is wrong with them is reported at once, as
 * `badVerb` or `badArgument`; whether what they name exists is not looked at.
 */
export function readRequest(
  parameters: URLSearchParams,
): { readonly type: 'request'; readonly request: OaiRequest } | OaiFaults {
  const verb = readVerb(parameters)
  if (typeof verb !== 'string') return { type: 'faults', faults: [verb] }
  const reader = new ArgumentReader(verb, parameters)
  const request = reader.read()
  if (reader.faults.length > 0) return { type: 'faults', faults: reader.faults }
  return { type: 'request', request }
}

function readVerb(parameters: URLSearchParams): Verb | OaiFault {
  const [verb, ...others] = parameters.getAll('verb')
  const known = `the verbs are ${Object.keys(argumentsOf).join(', ')}`
  if (verb === undefined) return { code: 'badVerb', text: `There is no verb; ${known}` }
  if (others.length > 0) return { code: 'badVerb', text: 'There is more than one verb' }
  if (Object.hasOwn(argumentsOf, verb)) return verb as Verb
  return { code: 'badVerb', text: `${quoted(verb)} is not a verb; ${known}` }
}

class ArgumentReader {
  readonly faults: OaiFault[] = []
  readonly #verb: Verb
  readonly #values = new Map<string, string>()

  constructor(verb: Verb, parameters: URLSearchParams) {
    this.#verb = verb
    const { required, optional } = argumentsOf[verb]
    const known = [...required, ...optional]
    const names = [...new Set(parameters.keys())].filter((name) => name !== 'verb')
    for (const name of names.slice(0, argumentsMax)) {
      const values = parameters.getAll(name)
      if (!known.includes(name)) this.#refuse(unknownText(verb, name, known))
      else if (values.length > 1) this.#refuse(`${name} is given ${values.length} times`)
      else this.#take(name, values[0] ?? '')
    }
    if (parameters.has('resumptionToken')) this.#checkAlone()
    else {
      const missing = required.filter((name) => !parameters.has(name))
      for (const name of missing) this.#refuse(`${verb} needs ${name}`)
    }
  }

  /** The request, if no fault was found. */
  read(): OaiRequest {
    const verb = this.#verb
    const [identifier = '', metadataPrefix = '', resumptionToken] = [
      this.#values.get('identifier'),
      this.#values.get('metadataPrefix'),
      this.#values.get('resumptionToken'),
    ]
    switch (verb) {
      case 'Identify':
        return { verb }
      case 'ListMetadataFormats':
        return identifier === '' ? { verb } : { verb, identifier }
      case 'ListSets':
        return resumptionToken === undefined ? { verb } : { verb, resumptionToken }
      case 'GetRecord':
        return { verb, identifier, metadataPrefix }
      case 'ListIdentifiers':
      case 'ListRecords':
        if (resumptionToken !== undefined) return { verb, resumptionToken }
        return { verb, metadataPrefix, selection: this.#readSelection() }
    }
  }

  #take(name: string, value: string): void {
    if (value === '') return this.#refuse(`${name} is empty`)
    if (value.length > argumentCharactersMax) {
      return this.#refuse(`${name} has more than ${argumentCharactersMax} characters`)
    }
    const form = name === 'metadataPrefix' ? prefixForm : name === 'set' ? setForm : undefined
    if (form?.test(value) === false) {
      return this.#refuse(`${name} has a character that it cannot have`)
    }
    this.#values.set(name, value)
  }

  #checkAlone(): void {
    const isAlone = [...this.#values.keys()].every((name) => name === 'resumptionToken')
    if (!isAlone) this.#refuse('resumptionToken stands alone beside the verb')
  }

  #readSelection(): Selection {
    const from = this.#readDate('from')
    const until = this.#readDate('until')
    const set = this.#values.get('set')
    if (from !== undefined && until !== undefined) {
      if (from.granularity !== until.granularity) {
        this.#refuse('from and until are of different granularity: give both as days or seconds')
      } else if (from.seconds > until.seconds) this.#refuse('from is after until')
    }
    return {
      ...(from !== undefined && { from: from.seconds }),
      ...(until !== undefined && { until: lastSecond(until) }),
      ...(set !== undefined && { set }),
    }
  }

  #readDate(name: 'from' | 'until'): ParsedDatestamp | undefined {
    const text = this.#values.get(name)
    const date = text === undefined ? undefined : parseDatestamp(text)
    if (text !== undefined && date === undefined) {
      const right = 'must be a day in UTC, YYYY-MM-DD, or a second, YYYY-MM-DDThh:mm:ssZ'
      this.#refuse(`${name} ${right}`)
    }
    return date
  }

  #refuse(text: string): void {
    this.faults.push({ code: 'badArgument', text })
  }
}

function unknownText(verb: Verb, name: string, known: readonly string[]): string {
  const list = known.length === 0 ? 'takes none' : `takes ${known.join(', ')}`
  return `${quoted(name)} is not an argument; ${verb} ${list}`
}

/** What a client wrote, as a message repeats it. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
}

/** Where a list of records goes on: all that the pages so far have decided. */
export type ListState = {
  readonly verb: ListVerb
  readonly prefix: string
  readonly set?: string
  /** Datestamps in seconds, as the first request froze them. */
  readonly from: number
  readonly until: number
  /** Position and ARK, as it is shown, of the last record delivered. */
  readonly after: number
  readonly last: string
  /** Records delivered, and how many the list was found to have. */
  readonly cursor: number
  readonly size: number
}

/** Where a list of sets goes on. */
export type SetState = {
  readonly verb: 'ListSets'
  /** Slug of the last set delivered. */
  readonly last: string
  readonly cursor: number
}

export type TokenState = ListState | SetState

/** A token, and the second since 1970 from which on it is not taken any more. */
export type ResumptionToken = { readonly text: string; readonly expires: number }

/** Number of the tokens' form. */
const version = 1

const purpose = 'svc-oai-token-v1\n'
const macBytes = 16
const tokenCharactersMax = 1_024
const tokenForm = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{22})$/

type Payload = { readonly v: typeof version; readonly e: number; readonly s: TokenState }

/**
 * Makes and reads resumption tokens. They hold the state of a list themselves, signed, so that they
 * outlive a restart and serve at every instance with the same key. They have no character that
 * a client would have to escape.
 */
export class ResumptionTokens {
  readonly #key: KeyObject
  readonly #ttlSeconds: number

  /** `key` has 32 bytes. */
  constructor(key: Uint8Array, ttlSeconds: number) {
    this.#key = createSecretKey(key)
    this.#ttlSeconds = ttlSeconds
  }

  issue(state: TokenState, nowSeconds: number): ResumptionToken {
    const expires = nowSeconds + this.#ttlSeconds
    const payload: Payload = { v: version, e: expires, s: state }
    const body = Buffer.from(JSON.stringify(payload)).toString('base64url')
    return { text: `${body}.${this.#mac(body).toString('base64url')}`, expires }
  }

  /** The state in a token; undefined if it is not one of ours, or has expired. */
  read(token: string, nowSeconds: number): TokenState | undefined {
    if (token.length > tokenCharactersMax) return undefined
    const [, body = '', mac = ''] = tokenForm.exec(token) ?? []
    const given = Buffer.from(mac, 'base64url')
    // A last character may hold bits that decode to nothing; there is one spelling of a token.
    if (given.length !== macBytes || given.toString('base64url') !== mac) return undefined
    if (!timingSafeEqual(given, this.#mac(body))) return undefined
    const payload = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Payload
    return payload.v === version && nowSeconds < payload.e ? payload.s : undefined
  }

  #mac(body: string): Buffer {
    const digest = createHmac('sha256', this.#key).update(purpose).update(body).digest()
    return digest.subarray(0, macBytes)
  }
}

/** The set of everything, above those of the organizations: a list of sets is never empty. */
export const allSpec = 'org'

const organizationPrefix = `${allSpec}:`

/** The set of the records that an organization registered: `org:` and its slug. */
export function formatSetSpec(slug: string): string {
  return organizationPrefix + slug
}

/** What a setSpec selects: all records, or those of an organization; undefined without such set. */
export function parseSetSpec(
  spec: string,
): { readonly type: 'all' } | { readonly type: 'organization'; readonly slug: string } | undefined {
  if (spec === allSpec) return { type: 'all' }
  const slug = spec.slice(organizationPrefix.length)
  const isOne = spec.startsWith(organizationPrefix) && !slug.includes(':')
  return isOne ? { type: 'organization', slug } : undefined
}
