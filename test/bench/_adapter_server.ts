import { setTimeout as sleep } from 'node:timers/promises'

import { type Child, startNode, waitForOutput } from '#test/bench/_process.ts'
import type { RegistryServer } from '#test/bench/_registry_server.ts'

const main = new URL('../../src/main.ts', import.meta.url)

const lookMs = 100

/** An OAI-PMH adapter that has all records of a registry; getting them took `copyMs`. */
export type AdapterServer = {
  readonly child: Child
  readonly port: number
  readonly copyMs: number
}

/** Starts an adapter with an empty copy of a registry, and waits until the copy is complete. */
export async function startAdapter(
  registry: RegistryServer,
  dataDir: string,
): Promise<AdapterServer> {
  const startMs = performance.now()
  const env = {
    SVC_URL: `http://127.0.0.1:${registry.port}`,
    SVC_API_KEY: (registry.headers['authorization'] ?? '').replace('Bearer ', ''),
    REPOSITORY_NAME: 'Bench',
    ADMIN_EMAIL: 'oai@example.org',
    BASE_URL: 'http://localhost',
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'warn',
    LIMIT_OAI: '1000000000',
  }
  const child = startNode(main, ['oai', '--json'], { env })
  const [banner] = await waitForOutput(child, /^\{.*\}$/m)
  const { local_url: url } = JSON.parse(banner) as { local_url: string }
  while (!(await fetch(`${url}/readyz`)).ok) await sleep(lookMs)
  return { child, port: Number(new URL(url).port), copyMs: performance.now() - startMs }
}
