import type { Figure } from '#test/bench/_figure.ts'
import type { LoadResult } from '#test/bench/_load.ts'
import { readCounters } from '#test/bench/_process.ts'

/** One measured round of one server: what the load saw, and what the server used meanwhile. */
export type Round = LoadResult & {
  /** Share of one core that the server used. */
  readonly serverCpu: number
  readonly writtenBytes: number
}

/** Runs a load and reads the counters of the server around it. */
export async function measureRound(pid: number, load: () => Promise<LoadResult>): Promise<Round> {
  const before = await readCounters(pid)
  const result = await load()
  const after = await readCounters(pid)
  return {
    ...result,
    serverCpu: (after.cpuSeconds - before.cpuSeconds) / result.seconds,
    writtenBytes: after.writtenBytes - before.writtenBytes,
  }
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

/** Fails the bench if any reply had another status: a refusal is quick and measures nothing. */
export function expectOnly({ statuses }: LoadResult, status: number): void {
  const others = Object.keys(statuses).filter((seen) => seen !== String(status))
  if (others.length > 0) throw new Error(`the server answered ${JSON.stringify(statuses)}`)
}

/**
 * The figures of two servers that took turns: rates, their ratio (median of the rounds), and what
 * share of a core each process used, which tells whether the load was the limit.
 */
export function compareRounds(
  bench: string,
  name: string,
  { ours, bare }: { readonly ours: readonly Round[]; readonly bare: readonly Round[] },
  atLeast: number,
): Figure[] {
  const pairs = ours.map((round, index) => ({ ours: round, bare: bare[index] ?? round }))
  const ratio = medianOf(pairs, (pair) => pair.ours.perSecond / pair.bare.perSecond)
  const figures: Figure[] = [
    { bench, name, value: medianOf(ours, (round) => round.perSecond), unit: '/s' },
    { bench, name: 'bare route', value: medianOf(bare, (round) => round.perSecond), unit: '/s' },
    { bench, name: 'ratio', value: ratio, unit: '', goal: { atLeast } },
  ]
  const rounds = [
    ['ours', ours],
    ['bare', bare],
  ] as const
  for (const [who, seen] of rounds) {
    const value = medianOf(seen, (round) => round.serverCpu)
    figures.push({ bench, name: `CPU of the server, ${who}`, value, unit: 'cores' })
    figures.push({
      bench,
      name: `CPU of the load, ${who}`,
      value: medianOf(seen, (round) => round.cpu),
      unit: 'cores',
    })
  }
  return figures
}
