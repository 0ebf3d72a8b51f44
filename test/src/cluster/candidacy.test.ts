import test, { type ExecutionContext } from 'ava'

import { Candidacy } from '#src/cluster/node.ts'
import { until } from '#test/_until.ts'
import { bareNode } from '#test/src/cluster/_bare_node.ts'
import type { NatsServers } from '#test/src/cluster/_nats_servers.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

const elapsedMs = () => performance.now()

/** A node, without environments, that can be kept from leading. */
async function startNode(t: ExecutionContext, servers: NatsServers, name: string) {
  const { node } = await bareNode(t, servers, { name, bucket: 'candidates' })
  let blockers: readonly string[] = []
  const told: (readonly string[])[] = []
  node.blockLeadership(() => blockers)
  const candidacy = new Candidacy({
    node,
    soundMs: 0,
    elapsedMs,
    report: (found) => told.push(found),
  })
  t.teardown(() => candidacy.close())
  return {
    node,
    told,
    blockLeadership: (found: readonly string[]) => (blockers = found),
    leads: () => node.status('live').role === 'leader',
  }
}

overServers((servers) => {
  test('a node that is kept from leading hands over, and leads again when it may', async (t) => {
    const first = await startNode(t, servers(), 'a')
    await until('the first node leads', first.leads)
    const second = await startNode(t, servers(), 'b')
    first.blockLeadership(['the disk is full'])
    await until('the second node leads', () => second.leads() && !first.leads())
    t.deepEqual(first.node.status('live').impediments, ['the disk is full'])
    second.blockLeadership(['the disk is full'])
    await until('nobody leads', () => !second.leads() && !first.leads())
    first.blockLeadership([])
    await until('the first node leads again', first.leads)
    t.deepEqual(first.told, [['the disk is full'], []])
  })
})
