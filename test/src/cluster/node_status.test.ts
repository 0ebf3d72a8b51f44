import test from 'ava'

import { type StreamState, EngineWatch } from '#src/cluster/engine.ts'
import { until } from '#test/_until.ts'
import { bareNode } from '#test/src/cluster/_bare_node.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

overServers((servers) => {
  test('a status names streams before they are known', async (t) => {
    const { node, connection } = await bareNode(t, servers(), { name: 'a', bucket: 'statuses' })
    const unseen = { newest: null, messages: null, bytes: null, leader: null, replicas: [] }
    const known = new Map<string, StreamState | undefined>()
    const looked: string[] = []
    node.describeStreams({ streams: known, look: async (name) => void looked.push(name) })
    await node.registry('live')
    t.deepEqual(looked, ['arklog-live'], 'a stream is looked at as soon as it is opened')
    t.deepEqual(node.status('live').streams, [{ ...unseen, stream: 'arklog-live' }])
    node.watchIdentity({ isInContact: true, position: 3 })
    const { stream } = await node.identity()
    const end = AbortSignal.timeout(60_000)
    t.is(await stream.append(Buffer.from('first'), 0, end), 'appended')

    const watch = new EngineWatch({
      connection,
      needs: { messageBytesMax: 8_388_608 },
      streams: () => node.streams,
      optionalStreams: () => node.optionalStreams,
      isConnected: () => true,
      everyMs: 3_600_000,
      waitMs: 5_000,
      report: (error) => t.log(error),
    })
    t.teardown(() => watch.close())
    node.describeStreams(watch)
    await node.identity()
    await until('the new one is known', () => watch.streams.has('arklog-identity'))
    const [live, identity] = node.status('live').streams
    t.deepEqual(live, { ...unseen, stream: 'arklog-live' })
    // Messages that were carried out here have come since the stream was looked at.
    t.like(identity, { stream: 'arklog-identity', newest: 3, messages: 1, carried_out: 3 })
    t.is(identity?.replicas.length, 2)

    // It drops what is oldest: that would make a journal unsafe.
    node.watchCounts({ position: 5 })
    await node.openCounts()
    await until('the counts are known', () => watch.streams.has('arklog-usage'))
    const [counts] = node.status('live').streams.slice(-1)
    t.like(counts, { stream: 'arklog-usage', carried_out: 5 })
    await watch.check()
    t.deepEqual(watch.faults, [])

    node.describeStreams({ streams: new Map([['arklog-live', undefined]]), look: async () => {} })
    const names = node.status('live').streams.map(({ stream: name }) => name)
    t.deepEqual(
      names,
      ['arklog-identity', 'arklog-usage'],
      'one that is gone is an impediment, and not unknown',
    )
  })
})
