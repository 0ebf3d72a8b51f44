// People, sessions and keys at three nodes of one registry, as processes.

import test from 'ava'

import { type ClusterProcess, startCluster } from '#test/scenario/_cluster.ts'
import { call, newWork, runJson } from '#test/scenario/_process.ts'
import { JarBrowser } from '#test/src/_jar_browser.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'
import { until } from '#test/_until.ts'

/** What becomes of a change at each node that a key has no scope for. */
function answersOf(nodes: readonly ClusterProcess[], key: string): Promise<number[]> {
  return Promise.all(
    nodes.map(
      async ({ server }) =>
        (await call(server, '/v1/works', { key, body: newWork('Not permitted') })).status,
    ),
  )
}

overServers((servers) => {
  test('people and keys are known at all nodes, until they are not any more', async (t) => {
    const { nodes } = await startCluster(t, servers())
    const [a, b, c] = nodes
    const wish = ['key', 'create', '--owner', 'org:demo', '--scopes', 'works:read']
    const { id, key } = await runJson<{ id: string; key: string }>(t, wish, a.settings)
    await until('all nodes take the key', async () => {
      return (await answersOf(nodes, key)).every((status) => status === 403)
    })
    await runJson(t, ['key', 'revoke', id], b.settings)
    await until('all nodes refuse it', async () => {
      return (await answersOf(nodes, key)).every((status) => status === 401)
    })
    const portOf = ({ server }: ClusterProcess) => Number(new URL(server.started.local_url).port)
    const browser = new JarBrowser(portOf(a), a.server.started.base_url)
    const person = { name: 'Ada', email: 'ada@people.example', password: 'a long enough password' }
    await browser.get('/auth/sign-up')
    t.is((await browser.post('/auth/sign-up', person)).status, 303)
    // A node waits half a second to know what another one has done: a busy one may need longer.
    browser.turnTo(portOf(b))
    await until('she is known at another node', async () => {
      return (await browser.get('/auth/account')).body.includes('Ada')
    })
    t.is((await browser.post('/auth/sign-out')).status, 303)
    browser.turnTo(portOf(c))
    await until('she is signed out at the third one', async () => {
      return (await browser.get('/auth/account')).status === 303
    })
    const others = [1, 2]
    try {
      await Promise.all(others.map((server) => servers().signal(server, 'SIGSTOP')))
      await until('nobody takes a key without contact', async () => {
        return (await answersOf(nodes, key)).every((status) => status === 503)
      })
    } finally {
      await Promise.all(others.map((server) => servers().signal(server, 'SIGCONT')))
    }
    await until('all know again that it was revoked', async () => {
      return (await answersOf(nodes, key)).every((status) => status === 401)
    })
  })
})
