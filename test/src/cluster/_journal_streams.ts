import type { NatsConnection } from '@nats-io/transport-node'
import type { ExecutionContext } from 'ava'

import { connectEngine } from '#src/cluster/engine.ts'
import { openJournalStream } from '#src/cluster/streams.ts'
import { engineOptions, testPatience } from '#test/src/cluster/_engine_options.ts'
import { type NatsServers, natsCredentials } from '#test/src/cluster/_nats_servers.ts'

let journals = 0

/** A connection of a node, that ends with the test. */
export async function connected(
  t: ExecutionContext,
  servers: NatsServers,
): Promise<NatsConnection> {
  const [user = '', pass = ''] = natsCredentials.node.split(':')
  const connection = await connectEngine({ ...engineOptions(servers), credentials: { user, pass } })
  t.teardown(() => connection.close())
  return connection
}

/** The ways of two nodes to one journal, which is empty. */
export async function openTwo(t: ExecutionContext, servers: NatsServers) {
  const name = `J${(journals += 1)}`
  const open = async () => {
    const connection = await connected(t, servers)
    return openJournalStream({ connection, name, patience: testPatience })
  }
  return [await open(), await open()] as const
}
