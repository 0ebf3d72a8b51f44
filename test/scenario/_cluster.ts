import { cp } from 'node:fs/promises'

import type { NatsServers } from '#test/src/cluster/_nats_servers.ts'
import { untilGiven } from '#test/_until.ts'
import type { Owner } from '#test/src/fetch/_servers.ts'
import {
  firstKey,
  newDataDir,
  runArklog,
  type Server,
  type Settings,
  startServer,
} from '#test/scenario/_process.ts'

/** A node of a cluster of tests, as a process that may be started again. */
export type ClusterProcess = {
  readonly name: string
  readonly settings: Settings
  server: Server
}

/** What a node says of itself and the others. */
export type NodeStatus = {
  readonly node: string
  readonly role: 'leader' | 'follower'
  readonly position: number
  readonly tree_size: number
  readonly leader: string | null
  readonly nodes: readonly { readonly node: string; readonly role: string }[]
}

/** Three nodes that run one registry, and a key of an organization there. */
export type ClusterProcesses = {
  readonly nodes: readonly [ClusterProcess, ClusterProcess, ClusterProcess]
  readonly key: string
}

/** Short, so that the tests are; the default is longer. */
const leaseMs = '2000'

/** Starts a registry as the first node of a cluster, and two that have copies of its folder. */
export async function startCluster(t: Owner, servers: NatsServers): Promise<ClusterProcesses> {
  const common = { RATE_LIMITS: 'off', SEARCH: 'off', CLUSTER_LEASE_MS: leaseMs }
  const settingsOf = async (name: string): Promise<Settings> => {
    const own = { DATA_DIR: await newDataDir(t), CLUSTER_NODE: name }
    return { ...common, ...own, CLUSTER_URL: servers.url }
  }
  const first = await settingsOf('a')
  const alone = await startServer(t, first)
  const key = firstKey(alone)
  await alone.end('SIGTERM')
  const start = async (settings: Settings, name: string): Promise<ClusterProcess> => {
    return { name, settings, server: await startServer(t, settings) }
  }
  const copied = async (name: string): Promise<Settings> => {
    const settings = await settingsOf(name)
    await cp(first['DATA_DIR'] ?? '', settings['DATA_DIR'] ?? '', { recursive: true })
    return settings
  }
  const [second, third] = [await copied('b'), await copied('c')]
  const nodes = [
    await start(first, 'a'),
    await start(second, 'b'),
    await start(third, 'c'),
  ] as const
  return { nodes, key }
}

/** What `cluster status` says at a node. */
export async function statusOf(t: Owner, { settings }: ClusterProcess): Promise<NodeStatus> {
  const { code, stdout, stderr } = await runArklog(t, ['cluster', 'status', '--json'], settings)
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as NodeStatus
}

/** The node that all others take for the leader. */
export function leaderOf(t: Owner, nodes: readonly ClusterProcess[]): Promise<ClusterProcess> {
  return untilGiven(
    'the nodes agree on who leads',
    async () => {
      const all = await Promise.all(nodes.map((node) => statusOf(t, node)))
      const [name] = new Set(all.map(({ leader }) => leader))
      const isOne = new Set(all.map(({ leader }) => leader)).size === 1
      const roles = all.filter(({ role }) => role === 'leader')
      if (!isOne || roles.length !== 1 || roles[0]?.node !== name) return undefined
      return nodes.find((node) => node.name === name)
    },
    { pauseMs: 200 },
  )
}
