// Faults of the machines that nodes run on.

import { existsSync } from 'node:fs'

import { type BeginFault, type Fault, type Faulty, oneOf } from '#test/long/_fault.ts'
import { type HostedNode, leadingNode } from '#test/long/_hosted_cluster.ts'
import { canMount } from '#test/long/_small_disk.ts'
import { startAgain } from '#test/scenario/_cluster.ts'
import { startServer } from '#test/scenario/_process.ts'

/** What shifts the wall clock of a program, and leaves its steady clock alone. */
const faketime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'
const hourAhead = { LD_PRELOAD: faketime, FAKETIME: '+1h', FAKETIME_DONT_FAKE_MONOTONIC: '1' }

/** Longer than everything that anybody waits for. */
const longStandMs = 30_000

export const nodeFaults = {
  'leader killed': async (faulty) => {
    return killNode(faulty, await leadingNode(faulty.cluster), 'the leader')
  },
  'follower killed': async (faulty) => {
    const { cluster, random } = faulty
    const leader = await leadingNode(cluster)
    const others = cluster.nodes.filter((node) => node !== leader)
    return killNode(faulty, oneOf(others, random), 'a follower')
  },
  'leader stands': (faulty) => standStill(faulty),
  'leader stands for long': (faulty) => standStill(faulty, longStandMs),
  'all killed': killAll,
  ...(canMount && { 'disk full': fillDisk }),
  // Without what shifts it, no clock is put forward.
  ...(existsSync(faketime) && { 'clock ahead': putClockForward }),
} satisfies Record<string, BeginFault>

async function killNode({ t }: Faulty, { process }: HostedNode, who: string): Promise<Fault> {
  await process.server.end('SIGKILL')
  return { what: `kill -9 of ${who} ${process.name}`, end: () => startAgain(t, process) }
}

async function standStill({ cluster }: Faulty, standsMs?: number): Promise<Fault> {
  const { process } = await leadingNode(cluster)
  process.server.child.kill('SIGSTOP')
  const end = async () => void process.server.child.kill('SIGCONT')
  const what = `the leader ${process.name} stands still`
  return standsMs === undefined
    ? { what, end }
    : { what: `${what} for ${standsMs} ms`, standsMs, end }
}

async function killAll({ t, cluster: { nodes, servers } }: Faulty): Promise<Fault> {
  await Promise.all([
    ...nodes.map(({ process }) => process.server.end('SIGKILL')),
    ...[0, 1, 2].map((index) => servers.signal(index, 'SIGKILL')),
  ])
  const end = async () => {
    await Promise.all([0, 1, 2].map((index) => servers.start(index)))
    await servers.ready()
    await Promise.all(nodes.map(({ process }) => startAgain(t, process)))
  }
  return { what: 'kill -9 of everything at once', end }
}

async function fillDisk({ t, cluster: { nodes, smallDisk } }: Faulty): Promise<Fault> {
  if (smallDisk === undefined) throw new Error('a node has a disk of its own')
  const { disk, node: name } = smallDisk
  await disk.fill()
  const full = nodes.find(({ process }) => process.name === name)?.process
  const end = async () => {
    await disk.empty()
    const { exitCode, signalCode } = full?.server.child ?? {}
    const hasEnded = exitCode !== null || signalCode !== null
    if (full !== undefined && hasEnded) await startAgain(t, full)
  }
  return { what: `the disk of ${name} is full`, end }
}

async function putClockForward({ t, cluster: { nodes }, random }: Faulty): Promise<Fault> {
  const { process } = oneOf(nodes, random)
  await process.server.end('SIGKILL')
  const { settings, prefix } = process
  process.server = await startServer(t, { ...settings, ...hourAhead }, [], prefix)
  const end = async () => {
    await process.server.end('SIGTERM')
    await startAgain(t, process)
  }
  return { what: `the clock of ${process.name} is an hour ahead`, end }
}
