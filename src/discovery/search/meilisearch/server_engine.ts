import {
  type EnqueuedTask,
  type IndexSwap,
  Meilisearch,
  MeilisearchApiError,
  type SearchParams,
  type Settings,
} from 'meilisearch'

import { documentsOf, nameBreak } from '#src/discovery/search/documents.ts'
import {
  charactersOf,
  indexedText,
  indexedWords,
  isUnparted,
  lookedForPieces,
  lookedForWords,
} from '#src/discovery/search/fold.ts'
import {
  indexSchema,
  type IndexShape,
  indexShapes,
  newest,
  type SortOrder,
} from '#src/discovery/search/index_shape.ts'
import { type Clause, hasWanted } from '#src/discovery/search/query_text.ts'
import {
  type EnginePage,
  type EngineQuery,
  type FacetCount,
  type FacetValue,
  facetValuesMax,
  type Filter,
  givenHits,
  type Hit,
  type IndexBatch,
  type IndexKind,
  indexKinds,
  type IndexTarget,
  type LastHit,
  type PageHits,
  placeAfter,
  rankedHitsMax,
  rankedRoom,
  type SearchDocument,
  type SearchEngine,
  SearchError,
  shownHits,
  wholeFacetValuesMax,
} from '#src/discovery/search/search_engine.ts'

/** Statuses after which the server may answer the next time: busy, starting, or locked up. */
const passingStatuses = new Set([401, 403, 408, 429, 500, 502, 503, 504])

/** A fault of the client as a SearchError. What is not of the server is a network that is down. */
function serverError(error: unknown): SearchError {
  if (error instanceof SearchError) return error
  if (!(error instanceof MeilisearchApiError)) {
    const message = `the search server cannot be reached: ${(error as Error).message}`
    return new SearchError('search_unavailable', message, { cause: error })
  }
  const { status } = error.response
  const message = `the search server answers ${status}: ${error.message}`
  if (error.cause?.code === 'index_not_found') {
    return new SearchError('search_index_damaged', message, { cause: error })
  }
  const code = passingStatuses.has(status) ? 'search_unavailable' : 'search_failed'
  return new SearchError(code, message, { cause: error })
}

/** The attribute with the single words of a text, by which it is filtered. */
function wordsAttribute(text: string): string {
  return `${text}_words`
}

/** The attribute that is counted for a facet: of what is named, its value and its name. */
function facetAttribute(kind: IndexKind, facet: string): string {
  return indexShapes[kind].named.includes(facet) ? `${facet}_named` : facet
}

/** What parts a value from its name in such an attribute, and the bytes that the server counts. */
const namePart = '\x1f'
const facetBytesMax = 468

function namedText({ value, name }: FacetValue): string {
  const whole = name === undefined ? value : value + namePart + name
  return Buffer.byteLength(whole) > facetBytesMax ? value : whole
}

