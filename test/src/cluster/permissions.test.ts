// What config/nats/accounts.conf permits a node, and what not.

import { jetstream, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import { Kvm } from '@nats-io/kv'
import { type NatsConnection, PermissionViolationError } from '@nats-io/transport-node'
import test, { type ExecutionContext } from 'ava'
import { connectEngine } from '#src/cluster/engine.ts'
import { engineOptions } from '#test/src/cluster/_engine_options.ts'
import { type NatsServers, natsCredentials } from '#test/src/cluster/_nats_servers.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

async function connected(
  t: ExecutionContext,
  servers: NatsServers,
  account: keyof typeof natsCredentials,
): Promise<NatsConnection> {
  const [user = '', pass = ''] = natsCredentials[account].split(':')
  const connection = await connectEngine({
    ...engineOptions(servers),
    credentials: { user, pass },
  })
  t.teardown(() => connection.close())
  return connection
}

/** How long an answer is waited for that servers of a busy machine give late. */
const patienceMs = 60_000
// The library writes into what it is given.
const patient = () => ({ timeout: patienceMs })

async function makeJournal(connection: NatsConnection, name: string): Promise<void> {
  const manager = await jetstreamManager(connection, patient())
  await manager.streams.add({
    name,
    subjects: [`arklog.${name}`],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    deny_delete: true,
    deny_purge: true,
  })
  await jetstream(connection, patient()).publish(`arklog.${name}`, 'a batch')
}

const forbidden: readonly string[] = [
  'DELETE',
  'UPDATE',
  'PURGE',
  'RESTORE',
  'SNAPSHOT',
  'MSG.DELETE',
  'LEADER.STEPDOWN',
  'PEER.REMOVE',
]

overServers(
  (servers) => {
    test('a node makes a stream, appends, and reads', async (t) => {
      const node = await connected(t, servers(), 'node')
      await makeJournal(node, 'READ')
      const consumer = await jetstream(node, patient()).consumers.get('READ')
      const message = await consumer.next({ expires: patienceMs })
      t.is(message?.string(), 'a batch')
      const manager = await jetstreamManager(node, patient())
      t.is((await manager.streams.getMessage('READ', { seq: 1 }))?.string(), 'a batch')
    })

    test('a node holds keys of a bucket, watches them, and lets go of them', async (t) => {
      const node = await connected(t, servers(), 'node')
      const bucket = await new Kvm(jetstream(node, patient())).create('keys', { ttl: 60_000 })
      const revision = await bucket.create('a', '1')
      await bucket.update('a', '2', revision)
      t.is((await bucket.get('a'))?.string(), '2')
      const watch = await bucket.watch()
      for await (const { key, operation } of watch) {
        t.is(key, 'a')
        if (operation === 'DEL') break
        await bucket.delete('a')
      }
    })

    test('a node says things to others and hears what others say to it', async (t) => {
      const node = await connected(t, servers(), 'node')
      node.subscribe('arklog.node.a.>', {
        callback: (_error, message) => void message.respond('heard'),
      })
      const answer = await node.request('arklog.node.a.b', '', patient())
      t.is(answer.string(), 'heard')
    })

    for (const request of forbidden) {
      test(`a node may not ask for STREAM.${request}`, async (t) => {
        const node = await connected(t, servers(), 'node')
        const name = request.replace('.', '_')
        await makeJournal(node, name)
        const asked = node.request(`$JS.API.STREAM.${request}.${name}`, '{}', patient())
        const error = await t.throwsAsync(asked)
        t.true(error.cause instanceof PermissionViolationError)
        const manager = await jetstreamManager(node, patient())
        t.is((await manager.streams.info(name)).state.messages, 1)
      })
    }

    for (const subject of ['>', '$SYS.>', '$JS.>', '$KV.>']) {
      test(`a node may not listen to ${subject}`, async (t) => {
        const node = await connected(t, servers(), 'node')
        const listened = Promise.withResolvers<Error | undefined>()
        node.subscribe(subject, { callback: (error) => listened.resolve(error ?? undefined) })
        t.true((await listened.promise) instanceof PermissionViolationError)
      })
    }

    test('an operator takes a stream apart, and the system is another account', async (t) => {
      await makeJournal(await connected(t, servers(), 'node'), 'OLD')
      const manager = await jetstreamManager(await connected(t, servers(), 'operator'), patient())
      t.true(await manager.streams.delete('OLD'))
      const system = await connected(t, servers(), 'system')
      const answer = await system.request('$SYS.REQ.SERVER.PING.IDZ', '', patient())
      t.like(answer.json(), { name: 'nats-0' })
    })
  },
  { servers: 1, needsPassword: true },
)
