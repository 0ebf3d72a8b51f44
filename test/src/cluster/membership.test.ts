import test from 'ava'
import type { Membership } from '#src/cluster/membership.ts'
import { patiently } from '#src/cluster/passing_fault.ts'
import { until } from '#test/_until.ts'
import { testPatience } from '#test/src/cluster/_engine_options.ts'
import { leaseStore, writeOver } from '#test/src/cluster/_lease_options.ts'
import { join } from '#test/src/cluster/_membership.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

function names({ members }: Membership): string {
  return members.map(({ node }) => node).join(' ')
}

overServers((servers) => {
  test('nodes see each other come, say something of themselves, and leave', async (t) => {
    const store = async () => leaseStore(t, servers(), { name: 'coming', ttlMs: 30_000 })
    let changes = 0
    const a = join(t, { store: await store(), node: 'a', changed: () => void (changes += 1) })
    const b = join(t, { store: await store(), node: 'b', describe: () => ({ role: 'leader' }) })
    await until('they see each other', () => names(a) === 'a b' && names(b) === 'a b')
    await until('both are members', () => a.isMember && b.isMember)
    t.like(a.members[1], { node: 'b', said: { role: 'leader' } })
    const before = changes
    await b.leave()
    t.false(b.isMember)
    await until('a sees b leave', () => names(a) === 'a')
    t.is(changes, before + 1)
  })

  test('a node that is heard no more is gone, though nobody says so', async (t) => {
    const store = await leaseStore(t, servers(), { name: 'silence', ttlMs: 30_000 })
    let elapsedMs = 0
    const a = join(t, { store, node: 'a', elapsedMs: () => elapsedMs })
    join(t, { store, node: 'b' })
    await until('b is seen', () => names(a) === 'a b' && a.isMember)
    elapsedMs = 45_000
    t.is(names(a), '')
    t.false(a.isMember)
  })

  test('a name has one node, and is free again when that one has gone', async (t) => {
    const store = await leaseStore(t, servers(), { name: 'names', ttlMs: 30_000 })
    const first = join(t, { store, node: 'a' })
    await until('the first one has the name', () => first.isMember)
    const second = join(t, { store, node: 'a' })
    await until('the second one sees why', () => second.whyTaken !== undefined)
    t.is(second.whyTaken?.code, 'node_name_taken')
    t.regex(
      second.whyTaken?.message ?? '',
      /^Node a of this cluster is another process\. Each process needs its own CLUSTER_NODE/,
    )
    t.is(first.whyTaken, undefined)
    t.false(second.isMember)
    await first.leave()
    await until('the second one has the name', () => second.isMember)
    await until('and knows', () => second.whyTaken === undefined)
  })

  test('a node that goes on as it was is no change', async (t) => {
    const store = await leaseStore(t, servers(), { name: 'steady', ttlMs: 60_000 })
    let changes = 0
    const a = join(t, { store, node: 'a', changed: () => void (changes += 1) })
    await until('a is a member', () => a.isMember && names(a) === 'a')
    const before = changes
    for (const times of [0, 1, 2, 3]) await writeOver(store, 'node.b', { holder: 'b', times })
    await until('all is seen', () => a.members.some(({ said }) => said['times'] === 3))
    t.is(changes, before + 1)
    await writeOver(store, 'node.b', { holder: 'another life' })
    await until('the other life is seen', () => changes === before + 2)
  })

  test('what is no node is passed over', async (t) => {
    const store = await leaseStore(t, servers(), { name: 'strange', ttlMs: 30_000 })
    await writeOver(store, 'node.NoName', { holder: 'x' })
    const holderless = JSON.parse('{"role": "no holder"}') as { holder: string }
    await patiently(() => store.create('node.b', holderless), testPatience)
    const a = join(t, { store, node: 'a' })
    await until('a is a member', () => names(a) === 'a')
    t.is(await patiently(() => store.read('node.b'), testPatience), undefined)
  })
})
