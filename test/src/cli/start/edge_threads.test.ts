// A whole registry in this process, with two edge threads. Node tells a process of each thread that
// it starts, so that a test can end one as nothing in the product would.

import type { Worker } from 'node:worker_threads'
import test, { type ExecutionContext } from 'ava'

import { loadConfig } from '#config/config.ts'
import { openService } from '#src/cli/start/registry_service.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { until } from '#test/_until.ts'
import { freePort } from '#test/_free_port.ts'

const edgeThreads = 2

/** The threads of this process that answer requests, as they are started. */
const edges: Worker[] = []
process.on('worker', (worker: Worker) => {
  if (worker.threadName?.startsWith('edge ') === true) edges.push(worker)
})

type Opened = { readonly url: string; readonly adminUrl: string; readonly key: string }

async function open(t: ExecutionContext): Promise<Opened> {
  const [port, adminPort] = [await freePort(), await freePort()]
  const config = loadConfig({
    DATA_DIR: await makeTempDir(t),
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'off',
    FETCH_CONTENT: 'off',
    DISK_RESERVE_BYTES: '0',
    EDGE_THREADS: String(edgeThreads),
  })
  const service = await openService(config, { listen: true })
  t.teardown(() => service.close())
  const key = service.facts.firstKey?.key ?? ''
  return { url: `http://127.0.0.1:${port}`, adminUrl: `http://127.0.0.1:${adminPort}`, key }
}

let titles = 0

/** Registers a work over a connection of its own; gives the status. */
async function mint({ url, key }: Opened): Promise<number> {
  titles += 1
  const response = await fetch(`${url}/v1/works`, {
    method: 'POST',
    headers: {
      connection: 'close',
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
    },
    body: JSON.stringify({
      work_title: `Minted ${titles}`,
      work_type: 'article',
      authors: 'Ada Lovelace',
      work_url: `https://example.org/${titles}`,
    }),
  })
  await response.text()
  return response.status
}

/** A value of the metrics: the sum of all whose names begin so. */
async function measured({ adminUrl }: Opened, name: string): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text()
  const values = text.split('\n').filter((line) => line.startsWith(name))
  return values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

test.serial('in the place of a thread that ends another one serves', async (t) => {
  t.timeout(300_000)
  const opened = await open(t)
  t.is(edges.length, edgeThreads)
  t.is(await measured(opened, 'arklog_edge_threads'), edgeThreads)
  for (let nth = 0; nth < 8; nth += 1) t.is(await mint(opened), 201)
  const minted = 'arklog_http_request_duration_seconds_count{method="POST",route="/v1/works"'
  // A request is counted once its answer has been sent.
  await until('all are counted', async () => (await measured(opened, minted)) === 8)
  for (const [nth, edge] of edges.slice(0, edgeThreads).entries()) {
    await edge.terminate()
    await until('another thread serves', async () => {
      return (await measured(opened, 'arklog_edge_threads')) === edgeThreads
    })
    t.is(edges.length, edgeThreads + nth + 1)
    t.true((await measured(opened, minted)) >= 8, 'what an ended thread has counted stays counted')
  }
  for (let nth = 0; nth < 8; nth += 1) t.is(await mint(opened), 201)
  await until('all are counted', async () => (await measured(opened, minted)) === 16)
})

test('what threads have counted is written when they end, and told after a start', async (t) => {
  const settings = {
    DATA_DIR: await makeTempDir(t),
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'off',
    FETCH_CONTENT: 'off',
    DISK_RESERVE_BYTES: '0',
    EDGE_THREADS: String(edgeThreads),
  }
  const start = async () => {
    const [port, adminPort] = [await freePort(), await freePort()]
    const ports = { PORT: String(port), ADMIN_PORT: String(adminPort) }
    const service = await openService(loadConfig({ ...settings, ...ports }), { listen: true })
    return { service, url: `http://127.0.0.1:${port}` }
  }
  const { service, url } = await start()
  const created = await fetch(`${url}/v1/works`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${service.facts.firstKey?.key ?? ''}`,
    },
    body: JSON.stringify({
      work_title: 'Counted',
      work_type: 'article',
      authors: 'Ada Lovelace',
      work_url: 'https://example.org/counted',
    }),
  })
  const { ark_identifier: ark } = (await created.json()) as { ark_identifier: string }
  // Both clicks of a reader are close together: on a slow machine all of them take long.
  for (let click = 0; click < 40; click += 1) {
    const reader = Math.floor(click / 2)
    const headers = { connection: 'close', 'user-agent': `Mozilla/5.0 reader ${reader}` }
    await (await fetch(`${url}/v1/resolve/${ark}`, { headers })).arrayBuffer()
  }
  await service.close()
  const again = await start()
  t.teardown(() => again.service.close())
  for (const usage of [`works/${ark}/usage`, 'organizations/demo/usage']) {
    const told = (await (await fetch(`${again.url}/v1/${usage}`)).json()) as {
      total: { resolutions: number }
    }
    t.is(told.total.resolutions, 20, usage)
  }
})
