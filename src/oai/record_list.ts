import { parseArk } from '#actors/ark.ts'
import { element, type XmlElement } from '#src/formats/xml.ts'
import { formatDatestamp } from '#src/oai/datestamp.ts'
import { badToken, faulty, type OaiFaults } from '#src/oai/oai_fault.ts'
import type { HarvestRange, HarvestRecord, RecordSource } from '#src/oai/record_source.ts'
import type { ListState, ResumptionToken, ResumptionTokens } from '#src/oai/resumption_token.ts'
import { parseSetSpec } from '#src/oai/set_spec.ts'

/** What a first request asks for, with both ends of its time. */
export type ListStart = Omit<ListState, 'after' | 'last' | 'cursor' | 'size'>

/** Records of a list, and the token for those that follow; an empty one after those before. */
export type RecordPage = {
  readonly records: readonly HarvestRecord[]
  readonly token?: XmlElement
}

/** Where lists come from. */
export type ListOptions = {
  readonly source: RecordSource
  /** Records on a page. */
  readonly recordsMax: number
  /** Slug of the only organization whose records there are; of all if absent. */
  readonly organization?: string
}

/** Lists of records, page by page. The state between two pages is in the token alone. */
export class RecordLists {
  readonly #options: ListOptions
  readonly #tokens: ResumptionTokens

  constructor(options: ListOptions, tokens: ResumptionTokens) {
    this.#options = options
    this.#tokens = tokens
  }

  /** The first page, with a token only if there are more. */
  async begin(start: ListStart, nowSeconds: number): Promise<RecordPage | OaiFaults> {
    const { source, recordsMax } = this.#options
    const range = this.#rangeOf(start)
    const limit = recordsMax + 1
    const found = range === undefined ? [] : await source.records(range, { limit })
    if (range === undefined || found.length === 0) {
      return faulty('noRecordsMatch', 'No records are of this time and set')
    }
    if (found.length < limit) return { records: found }
    const size = Math.max(await source.count(range), limit)
    return this.#fullPage({ ...start, size, cursor: 0 }, found, nowSeconds)
  }

  /** A further page. It is never empty, and a last one closes the list. */
  async resume(state: ListState, nowSeconds: number): Promise<RecordPage | OaiFaults> {
    const { source, recordsMax } = this.#options
    const { after, cursor } = state
    const range = this.#rangeOf(state)
    if (range === undefined) return badToken()
    const limit = recordsMax + 1
    const found = await source.records(range, { after, limit })
    const size = Math.max(state.size, cursor + found.length)
    if (found.length === limit) return this.#fullPage({ ...state, size }, found, nowSeconds)
    // What was left has changed meanwhile, and is after the end of this list now. The protocol has
    // no empty list, so the last record is told again.
    const records = found.length > 0 ? found : await this.#repeat(state)
    if (records.length === 0) return badToken()
    return { records, token: tokenElement('', { cursor, size }) }
  }

  async #repeat({ last }: ListState): Promise<readonly HarvestRecord[]> {
    const parsed = parseArk(last)
    if (parsed.type === 'malformed') return []
    const record = await this.#options.source.record(parsed.ark)
    return record === undefined ? [] : [record]
  }

  #fullPage(
    state: Omit<ListState, 'after' | 'last'>,
    found: readonly HarvestRecord[],
    nowSeconds: number,
  ): RecordPage {
    const records = found.slice(0, -1)
    const [{ position: after, ark } = { position: -1, ark: '' }] = records.slice(-1)
    const { cursor, size } = state
    const next = { ...state, after, last: ark, cursor: cursor + records.length }
    const token = this.#tokens.issue(next, nowSeconds)
    return { records, token: tokenElement(token, { cursor, size }) }
  }

  /** The records that a list may have; undefined if there is no such set here. */
  #rangeOf({ from, until, set }: ListStart): HarvestRange | undefined {
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

/** The element at the end of a page; the last page has an empty one. */
export function tokenElement(
  token: ResumptionToken | '',
  { cursor, size }: { readonly cursor: number; readonly size?: number },
): XmlElement {
  const about = { completeListSize: size?.toString(), cursor: String(cursor) }
  if (token === '') return element('resumptionToken', about)
  const expirationDate = formatDatestamp(token.expires)
  return element('resumptionToken', { expirationDate, ...about }, token.text)
}
