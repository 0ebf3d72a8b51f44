import test, { type ExecutionContext } from 'ava'

import type { SharedStream } from '#actors/journal/shared_stream.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import { creationOf, openJournalNode } from '#test/simulation/_journal_node.ts'
import { openTwo } from '#test/src/cluster/_journal_streams.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'
import { until } from '#test/_until.ts'

async function startNode(t: ExecutionContext, shared: SharedStream) {
  const disk = new Map<string, Uint8Array>()
  const node = await openJournalNode({ store: openMemoryStore(disk), shared, create: true })
  t.teardown(() => node.member.close())
  return { ...node, disk }
}

overServers((servers) => {
  test('nodes lead by turns, and both have all in the same order', async (t) => {
    const [a, b] = await openTwo(t, servers())
    const nodes = [await startNode(t, a), await startNode(t, b)]
    const patience = new AbortController().signal
    for (let turn = 0; turn < 4; turn += 1) {
      const leader = nodes[turn % 2]
      const follower = nodes[(turn + 1) % 2]
      if (leader === undefined || follower === undefined) throw new Error('there are two nodes')
      follower.member.follow(patience)
      leader.member.lead()
      await until('the next one leads', () => leader.member.leads)
      const proposed = Array.from({ length: 50 }, (_, n) => creationOf(`o${turn}-${n}`, `${n}`))
      const answers = await Promise.all(proposed.map((proposal) => leader.propose(proposal)))
      t.true(answers.every(({ type }) => type === 'committed'))
      await until('the other follows', () => {
        return follower.member.place.sequence === leader.member.place.sequence
      })
    }
    t.deepEqual(
      nodes.map((node) => node.failure()),
      [undefined, undefined],
    )
    t.is(nodes[0]?.member.head.log.treeSize, 200)
    t.deepEqual(new Map(nodes[0]?.disk), new Map(nodes[1]?.disk))
  })
})
