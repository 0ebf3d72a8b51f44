import { setImmediate as turn } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'

import { connectEngine } from '#src/cluster/engine.ts'
import { NodeBroadcast } from '#src/cluster/node_links.ts'
import type { Contact } from '#src/edge/limits/limit_exchange.ts'
import { until } from '#test/_until.ts'
import { engineOptions } from '#test/src/cluster/_engine_options.ts'
import type { NatsServers } from '#test/src/cluster/_nats_servers.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'
import { limitedNode, type LimitedNode } from '#test/src/edge/_limited_node.ts'

const max = 60
const names = ['a', 'b', 'c']

/** Three nodes that count together until the end of the test. */
async function startNodes(
  t: ExecutionContext,
  servers: NatsServers,
  contact: Contact = { connected: true, nodes: names },
): Promise<LimitedNode[]> {
  // Tests share the servers, and each has nodes of its own.
  const topic = `limits-${t.title.replaceAll(/\W/g, '')}`
  return Promise.all(
    names.map(async (node) => {
      const connection = await connectEngine(engineOptions(servers, node))
      t.teardown(() => connection.close())
      const broadcast = new NodeBroadcast(connection, topic, node)
      // On a busy machine no node is taken for gone, and no minute ends on the way.
      const clock = { elapsedMs: () => performance.now() / 10 }
      const limited = limitedNode({ ...clock, node, max, broadcast, contact: () => contact })
      t.teardown(() => limited.exchange.close())
      return limited
    }),
  )
}

/** Calls at each node in turn until none lets one through any more for a while. */
async function callAll(nodes: readonly LimitedNode[], client: string): Promise<number> {
  let through = 0
  let refused = 0
  while (refused < 10_000) {
    for (const node of nodes) {
      if (node.call(client)) [through, refused] = [through + 1, 0]
      else refused += 1
    }
    await turn()
  }
  return through
}

overServers(
  (servers) => {
    test('a key that is used at three nodes at once has its limit once', async (t) => {
      const nodes = await startNodes(t, servers())
      const through = await callAll(nodes, 'key')
      t.true(through <= max * 1.2, String(through))
      await until('all nodes have heard of all of it', async () => {
        return nodes.every((node) => !node.call('key'))
      })
    })

    test('what a key has used at one node it has used at the others', async (t) => {
      const [first, ...others] = await startNodes(t, servers())
      let through = 0
      await until(
        'the limit is used up',
        () => {
          if (first?.call('key') === true) through += 1
          return through === max
        },
        { pauseMs: 1 },
      )
      t.false(first?.call('key'))
      await until('the others know', () => others.every((node) => !node.call('key')), {
        pauseMs: 50,
      })
    })

    test('nodes that have lost contact let through the limit together', async (t) => {
      const nodes = await startNodes(t, servers(), { connected: false, nodes: names })
      const through = await Promise.all(nodes.map((node) => callAll([node], 'key')))
      t.deepEqual(through, [24, 24, 24])
    })
  },
  { servers: 1 },
)
