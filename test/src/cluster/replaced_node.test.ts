import test from 'ava'

import type { ClusterError } from '#src/cluster/cluster_error.ts'
import { until } from '#test/_until.ts'
import { leaseStore, writeOver } from '#test/src/cluster/_lease_options.ts'
import { join } from '#test/src/cluster/_membership.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

overServers((servers) => {
  test('a node whose name another process has taken meanwhile is told to end', async (t) => {
    const store = await leaseStore(t, servers(), { name: 'replaced', ttlMs: 30_000 })
    const told: string[] = []
    const replaced = ({ code, message }: ClusterError) => told.push(`${code}: ${message}`)
    const late = join(t, { store, node: 'a', replaced })
    await until('it is a member', () => late.isMember && late.members.length === 1)
    // As when its lease ends while it stands still, and another process starts under its name.
    await writeOver(store, 'node.a', { holder: 'another life', host: 'host-2' })
    await until('the late one is told', () => told.length > 0)
    t.is(told.length, 1)
    t.regex(
      told[0] ?? '',
      /^node_name_taken: Node a of this cluster \(on host host-2\) is now another/,
    )
  })
})
