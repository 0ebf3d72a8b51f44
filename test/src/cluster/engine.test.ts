import { jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import test, { type ExecutionContext } from 'ava'
import { ClusterError } from '#src/cluster/cluster_error.ts'
import {
  checkEngine,
  checkStream,
  connectEngine,
  type EngineEvent,
  type EngineOptions,
} from '#src/cluster/engine.ts'
import { patiently } from '#src/cluster/passing_fault.ts'
import { until } from '#test/_until.ts'
import { engineOptions, testPatience } from '#test/src/cluster/_engine_options.ts'
import type { NatsServers } from '#test/src/cluster/_nats_servers.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

const needs = { messageBytesMax: 8_388_608 }

async function connected(
  t: ExecutionContext,
  servers: NatsServers,
  options: Partial<EngineOptions> = {},
): Promise<NatsConnection> {
  const connection = await connectEngine({ ...engineOptions(servers), ...options })
  t.teardown(() => connection.close())
  return connection
}

overServers((servers) => {
  test.serial('three servers set up as the documentation asks for are safe', async (t) => {
    const connection = await connected(t, servers())
    const { servers: seen, unseen } = await checkEngine(connection, needs, 10_000)
    t.deepEqual(seen.map(({ name }) => name).toSorted(), ['nats-0', 'nats-1', 'nats-2'])
    t.is(unseen, 0)
  })

  test.serial('what a message may need is held against every server', async (t) => {
    const connection = await connected(t, servers())
    const check = checkEngine(connection, { messageBytesMax: 9_000_000 }, 10_000)
    const error = await t.throwsAsync<ClusterError>(check, { instanceOf: ClusterError })
    t.is(error.code, 'engine_unsafe')
    for (const name of ['nats-0', 'nats-1', 'nats-2']) {
      t.true(error.message.includes(`${name} accepts messages of at most 8388608 bytes.`))
    }
  })

  test.serial('a stream is judged by what the engine says of it', async (t) => {
    const connection = await connected(t, servers())
    await addStream(connection, 'SAFE', { deny_delete: true, deny_purge: true })
    await addStream(connection, 'OPEN', { deny_delete: false, deny_purge: true })
    await t.notThrowsAsync(checkStream(connection, 'SAFE', testPatience))
    const error = await t.throwsAsync(checkStream(connection, 'OPEN', testPatience))
    t.is(
      error.message,
      'Stream OPEN is not safe for a journal: messages can be deleted (deny_delete is off).',
    )
  })

  test.serial('a stream that its servers do not know yet is asked for again', async (t) => {
    const connection = await connected(t, servers())
    const [judged] = await Promise.allSettled([
      checkStream(connection, 'LATE', testPatience),
      addStream(connection, 'LATE', { deny_delete: true, deny_purge: true }),
    ])
    t.is(judged.status, 'fulfilled')
    const none = checkStream(connection, 'NEVER', { ...testPatience, forMs: 0 })
    await t.throwsAsync(none, { message: 'stream not found' })
  })

  test.serial('a node goes to another server, and tells of it', async (t) => {
    const events: EngineEvent['type'][] = []
    const connection = await connected(t, servers(), { report: ({ type }) => events.push(type) })
    const own = servers().urls.findIndex((url) => url.endsWith(`:${connection.info?.port}`))
    await servers().signal(own, 'SIGKILL')
    await until('the node is back', () => events.includes('engine_reconnected'))
    t.deepEqual(events, ['engine_disconnected', 'engine_reconnected'])
    // Each check waits for the dead one, and no longer for one that is slow to answer.
    await until('the two others are seen', async () => {
      const check = await checkEngine(connection, needs, 1_000).catch(() => undefined)
      return check?.servers.length === 2 && check.unseen === 1
    })
    await servers().start(own)
    t.true(await servers().ready())
  })
})

async function addStream(
  connection: NatsConnection,
  name: string,
  denied: { readonly deny_delete: boolean; readonly deny_purge: boolean },
): Promise<void> {
  await patiently(async () => {
    const manager = await jetstreamManager(connection, { checkAPI: false })
    const subjects = [`arklog.${name}`]
    const kept = { retention: RetentionPolicy.Limits, storage: StorageType.File }
    await manager.streams.add({
      name,
      subjects,
      ...kept,
      num_replicas: 3,
      ...denied,
      discard: 'new',
    })
  }, testPatience)
}
