import { randomUUID } from 'node:crypto'
import { cp } from 'node:fs/promises'

import { AdminClient } from '#src/cli/admin_client.ts'
import { adminSocketPath } from '#src/keeping/data_dir/admin_socket.ts'
import type { NatsServers } from '#test/src/cluster/_nats_servers.ts'
import { until, untilGiven } from '#test/_until.ts'
import type { Owner } from '#test/src/delivery/fetch/_servers.ts'
import {
  call,
  firstKey,
  newDataDir,
  newWork,
  runArklog,
  type Server,
  type Settings,
  startServer,
} from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'

/** A node of a cluster of tests, as a process that may be started again. */
export type ClusterProcess = {
  readonly name: string
  readonly settings: Settings
  /** What it is started with where it runs on a host of its own. */
  readonly prefix?: readonly string[]
  server: Server
}

/** Where a node runs if it is not this host. */
export type NodePlace = { readonly settings: Settings; readonly prefix: readonly string[] }

/** What a node says of itself and the others. */
export type NodeStatus = {
  readonly node: string
  readonly role: 'leader' | 'follower'
  readonly position: number
  readonly tree_size: number
  readonly leader: string | null
  readonly impediments: readonly string[]
  readonly nodes: readonly { readonly node: string; readonly role: string }[]
}

/** Three nodes that run one registry, and a key of an organization there. */
export type ClusterProcesses = {
  readonly nodes: readonly [ClusterProcess, ClusterProcess, ClusterProcess]
  readonly key: string
}

/** Short, so that the tests are, and longer than a busy machine keeps a node off its processor. */
export const leaseMs = 4_000
const contactMs = '8000'

/** For tests in which no node fails: none counts as gone, however busy the machine is. */
export const steady: Settings = { CLUSTER_LEASE_MS: '30000', CLUSTER_CONTACT_MS: '60000' }

/** Where clients find the registry, whichever node answers. */
const baseUrl = 'https://registry.example'

/** Settings of a node of this name, with a folder that is still to be made. */
export async function nodeSettings(
  t: Owner,
  name: string,
  servers: NatsServers,
): Promise<Settings> {
  const timing = { CLUSTER_LEASE_MS: String(leaseMs), CLUSTER_CONTACT_MS: contactMs }
  const quiet = { BASE_URL: baseUrl, RATE_LIMITS: 'off', SEARCH: 'off' }
  const own = { DATA_DIR: await newDataDir(t), CLUSTER_NODE: name }
  return { ...quiet, ...timing, ...own, CLUSTER_URL: servers.url }
}

/** Starts a registry as the first node of a cluster, and two that have copies of its folder. */
export async function startCluster(
  t: Owner,
  servers: NatsServers,
  changes: Settings = {},
  placeOf: (name: string) => NodePlace = () => ({ settings: {}, prefix: [] }),
): Promise<ClusterProcesses> {
  const settingsOf = async (name: string): Promise<Settings> => {
    const own = await nodeSettings(t, name, servers)
    return { ...own, ...changes, ...placeOf(name).settings }
  }
  const first = await settingsOf('a')
  const alone = await startServer(t, first, [], placeOf('a').prefix)
  const key = firstKey(alone)
  await alone.end('SIGTERM')
  const start = async (settings: Settings, name: string): Promise<ClusterProcess> => {
    const { prefix } = placeOf(name)
    return { name, settings, prefix, server: await startServer(t, settings, [], prefix) }
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

/** Starts a node again. */
export async function startAgain(t: Owner, node: ClusterProcess): Promise<void> {
  node.server = await startServer(t, node.settings, [], node.prefix)
}

/** A token by which another node joins, once the node is in contact with its cluster. */
export function invite(t: Owner, settings: Settings): Promise<string> {
  return untilGiven('the node is in contact with its cluster', async () => {
    const { code, stdout } = await runArklog(t, ['cluster', 'invite', '--json'], settings)
    return code === 0 ? (JSON.parse(stdout) as { readonly token: string }).token : undefined
  })
}

/** What `cluster status` says at a node. */
export async function statusOf(t: Owner, { settings }: ClusterProcess): Promise<NodeStatus> {
  const { code, stdout, stderr } = await runArklog(t, ['cluster', 'status', '--json'], settings)
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as NodeStatus
}

/** What that command would ask of each node, without a process for each look at it. */
async function statusesOf(nodes: readonly ClusterProcess[]): Promise<readonly NodeStatus[]> {
  return Promise.all(
    nodes.map(async ({ settings }) => {
      const admin = new AdminClient(adminSocketPath(settings['DATA_DIR'] ?? ''))
      try {
        return await admin.call('/cluster/status', {})
      } finally {
        admin.close()
      }
    }),
  )
}

/** The node that all others take for the leader. */
export function leaderOf(nodes: readonly ClusterProcess[]): Promise<ClusterProcess> {
  return untilGiven(
    'the nodes agree on who leads',
    async () => {
      const all = await statusesOf(nodes)
      const [name] = new Set(all.map(({ leader }) => leader))
      const isOne = new Set(all.map(({ leader }) => leader)).size === 1
      const roles = all.filter(({ role }) => role === 'leader')
      if (!isOne || roles.length !== 1 || roles[0]?.node !== name) return undefined
      return nodes.find((node) => node.name === name)
    },
    { pauseMs: 50 },
  )
}

/** Waits until each node knows of all others. */
export async function allKnown(nodes: readonly ClusterProcess[]): Promise<void> {
  const isSo = async () =>
    (await statusesOf(nodes)).every((each) => each.nodes.length === nodes.length)
  await until('each node knows of all others', isSo, { pauseMs: 20 })
}

/**
 * Registers a work at a node, as a client does who asks again where nobody has led for a while, or
 * nothing is known of the outcome; its ARK.
 */
export function mint({ server }: ClusterProcess, key: string, title: string): Promise<string> {
  const named = { key, headers: { 'idempotency-key': randomUUID() }, body: newWork(title) }
  const give = async () => {
    const { status, body } = await request<{ ark_identifier: string }>(server, '/v1/works', named)
    if (status === 503 || status === 504) return undefined
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
    return body.ark_identifier
  }
  return untilGiven(`“${title}” is registered`, give, { pauseMs: 200 })
}

/** Whether a node shows a work under its title. */
export async function shows(
  { server }: ClusterProcess,
  ark: string,
  title: string,
): Promise<boolean> {
  const { status, body } = await call(server, `/v1/resolve/${ark}`)
  return status === 200 && JSON.stringify(body).includes(title)
}

/** Waits until all nodes have come equally far. */
export async function agree(nodes: readonly ClusterProcess[]): Promise<void> {
  await until(
    'all nodes have come equally far',
    async () => new Set((await statusesOf(nodes)).map(({ position }) => position)).size === 1,
    { pauseMs: 20 },
  )
}

/** The checkpoint that a node shows. */
export async function checkpointOf({ started }: ClusterProcess['server']): Promise<string> {
  const response = await fetch(`${started.local_url}/log/checkpoint`)
  return response.text()
}
