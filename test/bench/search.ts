import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import { parseQueryText } from '#src/discovery/search/query_text.ts'
import type { EngineQuery, SearchEngine } from '#src/discovery/search/search_engine.ts'
import type { BenchOptions } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { openFilledStore } from '#test/bench/_filled_store.ts'
import { indexWorks } from '#test/bench/_indexed_works.ts'
import { createKey, startRegistry, untilIndexed } from '#test/bench/_registry_server.ts'
import { expectAnswers, medianOf } from '#test/bench/_rounds.ts'
import { titleOf, wordOf } from '#test/bench/_search_corpus.ts'
import { seededRandom } from '#test/bench/_works.ts'
import { runLoad } from '#test/bench/_wrk.ts'

const bench = 'search'
const warmUps = 30
const commonWords = 40

/** Connections that resolve, and that search meanwhile. */
const resolvers = 8
const searchers = 2

/** Works of the registry that is searched while others resolve. */
const servedWorks = { quick: 1_000, full: 20_000 }

type QueryClass = {
  readonly name: string
  readonly goalMs?: number
  /** The n-th query. */
  query(n: number): Partial<EngineQuery> & { readonly text: string }
}

/** Searches an index that nobody else uses, and what searching does to those who resolve. */
export async function benchSearch(options: BenchOptions): Promise<Figure[]> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'arklog-bench-'))
  try {
    const { engine } = await indexWorks(path.join(dir, 'index'), options.indexedWorks)
    const figures: Figure[] = []
    const searches = options.rounds * 60
    for (const one of queryClasses(options.indexedWorks)) {
      figures.push(...(await measureClass(engine, one, searches)))
    }
    await engine.close()
    return [...figures, ...(await benchBeside(options, path.join(dir, 'registry')))]
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

function queryClasses(works: number): readonly QueryClass[] {
  const random = seededRandom(42)
  const drawn = () => wordOf(Math.floor(100 * 200 ** random()))
  const common = (n: number) => wordOf(n % commonWords)
  const pair = () => {
    const [one = '', other = ''] = titleOf(Math.floor(random() * works))
    return `${one} ${other} `
  }
  const facets = ['type', 'language', 'year']
  return [
    { name: 'one word', goalMs: 10, query: () => ({ text: `${drawn()} ` }) },
    { name: 'two words', goalMs: 10, query: () => ({ text: pair() }) },
    { name: 'beginning of a word', query: () => ({ text: drawn().slice(0, 5) }) },
    { name: 'a wrong letter', query: () => ({ text: `${misspelled(drawn())} ` }) },
    { name: 'commonest words', goalMs: 100, query: (n) => ({ text: `${common(n)} ` }) },
    { name: 'one word, 3 facets', query: () => ({ text: `${drawn()} `, facets }) },
    {
      name: 'commonest words, 3 facets',
      goalMs: 100,
      query: (n) => ({ text: `${common(n)} `, facets }),
    },
    {
      name: 'commonest words, by title',
      query: (n) => ({ text: `${common(n)} `, sort: 'title' }),
    },
  ]
}

function misspelled(word: string): string {
  return `${word.slice(0, 3)}y${word.slice(4)}`
}

async function measureClass(
  engine: SearchEngine,
  { name, goalMs, query }: QueryClass,
  searches: number,
): Promise<Figure[]> {
  const times: number[] = []
  for (let n = -warmUps; n < searches; n += 1) {
    const { text, ...more } = query(n + warmUps)
    const clauses = parseQueryText(text)
    const startMs = performance.now()
    const whole = { clauses, filters: [], sort: 'relevance', limit: 20, facets: [], ...more }
    await engine.search('works', whole)
    if (n >= 0) times.push(performance.now() - startMs)
  }
  times.sort((left, right) => left - right)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return [
    { bench, name: `${name}, p50`, value: at(0.5), unit: 'ms' },
    {
      bench,
      name: `${name}, p95`,
      value: at(0.95),
      unit: 'ms',
      ...(goalMs !== undefined && { goal: { atMost: goalMs } }),
    },
  ]
}

async function benchBeside(
  { rounds, roundMs, indexedWorks }: BenchOptions,
  folder: string,
): Promise<Figure[]> {
  const count = indexedWorks < servedWorks.full ? servedWorks.quick : servedWorks.full
  const { dataDir, works, pathsFile } = await openFilledStore(folder, count)
  await using cleanup = new AsyncDisposableStack()
  const registry = await startRegistry(dataDir, { SEARCH: 'on' })
  cleanup.defer(() => registry.child.stop())
  await untilIndexed(dataDir)
  const searchesFile = path.join(folder, 'searches.txt')
  await writeFile(searchesFile, searchPaths().join('\n'))
  const key = await createKey(dataDir, ['search:read'])
  const plan = { type: 'get', port: registry.port, durationMs: roundMs } as const
  const resolve = { ...plan, connections: resolvers, headers: {}, pathsFile, pathsMax: works }
  const search = { ...plan, connections: searchers, headers: key, pathsFile: searchesFile }
  const idle: Resolved[] = []
  const busy: Resolved[] = []
  for (let round = 0; round < rounds; round += 1) {
    idle.push(await runLoad({ ...resolve, seed: round }))
    const searched = runLoad({ ...search, pathsMax: searchPaths().length, seed: round })
    busy.push(await runLoad({ ...resolve, seed: round + 1_000 }))
    expectAnswers(await searched)
  }
  return besideFigures(idle, busy)
}

type Resolved = { readonly p99Ms: number; readonly maxMs: number }

function besideFigures(idle: readonly Resolved[], busy: readonly Resolved[]): Figure[] {
  const p99 = (rounds: readonly Resolved[]) => medianOf(rounds, (round) => round.p99Ms)
  const ratio = p99(busy) / p99(idle)
  const longest = (rounds: readonly Resolved[]) => medianOf(rounds, (round) => round.maxMs)
  return [
    { bench, name: 'resolve p99, idle', value: p99(idle), unit: 'ms' },
    { bench, name: 'resolve p99 while searching', value: p99(busy), unit: 'ms' },
    { bench, name: 'ratio', value: ratio, unit: '', goal: { atMost: 2 } },
    { bench, name: 'longest resolve, idle', value: longest(idle), unit: 'ms' },
    {
      bench,
      name: 'longest resolve while searching',
      value: longest(busy),
      unit: 'ms',
      goal: { atMost: 50 },
    },
  ]
}

function searchPaths(): string[] {
  const words = 'river protein structure language model evidence medieval trade quantum'.split(' ')
  return words.flatMap((word, index) => [
    `/v1/search/works?q=${word}`,
    `/v1/search/works?q=${word}+${words[(index + 1) % words.length]}&facets=type,language`,
  ])
}
