import assert from 'node:assert/strict'
import fs from 'node:fs/promises'

import type { Fault, Faulty } from '#test/long/_fault.ts'
import { type HostedCluster, readyStatus } from '#test/long/_hosted_cluster.ts'
import { startAgain } from '#test/scenario/_cluster.ts'
import { untilGiven } from '#test/_until.ts'

const indices = [0, 1, 2]

/** Entries that are written after the copy that is restored. */
const entriesLater = 5

/**
 * What all NATS servers hold is put back to what it was some entries ago: every node has to stop,
 * and to say why. It ends with the streams as they were before that.
 */
export async function restoreOlderStreams({ t, cluster }: Faulty): Promise<Fault> {
  const { nodes, servers } = cluster
  await copyStreams(cluster, older)
  await written(cluster, entriesLater)
  await Promise.all(indices.map((index) => servers.signal(index, 'SIGKILL')))
  await Promise.all(indices.map((index) => fs.rename(servers.storeOf(index), newer(index))))
  await Promise.all(indices.map((index) => fs.rename(older(index), servers.storeOf(index))))
  await startServers()
  for (const { process } of nodes) {
    const { code, stderr } = await process.server.ended
    assert.notEqual(code, 0, `${process.name} has ended well`)
    assert.match(stderr, /was rolled back or made anew/, `${process.name} does not say why`)
  }
  const end = async () => {
    await Promise.all(indices.map((index) => servers.signal(index, 'SIGKILL')))
    for (const index of indices) {
      await fs.rm(servers.storeOf(index), { recursive: true })
      await fs.rename(newer(index), servers.storeOf(index))
    }
    await startServers()
    await Promise.all(nodes.map(({ process }) => startAgain(t, process)))
  }
  return { what: 'the streams are restored as they were before, and all nodes stop', end }

  function older(index: number): string {
    return `${servers.storeOf(index)}-older`
  }

  function newer(index: number): string {
    return `${servers.storeOf(index)}-newer`
  }

  async function startServers(): Promise<void> {
    await Promise.all(indices.map((index) => servers.start(index)))
    await servers.ready()
  }
}

/** Copies what each server holds, as of one moment: all stand still meanwhile. */
async function copyStreams(
  { servers }: HostedCluster,
  copyOf: (index: number) => string,
): Promise<void> {
  await Promise.all(indices.map((index) => servers.signal(index, 'SIGSTOP')))
  for (const index of indices) {
    await fs.cp(servers.storeOf(index), copyOf(index), { recursive: true })
  }
  await Promise.all(indices.map((index) => servers.signal(index, 'SIGCONT')))
}

/** Waits until the clients have had so many further entries written. */
async function written({ nodes }: HostedCluster, entries: number): Promise<void> {
  const size = async () => {
    const said = await Promise.all(nodes.map(readyStatus))
    const sizes = said.flatMap((status) => (status === undefined ? [] : [status.tree_size]))
    return sizes.length === nodes.length ? Math.min(...sizes) : undefined
  }
  const before = await untilGiven('all nodes are ready', size)
  await untilGiven('all nodes have some entries more', async () => {
    const now = await size()
    return now !== undefined && now >= before + entries ? now : undefined
  })
}
