// A node that was away for too long joins anew, and one leaves, over three NATS servers.

import fs from 'node:fs/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { nanos, type NatsConnection } from '@nats-io/transport-node'
import test, { type ExecutionContext } from 'ava'

import { connectEngine } from '#src/cluster/engine.ts'
import {
  agree,
  checkpointOf,
  type ClusterProcess,
  invite,
  leaderOf,
  mint,
  nodeSettings,
  shows,
} from '#test/scenario/_cluster.ts'
import {
  firstKey,
  runArklog,
  runJson,
  type Settings,
  spawnArklog,
  startServer,
} from '#test/scenario/_process.ts'
import { engineOptions } from '#test/src/cluster/_engine_options.ts'
import { type NatsServers, natsCredentials } from '#test/src/cluster/_nats_servers.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'
import { until } from '#test/_until.ts'

const dayMs = 86_400_000

function connectOperator(servers: NatsServers): Promise<NatsConnection> {
  const [user = '', pass = ''] = natsCredentials.operator.split(':')
  return connectEngine({ ...engineOptions(servers), credentials: { user, pass } })
}

/** Lets all messages of the journal expire, as those of long ago have. */
async function forget(servers: NatsServers): Promise<void> {
  const connection = await connectOperator(servers)
  const { streams } = await jetstreamManager(connection)
  const keepFor = async (ageMs: number) => {
    const limits = { max_age: nanos(ageMs), duplicate_window: nanos(Math.min(ageMs, 120_000)) }
    await streams.update('arklog-live', limits)
  }
  await keepFor(1_000)
  await until('the journal is empty', async () => {
    return (await streams.info('arklog-live')).state.messages === 0
  })
  await keepFor(14 * dayMs)
  await connection.close()
}

async function loseStreams(servers: NatsServers): Promise<void> {
  const connection = await connectOperator(servers)
  const { streams } = await jetstreamManager(connection)
  for await (const { config } of streams.list()) await streams.delete(config.name)
  await connection.close()
}

async function joined(
  t: ExecutionContext,
  at: Settings,
  settings: Settings,
): Promise<ClusterProcess> {
  const token = await invite(t, at)
  const { code, stderr } = await runArklog(t, ['cluster', 'join', token], settings)
  t.is(code, 0, stderr)
  const server = await startServer(t, settings)
  return { name: settings['CLUSTER_NODE'] ?? '', settings, server }
}

/** Loses all that the NATS servers hold, and goes on from what one node has. */
async function survive(
  t: ExecutionContext,
  node: ClusterProcess,
  key: string,
  servers: NatsServers,
): Promise<void> {
  const before = await checkpointOf(node.server)
  await node.server.end('SIGTERM')
  const { CLUSTER_URL: _url, CLUSTER_NODE: _name, ...alone } = node.settings
  const refused = await spawnArklog(t, ['serve', '--json'], alone).ended
  t.is(refused.code, 1)
  t.regex(refused.stderr, /arklog cluster dissolve/)
  await loseStreams(servers)
  const stopped = await spawnArklog(t, ['serve', '--json'], node.settings).ended
  t.is(stopped.code, 1)
  t.regex(stopped.stderr, /was rolled back or made anew/)
  await loseStreams(servers)
  await runJson(t, ['cluster', 'dissolve', '--others-are-gone'], node.settings)
  const dissolved = await startServer(t, alone)
  t.is(await checkpointOf(dissolved), before)
  await dissolved.end('SIGTERM')
  // The one time at which the key can be replaced: those who join get the new one.
  await runJson(t, ['receipt-key', 'rotate'], alone)
  const next = { ...node, server: await startServer(t, node.settings) }
  t.true(await shows(next, await mint(next, key, 'After all was lost'), 'After all was lost'))
  const c = await joined(t, node.settings, await nodeSettings(t, 'c', servers))
  const ark = await mint(c, key, 'Signed with the next key')
  await agree([next, c])
  t.true(await shows(next, ark, 'Signed with the next key'))
}

overServers((servers) => {
  test('a node that was away for too long joins anew, and another one leaves', async (t) => {
    t.timeout(600_000)
    const [own, others] = [
      await nodeSettings(t, 'a', servers()),
      await nodeSettings(t, 'b', servers()),
    ]
    const a: ClusterProcess = { name: 'a', settings: own, server: await startServer(t, own) }
    const key = firstKey(a.server)
    await leaderOf([a])
    const alone = await runArklog(t, ['cluster', 'leave'], own)
    t.regex(alone.stderr, /a is the only running node of the cluster/)
    const away = await joined(t, own, others)
    await away.server.end('SIGTERM')
    const ark = await mint(a, key, 'Registered while the other one was away')
    await forget(servers())
    const late = await spawnArklog(t, ['serve', '--json'], others).ended
    t.is(late.code, 1)
    t.regex(late.stderr, /of the journal is gone.*arklog cluster join/s)
    await fs.rm(others['DATA_DIR'] ?? '', { recursive: true })
    const b = await joined(t, own, others)
    await agree([a, b])
    t.true(await shows(b, ark, 'Registered while the other one was away'))

    await leaderOf([a, b])
    const left = await runJson<{ others: string[] }>(t, ['cluster', 'leave'], own)
    t.deepEqual(left.others, ['b'])
    t.is((await a.server.ended).code, 0)
    await leaderOf([b])
    t.true(await shows(b, await mint(b, key, 'Registered after that'), 'Registered after that'))
    const again = await spawnArklog(t, ['serve', '--json'], own).ended
    t.is(again.code, 1)
    t.regex(again.stderr, /left its cluster/)
    await survive(t, b, key, servers())
  })
})
