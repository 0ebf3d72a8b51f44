// Messages to subscribers while the node that delivers them is killed, stands still, or ends.

import { setTimeout as sleep } from 'node:timers/promises'

import test, { type ExecutionContext } from 'ava'

import { countOf } from '#test/long/_full_counts.ts'
import { type ClusterProcess, leaderOf, startAgain, startCluster } from '#test/scenario/_cluster.ts'
import { newWork, runJson } from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'
import { serveWhole } from '#test/src/delivery/fetch/_servers.ts'
import { until } from '#test/_until.ts'

const rounds = countOf({ few: 1, full: 7 })
const worksOfARound = 12

/** Works until a message of a round comes: far more than any machine needs. */
const worksMax = 500

/** Tries that a node has made and not written down when it ends: those are made again. */
const unwrittenMax = 20

// Longer than anything that is done to a node keeps the others from having one that leads.
const insistMs = 120_000
const insistPauseMs = 200

/**
 * Asks until it is carried out: while nobody leads, a node says so, or does not know. Fails with
 * what was answered last where that is no end of it.
 */
async function insist(
  { name, server }: ClusterProcess,
  path: string,
  wish: Parameters<typeof request>[2],
): Promise<Record<string, unknown>> {
  const endMs = performance.now() + insistMs
  for (;;) {
    const { status, body } = await request(server, path, wish)
    if (status < 300) return body
    const isPassing = status === 503 || status === 504
    if (!isPassing || performance.now() >= endMs) {
      const waited = isPassing ? `still, after ${insistMs} ms` : 'for good'
      throw new Error(`${path} at ${name} ${waited}: ${status} ${JSON.stringify(body)}`)
    }
    await sleep(insistPauseMs)
  }
}

/** How the node that delivers ends, or stops for a while; it runs again afterwards. */
const ends = {
  async kill(t: ExecutionContext, leader: ClusterProcess): Promise<void> {
    await leader.server.end('SIGKILL')
    await startAgain(t, leader)
  },
  async standStill(
    t: ExecutionContext,
    { server }: ClusterProcess,
    others: readonly ClusterProcess[],
  ): Promise<void> {
    server.child.kill('SIGSTOP')
    try {
      await leaderOf(others)
    } finally {
      server.child.kill('SIGCONT')
    }
  },
  async handOver(t: ExecutionContext, leader: ClusterProcess): Promise<void> {
    await leader.server.end('SIGTERM')
    await startAgain(t, leader)
  },
}

/** Takes messages, each as the work and the version that it is about. */
async function takeMessages(t: ExecutionContext) {
  const arrivals: string[] = []
  const subscriber = await serveWhole(t, (body, _incoming, response) => {
    const { data } = JSON.parse(body) as { data: { ark: string; version: number } }
    arrivals.push(`${data.ark} ${data.version}`)
    response.writeHead(204).end()
  })
  return { arrivals, subscriber }
}

function checkOrder(t: ExecutionContext, messages: Iterable<string>): void {
  const newest = new Map<string, number>()
  for (const message of messages) {
    const [ark = '', version] = message.split(' ')
    t.is(Number(version), (newest.get(ark) ?? 0) + 1, message)
    newest.set(ark, Number(version))
  }
}

overServers((servers) => {
  test.serial('whoever delivers, no message is lost, and works keep their order', async (t) => {
    t.timeout(rounds * 15 * 60_000)
    const { arrivals, subscriber } = await takeMessages(t)
    const { nodes } = await startCluster(t, servers(), {
      FETCH_ALLOW: subscriber.hostPort,
      FETCH_HOST_INTERVAL_MS: '0',
    })
    const wish = ['key', 'create', '--owner', 'org:demo']
    const scopes = ['--scopes', 'works:write,webhooks:manage']
    const { key } = await runJson<{ key: string }>(t, [...wish, ...scopes], nodes[0].settings)
    const path = '/v1/organizations/demo/webhooks'
    await insist(nodes[0], path, { key, body: { url: subscriber.url } })

    const expected = new Set<string>()
    const register = async (node: ClusterProcess): Promise<void> => {
      const body = newWork(`Work ${expected.size} at ${node.name}`)
      // Of a registration that may have been carried out, and is repeated, there is one work.
      const headers = { 'idempotency-key': `work-${expected.size}` }
      const { ark_identifier: ark } = await insist(node, '/v1/works', { key, headers, body })
      const change = { method: 'PUT', key, body: { description: 'Of two versions' } }
      const { version } = await insist(node, `/v1/works/${String(ark)}`, change)
      for (let each = 1; each <= Number(version); each += 1) {
        expected.add(`${String(ark)} ${each}`)
      }
    }
    const allHaveCome = () => new Set(arrivals).size >= expected.size
    let endings = 0
    for (let round = 0; round < rounds; round += 1) {
      for (const end of Object.values(ends)) {
        const leader = await leaderOf(nodes)
        const others = nodes.filter((node) => node !== leader)
        const before = arrivals.length
        let ending: Promise<void> | undefined
        for (let count = 0; count < worksOfARound || ending === undefined; count += 1) {
          if (count === worksMax) throw new Error(`${worksMax} works, and no message came`)
          await register(others[count % others.length] ?? leader)
          if (arrivals.length > before + 4) ending ??= end(t, leader, others)
        }
        await ending
        endings += 1
        await until('all messages have come', allHaveCome, { pauseMs: 50 })
      }
    }
    t.deepEqual(new Set(arrivals), expected)
    checkOrder(t, new Set(arrivals))
    // Had a place been set back, all that was delivered after it would have come again.
    const doubled = arrivals.length - expected.size
    t.log(`${expected.size} messages, and ${doubled} of them again, in ${endings} hand-overs`)
    t.true(doubled <= endings * (unwrittenMax + 1), `${doubled} messages came again`)
  })
})
