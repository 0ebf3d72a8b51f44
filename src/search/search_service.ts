import type { Environment } from '#actors/environment.ts'
import { EmbeddedEngine } from '#src/search/embedded/embedded_engine.ts'
import { type IndexedEnvironment, Indexer, type IndexerStatus } from '#src/search/indexer.ts'
import type { EnginePage, EngineQuery, IndexKind, SearchEngine } from '#src/search/search_engine.ts'
import { identifierFilters } from '#src/search/identifiers.ts'
import { newest } from '#src/search/index_shape.ts'
import { isPlaceOf } from '#src/search/place.ts'
import { parseQueryText } from '#src/search/query_text.ts'
import { SearchError } from '#src/search/search_error.ts'

/** How long a server that has failed is left alone. */
const restMs = 5_000

/** Events that the index of a server may lack more than the embedded one and still be searched. */
const behindMax = 1_000

export type SearchServiceOptions = {
  readonly environment: IndexedEnvironment & Pick<Environment, 'naan' | 'origin'>
  /** Folder of the embedded index. */
  readonly dir: string
  /** A server that searches as long as it can. */
  readonly server?: SearchEngine
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
  /** Whether the disk has more free than the reserve of the registry. */
  readonly hasRoom: () => boolean
  readonly report: (error: unknown) => void
}

/** What is looked for: `text` as it was typed, empty for all that the filters let through. */
export type SearchQuery = Omit<EngineQuery, 'clauses'> & { readonly text: string }

/** A page, and by which engine. `isFallback`: the server should have answered, and could not. */
export type FoundPage = EnginePage & {
  readonly engine: SearchEngine['name']
  readonly isFallback: boolean
}

/** How making the indexes anew is going, or how it ended. */
export type Reindex =
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

/**
 * Search in one environment: the engines, each with what keeps its index. The embedded one is
 * always there; a server comes first, if there is one that answers and knows enough.
 */
export class SearchService {
  readonly #naan: string
  readonly #events: { readonly events: number }
  readonly #embedded: SearchEngine
  readonly #server: SearchEngine | undefined
  readonly #indexers: ReadonlyMap<SearchEngine, Indexer>
  readonly #elapsedMs: () => number
  readonly #report: (error: unknown) => void
  #restsUntilMs = Number.NEGATIVE_INFINITY
  #reindex: Reindex | undefined
  #reindexing: Promise<void> | undefined
  #searches = 0
  #fallbacks = 0
  #failures = 0

  constructor(options: SearchServiceOptions) {
    const { environment, dir, server, elapsedMs, report } = options
    this.#naan = environment.naan
    this.#events = environment.records
    this.#embedded = new EmbeddedEngine({ dir, journal: environment.origin })
    this.#server = server
    this.#elapsedMs = elapsedMs
    this.#report = report
    const engines = server === undefined ? [this.#embedded] : [server, this.#embedded]
    this.#indexers = new Map(engines.map((engine) => [engine, new Indexer({ ...options, engine })]))
  }

  /** Begins to keep the indexes. */
  start(): void {
    for (const indexer of this.#indexers.values()) indexer.start()
  }

  /**
   * Resolves when every index knows of all that the journal holds now, and its files hold nothing
   * of what was erased; begins to keep them if nobody has. Without its server it waits for that.
   */
  async settled(): Promise<void> {
    this.start()
    const { events } = this.#events
    await Promise.all([...this.#indexers.values()].map((indexer) => indexer.knows(events)))
  }

  /**
   * Finds what was typed: the record that it names, if it is an identifier of one, else what has
   * its words. Errors: SearchError, if no engine can answer.
   */
  async find(kind: IndexKind, { text, ...rest }: SearchQuery): Promise<FoundPage> {
    this.#searches += 1
    try {
      const named = await this.#named(kind, text, rest)
      return named ?? (await this.#search(kind, { ...rest, clauses: parseQueryText(text) }))
    } catch (error) {
      this.#failures += 1
      throw error
    }
  }

  /** What an identifier names; undefined for a text that is none, or one of nothing. */
  async #named(
    kind: IndexKind,
    text: string,
    { after, ...rest }: Omit<EngineQuery, 'clauses'>,
  ): Promise<FoundPage | undefined> {
    for (const filter of identifierFilters(kind, text, this.#naan)) {
      const filters = [...rest.filters, filter]
      const query: EngineQuery = { ...rest, clauses: [], filters, sort: newest }
      // A place does not tell whether the pages before were of a name or of words.
      const first = await this.#search(kind, query)
      if (first.total === 0) continue
      return after === undefined ? first : this.#search(kind, { ...query, after })
    }
    return undefined
  }

  async #search(kind: IndexKind, query: EngineQuery): Promise<FoundPage> {
    if (!isPlaceOf(kind, query)) {
      throw new SearchError('search_place_lost', 'the place is not one of this search')
    }
    const server = this.#server
    if (server !== undefined && this.#isUsable(server)) {
      try {
        const page = await this.#ask(server, kind, query)
        return { ...page, engine: server.name, isFallback: false }
      } catch (error) {
        if (!(error instanceof SearchError) || error.code === 'search_place_lost') throw error
        // One query that it refuses says nothing about the others.
        if (error.code !== 'search_failed') this.#restsUntilMs = this.#elapsedMs() + restMs
      }
    }
    const isFallback = server !== undefined
    if (isFallback) this.#fallbacks += 1
    const page = await this.#ask(this.#embedded, kind, query)
    return { ...page, engine: this.#embedded.name, isFallback }
  }

  async #ask(engine: SearchEngine, kind: IndexKind, query: EngineQuery): Promise<EnginePage> {
    const { after } = query
    if (after?.sort === 'relevance' && after.engine !== engine.name) {
      throw new SearchError('search_place_lost', 'the pages before came from another engine')
    }
    try {
      return await engine.search(kind, query)
    } catch (error) {
      const isDamaged = error instanceof SearchError && error.code === 'search_index_damaged'
      if (isDamaged) this.#indexers.get(engine)?.repair().catch(this.#report)
      throw error
    }
  }

  // A server whose index cannot be written falls behind slowly where little is registered.
  #isUsable(server: SearchEngine): boolean {
    if (this.#elapsedMs() < this.#restsUntilMs) return false
    const theirs = this.#indexers.get(server)?.status()
    const lacked =
      (theirs?.behind ?? 0) - (this.#indexers.get(this.#embedded)?.status().behind ?? 0)
    return lacked <= (theirs?.problem === undefined ? behindMax : 0)
  }

  status(): SearchStatus {
    return {
      indexes: [...this.#indexers.values()].map((indexer) => indexer.status()),
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
    for (const indexer of this.#indexers.values()) await indexer.rebuild()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#indexers.values()].map((indexer) => indexer.close()))
    await this.#reindexing
    await Promise.all([...this.#indexers.keys()].map((engine) => engine.close()))
  }
}
