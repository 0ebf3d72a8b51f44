import fs from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { parseVkey } from '#log/vkey.ts'
import {
  firstKey,
  newDataDir,
  newWork,
  runJson,
  type Server,
  startServer,
} from '#test/scenario/_process.ts'
import { forEachOf, request } from '#test/scenario/_request.ts'

const unlimited = { RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }

async function treeSize(server: Server): Promise<number> {
  const response = await fetch(`${server.started.local_url}/log/checkpoint`)
  return Number((await response.text()).split('\n')[1])
}

test.serial('43: 1,000 parallel creates under one Idempotency-Key register one work', async (t) => {
  const server = await startServer(t, { DATA_DIR: await newDataDir(t), ...unlimited })
  const send = () =>
    request(server, '/v1/works', {
      key: firstKey(server),
      headers: { 'idempotency-key': 'one-of-a-thousand' },
      body: newWork('Sent a thousand times'),
    })
  const replies = await Promise.all(Array.from({ length: 1_000 }, send))
  const created = replies.filter(({ status }) => status === 201)
  t.is(new Set(created.map(({ body }) => body['ark_identifier'])).size, 1)
  const originals = created.filter(({ headers }) => !headers.has('idempotent-replayed'))
  t.is(originals.length, 1)
  const others = replies.filter(({ status }) => status !== 201)
  t.deepEqual(
    new Set(others.map(({ status, body }) => [status, body['error']].join(' '))),
    conflicts(others),
  )
  t.is(await treeSize(server), 1)
})

/** Those who came while the one was carried out, if there were any. */
function conflicts(others: readonly unknown[]): Set<string> {
  return new Set(others.length === 0 ? [] : ['409 conflict'])
}

test.serial('44: a kill between a commit and its reply costs the client nothing', async (t) => {
  const settings = { DATA_DIR: await newDataDir(t), ...unlimited }
  const server = await startServer(t, settings)
  const creation = {
    key: firstKey(server),
    headers: { 'idempotency-key': 'the-reply-was-lost' },
    body: newWork('Committed, and never answered'),
  }
  // The reply is never read: that the work was committed is seen from the log alone.
  const unread = new AbortController()
  const sent = fetch(`${server.started.local_url}/v1/works`, {
    method: 'POST',
    headers: {
      ...creation.headers,
      authorization: `Bearer ${creation.key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(creation.body),
    signal: unread.signal,
  }).catch(() => undefined)
  while ((await treeSize(server)) === 0);
  await server.end('SIGKILL')
  unread.abort()
  await sent

  const again = await startServer(t, settings)
  const replies = [
    await request(again, '/v1/works', creation),
    await request(again, '/v1/works', creation),
  ]
  for (const { status, headers } of replies) {
    t.is(status, 201)
    t.is(headers.get('idempotent-replayed'), 'true')
  }
  t.is(replies[0]?.body['ark_identifier'], replies[1]?.body['ark_identifier'])
  t.is(await treeSize(again), 1)
})

const firstStartRounds = 6

test.serial(
  '48: of two first starts on one folder one serves and the other says why',
  async (t) => {
    for (let round = 0; round < firstStartRounds; round += 1) {
      const settings = { DATA_DIR: await newDataDir(t), ...unlimited }
      const starts = await Promise.allSettled([startServer(t, settings), startServer(t, settings)])
      const refusals = starts.filter((start) => start.status === 'rejected')
      t.is(refusals.length, 1)
      t.regex(String(refusals[0]?.reason), /"error":"data_dir_held","message":"Another process has/)
      const [server] = starts.filter((start) => start.status === 'fulfilled')
      if (server === undefined) return
      await assertOneBeginning(t, server.value)
      if (round === 0) await assertRegistryIsWhole(t, server.value)
      else await assertLockEndsWithItsProcess(t, server.value)
    }
  },
)

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
