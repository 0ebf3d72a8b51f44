import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { freePort } from '#test/_free_port.ts'
import { until } from '#test/_until.ts'
import { type Harvested, harvest } from '#test/scenario/_harvester.ts'
import {
  call,
  firstKey,
  newDataDir,
  newWork,
  type Running,
  type Server,
  type Settings,
  startArklog,
  startServer,
} from '#test/scenario/_process.ts'

type Work = { readonly ark_identifier: string }
type Adapter = Running & { readonly oaiUrl: string }

const pageRecords = 7
const endlessWaits = new URL('./_endless_waits.ts', import.meta.url).href

async function startAdapter(t: ExecutionContext, settings: Settings): Promise<Adapter> {
  const running = await startArklog(t, ['oai', '--json'], settings)
  const { local_url: url } = JSON.parse(running.line) as { local_url: string }
  return { ...running, oaiUrl: `${url}/oai` }
}

async function adapterSettings(registry: Server, key: string, dataDir: string): Promise<Settings> {
  return {
    PORT: String(await freePort()),
    SVC_URL: registry.started.local_url,
    SVC_API_KEY: key,
    REPOSITORY_NAME: 'Test',
    ADMIN_EMAIL: 'oai@example.org',
    BASE_URL: 'https://oai.example.org',
    DATA_DIR: dataDir,
    MAX_RECORDS_PER_REQUEST: String(pageRecords),
    RATE_LIMITS: 'off',
  }
}

async function registerMany(registry: Server, key: string, titles: readonly string[]) {
  const body = { works: titles.map(newWork) }
  const { status } = await call(registry, '/v1/works/bulk', { key, body })
  if (status !== 200) throw new Error(`a bulk registration is answered with ${status}`)
}

/** All works of a registry by ARK, and whether they are withdrawn, as its feed tells them. */
async function tableOf(registry: Server, key: string): Promise<Map<string, boolean>> {
  type Page = { changes: { ark?: string; status?: string }[]; next: number; end: number }
  const table = new Map<string, boolean>()
  for (let after = 0, end = 1; after < end; ) {
    const target = `/v1/changes?limit=1000&after=${after}`
    const { body } = await call<Page>(registry, target, { key })
    for (const { ark, status } of body.changes) {
      if (ark !== undefined) table.set(ark, status === 'withdrawn')
    }
    ;({ next: after, end } = body)
  }
  return table
}

function asTable(records: ReadonlyMap<string, Harvested>): Map<string, boolean> {
  return new Map(Array.from(records, ([ark, { deleted }]) => [ark, deleted]))
}

function sorted(table: ReadonlyMap<string, boolean>): (readonly [string, boolean])[] {
  return [...table].toSorted(([left], [right]) => (left < right ? -1 : 1))
}

/** Registers, updates and withdraws works until told to stop, whatever becomes of the registry. */
async function write(registry: Server, key: string, name: string, stop: AbortSignal) {
  for (let count = 0; !stop.aborted; count += 1) {
    try {
      const title = `${name} ${count}`
      const { body } = await call<Work>(registry, '/v1/works', { key, body: newWork(title) })
      const target = `/v1/works/${body.ark_identifier}`
      const note = { description: 'Later' }
      if (count % 2 === 0) await call(registry, `${target}/versions`, { key, body: note })
      if (count % 3 === 0) await call(registry, `${target}/withdraw`, { key, body: why })
    } catch {
      const look = () =>
        fetch(`${registry.started.local_url}/healthz`).then(
          () => true,
          () => stop.aborted,
        )
      await until('the registry answers', look, { pauseMs: 50 })
    }
  }
}

const why = { reason: 'test' }

test.serial('the adapter and the registry have the same records', async (t) => {
  const dataDir = await newDataDir(t)
  // The adapter waits 25 s for news at a time: here for ever.
  const waiting = { NODE_OPTIONS: `--import=${endlessWaits}` }
  const unlimited = { DATA_DIR: dataDir, RATE_LIMITS: 'off' }
  const registry = await startServer(t, { ...unlimited, ...waiting })
  const key = firstKey(registry)
  const titles = Array.from({ length: 30 }, (_, index) => `Work ${index}`)
  await registerMany(registry, key, titles)
  const [first = ''] = (await tableOf(registry, key)).keys()
  await call(registry, `/v1/works/${first}/withdraw`, { key, body: why })

  const own = await adapterSettings(registry, key, path.join(dataDir, '..', 'oai'))
  const settings = { ...own, ...waiting }
  const adapter = await startAdapter(t, settings)
  const fromAdapter = await harvest(adapter.oaiUrl)
  const fromRegistry = await harvest(`${registry.started.local_url}/api/v1/oai`)
  t.deepEqual(sorted(asTable(fromAdapter.records)), sorted(await tableOf(registry, key)))
  t.deepEqual([...fromAdapter.records], [...fromRegistry.records], 'also in order and time')
  t.is(fromAdapter.completeListSize, 30)
  t.is(fromAdapter.pages, 5)

  const { body: fresh } = await call<Work>(registry, '/v1/works', { key, body: newWork('Fresh') })
  const isThere = async () => (await harvest(adapter.oaiUrl)).records.has(fresh.ark_identifier)
  await until('the adapter has the fresh work', isThere, { pauseMs: 20 })

  t.is((await registry.end('SIGTERM')).code, 0)
  t.is((await harvest(adapter.oaiUrl)).records.size, 31, 'also while the registry is down')
  const { code, stderr } = await adapter.end('SIGTERM')
  t.is(code, 0, stderr)
  const alone = await startAdapter(t, settings)
  t.is((await harvest(alone.oaiUrl)).records.size, 31, 'also after a start without the registry')
})

test.serial('a harvest during writes and kills loses nothing', async (t) => {
  const dataDir = await newDataDir(t)
  const settings = { DATA_DIR: dataDir, RATE_LIMITS: 'off', PORT: String(await freePort()) }
  const registry = await startServer(t, settings)
  const key = firstKey(registry)
  await registerMany(registry, key, ['One', 'Two', 'Three'])
  const ofAdapter = await adapterSettings(registry, key, path.join(dataDir, '..', 'oai'))
  const adapter = await startAdapter(t, ofAdapter)
  const stop = new AbortController()
  const writers = ['A', 'B', 'C', 'D'].map((name) => write(registry, key, name, stop.signal))

  const records = new Map<string, Harvested>()
  let from: string | undefined
  const harvestOnce = async () => {
    const next = await harvest(adapter.oaiUrl, from)
    for (const [ark, record] of next.records) records.set(ark, record)
    from = next.responseDate
  }
  for (let round = 0; round < 3; round += 1) await harvestOnce()
  await adapter.end('SIGKILL')
  const killed = await startAdapter(t, ofAdapter)
  for (let round = 0; round < 3; round += 1) await harvestOnce()
  await registry.end('SIGKILL')
  await harvestOnce()
  const back = await startServer(t, settings)
  await killed.end('SIGKILL')
  await startAdapter(t, ofAdapter)
  for (let round = 0; round < 3; round += 1) await harvestOnce()
  await until('enough is registered', async () => (await tableOf(back, key)).size > 20)
  stop.abort()
  await Promise.all(writers)

  const table = sorted(await tableOf(back, key))
  const isWhole = async () => {
    await harvestOnce()
    return JSON.stringify(sorted(asTable(records))) === JSON.stringify(table)
  }
  await until('all of it was harvested', isWhole, { pauseMs: 100 })
  t.deepEqual(sorted(asTable((await harvest(adapter.oaiUrl)).records)), table)
})
