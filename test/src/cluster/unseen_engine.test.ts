import test from 'ava'
import { checkEngine, connectEngine } from '#src/cluster/engine.ts'
import { engineOptions } from '#test/src/cluster/_engine_options.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

overServers(
  (servers) => {
    test('servers that tell nothing of themselves are refused', async (t) => {
      const connection = await connectEngine(engineOptions(servers()))
      t.teardown(() => connection.close())
      await t.throwsAsync(checkEngine(connection, { messageBytesMax: 1 }, 1_000), {
        code: 'engine_unsafe',
        message: /^No NATS server reports its settings .* Include config\/nats\/accounts\.conf/,
      })
    })
  },
  { servers: 1, withoutAccounts: true },
)
