import { FairQueue } from '#actors/kernel/fair_queue.ts'
import type { Environment } from '#actors/registry/environment.ts'
import { parseArkReference } from '#actors/values/ark.ts'
import { foldDoi, foldOrcid, foldRor, isPpid } from '#actors/values/identifier.ts'
import { documentId, type IndexedEnvironment } from '#src/discovery/search/documents.ts'
import { EmbeddedEngine } from '#src/discovery/search/embedded/embedded_engine.ts'
import { fieldNames, indexShapes, newest } from '#src/discovery/search/index_shape.ts'
import { Indexer, type IndexerStatus } from '#src/discovery/search/indexer.ts'
import { type Clause, hasWanted, parseQueryText } from '#src/discovery/search/query_text.ts'
import {
  type EnginePage,
  type EngineQuery,
  type Filter,
  type IndexKind,
  type LastHit,
  rankedGivenMax,
  type SearchEngine,
  SearchError,
} from '#src/discovery/search/search_engine.ts'

/**
 * Whether the place at which a query goes on is one that its pages can end at. Places come back
 * from clients, who may have made them up: an engine is asked for none that it does not have.
 */
function isPlaceOf(kind: IndexKind, { after, clauses, sort }: EngineQuery): boolean {
  if (after === undefined) return true
  const { ranked, last } = after
  if (after.sort === 'relevance') {
    const isRanked = sort === 'relevance' && hasWanted(clauses)
    return isRanked && areGiven(ranked) && (last === undefined || isIn('number', last))
  }
  const { sorts } = indexShapes[kind]
  const order = Object.hasOwn(sorts, after.sort) ? sorts[after.sort] : undefined
  if (order === undefined || after.sort !== (sort === 'relevance' ? newest : sort)) return false
  return ranked.length === 0 && last !== undefined && isIn(order.type, last)
}

function areGiven(ranked: readonly number[]): boolean {
  if (ranked.length === 0 || ranked.length > rankedGivenMax) return false
  return ranked.every((seq, index) => index === 0 || seq > (ranked[index - 1] ?? seq))
}

function isIn(type: 'number' | 'text', { value }: LastHit): boolean {
  return type === 'text' ? typeof value === 'string' : Number.isSafeInteger(value)
}

/** How long a server that has failed is left alone. */
const waitMs = 5_000

/** How long after a start searches are prepared: who only starts a registry pays nothing. */
const preparedAfterMs = 5_000

/** Events that the index of a server may lack more than the embedded one and still be searched. */
const behindMax = 1_000

type SearchServiceOptions = {
  readonly environment: IndexedEnvironment & Pick<Environment, 'naan' | 'origin'>
  /** Folder of the embedded index. */
  readonly dir: string
  /** Searches of the embedded index at a time, and how many milliseconds one may take. */
  readonly readers?: number
  readonly queryMsMax: number
  /** A server that searches as long as it can. */
  readonly server?: SearchEngine
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
  /** Whether the disk has more free than the reserve of the registry. */
  readonly hasRoom: () => boolean
  readonly report: (error: unknown) => void
}

/**
 * Who searches, as any text that tells callers apart: they take turns. A search that waits for its
 * turn is given up when `signal` is aborted.
 */
export type Searcher = { readonly caller: string; readonly signal?: AbortSignal }

/** What is looked for: `text` as it was typed, empty for all that the filters let through. */
export type SearchQuery = Omit<EngineQuery, 'clauses'> & { readonly text: string }

/** What an engine is asked, and for whom. */
type Asked = {
  readonly kind: IndexKind
  readonly query: EngineQuery
  readonly searcher: Searcher
}

/** A page, and by which engine. `isFallback`: the server should have answered, and could not. */
export type FoundPage = EnginePage & {
  readonly engine: SearchEngine['name']
  readonly isFallback: boolean
}

/** Searches that may wait for their turn, in all and of one caller. */
const waitingMax = 1_000
const waitingPerCallerMax = 32

// One caller has a quarter of an engine at most, so that others find one free.
function queueOf({ searchesMax }: SearchEngine): FairQueue {
  return new FairQueue({
    runningMax: searchesMax,
    runningPerCallerMax: Math.ceil(searchesMax / 4),
    waitingMax,
    waitingPerCallerMax,
  })
}

/** How making the indexes anew is going, or how it ended. */
type Reindex =
  | { readonly type: 'running' | 'done' }
  | { readonly type: 'failed'; readonly message: string }

/** How search is doing. Indexes: the one that is searched first, then the one to fall back to. */
export type SearchStatus = {
  readonly indexes: readonly IndexerStatus[]
  /** The last time that the indexes were made anew since the start; absent if they never were. */
  readonly reindex?: Reindex
  readonly searches: number
  readonly fallbacks: number
  readonly failures: number
}

