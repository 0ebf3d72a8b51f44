// Three nodes and three NATS servers, each on a host of its own in a private network.

import { startNatsServers, type NatsServers } from '#test/src/cluster/_nats_servers.ts'
import { type ClusterProcess, type NodeStatus, startCluster } from '#test/scenario/_cluster.ts'
import { type PrivateHost, PrivateNetwork } from '#test/long/_private_network.ts'
import { canMount, SmallDisk } from '#test/long/_small_disk.ts'
import type { Owner } from '#test/src/delivery/fetch/_servers.ts'
import { untilGiven } from '#test/_until.ts'

/** A node and the host that it runs on. */
export type HostedNode = {
  readonly process: ClusterProcess
  readonly host: PrivateHost
  /** Where clients ask it. */
  readonly url: string
}

/** The whole of it, with a key of an organization there. */
export type HostedCluster = {
  readonly network: PrivateNetwork
  readonly servers: NatsServers
  readonly serverHosts: readonly PrivateHost[]
  readonly nodes: readonly HostedNode[]
  /** The disk of one node, which is its own, where one can be mounted. */
  readonly smallDisk: { readonly node: string; readonly disk: SmallDisk } | undefined
  readonly key: string
}

const port = '8080'
const adminPort = '8081'

/** What is left free of the small disk, by the node's own count. */
const reserveBytes = 64 * 2 ** 20

/** Starts all; it ends with its owner. */
export async function startHostedCluster(t: Owner): Promise<HostedCluster> {
  const nodeNames = ['a', 'b', 'c']
  const network = new PrivateNetwork(t, ['s0', 's1', 's2', ...nodeNames])
  const serverHosts = network.hosts.slice(0, 3)
  const servers = await startNatsServers({ hosts: serverHosts })
  t.teardown(() => servers.stop())
  const hostOf = (name: string): PrivateHost => {
    const host = network.hosts.find((one) => one.name === name)
    if (host === undefined) throw new Error(`there is a host for ${name}`)
    return host
  }
  const smallDisk = canMount ? { node: 'c', disk: await SmallDisk.mount(t) } : undefined
  const placeOf = (name: string) => {
    const { address, prefix } = hostOf(name)
    const listen = { HOST: address, PORT: port, ADMIN_HOST: address, ADMIN_PORT: adminPort }
    if (name !== smallDisk?.node) return { prefix, settings: listen }
    const disk = { DATA_DIR: smallDisk.disk.dataDir, DISK_RESERVE_BYTES: `${reserveBytes}` }
    return { prefix, settings: { ...listen, ...disk } }
  }
  const { nodes: processes, key } = await startCluster(t, servers, {}, placeOf)
  const nodes = processes.map((process) => {
    const host = hostOf(process.name)
    return { process, host, url: `http://${host.address}:${port}` }
  })
  return { network, servers, serverHosts, nodes, smallDisk, key }
}

/** What a node says at its administrator's port; undefined where it does not, or is not ready. */
export async function readyStatus({ host }: HostedNode): Promise<NodeStatus | undefined> {
  try {
    const url = `http://${host.address}:${adminPort}/readyz`
    const reply = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    const said = (await reply.json()) as NodeStatus
    return reply.status === 200 ? said : undefined
  } catch {
    return undefined
  }
}

/** The node that the first one to answer takes for the leader. */
export function leadingNode({ nodes }: HostedCluster): Promise<HostedNode> {
  return untilGiven(
    'a node leads',
    async () => {
      const said = await Promise.all(nodes.map(readyStatus))
      const leader = said.find((status) => status !== undefined)?.leader
      return nodes.find(({ process }) => process.name === leader)
    },
    { pauseMs: 200 },
  )
}

/** Waits until all nodes are ready, have one leader, and have come equally far; gives the size. */
export function settled({ nodes }: HostedCluster): Promise<number> {
  return untilGiven(
    'all nodes have come equally far',
    async () => {
      const said = await Promise.all(nodes.map(readyStatus))
      const seen = said.map((one) => one && `${one.leader} ${one.position} ${one.tree_size}`)
      return new Set(seen).size === 1 ? said[0]?.tree_size : undefined
    },
    { pauseMs: 200 },
  )
}
