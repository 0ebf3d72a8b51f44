// Three nodes of one registry, as processes, over three NATS servers.

import test from 'ava'

import {
  agree,
  checkpointOf,
  type ClusterProcess,
  leaderOf,
  mint,
  shows,
  startCluster,
} from '#test/scenario/_cluster.ts'
import { newWork, runArklog, startServer } from '#test/scenario/_process.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

/** Registers a work at one node, and reads it at once at another one. */
async function writeAndRead(at: ClusterProcess, other: ClusterProcess, key: string) {
  const write = await fetch(`${at.server.started.local_url}/v1/works`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(newWork(`Written at ${at.name}, read at ${other.name}`)),
  })
  if (write.status !== 201) throw new Error(`${write.status} ${await write.text()}`)
  const { ark_identifier } = (await write.json()) as { ark_identifier: string }
  const position = write.headers.get('x-read-after') ?? ''
  const read = await fetch(`${other.server.started.local_url}/v1/resolve/${ark_identifier}`, {
    headers: { 'x-read-after': position },
  })
  return { position, status: read.status, ark: ark_identifier }
}

overServers((servers) => {
  test('three nodes run one registry, also after the one that leads is killed', async (t) => {
    const { nodes, key } = await startCluster(t, servers())
    const leader = await leaderOf(nodes)
    const titles = new Map<string, string>()
    for (const node of nodes) {
      const title = `Registered at ${node.name}`
      const ark = await mint(node, key, title)
      t.true(await shows(node, ark, title))
      titles.set(ark, title)
    }
    for (const node of nodes) {
      for (const other of nodes) {
        const { position, status } = await writeAndRead(node, other, key)
        t.regex(position, /^\d+\.\d+\.\d+$/)
        t.is(status, 200, `written at ${node.name}, read at ${other.name}`)
      }
    }
    const rotation = await runArklog(t, ['receipt-key', 'rotate'], leader.settings)
    t.not(rotation.code, 0)
    t.regex(rotation.stderr, /In a cluster the receipt key is not rotated/)
    const tokens = await runArklog(t, ['token-key', 'rotate'], leader.settings)
    t.not(tokens.code, 0)
    t.regex(tokens.stderr, /In a cluster the key of ID tokens is not rotated/)
    await leader.server.end('SIGKILL')
    const others = nodes.filter((node) => node !== leader)
    for (const node of others) {
      const title = `Registered at ${node.name} after that`
      titles.set(await mint(node, key, title), title)
    }
    t.not((await leaderOf(others)).name, leader.name)
    leader.server = await startServer(t, leader.settings)
    const second = await leaderOf(nodes)
    await second.server.end('SIGTERM')
    const rest = nodes.filter((node) => node !== second)
    for (const node of rest) {
      const title = `Registered at ${node.name} after a planned end`
      titles.set(await mint(node, key, title), title)
    }
    second.server = await startServer(t, second.settings)
    await leaderOf(nodes)
    await agree(nodes)
    for (const node of nodes) {
      for (const [ark, title] of titles)
        t.true(await shows(node, ark, title), `${ark} at ${node.name}`)
    }
    const checkpoints = await Promise.all(nodes.map(({ server }) => checkpointOf(server)))
    t.is(new Set(checkpoints).size, 1, checkpoints.join('\n'))
  })
})