/** An engine with what keeps its index, and the queue of those who search it. */
type Kept = {
  readonly engine: SearchEngine
  readonly indexer: Indexer
  readonly queue: FairQueue
}

/** Search in one environment, as routes and pages use it. */
export type RecordSearch = Pick<SearchService, 'find'>

/**
 * Search in one environment: the engines, each with what keeps its index. The embedded one is
 * always there; a server comes first, if there is one that answers and knows enough.
 */
export class SearchService {
  readonly #naan: string
  readonly #events: { readonly events: number }
  readonly #embedded: Kept & { readonly engine: EmbeddedEngine }
  readonly #server: Kept | undefined
  readonly #elapsedMs: () => number
  readonly #report: (error: unknown) => void
  #restsUntilMs = Number.NEGATIVE_INFINITY
  #reindex: Reindex | undefined
  #reindexing: Promise<void> | undefined
  #preparing: NodeJS.Timeout | undefined
  #searches = 0
  #fallbacks = 0
  #failures = 0

  constructor(options: SearchServiceOptions) {
    const { environment, server, elapsedMs, report } = options
    this.#naan = environment.naan
    this.#events = environment.records
    const keep = <E extends SearchEngine>(engine: E) => {
      const indexer = new Indexer({ ...options, engine })
      return { engine, indexer, queue: queueOf(engine) }
    }
    this.#embedded = keep(new EmbeddedEngine({ ...options, journal: environment.origin }))
    this.#server = server && keep(server)
    this.#elapsedMs = elapsedMs
    this.#report = report
  }

