import test, { type ExecutionContext } from 'ava'

import type { LeaderMessage } from '#actors/journal/shared_sequencer.ts'
import { ask, referTo } from '#actors/kernel/kernel.ts'
import { connectEngine } from '#src/cluster/engine.ts'
import { ClusterNode } from '#src/cluster/node.ts'
import { untilGiven } from '#test/_until.ts'
import { neverMs } from '#test/actors/kernel/_counter.ts'
import { engineOptions, testPatience } from '#test/src/cluster/_engine_options.ts'
import { leaseStore } from '#test/src/cluster/_lease_options.ts'
import type { NatsServers } from '#test/src/cluster/_nats_servers.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

/** A node of a cluster of tests, until the end of the test. */
async function startNode(t: ExecutionContext, servers: NatsServers, node: string) {
  const connection = await connectEngine(engineOptions(servers, node))
  t.teardown(() => connection.close())
  let ids = 0
  const started = new ClusterNode({
    connection,
    leases: await leaseStore(t, servers, { name: 'nodes' }),
    node,
    host: 'host-1',
    drawId: () => `${node}${(ids += 1)}`,
    patience: testPatience,
    elapsedMs: () => performance.now(),
    clock: { systemMs: Date.now, hear: () => undefined },
    report: () => undefined,
    reportActor: () => undefined,
    stopped: (error) => t.fail(String(error)),
  })
  t.teardown(() => started.close())
  await started.join()
  return started
}

type Part = Parameters<ClusterNode['add']>[1]

/** Of an environment's part of a node, what takes questions: it tells how many events there are. */
function partAt(position: number): Part {
  const member = { isInSync: true, lead: () => undefined, follow: () => undefined }
  const offered = referTo('leader', (message: LeaderMessage) => {
    if (message.type === 'tell_position') message.reply.resolve(position)
    return true
  })
  return { member, offered } as unknown as Part
}

overServers((servers) => {
  // A leader that is killed and is back before its lease is gone is dialled while it starts. The
  // link stays, and has to lead to what is there once it leads again.
  test('a node that is dialled while it still starts answers once it has started', async (t) => {
    const a = await startNode(t, servers(), 'a')
    const b = await startNode(t, servers(), 'b')
    const { leader } = await b.registry('live')
    a.campaign()
    const reached = await untilGiven('a is reached', async () => leader(), { pauseMs: 10 })
    a.add('live', partAt(7))
    t.is(await ask(reached, { type: 'tell_position' }, neverMs), 7)
  })
})
