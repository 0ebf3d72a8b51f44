import test from 'ava'

import { allKnown, mint, startCluster, steady } from '#test/scenario/_cluster.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

/** An hour's, so that no other hour begins meanwhile. */
const max = 60

overServers((servers) => {
  test('who asks all nodes at once has their limit, and a fifth more at most', async (t) => {
    const limits = { RATE_LIMITS: 'on', LIMIT_RESOLVE: String(max) }
    const { nodes, key } = await startCluster(t, servers(), { ...steady, ...limits })
    // A node that knows of no other one gives the whole limit away by itself.
    await allKnown(nodes)
    const [first] = nodes
    const ark = await mint(first, key, 'Read by many')
    const read = async (index: number) => {
      const { started } = (nodes[index % nodes.length] ?? first).server
      const { status } = await fetch(`${started.local_url}/v1/resolve/${ark}`)
      return status
    }
    const statuses: number[] = []
    const untilRefused = async (index: number): Promise<void> => {
      for (let refused = 0; refused < 20; ) {
        const status = await read(index)
        statuses.push(status)
        refused = status === 429 ? refused + 1 : 0
      }
    }
    await Promise.all(Array.from({ length: 30 }, (_, index) => untilRefused(index)))
    const through = statuses.filter((status) => status === 200).length
    t.log(`${through} of a limit of ${max}`)
    t.true(through <= max * 1.2, String(through))
    t.true(through >= max / 2, String(through))
    t.deepEqual(new Set(statuses), new Set([200, 429]))
  })
})
