import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import {
  type AskedPages,
  askedPages,
  followPages,
  readQueries,
  searchesOf,
  tablePath,
} from '#test/bench/_asked_pages.ts'
import { startBare } from '#test/bench/_bare.ts'
import { type BenchOptions, newFolder } from '#test/bench/_bench.ts'
import { readCpuMs } from '#test/bench/_cpu_time.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { PageReader } from '#test/bench/_page_reader.ts'
import { foundPress, press, type Reader, writeWorks } from '#test/bench/_page_store.ts'
import { runImport, serveRegistry, untilIndexed } from '#test/bench/_registry_server.ts'

const bench = 'pages'
const goalMs = 20
const goalBytes = 60_000

/** Pages of one kind that are asked for in a round. */
const perRound = { quick: 5, full: 60 }

/** Searches of a quick run. */
const searchesQuick = 15

/** Works whose pages are read, and pages of one kind whose bytes are counted. */
const worksRead = 300
const pagesWeighed = { quick: 2, full: 20 }

/** How long a registry is left alone after its start: it prepares searches meanwhile. */
const preparedAfterMs = 30_000

/** A search that others on the machine make late is measured all the same. */
const settings = { SEARCH: 'on', SEARCH_QUERY_MS: '60000' }

/** The most visited pages of a large registry, asked for by one reader after another. */
export async function benchPages(options: BenchOptions): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await newFolder(cleanup)
  const dataDir = path.join(folder, 'data')
  const signedIn = await fillRegistry(dataDir, path.join(folder, 'works.jsonl'), options)
  return await measurePages(dataDir, signedIn, options)
}

async function fillRegistry(
  dataDir: string,
  file: string,
  { importFile, indexedWorks: count }: BenchOptions,
): Promise<Reader> {
  await writeWorks(file, { file: importFile, count })
  const { child, port } = await serveRegistry(dataDir, settings)
  try {
    const signedIn = await foundPress(dataDir, port)
    await runImport(dataDir, file, `org:${press}`)
    await untilIndexed(dataDir)
    return signedIn
  } finally {
    await child.stop()
  }
}

/** The same of a registry that is filled already, of which somebody is an owner. */
async function measurePages(
  dataDir: string,
  signedIn: Reader,
  options: Pick<BenchOptions, 'importFile' | 'rounds'>,
): Promise<Figure[]> {
  const judged = await readQueries(options.importFile === undefined)
  const queries = options.rounds === 1 ? judged.slice(0, searchesQuick) : judged
  const begun = await searchAfterStart(dataDir, queries)
  await using cleanup = new AsyncDisposableStack()
  const registry = await serveRegistry(dataDir, settings)
  cleanup.defer(() => registry.child.stop())
  const reader = new PageReader(registry.port, signedIn.cookie)
  cleanup.defer(() => reader.close())
  const server: Asked = { pid: registry.child.pid, reader }
  await sleep(options.rounds === 1 ? 0 : preparedAfterMs)
  const prepared: Cost[] = []
  for (const search of searchesOf(queries)) prepared.push(await ask(server, search))
  const newest = await followPages(reader, tablePath)
  const byTitle = await followPages(reader, `${tablePath}?sort=title`)
  const pages = askedPages({
    queries,
    arks: drawn(newest.arks, worksRead),
    reader: signedIn,
    tables: { newest: newest.paths, title: byTitle.paths },
  })
  const bare = await startBare('get', JSON.stringify({ text: 'A page. '.repeat(2_500) }))
  cleanup.defer(() => bare.child.stop())
  const bareReader = new PageReader(bare.port, '')
  cleanup.defer(() => bareReader.close())
  const bareServer: Asked = { pid: bare.child.pid, reader: bareReader }
  const costs = await measureInTurns(server, bareServer, pages, options.rounds)
  return [
    ...timeFigures('search right after a start', begun, undefined),
    ...timeFigures('search half a minute after it', prepared, goalMs),
    ...costs.flatMap(([kind, some]) =>
      timeFigures(kind.name, some, kind.isGoal ? goalMs : undefined),
    ),
    ...(await byteFigures(reader, pages, options.rounds)),
    await fileFigure(reader, options.rounds),
    { bench, name: 'load average at the end', value: os.loadavg()[0] ?? 0, unit: '' },
  ]
}

