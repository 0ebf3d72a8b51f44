// A backup that a node made, and what another node has registered since.

import path from 'node:path'
import test from 'ava'

import {
  agree,
  checkpointOf,
  mint,
  nodeSettings,
  shows,
  startCluster,
} from '#test/scenario/_cluster.ts'
import { call, runArklog, runJson, startServer } from '#test/scenario/_process.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

overServers((servers) => {
  test('a backup of a node goes on with what another node has, and never beside it', async (t) => {
    const { nodes, key } = await startCluster(t, servers())
    const [first, second, third] = nodes
    const kept = await mint(first, key, 'Before the backup')
    await agree(nodes)
    const target = path.join(path.dirname(first.settings['DATA_DIR'] ?? ''), 'backups')
    await runJson(t, ['backup', target], first.settings)
    const newer = [await mint(second, key, 'After it'), await mint(third, key, 'Later')]
    await agree(nodes)
    const checkpoint = await checkpointOf(second.server)

    const beside = await nodeSettings(t, 'd', servers())
    const { CLUSTER_URL: _, CLUSTER_NODE: __, ...alone } = beside
    const node = second.server.started.local_url
    const older = await runArklog(t, ['restore', target, '--newest', node], alone)
    t.is(older.code, 1)
    t.regex(older.stderr, /the last 2, which were registered after it/)
    const recover = ['restore', target, '--recover', node]
    const restored = await runJson<Record<string, unknown>>(t, recover, alone)
    t.like(restored, { tree_size: 3, recovered_entries: 2, lost_works: 2 })

    // The cluster goes on: this folder would be a second history of its log.
    const refused = await runArklog(t, ['serve'], beside)
    t.is(refused.code, 1)
    t.regex(
      refused.stderr,
      /^arklog: the journal goes on at position \d+, and here at \d+; stop this node/m,
    )
    t.notRegex(refused.stderr, /ReferenceError/)
    t.true(await shows(third, newer[0] ?? '', 'After it'))

    // Once nothing of the cluster is left, it goes on alone, where the log of all nodes ended.
    await Promise.all(nodes.map(({ server }) => server.end('SIGTERM')))
    const audit = await runArklog(t, ['audit'], alone)
    t.is(audit.code, 0, audit.stdout + audit.stderr)
    const unready = await runArklog(t, ['serve'], alone)
    t.regex(unready.stderr, /would go on with the same log as the others.*cluster dissolve/)
    await runJson(t, ['cluster', 'dissolve', '--others-are-gone'], alone)
    const server = await startServer(t, alone)
    const own = { name: 'd', settings: alone, server }
    const [, size, root] = checkpoint.split('\n')
    const [, ownSize, ownRoot] = (await checkpointOf(server)).split('\n')
    t.deepEqual([ownSize, ownRoot], [size, root])
    t.true(await shows(own, kept, 'Before the backup'))
    for (const ark of newer) {
      const { status, body } = await call(server, `/v1/resolve/${ark}`)
      t.is(status, 410)
      t.like(body, { reason: 'data_lost', metadata_lost: true })
    }
    await mint(own, key, 'On the same log')
    t.is((await checkpointOf(server)).split('\n')[1], '4')
  })
})
