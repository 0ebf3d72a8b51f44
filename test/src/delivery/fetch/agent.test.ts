import test from 'ava'
import { request } from 'undici'

import { createAgents } from '#src/delivery/fetch/agent.ts'
import { testLimits } from '#test/src/delivery/fetch/_fetcher.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

// The second lock: what would happen if the rules had let an address through.
test('a guarded connection to a private address is blocked by itself', async (t) => {
  const server = await serve(t, (_request, response) => response.end('secret'), { host: '::' })
  const agents = createAgents({
    limits: testLimits,
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    egressProxy: undefined,
  })
  const connections = { kept: agents.kept, fresh: agents.fresh() }
  t.teardown(() => connections.kept.destroy())
  t.teardown(() => connections.fresh.destroy())
  for (const by of ['kept', 'fresh'] as const) {
    const ask = async (host: string) => {
      const url = new URL(`http://${host}:${server.port}/`)
      const dispatcher = connections[by].to({ type: 'fetchable', url, isNamed: false })
      await request(url, { dispatcher })
    }
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1']) {
      await t.throwsAsync(ask(host), { code: 'ERR_IP_BLOCKED' })
    }
    await t.throwsAsync(ask('localhost'), { code: 'refused_address' })
  }
  t.is(server.connections(), 0)
})