  /** The engine that is searched first, then the one to fall back to. */
  get #kept(): readonly Kept[] {
    return this.#server === undefined ? [this.#embedded] : [this.#server, this.#embedded]
  }

  /** Begins to keep the indexes. */
  start(): void {
    for (const { indexer } of this.#kept) indexer.start()
  }

  /** Makes the first searches of works as fast as later ones, some time after a start. */
  prepareSoon(): void {
    this.#preparing = setTimeout(() => {
      this.#embedded.engine.prepare('works').catch(this.#report)
    }, preparedAfterMs).unref()
  }

  /**
   * Resolves when every index knows of all that the journal holds now, and its files hold nothing
   * of what was erased; begins to keep them if nobody has. Without its server it waits for that.
   */
  async settled(): Promise<void> {
    this.start()
    const { events } = this.#events
    await Promise.all(this.#kept.map(({ indexer }) => indexer.knows(events)))
  }

  /**
   * Finds what was typed: the record that it names, if it is an identifier of one, else what has
   * its words. Errors: SearchError, if no engine can answer; QueueError, if too many wait.
   */
  async find(
    kind: IndexKind,
    { text, ...rest }: SearchQuery,
    searcher: Searcher,
  ): Promise<FoundPage> {
    this.#searches += 1
    try {
      const asked: Asked = { kind, query: { ...rest, clauses: [] }, searcher }
      const named = rest.isAnyWord === true ? undefined : await this.#named(text, asked)
      if (named !== undefined) return named
      const clauses = parseQueryText(text, fieldNames[kind])
      return await this.#search({ ...asked, query: { ...rest, clauses } })
    } catch (error) {
      this.#failures += 1
      throw error
    }
  }

  /** What an identifier names; undefined if the text is not one, or names nothing. */
  async #named(text: string, asked: Asked): Promise<FoundPage | undefined> {
    const { after, filters } = asked.query
    for (const filter of identifierFilters(asked.kind, text, this.#naan)) {
      const { field: named } = filter
      // What is registered meanwhile makes no name of what was words on the page before.
      if (after !== undefined && after.named !== named) continue
      const query = { ...asked.query, filters: [...filters, filter], sort: newest }
      const { next, ...page } = await this.#search({ ...asked, query })
      if (page.total > 0) return { ...page, ...(next && { next: { ...next, named } }) }
    }
    return undefined
  }

  async #search(asked: Asked): Promise<FoundPage> {
    if (!isPlaceOf(asked.kind, asked.query)) {
      throw new SearchError('search_place_lost', 'the place is not one of this search')
    }
    const server = isBeyondServer(asked.query.clauses) ? undefined : this.#server
    const begun = begunBy(asked.query)
    const isOfServer = begun === 'meilisearch'
    if (isOfServer && server === undefined) {
      throw new SearchError('search_place_lost', 'the pages before came from another engine')
    }
    if (server !== undefined && begun !== 'embedded' && this.#isUsable(server)) {
      try {
        const page = await this.#ask(server, asked)
        return { ...page, engine: server.engine.name, isFallback: false }
      } catch (error) {
        if (!(error instanceof SearchError)) throw error
        // One query that it refuses says nothing about the others.
        if (error.code !== 'search_failed') this.#restsUntilMs = this.#elapsedMs() + waitMs
        if (isOfServer) throw error
      }
    } else if (isOfServer) {
      const message = 'the pages before came from a server that cannot be asked now'
      throw new SearchError('search_unavailable', message)
    }
    const isFallback = server !== undefined
    if (isFallback) this.#fallbacks += 1
    const page = await this.#ask(this.#embedded, asked)
    return { ...page, engine: this.#embedded.engine.name, isFallback }
  }

  async #ask(
    { engine, indexer, queue }: Kept,
    { kind, query, searcher }: Asked,
  ): Promise<EnginePage> {
    try {
      const { caller, signal } = searcher
      return await queue.run(caller, () => engine.search(kind, query), signal)
    } catch (error) {
      const isDamaged = error instanceof SearchError && error.code === 'search_index_damaged'
      if (isDamaged) indexer.repair().catch(this.#report)
      throw error
    }
  }

  // A server whose index cannot be written falls behind slowly where little is registered.
  #isUsable({ indexer }: Kept): boolean {
    if (this.#elapsedMs() < this.#restsUntilMs) return false
    const { behind, problem } = indexer.status()
    const lacked = behind - this.#embedded.indexer.status().behind
    return lacked <= (problem === undefined ? behindMax : 0)
  }

  status(): SearchStatus {
    return {
      indexes: this.#kept.map(({ indexer }) => indexer.status()),
      ...(this.#reindex !== undefined && { reindex: this.#reindex }),
      searches: this.#searches,
      fallbacks: this.#fallbacks,
      failures: this.#failures,
    }
  }

  /** Begins to make all indexes anew, one after another. False if that is under way. */
  beginReindex(): boolean {
    if (this.#reindex?.type === 'running') return false
    this.#reindex = { type: 'running' }
    this.#reindexing = this.#rebuildAll().then(
      () => void (this.#reindex = { type: 'done' }),
      (error: unknown) => void (this.#reindex = { type: 'failed', message: String(error) }),
    )
    return true
  }

  async #rebuildAll(): Promise<void> {
    for (const { indexer } of this.#kept) await indexer.rebuild()
  }

  async close(): Promise<void> {
    clearTimeout(this.#preparing)
    await Promise.all(this.#kept.map(({ indexer }) => indexer.close()))
    await this.#reindexing
    await Promise.all(this.#kept.map(({ engine }) => engine.close()))
  }
}

/**
 * Whether the embedded engine answers, whatever the server: that has no word for what may stand in
 * the place of another, and corrects no words of a field.
 */
export function isBeyondServer(clauses: readonly Clause[]): boolean {
  return clauses.some(({ or, field }) => or !== undefined || field !== undefined)
}

/**
 * The engine that has given the pages before, where another one would find other words alike: then
 * nobody else can go on. Undefined where any engine can.
 */
function begunBy({ after, clauses }: EngineQuery): SearchEngine['name'] | undefined {
  return clauses.length === 0 ? undefined : after?.engine
}

/**
 * What a typed text names, if all of it is an identifier: an ARK in any spelling, a DOI, an ORCID
 * iD, a ppid, a ROR id. Whether there is such a record is not said. `naan` is that of a bare name.
 */
export function identifierFilters(kind: IndexKind, typed: string, naan: string): Filter[] {
  const text = typed.trim().replace(/^(doi|orcid|ror):?\s+(?=\S+$)/i, '')
  // Identifiers have no spaces, and all of them have digits.
  if (/\s/.test(text) || !/\d/.test(text)) return []
  const named = [['orcid', foldOrcid(text)] as const, ...ownNames(kind, text, naan)]
  return named.flatMap(([field, value]) =>
    value === undefined || (field === 'orcid' && kind === 'organizations')
      ? []
      : [{ type: 'any_of', field, values: [value] }],
  )
}

type Named = readonly [field: string, value: string | undefined]

function ownNames(kind: IndexKind, text: string, naan: string): readonly Named[] {
  switch (kind) {
    case 'works':
      return [
        ['doi', foldDoi(text)],
        ['ppid', isPpid(text) ? text : undefined],
        ['id', workId(text, naan)],
      ]
    case 'people':
      return [['id', isPpid(text) ? text : undefined]]
    case 'organizations':
      return [['ror', foldRor(text)]]
  }
}

function workId(text: string, naan: string): string | undefined {
  const parsed = parseArkReference(text, naan)
  return 'ark' in parsed ? documentId({ type: 'work', id: parsed.ark }) : undefined
}
