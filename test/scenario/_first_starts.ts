import fs from 'node:fs/promises'
import path from 'node:path'
import type { ExecutionContext } from 'ava'

import { parseVkey } from '#log/tlog/note.ts'
import {
  firstKey,
  newDataDir,
  newWork,
  runJson,
  type Server,
  startServer,
} from '#test/scenario/_process.ts'
import { forEachOf, request } from '#test/scenario/_request.ts'

/** Settings of a registry that takes all that comes, and says nothing. */
export const unlimited = { RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }

/** How many entries the log of a registry has. */
export async function treeSize(server: Server): Promise<number> {
  const response = await fetch(`${server.started.local_url}/log/checkpoint`)
  return Number((await response.text()).split('\n')[1])
}

/**
 * Starts two registries at once on one new folder, again and again: one serves, the other is
 * refused and has written nothing. In the first round the registry is seen to be whole, in all
 * others its hold of the folder ends with its process.
 */
export async function raceFirstStarts(t: ExecutionContext, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    // Who holds the folder is known before any thread is started.
    const settings = { DATA_DIR: await newDataDir(t), EDGE_THREADS: '0', ...unlimited }
    const starts = await Promise.allSettled([startServer(t, settings), startServer(t, settings)])
    const refusals = starts.filter((start) => start.status === 'rejected')
    t.is(refusals.length, 1)
    t.regex(String(refusals[0]?.reason), /"error":"data_dir_held","message":"Another process uses/)
    const [server] = starts.filter((start) => start.status === 'fulfilled')
    if (server === undefined) return
    await assertOneBeginning(t, server.value)
    if (round === 0) await assertRegistryIsWhole(t, server.value)
    else await assertLockEndsWithItsProcess(t, server.value)
  }
}

/** The instance file is that of the server: the loser has not written its own over it. */
async function assertOneBeginning(t: ExecutionContext, server: Server): Promise<void> {
  const { data_dir: dataDir, local_url: url, origin } = server.started
  const text = await fs.readFile(path.join(dataDir, 'instance.json'), 'utf8')
  const instance = JSON.parse(text) as {
    readonly stores: string
    readonly logs: Record<string, { readonly origin: string; readonly log_public_key: string }>
  }
  t.is(instance.stores, 'created')
  t.is(instance.logs['live']?.origin, origin)
  const keys = (await (await fetch(`${url}/.well-known/svc-keys.json`)).json()) as {
    readonly log: { readonly vkey: string }
  }
  const { publicKey } = parseVkey(keys.log.vkey)
  t.is(instance.logs['live']?.log_public_key, Buffer.from(publicKey).toString('hex'))
}

async function assertLockEndsWithItsProcess(t: ExecutionContext, server: Server): Promise<void> {
  const settings = { DATA_DIR: server.started.data_dir, ...unlimited }
  await server.end('SIGKILL')
  const again = await startServer(t, settings)
  t.is(again.started.origin, server.started.origin)
  await again.end('SIGKILL')
}

/** Works are minted and kept, and the keys on the disk are those the registry signs with. */
async function assertRegistryIsWhole(t: ExecutionContext, server: Server): Promise<void> {
  const settings = { DATA_DIR: server.started.data_dir, ...unlimited }
  const key = firstKey(server)
  await forEachOf(Array(20).keys(), async (index) => {
    const body = newWork(`In a registry that two have begun ${index}`)
    t.is((await request(server, '/v1/works', { key, body })).status, 201)
  })
  t.is((await server.end('SIGTERM')).code, 0)
  const again = await startServer(t, settings)
  t.is(await treeSize(again), 20)
  t.is((await runJson<unknown[]>(t, ['key', 'list'], settings)).length, 1)
  t.false((await fs.readdir(settings.DATA_DIR)).includes('instance.json.new'))
}
