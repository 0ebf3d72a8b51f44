import { setTimeout as sleep } from 'node:timers/promises'

import { type BenchOptions, newFolder } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import type { ThreadGarbage } from '#test/bench/_garbage_counter.ts'
import type { Child } from '#test/bench/_process.ts'
import { type RegistryServer, startRegistry } from '#test/bench/_registry_server.ts'
import { expectAnswers, measureRound, medianOf, type Round } from '#test/bench/_rounds.ts'
import { type LoadPlan, runLoad } from '#test/bench/_wrk.ts'

const counter = new URL('./_garbage_counter.ts', import.meta.url).href
const connections = 64
const warmingRounds = 2

/** More than are minted in a round. */
const worksPerRound = 1_000_000

/** Bytes of the heap a request, by thread. */
const mintGoals: Goals = { 'edge 1': 20_000, registry: 10_000 }
const resolveGoals: Goals = { 'edge 1': 6_000 }

/** What allocates less a request, now and then, is not told. */
const bytesMin = 50

type Goals = Readonly<Record<string, number>>

/** One round, with the bytes that each thread allocated a request. */
type GarbageRound = Round & { readonly bytes: ReadonlyMap<string, number> }

/** What a mint, and a resolution of works asked for evenly, allocate on the heap of each thread. */
export async function benchGarbage({ rounds, roundMs, filled }: BenchOptions): Promise<Figure[]> {
  const { dataDir: filledDir, pathsFile, works } = await filled()
  await using cleanup = new AsyncDisposableStack()
  const newDir = await newFolder(cleanup)
  const minting = await countOn(newDir, rounds, ({ port, headers }, round) => {
    const plan = { type: 'mint', path: '/v1/works', port, headers, connections } as const
    return { ...plan, durationMs: roundMs, first: round * worksPerRound }
  })
  const resolving = await countOn(filledDir, rounds, ({ port }, round) => {
    const plan = { type: 'get', port, headers: {}, connections, durationMs: roundMs } as const
    return { ...plan, pathsFile, seed: round }
  })
  return [
    ...figuresOf('mint', minting, mintGoals),
    ...figuresOf(`resolution of ${works} works evenly`, resolving, resolveGoals),
  ]
}

/** Rounds of a load on a registry whose threads count, after some that warm it up. */
async function countOn(
  dataDir: string,
  rounds: number,
  planOf: (server: RegistryServer, round: number) => LoadPlan,
): Promise<readonly GarbageRound[]> {
  const flags = [`--import=${counter}`]
  const server = await startRegistry(dataDir, { SEARCH: 'on' }, undefined, flags)
  const seen: GarbageRound[] = []
  try {
    for (let round = 0; round < rounds + warmingRounds; round += 1) {
      await readGarbage(server.child)
      const measured = await measureRound(server.child.pid, () => runLoad(planOf(server, round)))
      expectAnswers(measured)
      const garbage = await readGarbage(server.child)
      if (round >= warmingRounds)
        seen.push({ ...measured, bytes: bytesEach(garbage, measured.requests) })
    }
  } finally {
    await server.child.stop()
  }
  return seen
}

/** How long the threads are given to answer: all of them are idle then, or nearly. */
const answerMs = 500

/** What the threads of a child have allocated since they were asked last. */
async function readGarbage({ process: child }: Child): Promise<readonly ThreadGarbage[]> {
  const told: ThreadGarbage[] = []
  const hear = (message: unknown) => told.push(message as ThreadGarbage)
  child.on('message', hear)
  child.send('count')
  await sleep(answerMs)
  child.off('message', hear)
  return told
}

/** Threads of one name are told as one. */
function bytesEach(
  garbage: readonly ThreadGarbage[],
  requests: number,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const { thread, bytes } of garbage) {
    sums.set(thread, (sums.get(thread) ?? 0) + bytes / requests)
  }
  return sums
}

function figuresOf(what: string, seen: readonly GarbageRound[], goals: Goals): Figure[] {
  const bench = 'garbage'
  const names = new Set(seen.flatMap(({ bytes }) => [...bytes.keys()]))
  const figures = [...names].map((thread): Figure => {
    const value = medianOf(seen, ({ bytes }) => bytes.get(thread) ?? 0)
    const atMost = goals[thread]
    const goal = atMost === undefined ? {} : { goal: { atMost } }
    return { bench, name: `${what}, heap of the thread ${thread}`, value, unit: 'bytes', ...goal }
  })
  const cpuUs = medianOf(seen, (round) => round.cpuUs)
  return [
    ...figures.filter(({ value, goal }) => goal !== undefined || value >= bytesMin),
    { bench, name: `${what}, CPU in all threads`, value: cpuUs, unit: 'µs' },
  ]
}
