import { setTimeout as sleep } from 'node:timers/promises'

import type { BenchOptions } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { alternate, medianOf, mintRounds, type Round } from '#test/bench/_rounds.ts'
import { type ClusterProcess, leaderOf, mint, startCluster } from '#test/scenario/_cluster.ts'
import { changeAtOnce, placesWithMetrics } from '#test/scenario/_contention.ts'
import { firstKey, newDataDir, newWork, type Server, startServer } from '#test/scenario/_process.ts'
import { natsServerProgram } from '#test/src/cluster/_nats_program.ts'
import { startNatsServers } from '#test/src/cluster/_nats_servers.ts'

const bench = 'cluster'
const goals = { ratio: 0.35, failOverMs: 7_000, longestMs: 12_000, handOverMs: 500, readMs: 50 }

const common = { RATE_LIMITS: 'off', SEARCH: 'off', FETCH_CONTENT: 'off', LOG_LEVEL: 'warn' }
// As they are by default: how long a fail-over takes follows from them.
const timing = { CLUSTER_LEASE_MS: '5000', CLUSTER_CONTACT_MS: '10000' }

/** Whoever starts servers has them ended with a bench. */
type Owner = { teardown(end: () => unknown): void }

/**
 * Three nodes and three NATS servers on this machine, beside one registry that runs alone: mints,
 * what the end of a leader costs, and how soon another node shows what was written. Nothing where
 * nats-server is not installed.
 */
export async function benchCluster({ rounds, roundMs }: BenchOptions): Promise<Figure[]> {
  if (natsServerProgram === undefined) {
    process.stderr.write('bench cluster is left out: nats-server is not installed\n')
    return []
  }
  await using opened = new AsyncDisposableStack()
  const owner: Owner = { teardown: (end) => opened.defer(async () => void (await end())) }
  const servers = await startNatsServers()
  opened.defer(() => servers.stop())
  const places = await placesWithMetrics(['a', 'b', 'c'])
  const { nodes, key } = await startCluster(owner, servers, { ...common, ...timing }, places)
  const alone = await startServer(owner, { ...common, DATA_DIR: await newDataDir(owner) })
  const leader = await leaderOf(nodes)
  const follower = nodes.find((node) => node !== leader) ?? leader
  const mintRound = mintRounds(roundMs)
  const mintingAt =
    ({ started, child }: Server, bearer: string) =>
    (): Promise<Round> => {
      const port = Number(new URL(started.local_url).port)
      const headers = { authorization: `Bearer ${bearer}` }
      return mintRound({ child: { pid: child.pid ?? 0 }, port, headers })
    }
  const atAlone = mintingAt(alone, firstKey(alone))
  const seen = { leader: mintingAt(leader.server, key), follower: mintingAt(follower.server, key) }
  for (const warm of [atAlone, seen.leader, seen.follower]) await warm()
  const byLeader = await alternate(rounds, seen.leader, atAlone)
  const byFollower = await alternate(rounds, seen.follower, atAlone)
  await alone.end('SIGTERM')
  const ends = { owner, nodes, key, rounds }
  return [
    ...rates('at the leader', byLeader),
    ...rates('at a node that follows', byFollower),
    ...(await readElsewhere(nodes, key)),
    ...(await changeOneWork({ leader, follower, nodes, key }, roundMs)),
    ...(await endLeaders(ends, 'SIGKILL')),
    ...(await endLeaders(ends, 'SIGTERM')),
  ]
}

function rates(where: string, { ours, bare }: Awaited<ReturnType<typeof alternate>>): Figure[] {
  const rateOf = (some: readonly Round[]) => medianOf(some, ({ perSecond }) => perSecond)
  const pairs = ours.map((round, nth) => round.perSecond / (bare[nth] ?? round).perSecond)
  const ratio = medianOf(pairs, (each) => each)
  const p99Ms = medianOf(ours, (round) => round.p99Ms)
  return [
    { bench, name: `mint ${where}`, value: rateOf(ours), unit: '/s' },
    { bench, name: 'one node alone', value: rateOf(bare), unit: '/s' },
    { bench, name: 'ratio', value: ratio, unit: '', goal: { atLeast: goals.ratio } },
    { bench, name: `p99 ${where}`, value: p99Ms, unit: 'ms' },
  ]
}

/** How many changes of one work are sent, and by how many clients. */
const changesOfRoundSecond = 40
const manyClients = 64

/**
 * What it costs that every node decides: one work is changed by two clients at one node, by two at
 * two nodes, and by many at all of them.
 */