/** The values of a facet as the server counts them; what differs in its name alone is one. */
function facetCounts(counted: Readonly<Record<string, number>> = {}): readonly FacetCount[] {
  const counts = new Map<string, FacetCount>()
  for (const [text, count] of Object.entries(counted)) {
    const [value = '', name = counts.get(text)?.name] = text.split(namePart)
    const before = counts.get(value)?.count ?? 0
    counts.set(value, { value, ...(name !== undefined && { name }), count: before + count })
  }
  const all = [...counts.values()]
  return all.toSorted((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
}

/**
 * The settings of an index. `sort` is the first of the ranking rules: where no order is asked for
 * it does nothing, and with one nothing else comes before it, so that a page can begin where the
 * last one ended. Phrases need the places of words, so that proximity stays by word.
 */
function serverSettings(kind: IndexKind): Settings {
  const shape = indexShapes[kind]
  const { texts, lists, worded, named } = shape
  const ordered = [...new Set(Object.values(shape.sorts).map(({ by }) => by))]
  return {
    searchableAttributes: Object.keys(texts),
    displayedAttributes: [...new Set(['id', ...ordered])],
    filterableAttributes: [
      filterable([...equalValues(shape, ordered), ...lists, 'id'], false),
      filterable([...worded.map(wordsAttribute), ...namedAttributes(kind, named)], false),
      filterable([...new Set([...ordered, ...shape.numbers])], true),
    ],
    sortableAttributes: ordered,
    rankingRules: [
      'sort',
      'words',
      'typo',
      'proximity',
      'attributeRank',
      'wordPosition',
      'exactness',
    ],
    typoTolerance: { disableOnAttributes: ['identifiers'], disableOnNumbers: true },
    // One more than are ranked tells that there are more.
    pagination: { maxTotalHits: rankedHitsMax + 1 },
    faceting: { maxValuesPerFacet: wholeFacetValuesMax, sortFacetValuesBy: { '*': 'count' } },
  }
}

function namedAttributes(kind: IndexKind, named: readonly string[]): string[] {
  return named.map((facet) => facetAttribute(kind, facet))
}

function equalValues({ values }: IndexShape, ordered: readonly string[]): string[] {
  return values.filter((name) => !ordered.includes(name))
}

function filterable(attributePatterns: string[], comparison: boolean) {
  return {
    attributePatterns,
    features: { facetSearch: false, filter: { equality: true, comparison } },
  }
}

/** The body of a search, but for what has to be known of its hits first. */
type ServerQuery = SearchParams & { readonly q: string }

/**
 * A document as the server keeps it: all members beside one another. Its texts are folded by us:
 * the server leaves `ß` and `ł` as they are, and how it parts Chinese depends on how it was built.
 */
function serverDocument(kind: IndexKind, document: SearchDocument): Record<string, unknown> {
  const { id, seq, texts, values, lists, numbers, named } = document
  const folded = Object.entries(texts).map(([name, text]) => {
    return [name, indexedText(text).replaceAll(nameBreak, '. ')] as const
  })
  const words = indexShapes[kind].worded.map((text) => {
    return [wordsAttribute(text), [...new Set(indexedWords(texts[text] ?? ''))]] as const
  })
  const counted = Object.entries(named).map(([facet, all]) => {
    return [facetAttribute(kind, facet), all.map(namedText)] as const
  })
  const texted = { ...Object.fromEntries(folded), ...Object.fromEntries(words) }
  return { id, seq, ...texted, ...values, ...lists, ...numbers, ...Object.fromEntries(counted) }
}

/** Which hits of a query are read: the first ones in the order `sort`, without some, by `seq`. */
type ServerPart = {
  readonly sort: string
  readonly limit: number
  readonly without: readonly number[]
}

/** A query for a part of its hits, which in an order begins after the last hit given. */
function serverQuery(kind: IndexKind, query: EngineQuery, part: ServerPart): ServerQuery {
  const { sort, limit, without } = part
  const order = indexShapes[kind].sorts[sort]
  const { clauses, filters, after, facets, isAnyWord = false } = query
  const last = after?.last
  const place = order === undefined || last === undefined ? [] : [afterPlace(order, last)]
  const others = without.length === 0 ? [] : [`seq NOT IN [${without.join(', ')}]`]
  const isFirst = after === undefined
  return {
    q: isAnyWord ? anyWordText(clauses) : allWordsText(clauses),
    filter: [...filters.flatMap(filterTexts), ...place, ...others],
    limit,
    matchingStrategy: isAnyWord ? 'frequency' : 'all',
    attributesToRetrieve: [...new Set(['id', 'seq', order?.by ?? 'seq'])],
    ...(order !== undefined && { sort: sortTexts(order) }),
    ...(isFirst && facets.length > 0 && { facets: namedAttributes(kind, facets) }),
  }
}

function allWordsText(clauses: readonly Clause[]): string {
  return clauses.map(clauseText).join(' ') + (clauses.at(-1)?.isPrefix === true ? '' : ' ')
}

// In quotes a word would have to occur. Of others the server leaves out the commonest first.
function anyWordText(clauses: readonly Clause[]): string {
  return `${clauses.flatMap(({ text }) => lookedForPieces(text).map(plainText)).join(' ')} `
}

/** The order of hits that are too many to be ranked. */
const unrankedSort = newest

function sortTexts({ by, descending }: SortOrder): string[] {
  const way = descending ? 'desc' : 'asc'
  return by === 'seq' ? [`seq:${way}`] : [`${by}:${way}`, `seq:${way}`]
}

function afterPlace({ by, descending }: SortOrder, { value, seq }: LastHit): string {
  const sign = descending ? '<' : '>'
  if (by === 'seq') return `seq ${sign} ${seq}`
  const bound = literal(value)
  return `(${by} ${sign} ${bound} OR (${by} = ${bound} AND seq ${sign} ${seq}))`
}

// Each piece is looked for by itself, but the server cannot leave out what has several of them.
function clauseText({ type, text, isExcluded }: Clause): string {
  const pieces = lookedForPieces(text).map(plainText)
  const asked = isExcluded ? [pieces.join(' ')] : pieces
  const quoted = asked.map((words) => {
    return type === 'phrase' || isSeveral(words) ? `"${words}"` : words
  })
  return (isExcluded ? '-' : '') + quoted.join(' ')
}

// The server may take a pair of characters for two words.
function isSeveral(words: string): boolean {
  return words.includes(' ') || (isUnparted(words) && charactersOf(words).length > 1)
}

// Folding may make a sign out of a wide one that says something to the server.
function plainText(piece: string): string {
  return piece.replaceAll('"', ' ').replace(/^-+/, '')
}

function filterTexts(filter: Filter): string[] {
  switch (filter.type) {
    case 'any_of':
      return [`${filter.field} IN [${filter.values.map(literal).join(', ')}]`]
    case 'range': {
      const { field, from, to } = filter
      return [
        ...(from === undefined ? [] : [`${field} >= ${from}`]),
        ...(to === undefined ? [] : [`${field} <= ${to}`]),
      ]
    }
    case 'words': {
      const attribute = wordsAttribute(filter.field)
      const words = [...new Set(lookedForWords(filter.text))]
      return words.map((word) => `${attribute} = ${literal(word)}`)
    }
  }
}

function literal(value: string | number): string {
  if (typeof value === 'number') return String(value)
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** How long a search and any other request may take, and how long a task. */
const searchMs = 3_000
const requestMs = 60_000
const taskMs = 600_000

/** Time between two looks at a task. */
const pollMs = 20

/** Least version of the server: older ones lack some of the settings. */
const versionMin = [1, 30] as const

/**
 * The address and key of a server; `prefix` begins the names of our indexes there, and `journal` is
 * what they are made of.
 */
type ServerEngineOptions = {
  readonly url: string
  readonly key?: string
  readonly prefix: string
  readonly journal: string
}

/** How far the indexes are, as a document of an index of its own. */
type State = {
  readonly id: 'state'
  readonly position: number
  readonly schema: number
  readonly journal: string
}

type Document = { readonly id: string; readonly seq: number } & Readonly<Record<string, unknown>>

/** What a search has found: hits, about how many there are in all, and the values of facets. */
type Found = {
  readonly hits: readonly Hit[]
  readonly counted: number
  readonly values: Readonly<Record<string, Readonly<Record<string, number>>>>
}

const nothingFound: Found = { hits: [], counted: 0, values: {} }

/** Bytes of documents that are sent at once, below what the server takes in one request. */
const requestBytesMax = 32 * 1024 * 1024

/**
 * What was written and is not sent yet: the server takes many documents in much less time than few
 * at a time. Of a record that was written twice only its last state is sent.
 */
class UnsentRecords {
  bytes = 0
  position = 0
  /** The document as JSON by its id, undefined where it is removed. */
  readonly #records = new Map<IndexKind, Map<string, string | undefined>>()

  add(batch: IndexBatch): void {
    const puts = documentsOf(batch)
    for (const kind of indexKinds) {
      const records = this.#records.get(kind) ?? new Map<string, string | undefined>()
      this.#records.set(kind, records)
      for (const document of puts[kind]) {
        const text = JSON.stringify(serverDocument(kind, document))
        this.bytes += Buffer.byteLength(text)
        records.set(document.id, text)
      }
      for (const id of batch.removes[kind]) records.set(id, undefined)
    }
    this.position = batch.position
  }

  take(kind: IndexKind): { readonly documents: string[]; readonly removed: string[] } {
    const records = [...(this.#records.get(kind) ?? [])]
    this.#records.delete(kind)
    this.bytes = 0
    return {
      documents: records.flatMap(([, text]) => text ?? []),
      removed: records.flatMap(([id, text]) => (text === undefined ? [id] : [])),
    }
  }
}

/**
 * Search by a Meilisearch server. Its writes are tasks that it carries out in their order: the
 * position of the journal is written once for all of a commit, when all tasks before it have
 * succeeded.
 */
export class ServerEngine implements SearchEngine {
  readonly name = 'meilisearch'
  readonly searchesMax = 16
  readonly #searching: Meilisearch
  readonly #client: Meilisearch
  readonly #prefix: string
  readonly #journal: string
  readonly #unsent: Partial<Record<IndexTarget, UnsentRecords | undefined>> = {}

  constructor({ url, key, prefix, journal }: ServerEngineOptions) {
    const config = { host: url, ...(key !== undefined && { apiKey: key }) }
    this.#searching = new Meilisearch({ ...config, timeout: searchMs })
    this.#client = new Meilisearch({ ...config, timeout: requestMs })
    this.#prefix = prefix
    this.#journal = journal
  }

  open(): Promise<number> {
    this.#unsent.current = undefined
    return guarded(async () => {
      await this.#checkVersion()
      const state = await this.#readState()
      if (state?.schema === indexSchema && state.journal === this.#journal) return state.position
      await this.#make('current')
      return 0
    })
  }

  write(batch: IndexBatch, target: IndexTarget): Promise<void> {
    const unsent = (this.#unsent[target] ??= new UnsentRecords())
    unsent.add(batch)
    if (unsent.bytes < requestBytesMax) return Promise.resolve()
    return guarded(() => this.#send(unsent, target))
  }

  commit(target: IndexTarget): Promise<void> {
    return guarded(async () => {
      const unsent = this.#unsent[target]
      if (unsent === undefined) return
      await this.#send(unsent, target)
      await this.#writeState(unsent.position, target)
      this.#unsent[target] = undefined
    })
  }

  search(kind: IndexKind, query: EngineQuery): Promise<EnginePage> {
    return guarded(() => this.#search(kind, query))
  }

  beginNext(): Promise<void> {
    return guarded(() => this.#make('next'))
  }

  swap(): Promise<void> {
    return guarded(async () => {
      const swaps: IndexSwap[] = [...indexKinds, 'state' as const].map((name) => ({
        indexes: [this.#uid(name, 'current'), this.#uid(name, 'next')],
        rename: false,
      }))
      await this.#done([await this.#client.swapIndexes(swaps)])
      await this.#drop('next')
    })
  }

  reset(): Promise<void> {
    return guarded(() => this.#make('current'))
  }

  async close(): Promise<void> {
    // The client keeps nothing open.
  }

  async #search(kind: IndexKind, query: EngineQuery): Promise<EnginePage> {
    const preferred =
      query.sort === 'relevance' && !hasWanted(query.clauses) ? unrankedSort : query.sort
    const sort = query.after?.sort ?? preferred
    if (query.isAnyWord === true) {
      const best = await this.#ask(kind, query, { sort, limit: query.limit, without: [] })
      return pageOf(kind, query, sort, { byRank: best.hits, inOrder: [] }, best)
    }
    const page = await (sort === 'relevance'
      ? this.#ranked(kind, query)
      : this.#inOrder(kind, query, sort))
    if (query.after === undefined || query.facets.length === 0) return page
    // A page after the first one finds what is left: facets are those of the whole search.
    const { after: _, ...whole } = query
    const counted = await this.#ask(kind, whole, { sort: unrankedSort, limit: 1, without: [] })
    return { ...page, ...countedFacets(kind, query, counted) }
  }

  async #inOrder(kind: IndexKind, query: EngineQuery, sort: string): Promise<EnginePage> {
    const found = await this.#ask(kind, query, { sort, limit: query.limit + 1, without: [] })
    return pageOf(kind, query, sort, { byRank: [], inOrder: found.hits }, found)
  }

  async #ranked(kind: IndexKind, query: EngineQuery): Promise<EnginePage> {
    const { after, limit } = query
    const sort = 'relevance'
    const room = rankedRoom(query)
    const best = { sort, limit: room, without: givenHits(after, []) }
    const first = room === 0 ? nothingFound : await this.#ask(kind, query, best)
    if (after === undefined && first.counted > rankedHitsMax) {
      return this.#inOrder(kind, query, unrankedSort)
    }
    const byRank = first.hits
    const left = limit + 1 - byRank.length
    if (byRank.length < room || left === 0) {
      return pageOf(kind, query, sort, { byRank, inOrder: [] }, first)
    }
    const others = { sort: unrankedSort, limit: left, without: givenHits(after, byRank) }
    const { hits: inOrder } = await this.#ask(kind, query, others)
    return pageOf(kind, query, sort, { byRank, inOrder }, first)
  }

  async #ask(kind: IndexKind, query: EngineQuery, part: ServerPart): Promise<Found> {
    const { q, ...params } = serverQuery(kind, query, part)
    const index = this.#searching.index<Document>(this.#uid(kind, 'current'))
    const { hits, estimatedTotalHits, facetDistribution } = await index.search(q, params)
    const by = indexShapes[kind].sorts[part.sort]?.by ?? 'seq'
    return {
      hits: hits.map((hit) => ({ id: hit.id, seq: hit.seq, value: hit[by] as string | number })),
      counted: estimatedTotalHits ?? 0,
      values: facetDistribution ?? {},
    }
  }

  async #checkVersion(): Promise<void> {
    const { pkgVersion } = await this.#client.getVersion()
    const [major = 0, minor = 0] = pkgVersion.split('.').map(Number)
    const [majorMin, minorMin] = versionMin
    if (major > majorMin || (major === majorMin && minor >= minorMin)) return
    throw new SearchError(
      'search_unavailable',
      `the search server is Meilisearch ${pkgVersion}; ${versionMin.join('.')} or newer is needed`,
    )
  }

  async #readState(): Promise<State | undefined> {
    try {
      return await this.#client.index<State>(this.#uid('state', 'current')).getDocument('state')
    } catch (error) {
      const { cause } = serverError(error)
      const { code } = (cause as { cause?: { code?: string } }).cause ?? {}
      if (code === 'index_not_found' || code === 'document_not_found') return undefined
      throw error
    }
  }

  async #send(unsent: UnsentRecords, target: IndexTarget): Promise<void> {
    const customMetadata = `seq:${unsent.position}`
    const put = { primaryKey: 'id', customMetadata }
    const tasks: EnqueuedTask[] = []
    for (const kind of indexKinds) {
      const index = this.#client.index(this.#uid(kind, target))
      const { documents, removed } = unsent.take(kind)
      if (documents.length > 0) {
        const text = `[${documents.join(',')}]`
        tasks.push(await index.addDocumentsFromString(text, 'application/json', put))
      }
      if (removed.length > 0) tasks.push(await index.deleteDocuments(removed, { customMetadata }))
    }
    await this.#done(tasks)
  }

  async #writeState(position: number, target: IndexTarget): Promise<void> {
    const state: State = { id: 'state', position, schema: indexSchema, journal: this.#journal }
    const index = this.#client.index(this.#uid('state', target))
    await this.#done([await index.addDocuments([state], { primaryKey: 'id' })])
  }

  /** Makes empty indexes with their settings, in place of what was there. */
  async #make(target: IndexTarget): Promise<void> {
    this.#unsent[target] = undefined
    await this.#drop(target)
    const tasks: EnqueuedTask[] = []
    for (const kind of indexKinds) {
      const uid = this.#uid(kind, target)
      tasks.push(await this.#client.createIndex(uid, { primaryKey: 'id' }))
      tasks.push(await this.#client.index(uid).updateSettings(serverSettings(kind)))
    }
    tasks.push(await this.#client.createIndex(this.#uid('state', target), { primaryKey: 'id' }))
    await this.#done(tasks)
    await this.#writeState(0, target)
  }

  async #drop(target: IndexTarget): Promise<void> {
    const tasks: EnqueuedTask[] = []
    for (const name of [...indexKinds, 'state' as const]) {
      tasks.push(await this.#client.deleteIndex(this.#uid(name, target)))
    }
    await this.#done(tasks, ['index_not_found'])
  }

  /** Waits for tasks, all of which must succeed, but for the faults that are named. */
  async #done(tasks: readonly EnqueuedTask[], forgiven: readonly string[] = []): Promise<void> {
    const options = { timeout: taskMs, interval: pollMs }
    for (const task of await this.#client.tasks.waitForTasks([...tasks], options)) {
      if (task.status === 'succeeded' || forgiven.includes(task.error?.code ?? '')) continue
      const code = task.error?.code === 'index_not_found' ? 'search_index_damaged' : 'search_failed'
      const why = task.error?.message ?? `it is ${task.status}`
      throw new SearchError(code, `the search server has failed at ${task.type}: ${why}`)
    }
  }

  #uid(name: IndexKind | 'state', target: IndexTarget): string {
    return `${this.#prefix}${name}${target === 'next' ? '_next' : ''}`
  }
}

async function guarded<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw serverError(error)
  }
}

function countedFacets(
  kind: IndexKind,
  { facets, isCountedWhole = false }: EngineQuery,
  { counted, values }: Found,
): Pick<EnginePage, 'facets' | 'facetsOf'> {
  const valuesMax = isCountedWhole ? wholeFacetValuesMax : facetValuesMax
  const all = facets.map((name) => {
    return [name, facetCounts(values[facetAttribute(kind, name)]).slice(0, valuesMax)] as const
  })
  return { facets: Object.fromEntries(all), facetsOf: facets.length > 0 ? counted : 0 }
}

function pageOf(
  kind: IndexKind,
  query: EngineQuery,
  sort: string,
  hits: PageHits,
  found: Found,
): EnginePage {
  const { limit, after } = query
  const { counted } = found
  const isExact = after?.isExact ?? counted <= rankedHitsMax
  const total = after?.total ?? Math.min(counted, rankedHitsMax)
  const place = placeAfter(hits, query)
  const isFirst = after === undefined
  const said = { meant: [], beginnings: [] }
  return {
    ids: shownHits(hits, limit).map(({ id }) => id),
    sort,
    total,
    isExact,
    ...(isFirst ? countedFacets(kind, query, found) : { facets: {}, facetsOf: 0 }),
    alsoSearchedFor: [],
    corrections: [],
    ...(place !== undefined && {
      next: { engine: 'meilisearch', sort, ...place, total, isExact, ...said },
    }),
  }
}
