import type { BenchOptions } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { medianOf } from '#test/bench/_rounds.ts'
import { ask, createSystem, type Reply, stopSystem } from '#actors/kernel/kernel.ts'
import { spawnShards } from '#actors/kernel/shards.ts'

type Echo = { readonly type: 'echo'; readonly reply: Reply<undefined> }

/** Entities of one round, and how many are asked in one turn of the event loop. */
const entities = 65_536
const asksPerTurn = 64

const askTimeoutMs = 60_000

/** µs of CPU that the start of an entity may cost, beyond the question. */
const startMax = 3

/**
 * What an entity costs to start: CPU time of a question to a new one, beside that of a question to
 * one of a few that are in memory.
 */
export async function benchEntity({ rounds }: BenchOptions): Promise<Figure[]> {
  const system = createSystem('bench', { report: () => {} })
  const limits = { mailboxMax: entities, entityMailboxMax: 1, entitiesMax: 2 * entities }
  const options = { name: 'echo', shards: 64, ...limits, idleMs: askTimeoutMs }
  const seen: { readonly first: number; readonly later: number }[] = []
  // One more round than is measured: the first warms up.
  for (let round = 0; round <= rounds; round += 1) {
    const shards = spawnShards<Echo>(system, { ...options, name: `echo ${round}` }, () => ({
      holdsState: true,
      receive: ({ reply }) => reply.resolve(undefined),
    }))
    const askAll = async (step: number) => {
      const before = process.cpuUsage()
      for (let n = 0; n < entities; n += asksPerTurn) {
        const keys = Array.from({ length: asksPerTurn }, (_, at) => `12345/k2${n * step + at}`)
        await Promise.all(keys.map((key) => ask(shards.at(key), { type: 'echo' }, askTimeoutMs)))
      }
      const { user, system: kernel } = process.cpuUsage(before)
      return (user + kernel) / entities
    }
    const first = await askAll(1)
    const later = await askAll(0)
    if (round > 0) seen.push({ first, later })
    await shards.close()
  }
  await stopSystem(system)
  const later = medianOf(seen, (round) => round.later)
  const first = medianOf(seen, (round) => round.first)
  const [bench, unit] = ['entity', 'µs of CPU']
  return [
    { bench, name: 'question to one in memory', value: later, unit },
    {
      bench,
      name: 'question to a new one',
      value: first,
      unit,
      goal: { atMost: later + startMax },
    },
  ]
}
