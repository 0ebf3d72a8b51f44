import test from 'ava'
import { ClusterError } from '#src/cluster/cluster_error.ts'
import { checkEngine, connectEngine } from '#src/cluster/engine.ts'
import { engineOptions } from '#test/src/cluster/_engine_options.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

overServers(
  (servers) => {
    test('one server that syncs now and then is refused with what to change', async (t) => {
      const connection = await connectEngine(engineOptions(servers()))
      t.teardown(() => connection.close())
      const check = checkEngine(connection, { messageBytesMax: 8_388_608 }, 10_000)
      const error = await t.throwsAsync<ClusterError>(check, { instanceOf: ClusterError })
      t.is(error.code, 'engine_unsafe')
      const [lazy = '', small = '', alone = '', ...others] = error.message.split('\n')
      t.regex(lazy, /^NATS server nats-0 acknowledges .* sync_interval: always/)
      t.regex(small, /^NATS server nats-0 accepts messages of at most 1048576 bytes\./)
      t.regex(alone, /^JetStream runs on 1 of the NATS servers/)
      t.deepEqual(others, [])
    })
  },
  { servers: 1, syncInterval: '10s', maxPayload: '1MB' },
)
