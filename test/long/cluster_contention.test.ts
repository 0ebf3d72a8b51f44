// Many clients change one work at all nodes of a cluster at the same time.

import test from 'ava'

import { seed } from '#test/_seed.ts'
import { countOf } from '#test/long/_full_counts.ts'
import { checkHistory, whyNoChecker } from '#test/long/_linearizability.ts'
import { RegisterClients } from '#test/long/_register_history.ts'
import { type ClusterProcess, mint, startCluster, steady } from '#test/scenario/_cluster.ts'
import {
  changeAtOnce,
  type ContendedWork,
  countAtOnce,
  placesWithMetrics,
} from '#test/scenario/_contention.ts'
import { request } from '#test/scenario/_request.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'
import { until } from '#test/_until.ts'

const clients = 64
const changes = countOf({ few: 4, full: 32 })
/** Changes and reads of whose answers one order is found. */
const readAndWritten = countOf({ few: 400, full: 4_000 })

/** Nobody is refused, and so nobody goes elsewhere: each waits as long as it takes. */
const answerMsMax = 300_000

/** Clients that count in one work, and how far each does. */
const counters = { clients: 9, changes: countOf({ few: 4, full: 16 }) }

type Work = { readonly version: number; readonly description: string }

/** Waits until all nodes show a work as it is to be. */
async function allShow(
  nodes: readonly ClusterProcess[],
  { key, ark }: Pick<ContendedWork, 'key' | 'ark'>,
  isSo: (work: Work) => boolean,
): Promise<void> {
  for (const { name, server } of nodes) {
    const shows = async () => {
      const { status, body } = await request<Work>(server, `/v1/works/${ark}`, { key })
      return status === 200 && isSo(body)
    }
    await until(`${name} shows ${ark} as it is to be`, shows, { pauseMs: 20 })
  }
}

overServers((servers) => {
  test.serial(
    `${clients} clients change one work at three nodes, and none is refused`,
    async (t) => {
      t.timeout(30 * 60_000)
      const places = await placesWithMetrics(['a', 'b', 'c'])
      const { nodes, key } = await startCluster(t, servers(), steady, places)
      const ark = await mint(nodes[0], key, 'Changed by many')
      const contention = await changeAtOnce(nodes, { key, ark, clients, changes })
      t.deepEqual(contention.statuses, { 200: clients * changes })
      // No change is lost, and none is made twice.
      await allShow(nodes, { key, ark }, ({ version }) => version === 1 + clients * changes)
      t.log(`${clients * changes} changes, of which ${contention.superseded} were decided anew`)

      const counted = await mint(nodes[0], key, 'Counted in by many')
      const zero = { method: 'PUT', key, body: { description: '0' } }
      t.is((await request(nodes[0].server, `/v1/works/${counted}`, zero)).status, 200)
      await allShow(nodes, { key, ark: counted }, ({ description }) => description === '0')
      const { statuses } = await countAtOnce(nodes, { key, ark: counted, ...counters })
      const count = counters.clients * counters.changes
      t.is(statuses['200'], count)
      t.deepEqual(Object.keys(statuses).toSorted(), ['200', '412'])
      // Whoever has read it loses nothing of what others have written.
      await allShow(
        nodes,
        { key, ark: counted },
        ({ description }) => description === String(count),
      )
      t.log(`counted to ${count}, and ${statuses['412']} times told that it had been changed`)

      t.log(`seed ${seed}`)
      const urls = nodes.map(({ server }) => ({ url: server.started.local_url }))
      const registers = new RegisterClients(urls, key, { random: seededRandom(seed), answerMsMax })
      const register = await registers.register('Written and read by many')
      const ending = new AbortController()
      const running = Array.from({ length: clients }, (_, client) =>
        registers.run(client, [register], ending.signal),
      )
      const isEnough = () => registers.history.operations.length >= readAndWritten
      await until(`${readAndWritten} changes and reads`, isEnough, { pauseMs: 50 })
      ending.abort()
      await Promise.all(running)
      t.is(registers.refused, 0)
      if (whyNoChecker !== undefined) return t.log(`the order is not checked: ${whyNoChecker}`)
      const verdict = checkHistory(registers.history)
      t.deepEqual(verdict, { linearizable: 1, broken: [], undecided: [] })
    },
  )
})
