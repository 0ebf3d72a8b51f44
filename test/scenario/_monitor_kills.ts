// A monitor in a process of its own beside a real registry, killed again and again.

import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { ExecutionContext } from 'ava'

import type { Report } from '#src/tlog_tools/monitor/outbox.ts'
import { parseKeyList } from '#src/client/verify/trusted_keys.js'
import { untilCame } from '#test/_until.ts'
import {
  type Asserter,
  call,
  firstKey,
  newDataDir,
  newWork,
  type Server,
  spawnArklog,
  startServer,
} from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'
import { serveWhole } from '#test/src/delivery/fetch/_servers.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'

/** A registry, the folder beside its data, and its keys as they were saved. */
export async function beginMonitored(t: Asserter) {
  const settings = { DATA_DIR: await newDataDir(t), RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }
  const server = await startServer(t, settings)
  const folder = path.dirname(settings.DATA_DIR)
  const keysFile = path.join(folder, 'keys.json')
  const keys = JSON.stringify((await request(server, '/.well-known/svc-keys.json')).body)
  await writeFile(keysFile, keys)
  const at = (name: string) => path.join(folder, name)
  const args = ['monitor', server.started.local_url, '--keys', keysFile, '--state', at('seen')]
  return {
    server,
    key: firstKey(server),
    at,
    args,
    keysFile,
    trusted: (await parseKeyList(keys)).live,
  }
}

/** Mints a work; gives its ARK. */
export async function mint(server: Server, key: string, title: string, more = {}): Promise<string> {
  const body = { ...newWork(title), ...more }
  const minted = await call<{ ark_identifier: string }>(server, '/v1/works', { key, body })
  if (minted.status !== 201) throw new Error(JSON.stringify(minted.body))
  return minted.body.ark_identifier
}

/** The address to which reports are posted, and those that came. */
async function receiveReports(t: Asserter) {
  const reports: Report[] = []
  const { url } = await serveWhole(t, (body, _incoming, response) => {
    reports.push(JSON.parse(body) as Report)
    response.writeHead(204).end()
  })
  return { reports, url: `${url}/hook` }
}

/** Kills a monitor so many times while works are minted; in the end each was told. */
export async function runMonitorKills(
  t: ExecutionContext,
  { lives, seed }: { readonly lives: number; readonly seed: number },
): Promise<void> {
  const { server, key, args } = await beginMonitored(t)
  const { reports, url } = await receiveReports(t)
  t.log(`seed ${seed}`)
  const random = seededRandom(seed)
  const watch = ['--watch', 'org:demo', '--watch-from', '0', '--alarm-webhook', url]
  const service = [...args, '--interval', '1', '--listen', '127.0.0.1:0', ...watch]
  let minted = 0
  for (let life = 0; life < lives; life += 1) {
    const { child, end } = spawnArklog(t, service, {})
    const lines = createInterface(child.stdout ?? process.stdin)
    // It is killed while it starts, while it looks, or while it tells.
    const wanted = Math.floor(random() * 12)
    const killed = new Promise<void>((resolve) => {
      let seen = 0
      lines.on('line', () => (seen += 1) > wanted && resolve())
    })
    for (let count = 0; count < 10; count += 1) await mint(server, key, `Work ${(minted += 1)}`)
    await killed
    await end('SIGKILL')
  }
  const { end } = spawnArklog(t, service, {})
  const indexes = () => new Set(reports.map(({ leaf_index: index }) => index))
  await untilCame('all was told', minted, () => indexes().size, { pauseMs: 50 })
  const { code, stderr } = await end('SIGTERM')
  t.is(code, 0, stderr)
  t.deepEqual(
    [...indexes()].toSorted((a, b) => Number(a) - Number(b)),
    Array.from({ length: minted }, (_, index) => index),
  )
  // At most one report in flight may come twice for each kill, as the same one.
  t.true(reports.length <= minted + lives, `${reports.length} of ${minted}`)
  t.is(new Set(reports.map(({ id }) => id)).size, minted)
}
