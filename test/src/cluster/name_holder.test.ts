import test from 'ava'

import { until } from '#test/_until.ts'
import { awaitFreeName, type LeaseStore, nameFolder } from '#src/cluster/lease.ts'
import { findLeases } from '#src/cluster/lease_bucket.ts'
import { bareNode } from '#test/src/cluster/_bare_node.ts'
import { testPatience } from '#test/src/cluster/_engine_options.ts'
import { leaseStore, writeOver } from '#test/src/cluster/_lease_options.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

const elapsedMs = () => performance.now()
const advice = 'Take another one.'

overServers((servers) => {
  test('a name whose holder runs is refused, and the holder is named', async (t) => {
    const store = await leaseStore(t, servers(), { name: 'held', ttlMs: 30_000 })
    await awaitFreeName({ store, node: 'a', elapsedMs, advice })
    const holder = { holder: 'life', host: 'host-1' }
    await writeOver(store, `${nameFolder}.a`, holder)
    const awaited = awaitFreeName({ store, node: 'a', elapsedMs, advice })
    let isOver = false
    const refused = t
      .throwsAsync(awaited, {
        code: 'node_name_taken',
        message: 'Node a of this cluster (on host host-1) is already running. Take another one.',
      })
      .finally(() => (isOver = true))
    const renew = async () => {
      await writeOver(store, `${nameFolder}.a`, holder)
      return isOver
    }
    await until('the holder is found to live', renew, { pauseMs: 100 })
    await refused
    await awaitFreeName({ store, node: 'b', elapsedMs, advice })
  })

  test('a name whose holder was killed is waited for, and had as soon as it is free', async (t) => {
    const store = await leaseStore(t, servers(), { name: 'killed', ttlMs: 2_000 })
    await writeOver(store, `${nameFolder}.a`, { holder: 'killed' })
    // However long the servers take to let go of it.
    await awaitFreeName({ store, node: 'a', elapsedMs: () => 0, advice })
    t.is(await store.read(`${nameFolder}.a`), undefined)
  })

  test('a renewal that was on its way when its holder was killed shows no life', async (t) => {
    let revision = 1
    const holder = { holder: 'killed' }
    const answers = [
      { value: holder, revision },
      { value: holder, revision: 2 },
    ]
    const read: LeaseStore['read'] = async () => answers.shift()
    const still = { node: 'a', elapsedMs: () => 0, advice }
    await awaitFreeName({ store: { ttlMs: 40, read }, ...still })
    const renewed: LeaseStore['read'] = async () => ({ value: holder, revision: (revision += 1) })
    const living = awaitFreeName({ store: { ttlMs: 40, read: renewed }, ...still })
    await t.throwsAsync(living, {
      code: 'node_name_taken',
      message: /^Node a of this cluster is already running/,
    })
    t.is(revision, 4, 'it was seen thrice')
  })

  test('who joins finds the leases of a cluster that is there, and makes none', async (t) => {
    const { node, connection } = await bareNode(t, servers(), { name: 'a', bucket: 'found' })
    await node.join()
    const patience = testPatience
    const found = await findLeases({ connection, name: 'found', patience })
    t.like(await found?.read(`${nameFolder}.a`), { value: { host: 'host-1' } })
    t.is(await findLeases({ connection, name: 'unheard-of', patience }), undefined)
    t.is(await findLeases({ connection, name: 'unheard-of', patience }), undefined)
  })
})
