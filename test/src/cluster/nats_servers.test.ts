import test from 'ava'
import { overServers } from '#test/src/cluster/_over_servers.ts'

overServers((servers) => {
  test('a server that was killed comes back where it was', async (t) => {
    const before = { urls: servers().urls, pids: servers().pids }
    await servers().restart(0, 'SIGKILL')
    t.true(await servers().ready())
    t.deepEqual(servers().urls, before.urls)
    t.not(servers().pids[0], before.pids[0])
    t.deepEqual(servers().pids.slice(1), before.pids.slice(1))
  })
})
