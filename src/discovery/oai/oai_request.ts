import { lastSecond, type ParsedDatestamp, parseDatestamp } from '#src/discovery/oai/datestamp.ts'
import type { OaiFault, OaiFaults } from '#src/discovery/oai/oai_fault.ts'

/** Which records a harvester wants. Datestamps in seconds since 1970, both ends included. */
export type Selection = {
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
 * Reads a request from its arguments. All that is wrong with them is told at once, as `badVerb` or
 * `badArgument`; whether what they name exists is not looked at.
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
