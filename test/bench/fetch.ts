import type { BenchOptions } from '#test/bench/_bench.ts'
import type { FetchResult } from '#test/bench/_fetch_process.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { askChild, startNode } from '#test/bench/_process.ts'
import { medianOf } from '#test/bench/_rounds.ts'

const concurrency = 32
const hosts = 32

/** How long content is; the goal is for the rate of the fetcher, of that of a bare loop. */
type Size = {
  readonly name: string
  readonly bytes: number
  readonly goal?: NonNullable<Figure['goal']>
}

const sizes: readonly Size[] = [
  { name: '100 kB', bytes: 100_000 },
  { name: '2 MB', bytes: 2_000_000, goal: { atLeast: 0.7 } },
]

type Who = 'bare' | 'fetcher' | 'paced'
type Round = Readonly<Record<Who, FetchResult>>

/** Fetching and hashing content, beside a bare loop that only does that. */
export async function benchFetch(options: BenchOptions): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const size of sizes) figures.push(...(await compare(size, options)))
  return figures
}

async function compare(size: Size, options: BenchOptions): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const server = startNode(new URL('./_content_server.ts', import.meta.url), [
    String(size.bytes),
    String(hosts),
  ])
  cleanup.defer(() => server.stop())
  const { hostPorts } = (await askChild(server, {})) as { hostPorts: string[] }
  const client = startNode(new URL('./_fetch_process.ts', import.meta.url), [])
  cleanup.defer(() => client.stop())
  const run = async (who: Who) => {
    const plan = { who, hostPorts, concurrency, durationMs: options.roundMs }
    return (await askChild(client, plan)) as FetchResult
  }
  const rounds: Round[] = []
  for (let round = 0; round <= options.rounds; round += 1) {
    // The order changes, so that nobody always finds the machine warm.
    const early = round % 2 === 1 ? await run('bare') : undefined
    const [fetcher, paced] = [await run('fetcher'), await run('paced')]
    const bare = early ?? (await run('bare'))
    // The first round warms all up.
    if (round > 0) rounds.push({ bare, fetcher, paced })
  }
  return figuresOf(size, rounds)
}

function figuresOf({ name: size, goal }: Size, rounds: readonly Round[]): Figure[] {
  const bench = 'fetch'
  const median = (who: Who, measure: keyof FetchResult) =>
    medianOf(rounds, (round) => round[who][measure])
  const figures: Figure[] = [
    { bench, name: `${size}, bare loop`, value: median('bare', 'perSecond'), unit: '/s' },
    { bench, name: `${size}, bare loop, CPU`, value: median('bare', 'cpu'), unit: 'cores' },
  ]
  for (const who of ['fetcher', 'paced'] as const) {
    const name = `${size}, ${who}`
    const ratio = medianOf(rounds, (round) => round[who].perSecond / round.bare.perSecond)
    figures.push(
      { bench, name, value: median(who, 'perSecond'), unit: '/s' },
      { bench, name: `${name}, CPU`, value: median(who, 'cpu'), unit: 'cores' },
      { bench, name: `${name}, ratio`, value: ratio, unit: '', ...(goal && { goal }) },
    )
  }
  return figures
}
