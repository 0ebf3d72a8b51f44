import test from 'ava'
import { Registry } from 'prom-client'

import type { ClusterStatus } from '#src/cluster/cluster_status.ts'
import { addClusterMetrics } from '#src/operations/metrics/metrics.ts'

test('a node tells whether it leads, how far it has come, and how many there are', async (t) => {
  let status: ClusterStatus = {
    node: 'a',
    role: 'leader',
    position: 812,
    tree_size: 700,
    connected: true,
    leader: 'a',
    nodes: [
      { node: 'a', role: 'leader', position: 812 },
      { node: 'b', role: 'follower', position: null },
    ],
    streams: [],
    impediments: [],
  }
  const registry = new Registry()
  const node = { status: () => status, superseded: 0 }
  addClusterMetrics(registry, node)
  const valueOf = async (name: string) => {
    const text = await registry.metrics()
    return new RegExp(`^arklog_cluster_${name} (.*)$`, 'm').exec(text)?.[1]
  }
  t.is(await valueOf('leads'), '1')
  t.is(await valueOf('connected'), '1')
  t.is(await valueOf('nodes'), '2')
  t.is(await valueOf('position'), '812')
  t.is(await valueOf('impediments'), '0')
  t.is(await valueOf('outrun_total'), '0')
  node.superseded = 3
  t.is(await valueOf('outrun_total'), '3')
  status = { ...status, role: 'follower', connected: false, leader: null, impediments: ['full'] }
  t.is(await valueOf('impediments'), '1')
  t.is(await valueOf('leads'), '0')
  t.is(await valueOf('connected'), '0')
})
