// Faults of the NATS servers, and of the links between hosts.

import { type BeginFault, type Fault, oneOf } from '#test/long/_fault.ts'
import { type HostedCluster, leadingNode } from '#test/long/_hosted_cluster.ts'
import type { PrivateHost } from '#test/long/_private_network.ts'

export const networkFaults = {
  'server killed': async ({ cluster: { servers }, random }) => {
    const index = Math.floor(random() * 3)
    await servers.signal(index, 'SIGKILL')
    return { what: `kill -9 of server ${index}`, end: () => servers.start(index) }
  },
  'server stands': async ({ cluster: { servers }, random }) => {
    const index = Math.floor(random() * 3)
    await servers.signal(index, 'SIGSTOP')
    const end = () => servers.signal(index, 'SIGCONT')
    return { what: `server ${index} stands still`, end }
  },
  'leader alone': async ({ cluster }) => {
    const { host } = await leadingNode(cluster)
    cutBoth(cluster, [host], cluster.serverHosts)
    return healed(cluster, `the leader ${host.name} is alone`)
  },
  'leader cut one way': async ({ cluster, random }) => {
    const { host } = await leadingNode(cluster)
    const isHeard = random() < 0.5
    for (const server of cluster.serverHosts) {
      if (isHeard) cluster.network.cut(server, host)
      else cluster.network.cut(host, server)
    }
    const what = isHeard ? 'hears nobody' : 'is not heard'
    return healed(cluster, `the leader ${host.name} ${what}`)
  },
  'server alone': async ({ cluster, random }) => {
    const one = oneOf(cluster.serverHosts, random)
    const others = cluster.serverHosts.filter((server) => server !== one)
    cutBoth(cluster, [one], others)
    return healed(cluster, `server ${one.name} is cut off from the other two`)
  },
  'server unheard': async ({ cluster, random }) => {
    const one = oneOf(cluster.serverHosts, random)
    for (const other of cluster.serverHosts) if (other !== one) cluster.network.cut(one, other)
    return healed(cluster, `server ${one.name} is not heard by the other two`)
  },
  'minority and majority': async ({ cluster, random }) => {
    const server = oneOf(cluster.serverHosts, random)
    const { host } = await leadingNode(cluster)
    const minority = [server, host]
    const majority = cluster.network.hosts.filter((one) => !minority.includes(one))
    cutBoth(cluster, minority, majority)
    return healed(cluster, `the leader ${host.name} and ${server.name} are cut off from the rest`)
  },
  'slow links': async ({ cluster, random }) => {
    const slow = [oneOf(cluster.serverHosts, random), (await leadingNode(cluster)).host]
    const by = slow.map((host) => cluster.network.slow(host))
    const names = slow.map(({ name }) => name).join(' and ')
    return healed(cluster, `the links of ${names} are slow and lose packets (${by[0]})`)
  },
} satisfies Record<string, BeginFault>

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
