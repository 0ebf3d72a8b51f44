import { jetstreamManager, StorageType } from '@nats-io/jetstream'
import test from 'ava'

import { openJournalStream } from '#src/cluster/journal_stream.ts'
import { testSharedJournal } from '#test/contracts/shared_journal.ts'
import { testPatience } from '#test/src/cluster/_engine_options.ts'
import { connected, openTwo } from '#test/src/cluster/_journal_streams.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

overServers((servers) => {
  testSharedJournal(test, (t) => openTwo(t, servers()))

  test('a stream that forgets is refused as a journal', async (t) => {
    const connection = await connected(t, servers())
    const manager = await jetstreamManager(connection)
    const subjects = ['arklog.journal.BAD']
    await manager.streams.add({ name: 'BAD', subjects, storage: StorageType.Memory })
    await t.throwsAsync(openJournalStream({ connection, name: 'BAD', patience: testPatience }), {
      code: 'engine_unsafe',
      message: /kept in memory/,
    })
  })
})