/** Each search once, in a registry that has just begun. */
async function searchAfterStart(dataDir: string, queries: readonly string[]): Promise<Cost[]> {
  await using cleanup = new AsyncDisposableStack()
  const { child, port } = await serveRegistry(dataDir, settings)
  cleanup.defer(() => child.stop())
  const reader = new PageReader(port, '')
  cleanup.defer(() => reader.close())
  const costs: Cost[] = []
  for (const search of searchesOf(queries))
    costs.push(await ask({ pid: child.pid, reader }, search))
  return costs
}

/** A server, and who asks it. */
type Asked = { readonly pid: number; readonly reader: PageReader }

/** What a page took: time until its last byte, and CPU of the server, in milliseconds. */
type Cost = { readonly ms: number; readonly cpuMs: number }

async function ask({ pid, reader }: Asked, address: string): Promise<Cost> {
  const beforeMs = readCpuMs(pid)
  const { ms } = await reader.ask(address)
  return { ms, cpuMs: readCpuMs(pid) - beforeMs }
}

type Kind = Pick<AskedPages, 'name' | 'paths'> & { readonly isGoal: boolean }

// Each kind takes its turn in every round, so that whatever else the machine does falls on all.
async function measureInTurns(
  server: Asked,
  bareServer: Asked,
  pages: readonly AskedPages[],
  rounds: number,
): Promise<readonly (readonly [Kind, readonly Cost[]])[]> {
  const bare: Kind = { name: 'bare route', paths: ['/'], isGoal: false }
  const kinds = [bare, ...pages.map((kind) => ({ ...kind, isGoal: true }))]
  const costs = new Map<Kind, Cost[]>(kinds.map((kind) => [kind, []]))
  const count = rounds === 1 ? perRound.quick : perRound.full
  for (let nth = 0; nth < count; nth += 1) {
    await bareServer.reader.ask('/')
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [kind, some] of costs) {
      const asked = kind === bare ? bareServer : server
      for (let nth = round * count; nth < (round + 1) * count; nth += 1) {
        some.push(await ask(asked, kind.paths[nth % kind.paths.length] ?? '/'))
      }
    }
  }
  return [...costs]
}

function timeFigures(name: string, costs: readonly Cost[], atMost: number | undefined): Figure[] {
  const at = (share: number, measure: (cost: Cost) => number) => {
    const sorted = costs.map(measure).toSorted((left, right) => left - right)
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  }
  const time = ({ ms }: Cost) => ms
  const cpu = ({ cpuMs }: Cost) => cpuMs
  const figure = (what: string, value: number): Figure => {
    return { bench, name: `${name}, ${what}`, value, unit: 'ms' }
  }
  const p95 = figure('p95', at(0.95, time))
  return [
    figure('p50', at(0.5, time)),
    atMost === undefined ? p95 : { ...p95, goal: { atMost } },
    figure('longest', at(1, time)),
    figure('CPU p50', at(0.5, cpu)),
    figure('CPU p95', at(0.95, cpu)),
  ]
}

/** The heaviest page of each kind, with its stylesheets, as they are sent. */
async function byteFigures(
  reader: PageReader,
  pages: readonly AskedPages[],
  rounds: number,
): Promise<Figure[]> {
  const count = rounds === 1 ? pagesWeighed.quick : pagesWeighed.full
  const figures: Figure[] = []
  for (const { name, paths } of pages.filter(({ isShown }) => isShown)) {
    let heaviest = 0
    for (const address of paths.slice(0, count)) {
      const { body, sentBytes } = await reader.ask(address)
      let bytes = sentBytes
      for (const [, sheet = ''] of body.matchAll(/<link rel="stylesheet" href="([^"]*)"/g)) {
        bytes += (await reader.ask(sheet)).sentBytes
      }
      heaviest = Math.max(heaviest, bytes)
    }
    const goal = { atMost: goalBytes }
    figures.push({ bench, name: `${name}, HTML and CSS`, value: heaviest, unit: 'bytes', goal })
  }
  return figures
}

/** How long it takes until a file of all works begins; nobody reads it to its end. */
async function fileFigure(reader: PageReader, rounds: number): Promise<Figure> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    times.push(await reader.begin(`${tablePath}/export/csv`))
  }
  return { bench, name: 'CSV of all works begins after', value: Math.max(...times), unit: 'ms' }
}

/** So many of a list, evenly. */
function drawn<T>(all: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, all.length / count)
  const places = Array.from({ length: Math.min(count, all.length) }, (_, n) => Math.floor(n * step))
  return places.flatMap((place) => all[place] ?? [])
}
