import type { NatsConnection } from '@nats-io/transport-node'
import type { ExecutionContext } from 'ava'
import { Remote, type RemoteOptions } from '#actors/kernel/remote.ts'
import { connectEngine } from '#src/cluster/engine.ts'
import { NodeLinks, type NodeLinksOptions } from '#src/cluster/node_links.ts'
import { until } from '#test/_until.ts'
import { startRegisters } from '#test/actors/kernel/_register.ts'
import { remoteLimits } from '#test/actors/kernel/_remote_limits.ts'
import type { RemoteRegisters } from '#test/contracts/asks.ts'
import { engineOptions } from '#test/src/cluster/_engine_options.ts'
import { linkLimits } from '#test/src/cluster/_link_limits.ts'
import type { NatsServers } from '#test/src/cluster/_nats_servers.ts'

/** A node of a test. `reach` waits until it and another node hear each other. */
export type LinkedNode = {
  readonly links: NodeLinks
  reach(node: string): Promise<void>
  kill(): Promise<void>
}

/** Connects a node, until the end of the test. */
export async function linkedNode(
  t: ExecutionContext,
  servers: NatsServers,
  options: Pick<NodeLinksOptions, 'node'> & Partial<NodeLinksOptions>,
): Promise<LinkedNode> {
  const connection = await connectEngine(engineOptions(servers, options.node))
  t.teardown(() => connection.close())
  const nobody = () => t.fail('nobody dials this node')
  const links = new NodeLinks({ ...linkLimits, connection, accept: nobody, ...options })
  return {
    links,
    reach: (node) => untilHeard(connection, options.node, node),
    kill: () => connection.close(),
  }
}

/**
 * Waits until two nodes hear each other, of which the first has this connection. A server learns
 * from the others who listens there, a moment after somebody does. A beat of a link that nobody
 * knows is answered by its end, once both are heard.
 */
export async function untilHeard(
  connection: NatsConnection,
  own: string,
  node: string,
): Promise<void> {
  let isAnswered = false
  const subscription = connection.subscribe(`arklog.node.${own}.${node}.probe`, {
    callback: (_error, message) => {
      if (message.string() === 'end') isAnswered = true
    },
  })
  await until(
    `${own} reaches ${node}`,
    () => {
      connection.publish(`arklog.node.${node}.${own}.probe`, 'beat 0')
      return isAnswered
    },
    { pauseMs: 10 },
  )
  subscription.unsubscribe()
}

let pairs = 0

/** Starts registers on a node, and another one that asks them, until the end of the test. */
export async function startRegisterNode(
  t: ExecutionContext,
  servers: NatsServers,
  options: Partial<RemoteOptions> = {},
): Promise<RemoteRegisters> {
  const pair = (pairs += 1)
  const { shards, release } = startRegisters()
  t.teardown(() => release())
  const { kill } = await linkedNode(t, servers, {
    node: `owner-${pair}`,
    accept(transport, from) {
      const remote = new Remote({ ...remoteLimits, name: from, transport })
      remote.offer('register', (key) => shards.at(key))
    },
  })
  const { links, reach } = await linkedNode(t, servers, { node: `asker-${pair}` })
  const name = `owner-${pair}`
  await reach(name)
  const remote = new Remote({ ...remoteLimits, ...options, name, transport: links.dial(name) })
  return {
    name,
    remote,
    at: (key) => remote.at('register', key),
    release,
    close: () => shards.close(),
    kill,
  }
}
