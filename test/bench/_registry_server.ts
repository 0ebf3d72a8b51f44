import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { configKeys } from '#config/schema.ts'
import { type Child, startNode, waitForOutput } from '#test/bench/_process.ts'

const main = new URL('../../src/main.ts', import.meta.url)

// Limits are counted as ever but never reached. A log line for each request would measure the disk.
// Made-up works link to hosts that are not asked.
const limits = configKeys.filter(({ name }) => name.startsWith('LIMIT_'))
const settings = {
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'warn',
  FETCH_CONTENT: 'off',
  ...Object.fromEntries(limits.map(({ name }) => [name, '1000000000'])),
}

/** A registry that serves, in a process of its own. `readyMs` is from its start to its banner. */
export type RegistryServer = {
  readonly child: Child
  readonly port: number
  readonly readyMs: number
  /** Headers that carry a key which may read and write works. */
  readonly headers: Readonly<Record<string, string>>
}

/** Starts a registry on a data directory, which may be new. */
export async function startRegistry(dataDir: string): Promise<RegistryServer> {
  const startMs = performance.now()
  const child = startNode(main, ['serve', '--json'], { ...settings, DATA_DIR: dataDir })
  const [banner] = await waitForOutput(child, /^\{.*\}$/m)
  const readyMs = performance.now() - startMs
  const { local_url: url } = JSON.parse(banner) as { local_url: string }
  const scopes = 'works:read,works:write,receipts:read'
  const created = await runArklog(dataDir, [
    'key',
    'create',
    '--owner',
    'org:demo',
    '--scopes',
    scopes,
  ])
  const headers = { authorization: `Bearer ${(created as { key: string }).key}` }
  return { child, port: Number(new URL(url).port), readyMs, headers }
}

/** Runs a command of the program with `--json` on a data directory; gives what it printed. */
export async function runArklog(dataDir: string, args: readonly string[]): Promise<unknown> {
  const env = { ...process.env, ...settings, DATA_DIR: dataDir }
  const argv = [main.pathname, ...args, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, argv, { env })
  return JSON.parse(stdout)
}
