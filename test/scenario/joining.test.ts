// A node joins a registry that others run, over three NATS servers.

import { existsSync } from 'node:fs'
import { cp, readdir } from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import {
  agree,
  checkpointOf,
  type ClusterProcess,
  invite,
  mint,
  nodeSettings,
  shows,
} from '#test/scenario/_cluster.ts'
import {
  firstKey,
  newDataDir,
  runArklog,
  type Settings,
  spawnArklog,
  startServer,
} from '#test/scenario/_process.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'
import { until } from '#test/_until.ts'

overServers((servers) => {
  test('a node joins while works are registered, and runs the registry then', async (t) => {
    const settings = await nodeSettings(t, 'a', servers())
    const server = await startServer(t, settings)
    const first: ClusterProcess = { name: 'a', settings, server }
    const key = firstKey(server)
    const own = await nodeSettings(t, 'b', servers())
    await killJoin(t, first, own)
    const titles = new Map<string, string>()
    let isJoining = true
    const register = async (): Promise<void> => {
      for (let number = 0; isJoining || number < 40; number += 1) {
        const title = `Registered meanwhile ${number}`
        titles.set(await mint(first, key, title), title)
      }
    }
    const registering = register()
    const token = await invite(t, settings)
    const namesake = { ...own, CLUSTER_NODE: 'a' }
    const refused = await runArklog(t, ['cluster', 'join', token], namesake)
    t.is(refused.code, 1)
    t.regex(
      refused.stderr,
      /^arklog: Node a of this cluster \(on host .*\) is already running\. Give/,
    )
    // The invitation was not used by that.
    const joined = await runArklog(t, ['cluster', 'join', token, '--json'], own)
    isJoining = false
    t.is(joined.code, 0, joined.stderr)
    const copy = await copyOf(t, own)
    const second: ClusterProcess = { name: 'b', settings: own, server: await startServer(t, own) }
    await registering
    t.is(second.server.started.vkey, first.server.started.vkey)
    t.is(second.server.started.setup_url, first.server.started.setup_url)
    const nodes = [first, second]
    const twin = await runArklog(t, ['serve'], { ...namesake, DATA_DIR: copy })
    t.is(twin.code, 1)
    t.regex(
      twin.stderr,
      /Node a of this cluster \(on host .*\) is already running\. Each process needs/,
    )
    const ark = await mint(second, key, 'Registered at the node that has joined')
    titles.set(ark, 'Registered at the node that has joined')
    await agree(nodes)
    for (const node of nodes) {
      for (const [name, title] of titles)
        t.true(await shows(node, name, title), `${name} ${node.name}`)
    }
    await shareUses(t, [first, second], key)
    const checkpoints = await Promise.all(nodes.map((node) => checkpointOf(node.server)))
    t.is(new Set(checkpoints).size, 1, checkpoints.join('\n'))

    const third = await nodeSettings(t, 'c', servers())
    const again = await runArklog(t, ['cluster', 'join', token], third)
    t.is(again.code, 1)
    t.regex(again.stderr, /was already used/)
    // Who was refused has begun nothing, and joins with a good one.
    t.deepEqual(await filesIn(third), ['lock'])
    const good = await invite(t, settings)
    const better = await runArklog(t, ['cluster', 'join', good], third)
    t.is(better.code, 0, better.stderr)
    const stranger = await runArklog(t, ['serve'], await nodeSettings(t, 'd', servers()))
    t.is(stranger.code, 1)
    t.regex(stranger.stderr, /arklog cluster join/)
    t.deepEqual(await Promise.all(nodes.map((node) => tokensIn(node, token))), [false, false])
    const taken = await runArklog(t, ['cluster', 'join', token], own)
    t.is(taken.code, 1)
    t.regex(taken.stderr, /to join a cluster, it must be empty/)
  })
})

async function filesIn({ DATA_DIR = '' }: Settings): Promise<readonly string[]> {
  return (await readdir(DATA_DIR)).toSorted()
}

/** A copy of a node's folder, as somebody makes it who forgets to give the copy another name. */
async function copyOf(t: ExecutionContext, settings: Settings): Promise<string> {
  const copy = await newDataDir(t)
  await cp(settings['DATA_DIR'] ?? '', copy, { recursive: true })
  return copy
}

/** Has a work used at both nodes, and waits until each shows the sum. */
async function shareUses(
  t: ExecutionContext,
  nodes: readonly [ClusterProcess, ClusterProcess],
  key: string,
): Promise<void> {
  const [first, second] = nodes
  const used = await mint(second, key, 'Used at both nodes')
  await agree(nodes)
  await use(first, used, 3)
  await use(second, used, 4)
  for (const node of nodes) {
    const showsAll = async () => (await usesOf(node, used)) === 7
    await until(`${node.name} shows what was used at both`, showsAll, { pauseMs: 200 })
  }
}

/** So many people follow an ARK at a node. */
async function use({ server }: ClusterProcess, ark: string, people: number): Promise<void> {
  for (let person = 0; person < people; person += 1) {
    const headers = { 'user-agent': `Mozilla/5.0 reader ${person} of ${people}` }
    await (await fetch(`${server.started.local_url}/v1/resolve/${ark}`, { headers })).arrayBuffer()
  }
}

/** How often an ARK was resolved, as a node tells. */
async function usesOf({ server }: ClusterProcess, ark: string): Promise<number> {
  const reply = await fetch(`${server.started.local_url}/v1/works/${ark}/usage`)
  const { total } = (await reply.json()) as { total: { resolutions: number } }
  return total.resolutions
}

/** Kills a join that waits for an answer, and shows that its folder is no node's. */
async function killJoin(t: ExecutionContext, { server, settings }: ClusterProcess, own: Settings) {
  const token = await invite(t, settings)
  server.child.kill('SIGSTOP')
  const join = spawnArklog(t, ['cluster', 'join', token], own)
  const copying = path.join(own['DATA_DIR'] ?? '', 'copying')
  await until('the join has begun', () => existsSync(copying), { pauseMs: 20 })
  await join.end('SIGKILL')
  server.child.kill('SIGCONT')
  const start = await runArklog(t, ['serve'], own)
  t.is(start.code, 1)
  t.regex(start.stderr, /A copy of a registry to .* was interrupted/)
}

/** Ends a node, and tells whether a token stands in what it has written. */
async function tokensIn({ server }: ClusterProcess, token: string): Promise<boolean> {
  const { stdout, stderr } = await server.end('SIGTERM')
  return `${stdout}${stderr}`.includes(token)
}
