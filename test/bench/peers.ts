import { type BenchOptions, newFolder } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { readWholeCpu } from '#test/bench/_cpu_time.ts'
import { type Peer, peerFolder, peers, type PeerSoftware } from '#test/bench/_peers.ts'
import { type Postgres, startPostgres } from '#test/bench/_postgres.ts'
import { type RegistryServer, startRegistry } from '#test/bench/_registry_server.ts'
import { medianOf } from '#test/bench/_rounds.ts'
import { type LoadPlan, type LoadResult, runLoad } from '#test/bench/_wrk.ts'

const connections = 64

/** No peer answers as many in a second. */
const requestsPerSecond = 400

/** More than we mint in a round. */
const worksPerRound = 1_000_000

/** A round of a server: what it minted, and the CPU that all of its processes took a mint. */
type PeerRound = Pick<LoadResult, 'p99Ms'> & {
  readonly mintsPerSecond: number
  /** The share of requests that were refused, though nothing was wrong with them. */
  readonly refused: number
  readonly cpuUs: number
}

/** Minting beside the software that one would run instead, in turns; on a PostgreSQL of its own. */
export async function benchPeers({ rounds, roundMs }: BenchOptions): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const dataDir = await newFolder(cleanup)
  const postgres = await orLeaveOut('PostgreSQL, and all that need it,', startPostgres)
  if (postgres === undefined) return []
  cleanup.defer(() => postgres.stop())
  const registry = await startRegistry(dataDir, { SEARCH: 'on' })
  cleanup.defer(() => registry.child.stop())
  const figures: Figure[] = []
  let begun = 0
  for (const software of peers) {
    const start = async () => software.start(await peerFolder(software), postgres)
    const peer = await orLeaveOut(software.name, start)
    if (peer === undefined) continue
    try {
      const turns = { rounds, durationMs: roundMs, begun }
      figures.push(...figuresOf(software, await takeTurns(registry, { peer, postgres }, turns)))
    } finally {
      await peer.stop()
    }
    begun += rounds + 1
  }
  return figures
}

/** What is not at hand is left out, with a line that says why. */
async function orLeaveOut<T>(name: string, start: () => Promise<T>): Promise<T | undefined> {
  try {
    return await start()
  } catch (error) {
    process.stderr.write(`${name} is left out: ${String(error).split('\n', 1)[0]}\n`)
    return undefined
  }
}

type Turns = { readonly rounds: number; readonly durationMs: number; readonly begun: number }

type Seen = { readonly ours: PeerRound[]; readonly theirs: PeerRound[] }

/** Rounds of ours and theirs, one after the other; the first of each is not counted. */
async function takeTurns(
  { port, headers, child }: RegistryServer,
  { peer, postgres }: { readonly peer: Peer; readonly postgres: Postgres },
  { rounds, durationMs, begun }: Turns,
): Promise<Seen> {
  const seen: Seen = { ours: [], theirs: [] }
  const requests = Math.ceil((requestsPerSecond * durationMs) / 1_000) + requestsPerSecond
  for (let round = 0; round <= rounds; round += 1) {
    const number = begun + round
    const first = number * worksPerRound
    const shared = { port, headers, connections, durationMs }
    const plan = { type: 'mint', path: '/v1/works', first, ...shared } as const
    const ours = await measure([child.pid], plan)
    const theirPlan = await peer.plan({ number, requests, durationMs })
    const theirs = await measure([peer.pid, postgres.pid], theirPlan)
    if (round === 0) continue
    seen.ours.push(ours)
    seen.theirs.push(theirs)
  }
  return seen
}

async function measure(pids: readonly number[], plan: LoadPlan): Promise<PeerRound> {
  const cpuMs = () => pids.reduce((sum, pid) => sum + readWholeCpu(pid), 0)
  const before = cpuMs()
  const { requests, refused, seconds, p99Ms } = await runLoad(plan)
  const minted = requests - refused
  const cpuUs = ((cpuMs() - before) * 1_000) / minted
  return { p99Ms, mintsPerSecond: minted / seconds, refused: refused / requests, cpuUs }
}

function figuresOf({ name, goal }: PeerSoftware, { ours, theirs }: Seen): Figure[] {
  const bench = 'peers'
  const pairs = ours.map((round, index) => ({ ours: round, theirs: theirs[index] ?? round }))
  const figure = (what: string, unit: string, measureOf: (round: PeerRound) => number) => [
    { bench, name: `${what}, ours`, value: medianOf(ours, measureOf), unit },
    { bench, name: `${what}, ${name}`, value: medianOf(theirs, measureOf), unit },
  ]
  const ratio = medianOf(pairs, (pair) => pair.ours.mintsPerSecond / pair.theirs.mintsPerSecond)
  return [
    ...figure('mints', '/s', ({ mintsPerSecond }) => mintsPerSecond),
    { bench, name: `of ${name}`, value: ratio, unit: 'times', goal: { atLeast: goal } },
    ...figure('CPU a mint, all processes', 'µs', ({ cpuUs }) => cpuUs),
    ...figure('p99', 'ms', ({ p99Ms }) => p99Ms),
    ...figure('refused of all', '', ({ refused }) => refused),
  ]
}
