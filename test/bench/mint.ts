import { type BenchOptions, newFolder } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { startBare } from '#test/bench/_bare.ts'
import { startRegistry } from '#test/bench/_registry_server.ts'
import { alternateWarm, compareRounds, medianOf, mintRounds } from '#test/bench/_rounds.ts'
import { createWork } from '#test/bench/_works.ts'

const created = 201

const goals = { ratio: 0.22, p99Ms: 15, cpuUs: 190, busiestUs: 95 }

/** Minting over HTTP beside a bare route that validates the same bodies. */
export async function benchMint({ rounds, roundMs }: BenchOptions): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const dataDir = await newFolder(cleanup)
  const registry = await startRegistry(dataDir, { SEARCH: 'on' })
  cleanup.defer(() => registry.child.stop())
  const bare = await startBare('mint', await mintOne(registry))
  cleanup.defer(() => bare.child.stop())
  const mint = mintRounds(roundMs)
  const { headers } = registry
  const seen = await alternateWarm(
    rounds,
    () => mint(registry),
    () => mint({ ...bare, headers }),
  )
  const writtenBytes = medianOf(seen.ours, (round) => round.writtenBytes / round.requests)
  return [
    ...compareRounds('mint', '64 connections', seen, goals),
    {
      bench: 'mint',
      name: 'written to disk per mint',
      value: writtenBytes,
      unit: 'bytes',
      goal: { atMost: 6_000 },
    },
  ]
}

// The reply of one mint, which the bare route then answers every time.
async function mintOne({ port, headers }: { port: number; headers: Record<string, string> }) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/works`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(createWork(0)),
  })
  const reply = await response.text()
  if (response.status !== created) throw new Error(`minting answers ${response.status}: ${reply}`)
  return reply
}
