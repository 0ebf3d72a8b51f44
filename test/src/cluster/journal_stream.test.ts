import { jetstreamManager, StorageType } from '@nats-io/jetstream'
import test from 'ava'

import { openJournalStream } from '#src/cluster/streams.ts'
import { testSharedJournal } from '#test/contracts/shared_journal.ts'
import { testPatience } from '#test/src/cluster/_engine_options.ts'
import { connected, openTwo } from '#test/src/cluster/_journal_streams.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'
import { until } from '#test/_until.ts'

overServers((servers) => {
  testSharedJournal(test, (t) => openTwo(t, servers()))

  test('nothing is appended while nothing may be, and is once it may', async (t) => {
    const connection = await connected(t, servers())
    let isInSync = false
    let asked = 0
    const mayAppend = () => {
      asked += 1
      return isInSync
    }
    const options = { connection, name: 'DOUBT', patience: testPatience, mayAppend }
    const journal = await openJournalStream(options)
    const { signal } = new AbortController()
    const appended = journal.append(Buffer.from('one'), 0, signal)
    await until('it was asked more than once', () => asked > 2)
    t.is(await journal.newest(signal), 0)
    isInSync = true
    t.is(await appended, 'appended')
    t.is(await journal.newest(signal), 1)
  })

  test('what is given up while nothing may be appended is not written', async (t) => {
    const connection = await connected(t, servers())
    const options = { connection, name: 'GIVEN-UP', patience: testPatience }
    const journal = await openJournalStream({ ...options, mayAppend: () => false })
    const patience = new AbortController()
    const appended = journal.append(Buffer.from('one'), 0, patience.signal)
    patience.abort()
    t.is(await appended, 'undecided')
    t.is(await journal.newest(new AbortController().signal), 0)
  })

  test('a stream that forgets is refused as a journal', async (t) => {
    const connection = await connected(t, servers())
    const manager = await jetstreamManager(connection, { timeout: 60_000 })
    const subjects = ['arklog.journal.BAD']
    await manager.streams.add({ name: 'BAD', subjects, storage: StorageType.Memory })
    await t.throwsAsync(openJournalStream({ connection, name: 'BAD', patience: testPatience }), {
      code: 'engine_unsafe',
      message: /kept in memory/,
    })
  })
})
