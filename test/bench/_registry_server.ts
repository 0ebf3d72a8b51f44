import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

import { adminSocketPath } from '#src/keeping/data_dir/admin_socket.ts'
import { AdminClient } from '#src/cli/admin_client.ts'
import { configKeys } from '#config/schema.ts'
import { type Child, startNode, waitForOutput } from '#test/bench/_process.ts'
import { createWork } from '#test/bench/_works.ts'

const main = new URL('../../src/main.ts', import.meta.url)

// Limits are counted as ever but never reached. A log line for each request would measure the disk.
// Made-up works link to hosts that are not asked. An index that is made would be measured too.
const limits = configKeys.filter(({ name }) => name.startsWith('LIMIT_'))
const settings = {
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'warn',
  FETCH_CONTENT: 'off',
  SEARCH: 'off',
  ...Object.fromEntries(limits.map(({ name }) => [name, '1000000000'])),
}

const manifestFile = new URL('../../package.json', import.meta.url)
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as {
  readonly scripts: { readonly start: string }
}

/** What `npm start` tells Node. */
const startFlags = manifest.scripts.start.split(' ').filter((word) => word.startsWith('--'))

/** A registry that serves, in a process of its own. `readyMs` is from its start to its banner. */
export type RegistryServer = {
  readonly child: Child
  readonly port: number
  readonly readyMs: number
  /** Headers that carry a key which may read and write works. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Starts a registry on a data directory, which may be new. `more` are settings of its own; it is
 * held to `cores` if there are any, as `taskset` spells them. `flags` are told Node beside ours.
 */
export async function startRegistry(
  dataDir: string,
  more: Readonly<Record<string, string>> = {},
  cores?: string,
  flags: readonly string[] = [],
): Promise<RegistryServer> {
  const startMs = performance.now()
  const { child, port } = await serveRegistry(dataDir, more, cores, flags)
  const readyMs = performance.now() - startMs
  const headers = await createKey(dataDir, ['works:read', 'works:write', 'receipts:read'])
  return { child, port, readyMs, headers }
}

/** Makes a key of these scopes at a registry that serves; gives the headers that carry it. */
export async function createKey(
  dataDir: string,
  scopes: readonly string[],
): Promise<RegistryServer['headers']> {
  const client = new AdminClient(adminSocketPath(dataDir))
  const { key } = await client.call('/keys/create', { owner: 'org:demo', scopes: [...scopes] })
  client.close()
  return { authorization: `Bearer ${key}` }
}

/** Starts a registry for which nobody needs a key. */
export async function serveRegistry(
  dataDir: string,
  more: Readonly<Record<string, string>>,
  cores?: string,
  flags: readonly string[] = [],
): Promise<Pick<RegistryServer, 'child' | 'port'>> {
  const env = { ...settings, ...more, DATA_DIR: dataDir }
  const told = [...startFlags, ...flags]
  const options = { env, flags: told, ...(cores !== undefined && { cores }) }
  const child = startNode(main, ['serve', '--json'], options)
  const [banner] = await waitForOutput(child, /^\{.*\}$/m)
  const { local_url: url } = JSON.parse(banner) as { local_url: string }
  return { child, port: Number(new URL(url).port) }
}

const bulkWorks = 1_000

/** Registers so many works in bulk, each with an address of its own; gives their ARKs in order. */
export async function registerWorks(
  { port, headers }: RegistryServer,
  count: number,
  urlOf: (nth: number) => string,
): Promise<string[]> {
  type Item = { readonly status: number; readonly ark_identifier: string }
  const arks: string[] = []
  for (let first = 0; first < count; first += bulkWorks) {
    const works = Array.from({ length: Math.min(bulkWorks, count - first) }, (_, index) => {
      const { existing_doi: _doi, ...work } = createWork(first + index)
      return { ...work, work_url: urlOf(first + index) }
    })
    const response = await fetch(`http://127.0.0.1:${port}/v1/works/bulk`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ works }),
    })
    const { results } = (await response.json()) as { results: Item[] }
    const refused = results.find(({ status }) => status !== 201)
    if (refused !== undefined) throw new Error(`a work is refused: ${JSON.stringify(refused)}`)
    arks.push(...results.map((item) => item.ark_identifier))
  }
  return arks
}

/** Runs a command of the program with `--json` on a data directory; gives what it printed. */
export async function runArklog(dataDir: string, args: readonly string[]): Promise<unknown> {
  const env = { ...process.env, ...settings, DATA_DIR: dataDir }
  const argv = [main.pathname, ...args, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, argv, { env })
  return JSON.parse(stdout)
}

/** What an import of a file did. */
type ImportReport = {
  readonly registered: number
  readonly failed: number
  readonly works_per_second: number
}

/** Imports the works of a file. Lines that are refused are counted; anything else is an error. */
export async function runImport(
  dataDir: string,
  file: string,
  owner = 'org:demo',
): Promise<ImportReport> {
  try {
    return (await runArklog(dataDir, ['import', file, '--owner', owner])) as ImportReport
  } catch (failure) {
    const { stdout = '', stderr = '' } = failure as { stdout?: string; stderr?: string }
    if (!stderr.includes('"lines_failed"')) throw failure
    return JSON.parse(stdout) as ImportReport
  }
}

/** Waits until the index of a registry knows of all works. */
export async function untilIndexed(dataDir: string): Promise<void> {
  const client = new AdminClient(adminSocketPath(dataDir))
  for (;;) {
    const { live } = await client.call('/search/status', {})
    if (live.indexes.every(({ behind }) => behind === 0)) return client.close()
    await sleep(200)
  }
}
