import { parseArk } from '#actors/values/ark.ts'
import { element, type XmlElement } from '#src/discovery/formats/xml.ts'
import {
  allSpec,
  badToken,
  faulty,
  formatDatestamp,
  formatSetSpec,
  type ListState,
  type OaiFaults,
  parseSetSpec,
  type ResumptionToken,
  type ResumptionTokens,
  type SetState,
} from '#src/discovery/oai/oai_request.ts'
import type { WrittenRecords } from '#src/discovery/oai/record_formats.ts'
import type {
  HarvestRange,
  HarvestRecord,
  HarvestSet,
  RecordSlice,
  RecordSource,
} from '#src/discovery/oai/record_source.ts'

/** What a first request asks for, with both ends of its time. */
type ListStart = Omit<ListState, 'after' | 'last' | 'cursor' | 'size'>

/** Records of a list as they are sent, and the token for those that follow, or the empty one. */
export type RecordPage = { readonly written: Uint8Array; readonly token?: XmlElement }

/** Writes records as a page has them: as many as fit on it, from the first on, one at least. */
export type WriteRecords = (records: readonly HarvestRecord[]) => Promise<WrittenRecords>

/** A page whose records have so many bytes of metadata is full: more are not even read. */
const pageBytesEnough = 1_048_576

/** Seconds since 1970: the time, and the second up to which records are listed. */
export type Now = { readonly nowSeconds: number; readonly horizon: number }

/** Where lists come from. */
type ListOptions = {
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
export class SetLists {
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