async function changeOneWork(
  {
    leader,
    follower,
    nodes,
    key,
  }: Pick<Ends, 'nodes' | 'key'> & Record<'leader' | 'follower', ClusterProcess>,
  roundMs: number,
): Promise<Figure[]> {
  const ark = await mint(leader, key, 'Changed by many')
  const total = Math.max(manyClients, Math.ceil((roundMs / 1_000) * changesOfRoundSecond))
  const measure = async (where: string, at: readonly ClusterProcess[], clients: number) => {
    const changes = Math.ceil(total / clients)
    const found = await changeAtOnce(at, { key, ark, clients, changes })
    const { 200: made = 0, ...others } = found.statuses
    const name = `one work, ${clients} clients ${where}`
    const quantile = (share: number) => found.answeredMs[Math.floor(made * share)] ?? Number.NaN
    const refused = Object.values(others).reduce((sum, count) => sum + count, 0)
    return [
      { bench, name: `${name}, changes`, value: (made / found.tookMs) * 1_000, unit: '/s' },
      { bench, name: `${name}, p50`, value: quantile(0.5), unit: 'ms' },
      { bench, name: `${name}, p99`, value: quantile(0.99), unit: 'ms' },
      { bench, name: `${name}, decided anew`, value: found.superseded / made, unit: 'a change' },
      { bench, name: `${name}, refused`, value: refused, unit: '', goal: { atMost: 0 } },
    ]
  }
  return [
    ...(await measure('at the leader', [leader], 2)),
    ...(await measure('at the leader and another node', [leader, follower], 2)),
    ...(await measure('at the leader', [leader], manyClients)),
    ...(await measure('at three nodes', nodes, manyClients)),
  ]
}

/** How long a read at another node takes right after a write, as `X-Read-After` has it wait. */
async function readElsewhere(nodes: readonly ClusterProcess[], key: string): Promise<Figure[]> {
  const times: number[] = []
  for (let nth = 0; nth < 300; nth += 1) {
    const at = nodes[nth % nodes.length] ?? nodes[0]
    const other = nodes[(nth + 1) % nodes.length] ?? nodes[0]
    if (at === undefined || other === undefined) continue
    const { ark, position } = await mintAt(at, key, `Read elsewhere ${nth}`)
    const startMs = performance.now()
    const response = await fetch(`${other.server.started.local_url}/v1/resolve/${ark}`, {
      headers: { 'x-read-after': position },
    })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`a read answers ${response.status}`)
    times.push(performance.now() - startMs)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const name = 'read at another node after a write'
  return [
    { bench, name: `${name}, p50`, value: sorted[150] ?? Number.NaN, unit: 'ms' },
    {
      bench,
      name: `${name}, p99`,
      value: sorted[297] ?? Number.NaN,
      unit: 'ms',
      goal: { atMost: goals.readMs },
    },
  ]
}

type Ends = {
  readonly owner: Owner
  readonly nodes: readonly ClusterProcess[]
  readonly key: string
  readonly rounds: number
}

/** From the end of the leader to the next work that another node has acknowledged. */
async function endLeaders(
  { owner, nodes, key, rounds }: Ends,
  signal: 'SIGKILL' | 'SIGTERM',
): Promise<Figure[]> {
  const gaps: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const leader = await leaderOf(nodes)
    const other = nodes.find((node) => node !== leader) ?? leader
    const gap = longestGap(other, key)
    await gap.hasBegun
    await leader.server.end(signal)
    gaps.push(await gap.ends())
    leader.server = await startServer(owner, leader.settings)
  }
  const sorted = gaps.toSorted((a, b) => a - b)
  const isKill = signal === 'SIGKILL'
  const what = isKill ? 'without a mint after a leader was killed' : 'without a mint at a hand-over'
  const atMost = isKill ? goals.failOverMs : goals.handOverMs
  const longest = isKill ? { goal: { atMost: goals.longestMs } } : {}
  return [
    {
      bench,
      name: `${what}, median of ${rounds}`,
      value: sorted[Math.floor(rounds / 2)] ?? Number.NaN,
      unit: 'ms',
      goal: { atMost },
    },
    { bench, name: `${what}, longest`, value: sorted.at(-1) ?? Number.NaN, unit: 'ms', ...longest },
  ]
}

/** Registers one work after another at a node, and measures the longest time without one. */
function longestGap(node: ClusterProcess, key: string) {
  const begun = Promise.withResolvers<void>()
  let isOver = false
  let after = 0
  const run = async (): Promise<number> => {
    let longestMs = 0
    let lastMs = performance.now()
    for (let nth = 0; !isOver || after < 20; nth += 1) {
      try {
        await mintAt(node, key, `While a leader ends ${lastMs} ${nth}`)
      } catch {
        // It was refused, or its outcome is unknown: a client asks again.
        await sleep(10)
        continue
      }
      const nowMs = performance.now()
      if (nth > 10) longestMs = Math.max(longestMs, nowMs - lastMs)
      lastMs = nowMs
      if (nth > 20) begun.resolve()
      if (isOver) after += 1
    }
    return longestMs
  }
  const running = run()
  return {
    hasBegun: begun.promise,
    ends() {
      isOver = true
      return running
    },
  }
}

async function mintAt({ server }: ClusterProcess, key: string, title: string) {
  const response = await fetch(`${server.started.local_url}/v1/works`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(newWork(title)),
  })
  const body = await response.text()
  if (response.status !== 201) throw new Error(`${response.status} ${body}`)
  const { ark_identifier: ark } = JSON.parse(body) as { ark_identifier: string }
  return { ark, position: response.headers.get('x-read-after') ?? '' }
}
