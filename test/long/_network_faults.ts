import { setTimeout as rest } from 'node:timers/promises'

import { type HostedCluster, type HostedNode, leadingNode } from '#test/long/_hosted_cluster.ts'
import type { PrivateHost } from '#test/long/_private_network.ts'
import { startAgain } from '#test/scenario/_cluster.ts'
import type { Owner } from '#test/src/fetch/_servers.ts'

/** A fault that is there: what it is, and how all is made whole again. */
export type Fault = { readonly what: string; end(): Promise<void> }

/** Where faults happen, whom they hit, and by which numbers in [0, 1) they are drawn. */
export type Faulty = {
  readonly t: Owner
  readonly cluster: HostedCluster
  readonly random: () => number
}

type BeginFault = (faulty: Faulty) => Promise<Fault>

/** All kinds of faults: of rounds that are as many as they are, each is in one. */
const faultKinds: readonly BeginFault[] = [
  async (faulty) => killNode(faulty, await leadingNode(faulty.cluster), 'the leader'),
  async ({ cluster, ...faulty }) => {
    const leader = await leadingNode(cluster)
    const others = cluster.nodes.filter((node) => node !== leader)
    return killNode({ ...faulty, cluster }, oneOf(others, faulty.random), 'a follower')
  },
  async ({ cluster: { servers }, random }) => {
    const index = Math.floor(random() * 3)
    await servers.signal(index, 'SIGKILL')
    return { what: `kill -9 of server ${index}`, end: () => servers.start(index) }
  },
  async ({ cluster }) => {
    const { process } = await leadingNode(cluster)
    process.server.child.kill('SIGSTOP')
    const end = async () => void process.server.child.kill('SIGCONT')
    return { what: `the leader ${process.name} stands still`, end }
  },
  async ({ cluster: { servers }, random }) => {
    const index = Math.floor(random() * 3)
    await servers.signal(index, 'SIGSTOP')
    const end = () => servers.signal(index, 'SIGCONT')
    return { what: `server ${index} stands still`, end }
  },
  async ({ cluster }) => {
    const { host } = await leadingNode(cluster)
    cutBoth(cluster, [host], cluster.serverHosts)
    return healed(cluster, `the leader ${host.name} is alone`)
  },
  async ({ cluster, random }) => {
    const { host } = await leadingNode(cluster)
    const isHeard = random() < 0.5
    for (const server of cluster.serverHosts) {
      if (isHeard) cluster.network.cut(server, host)
      else cluster.network.cut(host, server)
    }
    const what = isHeard ? 'hears nobody' : 'is not heard'
    return healed(cluster, `the leader ${host.name} ${what}`)
  },
  async ({ cluster, random }) => {
    const one = oneOf(cluster.serverHosts, random)
    const others = cluster.serverHosts.filter((server) => server !== one)
    cutBoth(cluster, [one], others)
    return healed(cluster, `server ${one.name} is cut off from the other two`)
  },
  async ({ cluster, random }) => {
    const one = oneOf(cluster.serverHosts, random)
    for (const other of cluster.serverHosts) if (other !== one) cluster.network.cut(one, other)
    return healed(cluster, `server ${one.name} is not heard by the other two`)
  },
  async ({ cluster, random }) => {
    const server = oneOf(cluster.serverHosts, random)
    const { host } = await leadingNode(cluster)
    const minority = [server, host]
    const majority = cluster.network.hosts.filter((one) => !minority.includes(one))
    cutBoth(cluster, minority, majority)
    return healed(cluster, `the leader ${host.name} and ${server.name} are cut off from the rest`)
  },
  async ({ cluster, random }) => {
    const slow = [oneOf(cluster.serverHosts, random), (await leadingNode(cluster)).host]
    const by = slow.map((host) => cluster.network.slow(host))
    const names = slow.map(({ name }) => name).join(' and ')
    return healed(cluster, `the links of ${names} are slow and lose packets (${by[0]})`)
  },
  killAll,
]

function oneOf<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('there is one')
  return item
}

async function killNode({ t }: Faulty, { process }: HostedNode, who: string): Promise<Fault> {
  await process.server.end('SIGKILL')
  return { what: `kill -9 of ${who} ${process.name}`, end: () => startAgain(t, process) }
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

function cutBoth(
  { network }: HostedCluster,
  ones: readonly PrivateHost[],
  others: readonly PrivateHost[],
): void {
  for (const one of ones) {
    for (const other of others) {
      network.cut(one, other)
      network.cut(other, one)
    }
  }
}

function healed({ network }: HostedCluster, what: string): Fault {
  return { what, end: async () => network.heal() }
}

/** The kinds of so many rounds: all of them, in an order that is drawn, before one comes again. */
export function drawFaults(rounds: number, random: () => number): readonly BeginFault[] {
  const drawn: BeginFault[] = []
  while (drawn.length < rounds) {
    const order = faultKinds.map((begin) => ({ begin, place: random() }))
    drawn.push(...order.toSorted((a, b) => a.place - b.place).map(({ begin }) => begin))
  }
  return drawn.slice(0, rounds)
}

/** Lets a fault stand for a time that is drawn, up to some lengths of a lease. */
export async function endLater({ random }: Faulty, fault: Fault): Promise<void> {
  await rest(2_000 + random() * 5_000)
  await fault.end()
}
