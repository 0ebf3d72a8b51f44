import { statfs } from 'node:fs/promises'
import os from 'node:os'
import test from 'ava'

import { agree, leaderOf, mint, shows, startCluster, statusOf } from '#test/scenario/_cluster.ts'
import { call, newWork, startServer } from '#test/scenario/_process.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

/** The largest reserve there is: more than this disk has free, as if it were full. */
const reserveBytes = 2 ** 40
const reserve = { DISK_RESERVE_BYTES: String(reserveBytes) }

overServers((servers) => {
  test('a node whose disk is full neither leads nor writes, and answers reads', async (t) => {
    const { bavail, bsize } = await statfs(os.tmpdir())
    if (bavail * bsize > reserveBytes) {
      t.pass('this disk cannot be taken for a full one')
      return
    }
    const { nodes, key } = await startCluster(t, servers())
    const full = await leaderOf(nodes)
    const others = nodes.filter((node) => node !== full)
    const ark = await mint(full, key, 'Registered while there was room')
    await full.server.end('SIGTERM')
    full.server = await startServer(t, { ...full.settings, ...reserve })
    const { impediments } = await statusOf(t, full)
    t.regex(impediments[0] ?? '', /^The disk of this node has less free than DISK_RESERVE_BYTES/)
    t.is((await call(full.server, '/readyz')).status, 503)
    t.not((await leaderOf(nodes)).name, full.name)
    t.true(await shows(full, ark, 'Registered while there was room'))
    const refused = await call(full.server, '/v1/works', { key, body: newWork('No room') })
    t.is(refused.status, 503)
    const [other] = others
    if (other === undefined) throw new Error('there are others')
    const later = await mint(other, key, 'Registered elsewhere')
    t.false(await shows(full, later, 'Registered elsewhere'))
    await full.server.end('SIGTERM')
    full.server = await startServer(t, full.settings)
    await agree(nodes)
    t.true(await shows(full, later, 'Registered elsewhere'))
  })
})
