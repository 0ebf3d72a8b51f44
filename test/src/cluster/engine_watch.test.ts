import { jetstreamManager } from '@nats-io/jetstream'
import test from 'ava'

import { connectEngine, EngineWatch } from '#src/cluster/engine.ts'
import { openJournalStream } from '#src/cluster/streams.ts'
import { until } from '#test/_until.ts'
import { engineOptions, testPatience } from '#test/src/cluster/_engine_options.ts'
import { natsCredentials } from '#test/src/cluster/_nats_servers.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

overServers((servers) => {
  test.serial(
    'a server, and a stream, that became unsafe is found, and found mended',
    async (t) => {
      const connection = await connectEngine(engineOptions(servers()))
      t.teardown(() => connection.close())
      await openJournalStream({ connection, name: 'watched', patience: testPatience })
      const watch = new EngineWatch({
        connection,
        needs: { messageBytesMax: 8_388_608 },
        streams: () => ['watched'],
        isConnected: () => true,
        // Checks are made by the test.
        everyMs: 3_600_000,
        waitMs: 5_000,
        report: (error) => t.log(error),
      })
      t.teardown(() => watch.close())
      t.deepEqual([...watch.streams], [], 'nothing is known yet')
      // As when a node has opened it: nobody waits for the next check.
      await watch.look('watched')
      t.like(watch.streams.get('watched'), { stream: 'watched', newest: 0, messages: 0 })
      const untilFound = (what: string, isSo: (faults: readonly string[]) => boolean) =>
        until(what, async () => {
          await watch.check()
          return isSo(watch.faults)
        })
      await untilFound('that all is safe', (faults) => faults.length === 0)

      await servers().signal(1, 'SIGTERM')
      await servers().start(1, { syncInterval: '10s' })
      // A server that is slow to answer is a fault of its own, until the next check.
      const unsynced = 'NATS server nats-1 acknowledges before its disk has synced'
      await untilFound('the server is found, and nothing else', ([first = '', ...others]) => {
        return first.startsWith(unsynced) && others.length === 0
      })
      await servers().restart(1)
      await untilFound('it is safe again', (faults) => faults.length === 0)

      const [user = '', pass = ''] = natsCredentials.operator.split(':')
      const operator = await connectEngine({
        ...engineOptions(servers()),
        credentials: { user, pass },
      })
      t.teardown(() => operator.close())
      await servers().ready()
      const manager = await jetstreamManager(operator, { timeout: 60_000 })
      await manager.streams.update('watched', { num_replicas: 1 })
      await untilFound('the stream is found', ([first]) => {
        return (
          first === 'Stream watched is not safe for a journal: num_replicas is 1, not 3 or more.'
        )
      })
      await manager.streams.delete('watched')
      await untilFound('that it is gone is found', ([first = '']) => {
        return first.startsWith('Stream watched is gone')
      })
    },
  )
})
