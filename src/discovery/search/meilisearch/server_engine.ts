import { type EnqueuedTask, type IndexSwap, Meilisearch } from 'meilisearch'

import { documentsOf } from '#src/discovery/search/documents.ts'
import {
  givenHits,
  type Hit,
  type PageHits,
  placeAfter,
  rankedRoom,
  shownHits,
} from '#src/discovery/search/hit_pages.ts'
import { indexSchema, indexShapes } from '#src/discovery/search/index_shape.ts'
import { hasWanted } from '#src/discovery/search/query_text.ts'
import { serverError } from '#src/discovery/search/meilisearch/server_error.ts'
import {
  serverDocument,
  type ServerPart,
  serverQuery,
  unrankedSort,
} from '#src/discovery/search/meilisearch/server_query.ts'
import { serverSettings } from '#src/discovery/search/meilisearch/server_settings.ts'
import {
  type EnginePage,
  type EngineQuery,
  type IndexBatch,
  type IndexKind,
  indexKinds,
  type IndexTarget,
  rankedHitsMax,
  type SearchEngine,
} from '#src/discovery/search/search_engine.ts'
import { SearchError } from '#src/discovery/search/search_error.ts'

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
export type ServerEngineOptions = {
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

/**
 * Search by a Meilisearch server. Its writes are tasks that it carries out in their order: the
 * position of the journal is written when all tasks before it have succeeded.
 */
export class ServerEngine implements SearchEngine {
  readonly name = 'meilisearch'
  readonly searchesMax = 16
  readonly #searching: Meilisearch
  readonly #client: Meilisearch
  readonly #prefix: string
  readonly #journal: string

  constructor({ url, key, prefix, journal }: ServerEngineOptions) {
    const config = { host: url, ...(key !== undefined && { apiKey: key }) }
    this.#searching = new Meilisearch({ ...config, timeout: searchMs })
    this.#client = new Meilisearch({ ...config, timeout: requestMs })
    this.#prefix = prefix
    this.#journal = journal
  }

  open(): Promise<number> {
    return guarded(async () => {
      await this.#checkVersion()
      const state = await this.#readState()
      if (state?.schema === indexSchema && state.journal === this.#journal) return state.position
      await this.#make('current')
      return 0
    })
  }

  write(batch: IndexBatch, target: IndexTarget): Promise<void> {
    const { removes, position } = batch
    return guarded(async () => {
      const puts = documentsOf(batch)
      const customMetadata = `seq:${position}`
      const tasks: EnqueuedTask[] = []
      for (const kind of indexKinds) {
        const index = this.#client.index(this.#uid(kind, target))
        const documents = puts[kind].map((document) => serverDocument(kind, document))
        if (documents.length > 0) {
          tasks.push(await index.addDocuments(documents, { primaryKey: 'id', customMetadata }))
        }
        const ids = [...removes[kind]]
        if (ids.length > 0) tasks.push(await index.deleteDocuments(ids, { customMetadata }))
      }
      await this.#done(tasks)
      await this.#writeState(position, target)
    })
  }

  async commit(): Promise<void> {
    // What was written is done already.
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
    return sort === 'relevance' ? this.#ranked(kind, query) : this.#inOrder(kind, query, sort)
  }

  async #inOrder(kind: IndexKind, query: EngineQuery, sort: string): Promise<EnginePage> {
    const found = await this.#ask(kind, query, { sort, limit: query.limit + 1, without: [] })
    return pageOf(query, sort, { byRank: [], inOrder: found.hits }, found)
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
      return pageOf(query, sort, { byRank, inOrder: [] }, first)
    }
    const others = { sort: unrankedSort, limit: left, without: givenHits(after, byRank) }
    const { hits: inOrder } = await this.#ask(kind, query, others)
    return pageOf(query, sort, { byRank, inOrder }, first)
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

  async #writeState(position: number, target: IndexTarget): Promise<void> {
    const state: State = { id: 'state', position, schema: indexSchema, journal: this.#journal }
    const index = this.#client.index(this.#uid('state', target))
    await this.#done([await index.addDocuments([state], { primaryKey: 'id' })])
  }

  /** Makes empty indexes with their settings, in place of what was there. */
  async #make(target: IndexTarget): Promise<void> {
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

function pageOf(
  query: EngineQuery,
  sort: string,
  hits: PageHits,
  { counted, values }: Found,
): EnginePage {
  const { limit, after, facets } = query
  const isExact = after?.isExact ?? counted <= rankedHitsMax
  const total = after?.total ?? Math.min(counted, rankedHitsMax)
  const place = placeAfter(hits, query)
  const countsOf = (name: string) => {
    return Object.entries(values[name] ?? {}).map(([value, count]) => ({ value, count }))
  }
  const isFirst = after === undefined
  const said = { meant: [], beginnings: [] }
  return {
    ids: shownHits(hits, limit).map(({ id }) => id),
    sort,
    total,
    isExact,
    facets: isFirst ? Object.fromEntries(facets.map((name) => [name, countsOf(name)])) : {},
    facetsOf: isFirst && facets.length > 0 ? counted : 0,
    alsoSearchedFor: [],
    corrections: [],
    ...(place !== undefined && {
      next: { engine: 'meilisearch', sort, ...place, total, isExact, ...said },
    }),
  }
}
