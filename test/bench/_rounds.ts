import type { Figure } from '#test/bench/_figure.ts'
import { readCounters, readThreads, type Thread } from '#test/bench/_process.ts'
import { type LoadResult, runLoad } from '#test/bench/_wrk.ts'

/** One measured round of one server: what the load saw, and what the server used meanwhile. */
export type Round = LoadResult & {
  /** CPU of the server a request, in µs: of all its threads, and of the busiest. */
  readonly cpuUs: number
  readonly busiestUs: number
  /** The same of all threads of a name. */
  readonly namedUs: ReadonlyMap<string, number>
  readonly writtenBytes: number
}

/** Runs a load and reads the counters of the server around it. */
export async function measureRound(pid: number, load: () => Promise<LoadResult>): Promise<Round> {
  const [before, threadsBefore] = await Promise.all([readCounters(pid), readThreads(pid)])
  const result = await load()
  const [after, threadsAfter] = await Promise.all([readCounters(pid), readThreads(pid)])
  const spent = [...threadsAfter].map(([id, { name, cpuSeconds }]) => {
    return { name, cpuSeconds: cpuSeconds - (threadsBefore.get(id)?.cpuSeconds ?? 0) }
  })
  const usEach = (seconds: number) => (seconds * 1e6) / result.requests
  return {
    ...result,
    cpuUs: usEach(after.cpuSeconds - before.cpuSeconds),
    busiestUs: usEach(Math.max(...spent.map(({ cpuSeconds }) => cpuSeconds))),
    namedUs: new Map([...sumByName(spent)].map(([name, seconds]) => [name, usEach(seconds)])),
    writtenBytes: after.writtenBytes - before.writtenBytes,
  }
}

function sumByName(threads: readonly Thread[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const { name, cpuSeconds } of threads) sums.set(name, (sums.get(name) ?? 0) + cpuSeconds)
  return sums
}

/** A server that mints; works of 12 kB if they are full ones. */
type Minting = {
  readonly child: { readonly pid: number }
  readonly port: number
  readonly headers: Readonly<Record<string, string>>
  readonly isFull?: boolean
}

const mintConnections = 64

/** Rounds of mints at any servers; each work has a number of its own, from `first` on. */
export function mintRounds(durationMs: number, first = 1): (server: Minting) => Promise<Round> {
  let next = first
  return async ({ child, ...server }) => {
    const plan = { type: 'mint', path: '/v1/works', connections: mintConnections } as const
    const round = await measureRound(child.pid, () =>
      runLoad({ ...plan, ...server, durationMs, first: next }),
    )
    next += round.sent
    expectAnswers(round)
    return round
  }
}

/** Alternates rounds of two servers, each after one that counts for nothing. */
export async function alternateWarm(
  rounds: number,
  ours: () => Promise<Round>,
  bare: () => Promise<Round>,
): Promise<{ ours: Round[]; bare: Round[] }> {
  await ours()
  await bare()
  return alternate(rounds, ours, bare)
}

/**
 * Alternates rounds of two servers, so that whatever else the machine does falls on both, and the
 * order too, so that neither always comes second.
 */
export async function alternate(
  rounds: number,
  ours: () => Promise<Round>,
  bare: () => Promise<Round>,
): Promise<{ ours: Round[]; bare: Round[] }> {
  const seen: { ours: Round[]; bare: Round[] } = { ours: [], bare: [] }
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 1) seen.bare.push(await bare())
    seen.ours.push(await ours())
    if (round % 2 === 0) seen.bare.push(await bare())
  }
  return seen
}

/** The median of a measure over rounds. */
export function medianOf<T>(rounds: readonly T[], measure: (round: T) => number): number {
  const sorted = rounds.map(measure).toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/**
 * Fails the bench if any request was refused or got no reply: that measures nothing. A short round
 * of slow requests may end before the first reply.
 */
export function expectAnswers({ requests, refused, failed }: LoadResult): void {
  if (refused + failed === 0) return
  throw new Error(`of ${requests} replies ${refused} were refusals; ${failed} requests had none`)
}

/** What Node calls the threads that are not ours, and a thread that does too little to be told. */
const threadNames: Readonly<Record<string, string>> = {
  MainThread: 'main thread',
  V8Worker: 'garbage collector and compiler',
  'libuv-worker': 'store and files',
}
const threadUsMin = 1

/** What our rounds are held against: their rate, of the bare route's, and at most so much each. */
export type RoundGoals = {
  readonly ratio: number
  readonly p99Ms?: number
  readonly cpuUs?: number
  readonly busiestUs?: number
}

/**
 * The figures of two servers that took turns: rates, their ratio (median of the rounds), p99, the
 * CPU that each took a request, and what share of a core the load used, which tells whether it was
 * the limit.
 */
export function compareRounds(
  bench: string,
  name: string,
  { ours, bare }: { readonly ours: readonly Round[]; readonly bare: readonly Round[] },
  goals: RoundGoals,
): Figure[] {
  const pairs = ours.map((round, index) => ({ ours: round, bare: bare[index] ?? round }))
  const ratio = medianOf(pairs, (pair) => pair.ours.perSecond / pair.bare.perSecond)
  const figures: Figure[] = [
    { bench, name, value: medianOf(ours, (round) => round.perSecond), unit: '/s' },
    { bench, name: 'bare route', value: medianOf(bare, (round) => round.perSecond), unit: '/s' },
    { bench, name: 'ratio', value: ratio, unit: '', goal: { atLeast: goals.ratio } },
  ]
  const rounds = [
    ['ours', ours],
    ['bare', bare],
  ] as const
  for (const [who, seen] of rounds) {
    const figure = (
      what: string,
      unit: string,
      measure: (round: Round) => number,
      atMost?: number,
    ) =>
      figures.push({
        bench,
        name: `${what}, ${who}`,
        value: medianOf(seen, measure),
        unit,
        ...(atMost !== undefined && who === 'ours' && { goal: { atMost } }),
      })
    figure('p50', 'ms', (round) => round.p50Ms)
    figure('p99', 'ms', (round) => round.p99Ms, goals.p99Ms)
    figure('CPU a request, all threads', 'µs', (round) => round.cpuUs, goals.cpuUs)
    figure('CPU a request, busiest thread', 'µs', (round) => round.busiestUs, goals.busiestUs)
    const names = who === 'ours' ? [...(seen[0]?.namedUs.keys() ?? [])] : []
    for (const thread of new Set(names)) {
      const measure = ({ namedUs }: Round) => namedUs.get(thread) ?? 0
      if (medianOf(seen, measure) < threadUsMin) continue
      figure(`CPU a request, ${threadNames[thread] ?? thread}`, 'µs', measure)
    }
    figure('CPU of the load', 'cores', (round) => round.cpu)
  }
  return figures
}
