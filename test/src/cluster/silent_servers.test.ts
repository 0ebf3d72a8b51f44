// What a node does while its NATS servers are reached and say nothing.

import test from 'ava'

import { EngineWatch } from '#src/cluster/engine.ts'
import { until } from '#test/_until.ts'
import { bareNode } from '#test/src/cluster/_bare_node.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

const indexes = [0, 1, 2]

overServers((servers) => {
  test.serial('a node that leads ends while all servers stand still', async (t) => {
    const { node, connection } = await bareNode(t, servers(), { name: 'a', bucket: 'silent' })
    const watch = new EngineWatch({
      connection,
      needs: { messageBytesMax: 8_388_608 },
      streams: () => node.streams,
      isConnected: () => node.status('live').connected,
      everyMs: 3_600_000,
      waitMs: 1_000,
      report: (error) => t.log(error),
    })
    node.describeStreams(watch)
    await node.join()
    await node.registry('live')
    const invitations = node.invitations({
      random: (bytes) => Buffer.alloc(bytes, 1),
      systemMs: () => 0,
      copy: async function* copy() {},
      report: () => undefined,
    })
    node.campaign()
    await until('it leads', () => node.status('live').role === 'leader')
    t.teardown(() => Promise.all(indexes.map((at) => servers().signal(at, 'SIGCONT'))))
    for (const at of indexes) await servers().signal(at, 'SIGSTOP')
    void watch.check()
    const ended: string[] = []
    const end = async () => {
      await invitations.close()
      ended.push('invitations')
      await node.handOver()
      ended.push('lead')
      await watch.close()
      ended.push('watch')
      await node.close()
      ended.push('node')
      await connection.close()
      ended.push('connection')
    }
    const ending = end()
    await until('all of it has ended', () => ended.at(-1) === 'connection', { pauseMs: 50 })
    await ending
    t.deepEqual(ended, ['invitations', 'lead', 'watch', 'node', 'connection'])
    t.false(node.status('live').connected)
  })

  test.serial('a start ends with what is wrong, and does not wait for ever', async (t) => {
    for (const at of indexes) await servers().signal(at, 'SIGCONT')
    await servers().ready()
    let hurry = 0
    const elapsedMs = () => performance.now() + (hurry += 1_000)
    const second = { name: 'b', bucket: 'silent', elapsedMs }
    const { node } = await bareNode(t, servers(), second)
    t.teardown(() => Promise.all(indexes.map((at) => servers().signal(at, 'SIGCONT'))))
    for (const at of indexes) await servers().signal(at, 'SIGSTOP')
    await t.throwsAsync(node.join(), { code: 'engine_failed', message: /do not accept the name/ })
  })
})
