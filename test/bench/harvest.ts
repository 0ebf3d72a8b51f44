import { type BenchOptions, newFolder } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { startAdapter } from '#test/bench/_adapter_server.ts'
import { startRegistry } from '#test/bench/_registry_server.ts'
import { medianOf } from '#test/bench/_rounds.ts'

const bench = 'harvest'

/** Pages that are read before any is measured, and pairs of first and last pages that are. */
const warmUps = 20
const pagePairs = 200

const goalPerSecond = 5_000
const goalRatio = 1.2

/** Harvests a large store whole, from the registry and through an adapter, page after page. */
export async function benchHarvest({ filled }: BenchOptions): Promise<Figure[]> {
  const { dataDir, works } = await filled()
  await using cleanup = new AsyncDisposableStack()
  const folder = await newFolder(cleanup)
  const registry = await startRegistry(dataDir)
  cleanup.defer(() => registry.child.stop())
  const adapter = await startAdapter(registry, folder)
  cleanup.defer(() => adapter.child.stop())
  const copied = works / (adapter.copyMs / 1_000)
  return [
    { bench, name: 'copied by the adapter', value: copied, unit: 'records/s' },
    ...(await benchRepository('adapter', `http://127.0.0.1:${adapter.port}/oai`, works)),
    ...(await benchRepository('registry', `http://127.0.0.1:${registry.port}/api/v1/oai`, works)),
  ]
}

async function benchRepository(who: string, url: string, works: number): Promise<Figure[]> {
  const startMs = performance.now()
  const { records, lastToken } = await harvestAll(url)
  const perSecond = records / ((performance.now() - startMs) / 1_000)
  if (records !== works) throw new Error(`the ${who} has ${records} of ${works} records`)
  const pairs: { readonly first: number; readonly last: number }[] = []
  for (let pair = -warmUps; pair < pagePairs; pair += 1) {
    const times = { first: 0, last: 0 }
    const order = pair % 2 === 0 ? (['first', 'last'] as const) : (['last', 'first'] as const)
    for (const which of order) {
      const beganMs = performance.now()
      await readPage(url, which === 'first' ? firstQuery : tokenQuery(lastToken))
      times[which] = performance.now() - beganMs
    }
    if (pair >= 0) pairs.push(times)
  }
  const first = medianOf(pairs, (pair) => pair.first)
  const last = medianOf(pairs, (pair) => pair.last)
  const goal = who === 'adapter' ? { goal: { atLeast: goalPerSecond } } : undefined
  const ratio = { value: last / first, unit: '', goal: { atMost: goalRatio } }
  return [
    { bench, name: `harvested, ${who}`, value: perSecond, unit: 'records/s', ...goal },
    { bench, name: `first page, ${who}`, value: first, unit: 'ms' },
    { bench, name: `last full page, ${who}`, value: last, unit: 'ms' },
    { bench, name: `ratio, ${who}`, ...ratio },
  ]
}

const firstQuery = 'verb=ListRecords&metadataPrefix=oai_dc'

function tokenQuery(token: string): string {
  return `verb=ListRecords&resumptionToken=${token}`
}

/** Reads all pages; `lastToken` is that of the last page which is as long as the first. */
async function harvestAll(url: string): Promise<{ records: number; lastToken: string }> {
  const first = await readPage(url, firstQuery)
  let { records, token } = first
  let lastToken = ''
  while (token !== undefined) {
    const page = await readPage(url, tokenQuery(token))
    if (page.records === first.records) lastToken = token
    records += page.records
    ;({ token } = page)
  }
  return { records, lastToken }
}

async function readPage(url: string, query: string) {
  // What is measured is the repository, and not how fast this process inflates.
  const headers = { 'accept-encoding': 'identity' }
  const response = await fetch(`${url}?${query}`, { headers })
  const xml = await response.text()
  if (response.status !== 200) throw new Error(`a page is answered with ${response.status}: ${xml}`)
  const records = xml.split('<record>').length - 1
  const token = /<resumptionToken[^>]*>([^<]+)</.exec(xml.slice(-2_000))?.[1]
  return { records, token }
}
