// Three nodes over NATS servers, one of which is restarted as one that a loss of power empties.

import test from 'ava'

import {
  type ClusterProcess,
  leaderOf,
  mint,
  shows,
  startCluster,
  statusOf,
} from '#test/scenario/_cluster.ts'
import { call, newWork } from '#test/scenario/_process.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'
import { until } from '#test/_until.ts'

overServers((servers) => {
  test('nothing is written over servers that became unsafe, until they are safe', async (t) => {
    const { nodes, key } = await startCluster(t, servers())
    const [first] = nodes
    await leaderOf(nodes)
    const ark = await mint(first, key, 'Written safely')
    await servers().signal(1, 'SIGTERM')
    await servers().start(1, { syncInterval: '10s' })
    const eachSays = async (isSo: (node: ClusterProcess) => Promise<boolean>) => {
      const said = await Promise.all(nodes.map(isSo))
      return said.every(Boolean)
    }
    await until(
      'each node has seen it',
      () =>
        eachSays(async (node) => {
          const { impediments } = await statusOf(t, node)
          return impediments.some((found) => found.includes('nats-1 acknowledges before its disk'))
        }),
      { pauseMs: 500 },
    )
    await until('nobody leads', async () => {
      const { leader } = await statusOf(t, first)
      return leader === null
    })
    for (const node of nodes) {
      t.true(await shows(node, ark, 'Written safely'))
      t.is((await call(node.server, '/readyz')).status, 503)
    }
    const refused = await call(first.server, '/v1/works', { key, body: newWork('Not written') })
    t.is(refused.status, 503)
    await servers().restart(1)
    await leaderOf(nodes)
    const later = await mint(first, key, 'Written safely again')
    t.true(await shows(first, later, 'Written safely again'))
  })
})
