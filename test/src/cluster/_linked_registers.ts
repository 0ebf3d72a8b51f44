import type { ExecutionContext } from 'ava'
import { Remote, type RemoteOptions } from '#actors/kernel/remote.ts'
import { connectEngine } from '#src/cluster/engine.ts'
import { NodeLinks, type NodeLinksOptions } from '#src/cluster/node_links.ts'
import { startRegisters } from '#test/actors/kernel/_register.ts'
import { remoteLimits } from '#test/actors/kernel/_remote_limits.ts'
import type { RemoteRegisters } from '#test/contracts/asks.ts'
import { engineOptions } from '#test/src/cluster/_engine_options.ts'
import { linkLimits } from '#test/src/cluster/_link_limits.ts'
import type { NatsServers } from '#test/src/cluster/_nats_servers.ts'

/** Connects a node, until the end of the test. */
export async function linkedNode(
  t: ExecutionContext,
  servers: NatsServers,
  options: Pick<NodeLinksOptions, 'node'> & Partial<NodeLinksOptions>,
): Promise<{ readonly links: NodeLinks; kill(): Promise<void> }> {
  const connection = await connectEngine(engineOptions(servers, options.node))
  t.teardown(() => connection.close())
  const nobody = () => t.fail('nobody dials this node')
  const links = new NodeLinks({ ...linkLimits, connection, accept: nobody, ...options })
  // So that it can be dialled.
  await connection.flush()
  return { links, kill: () => connection.close() }
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
  const { links } = await linkedNode(t, servers, { node: `asker-${pair}` })
  const name = `owner-${pair}`
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
