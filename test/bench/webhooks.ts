import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

import { adminSocketPath } from '#src/keeping/data_dir/admin_socket.ts'
import { AdminClient } from '#src/cli/admin_client.ts'
import { type BenchOptions, newFolder } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { readThreads } from '#test/bench/_process.ts'
import { startRegistry } from '#test/bench/_registry_server.ts'
import { createWork } from '#test/bench/_works.ts'
import { untilCame } from '#test/_until.ts'

const bench = 'webhooks'

/** Webhooks of an organization, those of them that never answer, and the hosts of each kind. */
const ofOne = { webhooks: 20, silent: 4 } as const
const hosts = { answering: 80, silent: 20 } as const

/** How often it is looked whether the last messages have come. */
const lookMs = 50

/** What came: how long after the time of its event, in milliseconds. */
type Arrivals = { readonly delaysMs: number[]; silent: number }

/**
 * Organizations register works in turns, each one in every round; each has webhooks of which a
 * fifth never answer.
 */
export async function benchWebhooks(options: BenchOptions): Promise<Figure[]> {
  const { webhookOrganizations: organizations, webhookRounds: rounds, roundMs } = options
  await using cleanup = new AsyncDisposableStack()
  const folder = await newFolder(cleanup)
  const arrivals: Arrivals = { delaysMs: [], silent: 0 }
  const port = await listen(arrivals, cleanup)
  const dataDir = path.join(folder, 'data')
  const all = [...Array(hosts.answering + hosts.silent).keys()].map((nth) => hostOf(nth, port))
  const registry = await startRegistry(dataDir, {
    FETCH_ALLOW: all.join(','),
    FETCH_HOST_INTERVAL_MS: '0',
    FETCH_HOST_CONCURRENCY_MAX: '16',
  })
  cleanup.defer(() => registry.child.stop())
  const client = new AdminClient(adminSocketPath(dataDir))
  cleanup.defer(() => client.close())
  const keys: string[] = []
  for (let nth = 0; nth < organizations; nth += 1) keys.push(await found(client, nth, all))
  const before = await readDelivering(registry.child.pid)
  const registering: Promise<void>[] = []
  const startMs = performance.now()
  for (let work = 0; work < rounds * organizations; work += 1) {
    await sleep(Math.max(0, startMs + (work * roundMs) / organizations - performance.now()))
    // One that takes long keeps none of the others waiting.
    registering.push(register(registry.port, keys[work % organizations] ?? '', work))
  }
  await Promise.all(registering)
  const expected = registering.length * (ofOne.webhooks - ofOne.silent)
  const came = () => arrivals.delaysMs.length
  await untilCame(`all ${expected} messages have come`, expected, came, { pauseMs: lookMs })
  const cpuMs = (await readDelivering(registry.child.pid)) - before
  return figuresOf(arrivals, organizations, cpuMs)
}

/** CPU that the thread has taken which delivers, in milliseconds. */
async function readDelivering(pid: number): Promise<number> {
  const threads = [...(await readThreads(pid)).values()]
  return 1_000 * (threads.find(({ name }) => name === 'webhooks')?.cpuSeconds ?? Number.NaN)
}

/** Listens on all addresses of the loopback; those at /silent get no answer. */
async function listen(arrivals: Arrivals, cleanup: AsyncDisposableStack): Promise<number> {
  const server = createServer((request, response) => {
    const arrivedMs = Date.now()
    if (request.url === '/silent') {
      arrivals.silent += 1
      request.resume()
      return
    }
    void text(request).then((body) => {
      const { timestamp } = JSON.parse(body) as { timestamp: string }
      arrivals.delaysMs.push(arrivedMs - Date.parse(timestamp))
      response.writeHead(204).end()
    })
  })
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  cleanup.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

function hostOf(nth: number, port: number): string {
  return `127.1.0.${nth + 1}:${port}`
}

/** Makes an organization with its webhooks; gives a key that registers its works. */
async function found(client: AdminClient, nth: number, all: readonly string[]): Promise<string> {
  const slug = `press-${nth}`
  await client.call('/organizations/create', { organization: { slug, name: `Press ${nth}` } })
  for (let own = 0; own < ofOne.webhooks; own += 1) {
    const place = nth * ofOne.webhooks + own
    const isSilent = own < ofOne.silent
    const host = isSilent
      ? all[hosts.answering + (place % hosts.silent)]
      : all[place % hosts.answering]
    const url = `http://${host}/${isSilent ? 'silent' : 'hook'}`
    const events = ['work.created']
    await client.call('/webhooks/create', { organization: slug, webhook: { url, events } })
  }
  const wish = { owner: `org:${slug}`, scopes: ['works:write'] }
  return ((await client.call('/keys/create', wish)) as { key: string }).key
}

async function register(port: number, key: string, nth: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/works`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(createWork(nth)),
  })
  const reply = await response.text()
  if (response.status !== 201) throw new Error(`a work is refused: ${reply}`)
}

function figuresOf({ delaysMs, silent }: Arrivals, organizations: number, cpuMs: number): Figure[] {
  const sorted = delaysMs.toSorted((one, other) => one - other)
  const quantile = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
  const figure = (name: string, value: number, unit: string) => ({ bench, name, value, unit })
  return [
    figure('webhooks', organizations * ofOne.webhooks, ''),
    figure('of them silent', organizations * ofOne.silent, ''),
    figure('messages to the others', sorted.length, ''),
    figure('messages that no answer came to', silent, ''),
    figure('CPU of the thread that delivers, a message', cpuMs / (sorted.length + silent), 'ms'),
    figure('event to arrival, p50', quantile(0.5), 'ms'),
    {
      ...figure('event to arrival, p99', quantile(0.99), 'ms'),
      goal: { atMost: 2_000 },
    },
    figure('event to arrival, longest', quantile(1), 'ms'),
  ]
}
