import test from 'ava'
import { request } from 'undici'

import { createAgents } from '#src/fetch/agent.ts'
import { testLimits } from '#test/src/fetch/_fetcher.ts'
import { serve } from '#test/src/fetch/_servers.ts'

// The second lock: what would happen if the rules had let an address through.
test('a guarded connection to a private address is blocked by itself', async (t) => {
  const server = await serve(t, (_request, response) => response.end('secret'), { host: '::' })
  const agents = createAgents({
    limits: testLimits,
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    egressProxy: undefined,
  })
  t.teardown(() => agents.destroy())
  for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1']) {
    const url = `http://${host}:${server.port}/`
    await t.throwsAsync(request(url, { dispatcher: agents.guarded }), { code: 'ERR_IP_BLOCKED' })
  }
  await t.throwsAsync(request(`http://localhost:${server.port}/`, { dispatcher: agents.guarded }), {
    code: 'refused_address',
  })
  t.is(server.connections(), 0)
})
