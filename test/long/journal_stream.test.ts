import test from 'ava'

import { openTwo } from '#test/src/cluster/_journal_streams.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'

const messages = 60
/** Appends between two kills. */
const killEvery = 20

overServers((servers) => {
  test('servers that are killed in turn cost time and no message', async (t) => {
    t.timeout(5 * 60_000)
    const [one, other] = await openTwo(t, servers())
    const { signal } = new AbortController()
    const following = new AbortController()
    t.teardown(() => following.abort())
    const places: number[] = []
    const follow = async () => {
      while (!following.signal.aborted) {
        for await (const { sequence } of other.follow(places.length, following.signal)) {
          places.push(sequence)
          if (sequence === messages) return
        }
      }
    }
    const followed = follow()
    for (let after = 0; after < messages; after += 1) {
      const killed = after % killEvery === 10 ? Math.floor(after / killEvery) : undefined
      if (killed !== undefined) await servers().signal(killed, 'SIGKILL')
      t.is(await one.append(Buffer.from(`${after}`), after, signal), 'appended')
      if (killed === undefined) continue
      await servers().start(killed)
      await servers().ready()
    }
    await followed
    t.deepEqual(
      places,
      Array.from({ length: messages }, (_, index) => index + 1),
    )
    t.is(await one.newest(signal), messages)
  })
})
